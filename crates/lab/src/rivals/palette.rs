//! Palette packing as in Minecraft since 1.18: sections of 16^3, each with a palette and indices of
//! as few bits as the palette needs. No index crosses the border of a 64-bit word.
//!
//! A section with a single ID has no indices; otherwise an index has at least 4 bits. A palette has
//! indices of at most 8 bits: sections with more IDs pack the IDs directly.

use super::{Store, histogram, row_faces};
use crate::input::{NumberedWorld, VoxelId};
use glam::IVec3;
use stonerun_engine::voxel::ChunkPos;
use stonerun_engine::world::ChunkTable;

/// Side of a section, in voxels.
const SIDE: i32 = 16;
/// Number of voxels of a section.
const VOLUME: usize = 4096;

struct Section {
    /// Bits per index; 0 for a single ID.
    bits: u32,
    /// Number of indices per word.
    per_word: u32,
    /// Factor that divides by `per_word` with a multiplication and a shift by 16.
    reciprocal: u32,
    /// Distinct IDs of the section; empty if IDs are packed directly.
    palette: Vec<VoxelId>,
    words: Vec<u64>,
}

/// Sections in a hash map. Sections of only air are missing.
pub struct PaletteStore {
    /// Sections by position, in sections.
    sections: ChunkTable<Section>,
    /// Bits of a directly packed ID.
    direct_bits: u32,
}

/// The key of a section in a table of chunks.
fn section_key(section: IVec3) -> ChunkPos {
    ChunkPos::new(section.x, section.y, section.z)
}

/// Linear index in a section: x fastest, then z, then y.
#[inline]
fn section_index(at: IVec3) -> usize {
    ((at.x & 15) | (at.z & 15) << 4 | (at.y & 15) << 8) as usize
}

impl Section {
    fn new(bits: u32, palette: Vec<VoxelId>) -> Section {
        let per_word = 64u32.checked_div(bits).unwrap_or(1);
        let words = if bits == 0 { 0 } else { VOLUME.div_ceil(per_word as usize) };
        Section {
            bits,
            per_word,
            reciprocal: (1 << 16) / per_word + 1,
            palette,
            words: vec![0; words],
        }
    }

    fn pack(ids: &[VoxelId; VOLUME], direct_bits: u32) -> Section {
        let mut palette: Vec<VoxelId> = Vec::new();
        let mut number = vec![u16::MAX; 1 << direct_bits];
        for &id in ids {
            if number[usize::from(id)] == u16::MAX {
                number[usize::from(id)] = palette.len() as u16;
                palette.push(id);
            }
        }
        palette.shrink_to_fit();
        let bits = bits_for(palette.len(), direct_bits);
        let is_direct = bits > 8;
        let mut section = Section::new(bits, if is_direct { Vec::new() } else { palette });
        for (i, &id) in ids.iter().enumerate().filter(|_| bits > 0) {
            section.write(i, if is_direct { id } else { number[usize::from(id)] });
        }
        section
    }

    /// Word and shift of index `i`. The division is exact for all of 0..4096.
    #[inline]
    fn word_and_shift(&self, i: usize) -> (usize, u32) {
        let word = (i as u32 * self.reciprocal) >> 16;
        (word as usize, (i as u32 - word * self.per_word) * self.bits)
    }

    #[inline]
    fn read(&self, i: usize) -> u16 {
        let (word, shift) = self.word_and_shift(i);
        (self.words[word] >> shift & ((1 << self.bits) - 1)) as u16
    }

    fn write(&mut self, i: usize, number: u16) {
        let (word, shift) = self.word_and_shift(i);
        let mask = ((1u64 << self.bits) - 1) << shift;
        self.words[word] = self.words[word] & !mask | u64::from(number) << shift;
    }

    #[inline]
    fn get(&self, i: usize) -> VoxelId {
        match self.bits {
            0 => self.palette[0],
            1..=8 => self.palette[usize::from(self.read(i))],
            _ => self.read(i),
        }
    }

    fn unpack(&self, into: &mut [VoxelId; VOLUME]) {
        if self.bits == 0 {
            return into.fill(self.palette[0]);
        }
        let mask = (1u64 << self.bits) - 1;
        for (part, &word) in into.chunks_mut(self.per_word as usize).zip(&self.words) {
            let mut rest = word;
            for id in part {
                let number = rest & mask;
                rest >>= self.bits;
                *id =
                    if self.bits <= 8 { self.palette[number as usize] } else { number as VoxelId };
            }
        }
    }

    /// Repacks with more bits per index, or above 8 bits with direct IDs.
    fn widen(&mut self, bits: u32) {
        let mut wider = Section::new(bits, Vec::new());
        for i in 0..VOLUME {
            let number = if self.bits == 0 { 0 } else { self.read(i) };
            wider.write(i, if bits > 8 { self.palette[usize::from(number)] } else { number });
        }
        if bits <= 8 {
            wider.palette = std::mem::take(&mut self.palette);
        }
        *self = wider;
    }

    fn set(&mut self, i: usize, id: VoxelId, direct_bits: u32) {
        if self.get(i) == id {
            return;
        }
        let number = match self.bits {
            0..=8 => match self.palette.iter().position(|&v| v == id) {
                Some(number) => number as u16,
                None => {
                    let number = self.palette.len();
                    let bits = bits_for(number + 1, direct_bits);
                    self.palette.push(id);
                    if bits != self.bits {
                        self.widen(bits);
                        if bits > 8 {
                            return self.write(i, id);
                        }
                    }
                    number as u16
                }
            },
            _ => id,
        };
        self.write(i, number);
    }
}

