//! Replaces whole blocks of a tree, and copies the words of all other blocks.

use super::repr::Repr;
use super::run::{BLOCK, BLOCKS, MAX_CODES};
use super::table::{self, TableRef};
use super::{RunBuilder, RunTree};
use crate::voxel::Voxel;
use std::ops::Range;

/// Slots of the cache of codes.
const CACHED: usize = 64;
/// Palette length at which an edit that lengthens the palette rebuilds it without unused entries.
/// Longer palettes are rebuilt at the next power of two.
const COLLECTED: usize = 32;

impl RunTree {
    /// Returns a copy in which the changed blocks, of 256 voxels or eight rows each, have other
    /// voxels.
    ///
    /// `replace` receives the number of a changed block and its runs, as start in the block (0 to
    /// 255) and value, and appends the new runs: the first starts at 0, starts ascend, and
    /// neighbours may be equal. It may be called twice for a block and must then append the same
    /// runs.
    pub(crate) fn with_blocks(
        &self,
        is_changed: impl Fn(usize) -> bool,
        mut replace: impl FnMut(usize, &[(u8, Voxel)], &mut Vec<(u8, Voxel)>),
    ) -> RunTree {
        let mut table = self.clone();
        table.unpack();
        if let Some(tree) = table.splice_blocks(&is_changed, &mut replace) {
            return tree;
        }
        let mut builder = RunBuilder::new();
        let mut found = Vec::new();
        for block in 0..BLOCKS {
            let first = block * BLOCK;
            let end = (block + 1) * BLOCK;
            if !is_changed(block) {
                self.runs_in(first..end).for_each(|run| builder.push(run.len, run.voxel));
                continue;
            }
            let before: Vec<(u8, Voxel)> =
                self.runs_in(first..end).map(|run| (run.start as u8, run.voxel)).collect();
            found.clear();
            replace(block, &before, &mut found);
            for (number, &(_, voxel)) in found.iter().enumerate() {
                let next = found.get(number + 1).map_or(end, |&(low, _)| first + usize::from(low));
                builder.push((next - builder.position()) as u32, voxel);
            }
        }
        builder.finish()
    }

    /// Folds the starts and palette indices of the runs in a range of blocks of 256 voxels. A run
    /// that begins before the range counts as starting with it.
    #[inline]
    pub(crate) fn fold_starts_in_blocks<B>(
        &self,
        blocks: Range<usize>,
        init: B,
        mut f: impl FnMut(B, usize, usize) -> B,
    ) -> B {
        let first = blocks.start * BLOCK;
        let Repr::Table(words) = &self.0 else {
            return self.fold_packed_starts(blocks, init, f);
        };
        let table = TableRef::new(words);
        let mut folded = init;
        if table.block_pairs(blocks.start).first().is_none_or(|pair| pair & 0xFF != 0) {
            folded = f(folded, first, usize::from(table.code_before_block(blocks.start)));
        }
        for block in blocks {
            for &pair in table.block_pairs(block) {
                folded =
                    f(folded, block * BLOCK + usize::from(pair & 0xFF), usize::from(pair >> 8));
            }
        }
        folded
    }

    /// Form of [`RunTree::fold_starts_in_blocks`] for trees without a table.
    fn fold_packed_starts<B>(
        &self,
        blocks: Range<usize>,
        init: B,
        mut f: impl FnMut(B, usize, usize) -> B,
    ) -> B {
        let mut starts = Vec::new();
        self.for_each_coded(blocks.start * BLOCK..blocks.end * BLOCK, |start, _, code| {
            starts.push((start, code))
        });
        starts.into_iter().fold(init, |folded, (start, code)| f(folded, start, code))
    }

