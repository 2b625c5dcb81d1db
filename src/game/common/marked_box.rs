//! The box that the player marks by two corners, for exports.

use crate::voxel::Box3;
use bevy::prelude::Resource;
use glam::IVec3;

/// A corner of the marked box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoxCorner {
    /// The first one.
    First,
    /// The opposite one.
    Second,
}

/// The corners that the player has marked in the open map.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MarkedBox {
    corners: [Option<IVec3>; 2],
}

impl MarkedBox {
    /// Marks a corner at voxel `at`, or removes it if it is there already.
    pub fn mark(&mut self, corner: BoxCorner, at: IVec3) {
        let marked = &mut self.corners[corner as usize];
        *marked = if *marked == Some(at) { None } else { Some(at) };
    }

    /// The box between both corners.
    #[must_use]
    pub fn area(&self) -> Option<Box3> {
        let [first, second] = self.corners;
        Some(Box3::spanning(first?, second?))
    }

    /// The box around the corners that are marked, also if it is only one.
    #[must_use]
    pub fn outline(&self) -> Option<Box3> {
        let [first, second] = self.corners;
        Some(Box3::spanning(first.or(second)?, second.or(first)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn box_spans_both_corners_and_marking_again_removes_one() {
        let mut marked = MarkedBox::default();
        assert_eq!((marked.area(), marked.outline()), (None, None));
        marked.mark(BoxCorner::Second, IVec3::new(4, -1, 7));
        let voxel = Box3 { min: IVec3::new(4, -1, 7), max: IVec3::new(5, 0, 8) };
        assert_eq!((marked.area(), marked.outline()), (None, Some(voxel)));
        marked.mark(BoxCorner::First, IVec3::new(5, 2, 7));
        let area = Box3 { min: IVec3::new(4, -1, 7), max: IVec3::new(6, 3, 8) };
        assert_eq!((marked.area(), marked.outline()), (Some(area), Some(area)));
        marked.mark(BoxCorner::Second, IVec3::new(4, -1, 7));
        assert_eq!(marked.area(), None);
    }
}
