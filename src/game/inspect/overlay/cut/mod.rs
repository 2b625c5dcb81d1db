//! The cutaway of the overlays (`F7`): a plane across the world, on which each stored run is one
//! bar.
//!
//! ```text
//! controls    keys and wheel: choice of the plane
//! overlay     builds the cut, and places its pictures in the world
//!   chunks      the chunks of the cut, taken from the world
//!   content     the quantity that the bars show
//!   section     one chunk: its bars, their colours, its totals   (cells, bars)
//!   picture     the mesh
//!   figures     totals, with a histogram
//! explain     legend, numbers near the crosshair, bytes of each chunk
//! ```

mod bars;
mod cells;
mod chunks;
mod content;
mod controls;
mod explain;
mod figures;
mod histogram;
mod overlay;
mod picture;
mod section;

use crate::game::inspect::overlay::explained::LegendsShown;
use crate::game::state::cutaway::Cutaway;
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::screens::{Screen, in_play};
use crate::game::ui_kit::layout::AreasKnown;
use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;

/// Adds the cutaway.
pub(super) fn add(app: &mut App) {
    app.init_resource::<Cutaway>()
        .init_resource::<overlay::CutOverlay>()
        .add_systems(OnExit(Screen::Playing), controls::close)
        .add_systems(
            Update,
            (controls::control, controls::aim).chain().in_set(FrameSet::Control).run_if(in_play),
        )
        .add_systems(
            PostUpdate,
            (overlay::update, overlay::place).chain().before(TransformSystems::Propagate),
        )
        .add_systems(
            EguiPrimaryContextPass,
            explain::explain.after(AreasKnown).before(LegendsShown),
        );
}
