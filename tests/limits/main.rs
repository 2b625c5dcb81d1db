//! Limits of memory and time: counted allocations, imports of any size, and hostile input to every
//! decoder.
//!
//! A counting allocator serves this whole test program. It counts per thread, so that tests can run
//! in parallel.

#[path = "../fuzzing/mod.rs"]
mod fuzzing;
#[path = "../fuzzing/mutate.rs"]
mod mutate;
#[path = "../fuzzing/repack.rs"]
mod repack;

mod fuzz_corpus;
mod heap_bytes;
mod import_memory;
mod import_streams;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Lock for every test that opens maps. SQLite counts its memory per process, so these tests take
/// turns.
fn sqlite_turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    // A failed test poisons the lock; the other tests still run.
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
