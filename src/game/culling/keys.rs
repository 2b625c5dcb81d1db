//! The keys of culling: F5 freezes the visible set, F6 switches the mode.

use crate::game::common::keys::{KeyAction, KeyInput};
use crate::game::common::notices::Notices;
use crate::game::common::settings::Settings;
use crate::game::culling::state::{Culling, CullingMode};
use crate::game::player::{Player, Travel};
use crate::game::ui::text;
use bevy::prelude::*;

/// Freezes the visible set and starts the free camera, or ends both.
pub(super) fn freeze(
    keys: Res<KeyInput>,
    settings: Res<Settings>,
    mut culling: ResMut<Culling>,
    mut player: ResMut<Player>,
    mut notices: ResMut<Notices>,
) {
    if keys.just_pressed(KeyAction::Freeze) {
        culling.frozen = !culling.frozen;
        player.set_free(culling.frozen);
        notices.info(if culling.frozen {
            let back = settings.keyboard.label(KeyAction::Freeze);
            format!("Culling frozen: the free camera flies through everything. {back} returns")
        } else {
            "Culling follows you again".to_owned()
        });
    }
}

/// Ends freezing when the player travels: nothing of the new place is in the frozen set.
pub(super) fn unfreeze(mut travels: MessageReader<Travel>, mut culling: ResMut<Culling>) {
    if travels.read().last().is_some() {
        culling.frozen = false;
    }
}

/// Switches to the next mode.
pub(super) fn switch(keys: Res<KeyInput>, mut culling: ResMut<Culling>, mut notices: ResMut<Notices>) {
    if keys.just_pressed(KeyAction::CullingMode) {
        let index = CullingMode::ALL.iter().position(|mode| *mode == culling.mode).unwrap_or(0);
        let next = CullingMode::ALL[(index + 1) % CullingMode::ALL.len()];
        notices.info(match culling.choose(next) {
            Ok(()) => format!("Culling: {}", next.name()),
            Err(frozen) => text::title_case(&frozen.to_string()),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn travel_ends_freezing() {
        let mut app = App::new();
        app.add_message::<Travel>().insert_resource(Culling { frozen: true, ..Culling::default() });
        app.add_systems(Update, unfreeze);
        app.update();
        assert!(app.world().resource::<Culling>().is_frozen());
        app.world_mut().write_message(Travel { position: DVec3::ZERO, look: None });
        app.update();
        assert!(!app.world().resource::<Culling>().is_frozen());
    }
}
