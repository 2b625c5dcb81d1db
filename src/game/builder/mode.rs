//! The builder mode: on or off, the tool in hand, and whether the pointer is free.

use crate::game::common::keys::{CONTROL, held};
use crate::game::common::screens::Menu;
use bevy::prelude::*;

/// A tool of the builder mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tool {
    /// Selects a box, and fills what is selected.
    #[default]
    Select,
    /// Paints and erases while a button is held.
    Brush,
    /// Lines, curves and walls along points.
    Line,
    /// Moves, copies and repeats what is selected.
    Move,
    /// Puts down what was copied.
    Paste,
}

impl Tool {
    /// All tools, with their names and keys.
    pub const ALL: [(Tool, &str, KeyCode, &str); 5] = [
        (Tool::Select, "Select", KeyCode::KeyZ, "Z"),
        (Tool::Brush, "Brush", KeyCode::KeyV, "V"),
        (Tool::Line, "Line", KeyCode::KeyL, "L"),
        (Tool::Move, "Move", KeyCode::KeyG, "G"),
        (Tool::Paste, "Paste", KeyCode::KeyP, "P"),
    ];
}

/// The builder mode. While it is on, mouse buttons and wheel belong to its tool.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BuilderMode {
    /// True while it is on.
    pub is_on: bool,
    /// The tool in hand.
    pub tool: Tool,
    /// True while the pointer is free: it points in place of the crosshair, and can click.
    pub pointer_is_free: bool,
    /// True while the free pointer is over the interface, which then gets the buttons and the wheel.
    pub interface_has_pointer: bool,
    /// True while the tool wheel is open.
    pub is_wheel_open: bool,
    /// True while a text field has the keys.
    pub is_typing: bool,
}

/// Run condition: the builder mode is on.
#[must_use]
pub fn is_building(mode: Option<Res<BuilderMode>>) -> bool {
    mode.is_some_and(|mode| mode.is_on)
}

/// Run condition: the mouse turns the view. Not while the pointer of the builder mode is free, nor in
/// its tool wheel.
#[must_use]
pub fn mouse_turns_view(mode: Option<Res<BuilderMode>>) -> bool {
    mode.is_none_or(|mode| !mode.is_on || !mode.pointer_is_free && !mode.is_wheel_open)
}

/// Key that switches the mode.
pub const MODE_KEY: KeyCode = KeyCode::KeyB;
/// Key that frees the pointer.
pub const POINTER_KEY: KeyCode = KeyCode::Tab;

/// Switches the mode, the tools and the pointer.
pub fn switch(keys: Res<ButtonInput<KeyCode>>, mut mode: ResMut<BuilderMode>) {
    let control = held(&keys, CONTROL);
    if keys.just_pressed(MODE_KEY) && !control {
        mode.is_on = !mode.is_on;
        mode.pointer_is_free = false;
    }
    if !mode.is_on || control {
        return;
    }
    if keys.just_pressed(POINTER_KEY) {
        mode.pointer_is_free = !mode.pointer_is_free;
    }
    for (tool, _, key, _) in Tool::ALL {
        if keys.just_pressed(key) {
            mode.tool = tool;
        }
    }
}

/// Keeps keys from the game while a text field of the panel has the focus.
pub fn keep_typing_from_game(
    mut contexts: bevy_egui::EguiContexts,
    menu: Res<Menu>,
    mut mode: ResMut<BuilderMode>,
    mut keys: ResMut<ButtonInput<KeyCode>>,
) {
    let is_typing = mode.is_on
        && mode.pointer_is_free
        && *menu == Menu::None
        && contexts.ctx_mut().is_ok_and(|ctx| ctx.egui_wants_keyboard_input());
    if mode.is_typing != is_typing {
        mode.is_typing = is_typing;
    }
    if is_typing {
        keys.reset_all();
    }
}