    /// Calls `each` with start, end and palette index of the runs in a range of blocks of 256
    /// voxels, the first and last cut to it. Begins faster than [`RunTree::for_each_coded`],
    /// because it need not search for the first run.
    #[inline]
    pub(crate) fn for_each_in_blocks(
        &self,
        blocks: Range<usize>,
        mut each: impl FnMut(usize, usize, usize),
    ) {
        let first = blocks.start * BLOCK;
        let end = blocks.end * BLOCK;
        let Repr::Table(words) = &self.0 else { return self.for_each_coded(first..end, each) };
        let table = TableRef::new(words);
        // Code of the run before the range. That run reaches into it unless another starts with it.
        let mut start = first;
        let mut code = usize::from(table.code_before_block(blocks.start));
        for block in blocks {
            for &pair in table.block_pairs(block) {
                let next = block * BLOCK + usize::from(pair & 0xFF);
                if next > start {
                    each(start, next, code);
                }
                start = next;
                code = usize::from(pair >> 8);
            }
        }
        if end > start {
            each(start, end, code);
        }
    }

    /// Blocks of 256 voxels in which two trees may differ: bit n for block n. May include equal
    /// blocks, but never misses a differing one. Fast for a tree and its edited version.
    pub(crate) fn changed_blocks(&self, other: &RunTree) -> u128 {
        let palette = |tree: &RunTree| match &tree.0 {
            Repr::Table(words) => Some(TableRef::new(words).palette().to_vec()),
            Repr::Uniform(voxel) => Some(vec![voxel.to_words()]),
            Repr::Packed(_) => None,
        };
        // An edit appends new values to the palette, so equal codes still mean equal values.
        let is_same = |(a, b): (Vec<_>, Vec<_>)| a.starts_with(&b) || b.starts_with(&a);
        if !palette(self).zip(palette(other)).is_some_and(is_same) {
            let range = |block: usize| block * BLOCK..(block + 1) * BLOCK;
            let differs =
                |block: &usize| !self.runs_in(range(*block)).eq(other.runs_in(range(*block)));
            return (0..BLOCKS).filter(differs).fold(0, |blocks, block| blocks | 1 << block);
        }
        let mut blocks = 0;
        let mut last = [0; 2];
        for block in 0..BLOCKS {
            let [before, after] = [self, other].map(|tree| tree.pairs_of_block(block));
            // A run from an earlier block may fill this block up to the first start in it.
            let begins =
                [before, after].map(|pairs| pairs.first().is_some_and(|pair| pair & 0xFF == 0));
            if before != after || last[0] != last[1] && begins != [true; 2] {
                blocks |= 1 << block;
            }
            for (last, pairs) in last.iter_mut().zip([before, after]) {
                *last = pairs.last().map_or(*last, |pair| pair >> 8);
            }
        }
        blocks
    }

    /// Words of the runs that start in a block. The tree must not be packed.
    fn pairs_of_block(&self, block: usize) -> &[u16] {
        match &self.0 {
            Repr::Table(words) => TableRef::new(words).block_pairs(block),
            _ if block == 0 => &[0],
            _ => &[],
        }
    }

