//! Patterns that change along an axis.

use crate::edit::position_noise::unit;
use crate::voxel::Voxel;
use glam::IVec3;

/// Sequence of voxels along an axis. Between two voxels of the sequence, each position gets one of
/// them at random, the nearer one more often.
#[derive(Clone, PartialEq, Debug)]
pub struct Gradient {
    /// Axis: 0 for x, 1 for y (height), 2 for z.
    pub axis: usize,
    /// Coordinate of the first voxel, which also fills positions before it.
    pub from: i32,
    /// Coordinate of the last voxel, which also fills positions beyond it. May be lower than
    /// `from`.
    pub to: i32,
    /// Voxels in order. If the list is empty, the pattern is air.
    pub voxels: Vec<Voxel>,
    /// Seed of the random choices.
    pub seed: u64,
}

impl Gradient {
    /// Index of the last voxel of the sequence at or before a position, and the fraction (0 to 1,
    /// exclusive) of the distance to the next voxel.
    fn position(&self, at: IVec3) -> (usize, f64) {
        let [from, to, at] = [self.from, self.to, at[self.axis.min(2)]].map(f64::from);
        let last = self.voxels.len().saturating_sub(1);
        let way = if from == to {
            f64::from(at > from)
        } else {
            ((at - from) / (to - from)).clamp(0.0, 1.0)
        };
        let steps = way * last as f64;
        (steps as usize, steps.fract())
    }

    pub(super) fn at(&self, at: IVec3) -> Voxel {
        let (number, part) = self.position(at);
        let number = number + usize::from(part > 0.0 && unit(self.seed, at) < part);
        self.voxels.get(number).copied().unwrap_or(Voxel::AIR)
    }

    pub(super) fn equal_along_x(&self, at: IVec3) -> usize {
        if self.axis != 0 && self.position(at).1 == 0.0 { usize::MAX } else { 1 }
    }
}
