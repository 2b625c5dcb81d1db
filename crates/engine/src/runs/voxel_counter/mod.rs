//! Counts the voxels of each value in one pass over the runs.
//!
//! The length of a run is the difference of two starts, and a table stores the low bytes of starts.
//! So the counter subtracts low bytes, and at each end of a block adds 256 to the run that contains
//! it. No step depends on where blocks end, which would be unpredictable.
//!
//! If single voxels lie scattered in one other value (ore in stone, specks in air), every second
//! run has that value, the *base*. Then only the other runs are counted, and the base gets the
//! remainder.

use super::RunTree;
use super::lanes::{LANES, are_singles, for_others};
use super::packed::PackedRef;
use super::repr::Repr;
use super::run::{BLOCK, BLOCKS, MAX_CODES};
use super::table::TableRef;
use crate::voxel::{CHUNK_VOLUME, Voxel};

/// Number of sets of counters. Consecutive runs use different sets, so that equal values do not
/// wait for each other's update.
const BANKS: usize = 8;

/// Counter of the voxels of trees. Reuse one for many trees: its arrays are zero between counts, so
/// no count has to clear them.
#[derive(Clone, Debug)]
pub struct VoxelCounter {
    /// All zero between two counts. The sums of a tree fit, as it has 32768 voxels; intermediate
    /// values wrap.
    banks: Box<[Bank; BANKS]>,
}

impl Default for VoxelCounter {
    fn default() -> VoxelCounter {
        VoxelCounter { banks: Box::new([[0; MAX_CODES]; BANKS]) }
    }
}

impl VoxelCounter {
    /// Calls `each` with each voxel of `tree` and its count. A voxel may be reported more than
    /// once, so callers add counts up; a voxel that edits removed may be reported with 0.
    pub fn count(&mut self, tree: &RunTree, mut each: impl FnMut(Voxel, u32)) {
        match &tree.0 {
            Repr::Uniform(voxel) => each(*voxel, CHUNK_VOLUME as u32),
            Repr::Table(table) => self.count_table(TableRef::new(table), each),
            Repr::Packed(bytes) => self.count_packed(PackedRef::new(bytes), each),
        }
    }

    fn count_packed(&mut self, packed: PackedRef<'_>, mut each: impl FnMut(Voxel, u32)) {
        let all = 0..CHUNK_VOLUME;
        if packed.palette_len() > MAX_CODES {
            return packed
                .for_each(all, |start, end, code| each(packed.voxel(code), (end - start) as u32));
        }
        let bank = &mut self.banks[0];
        packed.for_each(all, |start, end, code| bank[code % MAX_CODES] += (end - start) as u16);
        for (code, sum) in bank[..packed.palette_len()].iter_mut().enumerate() {
            each(packed.voxel(code), u32::from(std::mem::take(sum)));
        }
    }

    fn count_table(&mut self, table_ref: TableRef<'_>, mut each: impl FnMut(Voxel, u32)) {
        let base = find_base(table_ref);
        match base {
            Some(base) => self.count_around(base, table_ref),
            None => self.count_all(table_ref),
        }
        let mut left = CHUNK_VOLUME as u32;
        for (&voxel, count) in table_ref.palette().iter().zip(&mut self.banks[0]) {
            let count = u32::from(std::mem::take(count));
            left -= count;
            each(Voxel::from_words(voxel), count);
        }
        if let Some(base) = base {
            each(table_ref.voxel(base.into()), left);
        }
    }

