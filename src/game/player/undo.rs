//! Undo and redo: Ctrl+Z takes back what was broken or placed last, Ctrl+Y does it again.

use crate::game::Notices;
use crate::game::player::Player;
use crate::game::session::Session;
use crate::game::settings::Settings;
use crate::history::Side;
use bevy::prelude::*;

/// The settings' unit of memory.
const MIB: usize = 1 << 20;

/// Which way the keys ask to go.
fn asked(keys: &ButtonInput<KeyCode>) -> Option<Side> {
    // Who is quick has let go of all keys before the frame in which the letter is heard.
    let held = |any: &[KeyCode]| any.iter().any(|&key| keys.pressed(key) || keys.just_released(key));
    if !held(&[KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::SuperLeft, KeyCode::SuperRight]) {
        return None;
    }
    let shift = held(&[KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    match (keys.just_pressed(KeyCode::KeyZ), keys.just_pressed(KeyCode::KeyY)) {
        (true, _) => Some(if shift { Side::After } else { Side::Before }),
        (false, true) => Some(Side::After),
        (false, false) => None,
    }
}

/// Undoes and redoes. Eyes that fly free touch nothing.
pub fn undo(
    keys: Res<ButtonInput<KeyCode>>,
    player: Res<Player>,
    settings: Res<Settings>,
    mut session: ResMut<Session>,
    mut notices: ResMut<Notices>,
) {
    let limit = settings.undo_memory as usize * MIB;
    if session.history.limit() != limit {
        session.history.set_limit(limit);
    }
    let Some(side) = asked(&keys) else { return };
    if player.is_free() {
        return;
    }
    let undoing = side == Side::Before;
    match session.step(side) {
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
        let way = |pressed: &[KeyCode]| {
            let mut keys = ButtonInput::default();
            pressed.iter().for_each(|key| keys.press(*key));
            asked(&keys)
        };
        use KeyCode::{ControlLeft, KeyY, KeyZ, ShiftLeft};
        assert_eq!(way(&[ControlLeft, KeyZ]), Some(Side::Before));
        assert_eq!(way(&[ControlLeft, KeyY]), Some(Side::After));
        assert_eq!(way(&[ControlLeft, ShiftLeft, KeyZ]), Some(Side::After));
        let mut keys = ButtonInput::default();
        [ControlLeft, KeyZ].into_iter().for_each(|key| keys.press(key));
        [ControlLeft, KeyZ].into_iter().for_each(|key| keys.release(key));
        assert_eq!(asked(&keys), Some(Side::Before), "all within a frame");
        assert_eq!([way(&[KeyZ]), way(&[KeyY]), way(&[ControlLeft])], [None; 3]);
    }
}
