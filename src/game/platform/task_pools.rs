//! The threads of the game's tasks.
//!
//! Loading, meshing and all other long work run in Bevy's pool for asynchronous computation, or on
//! threads of their own. On Linux the pool has a thread for every core but one, at a low priority,
//! so that frames come first. Other systems offer no low priority in safe Rust, so there it gets
//! half of the cores.

use bevy::app::{TaskPoolOptions, TaskPoolPlugin, TaskPoolThreadAssignmentPolicy};
use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

/// Bevy's plugin of task pools, with the game's threads.
#[must_use]
pub fn plugin() -> TaskPoolPlugin {
    let policy = |percent, on_thread_spawn| TaskPoolThreadAssignmentPolicy {
        min_threads: 1,
        max_threads: usize::MAX,
        percent,
        on_thread_spawn,
        on_thread_destroy: None,
    };
    TaskPoolPlugin {
        task_pool_options: TaskPoolOptions {
            // Assets are loaded only at the start, so the pool gets the minimum of one thread.
            io: policy(0.0, None),
            async_compute: policy(
                if cfg!(target_os = "linux") { 1.0 } else { 0.5 },
                Some(Arc::new(lower_priority)),
            ),
            // The systems of a frame run one after another, so one thread is enough.
            compute: policy(0.0, None),
            ..TaskPoolOptions::default()
        },
    }
}

/// Lowers the priority of the calling thread on Linux. Does nothing on other systems, which offer
/// no such call in safe Rust.
pub fn lower_priority() {
    // `None` names the calling thread on Linux. If the system refuses, the priority stays as it is.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, LOW);
}

/// Starts a thread at a low priority, for work that no frame waits for.
///
/// # Errors
/// The operating system cannot start a thread.
pub fn spawn_background<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    Builder::new().name(name.into()).spawn(|| {
        lower_priority();
        work()
    })
}

/// Niceness of background threads. At 10, a thread gets about a tenth of the time of a normal one
/// on the same core.
#[cfg(target_os = "linux")]
const LOW: i32 = 10;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::process::getpriority_process;

    #[test]
    fn only_the_calling_thread_gets_a_low_priority() {
        let before = getpriority_process(None).unwrap();
        let lowered = spawn_background("test", || getpriority_process(None).unwrap()).unwrap();
        assert!(lowered.join().unwrap() == LOW || before > LOW);
        assert_eq!(getpriority_process(None).unwrap(), before);
    }
}
