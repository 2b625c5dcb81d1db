//! The settings of the window: full screen (`F11`), vertical sync, and a size that is remembered
//! and fits the screen.

use crate::game::state::keys::{KeyAction, KeyInput};
use crate::game::state::settings::{Settings, WindowSize};
use bevy::prelude::*;
use bevy::window::{
    Monitor, MonitorSelection, OnMonitor, PresentMode, PrimaryMonitor, PrimaryWindow, WindowMode,
    WindowResolution,
};

/// Size of the window in the first session.
const FIRST_SIZE: WindowSize = WindowSize { width: 1280, height: 720 };
/// Height that a title bar and a task bar may take of the screen, in logical pixels.
const BARS: u32 = 80;

/// The window with these settings, before the screen is known.
#[must_use]
pub fn window(settings: &Settings) -> Window {
    let WindowSize { width, height } = settings.window_size.unwrap_or(FIRST_SIZE);
    let mut window = Window { resolution: WindowResolution::new(width, height), ..default() };
    apply_to(&mut window, settings);
    if settings.full_screen {
        // There is no current screen yet.
        window.mode = WindowMode::BorderlessFullscreen(MonitorSelection::Primary);
    }
    window
}

/// `F11` switches full screen.
pub fn toggle_full_screen(keys: Res<KeyInput>, mut settings: ResMut<Settings>) {
    if keys.just_pressed(KeyAction::FullScreen) {
        settings.full_screen = !settings.full_screen;
    }
}

/// Applies changed settings to the window.
pub fn apply(settings: Res<Settings>, window: Option<Single<&mut Window, With<PrimaryWindow>>>) {
    if let Some(mut window) = window
        && settings.is_changed()
    {
        apply_to(&mut window, &settings);
    }
}

fn apply_to(window: &mut Window, settings: &Settings) {
    let mode = if settings.full_screen {
        WindowMode::BorderlessFullscreen(MonitorSelection::Current)
    } else {
        WindowMode::Windowed
    };
    let present = if settings.vsync { PresentMode::AutoVsync } else { PresentMode::AutoNoVsync };
    // Only a real change triggers Bevy's change detection.
    if (window.mode == WindowMode::Windowed) == settings.full_screen {
        window.mode = mode;
    }
    if window.present_mode != present {
        window.present_mode = present;
    }
}

/// The window and the screen it is on.
type WindowOnScreen = (&'static mut Window, Option<&'static OnMonitor>);

/// Shrinks a window that is larger than its screen, once, before it is shown.
pub fn fit_to_screen(
    window: Option<Single<WindowOnScreen, With<PrimaryWindow>>>,
    monitors: Query<(Entity, &Monitor, Has<PrimaryMonitor>)>,
    mut done: Local<bool>,
) {
    let Some(window) = window.filter(|_| !*done) else { return };
    let (mut window, on) = window.into_inner();
    // The screen that the window is on, otherwise the primary one.
    let rank = |(entity, _, main): &(Entity, &Monitor, bool)| {
        (on.is_some_and(|on| on.0 == *entity), *main)
    };
    let Some((_, monitor, _)) = monitors.iter().max_by_key(rank) else { return };
    *done = true;
    if window.mode != WindowMode::Windowed {
        return;
    }
    let scale = f64::from(window.resolution.scale_factor());
    let logical = |pixels: u32| (f64::from(pixels) / scale) as u32;
    let screen = WindowSize {
        width: logical(monitor.physical_width),
        height: logical(monitor.physical_height),
    };
    let now = size_of(&window);
    let fitting = fitted(size_of(&window), screen);
    if fitting != now {
        window.resolution.set(fitting.width as f32, fitting.height as f32);
    }
}

/// The size reduced to fit a screen of size `screen` with room for bars.
fn fitted(size: WindowSize, screen: WindowSize) -> WindowSize {
    size.within(WindowSize { height: screen.height.saturating_sub(BARS), ..screen })
}

fn size_of(window: &Window) -> WindowSize {
    WindowSize { width: window.width().round() as u32, height: window.height().round() as u32 }
}

/// The last sizes of the window.
#[derive(Default)]
pub struct SeenSizes {
    window: Option<WindowSize>,
    full_screen: Option<WindowSize>,
}

