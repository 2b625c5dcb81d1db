//! Choice of the voxel that a creature enters next.

use super::kinds::{CreatureKind, Gait};
use super::mind::{Mind, Mood, ROUTE};
use super::motion::{Motion, turns_back};
use super::nav::{FlowField, MoveCode, NavClass};
use super::view::CreatureView;
use crate::random::Random;
use crate::voxel::{ChunkPos, MaterialId};
use glam::IVec3;

/// The six directions along the axes.
const SIX: [IVec3; 6] = [IVec3::X, IVec3::NEG_X, IVec3::Z, IVec3::NEG_Z, IVec3::Y, IVec3::NEG_Y];

/// Maximum rise, in voxels, of a creature that an edit has buried.
const MAX_RISE: i32 = 4;

/// Inputs for choosing a step.
pub(super) struct StepContext<'a> {
    pub view: &'a CreatureView<'a>,
    pub kind: &'a CreatureKind,
    /// Materials of closed doors.
    pub doors: &'a [MaterialId],
    pub motion: &'a Motion,
    /// Flow field to the place that the creature's kind was called to.
    pub field: Option<&'a FlowField>,
    /// Returns true if no creature is in a voxel.
    pub is_free: &'a dyn Fn(IVec3) -> bool,
}

/// A chosen step.
#[derive(Clone, Copy)]
pub(super) struct ChosenStep {
    /// Voxel that the creature enters.
    pub to: IVec3,
    /// Length of the step, in voxels.
    pub cost: u16,
}

impl ChosenStep {
    /// A step into an adjacent voxel.
    fn adjacent(to: IVec3) -> ChosenStep {
        ChosenStep { to, cost: 1 }
    }
}

