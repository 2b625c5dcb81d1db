//! Mips: a bit per cell of a chunk, set if the cell contains matter, so that rays cross empty space
//! in steps of 8 or 4 voxels.
//!
//! The Roblox text keeps downsampled voxels with the guarantee that a cell is air only where all
//! its voxels are. Here only this information is stored, and it is exact. The mips of 4^3 cells (of
//! 8^3 voxels) and of 8^3 cells (of 4^3 voxels) take 72 bytes in the head of the run table, so they
//! are shared, copied and freed with it.
//!
//! The mip of 16^3 cells (of 2^3 voxels) would take 512 bytes more, a fifth of a typical chunk of
//! terrain, and a ray crosses such a small cell in two or three steps. So it is not stored: queries
//! read the runs, with four short reads each, and rays do not use it (`docs/measurements.md`).
//!
//! Cost of edits: a voxel that becomes matter sets two bits. A voxel that becomes air searches its
//! cell of 4^3 voxels for matter, with at most 16 reads. A range edit or a rebuild walks the runs
//! once.
//!
//! Source: Roblox, "Memory format".

mod query;
#[cfg(test)]
mod tests;

use super::run::{BLOCKS, CodedRun};
use crate::voxel::{CHUNK_VOLUME, Voxel};
use std::ops::Range;

/// Number of 16-bit words of the stored mips: 64 bits for 4^3 cells, then 512 bits for 8^3 cells.
pub(super) const WORDS: usize = 4 + 32;
/// First bit of the mip of 8^3 cells.
const FINE: usize = 4 * 16;

/// A mip of a chunk, named by the number of its cells along each axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mip {
    /// 16^3 cells of 2^3 voxels.
    Cells16,
    /// 8^3 cells of 4^3 voxels.
    Cells8,
    /// 4^3 cells of 8^3 voxels.
    Cells4,
}

impl Mip {
    /// Side of a cell in voxels.
    #[must_use]
    pub(crate) const fn cell_side(self) -> i32 {
        match self {
            Mip::Cells16 => 2,
            Mip::Cells8 => 4,
            Mip::Cells4 => 8,
        }
    }
}

/// Collects the mips of a chunk from its runs of air.
pub(super) struct MipBuilder {
    /// One bit for every four voxels of a row (x = 0, 4, 8 ...), set if all four are air; one u64
    /// per block of 256 voxels, which is eight rows.
    fours: [u64; BLOCKS],
}

impl Default for MipBuilder {
    fn default() -> MipBuilder {
        MipBuilder { fours: [0; BLOCKS] }
    }
}

impl MipBuilder {
    /// Adds a run of air. The run must be complete: four voxels that are split over two calls are
    /// not recognised.
    #[inline]
    pub(crate) fn add_air(&mut self, range: Range<usize>) {
        let first = range.start.div_ceil(4);
        let end = range.end / 4;
        if first >= end {
            return;
        }
        let from = u64::MAX << (first % 64);
        let to = u64::MAX >> (63 - (end - 1) % 64);
        let block = first / 64;
        let last = (end - 1) / 64;
        if block == last {
            self.fours[block] |= from & to;
        } else {
            self.fours[block] |= from;
            self.fours[block + 1..last].fill(u64::MAX);
            self.fours[last] |= to;
        }
    }

    /// Creates a builder from rows of 32 voxels, whose bits are set for air.
    pub(crate) fn from_rows(rows: impl Iterator<Item = u32>) -> MipBuilder {
        let mut builder = MipBuilder::default();
        for (number, air) in rows.enumerate() {
            let twos = air & air >> 1;
            // Moves bits 0, 4, 8 ... next to each other.
            let fours = twos & twos >> 2 & 0x1111_1111;
            let pairs = (fours | fours >> 3) & 0x0303_0303;
            let quads = (pairs | pairs >> 6) & 0x000F_000F;
            builder.fours[number / 8] |=
                u64::from((quads | quads >> 12) & 0xFF) << (number % 8 * 8);
        }
        builder
    }

