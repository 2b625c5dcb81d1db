//! Export of the open map, from the pause menu.

use crate::game::building::builder::selection::SelectedBox;
use crate::game::building::export::dialog::{ExportDecision, ExportDialog};
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::notices::Notices;
use crate::game::state::screens::Menu;
use crate::game::state::session::{Edits, OpenMap, SaveQueue};
use crate::game::state::settings::Settings;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use std::sync::Arc;
use stonerun_exchange::ExportSource;

/// The dialog, while it is open.
#[derive(Resource, Default)]
pub struct OpenMapExport(Option<ExportDialog>);

/// Closes the dialog and ends its job, because the map was closed.
pub fn forget(mut export: ResMut<OpenMapExport>) {
    export.0 = None;
}

/// Draws the dialog.
pub fn show(
    mut contexts: EguiContexts,
    map: Res<OpenMap>,
    edits: Res<Edits>,
    saves: Res<SaveQueue>,
    selection: SelectedBox,
    mut export: ResMut<OpenMapExport>,
    mut menu: ResMut<Menu>,
    mut settings: ResMut<Settings>,
    mut notices: ResMut<Notices>,
    mut timings: ResMut<FrameTimings>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    timings.time(FrameStage::Interface, || {
        let dialog = export.0.get_or_insert_with(|| {
            // Chunks are shared, so this does not copy the world.
            let world = edits.world();
            let unsaved = saves.states().filter(|(pos, _)| saves.needs(*pos));
            let unsaved =
                unsaved.filter_map(|(pos, _)| Some((pos, world.chunk(pos)?.clone()))).collect();
            let reader = map.reader.clone();
            let materials = Arc::clone(&map.materials);
            ExportDialog::new(
                map.name.clone(),
                ExportSource::Open { reader, unsaved: Arc::new(unsaved), materials },
                selection.area(),
                &settings.export_format,
            )
        });
        let decision = dialog.show(ctx, &mut notices);
        dialog.remember_format(&mut settings);
        if decision == ExportDecision::Close {
            export.0 = None;
            *menu = Menu::Pause;
        }
    });
}
