//! Undo and redo by keys, which repeat while they are held.

use crate::game::editing::edit_jobs::{self, EditJobs, Stepped};
use crate::game::state::keys::{KeyAction, KeyInput};
use crate::game::state::notices::Notices;
use crate::game::state::player::Player;
use crate::game::state::session::Editor;
use crate::game::state::settings::Settings;
use bevy::prelude::*;
use glam::DVec3;
use stonerun_engine::body::walking::Walker;
use stonerun_engine::history::Direction;

/// A press of an undo key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Press {
    direction: Direction,
    /// True if the key is held and the operating system repeats the press.
    repeated: bool,
}

/// Maximum distance by which an undone edit may lift the player, in voxels.
const LIFT: i32 = 2;
/// Bytes in the settings' unit of memory.
const MIB: usize = 1 << 20;

/// The press of an undo or redo key in this frame, new or repeated; `None` without one.
fn pressed(keys: &KeyInput) -> Option<Press> {
    let actions = [(KeyAction::Undo, Direction::Undo), (KeyAction::Redo, Direction::Redo)];
    actions.into_iter().find_map(|(action, direction)| {
        let repeated = keys.repeats(action) && !keys.just_pressed(action);
        (repeated || keys.just_pressed(action)).then_some(Press { direction, repeated })
    })
}

/// Undoes and redoes steps by keys. Ignored by the free camera, except the drone. A step that would
/// enclose the body is reversed, unless a job carries it out.
pub fn undo(
    keys: Res<KeyInput>,
    player: Res<Player>,
    settings: Res<Settings>,
    mut editor: Editor,
    mut jobs: ResMut<EditJobs>,
    mut notices: ResMut<Notices>,
) {
    editor.set_history_limit(settings.undo_memory as usize * MIB);
    editor.set_history_total_limit(settings.undo_total_bytes());
    let Some(Press { direction, repeated }) = pressed(&keys) else { return };
    if player.is_free() && player.drone.is_none() {
        return;
    }
    let body = player.body();
    let lifted = |up: i32| Walker { position: body.position + DVec3::Y * f64::from(up), ..*body };
    let has_room =
        |editor: &Editor, up| lifted(up).is_clear(editor.edits().world(), &editor.map().materials);
    let had_room = has_room(&editor, 0);
    let participle = match direction {
        Direction::Undo => "undone",
        Direction::Redo => "redone",
    };
    match edit_jobs::step(&mut editor, &mut jobs, direction) {
        // Ground that comes back may lift the player by `LIFT` voxels, but never through rock.
        Ok(Stepped::Done) if had_room && !(0..=LIFT).any(|up| has_room(&editor, up)) => {
            // The step can be reversed, because it was made just before.
            let _ = editor.step(direction.reversed());
            let reason = "it would enclose you; move out of the way";
            notices.replace_info(&format!("Not {participle}"), reason);
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
