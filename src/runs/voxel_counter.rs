//! Counting the voxels of each kind: one pass over the runs.
//!
//! A run's length is its successor's start less its own. A table knows starts by their low bytes; so the low bytes are
//! taken, and each end of a block adds 256 to the run that is there. No step depends on where blocks end, which no
//! processor could foretell.
//!
//! Where few voxels lie scattered in much of another kind (ore in stone, specks in air), every second run is of that kind,
//! its *base*. Then only the others are counted, and the base gets what they leave.

use super::RunTree;
use super::lanes::{LANES, are_singles, for_others};
use super::packed::PackedRef;
use super::table::{BLOCK, BLOCKS, MAX_CODES, TableRef};
use super::tree::Repr;
use crate::voxel::{CHUNK_VOLUME, Voxel};

/// Counters side by side: runs of one value that follow each other would else wait for each other.
const BANKS: usize = 8;

/// Counts voxels, of one tree after the other. It keeps its counters, so that they need no clearing.
#[derive(Clone, Debug)]
pub struct VoxelCounter {
    /// All zero between two trees. Sums of a tree fit: it has 32768 voxels; what they pass through on the way wraps.
    banks: Box<[Bank; BANKS]>,
}

impl Default for VoxelCounter {
    fn default() -> VoxelCounter {
        VoxelCounter { banks: Box::new([[0; MAX_CODES]; BANKS]) }
    }
}

impl VoxelCounter {
    /// Calls `each` with the voxels of `tree` and how many of each there are; maybe more than once for a voxel, and maybe
    /// with 0 for one that is no longer there.
    pub fn count(&mut self, tree: &RunTree, mut each: impl FnMut(Voxel, u32)) {
        match &tree.0 {
            Repr::Uniform(voxel) => each(*voxel, CHUNK_VOLUME as u32),
            Repr::Table(table) => self.table(TableRef::new(table), each),
            Repr::Packed(bytes) => self.packed(PackedRef::new(bytes), each),
        }
    }

    fn packed(&mut self, packed: PackedRef<'_>, mut each: impl FnMut(Voxel, u32)) {
        let all = 0..CHUNK_VOLUME;
        if packed.palette_len() > MAX_CODES {
            return packed.for_each(all, |start, end, code| each(packed.voxel(code), (end - start) as u32));
        }
        let bank = &mut self.banks[0];
        packed.for_each(all, |start, end, code| bank[code % MAX_CODES] += (end - start) as u16);
        for (code, sum) in bank[..packed.palette_len()].iter_mut().enumerate() {
            each(packed.voxel(code), u32::from(std::mem::take(sum)));
        }
    }

    fn table(&mut self, view: TableRef<'_>, mut each: impl FnMut(Voxel, u32)) {
        let base = base(view);
        match base {
            Some(base) => self.around(base, view),
            None => self.all(view),
        }
        let mut left = CHUNK_VOLUME as u32;
        for (&voxel, count) in view.palette().iter().zip(&mut self.banks[0]) {
            let count = u32::from(std::mem::take(count));
            left -= count;
            each(Voxel::from_words(voxel), count);
        }
        if let Some(base) = base {
            each(view.voxel(base.into()), left);
        }
    }

    /// Counts the runs that are not of `base`, whatever their order; it is quick where every second one is.
    fn around(&mut self, base: u8, view: TableRef<'_>) {
        let banks = &mut self.banks[..LANES / 2];
        for_others(view.before_ends(), view.block_ends(), base, |code| add_block(&mut banks[0], code));
        // Not from the first run on, if that is of the base: then every second one from the next on is not.
        let pairs = view.pairs();
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
                // All but the last, unless that is of the base: so that the next ones begin with another.
                let last = u16::from(base) == two[2 * LANES - 1] >> 8;
                two.windows(2).for_each(|two| add(&mut banks[0], two[0], two[1]));
                rest = &rest[2 * LANES - usize::from(!last)..];
            }
        }
        for (i, &pair) in rest.iter().enumerate() {
            add(&mut banks[0], pair, rest.get(i + 1).copied().unwrap_or(0));
        }
        // What was counted of it on the way. (In the other banks is none: of two neighbours one at most is of the base.)
        banks[0][usize::from(base)] = 0;
        merge(banks, view.palette_len());
    }

    /// Counts all runs.
    fn all(&mut self, view: TableRef<'_>) {
        let banks = &mut *self.banks;
        let (parts, rest) = view.pairs().as_chunks::<BANKS>();
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
        for ends in view.block_ends().as_chunks::<BANKS>().0 {
            for (bank, &end) in banks.iter_mut().zip(ends) {
                add_block(bank, (view.pair_before(end) >> 8) as u8);
            }
        }
        merge(banks, view.palette_len());
    }
}

/// Counts of one bank by code.
type Bank = [u16; MAX_CODES];

/// Adds the length of the run `pair`, as far as low bytes tell it.
#[inline]
fn add(bank: &mut Bank, pair: u16, next: u16) {
    let count = &mut bank[usize::from(pair >> 8)];
    *count = count.wrapping_add((next & 0xFF).wrapping_sub(pair & 0xFF));
}

/// From a block's beginning to its end, to the run that is there.
#[inline]
fn add_block(bank: &mut Bank, code: u8) {
    let count = &mut bank[usize::from(code)];
    *count = count.wrapping_add(BLOCK as u16);
}

