//! The light in and around a chunk for the graphics card, which reads it per fragment.
//!
//! Space is divided into bricks of 4 x 4 x 4 voxels, 9 along each axis; brick (0, 0, 0) begins at
//! the voxel (-1, -1, -1). Voxels that stop light do not count. Layout in 32-bit words:
//!
//! ```text
//! 1 word         where the colours begin, from this word; 0 without any
//! 81 row words   of the sun, row of bricks by + 9 bz:
//!                bits 0-8    bit bx: the brick is mixed
//!                bits 9-17   bit bx: all its voxels are fully sunlit; the others are dark
//!                bits 18-31  mixed bricks in the rows before
//! 8 words        per mixed brick: four bits per voxel, x + 4 z + 16 y of the 64 from the lowest
//! 81 row words   of the colours: the same, without fully lit bricks
//! 24 words       per mixed brick: 8 each of red, green and blue
//! ```
//!
//! Only bricks near voxels of the chunk that are not air are stored; nothing is drawn elsewhere.

use super::light_traits::LightTraits;
use super::{Channel, ChunkLight, LightLevels};
use crate::runs::RunTree;
use crate::runs::bit_rows::{AREA, BitMasks, ChunkPart, LAYER, RowToggles, Words, boxed};
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{CHUNK_SIDE, MOORE_CENTRE, MOORE_LEN, Voxel, neighbour_index, neighbour_offsets};
use std::cell::RefCell;

/// Bricks along an axis.
const BRICKS: usize = 9;
/// Row words.
const ROWS: usize = BRICKS * BRICKS;
/// Bits of all voxels in a row of bricks.
const FULL: u64 = (1 << (4 * BRICKS)) - 1;
/// The lowest bit of each brick in a row.
const FIRST_BITS: u64 = FULL / 0xF;
/// Words of one channel of a mixed brick.
const CHANNEL_WORDS: usize = 8;

/// Light of a chunk and of the voxels next to it; see the module documentation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum LightBricks {
    /// Everything is fully sunlit, and no lamp shines.
    #[default]
    Sunlit,
    /// There is no light at all.
    Dark,
    /// Words of bricks.
    Mixed(Vec<u32>),
}

/// Buffers, reused between chunks.
struct Buffers {
    /// Bits of the levels of the channels that are read.
    levels: Box<[Words; 4]>,
    /// Voxels that stop light and emit none.
    blocked: Box<[Words; 1]>,
    toggles: Box<[u32; 4 * (AREA + 1)]>,
}

impl Default for Buffers {
    fn default() -> Buffers {
        Buffers { levels: boxed([[0; LAYER]; LAYER]), blocked: boxed([[0; LAYER]; LAYER]), toggles: boxed(0) }
    }
}

impl LightBricks {
    /// The bricks of the middle chunk. `lights` are those of `chunks`; what is not known is dark.
    #[must_use]
    pub fn new(
        chunks: &ChunkNeighbourhoodRef<'_>,
        lights: &[Option<&ChunkLight>; MOORE_LEN],
        traits: &LightTraits,
    ) -> LightBricks {
        thread_local! {
            static BUFFERS: RefCell<Buffers> = RefCell::default();
        }
        BUFFERS.with_borrow_mut(|buffers| buffers.bricks(chunks, lights, traits))
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

    /// The levels of a voxel; coordinates are from -1 to 32. For tests: of bricks that are not
    /// stored, and of voxels that stop light, the levels are arbitrary.
    #[must_use]
    pub fn levels(&self, at: glam::IVec3) -> LightLevels {
        let words = match self {
            LightBricks::Sunlit => return LightLevels::SUNLIT,
            LightBricks::Dark => return LightLevels::DARK,
            LightBricks::Mixed(words) => words,
        };
        let at = (at + 1).as_usizevec3();
        let (brick, inside) = (at / 4, at % 4);
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
                .fold(sun, |levels, (number, channel)| levels.with(channel, level(start, 3, number))),
        }
    }
}

