//! Movement of the player's body: walking, sprinting, jumping, swimming and flying.
//!
//! The body must neither fall through the world nor get stuck in it at any frame rate. Time
//! advances in steps of at most 1/60 s, and each step is a swept move, or near smooth ground a row
//! of short ones (`over_ground`). A body inside something
//! solid (a block placed on it, a chunk loaded late) is pushed out. A body in a chunk that is not
//! loaded waits.
//!
//! This module belongs to the engine instead of the game, so tests need no window.

mod over_ground;
mod shape;

pub use shape::{HEIGHT, WIDTH};

use crate::body::counted_world::CountedWorld;
use crate::voxel::{MaterialTable, ShapeBox, Voxel};
use crate::world::viewpoint::eyes_above;
use crate::world::{Aabb, World};
use glam::{DVec2, DVec3, IVec3};
use over_ground::{Move, MoveRules};
use shape::STEP_UP;

/// Flying speed in voxels per second.
pub const FLY: f64 = 11.0;
/// Walking speed in voxels per second.
const WALK: f64 = 4.5;
/// Sprinting speed in voxels per second.
const SPRINT: f64 = 7.0;
/// Fast flying speed in voxels per second.
const FLY_FAST: f64 = 40.0;
/// Swimming speed in voxels per second.
const SWIM: f64 = 3.0;
/// Fastest speed at which a liquid carries a body, in voxels per second.
const CARRY: f64 = 2.5;
/// Slope of a liquid's level, in voxels per voxel, from which on it carries a body at [`CARRY`].
const SWIFT_SLOPE: f64 = 1.0 / 6.0;
/// Acceleration of a falling body in voxels per second squared.
const GRAVITY: f64 = 27.0;
/// Initial speed of a jump in voxels per second.
const JUMP: f64 = 8.7;
/// Maximum falling speed in voxels per second.
const FALL_LIMIT: f64 = 60.0;
/// Maximum length of a simulation step in seconds.
const MAX_STEP: f64 = 1.0 / 60.0;
/// Shrinks the body on each side for overlap tests, so touching is not overlapping.
const SKIN: f64 = 1e-4;
/// Maximum overlap with a wall, in voxels, at which the body is pushed sideways instead of lifted.
const MAX_PUSH: f64 = 0.05;
/// Maximum time per call in seconds; more is a stall (a debugger, a suspended machine).
const MAX_ADVANCE: f64 = 0.5;

/// Voxel of a body with its feet at `feet`. Feet that rounding puts slightly below the top of the
/// ground still count as above it.
#[must_use]
pub fn voxel_of_feet(feet: DVec3) -> IVec3 {
    (feet + DVec3::Y * (2.0 * SKIN)).floor().as_ivec3()
}

/// Input of the player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Intent {
    /// Horizontal direction in world axes (x, z); length 0 to 1.
    pub along: DVec2,
    /// Jumps, swims up or flies up.
    pub up: bool,
    /// Flies down or dives.
    pub down: bool,
    /// Moves faster.
    pub sprint: bool,
    /// Factor of the flying speed; 1 is [`FLY`].
    pub flying_factor: f64,
}

impl Default for Intent {
    fn default() -> Intent {
        Intent { along: DVec2::ZERO, up: false, down: false, sprint: false, flying_factor: 1.0 }
    }
}

/// A moving body.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Walker {
    /// Centre of the feet in world coordinates.
    pub position: DVec3,
    /// Velocity in metres per second.
    pub velocity: DVec3,
    /// True if the body stands on something.
    pub on_ground: bool,
    /// True if the centre of the body is in a liquid.
    pub swimming: bool,
    /// True if the body flies: without gravity, but stopped by walls.
    pub flying: bool,
}

impl Walker {
    /// A body at rest with its feet at `position`.
    #[must_use]
    pub fn at(position: DVec3) -> Walker {
        Walker { position, ..Walker::default() }
    }

    /// The bounding box of the body.
    #[must_use]
    pub fn body(&self) -> Aabb {
        shape::body_box(self.position)
    }

    /// Position of the eyes.
    #[must_use]
    pub fn eyes(&self) -> DVec3 {
        eyes_above(self.position)
    }

    /// The voxel of the feet.
    #[must_use]
    pub fn voxel(&self) -> IVec3 {
        voxel_of_feet(self.position)
    }

    /// Simulates `seconds` of movement. Returns the number of voxels read.
    pub fn advance(
        &mut self,
        world: &World,
        materials: &MaterialTable,
        intent: Intent,
        seconds: f64,
    ) -> u64 {
        let ground = CountedWorld::new(world, materials);
        if !seconds.is_finite() || seconds <= 0.0 {
            return 0;
        }
        let mut remaining = seconds.min(MAX_ADVANCE);
        while remaining > 0.0 {
            let step = remaining.min(MAX_STEP);
            remaining -= step;
            if !self.is_loaded(&ground, 0.0) {
                self.velocity = DVec3::ZERO;
                break;
            }
            if self.push_out(&ground) {
                self.step(&ground, intent, step);
            }
        }
        ground.reads()
    }

