//! An allocator that counts the allocations of the process: all of Rust's, and none of the
//! driver's.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, Ordering};

static LIVE: AtomicIsize = AtomicIsize::new(0);
static LIVE_BYTES: AtomicIsize = AtomicIsize::new(0);

fn count(allocations: isize, bytes: isize) {
    LIVE.fetch_add(allocations, Ordering::Relaxed);
    LIVE_BYTES.fetch_add(bytes, Ordering::Relaxed);
}

/// The system's allocator with counters.
struct Counting;

// SAFETY: every call is forwarded to the system's allocator unchanged; counting changes only two
// numbers.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as isize);
        // SAFETY: the caller fulfils the system allocator's conditions.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as isize);
        // SAFETY: the caller fulfils the system allocator's conditions.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(0, size as isize - layout.size() as isize);
        // SAFETY: `at` came from `System` with this layout, through the methods here.
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-1, -(layout.size() as isize));
        // SAFETY: `at` came from `System` with this layout, through the methods above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Number of allocations that have not been freed.
pub fn live() -> isize {
    LIVE.load(Ordering::Relaxed)
}

/// Size of the allocations that have not been freed, in bytes.
pub fn live_bytes() -> isize {
    LIVE_BYTES.load(Ordering::Relaxed)
}
