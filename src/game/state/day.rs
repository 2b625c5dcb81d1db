//! The day: time passes while the map is played. Builders can stop it and set it.
//!
//! The time of day is part of the map. The length of a day, and whether it is stopped, are
//! settings.

use crate::game::state::keys::{KeyAction, KeyInput, WheelUse};
use crate::game::state::notices::Notices;
use crate::game::state::session::OpenMap;
use crate::game::state::settings::Settings;
use bevy::prelude::*;
use stonerun_engine::save::TimeOfDay;

/// Maximum time that passes in a frame, in seconds, however long the frame takes.
pub const MAX_FRAME_SECONDS: f32 = 0.5;

/// Time of day of the open map.
#[must_use]
pub fn time_of_day(map: &OpenMap) -> TimeOfDay {
    TimeOfDay::from_part(map.header.time_of_day)
}

/// Advances the time of day, unless the day is stopped.
pub fn pass(time: Res<Time<Real>>, settings: Res<Settings>, mut map: ResMut<OpenMap>) {
    if !settings.day_stopped {
        let seconds = f64::from(time.delta_secs().min(MAX_FRAME_SECONDS));
        map.header.time_of_day =
            time_of_day(&map).after(seconds, f64::from(settings.day_length)).part();
    }
}

/// State of the key that controls the day.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DayKeyState {
    /// The key is up, or was already held when the player left a menu.
    #[default]
    Idle,
    /// The key is held; its release will stop or resume the day.
    Pressed,
    /// The wheel was turned while the key is held, so its release does nothing.
    Turning,
}

/// Stops, resumes and sets the day by keys.
pub fn control(
    keys: Res<KeyInput>,
    mut map: ResMut<OpenMap>,
    mut settings: ResMut<Settings>,
    mut notices: ResMut<Notices>,
    mut state: Local<DayKeyState>,
) {
    if keys.just_pressed(KeyAction::Day) {
        *state = DayKeyState::Pressed;
    }
    let quarters = keys.wheel(WheelUse::Day);
    if quarters != 0 {
        *state = DayKeyState::Turning;
        let time = time_of_day(&map).quarters_later(quarters);
        map.header.time_of_day = time.part();
        notices.replace_info("Time", time);
    }
    let was_released = keys.just_released(KeyAction::Day);
    if !keys.is_held(KeyAction::Day)
        && std::mem::take(&mut *state) == DayKeyState::Pressed
        && was_released
    {
        settings.day_stopped = !settings.day_stopped;
        let time = time_of_day(&map);
        notices.replace_info(
            "Day",
            if settings.day_stopped {
                format!(
                    "stopped at {time}; {} lets it go on",
                    settings.keyboard.label(KeyAction::Day)
                )
            } else {
                format!("goes on at {time}")
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::state::keys::{KeyMode, KeyState};
    use crate::game::state::session::opening::{self, OpenPurpose};
    use stonerun_engine::save::{Header, MapFile};
    use stonerun_engine::voxel::MaterialTable;

    /// An app with a map at noon, and the folder of the map.
    fn app() -> (App, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("home.stonerun");
        let header = Header { time_of_day: 0.5, ..Header::new(1, "void", 0) };
        MapFile::create(&path, &header, &MaterialTable::builtin()).unwrap().close().unwrap();
        let mut keys = KeyInput::default();
        keys.begin_frame(
            KeyState { mode: KeyMode::Hands, ..KeyState::default() },
            false,
            std::time::Duration::ZERO,
        );
        let mut app = App::new();
        app.insert_resource(opening::open(&path, OpenPurpose::Look).unwrap().map)
            .insert_resource(keys)
            .init_resource::<Settings>()
            .init_resource::<Notices>()
            .init_resource::<Time<Real>>()
            .add_systems(Update, control);
        (app, folder)
    }

    /// Runs a frame in which the wheel is turned by `wheel`. `press` is true if the key is pressed
    /// in it, false if it is released.
    fn frame(app: &mut App, press: Option<bool>, wheel: i32) {
        let mut keys = app.world_mut().resource_mut::<KeyInput>();
        keys.next_frame();
        match press {
            Some(true) => keys.press_action(KeyAction::Day),
            Some(false) => keys.release_action(KeyAction::Day),
            None => {}
        }
        keys.turn_wheel(wheel);
        app.update();
    }

    fn state(app: &App) -> (bool, String) {
        (
            app.world().resource::<Settings>().day_stopped,
            time_of_day(app.world().resource::<OpenMap>()).to_string(),
        )
    }

    #[test]
    fn tap_stops_and_resumes_the_day() {
        let (mut app, _folder) = app();
        frame(&mut app, Some(true), 0);
        assert_eq!(state(&app), (false, "12:00".to_owned()), "the wheel may still follow");
        frame(&mut app, Some(false), 0);
        assert_eq!(state(&app), (true, "12:00".to_owned()));
        let said = |app: &App| {
            app.world()
                .resource::<Notices>()
                .list
                .iter()
                .map(|n| n.text.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(said(&app), ["Day: stopped at 12:00; T lets it go on"]);
        frame(&mut app, Some(true), 0);
        frame(&mut app, Some(false), 0);
        assert_eq!(state(&app), (false, "12:00".to_owned()));
        assert_eq!(said(&app), ["Day: goes on at 12:00"]);
    }

    #[test]
    fn tap_within_one_frame_counts() {
        let (mut app, _folder) = app();
        app.world_mut().resource_mut::<KeyInput>().press_action(KeyAction::Day);
        app.world_mut().resource_mut::<KeyInput>().release_action(KeyAction::Day);
        app.update();
        assert!(state(&app).0);
    }

    #[test]
    fn wheel_with_the_key_sets_the_time_and_stops_nothing() {
        let (mut app, _folder) = app();
        frame(&mut app, None, 3);
        assert_eq!(state(&app), (false, "12:00".to_owned()), "the wheel alone");
        frame(&mut app, Some(true), 0);
        frame(&mut app, None, 2);
        frame(&mut app, None, -1);
        assert_eq!(state(&app), (false, "12:15".to_owned()));
        frame(&mut app, Some(false), 0);
        assert_eq!(state(&app), (false, "12:15".to_owned()));
    }

    #[test]
    fn day_passes_by_its_length_unless_it_is_stopped() {
        let (mut app, _folder) = app();
        let pass_half_a_second = |app: &mut App, stopped: bool| {
            *app.world_mut().resource_mut::<Settings>() =
                Settings { day_stopped: stopped, day_length: 5, ..Settings::default() };
            app.world_mut()
                .resource_mut::<Time<Real>>()
                .update_with_duration(std::time::Duration::from_millis(500));
            app.world_mut().run_system_once(pass).unwrap();
            app.world().resource::<OpenMap>().header.time_of_day
        };
        use bevy::ecs::system::RunSystemOnce;
        // `Time` reports the duration of a frame from the second update on.
        app.world_mut().resource_mut::<Time<Real>>().update();
        assert_eq!(pass_half_a_second(&mut app, true), 0.5);
        assert!((pass_half_a_second(&mut app, false) - (0.5 + 0.5 / 300.0)).abs() < 1e-9);
    }
}