    /// Counts the voxels of runs whose code is not `base`, in any order. Fast where every second
    /// run has that code.
    fn count_around(&mut self, base: u8, table_ref: TableRef<'_>) {
        let banks = &mut self.banks[..LANES / 2];
        for_others(table_ref.before_ends(), table_ref.block_ends(), base, |code| {
            add_block(&mut banks[0], code)
        });
        // Starts at the first run or the second, whichever does not have the base's code.
        let pairs = table_ref.pairs();
        let mut rest = &pairs[usize::from(pairs[0] >> 8 == u16::from(base))..];
        while let Some((two, tail)) = rest.split_first_chunk::<{ 2 * LANES }>() {
            if are_singles(two, base) {
                for eight in two.as_chunks::<LANES>().0 {
                    for (bank, single) in banks.iter_mut().zip(eight.as_chunks::<2>().0) {
                        let count = &mut bank[usize::from(single[0] >> 8)];
                        *count = count.wrapping_add(1);
                    }
                }
                rest = tail;
            } else {
                // Leaves out the last run unless it has the base's code, so that the next group
                // begins with another code.
                let last = u16::from(base) == two[2 * LANES - 1] >> 8;
                two.windows(2).for_each(|two| add(&mut banks[0], two[0], two[1]));
                rest = &rest[2 * LANES - usize::from(!last)..];
            }
        }
        for (i, &pair) in rest.iter().enumerate() {
            add(&mut banks[0], pair, rest.get(i + 1).copied().unwrap_or(0));
        }
        // Discards the base's count. The other banks have none: each counts the first of two
        // adjacent runs, of which the second has the base's code.
        banks[0][usize::from(base)] = 0;
        merge(banks, table_ref.palette_len());
    }

    /// Counts the voxels of all runs.
    fn count_all(&mut self, table_ref: TableRef<'_>) {
        let banks = &mut *self.banks;
        let (parts, rest) = table_ref.pairs().as_chunks::<BANKS>();
        let mut before = 0;
        for part in parts {
            for (bank, &pair) in banks.iter_mut().zip(part) {
                add(bank, before, pair);
                before = pair;
            }
        }
        for (bank, &pair) in banks.iter_mut().zip(rest) {
            add(bank, before, pair);
            before = pair;
        }
        add(&mut banks[0], before, 0);
        for ends in table_ref.block_ends().as_chunks::<BANKS>().0 {
            for (bank, &end) in banks.iter_mut().zip(ends) {
                add_block(bank, (table_ref.pair_before(end) >> 8) as u8);
            }
        }
        merge(banks, table_ref.palette_len());
    }
}

/// Counters by code.
type Bank = [u16; MAX_CODES];

/// Adds the length of the run `pair`, modulo 256; `next` is the run after it.
#[inline]
fn add(bank: &mut Bank, pair: u16, next: u16) {
    let count = &mut bank[usize::from(pair >> 8)];
    *count = count.wrapping_add((next & 0xFF).wrapping_sub(pair & 0xFF));
}

/// Adds a block's length to the run that contains the block's end.
#[inline]
fn add_block(bank: &mut Bank, code: u8) {
    let count = &mut bank[usize::from(code)];
    *count = count.wrapping_add(BLOCK as u16);
}

/// Adds the first `len` counters of all banks, and a few after them, to the first bank, and clears
/// the others.
#[inline]
fn merge(banks: &mut [Bank], len: usize) {
    // Number of counters in one vector.
    const PART: usize = 16;
    let Some((sums, others)) = banks.split_first_mut() else { return };
    for i in 0..len.div_ceil(PART) {
        let sums = &mut sums.as_chunks_mut::<PART>().0[i];
        for bank in &mut *others {
            let part = &mut bank.as_chunks_mut::<PART>().0[i];
            for (sum, n) in sums.iter_mut().zip(part) {
                *sum = sum.wrapping_add(std::mem::take(n));
            }
        }
    }
}

/// Code of nearly every second run, judged by a sample in the middle of the table; `None` if no
/// code is that frequent.
#[inline]
fn find_base(table_ref: TableRef<'_>) -> Option<u8> {
    const SAMPLE: usize = 32;
    let pairs = table_ref.pairs();
    let ends = table_ref.block_ends();
    let sample: &[u16; SAMPLE] =
        pairs.get((pairs.len() / 2).checked_sub(SAMPLE / 2)?..)?.first_chunk()?;
    let base = table_ref.pair_before(ends[BLOCKS / 2]) >> 8;
    let of_base: u16 = sample.iter().map(|&pair| u16::from(pair >> 8 == base)).sum();
    (of_base >= SAMPLE as u16 / 2 - 3).then_some(base as u8)
}

#[cfg(test)]
mod tests;
