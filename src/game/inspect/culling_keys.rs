//! The keys of culling: F5 freezes the visible set, F6 switches the mode.

use crate::game::drawing::culling::state::{Culling, CullingMode};
use crate::game::drawing::culling::update_visibility;
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::keys::{KeyAction, KeyInput};
use crate::game::state::notices::Notices;
use crate::game::state::player::Player;
use crate::game::state::screens::in_play;
use crate::game::state::settings::Settings;
use crate::game::state::travel::Travel;
use crate::game::ui_kit::text;
use bevy::prelude::*;

/// Adds the keys.
pub struct CullingKeysPlugin;

impl Plugin for CullingKeysPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, (freeze, switch).run_if(in_play).in_set(FrameSet::Control))
            .add_systems(Update, unfreeze.in_set(FrameSet::Cull).before(update_visibility));
    }
}

/// Freezes the visible set and starts the free camera; pressed again, ends both.
fn freeze(
    keys: Res<KeyInput>,
    settings: Res<Settings>,
    mut culling: ResMut<Culling>,
    mut player: ResMut<Player>,
    mut notices: ResMut<Notices>,
) {
    if keys.just_pressed(KeyAction::Freeze) {
        let freeze = !culling.is_frozen();
        culling.set_frozen(freeze);
        player.set_free(freeze);
        notices.info(if freeze {
            let back = settings.keyboard.label(KeyAction::Freeze);
            format!("Culling frozen: the free camera flies through everything. {back} returns")
        } else {
            "Culling follows you again".to_owned()
        });
    }
}

/// Ends freezing when the player travels, because the frozen set does not hold the chunks of the
/// new place.
fn unfreeze(mut travels: MessageReader<Travel>, mut culling: ResMut<Culling>) {
    if travels.read().last().is_some() {
        culling.set_frozen(false);
    }
}

/// Switches to the next mode.
fn switch(keys: Res<KeyInput>, mut culling: ResMut<Culling>, mut notices: ResMut<Notices>) {
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
        let mut culling = Culling::default();
        culling.set_frozen(true);
        app.add_message::<Travel>().insert_resource(culling);
        app.add_systems(Update, unfreeze);
        app.update();
        assert!(app.world().resource::<Culling>().is_frozen());
        app.world_mut().write_message(Travel { position: DVec3::ZERO, look: None });
        app.update();
        assert!(!app.world().resource::<Culling>().is_frozen());
    }
}