/// Notes the window's size in the settings whenever it changes.
pub fn remember_size(
    window: Option<Single<Ref<Window>, With<PrimaryWindow>>>,
    mut settings: ResMut<Settings>,
    mut seen: Local<SeenSizes>,
) {
    let Some(window) = window.filter(|window| window.is_changed() && window.visible) else {
        return;
    };
    let size = size_of(&window);
    // Only sizes of a normal window are remembered, not of full screen or a minimised one. The
    // window keeps the full screen's size for a few frames after leaving it.
    if window.mode != WindowMode::Windowed {
        seen.full_screen = Some(size);
        return;
    }
    if seen.full_screen == Some(size) || size.within(size) != size {
        return;
    }
    seen.full_screen = None;
    if seen.window.replace(size).is_some_and(|before| before != size)
        && settings.window_size != Some(size)
    {
        settings.window_size = Some(size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: u32, height: u32) -> WindowSize {
        WindowSize { width, height }
    }

    #[test]
    fn window_fits_the_screen_with_room_for_bars() {
        assert_eq!(fitted(FIRST_SIZE, size(1920, 1080)), FIRST_SIZE);
        assert_eq!(fitted(FIRST_SIZE, size(1366, 768)), size(1280, 688));
        assert_eq!(fitted(size(3000, 2000), size(1024, 600)), size(1024, 520));
        assert_eq!(fitted(size(3000, 2000), size(320, 200)), WindowSize::SMALLEST);
    }

    /// The game's systems with a window of this size on a screen of this size.
    fn app(settings: Settings, screen: WindowSize) -> App {
        let mut app = App::new();
        app.init_resource::<KeyInput>();
        app.world_mut().spawn((Window { visible: true, ..window(&settings) }, PrimaryWindow));
        app.world_mut().spawn((
            Monitor {
                name: None,
                physical_width: screen.width,
                physical_height: screen.height,
                physical_position: IVec2::ZERO,
                refresh_rate_millihertz: None,
                scale_factor: 1.0,
                video_modes: vec![],
            },
            PrimaryMonitor,
        ));
        app.insert_resource(settings);
        app.add_systems(Update, (toggle_full_screen, fit_to_screen, apply, remember_size).chain());
        app
    }

    fn primary(app: &mut App) -> Mut<'_, Window> {
        app.world_mut().query::<&mut Window>().single_mut(app.world_mut()).expect("one window")
    }

    #[test]
    fn large_window_is_fitted_and_only_the_players_size_is_remembered() {
        let mut app =
            app(Settings { window_size: Some(size(2000, 1500)), ..default() }, size(1000, 800));
        app.update();
        assert_eq!(size_of(&primary(&mut app)), size(1000, 720));
        app.update();
        assert_eq!(
            app.world().resource::<Settings>().window_size,
            Some(size(2000, 1500)),
            "the screen is small today"
        );
        primary(&mut app).resolution.set(900.0, 640.0);
        app.update();
        assert_eq!(app.world().resource::<Settings>().window_size, Some(size(900, 640)));
        // A minimised window has no size.
        primary(&mut app).resolution.set(0.0, 0.0);
        app.update();
        assert_eq!(app.world().resource::<Settings>().window_size, Some(size(900, 640)));
    }

    #[test]
    fn f11_switches_full_screen_and_keeps_the_windows_size() {
        let mut app = app(Settings { vsync: false, ..default() }, size(1920, 1080));
        app.update();
        assert_eq!(primary(&mut app).present_mode, PresentMode::AutoNoVsync);
        app.world_mut().resource_mut::<KeyInput>().press_action(KeyAction::FullScreen);
        app.update();
        assert!(matches!(primary(&mut app).mode, WindowMode::BorderlessFullscreen(_)));
        app.world_mut().resource_mut::<KeyInput>().next_frame();
        primary(&mut app).resolution.set(1920.0, 1080.0);
        app.update();
        assert_eq!(app.world().resource::<Settings>().window_size, None);
        app.world_mut().resource_mut::<KeyInput>().press_action(KeyAction::FullScreen);
        app.update();
        assert_eq!(primary(&mut app).mode, WindowMode::Windowed);
        assert_eq!(
            app.world().resource::<Settings>().window_size,
            None,
            "the window has not shrunk yet"
        );
        primary(&mut app).resolution.set(1280.0, 720.0);
        app.update();
        assert_eq!(app.world().resource::<Settings>().window_size, None);
    }
}
