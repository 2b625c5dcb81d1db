//! The interval tree of one chunk: a search tree over run starts, two levels, no pointers.
//!
//! The upper level is a directory of 128 blocks of 256 voxels: for each, how many runs start before it.
//! The lower level is one byte a run, its start inside its block, and one palette index a run. A run may
//! begin in one block and end many blocks later; then the blocks between hold no start at all. So a read
//! is one directory look-up and one count of the bytes up to the voxel's own low byte (which the compiler
//! turns into a few vector compares), and a run costs two bytes.
//!
//! Invariants, checked by [`RunTree::check`]: the first run starts at 0; starts ascend; neighbouring runs
//! differ; so the tree of a given content is one and the same however it was edited (*canonical*).
//! A chunk of one value holds no heap at all.
//!
//! Source: 0fps, "Run length encoding and interval trees", with the tree laid out for caches.

use super::values::{Values, compact};
use crate::voxel::{CHUNK_VOLUME, Voxel};
use std::ops::Range;

/// Blocks in the directory.
const BLOCKS: usize = 128;
/// Voxels in a block.
const BLOCK: usize = CHUNK_VOLUME / BLOCKS;

/// A stretch of equal voxels in linear order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Linear index of the first voxel, 0..32768.
    pub start: u32,
    /// Voxels in the run, at least 1.
    pub len: u32,
    /// What they all are.
    pub voxel: Voxel,
}

impl Run {
    /// One past the last voxel's linear index.
    #[must_use]
    pub const fn end(self) -> u32 {
        self.start + self.len
    }
}

/// The voxels of one chunk as runs. See the module's text for the layout and the invariants.
#[derive(Clone, Debug)]
pub struct RunTree(Form);

#[derive(Clone, Debug)]
enum Form {
    /// One value everywhere.
    Uniform(Voxel),
    /// Two runs or more.
    Runs(Box<Table>),
}

#[derive(Clone, Debug)]
pub(super) struct Table {
    /// `before[b]`: runs that start in blocks before `b`; `before[128]` is the number of runs.
    before: [u16; BLOCKS + 1],
    /// Low byte of each run's start.
    starts: Vec<u8>,
    /// Palette index of each run.
    values: Values,
    /// The different voxels of the chunk; may hold a few that no run uses any more.
    palette: Vec<Voxel>,
}

impl Table {
    /// The run that holds `index`.
    fn find(&self, index: usize) -> usize {
        let block = index / BLOCK;
        let (lo, hi) = (usize::from(self.before[block]), usize::from(self.before[block + 1]));
        let low = (index % BLOCK) as u8;
        // No branch in the loop, and a narrow sum: it becomes vector compares.
        let at_or_before: u16 = self.starts[lo..hi].iter().map(|&s| u16::from(s <= low)).sum();
        // The run at 0 always exists, so the sum is at least 1.
        lo + usize::from(at_or_before) - 1
    }

    /// The block in which `run` starts: the last with at most `run` runs before it.
    fn block(&self, run: usize) -> usize {
        self.before.partition_point(|&n| usize::from(n) <= run) - 1
    }

    /// The block in which `run` starts, given one at or before it.
    fn block_of(&self, run: usize, mut from: usize) -> usize {
        while usize::from(self.before[from + 1]) <= run {
            from += 1;
        }
        from
    }

    /// Linear index of the first voxel of `run`; 32768 for the run past the last.
    fn start(&self, run: usize) -> usize {
        if run == self.starts.len() {
            return CHUNK_VOLUME;
        }
        self.block(run) * BLOCK + usize::from(self.starts[run])
    }

    /// The palette index of `voxel`, added if need be.
    fn intern(&mut self, voxel: Voxel) -> u16 {
        if let Some(i) = self.palette.iter().position(|&v| v == voxel) {
            return i as u16;
        }
        // Entries that no run uses are thrown out before the palette grows past a power of two.
        if self.palette.len() >= 8 && self.palette.len().is_power_of_two() {
            (self.palette, self.values) = compact(&self.palette, &self.values);
        }
        self.palette.push(voxel);
        (self.palette.len() - 1) as u16
    }
}

impl RunTree {
    /// A chunk of one value; owns no heap.
    #[must_use]
    pub const fn uniform(voxel: Voxel) -> RunTree {
        RunTree(Form::Uniform(voxel))
    }

