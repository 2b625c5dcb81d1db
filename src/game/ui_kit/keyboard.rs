//! Key presses for egui, each with the modifiers that were held when it came.
//!
//! The corresponding system of `bevy_egui` gives all presses of a frame the modifiers at the
//! frame's end: a quick Ctrl+A, released within one slow frame, would type an "a" instead of
//! selecting everything.

use bevy::input::keyboard::{Key, KeyboardFocusLost, KeyboardInput};
use bevy::prelude::*;
use bevy_egui::helpers::{bevy_to_egui_key, bevy_to_egui_physical_key};
use bevy_egui::input::{EguiInputEvent, ModifierKeysState};
use bevy_egui::{EguiGlobalSettings, EguiInputSet, PrimaryEguiContext, egui};

/// Adds the system that writes key presses, and turns off the one of `bevy_egui`.
pub fn add(app: &mut App) {
    let mut settings = app.world_mut().get_resource_or_init::<EguiGlobalSettings>();
    settings.input_system_settings.run_write_keyboard_input_messages_system = false;
    app.add_systems(PreUpdate, write.in_set(EguiInputSet::ReadBevyMessages));
}

fn write(
    mut presses: MessageReader<KeyboardInput>,
    mut focus_lost: MessageReader<KeyboardFocusLost>,
    context: Option<Single<Entity, With<PrimaryEguiContext>>>,
    mut events: MessageWriter<EguiInputEvent>,
    mut held: Local<ModifierKeysState>,
) {
    if focus_lost.read().next().is_some() {
        *held = ModifierKeysState::default();
    }
    let Some(context) = context else { return };
    for press in presses.read() {
        for event in to_egui(press, &mut held).into_iter().flatten() {
            events.write(EguiInputEvent { context: *context, event });
        }
    }
}

/// The text event and the key event of a press or release. Updates the modifiers in `held`.
fn to_egui(press: &KeyboardInput, held: &mut ModifierKeysState) -> [Option<egui::Event>; 2] {
    let pressed = press.state.is_pressed();
    match press.logical_key {
        Key::Shift => held.shift = pressed,
        Key::Control => held.ctrl = pressed,
        Key::Alt => held.alt = pressed,
        Key::Super | Key::Meta => held.win = pressed,
        _ => {}
    }
    let text = match &press.logical_key {
        Key::Character(text) if !text.chars().any(char::is_control) => Some(text.to_string()),
        Key::Space => Some(" ".to_owned()),
        _ => None,
    };
    let text = text.filter(|_| pressed && held.text_input_is_allowed()).map(egui::Event::Text);
    let physical_key = bevy_to_egui_physical_key(&press.key_code);
    // Keyboards without Latin letters get their shortcuts from the physical key.
    let key = bevy_to_egui_key(&press.logical_key).or(physical_key).map(|key| egui::Event::Key {
        key,
        physical_key,
        pressed,
        // egui detects repeats itself.
        repeat: false,
        modifiers: held.to_egui_modifiers(),
    });
    [text, key]
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::input::ButtonState;

    /// The text that is typed if `events` arrive in one frame, and for each press of A whether it
    /// was a shortcut.
    fn typed(events: &[(Key, KeyCode, ButtonState)]) -> (String, Vec<bool>) {
        let mut held = ModifierKeysState::default();
        let mut text = String::new();
        let mut commands = Vec::new();
        for (logical_key, key_code, state) in events {
            let press = KeyboardInput {
                key_code: *key_code,
                logical_key: logical_key.clone(),
                state: *state,
                text: None,
                repeat: false,
                window: Entity::PLACEHOLDER,
            };
            for event in to_egui(&press, &mut held).into_iter().flatten() {
                match event {
                    egui::Event::Text(new) => text += &new,
                    egui::Event::Key { key: egui::Key::A, pressed: true, modifiers, .. } => {
                        commands.push(modifiers.command || modifiers.ctrl);
                    }
                    _ => {}
                }
            }
        }
        (text, commands)
    }

    #[test]
    fn quick_shortcut_types_no_letter() {
        use ButtonState::{Pressed, Released};
        let a = || Key::Character("a".into());
        let ctrl = |state| (Key::Control, KeyCode::ControlLeft, state);
        let letter = |state| (a(), KeyCode::KeyA, state);
        let quick = [ctrl(Pressed), letter(Pressed), letter(Released), ctrl(Released)];
        assert_eq!(typed(&quick), (String::new(), vec![true]));
        assert_eq!(
            typed(&[letter(Pressed), letter(Released), ctrl(Pressed)]),
            ("a".to_owned(), vec![false])
        );
        assert_eq!(typed(&[(Key::Space, KeyCode::Space, Pressed)]).0, " ");
    }
}
