//! The pause menu (`Escape`).

use crate::game::editing::edit_jobs::EditJobs;
use crate::game::screens::hud::edit_status;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::requests::Request;
use crate::game::state::screens::Menu;
use crate::game::state::session::OpenMap;
use crate::game::ui_kit::{text, theme};
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{self, RichText};
use stonerun_engine::terrain::TerrainKind;

/// Draws the menu and handles its buttons.
pub fn show(
    mut contexts: EguiContexts,
    map: Res<OpenMap>,
    mut menu: ResMut<Menu>,
    mut jobs: ResMut<EditJobs>,
    mut requests: MessageWriter<Request>,
    mut timings: ResMut<FrameTimings>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    timings.time(FrameStage::Interface, || {
        let running: Vec<_> = jobs.jobs().collect();
        let body = |ui: &mut egui::Ui| {
            facts(ui, &map);
            if running.is_empty() { None } else { edit_status::list_jobs(ui, &running, true) }
        };
        // A column of all buttons does not fit into small windows.
        let columns = if theme::is_small(ctx) { 2 } else { 1 };
        let saves = map.read_only.is_none();
        let buttons = [
            (saves, "Save"),
            (true, "Places"),
            (true, "Blueprints"),
            (true, "History"),
            (true, "Export..."),
            (true, "Settings"),
        ];
        let buttons: Vec<&str> =
            buttons.into_iter().filter(|(shown, _)| *shown).map(|(_, text)| text).collect();
        let rows = 2 + buttons.len().div_ceil(columns);
        let foot = rows as f32 * (theme::button_height(ctx) + 6.0);
        let cancelled = theme::dialog(
            ctx,
            "Paused",
            theme::DialogSize { width: 300.0, foot_height: foot },
            body,
            |ui, cancelled| {
                let width = ui.available_width();
                if theme::primary(ui, "Resume", width).clicked() {
                    *menu = Menu::None;
                }
                let gaps = (columns - 1) as f32 * ui.spacing().item_spacing.x;
                let part = (width - gaps) / columns as f32;
                for row in buttons.chunks(columns) {
                    ui.horizontal(|ui| {
                        for text in
                            row.iter().filter(|text| theme::button(ui, text, part).clicked())
                        {
                            match *text {
                                "Save" => _ = requests.write(Request::Save),
                                "Places" => *menu = Menu::Places,
                                "Blueprints" => *menu = Menu::Blueprints,
                                "History" => *menu = Menu::History,
                                "Export..." => *menu = Menu::Export,
                                _ => *menu = Menu::Settings,
                            }
                        }
                    });
                }
                let leave = if saves { "Save and quit to title" } else { "Quit to title" };
                if theme::button(ui, leave, width).clicked() {
                    requests.write(Request::Leave);
                }
                cancelled
            },
        );
        if let Some(id) = cancelled {
            jobs.cancel(id);
        }
    });
}

fn facts(ui: &mut egui::Ui, map: &OpenMap) {
    ui.label(RichText::new(&map.name).size(theme::LARGE));
    if let Some(reason) = map.read_only {
        ui.label(
            RichText::new(format!("Read-only: it {}", reason.describe())).color(theme::ACCENT),
        );
    }
    // The terrain of a void does not depend on the seed.
    let seed = (map.terrain != TerrainKind::Void)
        .then(|| ("Seed", text::seed_words(&map.header.seed_word, map.header.seed)));
    let facts = [
        Some(("Kind", map.terrain.name().to_owned())),
        seed,
        Some(("Played", text::played(map.header.played_seconds))),
    ];
    egui::Grid::new("facts").num_columns(2).spacing([14.0, 2.0]).show(ui, |ui| {
        for (name, value) in facts.into_iter().flatten() {
            ui.label(RichText::new(name).color(theme::FAINT));
            ui.label(value);
            ui.end_row();
        }
    });
}
