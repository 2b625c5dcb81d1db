//! Row packing, the Roblox text's second store ("Memory format, take two").
//!
//! A chunk has a header of two bytes for each of its 1024 rows. The header of a row with a single
//! ID is that ID; all other rows store their 32 IDs among the chunk's cells. Reading a row takes
//! constant time: a row with a single ID is a slice of a table that all chunks share.

use super::{Store, histogram, row_faces};
use crate::input::{NumberedWorld, VoxelId};
use glam::IVec3;
use stonerun_engine::voxel::{ChunkPos, linear_index, local};
use stonerun_engine::world::ChunkTable;

/// Flag in the header of a row with cells. The other bits are the index of its cells.
const ALLOCATED: u16 = 1 << 15;
/// Voxels in a row.
const ROW: usize = 32;

struct RowChunk {
    headers: Box<[u16; 1024]>,
    cells: Vec<[VoxelId; ROW]>,
    /// Index of the row that owns each entry of `cells`.
    owners: Vec<u16>,
}

/// Row-packed chunks in a hash map. Chunks of only air are missing.
pub struct RowPacked {
    chunks: ChunkTable<RowChunk>,
    /// Rows that are filled with a single ID, indexed by ID.
    filled: Vec<[VoxelId; ROW]>,
}

impl RowChunk {
    /// Reads a row, as `readRow` of the Roblox text.
    #[inline]
    fn row<'a>(&'a self, row: usize, filled: &'a [[VoxelId; ROW]]) -> &'a [VoxelId; ROW] {
        let header = self.headers[row];
        if header & ALLOCATED != 0 {
            &self.cells[usize::from(header & !ALLOCATED)]
        } else {
            &filled[usize::from(header)]
        }
    }

    fn set(&mut self, index: usize, id: VoxelId) {
        let row = index / ROW;
        let x = index % ROW;
        let header = self.headers[row];
        if header & ALLOCATED == 0 {
            if header != id {
                let mut cells = [header; ROW];
                cells[x] = id;
                self.headers[row] = ALLOCATED | self.cells.len() as u16;
                self.cells.push(cells);
                self.owners.push(row as u16);
            }
            return;
        }
        let at = usize::from(header & !ALLOCATED);
        self.cells[at][x] = id;
        if self.cells[at].iter().all(|&v| v == id) {
            // The row has a single ID again; the last cells move into the gap.
            self.headers[row] = id;
            self.cells.swap_remove(at);
            self.owners.swap_remove(at);
            if let Some(&moved) = self.owners.get(at) {
                self.headers[usize::from(moved)] = ALLOCATED | at as u16;
            }
        }
    }
}

impl RowPacked {
    /// A row of a chunk, which may be missing.
    #[inline]
    fn row_of<'a>(&'a self, chunk: Option<&'a RowChunk>, y: i32, z: i32) -> &'a [VoxelId; ROW] {
        chunk.map_or(&self.filled[0], |c| c.row((y << 5 | z) as usize, &self.filled))
    }
}

impl Store for RowPacked {
    const NAME: &str = "row-packed";

    fn build(input: &NumberedWorld) -> Option<RowPacked> {
        let filled = (0..input.id_count).map(|id| [id as VoxelId; ROW]).collect();
        let mut chunks = ChunkTable::default();
        for (pos, _) in input.world.chunks() {
            let dense = input.dense_chunk(pos)?;
            let mut chunk =
                RowChunk { headers: Box::new([0; 1024]), cells: Vec::new(), owners: Vec::new() };
            for (row, ids) in dense.as_chunks::<ROW>().0.iter().enumerate() {
                if ids.iter().all(|&v| v == ids[0]) {
                    chunk.headers[row] = ids[0];
                } else {
                    chunk.headers[row] = ALLOCATED | chunk.cells.len() as u16;
                    chunk.cells.push(*ids);
                    chunk.owners.push(row as u16);
                }
            }
            chunk.cells.shrink_to_fit();
            chunk.owners.shrink_to_fit();
            chunks.insert(pos, chunk);
        }
        Some(RowPacked { chunks, filled })
    }

