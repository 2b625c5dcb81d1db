//! What a map has baked of a chunk, in the place of what would have to be computed.

use super::Sets;
use crate::visibility::{Cell, Places, bits};
use crate::voxel::ChunkPos;
use crate::world::view::in_reach;
use rustc_hash::FxHashSet;

/// The sets of the cells of one chunk, and what they are about.
#[derive(Clone, Debug)]
pub struct Baked {
    pos: ChunkPos,
    sets: Sets,
    there: FxHashSet<ChunkPos>,
}

impl Baked {
    /// Of the chunk at `pos`; the chunks `there` were when the sets were computed, and are as they were then where a set
    /// holds them. About any other chunk nothing is known.
    #[must_use]
    pub fn new(pos: ChunkPos, sets: Sets, there: impl IntoIterator<Item = ChunkPos>) -> Baked {
        Baked { pos, sets, there: there.into_iter().collect() }
    }

    /// True if the sets may be wrong since these chunks changed: they are the cells' own, or one of them is held.
    #[must_use]
    pub fn hold_any<'a>(&self, mut changed: impl Iterator<Item = &'a ChunkPos>) -> bool {
        changed.any(|at| *at == self.pos || self.sets.hold(at.as_ivec3() - self.pos.as_ivec3()))
    }

    /// Takes the chunks out of `chunks`, a bit for each by place, that a cell of the chunk does not see; false if nothing is
    /// known of the cell.
    #[must_use]
    pub fn narrow(&self, cell: &Cell, places: &Places, chunks: &mut [u64]) -> bool {
        let section = if *cell == Cell::OPEN { Sets::WHOLE } else { cell.section };
        let Some(row) = self.sets.cells().iter().position(|name| *name == [cell.room, section]) else { return false };
        let seen: FxHashSet<ChunkPos> = self.sets.of(row).map(|(offset, _)| self.pos.offset(offset)).collect();
        let all: Vec<usize> = bits::members(chunks).collect();
        for index in all {
            let pos = places.position(index);
            let in_view = in_reach(pos.as_ivec3() - self.pos.as_ivec3(), self.sets.view());
            if in_view && self.there.contains(&pos) && !seen.contains(&pos) {
                bits::take(chunks, index);
            }
        }
        true
    }
}
