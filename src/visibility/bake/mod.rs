//! Baking: what every cell of a finite world sees, as sections of 16^3 voxels.
//!
//! Work that cells have in common is done once for all of them: what cannot be seen from the smallest box around a room of a
//! chunk is hidden from all its cells, first by chunks, then by sections. Each cell then sweeps, and takes out with its own,
//! narrower shafts whole chunks, which is what is drawn; so the sets of a room differ little in their sections, and are small
//! together. `docs/visibility.md` has what this saves, and what it costs.

mod baked;
mod sets;

pub use baked::Baked;
pub use sets::{MOST_VIEW, Sets, Unfit};

use super::shafts::{Effort, Grain, refine_to};
use super::{Cell, Rooms, Sweeper, Window, bits};
use crate::voxel::ChunkPos;
use glam::IVec3;

/// The number of the rules that baked sets were computed by: which voxels of a material that hides do hide, which cells a chunk
/// has and what they are called, and that nothing is missed. Raised when one of these changes, a mistake that is mended among
/// them; what was baked by other rules does not count. `docs/map-format.md` has the number too.
pub const RULES: u32 = 1;

/// For a room, whose cells all begin with what is left.
const ROOM: Effort = Effort { few: 16, some: 8, many: 32, most: 200, strides: [16; 2] };
/// For a cell: most of what its room sees it sees too, and to prove it would be the dearest part.
const CELL: Effort = Effort { few: 16, some: 12, many: 32, most: 100, strides: [8; 2] };

/// Bakes one chunk after the other, with memory that is used again. Each thread needs its own.
pub struct Baker {
    sweeper: Sweeper,
    view: i32,
}

impl Baker {
    /// For a view distance, in chunks: 1 to [`MOST_VIEW`].
    #[must_use]
    pub fn new(view: i32) -> Baker {
        Baker { sweeper: Sweeper::default(), view: view.clamp(1, MOST_VIEW) }
    }

    /// What the cells of the chunk at `pos` see, in the order of [`Rooms::cells`]. `window` must hold all chunks of the world that
    /// are in view: a straight line between two of them does not leave its box, so that what lies outside is in nobody's way.
    #[must_use]
    pub fn bake(&mut self, window: &Window, pos: ChunkPos) -> Sets {
        let Some(home) = window.places().index(pos) else { return Sets::new(self.view, &[]) };
        let rooms = &window.sights().chunk(home).rooms;
        let mut sets: Vec<(Cell, Vec<(IVec3, u8)>)> = Vec::with_capacity(rooms.cells().len());
        for (room, whole) in wholes(rooms).iter().enumerate() {
            let refined = |open: &[u64], grain| refine_to(window.sights(), pos, whole, open, grain, ROOM);
            let chunks = refined(&self.sweeper.sweep(window, pos, whole, self.view).chunks, Grain::Chunks);
            let sections = refined(&sections_of(&chunks), Grain::Sections);
            for cell in rooms.cells().iter().filter(|cell| usize::from(cell.room) == room) {
                let seen = if cell.lo == whole.lo && cell.hi == whole.hi {
                    sections.clone()
                } else {
                    let swept = &self.sweeper.sweep(window, pos, cell, self.view).chunks;
                    let open: Vec<u64> = swept.iter().zip(chunks_of(&sections)).map(|(a, b)| a & b).collect();
                    let seen = sections_of(&refine_to(window.sights(), pos, cell, &open, Grain::Chunks, CELL));
                    seen.iter().zip(&sections).map(|(a, b)| a & b).collect()
                };
                sets.push((*cell, by_chunk(window, pos, &seen)));
            }
        }
        // In the order of the cells, which is by section.
        sets.sort_by_key(|(cell, _)| (cell.section, cell.room));
        Sets::new(self.view, &sets)
    }
}

/// Each room as if it were one cell.
fn wholes(rooms: &Rooms) -> Vec<Cell> {
    let mut wholes: Vec<Cell> = (0..rooms.rooms().len())
        .map(|room| Cell { room: room as u8, section: 0, lo: [u8::MAX; 3], hi: [0; 3] })
        .collect();
    for cell in rooms.cells() {
        let whole = &mut wholes[usize::from(cell.room)];
        for axis in 0..3 {
            whole.lo[axis] = whole.lo[axis].min(cell.lo[axis]);
            whole.hi[axis] = whole.hi[axis].max(cell.hi[axis]);
        }
    }
    wholes
}

/// All sections of some chunks: a byte for each place.
fn sections_of(chunks: &[u64]) -> Vec<u64> {
    let mut sections = vec![0; chunks.len() * 8];
    bits::members(chunks).for_each(|place| sections[place / 8] |= 0xFF << (place % 8 * 8));
    sections
}

/// The chunks that a section is seen of: a bit for each byte.
fn chunks_of(sections: &[u64]) -> Vec<u64> {
    let eight = |sections: &[u64]| {
        let bytes = sections.iter().flat_map(|word| word.to_le_bytes()).enumerate();
        bytes.fold(0, |chunks, (i, bits)| chunks | u64::from(bits != 0) << i)
    };
    sections.chunks(8).map(eight).collect()
}

/// The chunks in which a section is seen, from the one at `pos`, and their sections, a bit each.
fn by_chunk(window: &Window, pos: ChunkPos, sections: &[u64]) -> Vec<(IVec3, u8)> {
    let bytes = sections.iter().flat_map(|word| word.to_le_bytes()).enumerate();
    let seen = bytes.filter(|(_, bits)| *bits != 0);
    seen.map(|(place, bits)| (window.places().position(place).as_ivec3() - pos.as_ivec3(), bits)).collect()
}

#[cfg(test)]
mod tests {
    use super::RULES;
    use crate::visibility::{Blockers, Rooms};
    use crate::voxel::{Voxel, linear_offset};
    use crate::world::Chunk;

    #[test]
    fn cells_keep_their_names_or_the_rules_are_raised() {
        let mut sum = crc32fast::Hasher::new();
        for (size, thick) in [(5, 2), (13, 3), (14, 1), (16, 1), (20, 2)] {
            // Boxes in walls, in a half of the chunk with a hole here and there.
            let wall = |at: glam::IVec3| {
                (at % size).min_element() < thick && (at.x > 8 || (at.x * 7 + at.y * 5 + at.z * 3) % 11 != 0)
            };
            let chunk =
                Chunk::from_runs((0..32768).map(|index| (1, Voxel::full(u16::from(wall(linear_offset(index)))))));
            let rooms = Rooms::of(&Blockers::of(&chunk, |voxel| voxel.material() == 1));
            for cell in rooms.cells() {
                sum.update(&[[cell.room, cell.section, 0], cell.lo, cell.hi].concat());
            }
        }
        let told = "raise RULES if a cell of the same chunk is another now; then store what is found";
        assert_eq!((RULES, sum.finalize()), (1, 2_670_109_113), "{told}");
    }
}
