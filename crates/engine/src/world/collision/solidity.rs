//! Solidity of voxels.

use crate::voxel::{Face, JoinedForms, Joint, MaterialTable, ShapeBox, SolidBoxes, Voxel};

/// Part of a voxel that stops bodies.
#[derive(Clone, Copy, Debug)]
pub enum SolidPart {
    /// The whole voxel up to a height: 0 if bodies pass through it, 1 for a full block.
    UpTo(f64),
    /// Boxes within the voxel.
    Boxes(&'static [ShapeBox]),
    /// The boxes of the form that joins to its neighbours.
    Joined(&'static JoinedForms),
}

/// Decides which voxels stop bodies.
pub trait Solidity {
    /// Part of `voxel` that is solid, as boxes. Smooth ground has none.
    fn solid_part(&self, voxel: Voxel) -> SolidPart;

    /// True if a shape that joins as `joint` does joins to the side `side` of `voxel`. Without an
    /// implementation nothing joins.
    fn joins(&self, _voxel: Voxel, _side: Face, _joint: Joint) -> bool {
        false
    }
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
        let row = material.shape.row();
        if let Some(joined) = row.joined {
            return SolidPart::Joined(joined);
        }
        match row.solid {
            SolidBoxes::Boxes(boxes) => SolidPart::Boxes(boxes),
            SolidBoxes::Filled => {
                SolidPart::UpTo(f64::from(material.box_height(voxel.occupancy())))
            }
        }
    }

    fn joins(&self, voxel: Voxel, side: Face, joint: Joint) -> bool {
        self.get(voxel.material()).is_some_and(|material| material.joins(voxel, side, joint))
    }
}
