//! The interval tree of one chunk: a search tree over run starts, two levels, no pointers.
//!
//! The upper level is a directory of 128 blocks of 256 voxels, the lower one a word a run; `table.rs` has the layout. Very
//! many runs, if that saves an eighth, are kept as `packed.rs` says until they are edited; very many different voxels always.
//! A tree is a handle: cloning it shares the table, and an edit copies a table that is shared. So whoever meshes,
//! saves or counts takes a clone, and works on it in the background with no lock.
//!
//! Invariants, checked by [`RunTree::check`]: the first run starts at 0; starts ascend; neighbouring runs
//! differ; so the tree of a given content is one and the same however it was edited (*canonical*).
//! A chunk of one value holds no heap at all.
//!
//! Source: 0fps, "Run length encoding and interval trees".

use super::RunBuilder;
use super::iter::Runs;
use super::packed::PackedRef;
use super::single_edit::{self, SingleEdit};
use super::table::{self, BLOCK, CodedRun, MAX_CODES, RunSpan, TableRef};
use crate::voxel::{CHUNK_VOLUME, Voxel};
use std::ops::Range;
use std::sync::Arc;

/// Words of room that an unpacked table has for the edits that follow.
const ROOM: usize = 32;

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

/// The voxels of one chunk as runs. See the module's text for the invariants. Cloning it costs next to nothing.
#[derive(Clone)]
pub struct RunTree(pub(super) Repr);

#[derive(Clone)]
pub(super) enum Repr {
    /// One value everywhere.
    Uniform(Voxel),
    /// Two runs or more, and up to 256 different voxels.
    Table(Arc<[u16]>),
    /// Very many of either.
    Packed(Arc<[u8]>),
}

impl RunTree {
    /// A chunk of one value; owns no heap.
    #[must_use]
    pub const fn uniform(voxel: Voxel) -> RunTree {
        RunTree(Repr::Uniform(voxel))
    }