    /// A tree of runs in linear order that together cover the chunk exactly; equal neighbours are joined.
    ///
    /// # Panics
    /// The lengths do not add up to 32768. Use [`super::RunBuilder`] for lengths from outside.
    #[must_use]
    pub fn from_runs(runs: impl IntoIterator<Item = (u32, Voxel)>) -> RunTree {
        let mut builder = super::RunBuilder::new();
        for (len, voxel) in runs {
            builder.push(len, voxel);
        }
        builder.finish()
    }

    /// A tree of 32768 voxels in linear order.
    #[must_use]
    pub fn from_voxels(voxels: &[Voxel; CHUNK_VOLUME]) -> RunTree {
        RunTree::from_runs(voxels.chunk_by(|a, b| a == b).map(|same| (same.len() as u32, same[0])))
    }

    /// A table from starts (ascending, the first 0), palette indices and palette; at least two runs.
    pub(super) fn from_parts(starts: &[u16], indices: Vec<u16>, mut palette: Vec<Voxel>) -> RunTree {
        let mut before = [0u16; BLOCKS + 1];
        for &s in starts {
            before[usize::from(s) / BLOCK + 1] += 1;
        }
        for b in 0..BLOCKS {
            before[b + 1] += before[b];
        }
        palette.shrink_to_fit();
        let starts = starts.iter().map(|&s| s as u8).collect();
        RunTree(Form::Runs(Box::new(Table { before, starts, values: Values::from_indices(indices), palette })))
    }

    /// The voxel at linear index `index` (0..32768).
    #[must_use]
    pub fn get(&self, index: usize) -> Voxel {
        debug_assert!(index < CHUNK_VOLUME);
        match &self.0 {
            Form::Uniform(voxel) => *voxel,
            Form::Runs(table) => table.palette[table.values.get(table.find(index))],
        }
    }

    /// The whole run that holds linear index `index`.
    #[must_use]
    pub fn run_at(&self, index: usize) -> Run {
        debug_assert!(index < CHUNK_VOLUME);
        match &self.0 {
            Form::Uniform(voxel) => Run { start: 0, len: CHUNK_VOLUME as u32, voxel: *voxel },
            Form::Runs(t) => {
                let run = t.find(index);
                let (start, end) = (t.start(run), t.start(run + 1));
                Run { start: start as u32, len: (end - start) as u32, voxel: t.palette[t.values.get(run)] }
            }
        }
    }

    /// If the whole chunk is one value, that value.
    #[must_use]
    pub fn as_uniform(&self) -> Option<Voxel> {
        match &self.0 {
            Form::Uniform(voxel) => Some(*voxel),
            Form::Runs(_) => None,
        }
    }

    /// Sets one voxel; returns what was there.
    pub fn set(&mut self, index: usize, voxel: Voxel) -> Voxel {
        let old = self.get(index);
        if old != voxel {
            self.set_range(index..index + 1, voxel);
        }
        old
    }

    /// Sets the voxels `range` (linear indices within 0..32768) to `voxel`.
    ///
    /// # Panics
    /// The range ends past the chunk.
    pub fn set_range(&mut self, range: Range<usize>, voxel: Voxel) {
        assert!(range.end <= CHUNK_VOLUME, "range {range:?} ends past the chunk");
        debug_assert_ne!(voxel, Voxel::NOT_LOADED, "it stands for a voxel that is in no chunk");
        if range.is_empty() {
            return;
        }
        if range == (0..CHUNK_VOLUME) {
            *self = RunTree::uniform(voxel);
            return;
        }
        match &mut self.0 {
            Form::Uniform(old) if *old == voxel => {}
            Form::Uniform(old) => {
                let old = *old;
                let (start, end) = (range.start as u32, range.end as u32);
                let runs = [(start, old), (end - start, voxel), (CHUNK_VOLUME as u32 - end, old)];
                *self = RunTree::from_runs(runs.into_iter().filter(|r| r.0 > 0));
            }
            Form::Runs(table) => {
                splice(table, range, voxel);
                if table.starts.len() == 1 {
                    *self = RunTree::uniform(table.palette[table.values.get(0)]);
                }
            }
        }
    }

