//! An allocator that counts the allocated bytes per thread.
//!
//! Threads count separately, so other tests do not interfere; no decoder under test starts threads.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // Const and without a destructor, so that access never allocates.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator with counters.
struct Counting;

// SAFETY: every call is forwarded to the system's allocator unchanged; counting changes only
// numbers.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.set(LIVE.get() + layout.size() as isize);
        PEAK.set(PEAK.get().max(LIVE.get()));
        // SAFETY: the caller fulfils the system allocator's conditions.
        unsafe { System.alloc(layout) }
    }

    // Zeroed memory counts although the system may not write it.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LIVE.set(LIVE.get() + layout.size() as isize);
        PEAK.set(PEAK.get().max(LIVE.get()));
        // SAFETY: the caller fulfils the system allocator's conditions.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get() - layout.size() as isize);
        // SAFETY: `at` came from `System` with this layout, through the methods above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes currently allocated by this thread.
pub fn live() -> isize {
    LIVE.get()
}

/// Runs `work`. Returns its result, and the peak number of bytes that this thread allocated for it.
pub fn most<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = LIVE.get();
    PEAK.set(before);
    let made = work();
    (made, (PEAK.get() - before) as u64)
}

/// Does the same as [`most`], including SQLite's allocations. These count per process, so callers
/// must take turns.
pub fn most_with_sqlite<T>(work: impl FnOnce() -> T) -> (T, u64) {
    use rusqlite::ffi::{sqlite3_memory_highwater, sqlite3_memory_used};
    // SAFETY: both may be called at any time from any thread, and return a number.
    let before = unsafe {
        sqlite3_memory_highwater(1);
        sqlite3_memory_used()
    };
    let (made, counted) = most(work);
    // SAFETY: see the call above.
    let most = unsafe { sqlite3_memory_highwater(0) };
    (made, counted + (most - before).max(0) as u64)
}
