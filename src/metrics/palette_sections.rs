//! What a chunk costs as packed palettes, the way Minecraft keeps blocks since 1.18: counted from its runs.
//!
//! There a section is 16^3 voxels with a palette of its own, so a chunk is eight of them, and what is mixed in one does not
//! make the others larger. Nothing is packed to count this: each run marks the sections that it touches, and the number of
//! different voxels of a section says how many bits its indices have. The figure is the content alone, no pointer and no
//! header of a section; a test holds it against the store in `lab/rivals/palette.rs`.

use crate::runs::Run;
use crate::voxel::Voxel;
use rustc_hash::FxHashMap;

/// Voxels in a section.
const VOLUME: u64 = 4096;
/// Bytes of an entry of a palette: a number of 16 bits for a kind of voxel, of which a table of the world knows the rest.
const ENTRY: u64 = 2;
/// Bits of a voxel where there is no palette. Minecraft has 15; 13 to 16 take the same room, four in a word of 64.
const DIRECT: u32 = 15;

/// The different voxels of a chunk, and in which of its sections each is.
#[derive(Default)]
pub(super) struct Sections {
    /// A bit for each section: 1 more x, 2 more z, 4 more y.
    holding: FxHashMap<Voxel, u8>,
}

impl Sections {
    pub(super) fn add(&mut self, run: &Run) {
        *self.holding.entry(run.voxel).or_default() |= touched(run.start, run.end() - 1);
    }

    /// Different voxels of the chunk.
    pub(super) fn kinds(&self) -> u64 {
        self.holding.len() as u64
    }

    /// Bytes of all eight sections, once the runs of a whole chunk were added.
    pub(super) fn bytes(&self) -> u64 {
        let kinds = |section: u32| self.holding.values().map(|mask| u64::from(mask >> section & 1)).sum();
        (0..8).map(|section| section_bytes(kinds(section))).sum()
    }
}

/// Bytes of a section of so many different voxels, at least one: palette and words.
fn section_bytes(kinds: u64) -> u64 {
    let bits = match kinds {
        // Minecraft keeps no indices for one kind, and never less than 4 bits for more.
        ..=1 => return ENTRY,
        n => ((n - 1).ilog2() + 1).max(4),
    };
    // No index goes over the border of a word of 64 bits.
    let words = |bits: u32| VOLUME.div_ceil(u64::from(64 / bits)) * 8;
    // From 9 bits on there is no palette: the voxels' own numbers are packed.
    if bits > 8 { words(DIRECT) } else { words(bits) + kinds * ENTRY }
}

/// The sections that hold a voxel of the linear order's `first..=last`.
fn touched(first: u32, last: u32) -> u8 {
    const WEST: u8 = 1;
    const EAST: u8 = 2;
    // Half a row is in one section, and many runs are in half a row.
    if first >> 4 == last >> 4 {
        return 1 << ((first >> 4 & 1) | (first >> 9 & 1) << 1 | (first >> 14) << 2);
    }
    // Rows of 32 come in groups of 16, which are in the same two sections; groups alternate in z, and after 32 of them in y.
    let pair = |row: u32, halves: u8| halves << (2 * (row >> 4 & 1) + 4 * (row >> 9));
    let (from, to) = (first >> 5, last >> 5);
    if from == to {
        return pair(from, WEST | EAST);
    }
    let begins = if first & 31 < 16 { WEST } else { 0 };
    let ends = if last & 31 >= 16 { EAST } else { 0 };
    // The first row is touched up to its end, the last from its beginning, and those between as a whole.
    let mut mask = pair(from, begins | EAST) | pair(to, WEST | ends);
    let mut row = from + 1;
    while row < to && mask != u8::MAX {
        mask |= pair(row, WEST | EAST);
        // On to the next group.
        row = (row | 15) + 1;
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::linear_offset;

    #[test]
    fn runs_touch_the_sections_of_their_voxels() {
        let section = |index: u32| {
            let at: glam::IVec3 = linear_offset(index as usize) >> 4;
            1u8 << (at.x + 2 * at.z + 4 * at.y)
        };
        let starts = [0, 1, 15, 16, 31, 32, 480, 495, 500, 512, 1000, 1023, 1024, 16000, 16383, 16384, 20000, 32767];
        for first in starts {
            for len in [1, 2, 15, 16, 17, 32, 33, 100, 480, 512, 513, 600, 1024, 3000, 16384, 32768] {
                let last = (first + len - 1).min(32767);
                let expected = (first..=last).map(section).fold(0, |all, one| all | one);
                assert_eq!(touched(first, last), expected, "{first}..={last}");
            }
        }
    }

    #[test]
    fn sections_cost_what_the_format_says() {
        // One kind: its number. 4 bits: 16 in a word. 5 bits: 12. 6: 10. 7: 9. 8: 8. Beyond: 4 in a word, no palette.
        for (kinds, bytes) in [
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
            assert_eq!(section_bytes(kinds), bytes, "{kinds} kinds");
        }
    }
}
