//! Metrics by which regions grow and shrink.

/// Metric for the distance between voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// Number of steps across faces. The ball is an octahedron.
    Manhattan,
    /// Largest difference of a coordinate. The ball is a cube.
    Chebyshev,
    /// Distance between the centres. The ball is round.
    Euclidean,
    /// Number of steps across upright faces. The ball is a flat rhombus; layers do not affect each
    /// other.
    Horizontal,
}

/// Maximum distance of one pass, so that a pass only reads adjacent chunks.
pub(super) const MAX_REACH: u32 = 32;

impl Metric {
    /// Largest x offset of a voxel within `reach`, at the offsets `dy` and `dz`; `None` if all such
    /// voxels are farther.
    pub(super) fn half_width(self, reach: i32, dy: i32, dz: i32) -> Option<i32> {
        let dy = dy.abs();
        let dz = dz.abs();
        let half = match self {
            Metric::Manhattan => reach - dy - dz,
            Metric::Chebyshev if dy.max(dz) <= reach => reach,
            Metric::Euclidean if dy * dy + dz * dz <= reach * reach => {
                (reach * reach - dy * dy - dz * dz).isqrt()
            }
            Metric::Horizontal if dy == 0 => reach - dz,
            _ => -1,
        };
        (half >= 0).then_some(half)
    }

    /// Distances of successive passes, which add up to `distance`.
    pub(super) fn passes(self, distance: u32) -> impl Iterator<Item = u32> {
        // Growing by two balls in succession does not equal growing by a larger ball, so a ball
        // takes one pass.
        let longest = if self == Metric::Euclidean { MAX_REACH } else { MAX_REACH / 2 };
        let count = distance.div_ceil(longest);
        (0..count).map(move |pass| longest.min(distance - pass * longest))
    }
}
