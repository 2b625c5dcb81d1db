//! Which voxels stop bodies.

use super::aabb::Aabb;
use crate::voxel::{MaterialTable, ShapeBox, SolidBoxes, Voxel};
use glam::DVec3;

/// Part of a voxel that stops bodies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SolidPart {
    /// All of it up to a height: 0 if bodies pass through it, 1 for a full block.
    UpTo(f64),
    /// These boxes.
    Boxes(&'static [ShapeBox]),
}

impl SolidPart {
    /// The solid boxes of a voxel with this lowest corner.
    pub(super) fn boxes(self, corner: DVec3) -> PartBoxes {
        match self {
            SolidPart::UpTo(height) => PartBoxes { corner, height, boxes: [].iter() },
            SolidPart::Boxes(boxes) => PartBoxes { corner, height: 0.0, boxes: boxes.iter() },
        }
    }
}

/// The boxes of a [`SolidPart`] in the world.
pub(super) struct PartBoxes {
    corner: DVec3,
    /// Height of a box over the whole floor; 0 if there is none, or none any more.
    height: f64,
    boxes: std::slice::Iter<'static, ShapeBox>,
}

impl Iterator for PartBoxes {
    type Item = Aabb;

    #[inline]
    fn next(&mut self) -> Option<Aabb> {
        if self.height > 0.0 {
            let max = self.corner + DVec3::new(1.0, self.height, 1.0);
            self.height = 0.0;
            return Some(Aabb { min: self.corner, max });
        }
        let [low, high] = self.boxes.next()?.corners();
        Some(Aabb { min: self.corner + low, max: self.corner + high })
    }
}

/// Decides which voxels stop bodies.
pub trait Solidity {
    /// Part of `voxel` that is solid.
    fn solid_part(&self, voxel: Voxel) -> SolidPart;
}

impl Solidity for MaterialTable {
    fn solid_part(&self, voxel: Voxel) -> SolidPart {
        if voxel == Voxel::NOT_LOADED {
            return SolidPart::UpTo(1.0);
        }
        // Unknown materials are solid.
        let Some(material) = self.get(voxel.material()) else { return SolidPart::UpTo(f64::from(voxel.fill())) };
        if !material.is_solid() {
            return SolidPart::UpTo(0.0);
        }
        match material.shape.row().solid {
            SolidBoxes::Boxes(boxes) => SolidPart::Boxes(boxes),
            SolidBoxes::Filled => SolidPart::UpTo(f64::from(material.box_height(voxel.occupancy()))),
        }
    }
}
