//! The plugin of the overlays, and the keys that cycle them.

use crate::game::drawing::paint;
use crate::game::inspect::overlay::{
    activity, bytes, cells, chunk, cut, edits, explained, light, paths, quads, reach, surface,
    unsaved,
};
use crate::game::state::keys::{KeyAction, KeyInput, LongPress};
use crate::game::state::overlay_kind::ShownOverlay;
use crate::game::state::screens::Screen;
use crate::views::OverlayKind;
use bevy::prelude::*;

/// The function that adds an overlay.
fn row(kind: OverlayKind) -> fn(&mut App) {
    match kind {
        OverlayKind::Bytes => bytes::add,
        OverlayKind::Runs => chunk::add,
        // `chunk::add` adds both overlays of the chunk under the crosshair.
        OverlayKind::Neighbourhoods => |_| (),
        OverlayKind::Quads => quads::add,
        OverlayKind::Surface => surface::add,
        OverlayKind::Light => light::add,
        OverlayKind::Cells => cells::add,
        OverlayKind::Unsaved => unsaved::add,
        OverlayKind::Edits => edits::add,
        OverlayKind::Activity => activity::add,
        OverlayKind::Reach => reach::add,
        OverlayKind::Paths => paths::add,
    }
}

/// Adds the overlays and the cutaway.
pub struct OverlayPlugin;

impl Plugin for OverlayPlugin {
    fn build(&self, app: &mut App) {
        paint::add(app);
        explained::add_cut(app);
        cut::add(app);
        for kind in OverlayKind::ALL {
            row(*kind)(app);
        }
        app.init_resource::<ShownOverlay>()
            .add_systems(Update, cycle.run_if(in_state(Screen::Playing)));
    }
}

/// Cycles the overlays; a long press switches them off.
fn cycle(
    keys: Res<KeyInput>,
    time: Res<Time<Real>>,
    mut long: Local<LongPress>,
    mut overlay: ResMut<ShownOverlay>,
) {
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
