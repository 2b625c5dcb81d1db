//! Refuses edits of a read-only map.

use crate::game::state::notices::Notices;
use crate::game::state::session::OpenMap;
use bevy::prelude::*;

/// Reports that the map is read-only, on a click that would break or place.
pub fn refuse(
    buttons: Res<ButtonInput<MouseButton>>,
    map: Res<OpenMap>,
    mut notices: ResMut<Notices>,
) {
    let Some(reason) = map.read_only else { return };
    if buttons.any_just_pressed([MouseButton::Left, MouseButton::Right]) {
        // Repeated clicks replace the notice instead of adding one each.
        notices.replace_info("Read-only", format!("{} {}", map.name, reason.describe()));
    }
}
