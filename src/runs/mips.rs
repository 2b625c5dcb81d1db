//! Mips: where in a chunk there is surely nothing, cell by cell, so that rays and others cross empty space in steps
//! of eight or four voxels instead of one.
//!
//! The Roblox text keeps downsampled voxels with the guarantee that where one is air, all below it is air. Of them only
//! that guarantee is kept here, and exactly: a bit a cell, set where the cell holds any matter. The mips of 4^3 and of
//! 8^3 cells (of 8^3 and 4^3 voxels) are 72 bytes at the head of the run table, so they are shared, copied and thrown away
//! with it. The mip of 16^3 cells (of 2^3 voxels) would be 512 bytes more, a fifth of a whole chunk of land, and a ray
//! crosses so small a cell in two or three steps anyway: its answers are read from the runs, four short reads each, and
//! rays do without it (`docs/measurements.md`).
//!
//! What edits cost: a voxel that becomes matter sets two bits. One that becomes air looks for matter left in its cell of
//! 4^3 voxels, at most 16 reads, mostly few. A range, and what is built anew, one pass over the runs.
//!
//! Source: Roblox, "Memory format".

use super::packed::PackedRef;
use super::table::{BLOCKS, CodedRun, TableRef};
use super::tree::{Repr, Run, RunTree};
use crate::voxel::{CHUNK_SIDE, CHUNK_VOLUME, Voxel, linear_index};
use glam::IVec3;
use std::ops::Range;

/// Words that the stored mips take: 64 bits and 512.
pub(super) const WORDS: usize = 4 + 32;
/// The first bit of the finer one.
const FINE: usize = 4 * 16;

/// A mip of a chunk, by the number of its cells along each axis.
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
    /// Voxels along a cell's side.
    #[must_use]
    pub const fn cell_side(self) -> i32 {
        match self {
            Mip::Cells16 => 2,
            Mip::Cells8 => 4,
            Mip::Cells4 => 8,
        }
    }
}

impl RunTree {
    /// True if there is nothing but air in `cell` of `mip`; `cell` counts cells from the chunk's lowest corner.
    #[must_use]
    pub fn is_air(&self, mip: Mip, cell: IVec3) -> bool {
        debug_assert!(cell.cmpge(IVec3::ZERO).all() && cell.cmplt(IVec3::splat(CHUNK_SIDE / mip.cell_side())).all());
        match mip {
            Mip::Cells4 => !self.has_matter(bits_of(linear_index(cell * 8)).0),
            Mip::Cells8 => !self.has_matter(bits_of(linear_index(cell * 4)).1),
            Mip::Cells16 => is_air(|index| self.run_at(index), cell * 2, 2),
        }
    }

    /// How large an empty cell the voxel at `at` (from the chunk's lowest corner) is surely in: 32 where the whole chunk is
    /// air, 8 or 4 where a cell of a mip is, else 1, whatever the voxel is.
    #[must_use]
    #[inline]
    pub fn empty_side(&self, at: IVec3) -> i32 {
        debug_assert!(at.cmpge(IVec3::ZERO).all() && at.cmplt(IVec3::splat(CHUNK_SIDE)).all());
        if let Repr::Uniform(voxel) = self.0 {
            return if voxel.is_air() { CHUNK_SIDE } else { 1 };
        }
        let (coarse, fine) = bits_of(linear_index(at));
        if !self.has_matter(coarse) {
            8
        } else if !self.has_matter(fine) {
            4
        } else {
            1
        }
    }

    /// Bit `bit` of the mips.
    #[inline]
    fn has_matter(&self, bit: usize) -> bool {
        match &self.0 {
            Repr::Uniform(voxel) => !voxel.is_air(),
            Repr::Table(table) => has(TableRef::new(table).mips(), bit),
            Repr::Packed(bytes) => PackedRef::new(bytes).mips()[bit / 8] >> (bit % 8) & 1 == 1,
        }
    }
}

#[inline]
fn has(words: &[u16], bit: usize) -> bool {
    words[bit / 16] >> (bit % 16) & 1 == 1
}

/// The mips of a chunk while its runs of air come in.
pub(super) struct MipBuilder {
    /// A bit for each four voxels of a row, from x = 0, 4, 8 on, set where all are air: a number for each block of 256
    /// voxels, which are eight rows.
    fours: [u64; BLOCKS],
}

impl Default for MipBuilder {
    fn default() -> MipBuilder {
        MipBuilder { fours: [0; BLOCKS] }
    }
}

