//! Conversion of the trees of regions into bits and back.
//!
//! Run trees are read into words of 32 voxels, combined by AND, OR, XOR and shifts, and written
//! back.

use super::chunk_bits::ChunkBits;
use crate::bits::set_bits;
use crate::runs::bit_rows::{AREA, RowToggles};
use crate::runs::{RunBuilder, RunTree};
use crate::voxel::{CHUNK_SIDE, CHUNK_VOLUME, Voxel};
use std::ops::Range;

/// The value of voxels in a region; the others are air.
pub(super) const INSIDE: Voxel = Voxel::full(1);
/// Rows along x of a chunk.
pub(in crate::edit) const ROWS: usize = AREA;
/// Voxels in a row, and rows in a layer.
pub(in crate::edit) const SIDE: usize = CHUNK_SIDE as usize;

impl ChunkBits {
    /// The bits of the voxels that `accepts` accepts. It is called once per voxel of the palette.
    pub(in crate::edit) fn from_tree(
        tree: &RunTree,
        accepts: impl FnMut(Voxel) -> bool,
    ) -> ChunkBits {
        let mut bits = ChunkBits::empty();
        read_layers(tree, 0..SIDE, accepts, bits.rows_mut());
        bits
    }

    /// The set bits as a tree of two values.
    pub(in crate::edit) fn to_tree(&self) -> RunTree {
        let first = self.rows()[0] & 1;
        let mut builder = RunBuilder::with_palette(vec![Voxel::AIR, INSIDE]);
        builder.push_code(0, first as u16);
        let mut before = first;
        for (row, &word) in self.rows().iter().enumerate() {
            // Bits that differ from the bit before them.
            let edges = word ^ (word << 1 | before);
            for x in set_bits(edges) {
                builder.push_code((row * SIDE) as u16 | x as u16, (word >> x & 1) as u16);
            }
            before = word >> (SIDE - 1);
        }
        builder.finish()
    }
}

/// Reads the bits of whole layers of a chunk into `rows`, one word for each row.
pub(super) fn read_layers(
    tree: &RunTree,
    layers: Range<usize>,
    mut accepts: impl FnMut(Voxel) -> bool,
    rows: &mut [u32],
) {
    let lane = |is_accepted: bool| if is_accepted { u32::MAX } else { 0 };
    if let Some(voxel) = tree.as_uniform() {
        return rows.fill(lane(accepts(voxel)));
    }
    let lanes: Vec<u32> = tree.values().map(|voxel| lane(accepts(voxel))).collect();
    let mut buffer = [0; ROWS + 1];
    let lowest = layers.start * AREA;
    let toggles = RowToggles::<1>::new(&mut buffer, layers.len() * SIDE);
    let toggles = tree.fold_starts(layers, toggles, |toggles, run| {
        toggles.start(usize::from(run.start) - lowest, [lanes[usize::from(run.code)]])
    });
    toggles.finish(|row, [word]| rows[row] = word);
}

/// True if the tree of a region holds every voxel of its chunk.
pub(in crate::edit) fn is_full(tree: &RunTree) -> bool {
    tree.as_uniform() == Some(INSIDE)
}

/// True if the tree of a region holds no voxel of its chunk.
pub(in crate::edit) fn is_empty(tree: &RunTree) -> bool {
    tree.as_uniform() == Some(Voxel::AIR)
}

/// The tree of a region as bits.
pub(in crate::edit) fn region_bits(tree: &RunTree) -> ChunkBits {
    ChunkBits::from_tree(tree, |voxel| voxel == INSIDE)
}

const _: () = assert!(ROWS * SIDE == CHUNK_VOLUME);
