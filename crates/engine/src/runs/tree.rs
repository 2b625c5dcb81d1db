//! The interval tree of one chunk: a search tree over run starts with two levels and no pointers.
//!
//! The upper level is a directory of 128 blocks of 256 voxels, the lower level is one word per run
//! (`table/`). A chunk with very many runs is packed (`packed/`) until its next edit if that saves
//! an eighth of the memory; a chunk with more than 256 different voxels is always packed.
//!
//! A tree is a handle. Cloning it shares the table, and an edit copies a shared table. So meshing,
//! saving and counting work on a clone in the background, without a lock.
//!
//! Invariants, checked by [`RunTree::check`]: the first run starts at 0; starts ascend; adjacent
//! runs differ. So the tree is *canonical*: equal content has equal runs, however it was edited. A
//! uniform chunk owns no heap memory.
//!
//! Source: 0fps, "Run length encoding and interval trees".

use super::RunTreeError;
use super::iter::{self, Runs};
use super::packed::PackedRef;
use super::repr::Repr;
use super::run::{CodedRun, Run};
use super::table::TableRef;
use crate::voxel::{CHUNK_SIDE, CHUNK_VOLUME, Voxel};
use std::ops::Range;
use std::sync::Arc;

/// The voxels of one chunk, stored as runs. Cloning shares them.
///
/// ```
/// use stonerun_engine::runs::RunTree;
/// use stonerun_engine::voxel::Voxel;
///
/// let stone = Voxel::full(1);
/// // Stone in the lower half, air above.
/// let mut chunk = RunTree::from_runs([(16_384, stone), (16_384, Voxel::AIR)]);
/// assert_eq!(chunk.get(16_383), stone);
///
/// let before = chunk.clone();
/// assert_eq!(chunk.set(20_000, stone), Voxel::AIR);
/// assert_eq!(chunk.run_count(), 4);
/// assert_eq!(before.run_count(), 2); // Edits do not affect clones.
///
/// let lens: Vec<u32> = chunk.runs().map(|run| run.len).collect();
/// assert_eq!(lens, [16_384, 3_616, 1, 12_767]);
/// ```
#[derive(Clone)]
pub struct RunTree(pub(super) Repr);

impl RunTree {
    /// Creates the tree of a chunk of one value. Owns no heap memory.
    #[must_use]
    pub const fn uniform(voxel: Voxel) -> RunTree {
        RunTree(Repr::Uniform(voxel))
    }

    /// Voxel at linear index `index` (0..32768).
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

    /// The whole run that contains linear index `index` (0..32768).
    #[must_use]
    pub fn run_at(&self, index: usize) -> Run {
        debug_assert!(index < CHUNK_VOLUME);
        match &self.0 {
            Repr::Uniform(voxel) => Run::spanning(0, CHUNK_VOLUME, *voxel),
            Repr::Table(table) => TableRef::new(table).whole_run(index),
            Repr::Packed(bytes) => PackedRef::new(bytes).whole_run(index),
        }
    }

    /// Value of the whole chunk, if it has only one.
    #[must_use]
    pub fn as_uniform(&self) -> Option<Voxel> {
        match &self.0 {
            Repr::Uniform(voxel) => Some(*voxel),
            _ => None,
        }
    }

    /// Reads a row of 32 voxels along x, like `readRow` in the Roblox text.
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

