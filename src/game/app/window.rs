//! The window: the pointer, the keys that open menus, focus, title, and the close button.

use crate::game::app::window_settings;
use crate::game::building::blueprints::dialog::BlueprintsDialog;
use crate::game::building::builder::input;
use crate::game::editing::edit_jobs::EditPreview;
use crate::game::map::streaming::ChunkStream;
use crate::game::screens::title::screen::Title;
use crate::game::state::builder_mode::BuilderMode;
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::keys::{KeyAction, KeyInput};
use crate::game::state::panel_page::PanelState;
use crate::game::state::requests::Request;
use crate::game::state::screens::{Menu, Screen};
use crate::game::state::session::OpenMap;
use bevy::prelude::*;
use bevy::window::{
    CursorGrabMode, CursorOptions, PrimaryWindow, WindowCloseRequested, WindowFocused,
};

/// Adds the systems of the window.
pub struct WindowPlugin;

impl Plugin for WindowPlugin {
    fn build(&self, app: &mut App) {
        let input = (
            open_pause_menu,
            input::escape,
            menu_keys,
            window_settings::toggle_full_screen,
            close_window,
        );
        app.add_systems(PreUpdate, input.chain().after(bevy::input::InputSystems))
            .add_systems(Update, (grab_cursor, name_window).after(FrameSet::Requests))
            .add_systems(
                Update,
                (
                    window_settings::fit_to_screen,
                    window_settings::apply,
                    show_window,
                    window_settings::remember_size,
                )
                    .chain(),
            );
    }
}

fn menu_keys(
    keys: Res<KeyInput>,
    screen: Res<State<Screen>>,
    blueprints: Res<BlueprintsDialog>,
    mut preview: ResMut<EditPreview>,
    mut panel: ResMut<PanelState>,
    mut menu: ResMut<Menu>,
) {
    let escape = keys.just_pressed(KeyAction::Menu);
    if *screen.get() != Screen::Playing {
        if escape && *menu == Menu::Settings {
            *menu = Menu::None;
        }
        return;
    }
    if escape && *menu == Menu::None && preview.is_active() {
        preview.discard();
    } else if escape && *menu == Menu::None && panel.open {
        panel.open = false;
    } else if keys.just_pressed(KeyAction::Console) && *menu == Menu::None {
        *menu = Menu::Console;
    } else if escape {
        *menu = match *menu {
            Menu::None | Menu::Settings | Menu::Places => Menu::Pause,
            Menu::Blueprints => blueprints.behind(),
            Menu::Pause
            | Menu::Inventory
            | Menu::Console
            | Menu::History
            | Menu::UndoQuestion
            | Menu::NotSaved => Menu::None,
            // The dialog handles the key itself: it may close its file chooser or cancel its job.
            Menu::Export => Menu::Export,
        };
    } else if keys.just_pressed(KeyAction::Blocks) {
        *menu = match *menu {
            Menu::None => Menu::Inventory,
            Menu::Inventory => Menu::None,
            other => other,
        };
    } else if keys.just_pressed(KeyAction::History) {
        let next = match *menu {
            Menu::None => Menu::History,
            Menu::History => Menu::None,
            other => other,
        };
        // Any write to the menu, even of the same value, restarts the open dialog.
        menu.set_if_neq(next);
    }
}

/// Opens the pause menu when the window loses the focus that it had, and releases the mouse
/// buttons: a window without focus gets no release events, and the player would go on digging. The
/// first message about a new window on X says that it has no focus; that does not pause.
fn open_pause_menu(
    mut messages: MessageReader<WindowFocused>,
    mut buttons: ResMut<ButtonInput<MouseButton>>,
    mut menu: ResMut<Menu>,
    screen: Res<State<Screen>>,
    mut is_focused: Local<bool>,
) {
    let mut had_focus = *is_focused;
    for message in messages.read() {
        *is_focused = message.focused;
        had_focus |= message.focused;
        if !message.focused {
            buttons.release_all();
        }
    }
    let is_lost = had_focus && !*is_focused;
    if is_lost && *screen.get() == Screen::Playing && *menu == Menu::None {
        *menu = Menu::Pause;
    }
}

/// Requests to quit when the window's close button is pressed. Like the menu, this saves first.
fn close_window(
    mut closed: MessageReader<WindowCloseRequested>,
    mut requests: MessageWriter<Request>,
) {
    if closed.read().next().is_some() {
        requests.write(Request::Quit);
    }
}

/// Locks the pointer while the player plays.
fn grab_cursor(
    screen: Res<State<Screen>>,
    menu: Res<Menu>,
    builder: Res<BuilderMode>,
    window: Option<Single<(&mut Window, &mut CursorOptions), With<PrimaryWindow>>>,
) {
    let Some(window) = window else { return };
    let (mut window, mut cursor) = window.into_inner();
    let pointer_is_free = builder.is_on && builder.pointer_is_free;
    let locked = *screen.get() == Screen::Playing
        && *menu == Menu::None
        && window.focused
        && !pointer_is_free;
    let wanted = if locked { CursorGrabMode::Locked } else { CursorGrabMode::None };
    if cursor.grab_mode != wanted {
        cursor.grab_mode = wanted;
        cursor.visible = !locked;
        // A released pointer starts in the middle.
        let middle = Vec2::new(window.width(), window.height()) / 2.0;
        window.set_cursor_position(Some(middle));
    }
}

