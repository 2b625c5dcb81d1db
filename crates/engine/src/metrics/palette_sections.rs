//! Size of a chunk as packed palettes, the way Minecraft stores blocks since 1.18, computed from
//! its runs.
//!
//! Minecraft divides a world into sections of 16^3 voxels, each with its own palette, so a chunk is
//! eight sections, and a mixed section does not enlarge the others. The size is computed without
//! packing anything: each run marks the sections it touches, and the number of different voxels of
//! a section determines the width of its indices. Pointers and section headers do not count. A test
//! compares the result with the store in `lab/rivals/palette.rs`.

use crate::runs::Run;
use crate::voxel::Voxel;
use rustc_hash::FxHashMap;

/// Number of voxels in a section.
const VOLUME: u64 = 4096;
/// Size in bytes of a palette entry: a 16-bit number that refers to a table of the world.
const ENTRY: u64 = 2;
/// Bits per voxel in a section without a palette. Minecraft uses 15; any width from 13 to 16 takes
/// the same room, four voxels per 64-bit word.
const DIRECT: u32 = 15;

/// The different voxels of a chunk, each with the sections that contain it.
#[derive(Default)]
pub(super) struct Sections {
    /// Bit mask of sections per voxel. The number of a section is x + 2 z + 4 y, each coordinate 0
    /// or 1.
    sections_of: FxHashMap<Voxel, u8>,
}

impl Sections {
    pub(super) fn add(&mut self, run: &Run) {
        *self.sections_of.entry(run.voxel).or_default() |= touched(run.start, run.end() - 1);
    }

    /// Number of different voxels of the chunk.
    pub(super) fn value_count(&self) -> u64 {
        self.sections_of.len() as u64
    }

    /// Returns the bytes of all eight sections, once all runs of a chunk have been added.
    pub(super) fn bytes(&self) -> u64 {
        let values = |section: u32| {
            self.sections_of.values().map(|mask| u64::from(mask >> section & 1)).sum()
        };
        (0..8).map(|section| section_bytes(values(section))).sum()
    }
}

/// Returns the bytes of palette and indices of a section with `values` different voxels, at least
/// one.
fn section_bytes(values: u64) -> u64 {
    let bits = match values {
        // Minecraft stores no indices for one value, and at least 4 bits for more.
        ..=1 => return ENTRY,
        n => ((n - 1).ilog2() + 1).max(4),
    };
    // An index does not cross a 64-bit word.
    let words = |bits: u32| VOLUME.div_ceil(u64::from(64 / bits)) * 8;
    // Indices of 9 bits or more are not used: the voxels' numbers are packed without a palette.
    if bits > 8 { words(DIRECT) } else { words(bits) + values * ENTRY }
}

/// Returns the mask of the sections that contain a voxel with a linear index in `first..=last`.
fn touched(first: u32, last: u32) -> u8 {
    const WEST: u8 = 1;
    const EAST: u8 = 2;
    // Half a row lies in one section, and many runs lie within half a row.
    if first >> 4 == last >> 4 {
        return 1 << ((first >> 4 & 1) | (first >> 9 & 1) << 1 | (first >> 14) << 2);
    }
    // 16 consecutive rows of 32 lie in the same two sections. Groups of 16 rows alternate in z;
    // after 32 groups the sections change in y.
    let pair = |row: u32, halves: u8| halves << (2 * (row >> 4 & 1) + 4 * (row >> 9));
    let from = first >> 5;
    let to = last >> 5;
    if from == to {
        return pair(from, WEST | EAST);
    }
    let begins = if first & 31 < 16 { WEST } else { 0 };
    let ends = if last & 31 >= 16 { EAST } else { 0 };
    // The run touches the end of the first row, the beginning of the last, and all rows in between.
    let mut mask = pair(from, begins | EAST) | pair(to, WEST | ends);
    let mut row = from + 1;
    while row < to && mask != u8::MAX {
        mask |= pair(row, WEST | EAST);
        // The next row in another pair of sections.
        row = (row | 15) + 1;
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::linear_offset;

    #[test]
    fn run_touches_exactly_the_sections_of_its_voxels() {
        let section = |index: u32| {
            let at: glam::IVec3 = linear_offset(index as usize) >> 4;
            1u8 << (at.x + 2 * at.z + 4 * at.y)
        };
        let starts = [
            0, 1, 15, 16, 31, 32, 480, 495, 500, 512, 1000, 1023, 1024, 16000, 16383, 16384, 20000,
            32767,
        ];
        for first in starts {
            for len in [1, 2, 15, 16, 17, 32, 33, 100, 480, 512, 513, 600, 1024, 3000, 16384, 32768]
            {
                let last = (first + len - 1).min(32767);
                let expected = (first..=last).map(section).fold(0, |all, one| all | one);
                assert_eq!(touched(first, last), expected, "{first}..={last}");
            }
        }
    }

    #[test]
    fn section_size_follows_the_format() {
        // One value: one entry. Then indices of 4 bits, 16 per word; 5 bits, 12; 6 bits, 10; 7
        // bits, 9; 8 bits, 8. Above: 4 voxels per word and no palette.
        for (values, bytes) in [
            (1, 2),
            (2, 2048 + 4),
            (16, 2048 + 32),
            (17, 342 * 8 + 34),
            (33, 410 * 8 + 66),
            (65, 456 * 8 + 130),
            (129, 4096 + 258),
            (256, 4096 + 512),
            (257, 8192),
            (4096, 8192),
        ] {
            assert_eq!(section_bytes(values), bytes, "{values} values");
        }
    }
}
