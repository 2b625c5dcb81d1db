//! The baked sets of one chunk, for use in place of computed ones.

use super::baked_sets::{BakedCell, BakedSets};
use crate::visibility::bitset;
use crate::visibility::cell::Cell;
use crate::visibility::toroidal_index::ToroidalIndex;
use crate::voxel::ChunkPos;
use crate::world::view::in_reach;
use rustc_hash::FxHashSet;

/// The baked sets of the cells of one chunk, and the chunks that they account for.
#[derive(Clone, Debug)]
pub struct BakedChunk {
    pos: ChunkPos,
    sets: BakedSets,
    known: FxHashSet<ChunkPos>,
}

impl BakedChunk {
    /// Combines the sets of the chunk at `pos` with the `known` chunks: all chunks that existed
    /// when the sets were computed, except chunks of a set that have changed since. The sets say
    /// nothing about other chunks.
    #[must_use]
    pub fn new(
        pos: ChunkPos,
        sets: BakedSets,
        known: impl IntoIterator<Item = ChunkPos>,
    ) -> BakedChunk {
        BakedChunk { pos, sets, known: known.into_iter().collect() }
    }

    /// True if a change of these chunks may invalidate the sets: one of them is the cells' own
    /// chunk, or a set holds it.
    #[must_use]
    pub fn holds_any<'a>(&self, mut changed: impl Iterator<Item = &'a ChunkPos>) -> bool {
        changed.any(|at| {
            *at == self.pos || self.sets.contains_chunk(at.as_ivec3() - self.pos.as_ivec3())
        })
    }

    /// Removes from `chunks`, one bit per chunk slot, the known chunks that `cell` does not see.
    /// Returns false if there is no set for the cell.
    #[must_use]
    pub fn narrow(&self, cell: &Cell, index: &ToroidalIndex, chunks: &mut [u64]) -> bool {
        let name = BakedCell::from_cell(cell);
        let Some(row) = self.sets.cells().iter().position(|other| *other == name) else {
            return false;
        };
        let seen: FxHashSet<ChunkPos> =
            self.sets.seen_by(row).map(|(offset, _)| self.pos.offset(offset)).collect();
        let slots: Vec<usize> = bitset::members(chunks).collect();
        for slot in slots {
            let pos = index.position(slot);
            let in_view = in_reach(pos.as_ivec3() - self.pos.as_ivec3(), self.sets.view());
            if in_view && self.known.contains(&pos) && !seen.contains(&pos) {
                bitset::remove(chunks, slot);
            }
        }
        true
    }
}
