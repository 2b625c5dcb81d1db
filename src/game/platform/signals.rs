//! Signals that end the program: SIGTERM at log-out, SIGHUP when its terminal closes. The map is
//! saved, as on Ctrl+C.

use bevy::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set once a signal has asked the program to end.
#[derive(Resource)]
pub struct EndSignal(Arc<AtomicBool>);

impl Default for EndSignal {
    fn default() -> EndSignal {
        let received = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
            // If the handler cannot be set, the signal ends the program at once, as it does by
            // default.
            let _ = signal_hook::flag::register(signal, Arc::clone(&received));
        }
        EndSignal(received)
    }
}

/// Ends the program when a signal has asked for it. The open map is saved at the end of the frame.
pub fn exit_on_signal(signal: Res<EndSignal>, mut exit: MessageWriter<AppExit>) {
    if signal.0.load(Ordering::Relaxed) {
        exit.write(AppExit::Success);
    }
}
