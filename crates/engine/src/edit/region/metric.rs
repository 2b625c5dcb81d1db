//! Distances by which regions grow and shrink.

/// Measure of the distance between voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// Steps across faces: an octahedron.
    Manhattan,
    /// The largest difference of a coordinate: a cube.
    Chebyshev,
    /// The distance of the centres: a ball.
    Euclidean,
    /// Steps across upright faces: a flat rhombus. Layers do not affect each other.
    Horizontal,
}

/// Maximum distance of one pass, which therefore reaches into adjacent chunks only.
pub(super) const MAX_REACH: u32 = 32;

impl Metric {
    /// Largest x offset within `reach` of the voxel at `dy`, `dz` from the middle.
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

    /// Distances that add up to `distance`, for passes one after another.
    pub(super) fn passes(self, distance: u32) -> impl Iterator<Item = u32> {
        // Balls do not add up to larger balls.
        let longest = if self == Metric::Euclidean { MAX_REACH } else { MAX_REACH / 2 };
        let count = distance.div_ceil(longest);
        (0..count).map(move |pass| longest.min(distance - pass * longest))
    }
}
