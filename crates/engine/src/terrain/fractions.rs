//! Occupancies that put the surface of smooth ground at a depth.
//!
//! The contour lies where density crosses 127.5, by linear interpolation between the centres of two
//! neighbouring voxels ([`contour`](crate::contour)). Depth is the distance from a voxel's centre
//! to the surface along the axis nearest to the surface's normal, positive inside, in voxels. Two
//! neighbours along that axis, on both sides of the surface, have depths `d` and `d - 1`. The
//! density `127.5 (1 + d / (1 - |d|))`, between 0 and 255, puts their crossing at the surface, and
//! is 0 or 255 beyond half a voxel: only the one voxel of each column that the surface passes
//! through has a fraction. A density that is linear in the depth would put it at the surface, too,
//! but with two fractions per column.
//!
//! Along the other axes depth changes by less than 1 per voxel, and the crossing is off by up to
//! 1/40 voxel, measured at right angles to the surface; 0 for level ground and for slopes of 45
//! degrees.

use crate::voxel::{MaterialId, Voxel};

/// Number of intervals of depth, from -1/2 to 1/2.
const INTERVALS: usize = 256;

/// Densities by depth, rounded to a number of steps.
pub(super) struct Fractions {
    densities: [u8; INTERVALS + 1],
}

impl Fractions {
    /// Bits of the fractions that generated terrain has.
    pub(super) const BITS: u32 = 5;

    /// Depth from which a voxel surely has ground.
    pub(super) const SURELY_GROUND: f64 = -0.47;

    /// Fractions of `bits` bits, 4 to 8.
    pub(super) fn new(bits: u32) -> Fractions {
        let steps = f64::from((1u32 << bits.clamp(4, 8)) - 1);
        let density = |interval: usize| {
            let depth = interval as f64 / INTERVALS as f64 - 0.5;
            let density = 0.5 + 0.5 * depth / (1.0 - depth.abs());
            // Steps lie symmetrically about one half, so none is the crossing itself.
            ((density * steps).round() / steps * 255.0).round() as u8
        };
        Fractions { densities: std::array::from_fn(density) }
    }

    /// Density at a depth: 0 for none, 255 for full ground, 128 and above inside.
    #[inline]
    pub(super) fn density(&self, depth: f32) -> u8 {
        // Not a number, which no depth is, becomes 0.
        let interval = (depth + 0.5).clamp(0.0, 1.0) * INTERVALS as f32 + 0.5;
        self.densities[(interval as usize).min(INTERVALS)]
    }
}

/// Ground of a density above 0.
#[inline]
pub(super) fn with_density(material: MaterialId, density: u8) -> Voxel {
    debug_assert!(density > 0);
    // Full voxels have the density 255 as well as the occupancy 255.
    Voxel::new(material, if density == u8::MAX { density } else { density - 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contour::{ContourCell, ContourVoxel, crossing};
    use glam::{DVec3, IVec3};

    fn voxel(density: u8) -> ContourVoxel {
        match density {
            0 => ContourVoxel::EMPTY,
            density => ContourVoxel::ground(1, with_density(1, density).occupancy()),
        }
    }

    #[test]
    fn level_ground_is_at_its_height() {
        for (bits, tolerance) in [(8, 0.006), (5, 0.04), (4, 0.075)] {
            let fractions = Fractions::new(bits);
            for step in 0..=1000 {
                let height = f64::from(step) / 1000.0;
                let at = |y: i32| voxel(fractions.density((height - f64::from(y) - 0.5) as f32));
                let column = [-2, -1, 0, 1, 2].map(at);
                let inside = column.iter().filter(|voxel| voxel.is_inside()).count();
                let crossed = crossing(column[inside - 1], column[inside]);
                let found = inside as f64 - 2.5 + f64::from(crossed) / 256.0;
                assert!((found - height).abs() < tolerance, "{bits} bits, {height}: {found}");
                let partial = column.iter().filter(|voxel| !matches!(voxel.density(), 0 | 255));
                assert!(partial.count() <= 1, "only the voxel at the surface has a fraction");
            }
        }
    }

    /// Distance from the plane through `point` of the contour's vertices around the origin: the
    /// largest one.
    fn distance_from_plane(fractions: &Fractions, normal: DVec3, point: DVec3) -> f64 {
        let steepest = normal.abs().max_element();
        let depth = |at: IVec3| (point - at.as_dvec3()).dot(normal) / steepest;
        let mut largest: f64 = 0.0;
        for number in 0..512 {
            let corner = IVec3::new(number & 7, number >> 3 & 7, number >> 6 & 7) - 4;
            let cell = ContourCell::new(std::array::from_fn(|number| {
                let number = number as i32;
                let at = corner + IVec3::new(number & 1, number >> 1 & 1, number >> 2 & 1);
                voxel(fractions.density(depth(at) as f32))
            }));
            for sheet in 0..cell.sheets().count {
                let vertex = cell.vertex(sheet).expect("ground only");
                let at = corner.as_dvec3() + DVec3::from(vertex.at.map(f64::from)) / 256.0;
                largest = largest.max((point - at).dot(normal).abs());
            }
        }
        largest
    }

    #[test]
    fn planes_of_all_slopes_are_within_a_sixteenth_of_a_voxel() {
        let fractions = Fractions::new(Fractions::BITS);
        let mut random = crate::random::Random::new(7);
        let mut largest: f64 = 0.0;
        for _ in 0..2000 {
            let mut unit = || f64::from(random.below(u32::MAX)) / f64::from(u32::MAX) * 2.0 - 1.0;
            let normal = DVec3::new(unit(), unit(), unit()).normalize_or(DVec3::Y);
            let point = DVec3::new(unit(), unit(), unit()) * 0.5;
            largest = largest.max(distance_from_plane(&fractions, normal, point));
        }
        assert!(largest < 1.0 / 16.0, "{largest}");
    }
}
