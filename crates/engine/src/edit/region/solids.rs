//! Cones, pyramids and tori as shapes.

use super::shape::{Ellipsoid, Shape};
use crate::voxel::Box3;
use glam::{DVec3, IVec3};
use std::ops::Range;

/// An upright cone. The layer `y` above the base is a flat [`Ellipsoid`] whose radii shrink
/// linearly with `y`, to nothing at `height`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Cone {
    /// The voxel in the middle of the lowest layer.
    pub base: IVec3,
    /// Radii of the lowest layer along x and z, in voxels.
    pub radii: [f64; 2],
    /// Number of layers.
    pub height: i32,
}

impl Cone {
    /// Flat ellipsoid of a layer, counted from the base.
    fn layer(&self, layer: i32) -> Ellipsoid {
        let part = f64::from(self.height - layer) / f64::from(self.height);
        let [x, z] = self.radii.map(|radius| (radius + 0.5) * part - 0.5);
        let y = self.base.y.saturating_add(layer);
        Ellipsoid { centre: self.base.with_y(y), radii: DVec3::new(x, 0.0, z) }
    }
}

impl Shape for Cone {
    fn bounds(&self) -> Box3 {
        let Box3 { min, max } = self.layer(0).bounds();
        Box3 {
            min: min.with_y(self.base.y),
            max: max.with_y(self.base.y.saturating_add(self.height)),
        }
    }

    fn row(&self, y: i32, z: i32, each: &mut dyn FnMut(Range<i32>)) {
        if (self.base.y..self.base.y.saturating_add(self.height)).contains(&y) {
            self.layer(y - self.base.y).row(y, z, each);
        }
    }
}

/// A square pyramid as in WorldEdit: `size` layers, of which the lowest is 2 `size` - 1 voxels wide
/// and each next one is narrower by one voxel on each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pyramid {
    /// The voxel in the middle of the lowest layer.
    pub base: IVec3,
    /// Number of layers.
    pub size: i32,
    /// True to keep only the outline of each layer.
    pub(crate) is_hollow: bool,
}

impl Shape for Pyramid {
    fn bounds(&self) -> Box3 {
        let half = IVec3::splat(self.size.saturating_sub(1));
        let min = self.base.saturating_sub(half);
        let max = self.base.saturating_add(half).saturating_add(IVec3::ONE);
        Box3 {
            min: min.with_y(self.base.y),
            max: max.with_y(self.base.y.saturating_add(self.size)),
        }
    }

    fn row(&self, y: i32, z: i32, each: &mut dyn FnMut(Range<i32>)) {
        if !(self.base.y..self.base.y.saturating_add(self.size)).contains(&y) {
            return;
        }
        let x = self.base.x;
        let half = self.size - 1 - (y - self.base.y);
        let dz = z.abs_diff(self.base.z).cast_signed();
        if dz > half {
            return;
        }
        if !self.is_hollow || dz == half {
            return each(x - half..x + half + 1);
        }
        each(x - half..x - half + 1);
        each(x + half..x + half + 1);
    }
}

/// A flat torus: the voxels whose centre is at most `minor` + 0.5 away from a horizontal circle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Torus {
    /// The voxel in the middle.
    pub centre: IVec3,
    /// Radius of the circle in voxels.
    pub major: f64,
    /// Radius of the tube in voxels.
    pub minor: f64,
}

impl Torus {
    fn holds(&self, from_centre: IVec3) -> bool {
        let at = from_centre.as_dvec3();
        (at.x.hypot(at.z) - self.major).hypot(at.y) <= self.minor + 0.5
    }
}

impl Shape for Torus {
    fn bounds(&self) -> Box3 {
        let flat = (self.major + self.minor + 0.5).ceil();
        let reach = DVec3::new(flat, (self.minor + 0.5).ceil(), flat).as_ivec3();
        let min = self.centre.saturating_sub(reach);
        let max = self.centre.saturating_add(reach);
        Box3 { min, max: max.saturating_add(IVec3::ONE) }
    }

    fn row(&self, y: i32, z: i32, each: &mut dyn FnMut(Range<i32>)) {
        let Box3 { min, max } = self.bounds();
        let mut start = None;
        for x in min.x..max.x {
            match (self.holds(IVec3::new(x, y, z) - self.centre), start) {
                (true, None) => start = Some(x),
                (false, Some(first)) => {
                    each(first..x);
                    start = None;
                }
                _ => {}
            }
        }
        if let Some(first) = start {
            each(first..max.x);
        }
    }
}
