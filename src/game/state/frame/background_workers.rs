//! Background tasks that serve a queue until it is empty.
//!
//! If each item were a task, frames would have to start the tasks, and slow frames would limit the
//! background work. Workers take the next item themselves; a frame only fills the queue and
//! restarts workers that have ended.

use super::caught::caught;
use bevy::tasks::AsyncComputeTaskPool;
use bevy::tasks::futures_lite::future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The workers of one queue.
#[derive(Clone, Default)]
pub struct BackgroundWorkers {
    running: Arc<AtomicUsize>,
}

impl BackgroundWorkers {
    /// Starts workers until `count` of them run. Each worker calls `step`, which takes an item and
    /// processes it, until it returns false. Between two steps, tasks of other queues get their
    /// turn. After a panic the worker goes on, but the item is lost unless `step` catches the panic
    /// itself.
    pub fn start(&self, count: usize, step: impl Fn() -> bool + Clone + Send + 'static) {
        let missing = count.saturating_sub(self.running());
        for _ in 0..missing {
            let running = RunningWorker::new(&self.running);
            let step = step.clone();
            let work = async move {
                let _running = running;
                while caught(&step).unwrap_or(true) {
                    future::yield_now().await;
                }
            };
            AsyncComputeTaskPool::get().spawn(work).detach();
        }
    }

    /// Number of workers that run.
    #[must_use]
    pub fn running(&self) -> usize {
        self.running.load(Ordering::Acquire)
    }

    /// Maximum useful number of workers: one per thread of the pool.
    #[must_use]
    pub fn max_useful() -> usize {
        AsyncComputeTaskPool::get().thread_num().max(1)
    }
}

/// Guard that counts a worker as running until it is dropped, so even if the worker panics.
struct RunningWorker(Arc<AtomicUsize>);

impl RunningWorker {
    fn new(running: &Arc<AtomicUsize>) -> RunningWorker {
        running.fetch_add(1, Ordering::AcqRel);
        RunningWorker(Arc::clone(running))
    }
}

impl Drop for RunningWorker {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::tasks::TaskPool;
    use std::sync::mpsc;
    use std::time::{Duration, Instant};

    #[test]
    fn workers_serve_a_queue_until_it_is_empty() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let workers = BackgroundWorkers::default();
        let left = Arc::new(AtomicUsize::new(1000));
        let (sender, receiver) = mpsc::channel();
        let step = move || {
            let taken =
                left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| left.checked_sub(1));
            taken.is_ok_and(|before| sender.send(before).is_ok())
        };
        workers.start(3, step.clone());
        workers.start(3, step);
        let mut items: Vec<usize> = receiver.iter().collect();
        items.sort_unstable();
        assert_eq!(items, (1..=1000).collect::<Vec<_>>());
        let start = Instant::now();
        while workers.running() > 0 {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "{} workers still run",
                workers.running()
            );
            std::thread::yield_now();
        }
    }
}
