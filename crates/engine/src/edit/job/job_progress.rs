//! Progress of a job, and the distribution of its work over cores.

use super::edit_error::EditError;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Minimum number of blocks of items per core, so that all cores finish at about the same time.
const BLOCKS_PER_CORE: usize = 16;
/// Maximum number of items in a block.
const MAX_BLOCK_ITEMS: usize = 64;

/// Progress of a job. The job updates it; the owner reads it, and may cancel the job.
#[derive(Debug, Default)]
pub struct JobProgress {
    done: AtomicUsize,
    total: AtomicUsize,
    is_cancelled: AtomicBool,
}

impl JobProgress {
    /// Number of finished chunks, and of all chunks, in the current stage of the job.
    #[must_use]
    pub fn chunks(&self) -> (usize, usize) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// Asks the job to stop. It ends with [`EditError::Cancelled`].
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// True once the job was asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// Applies `work` to all items on the threads of the current pool and returns the results in
    /// order. Begins a new stage of the job, with the items as its chunks.
    ///
    /// # Errors
    /// Returns the error of a `work`, or [`EditError::Cancelled`].
    pub(in crate::edit) fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> Result<R, EditError> + Sync,
    ) -> Result<Vec<R>, EditError> {
        self.filter_map(items, |item| work(item).map(Some))
    }

    /// Maps `items` like [`JobProgress::map`], and leaves out items for which `work` returns
    /// `None`.
    ///
    /// # Errors
    /// Returns the error of a `work`, or [`EditError::Cancelled`].
    pub(in crate::edit) fn filter_map<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> Result<Option<R>, EditError> + Sync,
    ) -> Result<Vec<R>, EditError> {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(items.len(), Ordering::Relaxed);
        // Counts blocks of items, because cores that count every item would contend for the
        // counter.
        let block = (items.len() / (BLOCKS_PER_CORE * rayon::current_num_threads()))
            .clamp(1, MAX_BLOCK_ITEMS);
        let results = |items: &[T]| {
            let mut results = Vec::with_capacity(items.len());
            for item in items {
                if self.is_cancelled() {
                    return Err(EditError::Cancelled);
                }
                results.extend(work(item)?);
            }
            self.done.fetch_add(items.len(), Ordering::Relaxed);
            Ok(results)
        };
        let mut all = Vec::with_capacity(items.len());
        let blocks: Vec<Vec<R>> = items.par_chunks(block).map(results).collect::<Result<_, _>>()?;
        for mut block in blocks {
            all.append(&mut block);
        }
        Ok(all)
    }
}
