//! The keys of culling: F5 freezes what is drawn, F6 lets another way of culling decide.

use super::{Culling, Mode};
use crate::game::Notices;
use crate::game::player::Player;
use bevy::prelude::*;

/// Freezes what is drawn, and lets the player fly through everything; or brings both back.
pub(super) fn freeze(
    keys: Res<ButtonInput<KeyCode>>,
    mut culling: ResMut<Culling>,
    mut player: ResMut<Player>,
    mut notices: ResMut<Notices>,
) {
    if keys.just_pressed(KeyCode::F5) {
        culling.frozen = !culling.frozen;
        player.set_free(culling.frozen);
        notices.info(if culling.frozen {
            "Frozen: fly out, through everything, and look (not touch). F5 brings you back"
        } else {
            "You are back, and what is drawn follows you"
        });
    }
}

/// Turns to the next way of culling.
pub(super) fn switch(keys: Res<ButtonInput<KeyCode>>, mut culling: ResMut<Culling>, mut notices: ResMut<Notices>) {
    if keys.just_pressed(KeyCode::F6) {
        let at = Mode::ALL.iter().position(|mode| *mode == culling.mode).unwrap_or(0);
        let next = Mode::ALL[(at + 1) % Mode::ALL.len()];
        notices.info(match culling.choose(next) {
            Ok(()) => format!("Culling: {}", next.name()),
            Err(refused) => refused,
        });
    }
}
