//! Undo and redo: Ctrl+Z undoes the last edit, Ctrl+Y redoes it.
//!
//! The letters are the labels of the keys: German keyboards swap Z and Y.

use crate::body::walking::Walker;
use crate::game::common::notices::Notices;
use crate::game::common::settings::Settings;
use crate::game::player::Player;
use crate::game::session::Editor;
use bevy::input::keyboard::Key;
use bevy::prelude::*;
use glam::DVec3;

/// How far an undone edit may lift the player, in voxels.
const LIFT: i32 = 2;
/// Bytes in the settings' unit of memory.
const MIB: usize = 1 << 20;

/// Command of the pressed keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum UndoKey {
    Undo,
    Redo,
}

impl UndoKey {
    /// The step that takes this one back.
    fn opposite(self) -> UndoKey {
        match self {
            UndoKey::Undo => UndoKey::Redo,
            UndoKey::Redo => UndoKey::Undo,
        }
    }

    /// Description for notices.
    fn participle(self) -> &'static str {
        match self {
            UndoKey::Undo => "undone",
            UndoKey::Redo => "redone",
        }
    }
}

/// The undo key that was pressed, if any.
fn pressed(keys: &ButtonInput<KeyCode>, labels: &ButtonInput<Key>) -> Option<UndoKey> {
    // Keys pressed and released within one frame count as held.
    let held = |any: &[KeyCode]| any.iter().any(|&key| keys.pressed(key) || keys.just_released(key));
    if !held(&[KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::SuperLeft, KeyCode::SuperRight]) {
        return None;
    }
    let shift = held(&[KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    let letter = |small: &str| {
        let is_it = |key: &Key| matches!(key, Key::Character(text) if text.eq_ignore_ascii_case(small));
        labels.get_just_pressed().any(is_it)
    };
    match (letter("z"), letter("y")) {
        (true, _) => Some(if shift { UndoKey::Redo } else { UndoKey::Undo }),
        (false, true) => Some(UndoKey::Redo),
        (false, false) => None,
    }
}

/// Undoes and redoes. Ignored by the free camera, and refused where it would wall the player in.
pub fn undo(
    keys: (Res<ButtonInput<KeyCode>>, Res<ButtonInput<Key>>),
    player: Res<Player>,
    settings: Res<Settings>,
    mut editor: Editor,
    mut notices: ResMut<Notices>,
) {
    editor.set_history_limit(settings.undo_memory as usize * MIB);
    let Some(key) = pressed(&keys.0, &keys.1) else { return };
    if player.is_free() {
        return;
    }
    let lifted = |up: i32| Walker { position: player.walker.position + DVec3::Y * f64::from(up), ..player.walker };
    let has_room = |editor: &Editor, up| lifted(up).is_clear(editor.edits().world(), &editor.map().materials);
    let had_room = has_room(&editor, 0);
    match step(&mut editor, key) {
        // Restored ground lifts a fallen player, but never pushes anyone through rock.
        Ok(true) if had_room && !(0..=LIFT).any(|up| has_room(&editor, up)) => {
            // The step that was just made can be taken back.
            let _ = step(&mut editor, key.opposite());
            notices.info(match key {
                UndoKey::Undo => "Not undone: you stand in the way",
                UndoKey::Redo => "Not redone: you stand in the way",
            });
        }
        Ok(true) => {}
        Ok(false) => notices.info(match key {
            UndoKey::Undo => "There is nothing to undo",
            UndoKey::Redo => "There is nothing to redo",
        }),
        Err(error) => notices.warn(format!("not {}: {error}", key.participle())),
    }
}

fn step(editor: &mut Editor, key: UndoKey) -> Result<bool, crate::edit::UndoError> {
    match key {
        UndoKey::Undo => editor.undo(),
        UndoKey::Redo => editor.redo(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_keys_choose_undo_or_redo() {
        use KeyCode::{ControlLeft, KeyQ, ShiftLeft};
        let chosen = |held: &[KeyCode], label: &str, released: bool| {
            let (mut keys, mut labels) = (ButtonInput::default(), ButtonInput::default());
            // The key's position does not matter.
            keys.press(KeyQ);
            labels.press(Key::Character(label.into()));
            held.iter().for_each(|key| keys.press(*key));
            if released {
                keys.release_all();
                labels.release_all();
            }
            pressed(&keys, &labels)
        };
        for released in [false, true] {
            assert_eq!(chosen(&[ControlLeft], "z", released), Some(UndoKey::Undo));
            assert_eq!(chosen(&[ControlLeft], "y", released), Some(UndoKey::Redo));
            assert_eq!(chosen(&[ControlLeft, ShiftLeft], "Z", released), Some(UndoKey::Redo));
            let others = [&[][..], &[], &[ControlLeft]].into_iter().zip(["z", "y", "q"]);
            assert!(others.into_iter().all(|(held, label)| chosen(held, label, released).is_none()));
        }
    }
}
