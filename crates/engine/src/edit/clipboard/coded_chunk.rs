//! A chunk as an array of palette indices, for quarter turns and for moves off the chunk grid. At
//! one byte per voxel it fits the first-level cache.

use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_SIDE, CHUNK_VOLUME, Voxel, linear_index};
use crate::world::Chunk;
use glam::IVec3;

/// Voxels in a row along x.
const ROW: usize = CHUNK_SIDE as usize;
/// Side of the square tiles that are transposed at a time, in bytes: a row of a tile is one word.
const TILE: usize = 8;

/// The voxels of a chunk in linear order, as codes: indices into a palette of at most 256 voxels.
pub(super) struct CodedChunk {
    codes: Box<[u8; CHUNK_VOLUME]>,
    /// Voxels by code. Some may be unused.
    palette: Vec<Voxel>,
}

/// Mapping of the voxels of a chunk to new positions: the linear index of the first voxel, and the
/// strides along x, y and z. The strides are 1, 32 and 1024 in any order, each positive or
/// negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strides {
    pub first: isize,
    pub steps: [isize; 3],
}

impl CodedChunk {
    /// A chunk of air.
    pub(super) fn air() -> CodedChunk {
        CodedChunk { codes: zeros(), palette: vec![Voxel::AIR] }
    }

    /// Reads a chunk; `None` if it has more than 256 different voxels.
    pub(super) fn from_chunk(chunk: &Chunk) -> Option<CodedChunk> {
        let palette: Vec<Voxel> = chunk.values().collect();
        if palette.len() > 256 {
            return None;
        }
        let mut codes = Vec::with_capacity(CHUNK_VOLUME);
        chunk.for_each_coded(0..CHUNK_VOLUME, |_, end, code| codes.resize(end, code as u8));
        let codes = codes.into_boxed_slice().try_into().expect("runs cover the chunk");
        Some(CodedChunk { codes, palette })
    }

    /// Copies the voxels `low..high` of another chunk to the box whose lowest corner is `to`. That
    /// box must be air. False if the palette has no room for the voxels.
    pub(super) fn copy(&mut self, from: &Chunk, low: IVec3, high: IVec3, to: IVec3) -> bool {
        let Some(codes) = self.codes_of(from) else { return false };
        let [rows, xs] = [low.z as usize..high.z as usize, low.x as usize..high.x as usize];
        let layers = linear_index(IVec3::new(0, low.y, 0))..linear_index(IVec3::new(0, high.y, 0));
        let first = linear_index(low);
        let target = linear_index(to);
        from.for_each_coded(layers, |start, end, code| {
            let code = codes[code];
            if code == 0 {
                return; // Air is there already.
            }
            for row in start / ROW..=(end - 1) / ROW {
                if !rows.contains(&(row % ROW)) {
                    continue;
                }
                let from_x = xs.start.max(start.saturating_sub(row * ROW));
                let to_x = xs.end.min(end - row * ROW);
                if from_x < to_x {
                    let at = row * ROW + from_x + target - first;
                    self.codes[at..at + to_x - from_x].fill(code);
                }
            }
        });
        true
    }

    /// Copies the voxels of `over` for which `inside` is not air. False if the palette has no room
    /// for them.
    pub(super) fn overlay(&mut self, over: &Chunk, inside: &Chunk) -> bool {
        let Some(numbers) = self.codes_of(over) else { return false };
        let mut codes = zeros();
        over.for_each_coded(0..CHUNK_VOLUME, |start, end, code| {
            codes[start..end].fill(numbers[code])
        });
        let is_inside: Vec<bool> = inside.values().map(|voxel| !voxel.is_air()).collect();
        inside.for_each_coded(0..CHUNK_VOLUME, |start, end, code| {
            if is_inside[code] {
                self.codes[start..end].copy_from_slice(&codes[start..end]);
            }
        });
        true
    }

    /// Adds the values of another chunk to the palette and returns their codes; `None` if the
    /// palette has no room for them.
    fn codes_of(&mut self, chunk: &Chunk) -> Option<[u8; 256]> {
        let mut codes = [0; 256];
        let values = chunk.values();
        if values.len() > codes.len() {
            return None;
        }
        for (code, voxel) in codes.iter_mut().zip(values) {
            let known = self.palette.iter().position(|known| *known == voxel);
            let index = known.unwrap_or_else(|| {
                self.palette.push(voxel);
                self.palette.len() - 1
            });
            *code = u8::try_from(index).ok()?;
        }
        Some(codes)
    }

