//! Progress of a job, and its cores.

use super::EditError;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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
    pub(super) fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> Result<R, EditError> + Sync,
    ) -> Result<Vec<R>, EditError> {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(items.len(), Ordering::Relaxed);
        let counted = |item: &T| {
            if self.is_cancelled() {
                return Err(EditError::Cancelled);
            }
            let result = work(item)?;
            self.done.fetch_add(1, Ordering::Relaxed);
            Ok(result)
        };
        items.par_iter().map(counted).collect()
    }
}