    #[inline]
    fn get(&self, at: IVec3) -> VoxelId {
        self.chunks.get(ChunkPos::containing(at)).map_or(0, |chunk| {
            let index = linear_index(local(at));
            let header = chunk.headers[index / ROW];
            if header & ALLOCATED != 0 {
                chunk.cells[usize::from(header & !ALLOCATED)][index % ROW]
            } else {
                header
            }
        })
    }

    fn set(&mut self, at: IVec3, id: VoxelId) {
        if let Some(chunk) = self.chunks.get_mut(ChunkPos::containing(at)) {
            chunk.set(linear_index(local(at)), id);
        }
    }

    fn count_voxels(&self, counts: &mut [u64]) {
        for chunk in self.chunks.values() {
            for &id in chunk.headers.iter().filter(|&header| header & ALLOCATED == 0) {
                counts[usize::from(id)] += ROW as u64;
            }
            histogram::count_blocks(chunk.cells.as_flattened(), counts);
        }
    }

    fn count_faces(&self, counts: &mut [u64]) {
        let air = &self.filled[0];
        for (pos, chunk) in self.chunks.iter() {
            let neighbour = |x, y, z| self.chunks.get(pos.offset(IVec3::new(x, y, z)));
            let [west, east] = [neighbour(-1, 0, 0), neighbour(1, 0, 0)];
            let [below, above] = [neighbour(0, -1, 0), neighbour(0, 1, 0)];
            let [north, south] = [neighbour(0, 0, -1), neighbour(0, 0, 1)];
            for (y, z) in (0..32).flat_map(|y| (0..32).map(move |z| (y, z))) {
                let adjacent = [
                    if y > 0 {
                        chunk.row((y << 5 | z) as usize - 32, &self.filled)
                    } else {
                        self.row_of(below, 31, z)
                    },
                    if y < 31 {
                        chunk.row((y << 5 | z) as usize + 32, &self.filled)
                    } else {
                        self.row_of(above, 0, z)
                    },
                    if z > 0 {
                        chunk.row((y << 5 | z) as usize - 1, &self.filled)
                    } else {
                        self.row_of(north, y, 31)
                    },
                    if z < 31 {
                        chunk.row((y << 5 | z) as usize + 1, &self.filled)
                    } else {
                        self.row_of(south, y, 0)
                    },
                ];
                let here = chunk.row((y << 5 | z) as usize, &self.filled);
                if std::ptr::eq(here, air) {
                    continue;
                }
                let ends = [self.row_of(west, y, z)[31], self.row_of(east, y, z)[0]];
                row_faces::count_row(here, ends, adjacent.map(|row| &row[..]), counts);
            }
        }
    }

    fn heap_bytes(&self) -> usize {
        let chunk_bytes = |chunk: &RowChunk| {
            size_of::<[u16; 1024]>()
                + chunk.cells.capacity() * size_of::<[VoxelId; ROW]>()
                + chunk.owners.capacity() * 2
        };
        let filled = self.filled.capacity() * size_of::<[VoxelId; ROW]>();
        self.chunks.values().map(chunk_bytes).sum::<usize>() + self.chunks.heap_bytes() + filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rivals::tests::patchwork;
    use stonerun_engine::metrics::ChunkStats;

    /// Checks that `row_packed_bytes` is the size of this store without `owners`.
    #[test]
    fn chunk_stats_match_stored_rows() {
        for (kinds, seed) in [(2, 1), (20, 3), (400, 4)] {
            let input = patchwork(kinds, seed);
            let store = RowPacked::build(&input).unwrap();
            for (pos, chunk) in input.world.chunks() {
                let bytes = 2048
                    + store.chunks.get(pos).expect("a chunk of the input").cells.len() as u64 * 64;
                assert_eq!(
                    ChunkStats::from_chunk(chunk).row_packed_bytes,
                    bytes,
                    "{kinds} kinds, {pos}"
                );
            }
        }
    }
}
