//! Shapes that regions are made from, row by row along x.

use crate::voxel::Box3;
use glam::{DVec3, IVec2, IVec3};
use std::ops::Range;

/// Part of a box that a shape covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// No voxel of the box.
    Nothing,
    /// Some voxels of the box, or an unknown number of them.
    Part,
    /// Every voxel of the box.
    All,
}

/// A set of voxels that can be enumerated row by row.
pub trait Shape: Sync {
    /// A box that contains the shape.
    fn bounds(&self) -> Box3;

    /// Calls `each` with the voxels of the row at `y` and `z`, as ascending ranges of x that do not
    /// overlap.
    fn row(&self, y: i32, z: i32, each: &mut dyn FnMut(Range<i32>));

    /// Part of a box that the shape covers. [`Extent::Part`] is always a valid answer; the others
    /// save reading rows.
    fn extent(&self, area: Box3) -> Extent {
        let _ = area;
        Extent::Part
    }

    /// The shape as a box, if it is one.
    fn as_box(&self) -> Option<Box3> {
        None
    }
}

impl Shape for Box3 {
    fn bounds(&self) -> Box3 {
        *self
    }

    fn row(&self, y: i32, z: i32, each: &mut dyn FnMut(Range<i32>)) {
        if (self.min.y..self.max.y).contains(&y) && (self.min.z..self.max.z).contains(&z) {
            each(self.min.x..self.max.x);
        }
    }

    fn extent(&self, area: Box3) -> Extent {
        let common = self.intersection(area);
        if common.is_empty() {
            Extent::Nothing
        } else if common == area {
            Extent::All
        } else {
            Extent::Part
        }
    }

    fn as_box(&self) -> Option<Box3> {
        Some(*self)
    }
}

/// An ellipsoid: the voxels whose centre lies in the ellipsoid around the centre of the middle
/// voxel, with radii that are half a voxel larger.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ellipsoid {
    /// The voxel in the middle.
    pub centre: IVec3,
    /// Radii along x, y and z in voxels, not negative.
    pub radii: DVec3,
}

impl Ellipsoid {
    /// Squared distance of a voxel's centre from the middle, relative to the enlarged radii: at
    /// most 1 inside.
    fn distance(&self, from_centre: IVec3) -> f64 {
        (from_centre.as_dvec3() / (self.radii + 0.5)).length_squared()
    }
}

impl Shape for Ellipsoid {
    fn bounds(&self) -> Box3 {
        let reach = self.radii.ceil().as_ivec3();
        Box3 {
            min: self.centre.saturating_sub(reach),
            max: self.centre.saturating_add(reach).saturating_add(IVec3::ONE),
        }
    }

    fn row(&self, y: i32, z: i32, each: &mut dyn FnMut(Range<i32>)) {
        let offset = IVec3::new(0, y, z) - IVec3::new(0, self.centre.y, self.centre.z);
        let is_inside = |x: i32| self.distance(offset + IVec3::X * x) <= 1.0;
        if !is_inside(0) {
            return;
        }
        let mut half = ((1.0 - self.distance(offset)).sqrt() * (self.radii.x + 0.5)) as i32;
        // Corrects rounding errors of the square root.
        while is_inside(half + 1) {
            half += 1;
        }
        while !is_inside(half) {
            half -= 1;
        }
        each(self.centre.x - half..self.centre.x + half + 1);
    }

    fn extent(&self, area: Box3) -> Extent {
        let low = area.min - self.centre;
        let high = area.max - 1 - self.centre;
        let nearest = IVec3::ZERO.clamp(low, high);
        let farthest = low.abs().max(high.abs());
        if self.distance(nearest) > 1.0 {
            Extent::Nothing
        } else if self.distance(farthest) <= 1.0 {
            Extent::All
        } else {
            Extent::Part
        }
    }
}

/// An upright cylinder whose cross-section is an [`Ellipsoid`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cylinder {
    /// The voxel in the middle of the lowest layer.
    pub base: IVec3,
    /// Radii along x and z, in voxels.
    pub radii: [f64; 2],
    /// Number of layers.
    pub height: i32,
}

impl Cylinder {
    fn layer(&self) -> Ellipsoid {
        Ellipsoid { centre: self.base, radii: DVec3::new(self.radii[0], 0.0, self.radii[1]) }
    }
}

impl Shape for Cylinder {
    fn bounds(&self) -> Box3 {
        let layer = self.layer().bounds();
        Box3 { min: layer.min, max: layer.max.with_y(self.base.y.saturating_add(self.height)) }
    }

    fn row(&self, y: i32, z: i32, each: &mut dyn FnMut(Range<i32>)) {
        if (self.base.y..self.base.y.saturating_add(self.height)).contains(&y) {
            self.layer().row(self.base.y, z, each);
        }
    }

    fn extent(&self, area: Box3) -> Extent {
        let heights = self.bounds();
        if area.max.y <= heights.min.y || area.min.y >= heights.max.y {
            return Extent::Nothing;
        }
        let layer =
            Box3 { min: area.min.with_y(self.base.y), max: area.max.with_y(self.base.y + 1) };
        match self.layer().extent(layer) {
            Extent::All if area.min.y < heights.min.y || area.max.y > heights.max.y => Extent::Part,
            extent => extent,
        }
    }
}

/// An upright prism over a polygon: the voxels whose centre lies inside the polygon or on its
/// outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Prism {
    /// Corners of the polygon, as x and z of voxels. The polygon may cross itself; areas that it
    /// encloses an even number of times are outside.
    pub corners: Vec<IVec2>,
    /// Layers of the prism, as a range of y.
    pub layers: Range<i32>,
}

impl Prism {
    fn holds(&self, x: i32, z: i32) -> bool {
        let at = IVec2::new(x, z).as_i64vec2();
        let mut is_inside = false;
        for (i, &corner) in self.corners.iter().enumerate() {
            let a = corner.as_i64vec2();
            let b = self.corners[(i + 1) % self.corners.len()].as_i64vec2();
            let turn = (b - a).perp_dot(at - a);
            let low = a.min(b);
            let high = a.max(b);
            if turn == 0 && at.cmpge(low).all() && at.cmple(high).all() {
                return true;
            }
            let crosses = (a.y > at.y) != (b.y > at.y);
            is_inside ^= crosses && (turn > 0) == (b.y > a.y);
        }
        is_inside
    }
}

impl Shape for Prism {
    fn bounds(&self) -> Box3 {
        let mut low = IVec2::MAX;
        let mut high = IVec2::MIN;
        for &corner in &self.corners {
            low = low.min(corner);
            high = high.max(corner);
        }
        let Range { start, end } = self.layers;
        if self.corners.is_empty() {
            Box3 { min: IVec3::ZERO, max: IVec3::ZERO }
        } else {
            Box3 {
                min: IVec3::new(low.x, start, low.y),
                max: IVec3::new(high.x + 1, end, high.y + 1),
            }
        }
    }

    fn row(&self, y: i32, z: i32, each: &mut dyn FnMut(Range<i32>)) {
        let Box3 { min, max } = self.bounds();
        if !self.layers.contains(&y) {
            return;
        }
        let mut x = min.x;
        while x < max.x {
            let start = x;
            while x < max.x && self.holds(x, z) {
                x += 1;
            }
            if start < x {
                each(start..x);
            }
            x += 1;
        }
    }
}
