//! Light in and around a chunk for the graphics card, which reads it per fragment.
//!
//! Space is divided into bricks of 4 x 4 x 4 voxels, 9 along each axis; brick (0, 0, 0) begins at
//! the voxel (-1, -1, -1). Layout in 32-bit words:
//!
//! ```text
//! 1 word         offset of the colours from this word; 0 without colours
//! 81 row words   of the sun, row of bricks by + 9 bz:
//!                bits 0-8    bit bx: the brick is mixed
//!                bits 9-17   bit bx: all its voxels are fully sunlit; the others are dark
//!                bits 18-31  mixed bricks in the rows before
//! 8 words        per mixed brick: four bits per voxel, x + 4 z + 16 y of the 64 from the lowest
//! 81 row words   of the colours: as for the sun, without fully lit bricks
//! 24 words       per mixed brick: 8 each of red, green and blue
//! ```
//!
//! A voxel *counts* if it lets light through and lies next to a voxel of the chunk that is not air:
//! faces read the light of these voxels. Voxels within two of smooth ground count as well, also of
//! ground in neighbours: the chunk draws its [surface](crate::surface) at the upper borders, and
//! the shader reads light up to a voxel in front of it.

use super::light_traits::LightTraits;
use super::{Channel, ChunkLight, LightLevels};
use crate::contour::ContourMaterials;
use crate::runs::RunTree;
use crate::runs::bit_rows::{AREA, BitMasks, ChunkPart, LAYER, RowToggles, SIDE, Words, boxed};
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{MOORE_CENTRE, MOORE_LEN, Voxel, neighbour_index, neighbour_offsets};
use glam::IVec3;
use std::cell::RefCell;

/// Number of bricks along an axis.
const BRICKS: usize = 9;
/// Number of row words.
const ROWS: usize = BRICKS * BRICKS;
/// Number of words of one channel of a mixed brick.
const CHANNEL_WORDS: usize = 8;

/// Light of a chunk and of the voxels next to it; see the module documentation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum LightBricks {
    /// Everything is fully sunlit, and no lamp shines.
    #[default]
    Sunlit,
    /// Everything is dark.
    Dark,
    /// Words of bricks.
    Mixed(Vec<u32>),
}

/// The levels of the voxels of a chunk and around it, by y + 1, z + 1 and x + 1. Rows are padded to
/// whole bricks.
type Levels = [[[u16; 4 * BRICKS]; LAYER]; LAYER];

/// Buffers, reused between chunks.
struct Buffers {
    levels: Box<Levels>,
    /// Voxels that stop light and emit none, and voxels of the chunk that are not air.
    voxels: Box<[Words; 2]>,
    /// Smooth ground.
    ground: Box<[Words; 1]>,
    /// Voxels that count.
    seen: Box<Words>,
    toggles: Box<[u32; 2 * (AREA + 1)]>,
}

impl Default for Buffers {
    fn default() -> Buffers {
        Buffers {
            levels: boxed([[0; 4 * BRICKS]; LAYER]),
            voxels: boxed([[0; LAYER]; LAYER]),
            ground: boxed([[0; LAYER]; LAYER]),
            seen: boxed([0; LAYER]),
            toggles: boxed(0),
        }
    }
}

impl LightBricks {
    /// Builds the bricks of the middle chunk. `lights` holds the light of each of `chunks`; `None`
    /// counts as dark. `contour` says which materials are smooth ground.
    #[must_use]
    pub fn new(
        chunks: &ChunkNeighbourhoodRef<'_>,
        lights: &[Option<&ChunkLight>; MOORE_LEN],
        traits: &LightTraits,
        contour: &ContourMaterials,
    ) -> LightBricks {
        thread_local! {
            static BUFFERS: RefCell<Buffers> = RefCell::default();
        }
        BUFFERS.with_borrow_mut(|buffers| buffers.bricks(chunks, lights, traits, contour))
    }

