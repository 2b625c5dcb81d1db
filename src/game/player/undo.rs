//! Undo and redo: Ctrl+Z undoes the last edit, Ctrl+Y redoes it. Held, they repeat.
//!
//! The letters are the labels of the keys: German keyboards swap Z and Y.

use crate::body::walking::Walker;
use crate::game::common::keys::{CONTROL, held};
use crate::game::common::notices::Notices;
use crate::game::common::settings::Settings;
use crate::game::edit_jobs::{self, EditJobs, Stepped};
use crate::game::player::Player;
use crate::game::session::Editor;
use crate::history::Direction;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::prelude::*;
use glam::DVec3;

/// A press of an undo key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Press {
    direction: Direction,
    /// True if the key is held and the system repeats it.
    repeated: bool,
}

/// How far an undone edit may lift the player, in voxels.
const LIFT: i32 = 2;
/// Bytes in the settings' unit of memory.
const MIB: usize = 1 << 20;

/// A press of an undo key, if any. The system repeats presses of a key that is held.
fn pressed<'a>(keys: &ButtonInput<KeyCode>, presses: impl Iterator<Item = &'a KeyboardInput>) -> Option<Press> {
    let control = held(keys, CONTROL) || held(keys, [KeyCode::SuperLeft, KeyCode::SuperRight]);
    let shift = held(keys, [KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    let command = |input: &KeyboardInput| {
        let Key::Character(label) = &input.logical_key else { return None };
        let direction = match label.to_lowercase().as_str() {
            "z" if shift => Direction::Redo,
            "z" => Direction::Undo,
            "y" => Direction::Redo,
            _ => return None,
        };
        Some(Press { direction, repeated: input.repeat })
    };
    // All presses are read, so that none is left for a later frame.
    let last = presses.filter(|input| input.state.is_pressed()).filter_map(command).last();
    last.filter(|_| control)
}

/// Undoes and redoes, also from the drone. Ignored by the other free camera, and refused where it would
/// wall the body in.
pub fn undo(
    keys: Res<ButtonInput<KeyCode>>,
    mut presses: MessageReader<KeyboardInput>,
    player: Res<Player>,
    settings: Res<Settings>,
    mut editor: Editor,
    mut jobs: ResMut<EditJobs>,
    mut notices: ResMut<Notices>,
) {
    editor.set_history_limit(settings.undo_memory as usize * MIB);
    editor.set_history_total_limit(settings.undo_total_bytes());
    let Some(Press { direction, repeated }) = pressed(&keys, presses.read()) else { return };
    if player.is_free() && player.drone.is_none() {
        return;
    }
    let body = player.body();
    let lifted = |up: i32| Walker { position: body.position + DVec3::Y * f64::from(up), ..*body };
    let has_room = |editor: &Editor, up| lifted(up).is_clear(editor.edits().world(), &editor.map().materials);
    let had_room = has_room(&editor, 0);
    let participle = match direction {
        Direction::Undo => "undone",
        Direction::Redo => "redone",
    };
    match edit_jobs::step(&mut editor, &mut jobs, direction) {
        // Restored ground lifts a fallen player, but never pushes anyone through rock.
        Ok(Stepped::Done) if had_room && !(0..=LIFT).any(|up| has_room(&editor, up)) => {
            // The step that was just made can be taken back.
            let _ = editor.step(direction.reversed());
            notices.info(format!("Not {participle}: you stand in the way"));
        }
        Ok(Stepped::Done | Stepped::Started(_) | Stepped::Busy) => {}
        // The end of the history is reported once, not at every repeat.
        Ok(Stepped::Nothing) if repeated => {}
        Ok(Stepped::Nothing) => notices.info(match direction {
            Direction::Undo => "There is nothing to undo",
            Direction::Redo => "There is nothing to redo",
        }),
        Err(error) => notices.warn(format!("Not {participle}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::input::ButtonState;

    #[test]
    fn labels_of_keys_choose_undo_or_redo() {
        use KeyCode::{ControlLeft, KeyQ, ShiftLeft};
        let chosen = |held: &[KeyCode], label: &str, released: bool, repeat: bool| {
            let mut keys = ButtonInput::default();
            held.iter().for_each(|key| keys.press(*key));
            // The key's position does not matter.
            let press = KeyboardInput {
                key_code: KeyQ,
                logical_key: Key::Character(label.into()),
                state: ButtonState::Pressed,
                text: None,
                repeat,
                window: Entity::PLACEHOLDER,
            };
            let release = KeyboardInput { state: ButtonState::Released, ..press.clone() };
            if released {
                keys.release_all();
            }
            assert_eq!(pressed(&keys, [&release].into_iter()), None);
            pressed(&keys, [&press, &release].into_iter()).map(|press| (press.direction, press.repeated))
        };
        for (released, repeat) in [(false, false), (false, true), (true, false)] {
            let chosen = |held: &[KeyCode], label| chosen(held, label, released, repeat);
            assert_eq!(chosen(&[ControlLeft], "z"), Some((Direction::Undo, repeat)));
            assert_eq!(chosen(&[ControlLeft], "y"), Some((Direction::Redo, repeat)));
            assert_eq!(chosen(&[ControlLeft, ShiftLeft], "Z"), Some((Direction::Redo, repeat)));
            let others = [&[][..], &[], &[ControlLeft]].into_iter().zip(["z", "y", "q"]);
            assert!(others.into_iter().all(|(held, label)| chosen(held, label).is_none()));
        }
    }
}
