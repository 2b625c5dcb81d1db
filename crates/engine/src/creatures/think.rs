//! Choice of a creature's mood.

use super::creatures::Creatures;
use super::kinds::{Awake, Gait};
use super::mind::{Mood, ROUTE};
use super::view::CreatureView;
use crate::random::Random;
use crate::voxel::ChunkPos;
use glam::IVec3;

/// Ticks between two checks whether the chunk of a frozen creature is loaded.
const FROZEN_TICKS: u64 = 40;
/// Ticks for which a hunter does not hunt after catching up with its prey, which is not hurt.
const SATED_TICKS: u64 = 1200;
/// Maximum number of places that the path search of a hunter visits.
const MAX_HUNT_VISITS: usize = 400;
/// Squared distance at which a hunter has caught up with its prey.
const CAUGHT: i32 = 4;

impl Creatures {
    /// Chooses a creature's mood, and the tick of its next choice.
    pub(super) fn think(&mut self, index: usize, view: &CreatureView<'_>) {
        let motion = self.motions[index];
        let mut random = Random::with_parts(self.seed, [self.tick, u64::from(motion.id) << 1 | 1]);
        if !view.nav.is_loaded(ChunkPos::containing(motion.from)) {
            return self.decide(index, Mood::Rest, FROZEN_TICKS);
        }
        if let Some(threat) = self.threat(index, view) {
            self.scare_one(index, threat);
            return self.decide(index, Mood::Flee, 8 + u64::from(random.below(8)));
        }
        if self.minds[index].scared_until > self.tick {
            return self.decide(index, Mood::Flee, 8 + u64::from(random.below(8)));
        }
        let kind = self.kind(index);
        let flies = matches!(kind.gait, Gait::Fly | Gait::Hover);
        let is_awake = match kind.awake {
            Awake::Day => view.is_day(),
            Awake::Night => !view.is_day(),
            Awake::Always => true,
        };
        if !is_awake {
            let mood = if flies { Mood::Land } else { Mood::Rest };
            self.decide(index, mood, 64 + u64::from(random.below(64)));
            self.motions[index].is_asleep = true;
            return;
        }
        let call = self.calls.iter().find(|call| call.is_followed_by(motion.kind));
        if call.is_some_and(|call| call.field.next(view.nav, motion.from).is_some()) {
            return self.decide(index, Mood::Gather, 16 + u64::from(random.below(16)));
        }
        if call.is_some_and(|call| call.field.is_outdated_at(view.nav, motion.from)) {
            // Stands still until the flow field is rebuilt.
            return self.decide(index, Mood::Gather, 4);
        }
        if kind.max_light < 15 && view.brightness(motion.from) > kind.max_light {
            return self.decide(index, Mood::Hide, 16 + u64::from(random.below(16)));
        }
        if kind.hunts != 0 && self.minds[index].sated_until <= self.tick && self.hunt(index, view) {
            return self.decide(index, Mood::Hunt, 8 + u64::from(random.below(8)));
        }
        if random.below(3) == 0 {
            let mood = if self.kind(index).gait == Gait::Fly { Mood::Land } else { Mood::Rest };
            return self.decide(index, mood, 40 + u64::from(random.below(160)));
        }
        let by = match self.kind(index).gait {
            Gait::Walk => IVec3::new(random.around(12), 0, random.around(12)),
            Gait::Swim => IVec3::new(random.around(10), random.around(4), random.around(10)),
            Gait::Fly => {
                IVec3::new(random.around(20), random.below(9) as i32 - 2, random.around(20))
            }
            Gait::Hover => IVec3::new(random.around(6), random.around(2), random.around(6)),
        };
        self.minds[index].goal = motion.from + by;
        self.decide(index, Mood::Wander, 32 + u64::from(random.below(64)));
    }

    fn decide(&mut self, index: usize, mood: Mood, ticks: u64) {
        self.minds[index].mood = mood;
        let motion = &mut self.motions[index];
        motion.is_asleep = false;
        motion.think_at = self.tick + ticks;
        motion.wake_at = self.tick;
    }

    /// Position of the player or creature that the creature flees from; `None` if there is no
    /// threat.
    fn threat(&self, index: usize, view: &CreatureView<'_>) -> Option<IVec3> {
        let kind = self.kind(index);
        let at = self.motions[index].from;
        let player = view.player.filter(|player| {
            let within = i64::from(kind.flees_player_within);
            within > 0 && (*player - at).as_i64vec3().length_squared() <= within * within
        });
        player.or_else(|| {
            if kind.flees_from == 0 {
                return None;
            }
            let found = self.grid().nearest(at, kind.notices_within, kind.flees_from, index as u32);
            found.map(|other| other.at)
        })
    }

    /// Plans the route to the nearest prey. False if no prey is near, or if it is caught or out of
    /// reach.
    fn hunt(&mut self, index: usize, view: &CreatureView<'_>) -> bool {
        let kind = self.kind(index);
        let at = self.motions[index].from;
        let Some(prey) = self.grid().nearest(at, kind.notices_within, kind.hunts, index as u32)
        else {
            return false;
        };
        let target = prey.creature as usize;
        let Some(prey_at) = self.motions.get(target).map(|motion| motion.from) else {
            return false;
        };
        if prey_at.distance_squared(at) <= CAUGHT {
            self.minds[index].sated_until = self.tick + SATED_TICKS;
            self.scare_one(target, at);
            return false;
        }
        let Some(path) = self.finder().path(view.nav, at, prey_at, MAX_HUNT_VISITS) else {
            return false;
        };
        let mind = &mut self.minds[index];
        mind.goal = prey_at;
        mind.route = [None; ROUTE];
        for (step, code) in mind.route.iter_mut().zip(path.moves()) {
            *step = Some(code);
        }
        true
    }
}
