//! Iteration over the solid boxes of a box of voxels.

use super::aabb::Aabb;
use super::solidity::{SolidPart, Solidity};
use crate::voxel::{JoinedForms, ShapeBox, SolidBoxes};
use crate::world::World;
use glam::{DVec3, IVec3};

/// Iterator over the solid boxes of a box of voxels, x fastest, then z, then y.
///
/// A single iterator covers all three axes: nested iterators with a list of boxes per voxel take
/// three times as long.
pub(super) struct SolidBoxWalk<'a, S> {
    world: &'a World,
    solidity: &'a S,
    lo: IVec3,
    hi: IVec3,
    /// Next voxel.
    at: IVec3,
    /// Lowest corner of the voxel whose boxes are being returned.
    corner: DVec3,
    /// Boxes of the voxel at `corner` that are not yet returned.
    boxes: &'static [ShapeBox],
}

impl<'a, S: Solidity> SolidBoxWalk<'a, S> {
    /// Starts with the voxels from `lo` to `hi`, both included.
    pub fn new(world: &'a World, solidity: &'a S, lo: IVec3, hi: IVec3) -> SolidBoxWalk<'a, S> {
        let mut walk =
            SolidBoxWalk { world, solidity, lo, hi, at: lo, corner: DVec3::ZERO, boxes: &[] };
        if lo.cmpgt(hi).any() {
            // The box contains no voxel, so the walk starts at its end.
            walk.at.y = hi.y.saturating_add(1);
        }
        walk
    }

    /// The boxes of a shape that joins to its neighbours.
    fn joined_boxes(&self, joined: &JoinedForms, at: IVec3) -> &'static [ShapeBox] {
        let row = joined.row(|side| {
            let neighbour = self.world.get(at + side.normal());
            self.solidity.joins(neighbour, side.opposite(), joined.joint)
        });
        match row.solid {
            SolidBoxes::Boxes(boxes) => boxes,
            // Shapes that join are made of boxes.
            SolidBoxes::Filled => &[],
        }
    }

    /// Advances to the next voxel and returns the current one; `None` at the end.
    #[inline]
    fn next_voxel(&mut self) -> Option<IVec3> {
        if self.at.y > self.hi.y {
            return None;
        }
        let at = self.at;
        self.at.x += 1;
        if self.at.x > self.hi.x {
            self.at.x = self.lo.x;
            self.at.z += 1;
        }
        if self.at.z > self.hi.z {
            self.at.z = self.lo.z;
            self.at.y += 1;
        }
        Some(at)
    }
}

impl<S: Solidity> Iterator for SolidBoxWalk<'_, S> {
    type Item = Aabb;

    #[inline]
    fn next(&mut self) -> Option<Aabb> {
        loop {
            if let Some((first, rest)) = self.boxes.split_first() {
                self.boxes = rest;
                let [low, high] = first.corners();
                return Some(Aabb { min: self.corner + low, max: self.corner + high });
            }
            let at = self.next_voxel()?;
            let min = at.as_dvec3();
            match self.solidity.solid_part(self.world.get(at)) {
                SolidPart::UpTo(height) if height > 0.0 => {
                    return Some(Aabb { min, max: min + DVec3::new(1.0, height, 1.0) });
                }
                SolidPart::UpTo(_) => {}
                SolidPart::Boxes(boxes) => {
                    self.corner = min;
                    self.boxes = boxes;
                }
                SolidPart::Joined(joined) => {
                    self.corner = min;
                    self.boxes = self.joined_boxes(joined, at);
                }
            }
        }
    }
}
