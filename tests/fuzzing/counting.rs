//! An allocator that counts what each thread has allocated.
//!
//! Each thread counts for itself, so that what tests beside this one do does not matter; nothing that is fed starts threads.

#![allow(dead_code, reason = "not every program that counts asks for all of it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // Const and without a destructor, so that touching it never allocates.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator, counted.
struct Counting;

// SAFETY: every call is handed on to the system's allocator as it came; counting touches only numbers.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.set(LIVE.get() + layout.size() as isize);
        MOST.set(MOST.get().max(LIVE.get()));
        // SAFETY: the caller's promise is the system allocator's condition.
        unsafe { System.alloc(layout) }
    }

    // Zeroed memory that is never touched is asked for all the same, so it counts; but it need not be written.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LIVE.set(LIVE.get() + layout.size() as isize);
        MOST.set(MOST.get().max(LIVE.get()));
        // SAFETY: the caller's promise is the system allocator's condition.
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

/// Bytes that this thread has allocated now.
pub fn live() -> isize {
    LIVE.get()
}

/// Does `work`, and says the most bytes that this thread had allocated at once for it.
pub fn most<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = LIVE.get();
    MOST.set(before);
    let made = work();
    (made, (MOST.get() - before) as u64)
}

/// The same with what SQLite allocates, which counts for the whole program: one at a time.
pub fn most_with_sqlite<T>(work: impl FnOnce() -> T) -> (T, u64) {
    use rusqlite::ffi::{sqlite3_memory_highwater, sqlite3_memory_used};
    // SAFETY: both may be called at any time from any thread, and give a number.
    let before = unsafe {
        sqlite3_memory_highwater(1);
        sqlite3_memory_used()
    };
    let (made, counted) = most(work);
    // SAFETY: as above.
    let most = unsafe { sqlite3_memory_highwater(0) };
    (made, counted + (most - before).max(0) as u64)
}
