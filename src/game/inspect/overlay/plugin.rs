//! The plugin of the overlays, the key that cycles them, and their legend.

use crate::game::drawing::paint;
use crate::game::inspect::overlay::{activity, bytes, cells, chunk, cut, edits, light, paths, quads, reach, unsaved};
use crate::game::state::cutaway::Cutaway;
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::keys::{KeyAction, KeyInput, LongPress};
use crate::game::state::overlay_kind::ShownOverlay;
use crate::game::state::screens::{Screen, in_play};
use crate::game::ui_kit::layout::{Areas, AreasKnown};
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};

/// Adds the overlays.
pub struct OverlayPlugin;

impl Plugin for OverlayPlugin {
    fn build(&self, app: &mut App) {
        paint::add(app);
        app.init_resource::<ShownOverlay>()
            .init_resource::<bytes::BytesOverlay>()
            .init_resource::<chunk::ChunkOverlay>()
            .init_resource::<cells::CellsOverlay>()
            .init_resource::<quads::QuadsOverlay>()
            .init_resource::<light::LightOverlay>()
            .init_resource::<unsaved::UnsavedOverlay>()
            .init_resource::<edits::EditsOverlay>()
            .init_resource::<activity::ActivityOverlay>()
            .init_resource::<reach::ReachOverlay>()
            .init_resource::<paths::PathsOverlay>()
            .init_resource::<Cutaway>()
            .init_resource::<cut::CutOverlay>()
            .init_resource::<cut::CutLegend>()
            .add_systems(OnExit(Screen::Playing), cut::close)
            .add_systems(Update, (cut::control, cut::aim).chain().in_set(FrameSet::Control).run_if(in_play))
            .add_systems(Update, cycle.run_if(in_state(Screen::Playing)))
            .add_systems(
                PostUpdate,
                (
                    bytes::draw,
                    cells::draw,
                    quads::explain,
                    unsaved::draw,
                    activity::draw,
                    reach::draw,
                    paths::draw,
                    (chunk::draw, chunk::place).chain(),
                    (edits::draw, edits::place).chain(),
                    (cut::update, cut::place).chain(),
                )
                    .before(TransformSystems::Propagate),
            )
            .add_systems(EguiPrimaryContextPass, (light::draw, cut::explain, explain).chain().after(AreasKnown));
    }
}

/// Switches overlays; a long press ends them.
fn cycle(keys: Res<KeyInput>, time: Res<Time<Real>>, mut long: Local<LongPress>, mut overlay: ResMut<ShownOverlay>) {
    if keys.just_pressed(KeyAction::Overlay) {
        overlay.cycle();
    }
    if keys.just_pressed(KeyAction::OverlayBack) {
        overlay.cycle_back();
    }
    if long.is_complete(keys.is_held(KeyAction::Overlay), time.delta_secs()) {
        overlay.set_if_neq(ShownOverlay(None));
    }
}

fn explain(
    mut contexts: EguiContexts,
    bytes: Res<bytes::BytesOverlay>,
    chunk: Res<chunk::ChunkOverlay>,
    cells: Res<cells::CellsOverlay>,
    quads: Res<quads::QuadsOverlay>,
    light: Res<light::LightOverlay>,
    unsaved: Res<unsaved::UnsavedOverlay>,
    edits: Res<edits::EditsOverlay>,
    (activity, reach, paths): (Res<activity::ActivityOverlay>, Res<reach::ReachOverlay>, Res<paths::PathsOverlay>),
    cut: Res<cut::CutLegend>,
    areas: Res<Areas>,
) -> Result {
    let all = [
        // A cut explains the overlay that it shows.
        &cut.0,
        &bytes.0.legend,
        &chunk.legend,
        &cells.0.legend,
        &quads.legend,
        &light.legend,
        &unsaved.0.legend,
        &edits.legend,
        &activity.0.legend,
        &reach.0.legend,
        &paths.0.legend,
    ];
    if let Some((legend, area)) = all.into_iter().flatten().next().zip(areas.legend) {
        legend.show(contexts.ctx_mut()?, area);
    }
    Ok(())
}
