//! Work that a dialog waits for, on a thread of its own: imports, restored backups.

use crate::exchange::Progress;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{Builder, JoinHandle};

/// Work under way. Dropped, it is cancelled and waited for: nothing goes on behind the player's back, nor after the game.
pub struct Job<T> {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<T>>,
}

#[derive(Default)]
struct Shared {
    /// How much is done, in thousandths.
    done: AtomicU32,
    cancelled: AtomicBool,
}

impl<T: Send + 'static> Job<T> {
    /// Begins it. It is told when to end by what it tells of its progress.
    ///
    /// # Errors
    /// The system gives no thread: one line.
    pub fn begin(work: impl FnOnce(&mut Progress) -> T + Send + 'static) -> Result<Job<T>, String> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let work = move || {
            work(&mut |done| {
                theirs.done.store((done * 1000.0) as u32, Ordering::Relaxed);
                match theirs.cancelled.load(Ordering::Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            })
        };
        let thread = Builder::new().name("job".into()).spawn(work).map_err(|e| format!("cannot begin: {e}"))?;
        Ok(Job { shared, thread: Some(thread) })
    }

    /// How much is done, from 0 to 1.
    #[must_use]
    pub fn done(&self) -> f32 {
        self.shared.done.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// Asks it to end.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// True once it was asked to end.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// What came of it, once it has ended.
    ///
    /// # Errors
    /// The work panicked, which is a mistake of ours: one line.
    pub fn poll(&mut self) -> Option<Result<T, String>> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        Some(thread.join().map_err(|_| "it ended by a mistake in the program".to_owned()))
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

    fn wait<T: Send + 'static>(job: &mut Job<T>) -> Result<T, String> {
        loop {
            match job.poll() {
                Some(result) => return result,
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    #[test]
    fn it_tells_how_far_it_is_and_what_came_of_it() {
        let mut job = Job::begin(|progress| progress(0.25).is_continue()).unwrap();
        assert_eq!(wait(&mut job), Ok(true));
        assert_eq!(job.done(), 0.25);
        assert!(job.poll().is_none(), "it is told once");
    }

    #[test]
    fn it_ends_when_it_is_cancelled_or_forgotten() {
        let endless = |progress: &mut Progress| while progress(0.0).is_continue() {};
        let mut job = Job::begin(endless).unwrap();
        assert!(job.poll().is_none());
        job.cancel();
        assert_eq!(wait(&mut job), Ok(()));
        drop(Job::begin(endless).unwrap());
    }

    #[test]
    fn a_mistake_in_it_does_not_end_the_game() {
        let mut job = Job::<()>::begin(|_| std::panic::resume_unwind(Box::new("mistake"))).unwrap();
        assert!(wait(&mut job).is_err());
    }
}
