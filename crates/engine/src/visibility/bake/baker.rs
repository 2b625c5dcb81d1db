//! Computes the sets of all cells of a chunk.
//!
//! Work that cells share is done once. Everything hidden from the smallest box around a room is
//! hidden from all cells of the room, so hidden chunks and then hidden sections are removed for the
//! whole room first. Each cell then sweeps and removes whole chunks, the unit of drawing, with its
//! own, narrower shafts. So the sets of a room differ little in their sections, and compress well
//! together. `docs/visibility.md` has the figures.

use super::baked_sets::{BakedSets, MAX_VIEW};
use crate::visibility::bitset;
use crate::visibility::cell::Cell;
use crate::visibility::portal_graph::PortalGraph;
use crate::visibility::rooms::Rooms;
use crate::visibility::shafts::{Effort, Grain, refine_to};
use crate::visibility::sweep::Sweeper;
use crate::voxel::ChunkPos;
use glam::IVec3;

/// Effort for a room. All cells of the room start from the result.
const ROOM: Effort =
    Effort { first_lines: 16, first_shafts: 8, all_lines: 32, max_shafts: 200, strides: [16; 2] };
/// Effort for a cell, less than for a room: a cell sees most of what its room sees, and proving
/// that would be the most expensive part.
const CELL: Effort =
    Effort { first_lines: 16, first_shafts: 12, all_lines: 32, max_shafts: 100, strides: [8; 2] };

/// Bakes chunks and reuses its memory. Each thread needs its own.
pub struct Baker {
    sweeper: Sweeper,
    view: i32,
}

impl Baker {
    /// Creates a baker for a view distance in chunks, which is clamped to 1 to [`MAX_VIEW`].
    #[must_use]
    pub fn new(view: i32) -> Baker {
        Baker { sweeper: Sweeper::default(), view: view.clamp(1, MAX_VIEW) }
    }

    /// Computes what the cells of the chunk at `pos` see, in the order of [`Rooms::cells`]. `graph`
    /// must contain all chunks of the world that are in view. A straight line between two of them
    /// does not leave the graph's box, so chunks outside the box block no line.
    #[must_use]
    pub fn bake(&mut self, graph: &PortalGraph, pos: ChunkPos) -> BakedSets {
        let Some(home) = graph.index().slot(pos) else { return BakedSets::new(self.view, &[]) };
        let rooms = &graph.occlusion().chunk(home).rooms;
        let mut sets: Vec<(Cell, Vec<(IVec3, u8)>)> = Vec::with_capacity(rooms.cells().len());
        for (room, whole) in rooms_as_cells(rooms).iter().enumerate() {
            let refined =
                |open: &[u64], grain| refine_to(graph.occlusion(), pos, whole, open, grain, ROOM);
            let chunks =
                refined(&self.sweeper.sweep(graph, pos, whole, self.view).chunks, Grain::Chunks);
            let sections = refined(&sections_of(&chunks), Grain::Sections);
            for cell in rooms.cells().iter().filter(|cell| usize::from(cell.room) == room) {
                let seen = if cell.lo == whole.lo && cell.hi == whole.hi {
                    sections.clone()
                } else {
                    let swept = &self.sweeper.sweep(graph, pos, cell, self.view).chunks;
                    let open: Vec<u64> =
                        swept.iter().zip(chunks_of(&sections)).map(|(a, b)| a & b).collect();
                    let seen = sections_of(&refine_to(
                        graph.occlusion(),
                        pos,
                        cell,
                        &open,
                        Grain::Chunks,
                        CELL,
                    ));
                    seen.iter().zip(&sections).map(|(a, b)| a & b).collect()
                };
                sets.push((*cell, by_chunk(graph, pos, &seen)));
            }
        }
        // The order of cells is by section, then by room.
        sets.sort_by_key(|(cell, _)| (cell.section, cell.room));
        BakedSets::new(self.view, &sets)
    }
}

/// One cell per room: the smallest box around all cells of the room.
fn rooms_as_cells(rooms: &Rooms) -> Vec<Cell> {
    let mut cells: Vec<Cell> = (0..rooms.rooms().len())
        .map(|room| Cell { room: room as u8, section: 0, lo: [u8::MAX; 3], hi: [0; 3] })
        .collect();
    for cell in rooms.cells() {
        let whole = &mut cells[usize::from(cell.room)];
        for axis in 0..3 {
            whole.lo[axis] = whole.lo[axis].min(cell.lo[axis]);
            whole.hi[axis] = whole.hi[axis].max(cell.hi[axis]);
        }
    }
    cells
}

/// All sections of a set of chunks: one byte per slot.
fn sections_of(chunks: &[u64]) -> Vec<u64> {
    let mut sections = vec![0; chunks.len() * 8];
    for slot in bitset::members(chunks) {
        sections[slot / 8] |= 0xFF << (slot % 8 * 8);
    }
    sections
}

/// The chunks with a visible section: one bit per slot.
fn chunks_of(sections: &[u64]) -> Vec<u64> {
    let eight = |sections: &[u64]| {
        let bytes = sections.iter().flat_map(|word| word.to_le_bytes()).enumerate();
        bytes.fold(0, |chunks, (i, bits)| chunks | u64::from(bits != 0) << i)
    };
    sections.chunks(8).map(eight).collect()
}

/// The chunks with a visible section, as offsets from the chunk at `pos`, and their visible
/// sections, one bit each.
fn by_chunk(graph: &PortalGraph, pos: ChunkPos, sections: &[u64]) -> Vec<(IVec3, u8)> {
    let bytes = sections.iter().flat_map(|word| word.to_le_bytes()).enumerate();
    let seen = bytes.filter(|(_, bits)| *bits != 0);
    seen.map(|(slot, bits)| (graph.index().position(slot).as_ivec3() - pos.as_ivec3(), bits))
        .collect()
}
