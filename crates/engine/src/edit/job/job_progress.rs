//! Progress of a job, and its cores.

use super::edit_error::EditError;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Blocks of items that each core has in its share of a job, or more.
const BLOCKS_PER_CORE: usize = 16;
/// Most items in a block.
const MOST_ITEMS: usize = 64;

/// Progress of a job. The job counts; the owner reads, and may cancel.
#[derive(Debug, Default)]
pub struct JobProgress {
    done: AtomicUsize,
    total: AtomicUsize,
    is_cancelled: AtomicBool,
}

impl JobProgress {
    /// Chunks that are done, and chunks of the job in all, both in the present stage of the job.
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

    /// Results of `work` for all items, in their order, computed by the cores of the current pool of
    /// threads. Counts the items as chunks of a new stage.
    ///
    /// # Errors
    /// An error of `work`, or [`EditError::Cancelled`].
    pub(in crate::edit) fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> Result<R, EditError> + Sync,
    ) -> Result<Vec<R>, EditError> {
        self.filter_map(items, |item| work(item).map(Some))
    }

    /// Like [`JobProgress::map`], without the items for which `work` returns `None`.
    ///
    /// # Errors
    /// An error of `work`, or [`EditError::Cancelled`].
    pub(in crate::edit) fn filter_map<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> Result<Option<R>, EditError> + Sync,
    ) -> Result<Vec<R>, EditError> {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(items.len(), Ordering::Relaxed);
        // Blocks of items, so that cores rarely write the same counter. Few items are blocks of one.
        let block = (items.len() / (BLOCKS_PER_CORE * rayon::current_num_threads())).clamp(1, MOST_ITEMS);
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
        blocks.into_iter().for_each(|mut block| all.append(&mut block));
        Ok(all)
    }
}