    /// All runs, in linear order.
    #[must_use]
    pub fn runs(&self) -> Runs<'_> {
        self.runs_in(0..CHUNK_VOLUME)
    }

    /// The runs of the voxels `range`, the first and last cut to it.
    #[must_use]
    pub fn runs_in(&self, range: Range<usize>) -> Runs<'_> {
        debug_assert!(range.end <= CHUNK_VOLUME);
        let mut runs = Runs { tree: self, at: range.start, end: range.end, run: 0, block: 0 };
        if let Form::Runs(table) = &self.0
            && !range.is_empty()
        {
            runs.run = table.find(range.start);
            runs.block = range.start / BLOCK;
        }
        runs
    }

    /// The number of runs, at least 1.
    #[must_use]
    pub fn run_count(&self) -> usize {
        match &self.0 {
            Form::Uniform(_) => 1,
            Form::Runs(table) => table.starts.len(),
        }
    }

    /// The different voxels of the chunk, each once; a few that an edit removed may still be among them.
    #[must_use]
    pub fn palette(&self) -> &[Voxel] {
        match &self.0 {
            Form::Uniform(voxel) => std::slice::from_ref(voxel),
            Form::Runs(table) => &table.palette,
        }
    }

    /// Bytes on the heap that this tree owns, as asked of the allocator.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        match &self.0 {
            Form::Uniform(_) => 0,
            Form::Runs(t) => {
                size_of::<Table>()
                    + t.starts.capacity()
                    + t.values.heap_bytes()
                    + t.palette.capacity() * size_of::<Voxel>()
            }
        }
    }

    /// Gives back spare capacity that edits left, and palette entries no run uses.
    pub fn shrink_to_fit(&mut self) {
        if let Form::Runs(table) = &mut self.0 {
            (table.palette, table.values) = compact(&table.palette, &table.values);
            table.starts.shrink_to_fit();
            table.values.shrink_to_fit();
        }
    }

    /// Checks the invariants in the module's text.
    ///
    /// # Errors
    /// Says which one is broken. Only a defect in this module can break one.
    pub fn check(&self) -> Result<(), String> {
        let Form::Runs(table) = &self.0 else { return Ok(()) };
        let n = table.starts.len();
        if n < 2 || table.values.len() != n || usize::from(table.before[BLOCKS]) != n || table.before[0] != 0 {
            return Err(format!(
                "{n} starts, {} values, directory ends at {}",
                table.values.len(),
                table.before[BLOCKS]
            ));
        }
        if table.before[1] == 0 || table.starts[0] != 0 {
            return Err("no run starts at 0".into());
        }
        if !table.before.is_sorted() {
            return Err("the directory does not ascend".into());
        }
        for block in 0..BLOCKS {
            let (lo, hi) = (usize::from(table.before[block]), usize::from(table.before[block + 1]));
            if !table.starts[lo..hi].is_sorted_by(|a, b| a < b) {
                return Err(format!("the starts of block {block} do not ascend: {:?}", &table.starts[lo..hi]));
            }
        }
        if let Some(run) = (0..n).find(|&run| table.values.get(run) >= table.palette.len()) {
            return Err(format!("run {run} has value {} of {}", table.values.get(run), table.palette.len()));
        }
        let (mut end, mut last) = (0, None);
        for run in self.runs() {
            if run.start != end || run.len == 0 || Some(run.voxel) == last {
                return Err(format!("after {last:?} up to {end} comes {run:?}"));
            }
            (end, last) = (run.end(), Some(run.voxel));
        }
        if end as usize != CHUNK_VOLUME {
            return Err(format!("the runs end at {end}"));
        }
        let mut seen = table.palette.clone();
        seen.sort_unstable();
        seen.dedup();
        if seen.len() != table.palette.len() {
            return Err("a voxel is twice in the palette".into());
        }
        Ok(())
    }
}

