//! The threads of edits.

use crate::game::platform::task_pools;
use rayon::{ThreadPool, ThreadPoolBuildError};
use std::sync::LazyLock;

/// The threads of edits: one per core but one, which is left to the game.
static POOL: LazyLock<Result<ThreadPool, ThreadPoolBuildError>> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(cores.saturating_sub(1).max(1))
        .thread_name(|number| format!("edit {number}"))
        .start_handler(|_| task_pools::lower_priority());
    pool.build()
});

/// The threads of edits.
///
/// # Errors
/// The system has refused to start them.
pub fn get() -> Result<&'static ThreadPool, &'static ThreadPoolBuildError> {
    POOL.as_ref()
}
