//! An allocator that counts what the process has allocated: all of Rust, and nothing of the driver.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, Ordering};

static LIVE: AtomicIsize = AtomicIsize::new(0);
static LIVE_BYTES: AtomicIsize = AtomicIsize::new(0);

fn count(allocations: isize, bytes: isize) {
    LIVE.fetch_add(allocations, Ordering::Relaxed);
    LIVE_BYTES.fetch_add(bytes, Ordering::Relaxed);
}

/// The system's allocator, counted.
struct Counting;

// SAFETY: every call is forwarded to the system's allocator unchanged; counting touches only two
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

/// Number of allocations that are not freed.
pub fn live() -> isize {
    LIVE.load(Ordering::Relaxed)
}

/// Bytes of the allocations that are not freed.
pub fn live_bytes() -> isize {
    LIVE_BYTES.load(Ordering::Relaxed)
}
