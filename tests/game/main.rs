//! Tests of the game as players meet it: pictures, culling and a real window.
#![cfg(feature = "game")]

#[cfg(target_os = "linux")]
mod allocations;
mod culling;
mod day;
#[cfg(target_os = "linux")]
mod level_memory;
mod picture;
mod scene;
#[cfg(target_os = "linux")]
mod screen;
mod sun_shadows;
mod translucency;
#[cfg(target_os = "linux")]
mod window;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Lock that every test here holds, because they draw in software, and the window's test waits for
/// frames.
fn drawing_turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    // A failed test poisons the lock; the other tests still run.
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