    /// Fast path of [`RunTree::with_blocks`]; `None` if the tree is packed, or the palette has
    /// grown much.
    fn splice_blocks(
        &self,
        is_changed: &impl Fn(usize) -> bool,
        replace: &mut impl FnMut(usize, &[(u8, Voxel)], &mut Vec<(u8, Voxel)>),
    ) -> Option<RunTree> {
        if let Repr::Packed(_) = &self.0 {
            return None;
        }
        let mut palette = CachedPalette::new(self.values().collect());
        let max_len = palette.voxels.len().max(COLLECTED).next_power_of_two().min(MAX_CODES);
        let mut runs: Vec<u16> = Vec::with_capacity(self.run_count() + BLOCK);
        let mut ends = [0; BLOCKS];
        let mut before = Vec::with_capacity(BLOCK);
        let mut found = Vec::with_capacity(BLOCK);
        // Code of the last new run, and of the last old run.
        let mut last = None;
        let mut last_before = 0;
        for (block, end) in ends.iter_mut().enumerate() {
            let pairs = self.pairs_of_block(block);
            let (first, rest) = match pairs {
                [pair, rest @ ..] if pair & 0xFF == 0 => (pair >> 8, rest),
                _ => (last_before, pairs),
            };
            if is_changed(block) {
                let voxel = |code: u16| palette.voxels[usize::from(code)];
                before.clear();
                before.push((0, voxel(first)));
                before.extend(rest.iter().map(|pair| (*pair as u8, voxel(pair >> 8))));
                found.clear();
                replace(block, &before, &mut found);
                for &(low, voxel) in &found {
                    let code = palette.code(voxel, max_len)?;
                    if last != Some(code) {
                        runs.push(u16::from(low) | code << 8);
                        last = Some(code);
                    }
                }
            } else {
                if last != Some(first) {
                    runs.push(first << 8);
                }
                runs.extend_from_slice(rest);
                last = Some(rest.last().map_or(first, |pair| pair >> 8));
            }
            last_before = pairs.last().map_or(last_before, |pair| pair >> 8);
            *end = runs.len();
        }
        match runs[..] {
            [pair] => Some(RunTree::uniform(palette.voxels[usize::from(pair >> 8)])),
            _ => Some(RunTree(Repr::Table(table::assemble(&runs, &ends, &palette.voxels)))),
        }
    }
}

/// A palette, and a cache of codes by voxel hash.
struct CachedPalette {
    voxels: Vec<Voxel>,
    cache: [(Voxel, u16); CACHED],
}

impl CachedPalette {
    fn new(voxels: Vec<Voxel>) -> CachedPalette {
        CachedPalette { voxels, cache: [(Voxel::NOT_LOADED, 0); CACHED] }
    }

    /// Returns the index of `voxel`, which is added if necessary; `None` if the palette would get
    /// longer than `max_len`.
    #[inline]
    fn code(&mut self, voxel: Voxel, max_len: usize) -> Option<u16> {
        match self.cache[voxel.hash() % CACHED] {
            (cached, code) if cached == voxel => Some(code),
            _ => self.intern(voxel, max_len),
        }
    }

