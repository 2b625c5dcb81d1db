//! Axis-aligned boxes of bodies.

use crate::voxel::WORLD_LIMIT;
use glam::{DVec3, IVec3};

/// An axis-aligned box in world coordinates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Aabb {
    /// Lowest corner.
    pub min: DVec3,
    /// Highest corner.
    pub max: DVec3,
}

impl Aabb {
    /// The box moved by `by`.
    #[must_use]
    pub(crate) fn translated(self, by: DVec3) -> Aabb {
        Aabb { min: self.min + by, max: self.max + by }
    }

    /// The smallest box around this box and the same box moved by `by`.
    #[must_use]
    pub(crate) fn swept(self, by: DVec3) -> Aabb {
        Aabb { min: self.min + by.min(DVec3::ZERO), max: self.max + by.max(DVec3::ZERO) }
    }

    /// True if the interiors of the two boxes intersect.
    #[must_use]
    pub fn overlaps(self, other: Aabb) -> bool {
        self.min.cmplt(other.max).all() && other.min.cmplt(self.max).all()
    }

    /// True if the box lies within [`WORLD_LIMIT`]; false if any component is NaN.
    pub(super) fn in_world(self) -> bool {
        let limit = DVec3::splat(f64::from(WORLD_LIMIT));
        self.min.cmpge(-limit).all() && self.max.cmple(limit).all()
    }

    /// First and last voxel that the interior of the box touches.
    pub(super) fn voxels(self) -> (IVec3, IVec3) {
        (self.min.floor().as_ivec3(), (self.max.ceil() - 1.0).as_ivec3())
    }
}
