//! Poses of creatures, for drawing.

use super::creatures::{CreatureId, Creatures};
use super::kinds::TICKS_PER_SECOND;
use glam::DVec3;
use std::f32::consts::TAU;

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
