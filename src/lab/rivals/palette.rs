//! Palette packing, as Minecraft does it since 1.18: sections of 16^3, each with a palette, and indices of as many bits
//! as that needs, none across the border of a word of 64.
//!
//! A section of one value has no indices; else an index has 4 bits at least. Up to 8 bits the palette is searched;
//! beyond that there is none, and the values themselves are packed.

use super::{Store, faces, histogram};
use crate::lab::input::{Input, Value};
use crate::voxel::ChunkPos;
use crate::world::ChunkTable;
use glam::IVec3;

const SIDE: i32 = 16;
const VOLUME: usize = 4096;

struct Section {
    /// Bits of an index; 0 for one value.
    bits: u32,
    /// Indices in a word, and a number by which to divide by that with a multiplication.
    per_word: u32,
    reciprocal: u32,
    /// Empty where values are packed themselves.
    palette: Vec<Value>,
    words: Vec<u64>,
}

/// Sections that hold nothing but air are not there.
pub struct Palette {
    /// By their positions in sections.
    sections: ChunkTable<Section>,
    /// Bits of a value that is packed itself.
    direct: u32,
}

/// A section's position, in the terms of a table of chunks.
fn pos_of(section: IVec3) -> ChunkPos {
    ChunkPos::new(section.x, section.y, section.z)
}

/// x fastest, then z, then y.
#[inline]
fn index(at: IVec3) -> usize {
    ((at.x & 15) | (at.z & 15) << 4 | (at.y & 15) << 8) as usize
}

impl Section {
    fn new(bits: u32, palette: Vec<Value>) -> Section {
        let per_word = 64u32.checked_div(bits).unwrap_or(1);
        let words = if bits == 0 { 0 } else { VOLUME.div_ceil(per_word as usize) };
        Section { bits, per_word, reciprocal: (1 << 16) / per_word + 1, palette, words: vec![0; words] }
    }

    fn pack(values: &[Value; VOLUME], direct: u32) -> Section {
        let mut palette: Vec<Value> = Vec::new();
        let mut number = vec![u16::MAX; 1 << direct];
        for &value in values {
            if number[usize::from(value)] == u16::MAX {
                number[usize::from(value)] = palette.len() as u16;
                palette.push(value);
            }
        }
        palette.shrink_to_fit();
        let bits = bits_for(palette.len(), direct);
        let is_direct = bits > 8;
        let mut section = Section::new(bits, if is_direct { Vec::new() } else { palette });
        for (i, &value) in values.iter().enumerate().filter(|_| bits > 0) {
            section.write(i, if is_direct { value } else { number[usize::from(value)] });
        }
        section
    }

    /// Word and shift of an index. Exact for all 4096.
    #[inline]
    fn place(&self, i: usize) -> (usize, u32) {
        let word = (i as u32 * self.reciprocal) >> 16;
        (word as usize, (i as u32 - word * self.per_word) * self.bits)
    }

    #[inline]
    fn read(&self, i: usize) -> u16 {
        let (word, shift) = self.place(i);
        (self.words[word] >> shift & ((1 << self.bits) - 1)) as u16
    }

    fn write(&mut self, i: usize, number: u16) {
        let (word, shift) = self.place(i);
        let mask = ((1u64 << self.bits) - 1) << shift;
        self.words[word] = self.words[word] & !mask | u64::from(number) << shift;
    }

    #[inline]
    fn get(&self, i: usize) -> Value {
        match self.bits {
            0 => self.palette[0],
            1..=8 => self.palette[usize::from(self.read(i))],
            _ => self.read(i),
        }
    }

    fn unpack(&self, into: &mut [Value; VOLUME]) {
        if self.bits == 0 {
            return into.fill(self.palette[0]);
        }
        let mask = (1u64 << self.bits) - 1;
        for (part, &word) in into.chunks_mut(self.per_word as usize).zip(&self.words) {
            let mut rest = word;
            for value in part {
                let number = rest & mask;
                rest >>= self.bits;
                *value = if self.bits <= 8 { self.palette[number as usize] } else { number as Value };
            }
        }
    }

    /// Gives indices more bits; beyond 8 the values take their place.
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

    fn set(&mut self, i: usize, value: Value, direct: u32) {
        if self.get(i) == value {
            return;
        }
        let number = match self.bits {
            0..=8 => match self.palette.iter().position(|&v| v == value) {
                Some(number) => number as u16,
                None => {
                    let number = self.palette.len();
                    let bits = bits_for(number + 1, direct);
                    self.palette.push(value);
                    if bits != self.bits {
                        self.widen(bits);
                        if bits > 8 {
                            return self.write(i, value);
                        }
                    }
                    number as u16
                }
            },
            _ => value,
        };
        self.write(i, number);
    }
}

/// Bits of an index into a palette of `len`, as Minecraft gives them.
fn bits_for(len: usize, direct: u32) -> u32 {
    match len {
        1 => 0,
        n => match (n - 1).ilog2() + 1 {
            bits @ ..=8 => bits.max(4),
            _ => direct.max(9),
        },
    }
}

