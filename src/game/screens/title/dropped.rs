//! Files dropped on the window. On the title screen, a map is opened, and anything else is
//! imported. While playing, a model is loaded to be pasted.

use crate::game::building::blueprints::dialog::BlueprintsDialog;
use crate::game::building::blueprints::library;
use crate::game::screens::title::screen::Title;
use crate::game::state::notices::Notices;
use crate::game::state::requests::Request;
use crate::game::state::screens::{Menu, Screen};
use crate::game::state::session::OpenMap;
use crate::game::ui_kit::theme;
use bevy::prelude::*;
use bevy::window::FileDragAndDrop;
use bevy_egui::EguiContexts;
use std::path::{Path, PathBuf};
use stonerun_engine::save::catalogue;

/// The file held over the window.
#[derive(Resource, Default)]
pub struct HeldFile(Option<PathBuf>);

fn is_map(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(catalogue::EXTENSION))
}

/// Tracks files held over the window and takes dropped ones.
pub fn take(
    mut dropped: MessageReader<FileDragAndDrop>,
    screen: Res<State<Screen>>,
    mut held: ResMut<HeldFile>,
    mut title: ResMut<Title>,
    mut menu: ResMut<Menu>,
    mut notices: ResMut<Notices>,
    map: Option<Res<OpenMap>>,
    mut blueprints: ResMut<BlueprintsDialog>,
    mut requests: MessageWriter<Request>,
) {
    for message in dropped.read() {
        held.0 = None;
        match message {
            FileDragAndDrop::HoveredFile { path_buf, .. } => held.0 = Some(path_buf.clone()),
            FileDragAndDrop::HoveredFileCanceled { .. } => {}
            FileDragAndDrop::DroppedFile { path_buf, .. } if *screen.get() != Screen::Title => match &map {
                Some(map) if library::is_blueprint(path_buf) && map.read_only.is_none() => {
                    blueprints.add(path_buf, &map.materials, &mut notices);
                }
                Some(map) if library::is_blueprint(path_buf) => {
                    notices.replace_info("Read-only", format!("nothing can be pasted into {}", map.name));
                }
                _ => notices.info("Schematics and models can be dropped here; worlds are imported on the title screen"),
            },
            FileDragAndDrop::DroppedFile { .. } if title.is_busy() => {
                notices.info("Another import, export or restore is running")
            }
            FileDragAndDrop::DroppedFile { path_buf, .. } if is_map(path_buf) => {
                requests.write(Request::Open(path_buf.clone()));
                *menu = Menu::None;
            }
            FileDragAndDrop::DroppedFile { path_buf, .. } => {
                title.import(path_buf.clone());
                *menu = Menu::None;
            }
        }
    }
}

/// Shows what dropping the held file will do.
pub fn show(mut contexts: EguiContexts, held: Res<HeldFile>) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    if let Some(held) = &held.0 {
        let name = held.file_name().unwrap_or_default().to_string_lossy();
        theme::banner(
            ctx,
            &format!("Drop it to {} {name}", if is_map(held) { "play" } else { "import" }),
        );
    }
}