    /// Copy of the chunk with its voxels moved to the positions `to`.
    pub(super) fn moved(&self, to: Strides) -> CodedChunk {
        let mut codes = zeros();
        let [step_x, step_y, step_z] = to.steps;
        if step_x.abs() == 1 {
            for (row, from) in self.codes.as_chunks::<ROW>().0.iter().enumerate() {
                let start =
                    to.first + (row / ROW) as isize * step_y + (row % ROW) as isize * step_z;
                // A reversed row is written backwards from `start`, so `start` is its highest
                // index.
                let low = if step_x < 0 { start - (ROW as isize - 1) } else { start } as usize;
                let into = &mut codes[low..low + ROW];
                into.copy_from_slice(from);
                if step_x < 0 {
                    into.reverse();
                }
            }
        } else {
            // Columns along the axis whose stride is 1 become rows along x.
            let (along, across) =
                if step_y.abs() == 1 { (ROW * ROW, ROW) } else { (ROW, ROW * ROW) };
            let (step_along, step_across) =
                if step_y.abs() == 1 { (step_y, step_z) } else { (step_z, step_y) };
            for plane in 0..ROW {
                for j in (0..ROW).step_by(TILE) {
                    for x in (0..ROW).step_by(TILE) {
                        let words = std::array::from_fn(|i| {
                            let j = if step_along < 0 { j + TILE - 1 - i } else { j + i };
                            let at = plane * across + j * along + x;
                            u64::from_le_bytes(
                                *self.codes[at..].first_chunk().expect("a row has whole tiles"),
                            )
                        });
                        let lowest =
                            if step_along < 0 { -((j + TILE - 1) as isize) } else { j as isize };
                        let start = to.first + plane as isize * step_across + lowest;
                        for (i, word) in transposed(words).into_iter().enumerate() {
                            let at = (start + (x + i) as isize * step_x) as usize;
                            codes[at..at + TILE].copy_from_slice(&word.to_le_bytes());
                        }
                    }
                }
            }
        }
        CodedChunk { codes, palette: self.palette.clone() }
    }

    /// Converts the chunk to runs.
    pub(super) fn to_chunk(&self) -> Chunk {
        // Palette of the result, which has only the voxels in use, and the new number of each code.
        let mut used = Vec::new();
        let mut numbers = [u16::MAX; 256];
        let mut starts: Vec<(u16, u16)> = Vec::with_capacity(1024);
        let mut push = |index: usize, code: u8| {
            let number = &mut numbers[usize::from(code)];
            if *number == u16::MAX {
                *number = used.len() as u16;
                used.push(self.palette[usize::from(code)]);
            }
            starts.push((index as u16, *number));
        };
        let mut last = self.codes[0];
        push(0, last);
        for (row, codes) in self.codes.as_chunks::<ROW>().0.iter().enumerate() {
            if *codes == [last; ROW] {
                continue;
            }
            for (part, codes) in codes.as_chunks::<TILE>().0.iter().enumerate() {
                let word = u64::from_le_bytes(*codes);
                // Bytes that differ from the byte before.
                let mut edges = word ^ (word << 8 | u64::from(last));
                while edges != 0 {
                    let byte = edges.trailing_zeros() as usize / 8;
                    push(row * ROW + part * TILE + byte, codes[byte]);
                    edges &= !(0xFF << (8 * byte));
                }
                last = codes[TILE - 1];
            }
        }
        if used.len() == 1 {
            return Chunk::uniform(used[0]);
        }
        let mut builder = RunBuilder::with_palette(used);
        for (start, number) in starts {
            builder.push_code(start, number);
        }
        builder.finish()
    }
}

fn zeros() -> Box<[u8; CHUNK_VOLUME]> {
    // Allocated as a vector, so that the array never lies on the stack.
    let zeros = vec![0; CHUNK_VOLUME].into_boxed_slice();
    zeros.try_into().expect("the vector has the volume of a chunk")
}

/// Transpose of a matrix of 8 x 8 bytes, one word per row.
fn transposed(mut rows: [u64; TILE]) -> [u64; TILE] {
    // Exchanges the off-diagonal quarters of squares of 8, 4 and 2 bytes.
    for (half, mask) in [(4, 0xFFFF_FFFF), (2, 0x0000_FFFF_0000_FFFF), (1, 0x00FF_00FF_00FF_00FF)] {
        for i in (0..TILE).filter(|i| i & half == 0) {
            let corner = (rows[i] >> (8 * half) ^ rows[i + half]) & mask;
            rows[i + half] ^= corner;
            rows[i] ^= corner << (8 * half);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_change_places() {
        let rows: [u64; TILE] =
            std::array::from_fn(|i| u64::from_le_bytes(std::array::from_fn(|j| (i * 8 + j) as u8)));
        let columns = transposed(rows).map(u64::to_le_bytes);
        for (i, column) in columns.iter().enumerate() {
            assert_eq!(*column, std::array::from_fn::<u8, TILE, _>(|j| (j * 8 + i) as u8));
        }
    }

    #[test]
    fn chunk_survives_and_too_many_values_are_refused() {
        for (period, values) in [(1, 256), (7, 3), (500, 9), (1, 2)] {
            let voxel = |i: usize| Voxel::full((i / period % values) as u16);
            let chunk = Chunk::from_runs((0..CHUNK_VOLUME).map(|i| (1, voxel(i))));
            let back = CodedChunk::from_chunk(&chunk).unwrap().to_chunk();
            back.check().expect("a sound tree");
            assert_eq!(back, chunk, "{period} {values}");
        }
        let many = Chunk::from_runs((0..CHUNK_VOLUME).map(|i| (1, Voxel::full((i % 257) as u16))));
        assert!(CodedChunk::from_chunk(&many).is_none());
        assert!(!CodedChunk::air().copy(&many, IVec3::ZERO, IVec3::ONE, IVec3::ZERO));
    }
}
