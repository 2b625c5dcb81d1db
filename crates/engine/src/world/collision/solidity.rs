//! Solidity of voxels.

use crate::voxel::{MaterialTable, ShapeBox, SolidBoxes, Voxel};

/// Part of a voxel that stops bodies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SolidPart {
    /// The whole voxel up to a height: 0 if bodies pass through it, 1 for a full block.
    UpTo(f64),
    /// Boxes within the voxel.
    Boxes(&'static [ShapeBox]),
}

/// Decides which voxels stop bodies.
pub trait Solidity {
    /// Part of `voxel` that is solid, as boxes. Smooth ground has none.
    fn solid_part(&self, voxel: Voxel) -> SolidPart;
}

impl Solidity for MaterialTable {
    fn solid_part(&self, voxel: Voxel) -> SolidPart {
        if voxel == Voxel::NOT_LOADED {
            return SolidPart::UpTo(1.0);
        }
        // Unknown materials are solid.
        let Some(material) = self.get(voxel.material()) else {
            return SolidPart::UpTo(f64::from(voxel.fill()));
        };
        // Bodies meet smooth ground at its surface, see `GroundNearby`.
        if !material.is_solid() || material.is_smooth() {
            return SolidPart::UpTo(0.0);
        }
        match material.shape.row().solid {
            SolidBoxes::Boxes(boxes) => SolidPart::Boxes(boxes),
            SolidBoxes::Filled => {
                SolidPart::UpTo(f64::from(material.box_height(voxel.occupancy())))
            }
        }
    }
}
