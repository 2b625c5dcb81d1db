//! The plugin of creatures.

use super::command::CreatureAnswer;
use super::life::CreatureLife;
use super::material::CreatureMaterial;
use super::parts::{self, DrawnParts};
use super::systems;
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::frame::picture_target::is_alive;
use crate::game::state::screens::Screen;
use crate::game::state::session::OpenMap;
use bevy::prelude::*;

/// Lets creatures live in the open map.
pub struct CreaturesPlugin;

impl Plugin for CreaturesPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(MaterialPlugin::<CreatureMaterial>::default())
            .init_resource::<DrawnParts>()
            .add_message::<CreatureAnswer>()
            .add_systems(Startup, parts::create)
            .add_systems(
                OnEnter(Screen::Playing),
                systems::open.run_if(resource_exists::<OpenMap>.and_then(is_alive)),
            )
            .add_systems(OnExit(Screen::Playing), systems::close)
            .add_systems(
                Update,
                (
                    (systems::notice, systems::take_in, systems::begin, systems::pose)
                        .chain()
                        .run_if(resource_exists::<CreatureLife>),
                    (parts::draw, parts::follow_chunks),
                )
                    .chain()
                    .in_set(FrameSet::Camera),
            );
    }
}
