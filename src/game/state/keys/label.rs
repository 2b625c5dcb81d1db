//! Names of keys, as they are on the player's keyboard.

use super::bindings::{self, Binding, DIGIT_NAMES, DIGITS, Trigger, With};
use super::layout::upper;
use super::{KeyAction, KeyboardLayout};
use bevy::input::keyboard::KeyCode;

impl KeyboardLayout {
    /// The label of an action's key, such as `Ctrl+Z`. If the action has several keys, the first.
    #[must_use]
    pub fn label(self, action: KeyAction) -> String {
        bindings::of(action).next().map_or_else(String::new, |row| self.row_label(row))
    }

    /// Labels of all keys of an action, such as `Left Ctrl, R`.
    #[must_use]
    pub fn labels(self, action: KeyAction) -> String {
        let mut names: Vec<String> = Vec::new();
        for row in bindings::of(action) {
            let name = self.row_label(row);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(", ")
    }

    /// The four keys that walk, such as `W A S D`.
    #[must_use]
    pub fn walking(self) -> String {
        use KeyAction::{Ahead, Back, Left, Right};
        [Ahead, Left, Back, Right].map(|action| self.label(action)).join(" ")
    }

    fn row_label(self, row: &Binding) -> String {
        let is_shortcut = matches!(row.with, With::Control | With::ControlShift);
        let key = match row.trigger {
            Trigger::Letter(letter) if is_shortcut => upper(letter).to_string(),
            Trigger::Letter(letter) => upper(self.key_of(letter)).to_string(),
            Trigger::Character(character) => character.to_string(),
            Trigger::Position(code) => match self.walking_label(code) {
                Some(label) => label.to_string(),
                None => position_name(code).to_owned(),
            },
        };
        let held = match row.with {
            With::Any | With::NoControl => return key,
            With::Control => "Ctrl".to_owned(),
            With::ControlShift => "Ctrl+Shift".to_owned(),
            With::Shift => "Shift".to_owned(),
            With::KeepView => self.label(KeyAction::KeepView),
            With::ReturnToView => self.label(KeyAction::ReturnToView),
        };
        format!("{held}+{key}")
    }
}

/// The name of a key that has the same name on all keyboards; empty for other keys.
fn position_name(code: KeyCode) -> &'static str {
    // Digits are named after their key, even on layouts that type them with Shift.
    if let Some(number) = DIGITS.iter().position(|&digit| digit == code) {
        return DIGIT_NAMES[number];
    }
    match code {
        KeyCode::Space => "Space",
        KeyCode::ShiftLeft => "Left Shift",
        KeyCode::ControlLeft => "Left Ctrl",
        KeyCode::AltLeft => "Left Alt",
        KeyCode::Tab => "Tab",
        KeyCode::Enter => "Enter",
        KeyCode::NumpadEnter => "Numpad Enter",
        KeyCode::Escape => "Escape",
        KeyCode::Backspace => "Backspace",
        KeyCode::Delete => "Del",
        KeyCode::Home => "Home",
        KeyCode::PageUp => "Page Up",
        KeyCode::PageDown => "Page Down",
        KeyCode::ArrowUp => "Up",
        KeyCode::ArrowDown => "Down",
        KeyCode::ArrowLeft => "Left",
        KeyCode::ArrowRight => "Right",
        KeyCode::F3 => "F3",
        KeyCode::F4 => "F4",
        KeyCode::F5 => "F5",
        KeyCode::F6 => "F6",
        KeyCode::F7 => "F7",
        KeyCode::F11 => "F11",
        KeyCode::Numpad1 => "Numpad 1",
        KeyCode::Numpad3 => "Numpad 3",
        KeyCode::Numpad5 => "Numpad 5",
        KeyCode::Numpad7 => "Numpad 7",
        KeyCode::NumpadAdd => "Numpad +",
        KeyCode::NumpadSubtract => "Numpad -",
        _ => "",
    }
}