    /// True if the body overlaps the voxel at `at`, so a solid block there would enclose it.
    #[must_use]
    pub fn touches(&self, at: IVec3) -> bool {
        let min = at.as_dvec3();
        Aabb { min, max: min + DVec3::ONE }.overlaps(self.inner())
    }

    /// True if the body overlaps one of the boxes of a shape in the voxel at `at`.
    #[must_use]
    pub fn touches_boxes(&self, at: IVec3, boxes: &[ShapeBox]) -> bool {
        let corner = |corner: [u8; 3]| {
            at.as_dvec3() + DVec3::from(corner.map(f64::from)) / f64::from(ShapeBox::GRID)
        };
        boxes
            .iter()
            .any(|one| Aabb { min: corner(one.low), max: corner(one.high) }.overlaps(self.inner()))
    }

    /// True if the body overlaps nothing solid.
    #[must_use]
    pub fn is_clear(&self, world: &World, materials: &MaterialTable) -> bool {
        self.fits(&CountedWorld::new(world, materials), 0.0)
    }

    /// The bounding box without the skin that may touch a wall.
    fn inner(&self) -> Aabb {
        let body = self.body();
        Aabb { min: body.min + SKIN, max: body.max - SKIN }
    }

    /// True if all chunks that contain the body, lifted by `lift`, are loaded.
    fn is_loaded(&self, ground: &CountedWorld<'_>, lift: f64) -> bool {
        let Aabb { min: lo, max: hi } = self.inner().translated(DVec3::Y * lift);
        [(lo.x, lo.z), (lo.x, hi.z), (hi.x, lo.z), (hi.x, hi.z)].into_iter().all(|(x, z)| {
            [lo.y, hi.y].into_iter().all(|y| ground.get(DVec3::new(x, y, z)) != Voxel::NOT_LOADED)
        })
    }

    /// True if the body, lifted by `lift`, overlaps nothing solid.
    fn fits(&self, ground: &CountedWorld<'_>, lift: f64) -> bool {
        let up = DVec3::Y * lift;
        ground.is_free(self.inner().translated(up))
            && (!ground.has_smooth() || over_ground::is_out_of_ground(ground, self.position + up))
    }

    /// Moves the body out of solid voxels: sideways if it overlaps by at most [`MAX_PUSH`], else
    /// upwards. Returns false if smooth ground still encloses it.
    fn push_out(&mut self, ground: &CountedWorld<'_>) -> bool {
        let inner = self.inner();
        if ground.has_smooth() {
            // For this step's move, too.
            over_ground::read_ground(ground, self.position, self.velocity * MAX_STEP);
        }
        if ground.is_free(inner) {
            return !ground.has_smooth() || self.push_out_of_ground(ground);
        }
        let Aabb { min, max } = self.body();
        for axis in [DVec3::X, DVec3::Z] {
            // Pushes either side back to the voxel border that it has passed.
            let lo = min.dot(axis);
            let hi = max.dot(axis);
            for push in [lo.ceil() - lo, hi.floor() - hi] {
                if push.abs() <= MAX_PUSH && ground.is_free(inner.translated(axis * push)) {
                    self.position += axis * push;
                    return true;
                }
            }
        }
        self.lift_out(ground);
        true
    }

    /// Moves the body out of smooth ground: along the nearest way if it is not deep in it, else
    /// upwards. Returns false if it cannot.
    fn push_out_of_ground(&mut self, ground: &CountedWorld<'_>) -> bool {
        if over_ground::is_out_of_ground(ground, self.position) {
            return true;
        }
        if let Some(to) = over_ground::pushed_out(ground, self.position) {
            self.position = to;
            return true;
        }
        if !self.lift_out(ground) {
            self.velocity = DVec3::ZERO;
            return false;
        }
        true
    }

    /// Moves the body upwards to the next free integer height, but not through chunks that are not
    /// loaded. Returns false without such a height.
    fn lift_out(&mut self, ground: &CountedWorld<'_>) -> bool {
        for up in 1..=256 {
            let lift = self.position.y.floor() + f64::from(up) - self.position.y;
            if !self.is_loaded(ground, lift) {
                return false;
            }
            if self.fits(ground, lift) {
                self.position.y += lift;
                self.velocity = DVec3::ZERO;
                return true;
            }
        }
        false
    }