/// Bits per index into a palette of `len` IDs, as in Minecraft.
fn bits_for(len: usize, direct_bits: u32) -> u32 {
    match len {
        1 => 0,
        n => match (n - 1).ilog2() + 1 {
            bits @ ..=8 => bits.max(4),
            _ => direct_bits.max(9),
        },
    }
}

impl PaletteStore {
    /// The 256 IDs at one side of the section at `at`: number `i` lies at the index `start + step *
    /// (i % 16) + jump * (i / 16)`.
    fn side(&self, at: IVec3, [start, step, jump]: [usize; 3]) -> [VoxelId; 256] {
        match self.sections.get(section_key(at)) {
            None => [0; 256],
            Some(section) if section.bits == 0 => [section.palette[0]; 256],
            Some(section) => {
                std::array::from_fn(|i| section.get(start + step * (i % 16) + jump * (i / 16)))
            }
        }
    }
}

impl Store for PaletteStore {
    const NAME: &str = "palette";

    fn build(input: &NumberedWorld) -> Option<PaletteStore> {
        let direct_bits = (input.id_count.max(2) - 1).ilog2() + 1;
        let mut sections = ChunkTable::default();
        let mut ids = [0; VOLUME];
        for (pos, _) in input.world.chunks() {
            let dense = input.dense_chunk(pos)?;
            for part in 0..8 {
                let corner = IVec3::new(part & 1, part >> 2, part >> 1 & 1);
                for (i, id) in ids.iter_mut().enumerate() {
                    let i = i as i32;
                    let at = corner * SIDE + IVec3::new(i & 15, i >> 8, i >> 4 & 15);
                    *id = dense[stonerun_engine::voxel::linear_index(at)];
                }
                if ids.iter().any(|&v| v != 0) {
                    sections.insert(
                        section_key(pos.as_ivec3() * 2 + corner),
                        Section::pack(&ids, direct_bits),
                    );
                }
            }
        }
        Some(PaletteStore { sections, direct_bits })
    }

    #[inline]
    fn get(&self, at: IVec3) -> VoxelId {
        self.sections.get(section_key(at >> 4)).map_or(0, |section| section.get(section_index(at)))
    }

    fn set(&mut self, at: IVec3, id: VoxelId) {
        let pos = section_key(at >> 4);
        if self.sections.get(pos).is_none() {
            self.sections.insert(pos, Section::new(0, vec![0]));
        }
        if let Some(section) = self.sections.get_mut(pos) {
            section.set(section_index(at), id, self.direct_bits);
        }
    }

    fn count_voxels(&self, counts: &mut [u64]) {
        let mut ids = [0; VOLUME];
        for section in self.sections.values() {
            if section.bits == 0 {
                counts[usize::from(section.palette[0])] += VOLUME as u64;
            } else {
                section.unpack(&mut ids);
                histogram::count(&ids, counts);
            }
        }
    }

    fn count_faces(&self, counts: &mut [u64]) {
        let mut here = [0; VOLUME];
        for (at, section) in self.sections.iter() {
            let at = at.as_ivec3();
            section.unpack(&mut here);
            // The sides along x hold one voxel of each row, the other sides whole rows.
            let [west, east] =
                [(IVec3::NEG_X, 15), (IVec3::X, 0)].map(|(by, x)| self.side(at + by, [x, 16, 256]));
            let [below, above] =
                [(IVec3::NEG_Y, 3840), (IVec3::Y, 0)].map(|(by, y)| self.side(at + by, [y, 1, 16]));
            let [north, south] =
                [(IVec3::NEG_Z, 240), (IVec3::Z, 0)].map(|(by, z)| self.side(at + by, [z, 1, 256]));
            for row in 0..256 {
                let y = row >> 4;
                let z = row & 15;
                let range = |row: usize| row * 16..row * 16 + 16;
                let adjacent = [
                    if y > 0 { &here[range(row - 16)] } else { &below[range(z)] },
                    if y < 15 { &here[range(row + 16)] } else { &above[range(z)] },
                    if z > 0 { &here[range(row - 1)] } else { &north[range(y)] },
                    if z < 15 { &here[range(row + 1)] } else { &south[range(y)] },
                ];
                row_faces::count_row(&here[range(row)], [west[row], east[row]], adjacent, counts);
            }
        }
    }

    fn heap_bytes(&self) -> usize {
        let section_bytes = |s: &Section| {
            s.palette.capacity() * size_of::<VoxelId>() + s.words.capacity() * size_of::<u64>()
        };
        self.sections.values().map(section_bytes).sum::<usize>() + self.sections.heap_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rivals::tests::patchwork;
    use stonerun_engine::metrics::ChunkStats;

    /// Checks that `palette_bytes` is the size of this store.
    #[test]
    fn chunk_stats_match_stored_sections() {
        for (kinds, seed) in [(2, 1), (20, 3), (200, 4), (9000, 5)] {
            let input = patchwork(kinds, seed);
            let store = PaletteStore::build(&input).unwrap();
            for (pos, chunk) in input.world.chunks() {
                let sections =
                    (0..8).map(|i| pos.as_ivec3() * 2 + IVec3::new(i & 1, i >> 2, i >> 1 & 1));
                let bytes = sections.map(|at| {
                    // The store omits sections of air, for which the formula counts a palette of
                    // one entry.
                    store
                        .sections
                        .get(section_key(at))
                        .map_or(2, |s| s.palette.len() * 2 + s.words.len() * 8)
                        as u64
                });
                assert_eq!(
                    ChunkStats::from_chunk(chunk).palette_bytes,
                    bytes.sum::<u64>(),
                    "{kinds} kinds, {pos}"
                );
            }
        }
    }
}
