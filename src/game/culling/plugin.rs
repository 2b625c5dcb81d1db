//! The plugin of culling.

use crate::game::common::frame_order::FrameSet;
use crate::game::common::screens::in_play;
use crate::game::culling::state::Culling;
use crate::game::culling::{keys, update};
use bevy::prelude::*;

/// Adds culling.
pub struct CullingPlugin;

impl Plugin for CullingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Culling>()
            .add_systems(Update, (keys::freeze, keys::switch).run_if(in_play).in_set(FrameSet::Control))
            .add_systems(
                Update,
                (keys::unfreeze, update::update_visibility, update::filter_drawn).chain().in_set(FrameSet::Cull),
            );
    }
}