impl Buffers {
    fn bricks(
        &mut self,
        chunks: &ChunkNeighbourhoodRef<'_>,
        lights: &[Option<&ChunkLight>; MOORE_LEN],
        traits: &LightTraits,
    ) -> LightBricks {
        let uniform = |light: &Option<&ChunkLight>| light.map_or(Some(LightLevels::DARK), ChunkLight::as_uniform);
        let first = uniform(&lights[MOORE_CENTRE]);
        if lights.iter().all(|light| uniform(light) == first) {
            match first {
                Some(LightLevels::SUNLIT) => return LightBricks::Sunlit,
                Some(LightLevels::DARK) => return LightBricks::Dark,
                _ => {}
            }
        }
        self.read_blocked(chunks, traits);
        let near = self.bricks_near_matter(chunks);
        self.read_levels(lights, Channel::Sun);
        let mut words = vec![0; 1 + ROWS];
        self.push_sun(&near, &mut words);
        // The voxels around may be darker than the chunk; of it alone only lit bricks count.
        let has_colour =
            |light: &&ChunkLight| light.values().any(|levels| levels.with(Channel::Sun, 0) != LightLevels::DARK);
        if lights.iter().flatten().any(has_colour) {
            words[0] = words.len() as u32;
            self.push_colours(lights, &near, &mut words);
        }
        LightBricks::Mixed(words)
    }

    /// Reads which voxels stop light and emit none.
    fn read_blocked(&mut self, chunks: &ChunkNeighbourhoodRef<'_>, traits: &LightTraits) {
        self.blocked[0].as_flattened_mut().fill(0);
        let blocked = |voxel: Voxel| traits.loss(voxel).is_none() && traits.emitted(voxel) == LightLevels::DARK;
        for offset in neighbour_offsets() {
            let Some(tree) = chunks.chunks[neighbour_index(offset)] else { continue };
            let masks = tree.values().map(|voxel| [if blocked(voxel) { u32::MAX } else { 0 }]).collect();
            read_part(tree, &ChunkPart::new(offset), masks, &mut self.toggles, &mut self.blocked[..]);
        }
    }

    /// Reads the levels of a channel.
    fn read_levels(&mut self, lights: &[Option<&ChunkLight>; MOORE_LEN], channel: Channel) {
        self.levels.iter_mut().for_each(|words| words.as_flattened_mut().fill(0));
        for offset in neighbour_offsets() {
            let Some(light) = lights[neighbour_index(offset)] else { continue };
            let bits = |levels: LightLevels| -> BitMasks<4> {
                let level = levels.get(channel);
                std::array::from_fn(|bit| if level >> bit & 1 == 1 { u32::MAX } else { 0 })
            };
            let masks = light.values().map(bits).collect();
            read_part(light.tree(), &ChunkPart::new(offset), masks, &mut self.toggles, &mut self.levels[..]);
        }
    }

    /// The bricks next to voxels of the chunk that are not air, and those with them: bit bx, by
    /// row.
    fn bricks_near_matter(&mut self, chunks: &ChunkNeighbourhoodRef<'_>) -> [u32; ROWS] {
        let Some(tree) = chunks.chunks[MOORE_CENTRE] else { return [0; ROWS] };
        self.levels[0].as_flattened_mut().fill(0);
        let masks = tree.values().map(|voxel| [if voxel == Voxel::AIR { 0 } else { u32::MAX }]).collect();
        let part = ChunkPart::new(glam::IVec3::ZERO);
        read_part(tree, &part, masks, &mut self.toggles, &mut self.levels[..1]);
        let with_matter: [u32; ROWS] = std::array::from_fn(|row| {
            let any = brick_rows(&self.levels[0], row).into_iter().fold(0, |any, row| any | row);
            first_bits((any | any >> 1 | any >> 2 | any >> 3) & FIRST_BITS)
        });
        std::array::from_fn(|row| {
            let (by, bz) = (row % BRICKS, row / BRICKS);
            let around = |n: usize| n.saturating_sub(1)..=(n + 1).min(BRICKS - 1);
            let any = around(bz).flat_map(|z| around(by).map(move |y| y + BRICKS * z));
            let any = any.fold(0, |any, row| any | with_matter[row]);
            (any | any << 1 | any >> 1) & ((1 << BRICKS) - 1)
        })
    }

