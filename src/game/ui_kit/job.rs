//! A background job on a thread of its own: an import, export, restore, picture of a map, or
//! opening the map behind the title screen.

use crate::game::platform::task_pools;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use stonerun_exchange::Progress;

/// The operating system cannot start a thread for a job.
#[derive(thiserror::Error, Debug)]
#[error("cannot start a thread: {0}")]
pub struct JobStartError(std::io::Error);

/// A job panicked, which is a bug.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("it failed because of a bug in the program")]
pub struct JobPanicked;

/// A running job. Dropping it cancels it and waits for its end, so no job outlives its dialog or
/// the game.
pub struct Job<T> {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<T>>,
}

#[derive(Default)]
struct Shared {
    /// Progress in thousandths.
    done: AtomicU32,
    cancelled: AtomicBool,
}

impl<T: Send + 'static> Job<T> {
    /// Starts the job. `work` gets a progress callback, which breaks once the job is cancelled.
    ///
    /// # Errors
    /// The operating system cannot start a thread.
    pub fn begin(
        work: impl FnOnce(&mut Progress) -> T + Send + 'static,
    ) -> Result<Job<T>, JobStartError> {
        let shared = Arc::new(Shared::default());
        let thread_shared = Arc::clone(&shared);
        let work = move || {
            work(&mut |done| {
                thread_shared.done.store((done * 1000.0) as u32, Ordering::Relaxed);
                if thread_shared.cancelled.load(Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
        };
        let thread = task_pools::spawn_background("job", work).map_err(JobStartError)?;
        Ok(Job { shared, thread: Some(thread) })
    }

    /// Progress, 0 to 1.
    #[must_use]
    pub fn done(&self) -> f32 {
        self.shared.done.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// Asks the job to stop.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// True after [`cancel`](Self::cancel).
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// Result of the job, once, after it has ended. `None` before and after that.
    ///
    /// # Errors
    /// The job panicked.
    pub fn poll(&mut self) -> Option<Result<T, JobPanicked>> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        Some(thread.join().map_err(|_| JobPanicked))
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn wait<T: Send + 'static>(job: &mut Job<T>) -> Result<T, JobPanicked> {
        loop {
            match job.poll() {
                Some(result) => return result,
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    #[test]
    fn job_reports_progress_and_result() {
        let mut job = Job::begin(|progress| progress(0.25).is_continue()).unwrap();
        assert_eq!(wait(&mut job), Ok(true));
        assert_eq!(job.done(), 0.25);
        assert!(job.poll().is_none(), "the result is returned once");
    }

    #[test]
    fn job_stops_when_cancelled_or_dropped() {
        let endless = |progress: &mut Progress| while progress(0.0).is_continue() {};
        let mut job = Job::begin(endless).unwrap();
        assert!(job.poll().is_none());
        job.cancel();
        assert_eq!(wait(&mut job), Ok(()));
        drop(Job::begin(endless).unwrap());
    }

    #[test]
    fn panic_in_a_job_becomes_an_error() {
        let mut job = Job::<()>::begin(|_| std::panic::resume_unwind(Box::new("mistake"))).unwrap();
        assert!(wait(&mut job).is_err());
    }
}
