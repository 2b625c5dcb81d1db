//! Poses of creatures, for drawing.

use super::creatures::{CreatureId, Creatures};
use super::kinds::TICKS_PER_SECOND;
use crate::contour::{ContourRules, ContourVoxel};
use crate::world::{World, cast_ray_over_ground};
use glam::DVec3;
use std::f32::consts::TAU;

/// Distance in voxels from the voxel of the feet up to which smooth ground carries the feet.
const GROUND_WITHIN: f64 = 1.0;

/// Pose of a creature between two ticks. [`Swing::angle`](super::Swing::angle) turns it into angles
/// of the body's parts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CreaturePose {
    /// Number of the creature.
    pub id: CreatureId,
    /// Number of the creature's kind.
    pub kind: u8,
    /// Middle of the feet in the world.
    pub position: DVec3,
    /// Direction that the creature faces, in radians: 0 north (-z), clockwise seen from above.
    pub heading: f32,
    /// Voxels walked so far, modulo 4096.
    pub distance: f32,
    /// Time in seconds for movements at rest, modulo one hour. Each creature has its own offset, so
    /// that a herd does not move in unison.
    pub seconds: f32,
    /// True while the creature moves to the next voxel.
    pub is_moving: bool,
    /// True while the creature sleeps.
    pub is_asleep: bool,
    /// True if the creature is pinned.
    pub is_pinned: bool,
}

impl CreaturePose {
    /// The pose with its feet on the surface of smooth ground. Motion counts in voxels; where these
    /// are smooth ground, the surface is up to a voxel higher or lower.
    #[must_use]
    pub fn on_ground(mut self, world: &World, rules: &impl ContourRules) -> CreaturePose {
        if !rules.any_ground() {
            return self;
        }
        let above = self.position + DVec3::Y * GROUND_WITHIN;
        let reach = 2.0 * GROUND_WITHIN;
        let ray = cast_ray_over_ground(world, rules, above, DVec3::NEG_Y, reach, |_, voxel| {
            (rules.contour_voxel(voxel) != ContourVoxel::EMPTY).then_some(1.0)
        });
        if let Some(hit) = ray.hit.filter(|hit| hit.ground_normal.is_some()) {
            self.position.y = above.y - hit.distance;
        }
        self
    }
}

impl Creatures {
    /// Poses of all creatures, a fraction `part_of_tick` (0 to 1) after the last tick.
    pub fn poses(&self, part_of_tick: f64) -> impl ExactSizeIterator<Item = CreaturePose> + '_ {
        let ticks = self.tick as f64 + part_of_tick;
        self.motions.iter().map(move |motion| {
            let offset = f64::from(motion.id.wrapping_mul(0x9E37_79B9) >> 20);
            CreaturePose {
                id: CreatureId(motion.id),
                kind: motion.kind,
                position: motion.position(part_of_tick),
                heading: f32::from(motion.heading) / 256.0 * TAU,
                distance: motion.walked(part_of_tick),
                seconds: ((ticks / f64::from(TICKS_PER_SECOND) + offset) % 3600.0) as f32,
                is_moving: motion.is_moving(),
                is_asleep: motion.is_asleep,
                is_pinned: motion.is_pinned,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Box3, ChunkPos, Material, MaterialTable, SurfaceRule, Voxel};
    use crate::world::Chunk;
    use glam::IVec3;

    #[test]
    fn feet_are_on_smooth_ground() {
        let mut table = MaterialTable::builtin();
        let pose = CreaturePose {
            id: CreatureId(1),
            kind: 0,
            position: DVec3::new(8.5, 6.0, 8.5),
            heading: 0.0,
            distance: 0.0,
            seconds: 0.0,
            is_moving: false,
            is_asleep: false,
            is_pinned: false,
        };
        let mut world = World::new();
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        let hill = Material { surface: SurfaceRule::Smooth, ..Material::plain("hill", [9; 3]) };
        let hill = table.add(hill).unwrap();
        let stone = table.find("stone").unwrap();
        let mut height = |voxel: Voxel| {
            world.fill(Box3::spanning(IVec3::ZERO, IVec3::new(31, 4, 31)), Voxel::full(hill));
            world.fill(Box3::spanning(IVec3::new(0, 5, 0), IVec3::new(31, 5, 31)), voxel);
            pose.on_ground(&world, &table).position.y
        };
        assert_eq!(height(Voxel::full(hill)), 6.0);
        let half = height(Voxel::new(hill, 150));
        assert!((5.5..5.8).contains(&half), "{half}");
        assert_eq!(height(Voxel::full(stone)), 6.0, "cubes");
    }
}
