//! Movement of the player's body: walking, sprinting, jumping, swimming and flying.
//!
//! The body must neither fall through the world nor get stuck in it at any frame rate. Time advances in
//! steps of at most 1/60 s, and each step is a swept move. A body inside something solid (a block placed
//! on it, a chunk loaded late) is pushed out. A body in a chunk that is not loaded waits.
//!
//! This module belongs to the engine instead of the game, so tests need no window.

use super::counted_world::CountedWorld;
use crate::voxel::{MaterialTable, Matter, Voxel};
use crate::world::{Aabb, World};
use glam::{DVec2, DVec3, IVec3};

/// Width of the body in voxels (metres).
pub const WIDTH: f64 = 0.6;
/// Height of the body in voxels.
pub const HEIGHT: f64 = 1.8;
/// Height of the eyes above the feet in voxels.
pub const EYES: f64 = 1.62;

/// Speeds in voxels per second.
const WALK: f64 = 4.5;
const SPRINT: f64 = 7.0;
const FLY: f64 = 11.0;
const FLY_FAST: f64 = 40.0;
const SWIM: f64 = 3.0;
/// Acceleration in voxels per second squared.
const GRAVITY: f64 = 27.0;
/// Initial speed of a jump in voxels per second.
const JUMP: f64 = 8.7;
/// Maximum falling speed in voxels per second.
const FALL_LIMIT: f64 = 60.0;
/// Maximum height of a ledge that the body climbs without a jump.
const STEP_UP: f64 = 0.6;
/// Maximum length of a simulation step in seconds.
const MAX_STEP: f64 = 1.0 / 60.0;
/// Shrinks the body on each side for overlap tests, so touching is not overlapping.
const SKIN: f64 = 1e-4;
/// Maximum depth in a wall at which the body is pushed out sideways.
const MAX_PUSH: f64 = 0.05;
/// Maximum time per call in seconds; more is a stall (a debugger, a suspended machine).
const MAX_ADVANCE: f64 = 0.5;

