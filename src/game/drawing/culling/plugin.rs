//! The plugin of culling.

use crate::game::drawing::culling::state::Culling;
use crate::game::drawing::culling::update;
use crate::game::state::frame::frame_order::FrameSet;
use bevy::prelude::*;

/// Adds culling.
pub struct CullingPlugin;

impl Plugin for CullingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Culling>().add_systems(
            Update,
            (update::update_visibility, update::filter_drawn).chain().in_set(FrameSet::Cull),
        );
    }
}