/// Shows the window once the interface is laid out. Shown earlier, it would be white at first, and
/// a click could miss its button.
fn show_window(mut frames: Local<u32>, window: Option<Single<&mut Window, With<PrimaryWindow>>>) {
    const HIDDEN_FRAMES: u32 = 4;
    if *frames <= HIDDEN_FRAMES {
        *frames += 1;
        if *frames > HIDDEN_FRAMES
            && let Some(mut window) = window
        {
            window.visible = true;
        }
    }
}

/// Names the window after the open map, or after the dialog on the title screen.
fn name_window(
    map: Option<Res<OpenMap>>,
    stream: Option<Res<ChunkStream>>,
    screen: Res<State<Screen>>,
    title: Res<Title>,
    window: Option<Single<&mut Window, With<PrimaryWindow>>>,
) {
    let Some(mut window) = window else { return };
    // The map behind the title screen gives the window no name.
    let map = map.filter(|_| *screen.get() == Screen::Playing);
    let name = match (map, stream) {
        (Some(map), _) if map.read_only.is_some() => format!("{} (read-only) - Stonerun", map.name),
        (Some(map), Some(stream)) if stream.waiting > 0 => {
            format!("{} (loading) - Stonerun", map.name)
        }
        (Some(map), _) => format!("{} - Stonerun", map.name),
        _ => match title.open_dialog() {
            Some(dialog) => format!("{dialog} - Stonerun"),
            None => "Stonerun".to_owned(),
        },
    };
    if window.title != name {
        window.title = name;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::ecs::system::RunSystemOnce;

    /// The menu after a key press while playing, and whether the panel is open then.
    fn after(menu: Menu, action: KeyAction, panel_is_open: bool) -> (Menu, bool) {
        let mut keys = KeyInput::default();
        keys.press_action(action);
        let mut app = App::new();
        app.insert_resource(State::new(Screen::Playing))
            .insert_resource(menu)
            .insert_resource(keys)
            .insert_resource(PanelState { open: panel_is_open, ..PanelState::default() })
            .init_resource::<BlueprintsDialog>()
            .init_resource::<EditPreview>();
        app.world_mut().run_system_once(menu_keys).expect("its resources exist");
        (*app.world().resource::<Menu>(), app.world().resource::<PanelState>().open)
    }

    #[test]
    fn keys_open_and_close_the_menus() {
        for (menu, action, expected) in [
            (Menu::None, KeyAction::Menu, Menu::Pause),
            (Menu::Pause, KeyAction::Menu, Menu::None),
            (Menu::Settings, KeyAction::Menu, Menu::Pause),
            (Menu::Console, KeyAction::Menu, Menu::None),
            (Menu::Export, KeyAction::Menu, Menu::Export),
            (Menu::None, KeyAction::Blocks, Menu::Inventory),
            (Menu::Inventory, KeyAction::Blocks, Menu::None),
            (Menu::Pause, KeyAction::Blocks, Menu::Pause),
            (Menu::None, KeyAction::History, Menu::History),
            (Menu::History, KeyAction::History, Menu::None),
            (Menu::Pause, KeyAction::History, Menu::Pause),
            (Menu::None, KeyAction::Console, Menu::Console),
            (Menu::Inventory, KeyAction::Console, Menu::Inventory),
        ] {
            assert_eq!(after(menu, action, false), (expected, false), "{menu:?} {action:?}");
        }
    }

    #[test]
    fn escape_closes_the_panel_before_it_opens_the_menu() {
        assert_eq!(after(Menu::None, KeyAction::Menu, true), (Menu::None, false));
        assert_eq!(
            after(Menu::Pause, KeyAction::Menu, true),
            (Menu::None, true),
            "the menu is in front"
        );
    }

    #[test]
    fn only_a_window_that_had_the_focus_pauses_the_game() {
        let mut app = App::new();
        app.insert_resource(State::new(Screen::Playing))
            .init_resource::<Menu>()
            .init_resource::<ButtonInput<MouseButton>>()
            .add_message::<WindowFocused>()
            .add_systems(Update, open_pause_menu);
        let mut after = |changes: &[bool]| {
            for &focused in changes {
                app.world_mut()
                    .write_message(WindowFocused { window: Entity::PLACEHOLDER, focused });
            }
            app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(MouseButton::Left);
            *app.world_mut().resource_mut::<Menu>() = Menu::None;
            app.update();
            let digs =
                app.world().resource::<ButtonInput<MouseButton>>().pressed(MouseButton::Left);
            (*app.world().resource::<Menu>(), digs)
        };
        assert_eq!(after(&[false]), (Menu::None, false), "as the window opens");
        assert_eq!(after(&[true]), (Menu::None, true));
        assert_eq!(after(&[false, true]), (Menu::None, false), "lost and found within a frame");
        assert_eq!(after(&[false]), (Menu::Pause, false));
        assert_eq!(after(&[]), (Menu::None, true), "the player has closed the menu");
        assert_eq!(after(&[true, false]), (Menu::Pause, false));
    }
}
