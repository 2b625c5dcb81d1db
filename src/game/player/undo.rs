//! Undo and redo: Ctrl+Z takes back what was broken or placed last, Ctrl+Y does it again.
//!
//! The letters are those that the keys are labelled with: on a German keyboard Z and Y stand in each other's place.

use crate::body::walking::Walker;
use crate::game::common::notices::Notices;
use crate::game::common::settings::Settings;
use crate::game::player::Player;
use crate::game::session::Session;
use crate::history::Direction;
use bevy::input::keyboard::Key;
use bevy::prelude::*;
use glam::DVec3;

/// How far what comes back may lift the player, in voxels.
const LIFT: i32 = 2;
/// The settings' unit of memory.
const MIB: usize = 1 << 20;

/// Which way the keys ask to go.
fn asked(keys: &ButtonInput<KeyCode>, labels: &ButtonInput<Key>) -> Option<Direction> {
    // Who is quick has let go of all keys before the frame in which the letter is heard.
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
        (true, _) => Some(if shift { Direction::Redo } else { Direction::Undo }),
        (false, true) => Some(Direction::Redo),
        (false, false) => None,
    }
}

/// Undoes and redoes. Eyes that fly free touch nothing, and nobody is walled in.
pub fn undo(
    keys: (Res<ButtonInput<KeyCode>>, Res<ButtonInput<Key>>),
    player: Res<Player>,
    settings: Res<Settings>,
    mut session: ResMut<Session>,
    mut notices: ResMut<Notices>,
) {
    let limit = settings.undo_memory as usize * MIB;
    if session.history.memory_limit() != limit {
        session.history.set_memory_limit(limit);
    }
    let Some(side) = asked(&keys.0, &keys.1) else { return };
    if player.is_free() {
        return;
    }
    let undoing = side == Direction::Undo;
    let lifted = |up: i32| Walker { position: player.walker.position + DVec3::Y * f64::from(up), ..player.walker };
    let has_room = |session: &Session, up| lifted(up).is_clear(&session.world, &session.materials);
    let stood_free = has_room(&session, 0);
    match session.step(side) {
        // Who dug the ground away and fell is lifted by it again, but nobody is thrown through rock.
        Ok(true) if stood_free && !(0..=LIFT).any(|up| has_room(&session, up)) => {
            // What was just done can be done the other way round.
            let _ = session.step(if undoing { Direction::Redo } else { Direction::Undo });
            notices.info(if undoing { "Not undone: you stand in the way" } else { "Not redone: you stand in the way" });
        }
        Ok(true) => {}
        Ok(false) => notices.info(if undoing { "There is nothing to undo" } else { "There is nothing to redo" }),
        Err(error) => notices.warn(format!("not {}: {error}", if undoing { "undone" } else { "redone" })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_say_which_way() {
        use KeyCode::{ControlLeft, KeyQ, ShiftLeft};
        let way = |held: &[KeyCode], label: &str, let_go: bool| {
            let (mut keys, mut labels) = (ButtonInput::default(), ButtonInput::default());
            // Where the key stands does not count.
            keys.press(KeyQ);
            labels.press(Key::Character(label.into()));
            held.iter().for_each(|key| keys.press(*key));
            if let_go {
                keys.release_all();
                labels.release_all();
            }
            asked(&keys, &labels)
        };
        for let_go in [false, true] {
            assert_eq!(way(&[ControlLeft], "z", let_go), Some(Direction::Undo));
            assert_eq!(way(&[ControlLeft], "y", let_go), Some(Direction::Redo));
            assert_eq!(way(&[ControlLeft, ShiftLeft], "Z", let_go), Some(Direction::Redo));
            assert_eq!([way(&[], "z", let_go), way(&[], "y", let_go), way(&[ControlLeft], "q", let_go)], [None; 3]);
        }
    }
}