/// Replaces `range` by one value in a table of runs, keeping it canonical.
fn splice(table: &mut Table, range: Range<usize>, voxel: Voxel) {
    let value = table.intern(voxel);
    let (first, last) = (table.find(range.start), table.find(range.end - 1));
    let (first_start, last_end) = (table.start(first), table.start(last + 1));
    let (first_value, last_value) = (table.values.get(first) as u16, table.values.get(last) as u16);

    // At most three runs take the place of first..=last: what is left of the first, the new one, what is
    // left of the last. A piece of the new value, or a neighbour of it, is joined with it.
    let mut new_starts = [0usize; 3];
    let mut new_values = [0u16; 3];
    let mut count = 0;
    let (mut cut_from, mut cut_to) = (first, last + 1);
    let mut start = range.start;
    if first_start < range.start {
        if first_value == value {
            start = first_start;
        } else {
            (new_starts[0], new_values[0], count) = (first_start, first_value, 1);
        }
    } else if first > 0 && table.values.get(first - 1) as u16 == value {
        cut_from = first - 1;
        start = table.start(cut_from);
    }
    (new_starts[count], new_values[count]) = (start, value);
    count += 1;
    if range.end < last_end {
        if last_value != value {
            (new_starts[count], new_values[count]) = (range.end, last_value);
            count += 1;
        }
    } else if last + 1 < table.starts.len() && table.values.get(last + 1) as u16 == value {
        cut_to = last + 2;
    }

    // The directory first: take the cut runs' starts out of it, and put the new ones in.
    let mut change = [0i32; BLOCKS];
    let first_block = table.block(cut_from);
    let mut block = first_block;
    for run in cut_from..cut_to {
        block = table.block_of(run, block);
        change[block] -= 1;
    }
    for &s in &new_starts[..count] {
        change[s / BLOCK] += 1;
    }
    let mut sum = 0;
    for (change, before) in change.iter().zip(&mut table.before[1..]).skip(first_block) {
        sum += change;
        *before = (i32::from(*before) + sum) as u16;
    }
    table.starts.splice(cut_from..cut_to, new_starts[..count].iter().map(|&s| (s % BLOCK) as u8));
    table.values.splice(cut_from..cut_to, &new_values[..count]);
}

impl PartialEq for RunTree {
    fn eq(&self, other: &RunTree) -> bool {
        self.runs().eq(other.runs())
    }
}

impl Eq for RunTree {}

/// Walks runs in linear order. Made by [`RunTree::runs`] and [`RunTree::runs_in`].
#[derive(Clone, Debug)]
pub struct Runs<'a> {
    tree: &'a RunTree,
    at: usize,
    end: usize,
    run: usize,
    /// The block of `at`: the run after `run` starts in it or later.
    block: usize,
}

impl Iterator for Runs<'_> {
    type Item = Run;

    fn next(&mut self) -> Option<Run> {
        if self.at >= self.end {
            return None;
        }
        let start = self.at;
        let voxel = match &self.tree.0 {
            Form::Uniform(voxel) => {
                self.at = self.end;
                *voxel
            }
            Form::Runs(t) => {
                let voxel = t.palette[t.values.get(self.run)];
                self.run += 1;
                self.at = self.end;
                if self.run < t.starts.len() {
                    self.block = t.block_of(self.run, self.block);
                    self.at = self.end.min(self.block * BLOCK + usize::from(t.starts[self.run]));
                }
                voxel
            }
        };
        Some(Run { start: start as u32, len: (self.at - start) as u32, voxel })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(harm: impl FnOnce(&mut Table)) -> String {
        let voxels = [(5, Voxel::AIR), (300, Voxel::full(1)), (7, Voxel::full(2)), (32456, Voxel::AIR)];
        let mut tree = RunTree::from_runs(voxels);
        tree.check().expect("it is sound before");
        let Form::Runs(table) = &mut tree.0 else { panic!("it has runs") };
        harm(table);
        tree.check().expect_err("it is broken")
    }

    #[test]
    fn check_sees_each_broken_invariant() {
        assert_eq!(broken(|t| t.starts[1] = 0), "the starts of block 0 do not ascend: [0, 0]");
        assert_eq!(broken(|t| t.starts[2] = 60), "the starts of block 1 do not ascend: [60, 56]");
        assert_eq!(broken(|t| t.before[1] = 5), "the directory does not ascend");
        assert_eq!(broken(|t| t.values.splice(1..2, &[9])), "run 1 has value 9 of 3");
        assert!(broken(|t| t.values.splice(1..2, &[0])).starts_with("after"), "equal neighbours");
        assert_eq!(broken(|t| t.starts[0] = 1), "no run starts at 0");
        assert_eq!(broken(|t| t.palette.push(Voxel::AIR)), "a voxel is twice in the palette");
        assert!(broken(|t| t.starts.truncate(3)).contains("3 starts, 4 values"));
    }

    #[test]
    fn trees_of_other_voxels_differ() {
        let tree = RunTree::from_runs([(5, Voxel::AIR), (32763, Voxel::full(1))]);
        assert_ne!(tree, RunTree::from_runs([(6, Voxel::AIR), (32762, Voxel::full(1))]));
        assert_ne!(tree, RunTree::from_runs([(5, Voxel::AIR), (32763, Voxel::full(2))]));
        assert_ne!(tree, RunTree::uniform(Voxel::AIR));
    }
}