    #[cold]
    fn intern(&mut self, voxel: Voxel, max_len: usize) -> Option<u16> {
        let known = self.voxels.iter().position(|&known| known == voxel);
        let code = known.unwrap_or(self.voxels.len());
        if known.is_none() {
            if code >= max_len {
                return None;
            }
            self.voxels.push(voxel);
        }
        self.cache[voxel.hash() % CACHED] = (voxel, code as u16);
        Some(code as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::voxel::CHUNK_VOLUME;

    /// Voxels in runs of up to `longest`, with up to `values` values from `first` on.
    fn voxels(seed: u64, longest: usize, first: u16, values: usize) -> Vec<Voxel> {
        let mut random = Random::new(seed);
        let mut all = Vec::new();
        while all.len() < CHUNK_VOLUME {
            let value = Voxel::full(first + random.index(values) as u16);
            all.resize((all.len() + 1 + random.index(longest)).min(CHUNK_VOLUME), value);
        }
        all
    }

    fn tree(voxels: &[Voxel]) -> RunTree {
        RunTree::from_runs(voxels.iter().map(|&voxel| (1, voxel)))
    }

    #[test]
    fn replaced_blocks_equal_a_tree_built_from_voxels() {
        for (longest, values) in
            [(3, 400), (3, 9), (40, 3), (40, 300), (600, 2), (9000, 2), (40_000, 1)]
        {
            for (first, every) in [(0, 1), (0, 3), (500, 7), (0, 40), (500, 500)] {
                let old = voxels(5, longest, 0, values);
                let new = voxels(6, longest.min(50), first, values);
                let is_changed = |block: usize| block.is_multiple_of(every);
                let replaced = tree(&old).with_blocks(is_changed, |block, before, starts| {
                    let old = old[block * BLOCK..][..BLOCK].iter();
                    let runs: Vec<(u8, Voxel)> =
                        old.enumerate().map(|(low, &voxel)| (low as u8, voxel)).collect();
                    let runs: Vec<_> = runs.chunk_by(|a, b| a.1 == b.1).map(|run| run[0]).collect();
                    assert_eq!(before, runs);
                    let voxels = new[block * BLOCK..][..BLOCK].iter();
                    starts.extend(voxels.enumerate().map(|(low, &voxel)| (low as u8, voxel)));
                });
                replaced.check().unwrap();
                let voxel = |at: usize| if is_changed(at / BLOCK) { new[at] } else { old[at] };
                let expected: Vec<Voxel> = (0..CHUNK_VOLUME).map(voxel).collect();
                assert_eq!(replaced, tree(&expected), "{longest} {values} {first} {every}");
            }
        }
    }

    #[test]
    fn runs_in_blocks_are_those_of_the_range() {
        for (longest, values) in [(3, 400), (3, 9), (40, 3), (600, 2), (9000, 2), (40_000, 1)] {
            let tree = tree(&voxels(5, longest, 0, values));
            let mut unpacked = tree.clone();
            unpacked.unpack();
            for (tree, blocks) in [&tree, &unpacked]
                .into_iter()
                .flat_map(|tree| [0..128, 0..1, 5..9, 127..128].map(|blocks| (tree, blocks)))
            {
                let mut found = Vec::new();
                let mut expected = Vec::new();
                tree.for_each_in_blocks(blocks.clone(), |start, end, code| {
                    found.push((start, end, code))
                });
                tree.for_each_coded(
                    blocks.start * BLOCK..blocks.end * BLOCK,
                    |start, end, code| expected.push((start, end, code)),
                );
                assert_eq!(found, expected, "{longest} {blocks:?}");
                let starts = tree.fold_starts_in_blocks(
                    blocks.clone(),
                    Vec::new(),
                    |mut starts, start, code| {
                        starts.push((start, code));
                        starts
                    },
                );
                let expected: Vec<_> =
                    expected.into_iter().map(|(start, _, code)| (start, code)).collect();
                assert_eq!(starts, expected, "{longest} {blocks:?}");
            }
        }
    }

    #[test]
    fn changed_blocks_hold_those_with_other_voxels() {
        for (longest, values) in [(3, 400), (3, 9), (40, 3), (600, 2), (9000, 2), (40_000, 1)] {
            let old = tree(&voxels(5, longest, 0, values));
            assert_eq!(old.changed_blocks(&old), 0);
            let differing = |new: &RunTree| {
                let differing = (0..CHUNK_VOLUME).filter(|&at| old.get(at) != new.get(at));
                differing.fold(0u128, |blocks, at| blocks | 1 << (at / BLOCK))
            };
            for (range, value) in [
                (0..1, 1),
                (255..257, 0),
                (3000..3001, 900),
                (9000..30_000, 901),
                (32_767..32_768, 1),
            ] {
                let mut new = old.clone();
                new.set_range(range, Voxel::full(value));
                for (a, b) in [(&old, &new), (&new, &old)] {
                    assert_eq!(a.changed_blocks(b), differing(&new), "{longest} {value}");
                }
            }
            // The run at 256 then begins in block 0, so block 1 may be reported although its voxels
            // are equal.
            let mut new = old.clone();
            new.set_range(0..BLOCK, old.get(BLOCK));
            for (a, b) in [(&old, &new), (&new, &old)] {
                assert_eq!(differing(&new) & !a.changed_blocks(b), 0, "{longest}");
            }
        }
    }

    #[test]
    fn values_that_come_and_go_do_not_fill_the_palette() {
        let mut tree = RunTree::from_runs([(100, Voxel::AIR), (32_668, Voxel::full(1))]);
        for value in 2..500 {
            let starts = [(0, Voxel::AIR), (9, Voxel::full(value))];
            tree = tree.with_blocks(|block| block == 0, |_, _, found| found.extend(starts));
            tree.check().unwrap();
        }
        assert!(tree.values().len() <= 32, "{}", tree.values().len());
        assert_eq!((tree.run_count(), tree.get(9)), (3, Voxel::full(499)));
    }
}