    fn step(&mut self, ground: &CountedWorld<'_>, intent: Intent, dt: f64) {
        let feet = self.position;
        let middle = feet + DVec3::Y * (HEIGHT * 0.5);
        self.swimming = ground.is_liquid(middle);

        let speed = match (self.flying, self.swimming, intent.sprint) {
            (true, _, true) => FLY_FAST * intent.flying_factor,
            (true, _, false) => FLY * intent.flying_factor,
            (_, true, false) => SWIM,
            (_, true, true) => SWIM * 1.6,
            (_, _, true) => SPRINT,
            _ => WALK,
        };
        let mut along = intent.along.clamp_length_max(1.0) * speed;
        if !self.flying {
            along += self.current(ground) * CARRY;
        }
        // Rate of approach to the intended speed: high on the ground, lower in air and water.
        let grip = if self.flying || self.on_ground { 14.0 } else { 5.0 };
        let mix = 1.0 - 1.0 / (1.0 + grip * dt);
        self.velocity.x += (along.x - self.velocity.x) * mix;
        self.velocity.z += (along.y - self.velocity.z) * mix;

        let lift = f64::from(u8::from(intent.up)) - f64::from(u8::from(intent.down));
        if self.flying {
            self.velocity.y += (lift * speed - self.velocity.y) * mix;
        } else if self.swimming {
            let sink = if lift == 0.0 { -0.8 } else { lift * SWIM };
            self.velocity.y += (sink - self.velocity.y) * (1.0 - 1.0 / (1.0 + 6.0 * dt));
        } else {
            if intent.up && self.on_ground {
                self.velocity.y = JUMP;
            }
            self.velocity.y = (self.velocity.y - GRAVITY * dt).max(-FALL_LIMIT);
        }

        let blocked = if self.is_near_ground(ground, dt) {
            self.move_over_ground(ground, dt)
        } else {
            self.move_among_boxes(ground, dt)
        };
        if blocked && intent.up && (self.swimming || ground.is_liquid(feet)) {
            // A hop from the water onto a bank.
            self.velocity.y = self.velocity.y.max(JUMP * 0.75);
        }
        if self.flying && self.on_ground && intent.down && self.is_loaded(ground, -2.0 * SKIN) {
            self.flying = false;
        }
    }

    /// True if smooth ground may stop the body in the next step.
    fn is_near_ground(&self, ground: &CountedWorld<'_>, dt: f64) -> bool {
        ground.has_smooth() && over_ground::is_near(ground, self.position, self.velocity * dt)
    }

    /// Moves the body over smooth ground and among boxes. Returns true if it is stopped sideways.
    fn move_over_ground(&mut self, ground: &CountedWorld<'_>, dt: f64) -> bool {
        let falls = self.velocity.y <= 0.0 && !self.flying;
        let rules = MoveRules {
            follows_ground: falls && self.on_ground && !self.swimming,
            climbs: (self.swimming || self.on_ground && self.velocity.y <= 0.0) && !self.flying,
        };
        let start =
            Move { at: self.position, velocity: self.velocity, stands: false, is_blocked: false };
        let moved = over_ground::advance(ground, start, rules, dt);
        self.position = moved.at;
        self.velocity = moved.velocity;
        self.on_ground = moved.stands;
        moved.is_blocked
    }

    /// Moves the body among boxes. Returns true if it is stopped sideways.
    fn move_among_boxes(&mut self, ground: &CountedWorld<'_>, dt: f64) -> bool {
        let was_on_ground = self.on_ground;
        let by = self.velocity * dt;
        let along = by * DVec3::new(1.0, 0.0, 1.0);
        let mut moved = ground.sweep(self.body(), by);
        let blocked = moved.blocked.x || moved.blocked.z;
        // No climbing at the start of a jump, which clears the ledge by itself.
        let may_climb = self.swimming || was_on_ground && by.y <= 0.0;
        if blocked && may_climb && !self.flying {
            let climbed = ground.climb(self.body(), DVec3::new(by.x, 0.0, by.z), STEP_UP);
            if climbed.dot(along) > moved.motion.dot(along) + 1e-9 {
                moved.motion = climbed;
                moved.blocked.x = false;
                moved.blocked.z = false;
                moved.blocked.y = true;
            }
        }
        self.position += moved.motion;
        self.on_ground = moved.blocked.y && by.y <= 0.0;
        for axis in 0..3 {
            if moved.blocked.test(axis) {
                self.velocity[axis] = 0.0;
            }
        }
        blocked
    }

    /// Direction in which the liquid around the feet flows along x and z, towards the lower levels
    /// at its sides. The length is 1 where the level falls by [`SWIFT_SLOPE`] or more, and 0
    /// outside liquids and in still liquids.
    fn current(&self, ground: &CountedWorld<'_>) -> DVec2 {
        let feet = self.position + DVec3::Y * (2.0 * SKIN);
        if !ground.is_liquid(feet) {
            return DVec2::ZERO;
        }
        let Some(here) = ground.liquid_level(feet) else { return DVec2::ZERO };
        let sides = [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y];
        let pull = |side: DVec2| {
            let at = feet + DVec3::new(side.x, 0.0, side.y);
            let level = match ground.liquid_level(at) {
                // Air above dry ground draws no current: the edge of a film stands still.
                Some(0.0) if ground.liquid_level(at - DVec3::Y).is_none() => here,
                level => level.unwrap_or(here),
            };
            side * (here - level).max(0.0)
        };
        (sides.into_iter().map(pull).sum::<DVec2>() / SWIFT_SLOPE).clamp_length_max(1.0)
    }
}

#[cfg(test)]
mod tests;