    /// The words for the graphics card; empty for uniform light.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        if let LightBricks::Mixed(words) = self { words } else { &[] }
    }

    /// Bytes on the graphics card.
    #[must_use]
    pub fn gpu_bytes(&self) -> usize {
        size_of_val(self.words())
    }

    /// The levels of a voxel; coordinates are from -1 to 32. Arbitrary for voxels that do not
    /// count.
    #[must_use]
    pub fn levels(&self, at: IVec3) -> LightLevels {
        let words = match self {
            LightBricks::Sunlit => return LightLevels::SUNLIT,
            LightBricks::Dark => return LightLevels::DARK,
            LightBricks::Mixed(words) => words,
        };
        let at = (at + 1).as_usizevec3();
        let brick = at / 4;
        let inside = at % 4;
        let voxel = inside.x + 4 * inside.z + 16 * inside.y;
        let level = |start: usize, channels: usize, number: usize| -> u8 {
            let row = words[start + brick.y + BRICKS * brick.z];
            if row >> brick.x & 1 == 0 {
                return if row >> (BRICKS + brick.x) & 1 == 1 { 15 } else { 0 };
            }
            let before = (row >> (2 * BRICKS)) + (row & ((1 << brick.x) - 1)).count_ones();
            let first = start + ROWS + CHANNEL_WORDS * (channels * before as usize + number);
            (words[first + voxel / 8] >> (4 * (voxel % 8)) & 0xF) as u8
        };
        let sun = LightLevels::DARK.with(Channel::Sun, level(1, 1, 0));
        match words[0] as usize {
            0 => sun,
            start => [Channel::Red, Channel::Green, Channel::Blue]
                .into_iter()
                .enumerate()
                .fold(sun, |levels, (number, channel)| {
                    levels.with(channel, level(start, 3, number))
                }),
        }
    }
}

impl Buffers {
    fn bricks(
        &mut self,
        chunks: &ChunkNeighbourhoodRef<'_>,
        lights: &[Option<&ChunkLight>; MOORE_LEN],
        traits: &LightTraits,
        contour: &ContourMaterials,
    ) -> LightBricks {
        let uniform = |light: &Option<&ChunkLight>| {
            light.map_or(Some(LightLevels::DARK), ChunkLight::as_uniform)
        };
        let first = uniform(&lights[MOORE_CENTRE]);
        if lights.iter().all(|light| uniform(light) == first) {
            match first {
                Some(LightLevels::SUNLIT) => return LightBricks::Sunlit,
                Some(LightLevels::DARK) => return LightBricks::Dark,
                _ => {}
            }
        }
        self.find_seen(chunks, traits, contour);
        self.levels.as_flattened_mut().fill([0; 4 * BRICKS]);
        for offset in neighbour_offsets() {
            if let Some(light) = lights[neighbour_index(offset)] {
                read_levels(light, offset, &mut self.levels);
            }
        }
        let mut words = vec![0; 1 + ROWS];
        let is_coloured = self.push_channels(&[Channel::Sun], 1, &mut words);
        if is_coloured {
            words[0] = words.len() as u32;
            words.resize(words.len() + ROWS, 0);
            let start = words[0] as usize;
            self.push_channels(&[Channel::Red, Channel::Green, Channel::Blue], start, &mut words);
        }
        LightBricks::Mixed(words)
    }

    /// Finds the voxels that count, and writes them to `seen`.
    fn find_seen(
        &mut self,
        chunks: &ChunkNeighbourhoodRef<'_>,
        traits: &LightTraits,
        contour: &ContourMaterials,
    ) {
        for words in self.voxels.iter_mut() {
            words.as_flattened_mut().fill(0);
        }
        let blocked = |voxel: Voxel| {
            traits.loss(voxel).is_none() && traits.emitted(voxel) == LightLevels::DARK
        };
        for offset in neighbour_offsets() {
            let Some(tree) = chunks.chunks[neighbour_index(offset)] else { continue };
            let has_matter = |voxel: Voxel| offset == IVec3::ZERO && voxel != Voxel::AIR;
            let mask = |is_set: bool| if is_set { u32::MAX } else { 0 };
            let masks =
                tree.values().map(|voxel| [blocked(voxel), has_matter(voxel)].map(mask)).collect();
            read_voxels(
                tree,
                &ChunkPart::new(offset),
                masks,
                &mut self.toggles[..],
                &mut self.voxels[..],
            );
        }
        let has_ground = self.find_ground(chunks, contour);
        let [blocked, matter] = &mut *self.voxels;
        if has_ground {
            let [ground] = &mut *self.ground;
            spread(ground);
            for (matter, near) in matter.as_flattened_mut().iter_mut().zip(ground.as_flattened()) {
                *matter |= near;
            }
        }
        spread(matter);
        let rows = matter.as_flattened().iter().zip(blocked.as_flattened());
        for (seen, (near, blocked)) in self.seen.as_flattened_mut().iter_mut().zip(rows) {
            *seen = near & !blocked;
        }
    }