/// Input of the player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Intent {
    /// Horizontal direction in world axes (x, z); length 0 to 1.
    pub along: DVec2,
    /// Jumps, swims up or flies up.
    pub up: bool,
    /// Flies down or dives.
    pub down: bool,
    /// Moves faster.
    pub sprint: bool,
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
        let half = DVec3::new(WIDTH / 2.0, 0.0, WIDTH / 2.0);
        Aabb { min: self.position - half, max: self.position + half + DVec3::Y * HEIGHT }
    }

    /// Position of the eyes.
    #[must_use]
    pub fn eyes(&self) -> DVec3 {
        self.position + DVec3::Y * EYES
    }

    /// Simulates `seconds` of movement. Returns the number of voxels read.
    pub fn advance(&mut self, world: &World, materials: &MaterialTable, intent: Intent, seconds: f64) -> u64 {
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
            self.push_out(&ground);
            self.step(&ground, intent, step);
        }
        ground.reads()
    }

    /// True if the body overlaps the voxel at `at`, so a solid block there would enclose it.
    #[must_use]
    pub fn touches(&self, at: IVec3) -> bool {
        let min = at.as_dvec3();
        Aabb { min, max: min + DVec3::ONE }.overlaps(self.inner())
    }

    /// True if the body overlaps nothing solid.
    #[must_use]
    pub fn is_clear(&self, world: &World, materials: &MaterialTable) -> bool {
        CountedWorld::new(world, materials).is_free(self.inner())
    }

    /// The bounding box without the skin that may touch a wall.
    fn inner(&self) -> Aabb {
        let body = self.body();
        Aabb { min: body.min + SKIN, max: body.max - SKIN }
    }

    /// True if all chunks that contain the body, lifted by `lift`, are loaded.
    fn is_loaded(&self, ground: &CountedWorld<'_>, lift: f64) -> bool {
        let Aabb { min: lo, max: hi } = self.inner().translated(DVec3::Y * lift);
        [(lo.x, lo.z), (lo.x, hi.z), (hi.x, lo.z), (hi.x, hi.z)]
            .into_iter()
            .all(|(x, z)| [lo.y, hi.y].into_iter().all(|y| ground.get(DVec3::new(x, y, z)) != Voxel::NOT_LOADED))
    }

    /// Moves the body out of solid voxels: sideways if it overlaps by at most [`MAX_PUSH`], else
    /// upwards.
    fn push_out(&mut self, ground: &CountedWorld<'_>) {
        let inner = self.inner();
        if ground.is_free(inner) {
            return;
        }
        let Aabb { min, max } = self.body();
        for axis in [DVec3::X, DVec3::Z] {
            // To the border of the voxel at either side.
            let (lo, hi) = (min.dot(axis), max.dot(axis));
            for push in [lo.ceil() - lo, hi.floor() - hi] {
                if push.abs() <= MAX_PUSH && ground.is_free(inner.translated(axis * push)) {
                    self.position += axis * push;
                    return;
                }
            }
        }
        // Upwards to the next free integer height, but not through chunks that are not loaded.
        for up in 1..=256 {
            let lift = self.position.y.floor() + f64::from(up) - self.position.y;
            if !self.is_loaded(ground, lift) {
                return;
            }
            if ground.is_free(inner.translated(DVec3::Y * lift)) {
                self.position.y += lift;
                self.velocity = DVec3::ZERO;
                return;
            }
        }
    }

    fn step(&mut self, ground: &CountedWorld<'_>, intent: Intent, dt: f64) {
        let feet = self.position;
        let middle = feet + DVec3::Y * (HEIGHT * 0.5);
        self.swimming = ground.matter(middle) == Some(Matter::Liquid);

        let speed = match (self.flying, self.swimming, intent.sprint) {
            (true, _, true) => FLY_FAST,
            (true, _, false) => FLY,
            (_, true, false) => SWIM,
            (_, true, true) => SWIM * 1.6,
            (_, _, true) => SPRINT,
            _ => WALK,
        };
        let along = intent.along.clamp_length_max(1.0) * speed;
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

        let was_on_ground = self.on_ground;
        let by = self.velocity * dt;
        let mut moved = ground.sweep(self.body(), by);
        let blocked = moved.blocked.x || moved.blocked.z;
        // Not at the start of a jump, which clears the ledge by itself.
        let may_climb = self.swimming || was_on_ground && by.y <= 0.0;
        if blocked && may_climb && !self.flying {
            let climbed = self.climb(ground, by);
            if climbed.dot(by * DVec3::new(1.0, 0.0, 1.0)) > moved.motion.dot(by * DVec3::new(1.0, 0.0, 1.0)) + 1e-9 {
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
        if blocked && intent.up && (self.swimming || ground.matter(feet) == Some(Matter::Liquid)) {
            // A hop from the water onto a bank.
            self.velocity.y = self.velocity.y.max(JUMP * 0.75);
        }
        if self.flying && self.on_ground && intent.down && self.is_loaded(ground, -2.0 * SKIN) {
            self.flying = false;
        }
    }

    /// The movement if the body first rises by a ledge, then moves on, then sinks onto it.
    fn climb(&self, ground: &CountedWorld<'_>, by: DVec3) -> DVec3 {
        let body = self.body();
        let up = ground.sweep(body, DVec3::Y * STEP_UP).motion;
        let on = ground.sweep(body.translated(up), DVec3::new(by.x, 0.0, by.z)).motion;
        let down = ground.sweep(body.translated(up + on), -up).motion;
        up + on + down
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Box3;
    use crate::world::{Chunk, is_free};
    use glam::IVec3;

    /// 128 x 128 m of stone with its top at y = 0, a wall, a staircase of half steps and a pool.
    fn world(materials: &MaterialTable) -> World {
        let mut world = World::new();
        for pos in (Box3 { min: IVec3::new(-64, -32, -64), max: IVec3::new(64, 96, 64) }).chunks() {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        let stone = Voxel::full(materials.find("stone").expect("stone"));
        let water = Voxel::full(materials.find("water").expect("water"));
        let half = Voxel::new(stone.material(), 127);
        world.fill(Box3 { min: IVec3::new(-64, -32, -64), max: IVec3::new(64, 0, 64) }, stone);
        world.fill(Box3 { min: IVec3::new(10, 0, -64), max: IVec3::new(11, 8, 64) }, stone);
        world.fill(Box3 { min: IVec3::new(-20, -6, -20), max: IVec3::new(-10, 0, -10) }, water);
        world.fill(Box3 { min: IVec3::new(-8, 0, 8), max: IVec3::new(-7, 1, 20) }, half);
        world
    }

    fn body_is_free(world: &World, materials: &MaterialTable, walker: &Walker) -> bool {
        let body = walker.body();
        is_free(world, materials, Aabb { min: body.min + 1e-3, max: body.max - 1e-3 })
    }

    #[test]
    fn body_never_falls_through_or_sticks_at_any_frame_rate() {
        let materials = MaterialTable::builtin();
        let world = world(&materials);
        for fps in [5.0, 12.0, 30.0, 144.0, 1000.0] {
            let mut walker = Walker::at(DVec3::new(0.5, 60.0, 0.5));
            let mut far = 0.0f64;
            for frame in 0..(fps as u32 * 40) {
                let t = f64::from(frame) / fps;
                let along = DVec2::from_angle((t * 0.9).sin() * 6.0);
                let intent = Intent { along, up: frame % 3 == 0, sprint: t > 20.0, ..Intent::default() };
                walker.advance(&world, &materials, intent, 1.0 / fps);
                assert!(walker.position.y > -6.5, "{fps} fps: fell to {}", walker.position);
                assert!(body_is_free(&world, &materials, &walker), "{fps} fps: stuck at {}", walker.position);
                far = far.max(walker.position.xz_length());
            }
            assert!(far > 5.0, "{fps} fps: it barely moved");
        }
    }

    trait XzLength {
        fn xz_length(&self) -> f64;
    }
    impl XzLength for DVec3 {
        fn xz_length(&self) -> f64 {
            DVec2::new(self.x, self.z).length()
        }
    }

    #[test]
    fn walking_climbs_half_steps_but_not_walls() {
        let materials = MaterialTable::builtin();
        let world = world(&materials);
        let west = Intent { along: DVec2::NEG_X, ..Intent::default() };
        let mut walker = Walker::at(DVec3::new(-5.0, 0.0, 12.5));
        let mut highest = 0.0f64;
        for _ in 0..120 {
            walker.advance(&world, &materials, west, 1.0 / 60.0);
            highest = highest.max(walker.position.y);
        }
        assert!(walker.position.x < -9.0, "stopped at {}", walker.position);
        assert!((highest - 0.5).abs() < 1e-6, "rose to {highest}");
        let mut walker = Walker::at(DVec3::new(5.0, 0.0, 0.5));
        for _ in 0..300 {
            walker.advance(&world, &materials, Intent { along: DVec2::X, ..Intent::default() }, 1.0 / 60.0);
        }
        assert!((walker.position.x - 9.7).abs() < 1e-3, "the wall is at x = 10: {}", walker.position);
    }

    #[test]
    fn swimming_body_climbs_out_of_pool() {
        let materials = MaterialTable::builtin();
        let world = world(&materials);
        let mut walker = Walker::at(DVec3::new(-15.0, -5.9, -15.0));
        let out = Intent { along: DVec2::X, up: true, ..Intent::default() };
        for _ in 0..(60 * 15) {
            walker.advance(&world, &materials, out, 1.0 / 60.0);
        }
        assert!(walker.position.x > -9.0 && walker.position.y > -0.1, "still in the pool: {}", walker.position);
    }

    #[test]
    fn body_inside_block_is_lifted_out() {
        let materials = MaterialTable::builtin();
        let mut world = world(&materials);
        let mut walker = Walker::at(DVec3::new(0.5, 0.0, 0.5));
        world.fill(Box3 { min: IVec3::new(-1, 0, -1), max: IVec3::new(2, 3, 2) }, Voxel::full(1));
        walker.advance(&world, &materials, Intent::default(), 0.01);
        assert!(walker.position.y > 2.9, "{}", walker.position);
        assert!(body_is_free(&world, &materials, &walker));
    }

    #[test]
    fn body_slightly_inside_wall_is_pushed_sideways() {
        let materials = MaterialTable::builtin();
        let mut world = world(&materials);
        // A tunnel two voxels high, deep in the stone, whose end overlaps the body by 5 mm.
        world.fill(Box3 { min: IVec3::new(20, -20, 0), max: IVec3::new(25, -18, 1) }, Voxel::AIR);
        let mut walker = Walker::at(DVec3::new(24.705, -20.0, 0.5));
        walker.advance(&world, &materials, Intent::default(), 0.01);
        assert!((walker.position.x - 24.7).abs() < 1e-9, "{}", walker.position);
        assert!((walker.position.y + 20.0).abs() < 1e-3, "{}", walker.position);
    }

    #[test]
    fn stone_in_untouched_voxels_does_not_move_body() {
        let materials = MaterialTable::builtin();
        for x in [0.3, 0.5, 0.6999, 0.70005, 0.7001, 0.705, 0.71, 0.8] {
            let mut world = world(&materials);
            let walker = Walker::at(DVec3::new(x, 0.0, 0.5));
            for (x, y, z) in (-2..3).flat_map(|y| (-2..3).flat_map(move |z| (-2..3).map(move |x| (x, y, z)))) {
                let at = IVec3::new(x, y, z);
                if !walker.touches(at) {
                    world.set(at, Voxel::full(1));
                }
            }
            let mut moved = walker;
            moved.advance(&world, &materials, Intent::default(), 0.01);
            assert!((moved.position - walker.position).abs().max_element() < 1e-3, "{x}: {}", moved.position);
        }
    }

    #[test]
    fn jump_clears_one_block_but_not_two() {
        let materials = MaterialTable::builtin();
        for (height, clears) in [(1, true), (2, false)] {
            let mut world = world(&materials);
            world.fill(Box3 { min: IVec3::new(-64, 0, 3), max: IVec3::new(64, height, 5) }, Voxel::full(1));
            let mut walker = Walker::at(DVec3::new(0.5, 0.0, 0.5));
            for _ in 0..180 {
                let south = Intent { along: DVec2::Y, up: true, ..Intent::default() };
                walker.advance(&world, &materials, south, 1.0 / 60.0);
            }
            assert_eq!(walker.position.z > 6.0, clears, "{height} blocks: {}", walker.position);
        }
    }

    #[test]
    fn jump_against_ledge_reaches_full_height() {
        let materials = MaterialTable::builtin();
        let world = world(&materials);
        // Walking into the half steps at x = -8.
        let mut walker = Walker::at(DVec3::new(-6.7, 0.0, 12.5));
        let west = Intent { along: DVec2::NEG_X, ..Intent::default() };
        walker.advance(&world, &materials, Intent::default(), 0.1);
        let mut highest = 0.0f64;
        for frame in 0..60 {
            walker.advance(&world, &materials, Intent { up: frame == 0, ..west }, 1.0 / 60.0);
            highest = highest.max(walker.position.y);
        }
        assert!(highest > 1.2, "rose to {highest}");
    }

    #[test]
    fn flying_stops_at_walls_and_ends_on_ground() {
        let materials = MaterialTable::builtin();
        let world = world(&materials);
        let mut walker = Walker { flying: true, ..Walker::at(DVec3::new(5.5, 3.0, 0.5)) };
        for _ in 0..60 {
            let east = Intent { along: DVec2::X, sprint: true, ..Intent::default() };
            walker.advance(&world, &materials, east, 1.0 / 30.0);
        }
        assert!(walker.flying && (walker.position.x - 9.7).abs() < 1e-3, "{}", walker.position);
        for _ in 0..60 {
            walker.advance(&world, &materials, Intent { down: true, ..Intent::default() }, 1.0 / 30.0);
        }
        assert!(!walker.flying && walker.on_ground && walker.position.y.abs() < 1e-3, "{}", walker.position);
    }

    #[test]
    fn flying_down_to_unloaded_chunk_continues_flying() {
        let materials = MaterialTable::builtin();
        let mut world = world(&materials);
        let below: Vec<_> = (Box3 { min: IVec3::new(-64, 0, -64), max: IVec3::new(64, 32, 64) }).chunks().collect();
        below.iter().for_each(|&pos| drop(world.remove(pos)));
        let mut walker = Walker { flying: true, ..Walker::at(DVec3::new(5.5, 40.0, 0.5)) };
        let down = Intent { down: true, ..Intent::default() };
        (0..60).for_each(|_| _ = walker.advance(&world, &materials, down, 1.0 / 30.0));
        assert!(walker.flying && (walker.position.y - 32.0).abs() < 1e-3, "{}", walker.position);
        for pos in below {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        (0..10).for_each(|_| _ = walker.advance(&world, &materials, down, 1.0 / 30.0));
        assert!(walker.flying && walker.position.y < 31.0, "{}", walker.position);
    }

    #[test]
    fn walking_crosses_chunk_borders_far_from_origin() {
        let materials = MaterialTable::builtin();
        for far in [-33, -1_073_741_000, 1_073_740_000] {
            let mut world = World::new();
            let floor = Box3 { min: IVec3::new(far - 40, -32, far - 40), max: IVec3::new(far + 72, 32, far + 40) };
            for pos in floor.chunks() {
                let voxel = if pos.y < 0 { Voxel::full(1) } else { Voxel::AIR };
                world.insert(pos, Chunk::uniform(voxel));
            }
            let start = DVec3::new(f64::from(far) + 0.5, 0.0, f64::from(far) + 0.5);
            let mut walker = Walker::at(start);
            for _ in 0..600 {
                let east = Intent { along: DVec2::X, ..Intent::default() };
                walker.advance(&world, &materials, east, 1.0 / 60.0);
            }
            assert!(walker.on_ground && walker.position.y.abs() < 1e-3, "{}", walker.position);
            assert!(walker.position.x - start.x > 40.0, "{}", walker.position);
        }
    }

    #[test]
    fn long_stall_is_clamped() {
        let materials = MaterialTable::builtin();
        let mut walker = Walker::at(DVec3::new(0.5, 60.0, 0.5));
        walker.advance(&world(&materials), &materials, Intent::default(), 3600.0);
        assert!(walker.position.y > 55.0, "{}", walker.position);
    }

    /// In a mine at a chunk border, next to an unloaded chunk, the body is neither lifted out nor moved.
    #[test]
    fn body_waits_for_unloaded_neighbour_chunk() {
        let materials = MaterialTable::builtin();
        let mut world = world(&materials);
        world.fill(Box3 { min: IVec3::new(20, -20, -3), max: IVec3::new(40, -17, 3) }, Voxel::AIR);
        let next_door = world.remove(crate::voxel::ChunkPos::new(1, -1, 0)).expect("loaded");
        let mut walker = Walker::at(DVec3::new(31.9, -20.0, 0.5));
        walker.advance(&world, &materials, Intent::default(), 0.3);
        assert_eq!(walker.position, DVec3::new(31.9, -20.0, 0.5));
        world.insert(crate::voxel::ChunkPos::new(1, -1, 0), next_door);
        walker.advance(&world, &materials, Intent { along: DVec2::X, ..Intent::default() }, 0.3);
        assert!(walker.position.x > 32.0 && walker.position.y < -19.9, "{}", walker.position);
    }

    #[test]
    fn body_waits_in_unloaded_chunk() {
        let materials = MaterialTable::builtin();
        let mut walker = Walker::at(DVec3::new(1000.5, 20.0, 0.5));
        walker.advance(&world(&materials), &materials, Intent { up: true, ..Intent::default() }, 1.0);
        assert_eq!(walker.position, DVec3::new(1000.5, 20.0, 0.5));
    }
}
