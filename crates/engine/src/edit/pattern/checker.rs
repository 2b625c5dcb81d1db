//! Patterns of alternating cubes.

use crate::voxel::Voxel;
use glam::IVec3;

/// Cubes of voxels that alternate along all three axes, like a chessboard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checker {
    /// Side of a cube, in voxels. Values below 1 count as 1.
    pub side: i32,
    /// Voxels in turn. If the list is empty, the pattern is air.
    pub voxels: Vec<Voxel>,
}

impl Checker {
    pub(super) fn at(&self, at: IVec3) -> Voxel {
        let cube: i64 =
            at.to_array().iter().map(|c| i64::from(c.div_euclid(self.side.max(1)))).sum();
        let turn = cube.checked_rem_euclid(self.voxels.len() as i64);
        turn.map_or(Voxel::AIR, |turn| self.voxels[turn as usize])
    }

    pub(super) fn equal_along_x(&self, at: IVec3) -> usize {
        let side = self.side.max(1);
        (side - at.x.rem_euclid(side)) as usize
    }
}
