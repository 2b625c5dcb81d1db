//! The list of the steps of the undo history (`H`), newest first: go to a step, or take one back.

use crate::game::building::builder::selection::SelectedBox;
use crate::game::editing::history_steps::HistoryRequest;
use crate::game::state::format;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::screens::Menu;
use crate::game::state::session::{Edits, OpenMap};
use crate::game::ui_kit::{text, theme};
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{
    Align2, Button, Color32, FontId, Rect, RichText, Sense, Ui, UiBuilder, pos2, vec2,
};
use stonerun_engine::history::{History, StepInfo};
use stonerun_engine::save::unix_now;
use stonerun_engine::voxel::Box3;

/// Width of the dialog.
const WIDTH: f32 = 600.0;
/// Height of a step, in points.
const ROW: f32 = 40.0;
/// Distance between two steps.
const GAP: f32 = 3.0;
/// Width and height of the buttons of a step.
const BUTTON: bevy_egui::egui::Vec2 = vec2(112.0, 24.0);
/// Minimum width of a step with buttons.
const MIN_WIDTH_WITH_BUTTONS: f32 = 430.0;

/// Draws the dialog.
pub fn show(
    mut contexts: EguiContexts,
    map: Res<OpenMap>,
    edits: Res<Edits>,
    selection: SelectedBox,
    mut menu: ResMut<Menu>,
    mut requests: MessageWriter<HistoryRequest>,
    mut timings: ResMut<FrameTimings>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    timings.time(FrameStage::Interface, || {
        let history = edits.history();
        let inside = selection.area();
        let can_change = map.read_only.is_none();
        let foot = theme::button_height(ctx) + 26.0;
        let (request, close) = theme::dialog(
            ctx,
            "History",
            theme::DialogSize { width: WIDTH, foot_height: foot },
            |ui| list(ui, history, inside, can_change),
            |ui, request| {
                ui.label(RichText::new(summary(history)).small().color(theme::FAINT));
                (request, theme::buttons(ui, |ui| theme::button(ui, "Close", 110.0).clicked()))
            },
        );
        if let Some(request) = request {
            requests.write(request);
        }
        if close {
            *menu = Menu::None;
        }
    });
}

/// Summary of the history: its steps and bytes.
fn summary(history: &History) -> String {
    let undo = history.undo_count();
    let redo = history.redo_count();
    let steps =
        format!("{} done, {} undone", format::count(undo as u64), format::count(redo as u64));
    let memory = format::bytes(history.memory_bytes() as u64);
    format!("{steps} · {memory} in memory, {} packed", format::bytes(history.packed_bytes()))
}

/// Draws the steps, newest first, then the state before the first step.
fn list(
    ui: &mut Ui,
    history: &History,
    inside: Option<Box3>,
    can_change: bool,
) -> Option<HistoryRequest> {
    ui.spacing_mut().item_spacing.y = GAP;
    let last_done = history.steps().rfind(|step| step.is_done).map_or(0, |step| step.number);
    let mut request = None;
    for info in history.steps().rev() {
        let is_present = info.number == last_done;
        request = request.or(row(ui, &info, is_present, inside, can_change));
    }
    if history.undo_count() + history.redo_count() == 0 {
        ui.label(RichText::new("Nothing was edited yet.").color(theme::FAINT));
        return None;
    }
    let before = "Before all of these steps";
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::click());
    if ui.is_rect_visible(rect) {
        ground(ui, rect, last_done == 0, response.hovered() && can_change);
        let font = FontId::proportional(theme::BODY);
        ui.painter().text(
            rect.left_center() + vec2(14.0, 0.0),
            Align2::LEFT_CENTER,
            before,
            font,
            theme::FAINT,
        );
    }
    request.or((response.clicked() && can_change).then_some(HistoryRequest::GoTo(0)))
}

