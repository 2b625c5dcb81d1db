//! The system asks the program to end (SIGTERM at log-out, SIGHUP when its terminal closes): it saves, as on Ctrl+C.

use bevy::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set once the program was asked to end.
#[derive(Resource)]
pub struct Asked(Arc<AtomicBool>);

impl Default for Asked {
    fn default() -> Asked {
        let asked = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
            // Where that is refused the system ends the program as it always did.
            let _ = signal_hook::flag::register(signal, Arc::clone(&asked));
        }
        Asked(asked)
    }
}

/// Ends the program when it was asked to; what is open is saved at its end.
pub fn obey(asked: Res<Asked>, mut exit: MessageWriter<AppExit>) {
    if asked.0.load(Ordering::Relaxed) {
        exit.write(AppExit::Success);
    }
}