    /// The runs in `range`, the first and last cut to it.
    #[must_use]
    pub fn runs_in(&self, range: Range<usize>) -> Runs<'_> {
        debug_assert!(range.end <= CHUNK_VOLUME);
        Runs::new(&self.0, range)
    }

    /// Calls `each` with start, end and palette index ([`RunTree::values`]) of the runs in `range`,
    /// the first and last cut to it. Faster than [`RunTree::runs_in`] for callers that look up
    /// something other than the voxel.
    #[inline]
    pub fn for_each_coded(&self, range: Range<usize>, each: impl FnMut(usize, usize, usize)) {
        debug_assert!(range.end <= CHUNK_VOLUME);
        iter::for_each_coded(&self.0, range, each);
    }

    /// Folds the starts of the runs in a range of layers (y), in linear order. A run that begins
    /// before the range counts as starting with it. The fastest way to read many runs, for callers
    /// that need no ends.
    #[inline]
    pub(crate) fn fold_starts<B>(
        &self,
        layers: Range<usize>,
        init: B,
        f: impl FnMut(B, CodedRun) -> B,
    ) -> B {
        debug_assert!(layers.end <= CHUNK_SIDE as usize);
        iter::fold_starts(&self.0, layers, init, f)
    }

    /// Number of runs, at least 1.
    #[must_use]
    pub fn run_count(&self) -> usize {
        match &self.0 {
            Repr::Uniform(_) => 1,
            Repr::Table(table) => TableRef::new(table).len(),
            Repr::Packed(bytes) => PackedRef::new(bytes).len(),
        }
    }

    /// The palette: each different voxel of the chunk once, and possibly a few voxels that edits
    /// have removed from the chunk.
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

    /// True if both trees share their runs, or are uniform with one value. May be false for equal
    /// content. Constant time.
    #[must_use]
    pub(crate) fn shares_runs(&self, other: &RunTree) -> bool {
        match (&self.0, &other.0) {
            (Repr::Uniform(a), Repr::Uniform(b)) => a == b,
            (Repr::Table(a), Repr::Table(b)) => Arc::ptr_eq(a, b),
            (Repr::Packed(a), Repr::Packed(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Number of handles that share the runs, without weak ones; 1 for a uniform tree.
    ///
    /// Loops that clone or drop many trees call it first as a prefetch: uncached reads overlap,
    /// while updates of the reference counts do not.
    #[must_use]
    pub(crate) fn handle_count(&self) -> usize {
        match &self.0 {
            Repr::Uniform(_) => 1,
            Repr::Table(table) => Arc::strong_count(table),
            Repr::Packed(bytes) => Arc::strong_count(bytes),
        }
    }

    /// Heap bytes of this tree as requested from the allocator, including the reference counts of
    /// the shared table. Clones share these bytes.
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

    /// Checks all invariants.
    ///
    /// # Errors
    /// Returns the first broken invariant. Only a defect in this module can break one.
    pub fn check(&self) -> Result<(), RunTreeError> {
        match &self.0 {
            Repr::Uniform(_) => {}
            Repr::Table(table) => TableRef::new(table).check()?,
            Repr::Packed(bytes) => PackedRef::new(bytes).check()?,
        }
        if let Some(voxel) = self.values().find(|voxel| !voxel.is_valid()) {
            return Err(RunTreeError::Value(voxel));
        }
        let mut end = 0;
        let mut previous = None;
        for run in self.runs() {
            if run.start != end || run.len == 0 || Some(run.voxel) == previous {
                return Err(RunTreeError::Sequence { end, previous, run });
            }
            end = run.end();
            previous = Some(run.voxel);
        }
        if end as usize != CHUNK_VOLUME {
            return Err(RunTreeError::End(end));
        }
        let mut values: Vec<Voxel> = self.values().collect();
        values.sort_unstable();
        match values.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(RunTreeError::DuplicateValue(pair[0])),
            None => Ok(()),
        }
    }
}

impl std::fmt::Debug for RunTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.runs()).finish()
    }
}

impl PartialEq for RunTree {
    fn eq(&self, other: &RunTree) -> bool {
        match (&self.0, &other.0) {
            _ if self.shares_runs(other) => true,
            (Repr::Uniform(_), _) | (_, Repr::Uniform(_)) => false,
            _ => self.run_count() == other.run_count() && self.runs().eq(other.runs()),
        }
    }
}

impl Eq for RunTree {}
