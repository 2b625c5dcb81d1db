//! Edits of a run tree.

use super::packed::PackedRef;
use super::repr::Repr;
use super::run::{CodedRun, MAX_CODES};
use super::single_edit::{self, SingleEdit};
use super::table::{self, RunSpan, TableRef};
use super::{RunBuilder, RunTree, range_edit};
use crate::voxel::{CHUNK_VOLUME, Voxel};
use std::ops::Range;

/// Number of spare words for further edits in a table made from a packed tree.
const ROOM: usize = 32;

impl RunTree {
    /// Sets one voxel and returns its old value.
    #[inline]
    pub fn set(&mut self, index: usize, voxel: Voxel) -> Voxel {
        debug_assert!(index < CHUNK_VOLUME, "voxel {index} is outside the chunk");
        debug_assert_ne!(voxel, Voxel::NOT_LOADED, "a chunk cannot contain NOT_LOADED");
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

    /// Sets a range of voxels in a table; `first` is the run that contains the start of the range.
    fn replace(&mut self, range: Range<usize>, voxel: Voxel, first: RunSpan) {
        debug_assert_ne!(voxel, Voxel::NOT_LOADED, "a chunk cannot contain NOT_LOADED");
        let Repr::Table(table) = &mut self.0 else { return };
        let Some(code) = range_edit::intern(table, voxel) else {
            return self.set_ranges([(range, voxel)]);
        };
        range_edit::set(table, range, code, first);
        let table_ref = TableRef::new(table);
        if table_ref.len() == 1 {
            *self = RunTree::uniform(table_ref.voxel(table_ref.code(0)));
        }
    }

    /// Converts a packed tree to a table, unless its palette is too long for a table.
    pub(super) fn unpack(&mut self) {
        if let Repr::Packed(bytes) = &self.0
            && let packed = PackedRef::new(bytes)
            && packed.palette_len() <= MAX_CODES
        {
            let palette: Vec<Voxel> = self.values().collect();
            let mut runs = Vec::with_capacity(packed.len());
            packed.for_each(0..CHUNK_VOLUME, |start, _, code| {
                runs.push(CodedRun { start: start as u16, code: code as u16 })
            });
            self.0 = Repr::Table(table::build(&runs, &palette, ROOM));
        }
    }

    /// Sets the voxels of `range` (linear indices within 0..32768) to `voxel`.
    ///
    /// # Panics
    /// Panics if the range ends past the chunk.
    pub fn set_range(&mut self, range: Range<usize>, voxel: Voxel) {
        assert!(range.end <= CHUNK_VOLUME, "range {range:?} ends past the chunk");
        debug_assert_ne!(voxel, Voxel::NOT_LOADED, "a chunk cannot contain NOT_LOADED");
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

    /// Sets several disjoint, ascending ranges in one pass over the runs: a box, a column of
    /// terrain, a simulation step. Costs a walk over all runs, however many ranges there are.
    ///
    /// # Panics
    /// Panics if the ranges overlap, do not ascend, or end past the chunk.
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
                assert!(
                    range.start >= new.position(),
                    "{range:?} begins before {}",
                    new.position()
                );
                copy_to(&mut new, range.start);
                new.push((range.end - range.start) as u32, voxel);
            }
        }
        copy_to(&mut new, CHUNK_VOLUME);
        *self = new.finish();
    }

    /// Frees the spare words for edits, and palette entries that no run uses.
    pub fn shrink_to_fit(&mut self) {
        self.set_ranges([]);
    }
}