/// Moves the first `len` counts of all banks, and some after them, into the first bank.
#[inline]
fn merge(banks: &mut [Bank], len: usize) {
    // Whole vectors.
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

/// The code that every second run has, as far as those in the middle tell, if there is one.
#[inline]
fn base(view: TableRef<'_>) -> Option<u8> {
    const SAMPLE: usize = 32;
    let (pairs, ends) = (view.pairs(), view.block_ends());
    let sample: &[u16; SAMPLE] = pairs.get((pairs.len() / 2).checked_sub(SAMPLE / 2)?..)?.first_chunk()?;
    let base = view.pair_before(ends[BLOCKS / 2]) >> 8;
    let of_base: u16 = sample.iter().map(|&pair| u16::from(pair >> 8 == base)).sum();
    (of_base >= SAMPLE as u16 / 2 - 3).then_some(base as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Holds a count against one run by run; the same counter counts all, and must be clean each time.
    fn check(counter: &mut VoxelCounter, what: &str, tree: &RunTree) {
        let (mut counted, mut expected) = (BTreeMap::new(), BTreeMap::new());
        counter.count(tree, |voxel, n| *counted.entry(voxel).or_insert(0) += n);
        counted.retain(|_, n| *n > 0);
        tree.runs().for_each(|run| *expected.entry(run.voxel).or_insert(0) += run.len);
        assert_eq!(counted, expected, "{what}");
    }

    /// The kind of the voxel at a linear index.
    type ValueAt<'a> = &'a dyn Fn(usize) -> u16;

    /// The voxel that is counted as what the others leave.
    fn base_of(tree: &RunTree) -> Option<Voxel> {
        let Repr::Table(table) = &tree.0 else { return None };
        base(TableRef::new(table)).map(|code| TableRef::new(table).voxel(code.into()))
    }

    fn of_kinds(kinds: impl Fn(usize) -> u16) -> RunTree {
        RunTree::from_runs((0..CHUNK_VOLUME).map(|i| (1, Voxel::full(kinds(i)))))
    }

    #[test]
    fn counts_as_run_by_run() {
        let mut counter = VoxelCounter::default();
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
                check(&mut counter, &format!("{kinds} kinds, runs of up to {longest}"), &RunTree::from_runs(runs));
            }
        }
    }

    #[test]
    fn what_lies_scattered_is_counted_around_its_base() {
        let mut counter = VoxelCounter::default();
        let scattered: [(&str, bool, ValueAt<'_>); 6] = [
            ("one in 300", true, &|i| if i % 300 == 5 { 1 + (i / 300 % 5) as u16 } else { 7 }),
            ("from the first voxel to the last", true, &|i| {
                if i % 137 == 0 || i == 32767 { (i % 3) as u16 } else { 7 }
            }),
            ("at the ends of blocks", true, &|i| if i % 512 == 511 || i % 1024 == 256 { 0 } else { 7 }),
            ("two kinds side by side", false, &|i| [1, 2, 7][(i % 400).min(2)]),
            ("256 of one kind", true, &|i| if (3000..3256).contains(&i) || i % 300 == 5 { 1 } else { 7 }),
            ("3000 of one kind", true, &|i| if (3000..6000).contains(&i) || i % 300 == 5 { 1 } else { 7 }),
        ];
        for (what, has_base, kinds) in scattered {
            let mut tree = of_kinds(kinds);
            assert_eq!(base_of(&tree), has_base.then_some(Voxel::full(7)), "{what}");
            check(&mut counter, what, &tree);
            // From wherever block ends are looked at: a few long runs more.
            for (at, len) in [(0, 1), (300, 256), (600, 511), (5000, 257), (32000, 768), (100, 20000)] {
                tree.set_range(at..at + len, Voxel::full(9));
                check(&mut counter, &format!("{what}, {len} of another"), &tree);
            }
        }
    }

    /// However badly the base was chosen, and also if it is nowhere.
    #[test]
    fn any_code_will_do_as_base() {
        let flips = of_kinds(|i| if i % 300 == 5 { 3 } else { 1 + (i > 16000) as u16 });
        let mut rare = of_kinds(|i| (i / 30 % 5 + 1) as u16);
        rare.set_range(0..1, Voxel::full(1));
        let long = RunTree::from_runs([(256, 1), (256, 2), (1, 3), (512, 1), (31000, 2), (743, 3)].map(of_kind));
        let mut gone = of_kinds(|i| if i % 1000 == 7 { 4 } else { 5 });
        (0..33).for_each(|i| {
            gone.set_range(i * 1000 + 7..(i * 1000 + 8).min(CHUNK_VOLUME), Voxel::full(5 + (i % 2) as u16))
        });
        for tree in [flips, rare, long, gone] {
            let Repr::Table(table) = &tree.0 else { panic!("more than one run") };
            let view = TableRef::new(table);
            for code in 0..view.palette_len() {
                let mut counter = VoxelCounter::default();
                counter.around(code as u8, view);
                let mut expected = vec![0; view.palette_len()];
                let codes = tree.runs().map(|run| (view.find_code(run.voxel).expect("it is there") as usize, run.len));
                codes.filter(|(other, _)| *other != code).for_each(|(code, len)| expected[code] += len as u16);
                assert_eq!(counter.banks[0][..expected.len()], expected, "around {code}");
                assert!(counter.banks[1..].iter().flatten().all(|&n| n == 0));
            }
        }
    }

    fn of_kind((len, kind): (u32, u16)) -> (u32, Voxel) {
        (len, Voxel::full(kind))
    }
}
