//! The rivals: the stores that the texts compare, each as good as its admirers would make it, behind one trait.
//!
//! One model test (`tests.rs`) holds all of them, ours too, against a plain array. What can be done in the same way by
//! several of them (counting a row's faces, counting faces of runs) is done by the same code.

mod btree;
mod faces;
mod flat;
mod histogram;
mod octree;
mod ours;
mod palette;
mod row_packed;
mod run_faces;
mod virtual_array;

pub use btree::{Btree, node_bytes};
pub use flat::Flat;
pub use octree::Octree;
pub use ours::Ours;
pub use palette::Palette;
pub use row_packed::RowPacked;
pub use virtual_array::VirtualArray;

use super::input::{Input, Value};
use glam::IVec3;

/// A store of voxels, each a number. What it was not given is air, 0.
pub trait Store: Sized {
    /// Its name in the tables.
    const NAME: &str;

    /// Holds `input`. None where that would take more memory than is sensible.
    fn build(input: &Input) -> Option<Self>;

    /// The value at `at`, in voxels.
    fn get(&self, at: IVec3) -> Value;

    /// Sets the value at `at`, which lies in a chunk that the input had.
    fn set(&mut self, at: IVec3, value: Value);

    /// Adds to `counts`, by value, how many voxels of the input's box have it: iteration of radius 0. Voxels of chunks
    /// that the input did not have may be left out; they are air.
    fn count_values(&self, counts: &mut [u64]);

    /// Adds to `counts`, by value, how many faces of such voxels border on air: iteration of radius 1. Air has none.
    /// Outside the input's box is air.
    fn count_faces(&self, counts: &mut [u64]);

    /// Bytes on the heap.
    fn heap_bytes(&self) -> usize;
}

#[cfg(test)]
mod tests;
