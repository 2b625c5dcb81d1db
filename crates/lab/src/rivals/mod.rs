//! The stores that the texts compare, each well optimised, and the run tree, behind one trait.
//!
//! The test in `tests.rs` compares all stores with a plain array. Stores share the code that counts
//! faces, either of rows or of runs.

mod flat_array;
mod histogram;
mod interval_tree;
mod octree;
mod palette;
mod row_faces;
mod row_packed;
mod run_faces;
mod run_tree;
mod virtual_array;

pub use flat_array::FlatArray;
pub use interval_tree::{IntervalTree, btree_node_bytes};
pub use octree::Octree;
pub use palette::PaletteStore;
pub use row_packed::RowPacked;
pub use run_tree::RunTreeStore;
pub use virtual_array::VirtualArray;

use super::input::{NumberedWorld, VoxelId};
use glam::IVec3;

/// A store of numbered voxels. Voxels outside the input are air.
pub trait Store: Sized {
    /// Name in the tables.
    const NAME: &str;

    /// Stores `input`; `None` if the store would need too much memory.
    fn build(input: &NumberedWorld) -> Option<Self>;

    /// The ID at a position, in voxels.
    fn get(&self, position: IVec3) -> VoxelId;

    /// Sets the ID at a position, which must lie in a chunk of the input.
    fn set(&mut self, position: IVec3, id: VoxelId);

    /// Adds the number of voxels of each ID to `counts`, which is iteration of radius 0 over the
    /// input's box. Chunks that the input lacks are air and may be left out.
    fn count_voxels(&self, counts: &mut [u64]);

    /// Adds the number of faces towards air to `counts`, for the voxels of each ID, which is
    /// iteration of radius 1. Air has no faces; everything outside the input's box is air.
    fn count_faces(&self, counts: &mut [u64]);

    /// Heap memory of the store, in bytes.
    fn heap_bytes(&self) -> usize;
}

#[cfg(test)]
mod tests;
