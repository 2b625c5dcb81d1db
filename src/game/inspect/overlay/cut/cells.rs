//! The cells of a cut through a chunk: 32 rows of 32 voxels of one layer.

use crate::game::state::cutaway::{CutAxis, CutPlane};
use bevy::prelude::{IVec3, Vec3};
use stonerun_engine::voxel::{CHUNK_SIDE, ChunkPos, linear_index, local};

/// Number of cells along one side of the cut through a chunk.
pub const SIDE: usize = CHUNK_SIDE as usize;
/// Number of cells of the cut through a chunk.
pub const CELLS: usize = SIDE * SIDE;

/// The layer of a chunk that a cut shows.
///
/// Rows go up, or south on a level cut. Columns go east, or south on a cut across x. With these
/// directions, linear indices increase from cell to cell and from row to row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChunkLayer {
    plane: CutPlane,
    /// Coordinate of the layer in the chunk, 0 to 31.
    depth: i32,
}

impl ChunkLayer {
    /// The layer of all chunks that `plane` crosses.
    #[must_use]
    pub fn new(plane: CutPlane) -> ChunkLayer {
        ChunkLayer { plane, depth: local(IVec3::splat(plane.layer)).x }
    }

    /// Offset in the chunk of a cell.
    #[must_use]
    pub fn offset(self, column: i32, row: i32) -> IVec3 {
        match self.plane.axis {
            CutAxis::X => IVec3::new(self.depth, row, column),
            CutAxis::Y => IVec3::new(column, self.depth, row),
            CutAxis::Z => IVec3::new(column, row, self.depth),
        }
    }

    /// The cell of a voxel of the layer: column and row.
    #[must_use]
    pub fn cell(self, voxel: IVec3) -> [i32; 2] {
        let offset = local(voxel);
        match self.plane.axis {
            CutAxis::X => [offset.z, offset.y],
            CutAxis::Y => [offset.x, offset.z],
            CutAxis::Z => [offset.x, offset.y],
        }
    }

    /// Linear indices of the cells, row by row, in ascending order.
    pub fn indices(self) -> impl Iterator<Item = usize> {
        (0..CELLS)
            .map(move |cell| linear_index(self.offset((cell % SIDE) as i32, (cell / SIDE) as i32)))
    }

    /// Position of a corner of a cell, relative to the chunk's lowest corner: on the plane, moved
    /// `raised` voxels towards the eye.
    #[must_use]
    pub fn corner(self, column: f32, row: f32, raised: f32) -> Vec3 {
        let depth =
            self.depth as f32 + if self.plane.is_seen_from_above { 1.0 + raised } else { -raised };
        match self.plane.axis {
            CutAxis::X => Vec3::new(depth, row, column),
            CutAxis::Y => Vec3::new(column, depth, row),
            CutAxis::Z => Vec3::new(column, row, depth),
        }
    }

    /// The chunks that the plane crosses, within `reach` chunks of `centre` horizontally and `up`
    /// chunks vertically.
    pub fn chunks(self, centre: ChunkPos, reach: i32, up: i32) -> impl Iterator<Item = ChunkPos> {
        let layer = ChunkPos::containing(IVec3::splat(self.plane.layer)).as_ivec3().x;
        let axis = self.plane.axis as usize;
        let mut half = IVec3::new(reach, up, reach);
        half[axis] = 0;
        let mut centre = centre.as_ivec3();
        centre[axis] = layer;
        let low = centre - half;
        let size = 2 * half + 1;
        (0..size.element_product()).map(move |number| {
            let offset =
                IVec3::new(number % size.x, number / size.x % size.y, number / (size.x * size.y));
            let at = low + offset;
            ChunkPos::new(at.x, at.y, at.z)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn planes() -> impl Iterator<Item = CutPlane> {
        [CutAxis::X, CutAxis::Y, CutAxis::Z].into_iter().flat_map(|axis| {
            [-1000.0, 1000.0].map(|eye| CutPlane::seen_from(axis, -27, DVec3::splat(eye)))
        })
    }

    #[test]
    fn cells_are_the_voxels_of_the_layer_in_linear_order() {
        for plane in planes() {
            let layer = ChunkLayer::new(plane);
            let indices: Vec<usize> = layer.indices().collect();
            assert!(indices.is_sorted() && indices.len() == CELLS);
            for index in indices {
                let offset = stonerun_engine::voxel::linear_offset(index);
                assert_eq!(offset[plane.axis as usize], 5);
                let [column, row] = layer.cell(offset - 32);
                assert_eq!(layer.offset(column, row), offset);
            }
        }
    }

    #[test]
    fn corners_lie_on_the_seen_side() {
        for plane in planes() {
            let layer = ChunkLayer::new(plane);
            let at = layer.corner(3.0, 7.0, 0.0)[plane.axis as usize];
            assert_eq!(f64::from(at) - 32.0, plane.coordinate(), "{plane}");
            let raised = layer.corner(3.0, 7.0, 0.1)[plane.axis as usize];
            assert_eq!(raised > at, plane.is_seen_from_above);
        }
    }

    #[test]
    fn chunks_of_the_cut_surround_the_centre() {
        for plane in planes() {
            let all: Vec<ChunkPos> =
                ChunkLayer::new(plane).chunks(ChunkPos::new(4, 1, 2), 2, 1).collect();
            assert_eq!(all.len(), if plane.axis == CutAxis::Y { 25 } else { 15 });
            assert!(all.iter().all(|pos| pos.as_ivec3()[plane.axis as usize] == -1));
        }
    }
}
