//! The rival's clipboard: an array of the copied box.

use super::flat_box::FlatBox;
use crate::input::VoxelId;
use glam::IVec3;
use rayon::prelude::*;
use stonerun_engine::voxel::Box3;

/// Side of the squares by which a plane is turned. The rows of both squares stay in the first-level
/// cache.
const TILE: usize = 32;

impl FlatBox {
    /// Copies a box row by row.
    pub fn copy(&self, source: Box3, clipboard: &mut [VoxelId]) {
        let side = source.size().x as usize;
        clipboard.par_chunks_mut(side * side).enumerate().for_each(|(y, plane)| {
            for (z, row) in plane.chunks_mut(side).enumerate() {
                let at = source.min - self.area.min + IVec3::new(0, y as i32, z as i32);
                row.copy_from_slice(&self.voxels[self.row(at, side)]);
            }
        });
    }

    /// Pastes a cube with its lowest corner at `to`, row by row.
    pub fn paste(&mut self, clipboard: &[VoxelId], side: usize, to: IVec3) {
        self.for_each_plane(clipboard, side, to, |row_start, rows, plane, row_len| {
            for (row, from) in rows.chunks_mut(row_len).zip(plane.chunks(side)) {
                row[row_start..row_start + side].copy_from_slice(from);
            }
        });
    }

    /// Pastes a cube turned by 90 degrees about +y, square by square: +x becomes -z, and +z becomes
    /// +x.
    pub fn paste_turned(&mut self, clipboard: &[VoxelId], side: usize, to: IVec3) {
        self.for_each_plane(clipboard, side, to, |row_start, rows, plane, row_len| {
            for first_z in (0..side).step_by(TILE) {
                for first_x in (0..side).step_by(TILE) {
                    for z in first_z..(first_z + TILE).min(side) {
                        let row = &mut rows[z * row_len + row_start..][..side];
                        // The row gets a column of the source, in the order of rising z.
                        let column = side - 1 - z;
                        let end = (first_x + TILE).min(side);
                        for (x, voxel) in row[first_x..end].iter_mut().enumerate() {
                            *voxel = plane[(first_x + x) * side + column];
                        }
                    }
                }
            }
        });
    }

    /// Calls `paste` for each plane of a cube with four arguments: the index in the box's rows
    /// where the cube begins, the rows of the box that the plane meets, the plane, and the length
    /// of a row of the box.
    fn for_each_plane(
        &mut self,
        clipboard: &[VoxelId],
        side: usize,
        to: IVec3,
        paste: impl Fn(usize, &mut [VoxelId], &[VoxelId], usize) + Sync,
    ) {
        let at = (to - self.area.min).as_usizevec3();
        let row_len = self.side;
        let planes = self.voxels.par_chunks_mut(row_len * row_len).skip(at.y);
        planes.zip(clipboard.par_chunks(side * side)).for_each(|(target, plane)| {
            paste(at.x, &mut target[at.z * row_len..][..side * row_len], plane, row_len);
        });
    }
}