    /// A tree of runs in linear order that together cover the chunk exactly; equal neighbours are joined.
    ///
    /// # Panics
    /// The lengths do not add up to 32768. Use [`super::RunBuilder`] for lengths from outside.
    #[must_use]
    pub fn from_runs(runs: impl IntoIterator<Item = (u32, Voxel)>) -> RunTree {
        let mut builder = RunBuilder::new();
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

    /// The voxel at linear index `index` (0..32768).
    #[must_use]
    #[inline(always)]
    pub fn get(&self, index: usize) -> Voxel {
        debug_assert!(index < CHUNK_VOLUME);
        match &self.0 {
            Repr::Uniform(voxel) => *voxel,
            Repr::Table(table) => TableRef::new(table).get(index),
            Repr::Packed(bytes) => PackedRef::new(bytes).get(index),
        }
    }

    /// The whole run that holds linear index `index` (0..32768).
    #[must_use]
    pub fn run_at(&self, index: usize) -> Run {
        debug_assert!(index < CHUNK_VOLUME);
        match &self.0 {
            Repr::Uniform(voxel) => Run { start: 0, len: CHUNK_VOLUME as u32, voxel: *voxel },
            Repr::Table(table) => TableRef::new(table).whole_run(index),
            Repr::Packed(bytes) => {
                let packed = PackedRef::new(bytes);
                let (start, end, code) = packed.run_at(index);
                Run { start: start as u32, len: (end - start) as u32, voxel: packed.voxel(code) }
            }
        }
    }

    /// If the whole chunk is one value, that value.
    #[must_use]
    pub fn as_uniform(&self) -> Option<Voxel> {
        match &self.0 {
            Repr::Uniform(voxel) => Some(*voxel),
            _ => None,
        }
    }

    /// Sets one voxel; returns what was there.
    #[inline]
    pub fn set(&mut self, index: usize, voxel: Voxel) -> Voxel {
        debug_assert!(index < CHUNK_VOLUME, "voxel {index} is past the chunk");
        debug_assert_ne!(voxel, Voxel::NOT_LOADED, "it stands for a voxel that is in no chunk");
        let old = match &mut self.0 {
            Repr::Table(table) => match single_edit::set(table, index, voxel) {
                SingleEdit::Done(old) => return old,
                SingleEdit::Declined(old) => old,
            },
            _ => self.get(index),
        };
        self.set_range(index..index + 1, voxel);
        old
    }

    /// Sets a range of a tree with a table; `first` is the run in which it begins.
    fn replace(&mut self, range: Range<usize>, voxel: Voxel, first: RunSpan) {
        debug_assert_ne!(voxel, Voxel::NOT_LOADED, "it stands for a voxel that is in no chunk");
        let Repr::Table(table) = &mut self.0 else { return };
        let Some(code) = code_of(table, voxel) else { return self.set_ranges([(range, voxel)]) };
        splice(table, range, code, first);
        let view = TableRef::new(table);
        if view.len() == 1 {
            *self = RunTree::uniform(view.voxel(view.code(0)));
        }
    }

    /// Makes a table of a packed tree, if its palette is not too long for one.
    fn unpack(&mut self) {
        if let Repr::Packed(bytes) = &self.0
            && let packed = PackedRef::new(bytes)
            && packed.palette_len() <= MAX_CODES
        {
            let palette: Vec<Voxel> = self.values().collect();
            let mut runs = Vec::with_capacity(packed.len());
            packed.for_each(0..CHUNK_VOLUME, |start, _, code| {
                runs.push(CodedRun { start: start as u16, code: code as u16 })
            });
            self.0 = Repr::Table(table::table(&runs, &palette, ROOM));
        }
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
        if self.runs_in(range.clone()).all(|run| run.voxel == voxel) {
            return;
        }
        if range != (0..CHUNK_VOLUME) {
            self.unpack();
            if let Repr::Table(table) = &self.0 {
                let first = TableRef::new(table).run_at(range.start);
                return self.replace(range, voxel, first);
            }
        }
        self.set_ranges([(range, voxel)]);
    }

    /// Sets several ranges, ascending and apart from each other, in one pass over the runs: for a box, a column of
    /// terrain, a step of a rule. It costs as much as walking all runs, however many the ranges.
    ///
    /// # Panics
    /// The ranges overlap, do not ascend, or end past the chunk.
    pub fn set_ranges(&mut self, ranges: impl IntoIterator<Item = (Range<usize>, Voxel)>) {
        let mut new = RunBuilder::new();
        let mut old = self.runs();
        let mut pending = old.next();
        let mut copy_to = |new: &mut RunBuilder, end: usize| {
            while let Some(run) = pending {
                let from = new.position().max(run.start as usize);
                let to = end.min(run.end() as usize);
                new.push(to.saturating_sub(from) as u32, run.voxel);
                if run.end() as usize > end {
                    break;
                }
                pending = old.next();
            }
        };
        for (range, voxel) in ranges {
            if !range.is_empty() {
                assert!(range.start >= new.position(), "{range:?} begins before {}", new.position());
                copy_to(&mut new, range.start);
                new.push((range.end - range.start) as u32, voxel);
            }
        }
        copy_to(&mut new, CHUNK_VOLUME);
        *self = new.finish();
    }

    /// Reads a whole row of 32 voxels along x, as the Roblox text's `readRow` does.
    ///
    /// `row` is the row's number: z + 32 y, 0..1024.
    pub fn read_row(&self, row: usize, into: &mut [Voxel; 32]) {
        debug_assert!(row < CHUNK_VOLUME / 32);
        for run in self.runs_in(row * 32..row * 32 + 32) {
            into[run.start as usize % 32..][..run.len as usize].fill(run.voxel);
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
        Runs::new(&self.0, range)
    }

    /// The number of runs, at least 1.
    #[must_use]
    pub fn run_count(&self) -> usize {
        match &self.0 {
            Repr::Uniform(_) => 1,
            Repr::Table(table) => TableRef::new(table).len(),
            Repr::Packed(bytes) => PackedRef::new(bytes).len(),
        }
    }

    /// The different voxels of the chunk, each once; a few that an edit removed may still be among them.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Voxel> {
        let len = match &self.0 {
            Repr::Uniform(_) => 1,
            Repr::Table(table) => TableRef::new(table).palette_len(),
            Repr::Packed(bytes) => PackedRef::new(bytes).palette_len(),
        };
        (0..len).map(|index| match &self.0 {
            Repr::Uniform(voxel) => *voxel,
            Repr::Table(table) => TableRef::new(table).voxel(index as u16),
            Repr::Packed(bytes) => PackedRef::new(bytes).voxel(index),
        })
    }

    /// Bytes on the heap that this tree keeps, as asked of the allocator, counts of the shared table included. Clones
    /// keep the same ones.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let table = match &self.0 {
            Repr::Uniform(_) => return 0,
            Repr::Table(table) => size_of_val::<[u16]>(table),
            Repr::Packed(bytes) => bytes.len(),
        };
        let counts = 2 * size_of::<usize>();
        (counts + table).next_multiple_of(align_of::<usize>())
    }

    /// Gives back the room that edits left for others, and palette entries no run uses.
    pub fn shrink_to_fit(&mut self) {
        self.set_ranges([]);
    }

    /// Checks the invariants in the module's text.
    ///
    /// # Errors
    /// Says which one is broken. Only a defect in this module can break one.
    pub fn check(&self) -> Result<(), String> {
        match &self.0 {
            Repr::Uniform(_) => return Ok(()),
            Repr::Table(table) => TableRef::new(table).check()?,
            Repr::Packed(bytes) => PackedRef::new(bytes).check()?,
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
        let mut seen: Vec<Voxel> = self.values().collect();
        let len = seen.len();
        seen.sort_unstable();
        seen.dedup();
        if seen.len() == len { Ok(()) } else { Err("a voxel is twice in the palette".into()) }
    }
}