    /// Finds smooth ground, and writes it to `ground`. Returns false, and writes nothing, if there
    /// is none.
    fn find_ground(
        &mut self,
        chunks: &ChunkNeighbourhoodRef<'_>,
        contour: &ContourMaterials,
    ) -> bool {
        let mut all = chunks.chunks.iter().flatten().flat_map(|tree| tree.values());
        if !contour.any_ground() || !all.any(|voxel| contour.is_ground(voxel)) {
            return false;
        }
        self.ground.as_flattened_mut().as_flattened_mut().fill(0);
        for offset in neighbour_offsets() {
            let Some(tree) = chunks.chunks[neighbour_index(offset)] else { continue };
            let mask = |voxel| [if contour.is_ground(voxel) { u32::MAX } else { 0 }];
            let masks = tree.values().map(mask).collect();
            let part = ChunkPart::new(offset);
            read_voxels(tree, &part, masks, &mut self.toggles[..], &mut self.ground[..]);
        }
        true
    }

    /// Appends the bricks of these channels, whose row words begin at `start`. True if any voxel
    /// has light of lamps.
    fn push_channels(&self, channels: &[Channel], start: usize, words: &mut Vec<u32>) -> bool {
        let bits = channels
            .iter()
            .fold(LightLevels::DARK, |levels, &channel| levels.with(channel, 15))
            .bits();
        // Only the sun has fully lit bricks.
        let (bits, full) =
            (four(bits), if channels == [Channel::Sun] { four(bits) } else { u64::MAX });
        let mut before = 0;
        let mut all = 0;
        for row in 0..ROWS {
            let by = row % BRICKS;
            let bz = row / BRICKS;
            let mut mixed = 0;
            let mut sunlit = 0;
            let seen = |i: usize| {
                self.seen.get(4 * by + i / 4).and_then(|rows| rows.get(4 * bz + i % 4)).copied()
            };
            let seen: [u64; 16] = std::array::from_fn(|i| seen(i).unwrap_or(0));
            let any = seen.iter().fold(0, |any, row| any | row);
            for bx in (0..BRICKS).filter(|bx| any >> (4 * bx) & 0xF != 0) {
                let mut some = 0;
                let mut every = u64::MAX;
                for i in (0..16).filter(|&i| seen[i] >> (4 * bx) & 0xF != 0) {
                    let mask = SEEN[(seen[i] >> (4 * bx)) as usize & 0xF];
                    let levels = self.row_of_brick([bx, by, bz], i);
                    some |= levels & mask;
                    every &= levels | !mask;
                }
                all |= some;
                if some & bits == 0 {
                    continue;
                }
                if every & bits == full {
                    sunlit |= 1 << bx;
                    continue;
                }
                mixed |= 1 << bx;
                for channel in channels {
                    let row = |i: usize| {
                        nibbles(self.row_of_brick([bx, by, bz], i) >> (4 * *channel as u32))
                    };
                    words.extend(
                        (0..CHANNEL_WORDS).map(|word| row(2 * word) | row(2 * word + 1) << 16),
                    );
                }
            }
            words[start + row] = mixed | sunlit << BRICKS | before << (2 * BRICKS);
            before += mixed.count_ones();
        }
        all & !four(LightLevels::SUNLIT.bits()) != 0
    }

    /// The levels of four voxels along x of a brick, 16 bits each; rows are numbered z + 4 y.
    #[inline]
    fn row_of_brick(&self, [bx, by, bz]: [usize; 3], i: usize) -> u64 {
        // The last bricks reach beyond the voxels around the chunk. Voxels there do not count.
        let y = (4 * by + i / 4).min(LAYER - 1);
        let z = (4 * bz + i % 4).min(LAYER - 1);
        let row = &self.levels[y][z].as_chunks::<4>().0[bx];
        row.iter().rev().fold(0, |levels, &level| levels << 16 | u64::from(level))
    }
}

