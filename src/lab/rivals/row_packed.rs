//! Row packing: the Roblox text's second store ("Memory format, take two").
//!
//! A chunk has a header of two bytes for each of its 1024 rows. A row of one value is that value; another has its 32
//! values among the chunk's cells. Reading a row is constant time: a row of one value is a slice of a table that all
//! chunks share.

use super::{Store, faces, histogram};
use crate::lab::input::{Input, Value};
use crate::voxel::{ChunkPos, linear_index, local};
use crate::world::ChunkTable;
use glam::IVec3;

/// Set in the header of a row that has cells; the rest is which of the chunk's rows of cells.
const ALLOCATED: u16 = 1 << 15;
/// Voxels in a row.
const ROW: usize = 32;

struct Chunk {
    headers: Box<[u16; 1024]>,
    cells: Vec<[Value; ROW]>,
    /// The header of each row of cells.
    owners: Vec<u16>,
}

/// Chunks that hold nothing but air are not there.
pub struct RowPacked {
    chunks: ChunkTable<Chunk>,
    /// For each value a row of it.
    filled: Vec<[Value; ROW]>,
}

impl Chunk {
    /// The `readRow` of the text.
    #[inline]
    fn row<'a>(&'a self, row: usize, filled: &'a [[Value; ROW]]) -> &'a [Value; ROW] {
        let header = self.headers[row];
        if header & ALLOCATED != 0 {
            &self.cells[usize::from(header & !ALLOCATED)]
        } else {
            &filled[usize::from(header)]
        }
    }

    fn set(&mut self, index: usize, value: Value) {
        let (row, x) = (index / ROW, index % ROW);
        let header = self.headers[row];
        if header & ALLOCATED == 0 {
            if header != value {
                let mut cells = [header; ROW];
                cells[x] = value;
                self.headers[row] = ALLOCATED | self.cells.len() as u16;
                self.cells.push(cells);
                self.owners.push(row as u16);
            }
            return;
        }
        let at = usize::from(header & !ALLOCATED);
        self.cells[at][x] = value;
        if self.cells[at].iter().all(|&v| v == value) {
            // Packed again; the last row of cells moves into the gap.
            self.headers[row] = value;
            self.cells.swap_remove(at);
            self.owners.swap_remove(at);
            if let Some(&moved) = self.owners.get(at) {
                self.headers[usize::from(moved)] = ALLOCATED | at as u16;
            }
        }
    }
}

impl RowPacked {
    /// A row of a chunk that may not be there.
    #[inline]
    fn row_of<'a>(&'a self, chunk: Option<&'a Chunk>, y: i32, z: i32) -> &'a [Value; ROW] {
        chunk.map_or(&self.filled[0], |c| c.row((y << 5 | z) as usize, &self.filled))
    }
}

impl Store for RowPacked {
    const NAME: &str = "row-packed";

    fn build(input: &Input) -> Option<RowPacked> {
        let filled = (0..input.values).map(|value| [value as Value; ROW]).collect();
        let mut chunks = ChunkTable::default();
        for (pos, _) in input.world.chunks() {
            let dense = input.dense(pos)?;
            let mut chunk = Chunk { headers: Box::new([0; 1024]), cells: Vec::new(), owners: Vec::new() };
            for (row, values) in dense.as_chunks::<ROW>().0.iter().enumerate() {
                if values.iter().all(|&v| v == values[0]) {
                    chunk.headers[row] = values[0];
                } else {
                    chunk.headers[row] = ALLOCATED | chunk.cells.len() as u16;
                    chunk.cells.push(*values);
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
    fn get(&self, at: IVec3) -> Value {
        self.chunks.get(ChunkPos::containing(at)).map_or(0, |chunk| {
            let index = linear_index(local(at));
            let header = chunk.headers[index / ROW];
            if header & ALLOCATED != 0 { chunk.cells[usize::from(header & !ALLOCATED)][index % ROW] } else { header }
        })
    }

    fn set(&mut self, at: IVec3, value: Value) {
        if let Some(chunk) = self.chunks.get_mut(ChunkPos::containing(at)) {
            chunk.set(linear_index(local(at)), value);
        }
    }

    fn count_values(&self, counts: &mut [u64]) {
        for chunk in self.chunks.values() {
            chunk.headers.iter().filter(|&h| h & ALLOCATED == 0).for_each(|&h| counts[usize::from(h)] += ROW as u64);
            histogram::count_alike(chunk.cells.as_flattened(), counts);
        }
    }

    fn count_faces(&self, counts: &mut [u64]) {
        let air = &self.filled[0];
        for (pos, chunk) in self.chunks.iter() {
            let near = |x, y, z| self.chunks.get(pos.offset(IVec3::new(x, y, z)));
            let [west, east] = [near(-1, 0, 0), near(1, 0, 0)];
            let [below, above] = [near(0, -1, 0), near(0, 1, 0)];
            let [north, south] = [near(0, 0, -1), near(0, 0, 1)];
            for (y, z) in (0..32).flat_map(|y| (0..32).map(move |z| (y, z))) {
                let beside = [
                    if y > 0 { chunk.row((y << 5 | z) as usize - 32, &self.filled) } else { self.row_of(below, 31, z) },
                    if y < 31 { chunk.row((y << 5 | z) as usize + 32, &self.filled) } else { self.row_of(above, 0, z) },
                    if z > 0 { chunk.row((y << 5 | z) as usize - 1, &self.filled) } else { self.row_of(north, y, 31) },
                    if z < 31 { chunk.row((y << 5 | z) as usize + 1, &self.filled) } else { self.row_of(south, y, 0) },
                ];
                let here = chunk.row((y << 5 | z) as usize, &self.filled);
                if std::ptr::eq(here, air) {
                    continue;
                }
                let ends = [self.row_of(west, y, z)[31], self.row_of(east, y, z)[0]];
                faces::of_row(here, ends, beside.map(|row| &row[..]), counts);
            }
        }
    }

    fn heap_bytes(&self) -> usize {
        let of_chunk = |chunk: &Chunk| {
            size_of::<[u16; 1024]>() + chunk.cells.capacity() * size_of::<[Value; ROW]>() + chunk.owners.capacity() * 2
        };
        let filled = self.filled.capacity() * size_of::<[Value; ROW]>();
        self.chunks.values().map(of_chunk).sum::<usize>() + self.chunks.heap_bytes() + filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::rivals::tests::patchwork;
    use crate::metrics::ChunkStats;

    /// The figures that the game shows of this store are those of the store, which keeps besides whose a row is.
    #[test]
    fn a_chunks_figure_is_what_its_rows_hold() {
        for (kinds, seed) in [(2, 1), (20, 3), (400, 4)] {
            let input = patchwork(kinds, seed);
            let store = RowPacked::build(&input).unwrap();
            for (pos, chunk) in input.world.chunks() {
                let bytes = 2048 + store.chunks.get(pos).expect("it was given").cells.len() as u64 * 64;
                assert_eq!(ChunkStats::from_chunk(chunk).row_packed_bytes, bytes, "{kinds} kinds, {pos}");
            }
        }
    }
}