    /// Appends the bricks of the sun.
    fn push_sun(&self, near: &[u32; ROWS], words: &mut Vec<u32>) {
        let mut before = 0;
        for row in 0..ROWS {
            let planes = [0, 1, 2, 3].map(|bit| brick_rows(&self.levels[bit], row));
            let blocked = brick_rows(&self.blocked[0], row);
            let all = |voxels: &dyn Fn(usize) -> u64| {
                let all = (0..16).fold(FULL, |all, i| all & (voxels(i) | blocked[i]));
                first_bits(all & all >> 1 & all >> 2 & all >> 3 & FIRST_BITS)
            };
            let dark = all(&|i| !(planes[0][i] | planes[1][i] | planes[2][i] | planes[3][i]));
            let sunlit = all(&|i| planes[0][i] & planes[1][i] & planes[2][i] & planes[3][i]) & !dark;
            let mixed = !dark & !sunlit & near[row];
            words[1 + row] = mixed | sunlit << BRICKS | before << (2 * BRICKS);
            before += mixed.count_ones();
            push_bricks(mixed, &[planes], words);
        }
    }

    /// Appends the bricks of the colours.
    fn push_colours(&mut self, lights: &[Option<&ChunkLight>; MOORE_LEN], near: &[u32; ROWS], words: &mut Vec<u32>) {
        let start = words.len();
        words.resize(start + ROWS, 0);
        let colours = [Channel::Red, Channel::Green, Channel::Blue].map(|channel| {
            self.read_levels(lights, channel);
            self.levels.clone()
        });
        let mut before = 0;
        for row in 0..ROWS {
            let planes = colours.each_ref().map(|levels| [0, 1, 2, 3].map(|bit| brick_rows(&levels[bit], row)));
            let blocked = brick_rows(&self.blocked[0], row);
            let any = (0..16)
                .fold(0, |any, i| any | planes.as_flattened().iter().fold(0, |any, rows| any | rows[i]) & !blocked[i]);
            let mixed = first_bits((any | any >> 1 | any >> 2 | any >> 3) & FIRST_BITS) & near[row];
            words[start + row] = mixed | before << (2 * BRICKS);
            before += mixed.count_ones();
            push_bricks(mixed, &planes, words);
        }
    }
}

/// Adds the bits of a part of a chunk whose palette entries have these masks to `words`.
fn read_part<const N: usize>(
    tree: &RunTree,
    part: &ChunkPart,
    masks: Vec<BitMasks<N>>,
    toggles: &mut [u32; 4 * (AREA + 1)],
    words: &mut [Words],
) {
    if masks.iter().all(|mask| *mask == masks[0]) {
        part.write(words, |_| masks[0]);
        return;
    }
    let toggles = RowToggles::new(&mut toggles[..], part.row_count());
    part.read(tree, |code| masks[code], toggles, |number, row| part.write_row(words, number, row));
}

/// The 16 rows of voxels of a row of bricks, z + 4 y, with bit 4 bx + x for each voxel.
fn brick_rows(words: &Words, row: usize) -> [u64; 16] {
    let (by, bz) = (row % BRICKS, row / BRICKS);
    // The last bricks reach beyond the voxels around the chunk, which are continued there.
    let number = |brick: usize, inside: usize| (4 * brick + inside).min(CHUNK_SIDE as usize + 1);
    std::array::from_fn(|i| {
        let word = words[number(by, i / 4)][number(bz, i % 4)];
        word | ((word >> 33 & 1) * (0b11 << 34))
    })
}

/// Bit bx for each brick whose lowest bit is set in a row.
fn first_bits(row: u64) -> u32 {
    (0..BRICKS).fold(0, |bits, bx| bits | ((row >> (4 * bx) & 1) as u32) << bx)
}

/// Appends the levels of the bricks of a row: for each the channels one after another, given as
/// the rows of bits of their levels.
fn push_bricks(mut mixed: u32, channels: &[[[u64; 16]; 4]], words: &mut Vec<u32>) {
    // The four bits of a number, each moved to the lowest bit of a hexadecimal digit.
    let spread = |bits: u64| (bits & 1 | (bits & 2) << 3 | (bits & 4) << 6 | (bits & 8) << 9) as u32;
    while mixed != 0 {
        let shift = 4 * mixed.trailing_zeros();
        mixed &= mixed - 1;
        for planes in channels {
            // Levels of the four voxels of a row of the brick.
            let levels = |i: usize| (0..4).fold(0, |row, bit| row | spread(planes[bit][i] >> shift) << bit);
            words.extend((0..CHANNEL_WORDS).map(|word| levels(2 * word) | levels(2 * word + 1) << 16));
        }
    }
}

#[cfg(test)]
mod tests;