impl MipBuilder {
    /// Adds a run of air, whole: of four voxels in two parts it would see nothing.
    #[inline]
    pub fn add_air(&mut self, range: Range<usize>) {
        let (first, end) = (range.start.div_ceil(4), range.end / 4);
        if first >= end {
            return;
        }
        let (from, to) = (u64::MAX << (first % 64), u64::MAX >> (63 - (end - 1) % 64));
        let (block, last) = (first / 64, (end - 1) / 64);
        if block == last {
            self.fours[block] |= from & to;
        } else {
            self.fours[block] |= from;
            self.fours[block + 1..last].fill(u64::MAX);
            self.fours[last] |= to;
        }
    }

    pub fn finish(&self) -> [u16; WORDS] {
        let mut layers = [0; 8];
        // 16 numbers are the rows of four layers of voxels.
        for (layer, four) in layers.iter_mut().zip(self.fours.as_chunks::<16>().0) {
            for half in 0..4 {
                // Eight rows of each of the four layers; then those at z = 0 to 3, and at 4 to 7.
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

/// A layer of 8^2 cells as one of 4^2: each bit the four bits of a square.
fn halved(layer: u64) -> u16 {
    let rows = (layer | layer >> 8) & 0x00FF_00FF_00FF_00FF;
    let both = (rows | rows >> 1) & 0x0055_0055_0055_0055;
    let pairs = (both | both >> 1) & 0x0033_0033_0033_0033;
    let fours = (pairs | pairs >> 2) & 0x000F_000F_000F_000F;
    (fours | fours >> 12 | fours >> 24 | fours >> 36) as u16
}

/// The mips of these runs.
pub(super) fn of_runs(runs: &[CodedRun], palette: &[Voxel]) -> [u16; WORDS] {
    /// Runs of which those of air are found before they are added.
    const PART: usize = 64;
    let Some(air) = palette.iter().position(|voxel| voxel.is_air()) else { return [u16::MAX; WORDS] };
    let mut gather = MipBuilder::default();
    for (i, part) in runs.chunks(PART).enumerate() {
        // Which are air is a matter of chance; so the numbers of all are written down, each over the last unless that is
        // air, and no branch waits for it.
        let (mut found, mut count) = ([0u8; PART], 0);
        for (number, run) in (0..).zip(part) {
            found[count % PART] = number;
            count += usize::from(usize::from(run.code) == air);
        }
        for number in &found[..count] {
            let run = i * PART + usize::from(*number);
            let end = runs.get(run + 1).map_or(CHUNK_VOLUME, |next| usize::from(next.start));
            gather.add_air(usize::from(runs[run].start)..end);
        }
    }
    gather.finish()
}

/// The mips of a table, from all its runs.
pub(super) fn of(view: TableRef<'_>) -> [u16; WORDS] {
    let mut gather = MipBuilder::default();
    let mut end = 0;
    while end < CHUNK_VOLUME {
        let run = view.whole_run(end);
        end = run.end() as usize;
        if run.voxel.is_air() {
            gather.add_air(run.start as usize..end);
        }
    }
    gather.finish()
}

/// The bits of the two cells that the voxel at linear index `at` is in: of 8^3 voxels, and of 4^3.
#[inline]
fn bits_of(at: usize) -> (usize, usize) {
    let at = at % CHUNK_VOLUME;
    // x 32 = at, z = at / 32, y = at / 1024.
    (
        (at >> 3 & 3) | (at >> 8 & 3) << 2 | (at >> 13) << 4,
        FINE + ((at >> 2 & 7) | (at >> 7 & 7) << 3 | (at >> 12) << 6),
    )
}

/// Corrects mips: the voxel at linear index `at` has become matter.
#[inline]
pub(super) fn filled(mips: &mut [u16; WORDS], at: usize) {
    let (coarse, fine) = bits_of(at);
    mips[coarse / 16] |= 1 << (coarse % 16);
    mips[fine / 16] |= 1 << (fine % 16);
}

/// Corrects mips: the cell of 4^3 voxels around linear index `at` has become empty.
pub(super) fn emptied(mips: &mut [u16; WORDS], at: usize) {
    let (coarse, fine) = bits_of(at);
    mips[fine / 16] &= !(1 << (fine % 16));
    // Two by two in one layer of cells, which is four words, and two by two in the next.
    let first = FINE + ((at >> 3 & 3) << 1 | (at >> 8 & 3) << 4 | (at >> 13) << 7);
    let four = 0x303 << (first % 16);
    if (mips[first / 16] | mips[first / 16 + 4]) & four == 0 {
        mips[coarse / 16] &= !(1 << (coarse % 16));
    }
}

/// True if there is nothing but air in the cell of 4^3 voxels around linear index `at`; `air` is the code of air.
pub(super) fn is_empty(view: TableRef<'_>, at: usize, air: u16) -> bool {
    let corner = at & !(3 | 3 << 5 | 3 << 10);
    (0..16).all(|i| {
        let row = corner + ((i % 4) << 5) + ((i / 4) << 10);
        view.is_one_run(row, 4, air)
    })
}

/// True if there is nothing but air in the cube of `side` voxels whose lowest corner is `at`.
fn is_air(run_at: impl Fn(usize) -> Run, at: IVec3, side: i32) -> bool {
    (0..side * side).all(|i| {
        let row = at.x + (at.z + i % side) * 32 + (at.y + i / side) * 1024;
        let run = run_at(row as usize);
        // After a run of air comes one of matter.
        run.voxel.is_air() && run.end() >= (row + side) as u32
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All three, voxel by voxel.
    fn check(tree: &RunTree) {
        for mip in [Mip::Cells16, Mip::Cells8, Mip::Cells4] {
            let (side, cells) = (mip.cell_side(), CHUNK_SIDE / mip.cell_side());
            for i in 0..cells * cells * cells {
                let cell = IVec3::new(i % cells, i / cells / cells, i / cells % cells);
                let mut voxels = (0..side * side * side)
                    .map(|i| cell * side + IVec3::new(i % side, i / side / side, i / side % side));
                let empty = voxels.all(|at| tree.get(linear_index(at)).is_air());
                assert_eq!(tree.is_air(mip, cell), empty, "{mip:?} {cell}");
                if mip != Mip::Cells16 && tree.as_uniform().is_none() {
                    let found = tree.empty_side(cell * side);
                    assert_eq!(found >= side, empty, "{mip:?} {cell}: {found}");
                }
            }
        }
    }

    #[test]
    fn packed_chunks_have_them_too() {
        // Dust below y = 16, where some cells are full and some are empty, and air above; of few kinds, and of many.
        for kinds in [2, 40, 300] {
            let voxel = |i: usize| {
                let hash = (i as u32).wrapping_mul(0x9E37_79B1) >> 16;
                let dust = i < 16384 && i % 32 < 20 && hash.is_multiple_of(3);
                if dust { Voxel::full(1 + (hash % kinds) as u16) } else { Voxel::AIR }
            };
            let mut tree = RunTree::from_runs((0..CHUNK_VOLUME).map(|i| (1, voxel(i))));
            assert!(matches!(tree.0, Repr::Packed(_)));
            check(&tree);
            for voxel in [Voxel::full(1), Voxel::AIR] {
                tree.set(20_000, voxel);
                check(&tree);
            }
        }
    }

    #[test]
    fn edits_keep_them_exact() {
        let mut tree = RunTree::uniform(Voxel::AIR);
        let mut state = 5u64;
        for step in 0..600 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // In one corner mostly, so that cells fill and empty again.
            let at = (state >> 33) as usize % if step % 3 == 0 { CHUNK_VOLUME } else { 2200 };
            // Matter wins for a while, air for a while.
            let matter = (state >> 20) % 10 < if step / 150 % 2 == 0 { 8 } else { 2 };
            let voxel = if matter { Voxel::new(1 + step as u16 / 2, 7) } else { Voxel::AIR };
            match state % 5 {
                0 => tree.set_range(at..(at + (state >> 50) as usize % 2500).min(CHUNK_VOLUME), voxel),
                _ => drop(tree.set(at, voxel)),
            }
            tree.check().expect("sound");
            if step % 20 == 19 {
                check(&tree);
            }
        }
    }

    #[test]
    fn one_voxel_anywhere() {
        for at in (0..CHUNK_VOLUME).step_by(97) {
            let mut tree = RunTree::uniform(Voxel::AIR);
            tree.set(at, Voxel::full(1));
            let cell = IVec3::new(at as i32 & 31, at as i32 >> 10, at as i32 >> 5 & 31);
            for mip in [Mip::Cells16, Mip::Cells8, Mip::Cells4] {
                assert!(!tree.is_air(mip, cell / mip.cell_side()), "{at}");
            }
            tree.set(at, Voxel::full(2));
            tree.set((at + 1) % CHUNK_VOLUME, Voxel::full(3));
            tree.set(at, Voxel::AIR);
            check(&tree);
        }
    }

    #[test]
    fn runs_of_all_lengths() {
        for (start, len) in
            [(0, 33), (31, 2), (40, 60), (1000, 30), (1020, 2000), (1024, 1024), (3, 9000), (4096, 4096)]
        {
            let mut tree = RunTree::uniform(Voxel::AIR);
            tree.set_range(start..start + len, Voxel::full(2));
            check(&tree);
        }
        check(&RunTree::uniform(Voxel::AIR));
        check(&RunTree::uniform(Voxel::full(1)));
    }
}