/// Adds all voxels next to the voxels of a set, also those at their edges and corners.
fn spread(voxels: &mut Words) {
    for layer in voxels.iter_mut() {
        for row in layer.iter_mut() {
            // Not beyond the voxels around the chunk.
            *row |= (*row << 1 | *row >> 1) & ((1 << LAYER) - 1);
        }
        let rows = *layer;
        for z in 0..LAYER {
            layer[z] |= rows[z.saturating_sub(1)] | rows[(z + 1).min(LAYER - 1)];
        }
    }
    let mut below = voxels[0];
    for y in 0..LAYER {
        let here = voxels[y];
        let above = voxels[(y + 1).min(LAYER - 1)];
        for (row, (below, above)) in voxels[y].iter_mut().zip(below.iter().zip(above)) {
            *row |= below | above;
        }
        below = here;
    }
}

/// The same 16 bits four times.
const fn four(bits: u16) -> u64 {
    bits as u64 * 0x0001_0001_0001_0001
}

/// The lowest four bits of each group of 16, packed.
fn nibbles(levels: u64) -> u32 {
    (levels & 0xF | levels >> 12 & 0xF0 | levels >> 24 & 0xF00 | levels >> 36 & 0xF000) as u32
}

/// For each subset of four voxels, a mask of all 16 bits of the voxels in it.
const SEEN: [u64; 16] = {
    let mut masks = [0; 16];
    let mut number = 0;
    while number < 64 {
        if (number / 4) >> (number % 4) & 1 == 1 {
            masks[number / 4] |= 0xFFFF << (16 * (number % 4));
        }
        number += 1;
    }
    masks
};

/// Reads the part of a chunk's light that lies within one voxel of the middle chunk.
fn read_levels(light: &ChunkLight, offset: IVec3, levels: &mut Levels) {
    let tree = light.tree();
    let values: Vec<u16> =
        tree.values().map(|value| LightLevels::from_voxel(value).bits()).collect();
    let last = SIDE - 1;
    // Along an axis: index of the first voxel, number of voxels, index in `levels`.
    let part = |step: i32| match step {
        -1 => (last, 1, 0),
        0 => (0, SIDE, 1),
        _ => (0, 1, SIDE + 1),
    };
    let [(x, width, to_x), (y, height, to_y), (z, depth, to_z)] = offset.to_array().map(part);
    if width == SIDE {
        for layer in 0..height {
            let first = AREA * (y + layer) + SIDE * z;
            tree.for_each_coded(first..first + SIDE * depth, |start, end, code| {
                let mut at = start - first;
                let end = end - first;
                while at < end {
                    let row_end = end.min((at / SIDE + 1) * SIDE);
                    let row = &mut levels[to_y + layer][to_z + at / SIDE];
                    row[1 + at % SIDE..][..row_end - at].fill(values[code]);
                    at = row_end;
                }
            });
        }
    } else if depth == SIDE {
        // The part has one voxel per row. Each run sets the rows whose voxel it contains.
        let first = AREA * y;
        tree.for_each_coded(first..first + AREA * height, |start, end, code| {
            let rows = (start - first + last - x) / SIDE..(end - first + last - x) / SIDE;
            for row in rows {
                levels[to_y + row / SIDE][to_z + row % SIDE][to_x] = values[code];
            }
        });
    } else {
        for layer in 0..height {
            let value = tree.get(AREA * (y + layer) + SIDE * z + x);
            levels[to_y + layer][to_z][to_x] = LightLevels::from_voxel(value).bits();
        }
    }
}

/// Adds the bits of a part of a chunk to `words`. `masks` holds the bits of each palette entry.
fn read_voxels<const N: usize>(
    tree: &RunTree,
    part: &ChunkPart,
    masks: Vec<BitMasks<N>>,
    toggles: &mut [u32],
    words: &mut [Words],
) {
    if masks.iter().all(|mask| *mask == masks[0]) {
        part.write(words, |_| masks[0]);
        return;
    }
    let toggles = RowToggles::new(toggles, part.row_count());
    part.read(tree, |code| masks[code], toggles, |number, row| part.write_row(words, number, row));
}

#[cfg(test)]
mod tests;
