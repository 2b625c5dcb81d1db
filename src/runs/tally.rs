//! Counting the voxels of each kind: one pass over the runs.
//!
//! A run's length is its successor's start less its own. A table knows starts by their low bytes; so the low bytes are
//! taken, and each end of a block adds 256 to the run that is there. No step depends on where blocks end, which no
//! processor could foretell.

use super::RunTree;
use super::packed::Packed;
use super::table::{BLOCK, BLOCKS, MOST_CODES, View};
use super::tree::Form;
use crate::voxel::{CHUNK_VOLUME, Voxel};

/// Counters side by side: runs of one value that follow each other would else wait for each other.
const BANKS: usize = 8;

/// Counts voxels, of one tree after the other. It keeps its counters, so that they need no clearing.
#[derive(Clone, Debug)]
pub struct Tally {
    /// All zero between two trees. Sums of a tree fit: it has 32768 voxels; what they pass through on the way wraps.
    banks: Box<[[u16; MOST_CODES]; BANKS]>,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { banks: Box::new([[0; MOST_CODES]; BANKS]) }
    }
}

impl Tally {
    /// Calls `each` with the voxels of `tree` and how many of each there are; maybe more than once for a voxel, and maybe
    /// with 0 for one that is no longer there.
    pub fn count(&mut self, tree: &RunTree, mut each: impl FnMut(Voxel, u32)) {
        match &tree.0 {
            Form::Uniform(voxel) => each(*voxel, CHUNK_VOLUME as u32),
            Form::Runs(table) => self.table(View::of(table), each),
            Form::Packed(bytes) => self.packed(Packed::of(bytes), each),
        }
    }

    fn packed(&mut self, packed: Packed<'_>, mut each: impl FnMut(Voxel, u32)) {
        let all = 0..CHUNK_VOLUME;
        if packed.palette_len() > MOST_CODES {
            return packed.for_each(all, |start, end, code| each(packed.voxel(code), (end - start) as u32));
        }
        let bank = &mut self.banks[0];
        packed.for_each(all, |start, end, code| bank[code % MOST_CODES] += (end - start) as u16);
        for (code, sum) in bank[..packed.palette_len()].iter_mut().enumerate() {
            each(packed.voxel(code), u32::from(std::mem::take(sum)));
        }
    }

    fn table(&mut self, view: View<'_>, mut each: impl FnMut(Voxel, u32)) {
        let banks = &mut *self.banks;
        let (pairs, ends) = (view.pairs(), view.block_ends());
        let mut before = 0u16;
        // The run before goes on up to this one's start.
        let mut add = |bank: &mut [u16; MOST_CODES], pair: u16| {
            let counter = &mut bank[usize::from(before >> 8)];
            *counter = counter.wrapping_add((pair & 0xFF).wrapping_sub(before & 0xFF));
            before = pair;
        };
        let (parts, rest) = pairs.as_chunks::<BANKS>();
        for part in parts {
            banks.iter_mut().zip(part).for_each(|(bank, &pair)| add(bank, pair));
        }
        banks.iter_mut().zip(rest).for_each(|(bank, &pair)| add(bank, pair));
        add(&mut banks[0], 0);
        // From the block's beginning to its end, whatever run is there.
        for (i, ends) in ends.as_chunks::<BANKS>().0.iter().enumerate() {
            debug_assert!(i < BLOCKS / BANKS);
            for (bank, &end) in banks.iter_mut().zip(ends) {
                let counter = &mut bank[usize::from(view.pair_before(end) >> 8)];
                *counter = counter.wrapping_add(BLOCK as u16);
            }
        }
        let len = view.palette_len();
        let (first, others) = banks.split_at_mut(1);
        let sums = &mut first[0][..len];
        for bank in others {
            for (sum, n) in sums.iter_mut().zip(&mut bank[..len]) {
                *sum = sum.wrapping_add(std::mem::take(n));
            }
        }
        for (code, sum) in sums.iter_mut().enumerate() {
            each(view.voxel(code as u16), u32::from(std::mem::take(sum)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn counts_as_run_by_run() {
        let mut tally = Tally::default();
        let mut state = 3u64;
        for kinds in [1, 2, 5, 60, 256, 300] {
            for longest in [1, 3, 50, 3000] {
                let mut left = CHUNK_VOLUME as u32;
                let runs = std::iter::from_fn(|| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                    let len = (1 + (state >> 33) as u32 % longest).min(left);
                    left -= len;
                    (len > 0).then(|| (len, Voxel::full((state >> 50) as u16 % kinds)))
                });
                let tree = RunTree::from_runs(runs);
                let (mut counted, mut expected) = (BTreeMap::new(), BTreeMap::new());
                tally.count(&tree, |voxel, n| *counted.entry(voxel).or_insert(0) += n);
                tree.runs().for_each(|run| *expected.entry(run.voxel).or_insert(0) += run.len);
                assert_eq!(counted, expected, "{kinds} kinds, runs of up to {longest}");
            }
        }
    }
}