/// The code of `voxel`, added to the palette if need be. None where the table had better be built anew: the palette is
/// full, or has grown so much that entries no run uses are likely.
fn code_of(table: &mut Arc<[u16]>, voxel: Voxel) -> Option<u16> {
    let view = TableRef::new(table);
    let len = view.palette_len();
    match view.find_code(voxel) {
        Some(code) => Some(code),
        None if len >= 8 && len.is_power_of_two() => None,
        None => Some(table::add_value(table, voxel)),
    }
}

/// Replaces `range` by one value, keeping the table canonical. `first` is the run in which the range begins.
fn splice(table: &mut Arc<[u16]>, range: Range<usize>, code: u16, first: RunSpan) {
    let view = TableRef::new(table);
    let last = if range.end <= first.end { first } else { view.run_at(range.end - 1) };
    let entry = |start: usize, code: u16| CodedRun { start: start as u16, code };

    // What takes the place of the runs that are cut: the new one, and what is left of the last. A piece of the new
    // value, or a neighbour of it, is joined with it. What is left of the first keeps its start: it is not cut.
    let mut new = [entry(range.start, code); 2];
    let mut count = 1;
    let (mut cut_from, mut cut_to) = (first.number, last.number + 1);
    let mut block = first.start / BLOCK;
    if first.start < range.start {
        if view.code(first.number) == code {
            new[0] = entry(first.start, code);
        } else {
            cut_from += 1;
        }
    } else if first.number > 0 && view.code(first.number - 1) == code {
        cut_from -= 1;
        let start = view.start(cut_from);
        new[0] = entry(start, code);
        block = start / BLOCK;
    }
    if range.end < last.end {
        if view.code(last.number) != code {
            new[1] = entry(range.end, view.code(last.number));
            count = 2;
        }
    } else if last.number + 1 < view.len() && view.code(last.number + 1) == code {
        cut_to += 1;
    }
    // The runs cut are empty where the range lies inside one.
    let cut = cut_from..cut_to.max(cut_from);
    table::splice(table, cut, block, &new[..count], range);
}

impl std::fmt::Debug for RunTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.runs()).finish()
    }
}

impl PartialEq for RunTree {
    fn eq(&self, other: &RunTree) -> bool {
        match (&self.0, &other.0) {
            (Repr::Uniform(a), Repr::Uniform(b)) => a == b,
            (Repr::Uniform(_), _) | (_, Repr::Uniform(_)) => false,
            (Repr::Table(a), Repr::Table(b)) if Arc::ptr_eq(a, b) => true,
            (Repr::Packed(a), Repr::Packed(b)) if Arc::ptr_eq(a, b) => true,
            _ => self.run_count() == other.run_count() && self.runs().eq(other.runs()),
        }
    }
}

impl Eq for RunTree {}