    /// Returns the words of the mips.
    pub fn finish(&self) -> [u16; WORDS] {
        let mut layers = [0; 8];
        // 16 numbers hold four layers of voxels, which make one layer of cells.
        for (layer, four) in layers.iter_mut().zip(self.fours.as_chunks::<16>().0) {
            for half in 0..4 {
                // Combines eight rows of the four layers, then the rows z = 0 to 3 and z = 4 to 7.
                let rows = four[half] & four[half + 4] & four[half + 8] & four[half + 12];
                let twos = rows & rows >> 8;
                let fours = twos & twos >> 16;
                *layer |= ((fours & 0xFF) | (fours >> 24 & 0xFF00)) << (16 * half);
            }
        }
        let mut words = [0; WORDS];
        let (coarse, fine) = words.split_at_mut(4);
        for (words, layer) in fine.as_chunks_mut::<4>().0.iter_mut().zip(layers) {
            *words = [0, 16, 32, 48].map(|by| (!layer >> by) as u16);
        }
        for (word, pair) in coarse.iter_mut().zip(layers.as_chunks::<2>().0) {
            *word = halved(!pair[0] | !pair[1]);
        }
        words
    }
}

/// Reduces a layer of 8^2 cells to 4^2: each bit is the union of the four bits of a square.
fn halved(layer: u64) -> u16 {
    let rows = (layer | layer >> 8) & 0x00FF_00FF_00FF_00FF;
    let both = (rows | rows >> 1) & 0x0055_0055_0055_0055;
    let pairs = (both | both >> 1) & 0x0033_0033_0033_0033;
    let fours = (pairs | pairs >> 2) & 0x000F_000F_000F_000F;
    (fours | fours >> 12 | fours >> 24 | fours >> 36) as u16
}

/// Computes the mips of a chunk's runs.
pub(super) fn from_runs(runs: &[CodedRun], palette: &[Voxel]) -> [u16; WORDS] {
    /// Number of runs that are searched for air before the found ones are added.
    const PART: usize = 64;
    let Some(air) = palette.iter().position(|voxel| voxel.is_air()) else {
        return [u16::MAX; WORDS];
    };
    let mut builder = MipBuilder::default();
    for (i, part) in runs.chunks(PART).enumerate() {
        // Whether a run is air is unpredictable, so this loop has no branch: it writes down every
        // number, and advances only past the numbers of runs of air.
        let mut found = [0u8; PART];
        let mut count = 0;
        for (number, run) in (0..).zip(part) {
            found[count % PART] = number;
            count += usize::from(usize::from(run.code) == air);
        }
        for number in &found[..count] {
            let run = i * PART + usize::from(*number);
            let end = runs.get(run + 1).map_or(CHUNK_VOLUME, |next| usize::from(next.start));
            builder.add_air(usize::from(runs[run].start)..end);
        }
    }
    builder.finish()
}

/// Numbers of the bits of the two cells that contain the voxel at linear index `at`: the cell of
/// 8^3 voxels and the cell of 4^3.
#[inline]
fn cell_bits(at: usize) -> (usize, usize) {
    let at = at % CHUNK_VOLUME;
    // x = at % 32, z = at / 32 % 32, y = at / 1024.
    (
        (at >> 3 & 3) | (at >> 8 & 3) << 2 | (at >> 13) << 4,
        FINE + ((at >> 2 & 7) | (at >> 7 & 7) << 3 | (at >> 12) << 6),
    )
}

/// Updates mips after the voxel at linear index `at` became matter.
#[inline]
pub(super) fn set_matter(mips: &mut [u16; WORDS], at: usize) {
    let (coarse, fine) = cell_bits(at);
    mips[coarse / 16] |= 1 << (coarse % 16);
    mips[fine / 16] |= 1 << (fine % 16);
}

/// Updates mips after the cell of 4^3 voxels around linear index `at` became air.
pub(super) fn clear_cell(mips: &mut [u16; WORDS], at: usize) {
    let (coarse, fine) = cell_bits(at);
    mips[fine / 16] &= !(1 << (fine % 16));
    // The eight fine cells of the coarse cell: 2 x 2 in one layer, which is four words, and 2 x 2
    // in the next.
    let first = FINE + ((at >> 3 & 3) << 1 | (at >> 8 & 3) << 4 | (at >> 13) << 7);
    let four = 0x303 << (first % 16);
    if (mips[first / 16] | mips[first / 16 + 4]) & four == 0 {
        mips[coarse / 16] &= !(1 << (coarse % 16));
    }
}