impl Palette {
    /// The 256 values of the section at `at` whose indices are `start + step * i + jump * (i / 16)`: one of its sides.
    fn side(&self, at: IVec3, [start, step, jump]: [usize; 3]) -> [Value; 256] {
        match self.sections.get(pos_of(at)) {
            None => [0; 256],
            Some(section) if section.bits == 0 => [section.palette[0]; 256],
            Some(section) => std::array::from_fn(|i| section.get(start + step * (i % 16) + jump * (i / 16))),
        }
    }
}

impl Store for Palette {
    const NAME: &str = "palette";

    fn build(input: &Input) -> Option<Palette> {
        let direct = (input.values.max(2) - 1).ilog2() + 1;
        let mut sections = ChunkTable::default();
        let mut values = [0; VOLUME];
        for (pos, _) in input.world.chunks() {
            let dense = input.dense(pos)?;
            for part in 0..8 {
                let corner = IVec3::new(part & 1, part >> 2, part >> 1 & 1);
                for (i, value) in values.iter_mut().enumerate() {
                    let i = i as i32;
                    let at = corner * SIDE + IVec3::new(i & 15, i >> 8, i >> 4 & 15);
                    *value = dense[crate::voxel::linear_index(at)];
                }
                if values.iter().any(|&v| v != 0) {
                    sections.insert(pos_of(pos.as_ivec3() * 2 + corner), Section::pack(&values, direct));
                }
            }
        }
        Some(Palette { sections, direct })
    }

    #[inline]
    fn get(&self, at: IVec3) -> Value {
        self.sections.get(pos_of(at >> 4)).map_or(0, |section| section.get(index(at)))
    }

    fn set(&mut self, at: IVec3, value: Value) {
        let pos = pos_of(at >> 4);
        if self.sections.get(pos).is_none() {
            self.sections.insert(pos, Section::new(0, vec![0]));
        }
        if let Some(section) = self.sections.get_mut(pos) {
            section.set(index(at), value, self.direct);
        }
    }

    fn count_values(&self, counts: &mut [u64]) {
        let mut values = [0; VOLUME];
        for section in self.sections.values() {
            if section.bits == 0 {
                counts[usize::from(section.palette[0])] += VOLUME as u64;
            } else {
                section.unpack(&mut values);
                histogram::count(&values, counts);
            }
        }
    }

    fn count_faces(&self, counts: &mut [u64]) {
        let mut here = [0; VOLUME];
        for (at, section) in self.sections.iter() {
            let at = at.as_ivec3();
            section.unpack(&mut here);
            // Sides across x are read by row, the others row by row.
            let [west, east] = [(IVec3::NEG_X, 15), (IVec3::X, 0)].map(|(by, x)| self.side(at + by, [x, 16, 256]));
            let [below, above] = [(IVec3::NEG_Y, 3840), (IVec3::Y, 0)].map(|(by, y)| self.side(at + by, [y, 1, 16]));
            let [north, south] = [(IVec3::NEG_Z, 240), (IVec3::Z, 0)].map(|(by, z)| self.side(at + by, [z, 1, 256]));
            for row in 0..256 {
                let (y, z) = (row >> 4, row & 15);
                let of = |row: usize| row * 16..row * 16 + 16;
                let beside = [
                    if y > 0 { &here[of(row - 16)] } else { &below[of(z)] },
                    if y < 15 { &here[of(row + 16)] } else { &above[of(z)] },
                    if z > 0 { &here[of(row - 1)] } else { &north[of(y)] },
                    if z < 15 { &here[of(row + 1)] } else { &south[of(y)] },
                ];
                faces::of_row(&here[of(row)], [west[row], east[row]], beside, counts);
            }
        }
    }

    fn heap_bytes(&self) -> usize {
        let of_section =
            |s: &Section| s.palette.capacity() * size_of::<Value>() + s.words.capacity() * size_of::<u64>();
        self.sections.values().map(of_section).sum::<usize>() + self.sections.heap_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::rivals::tests::patchwork;
    use crate::metrics::ChunkStats;

    /// The figures that the game shows of this store are those of the store.
    #[test]
    fn a_chunks_figure_is_what_its_sections_hold() {
        for (kinds, seed) in [(2, 1), (20, 3), (200, 4), (9000, 5)] {
            let input = patchwork(kinds, seed);
            let store = Palette::build(&input).unwrap();
            for (pos, chunk) in input.world.chunks() {
                let sections = (0..8).map(|i| pos.as_ivec3() * 2 + IVec3::new(i & 1, i >> 2, i >> 1 & 1));
                let bytes = sections.map(|at| {
                    // A section of air is not there; the formula gives it its number.
                    store.sections.get(pos_of(at)).map_or(2, |s| s.palette.len() * 2 + s.words.len() * 8) as u64
                });
                assert_eq!(ChunkStats::from_chunk(chunk).palette_bytes, bytes.sum::<u64>(), "{kinds} kinds, {pos}");
            }
        }
    }
}