/// Draws one step with its buttons.
fn row(
    ui: &mut Ui,
    info: &StepInfo<'_>,
    is_present: bool,
    inside: Option<Box3>,
    can_change: bool,
) -> Option<HistoryRequest> {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    if !ui.is_rect_visible(rect) {
        return None;
    }
    let response = response.on_hover_text(if info.is_done {
        if is_present { "The last step that is done" } else { "Undo everything after this step" }
    } else {
        "Redo everything up to this step"
    });
    ground(ui, rect, is_present, response.hovered() && can_change);
    let mut request =
        (response.clicked() && can_change).then_some(HistoryRequest::GoTo(info.number));
    let mut right = rect.right() - 8.0;
    if info.is_done && can_change && rect.width() >= MIN_WIDTH_WITH_BUTTONS {
        let mut button = |ui: &mut Ui, name: &str, hint: &str, inside: Option<Box3>| {
            let area = Rect::from_min_size(
                pos2(right - BUTTON.x, rect.center().y - BUTTON.y / 2.0),
                BUTTON,
            );
            right = area.left() - 6.0;
            // A child `Ui` keeps the button from moving the start of the next row.
            let mut part = ui.new_child(UiBuilder::new().max_rect(area));
            let clicked = part
                .add_sized(BUTTON, Button::new(RichText::new(name).small()))
                .on_hover_text(hint)
                .clicked();
            if clicked {
                request = Some(HistoryRequest::TakeBack { number: info.number, inside });
            }
        };
        button(
            ui,
            "Only this step",
            "Take back this step, and keep what later ones have changed",
            None,
        );
        // The surface of a material is the same everywhere.
        if inside.is_some() && info.surface.is_none() {
            button(ui, "Only in the box", "Take back this step in the selected box", inside);
        }
    }
    let painter = ui.painter().with_clip_rect(rect.with_max_x(right));
    let (name_colour, words_colour) =
        if info.is_done { (theme::TEXT, theme::FAINT) } else { (theme::FAINT, EDGE_TEXT) };
    let name = if info.name.is_empty() { "edit".to_owned() } else { text::title_case(info.name) };
    let left = rect.left() + 14.0;
    painter.text(
        pos2(left, rect.top() + 12.0),
        Align2::LEFT_CENTER,
        name,
        FontId::proportional(theme::BODY),
        name_colour,
    );
    let font = FontId::proportional(theme::SMALL);
    painter.text(
        pos2(left, rect.top() + 28.0),
        Align2::LEFT_CENTER,
        words(info, unix_now()),
        font,
        words_colour,
    );
    request
}

/// Colour of the text of an undone step.
const EDGE_TEXT: Color32 = Color32::from_rgb(126, 118, 106);

/// Draws the background of a row; the present state has a mark.
fn ground(ui: &Ui, rect: Rect, is_present: bool, is_hovered: bool) {
    let fill = if is_hovered { theme::RAISED_HOVER } else { theme::RAISED };
    ui.painter().rect_filled(rect, theme::ROUND, fill);
    if is_present {
        ui.painter().rect_filled(rect.with_max_x(rect.left() + 4.0), 2.0, theme::ACCENT);
    }
}

/// Time, voxels, surfaces and bytes of a step: "5 min ago · 1,234 voxels · 2.1 KiB".
fn words(info: &StepInfo<'_>, now: u64) -> String {
    let mut parts = Vec::new();
    if !info.is_done {
        parts.push("undone".to_owned());
    }
    if info.unix > 0 {
        parts.push(text::ago(info.unix, now));
    }
    if info.voxels > 0 {
        parts.push(format::counted(info.voxels, "voxel"));
    }
    if let Some(change) = info.surface {
        parts.push(format!("{} to {}", change.before, change.after));
    }
    // A step without voxels has no bytes.
    parts.extend(info.bytes.filter(|bytes| *bytes > 0).map(format::bytes));
    if !info.is_in_memory {
        parts.push("in the map".to_owned());
    }
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::{SurfaceChange, SurfaceRule};

    #[test]
    fn words_name_what_is_known_of_a_step() {
        let info = StepInfo {
            number: 3,
            name: "set",
            unix: 1000,
            voxels: 1234,
            chunks: 2,
            surface: None,
            bytes: Some(2100),
            is_done: true,
            is_in_memory: true,
        };
        assert_eq!(words(&info, 1300), "5 min ago · 1,234 voxels · 2.1 KiB");
        let old = StepInfo {
            unix: 0,
            voxels: 0,
            bytes: None,
            is_done: false,
            is_in_memory: false,
            ..info.clone()
        };
        assert_eq!(words(&old, 1300), "undone · in the map");
        let change =
            SurfaceChange { material: 1, before: SurfaceRule::Cube, after: SurfaceRule::Rough(40) };
        let shaped =
            StepInfo { voxels: 0, chunks: 0, surface: Some(change), bytes: Some(0), ..info };
        assert_eq!(words(&shaped, 1300), "5 min ago · cube to rough 40");
    }
}
