//! Signals that end the program: SIGTERM at log-out, SIGHUP when its terminal closes. The map is
//! saved, as on Ctrl+C.

use crate::game::pictures::map_picture::MapPicture;
use crate::game::state::screens::Screen;
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

/// Ends the program when a signal has asked for it. The open map is saved at the end of the frame,
/// after a picture of it for the title screen was taken, unless that takes long.
pub fn exit_on_signal(
    signal: Res<EndSignal>,
    screen: Option<Res<State<Screen>>>,
    mut picture: Option<ResMut<MapPicture>>,
    mut is_asked: Local<bool>,
    mut exit: MessageWriter<AppExit>,
) {
    if !signal.0.load(Ordering::Relaxed) {
        return;
    }
    let is_playing = screen.is_some_and(|screen| *screen.get() == Screen::Playing);
    if let Some(picture) = picture.as_mut().filter(|_| is_playing) {
        if !std::mem::replace(&mut *is_asked, true) {
            picture.ask();
        }
        if picture.is_underway() {
            return;
        }
    }
    exit.write(AppExit::Success);
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::state::app::StatesPlugin;

    #[test]
    fn signal_takes_a_picture_of_the_open_map_before_the_end() {
        let received = Arc::new(AtomicBool::new(false));
        let mut app = App::new();
        app.add_plugins(StatesPlugin).init_state::<Screen>().add_message::<AppExit>();
        app.insert_resource(EndSignal(Arc::clone(&received))).init_resource::<MapPicture>();
        app.add_systems(First, exit_on_signal);
        app.world_mut().resource_mut::<NextState<Screen>>().set(Screen::Playing);
        app.update();
        let ends = |app: &mut App| {
            app.update();
            app.should_exit().is_some()
        };
        assert!(!ends(&mut app));
        received.store(true, Ordering::Relaxed);
        assert!(!ends(&mut app) && !ends(&mut app), "the picture is awaited");
        app.insert_resource(MapPicture::default());
        assert!(ends(&mut app), "the picture was handed to the save");
    }
}