impl StepContext<'_> {
    /// Chooses the next step; `None` to stay. Creatures stay in chunks that are not loaded.
    pub fn choose(&self, mind: &mut Mind, random: &mut Random) -> Option<ChosenStep> {
        if !self.view.nav.is_loaded(ChunkPos::containing(self.motion.from)) {
            return None;
        }
        match self.kind.gait {
            Gait::Walk => self.walk(mind, random),
            Gait::Swim => self.swim(mind, random),
            Gait::Fly | Gait::Hover => self.fly(mind, random),
        }
    }

    fn class(&self, at: IVec3) -> NavClass {
        self.view.nav.class(at)
    }

    /// Rating of a voxel under the creature's mood; lower is better.
    fn badness(&self, mind: &Mind, to: IVec3, random: &mut Random) -> i32 {
        // A creature without a goal has the origin as its goal, which may be a whole world away.
        let away = (to.as_i64vec3() - mind.goal.as_i64vec3()).abs();
        let distance = (away.x + away.y + away.z).min(1 << 20) as i32 * 4;
        let wanted = match mind.mood {
            Mood::Flee => -distance,
            Mood::Hide => i32::from(self.view.brightness(to)) * 16,
            _ => distance,
        };
        let turns = if turns_back(to - self.motion.from, self.motion.heading) { 6 } else { 0 };
        wanted + turns + random.below(6) as i32
    }

    fn walk(&self, mind: &mut Mind, random: &mut Random) -> Option<ChosenStep> {
        let at = self.motion.from;
        let Some(key) = self.view.nav.place_key(at) else { return self.leave_no_place() };
        if mind.mood == Mood::Rest || mind.mood == Mood::Land {
            return None;
        }
        let route = match mind.mood {
            Mood::Hunt => Some(mind.next_move()?),
            Mood::Gather => Some(MoveCode::from_offset(self.field?.next(self.view.nav, at)? - at)?),
            _ => None,
        };
        if mind.mood == Mood::Wander && (mind.goal - at).with_y(0).abs().max_element() <= 1 {
            mind.mood = Mood::Rest;
            return None;
        }
        let swims = self.class(at) == NavClass::Water;
        let mut best: Option<(i32, ChosenStep)> = None;
        self.view.nav.for_each_move(key, |code, to| {
            let fits = match route {
                Some(wanted) => wanted == code,
                // Without a route, only fleeing creatures jump, and none of them falls.
                None => code.cost() == 1 || mind.mood == Mood::Flee && code.is_jump(),
            };
            if !fits {
                return;
            }
            let to = self.view.nav.position(to);
            let enters_water = route.is_none() && !swims && self.class(to) == NavClass::Water;
            if enters_water || !(self.is_free)(to) || !self.tolerates_light_of(to) {
                return;
            }
            let badness = self.badness(mind, to, random);
            if best.as_ref().is_none_or(|(least, _)| badness < *least) && !self.is_door(to) {
                best = Some((badness, ChosenStep { to, cost: code.cost() as u16 }));
            }
        });
        if best.is_none() && mind.mood == Mood::Hunt {
            // The next voxel of the route is blocked, so the rest of the route is useless.
            mind.mood = Mood::Rest;
            mind.route = [None; ROUTE];
        }
        best.map(|(_, step)| step)
    }

    /// True if a voxel is dark enough for the kind, or darker than the creature's own voxel.
    /// Without the second condition, a creature surprised by dawn could not move at all.
    fn tolerates_light_of(&self, to: IVec3) -> bool {
        let max_light = self.kind.max_light;
        if max_light >= 15 {
            return true;
        }
        let light = self.view.brightness(to);
        light <= max_light || light < self.view.brightness(self.motion.from)
    }

    /// True if feet or head of a body at `to` would be in a closed door.
    fn is_door(&self, to: IVec3) -> bool {
        let is_door = |at| self.doors.contains(&self.view.world.get(at).material());
        !self.doors.is_empty() && (is_door(to) || is_door(to + IVec3::Y))
    }

    /// Step out of a voxel that is not a place: down through the air, or up out of the ground.
    fn leave_no_place(&self) -> Option<ChosenStep> {
        let at = self.motion.from;
        let can_enter = |to: &IVec3| self.class(*to).is_passable() && (self.is_free)(*to);
        if self.class(at).is_passable() {
            return Some(ChosenStep::adjacent(at - IVec3::Y)).filter(|step| can_enter(&step.to));
        }
        let mut rises =
            (1..=MAX_RISE).map(|dy| ChosenStep { to: at + IVec3::Y * dy, cost: dy as u16 });
        rises.find(|step| can_enter(&step.to))
    }

    fn swim(&self, mind: &mut Mind, random: &mut Random) -> Option<ChosenStep> {
        let at = self.motion.from;
        if self.class(at) != NavClass::Water {
            let below = at - IVec3::Y;
            return (self.class(below).is_passable() && (self.is_free)(below))
                .then(|| ChosenStep::adjacent(below));
        }
        if mind.mood == Mood::Wander && mind.goal == at {
            mind.mood = Mood::Rest;
        }
        if mind.mood == Mood::Rest || mind.mood == Mood::Land {
            return None;
        }
        let free = SIX
            .map(|by| at + by)
            .into_iter()
            .filter(|&to| self.class(to) == NavClass::Water && (self.is_free)(to));
        free.min_by_key(|&to| self.badness(mind, to, random)).map(ChosenStep::adjacent)
    }

    fn fly(&self, mind: &mut Mind, random: &mut Random) -> Option<ChosenStep> {
        let at = self.motion.from;
        let can_enter =
            |to: IVec3| self.class(to) == NavClass::Open && (self.is_free)(to) && !self.is_door(to);
        let below = at - IVec3::Y;
        if mind.mood == Mood::Land {
            match self.class(below) {
                NavClass::Open => return can_enter(below).then(|| ChosenStep::adjacent(below)),
                NavClass::Ground => return None,
                // Cannot land in water or lava, so it flies on.
                NavClass::Water | NavClass::Hazard => {
                    mind.mood = Mood::Wander;
                    mind.goal = at + IVec3::new(random.around(12), 3, random.around(12));
                }
            }
        }
        if mind.mood == Mood::Rest {
            return None;
        }
        let wanted = match mind.mood {
            Mood::Flee => {
                let away = (at - mind.goal).signum();
                if away.x | away.z == 0 { IVec3::new(1, 1, 0) } else { away.with_y(1) }
            }
            _ => (mind.goal - at).signum(),
        };
        if wanted == IVec3::ZERO {
            mind.mood = if self.kind.gait == Gait::Fly { Mood::Land } else { Mood::Rest };
            return None;
        }
        let parts = [
            wanted,
            wanted.with_y(0),
            IVec3::X * wanted.x,
            IVec3::Z * wanted.z,
            IVec3::Y * wanted.y,
            IVec3::Y,
        ];
        let side = SIX[random.below(6) as usize];
        let directions = parts.into_iter().chain([side]).filter(|&by| by != IVec3::ZERO);
        directions.map(|by| at + by).find(|&to| can_enter(to)).map(ChosenStep::adjacent)
    }
}
