//! Conversion between the run trees of regions and bits.
//!
//! Run trees are read into words of 32 voxels, combined by AND, OR, XOR and shifts, and converted
//! back.

use super::chunk_bits::ChunkBits;
use crate::bits::set_bits;
use crate::runs::bit_rows::{AREA, RowToggles};
use crate::runs::{RunBuilder, RunTree};
use crate::voxel::{CHUNK_SIDE, CHUNK_VOLUME, Voxel};
use std::ops::Range;

/// Value of voxels in a region; all other voxels are air.
pub(super) const INSIDE: Voxel = Voxel::full(1);
/// Rows per chunk along x.
pub(in crate::edit) const ROWS: usize = AREA;
/// Voxels per row, and rows per layer.
pub(in crate::edit) const SIDE: usize = CHUNK_SIDE as usize;

impl ChunkBits {
    /// Set of the voxels that `accepts` accepts. `accepts` is called once per palette entry.
    pub(in crate::edit) fn from_tree(
        tree: &RunTree,
        accepts: impl FnMut(Voxel) -> bool,
    ) -> ChunkBits {
        let mut bits = ChunkBits::empty();
        read_layers(tree, 0..SIDE, accepts, bits.rows_mut());
        bits
    }

    /// Converts the set to a tree of [`INSIDE`] and air.
    pub(in crate::edit) fn to_tree(&self) -> RunTree {
        let first = self.rows()[0] & 1;
        let mut builder = RunBuilder::with_palette(vec![Voxel::AIR, INSIDE]);
        builder.push_code(0, first as u16);
        let mut before = first;
        for (row, &word) in self.rows().iter().enumerate() {
            // Bits that differ from the bit before.
            let edges = word ^ (word << 1 | before);
            for x in set_bits(edges) {
                builder.push_code((row * SIDE) as u16 | x as u16, (word >> x & 1) as u16);
            }
            before = word >> (SIDE - 1);
        }
        builder.finish()
    }
}

/// Reads whole layers of a chunk into `rows`, one word per row, with the bits of accepted voxels
/// set.
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

/// True if a region's tree contains every voxel of its chunk.
pub(in crate::edit) fn is_full(tree: &RunTree) -> bool {
    tree.as_uniform() == Some(INSIDE)
}

/// True if a region's tree contains no voxel of its chunk.
pub(in crate::edit) fn is_empty(tree: &RunTree) -> bool {
    tree.as_uniform() == Some(Voxel::AIR)
}

/// Converts a region's tree to bits.
pub(in crate::edit) fn region_bits(tree: &RunTree) -> ChunkBits {
    ChunkBits::from_tree(tree, |voxel| voxel == INSIDE)
}

const _: () = assert!(ROWS * SIDE == CHUNK_VOLUME);
