//! The panel's typography: colours, and lines with figures in fixed columns.
//!
//! Text is painted at computed positions instead of laid out, so changing figures never shift each
//! other.

use crate::game::crosshair::Crosshair;
use crate::game::panel::figures::StorageFormat;
use crate::game::ui::theme;
use bevy_egui::egui::{Align2, Color32, FontId, Painter, Rect, Response, Sense, Stroke, Ui, pos2, vec2};

/// Background; translucent (colours are blended in linear light, where a small alpha has a large
/// effect).
pub const GROUND: Color32 = Color32::from_rgba_premultiplied(13, 15, 19, 246);
/// Background of bars and plots.
pub const TRACK: Color32 = Color32::from_rgb(25, 29, 35);
/// Hairlines.
pub const RULE: Color32 = Color32::from_rgb(46, 52, 61);
/// Figures.
pub const BRIGHT: Color32 = Color32::from_rgb(226, 230, 235);
/// Labels.
pub const DIM: Color32 = Color32::from_rgb(142, 152, 164);
/// Notes.
pub const FAINT: Color32 = Color32::from_rgb(101, 111, 123);
/// The chunk under the crosshair, and selections.
pub const AMBER: Color32 = Color32::from_rgb(240, 184, 98);
/// Run trees and runs.
pub const TEAL: Color32 = Color32::from_rgb(66, 201, 168);
/// The map file.
pub const ORANGE: Color32 = Color32::from_rgb(232, 132, 82);
/// The map file before compression.
pub const SAND: Color32 = Color32::from_rgb(212, 176, 106);
/// The graphics card, and the undo history.
pub const ROSE: Color32 = Color32::from_rgb(214, 128, 200);
/// What failed, is not saved, damaged or lost; nothing else is red.
pub const RED: Color32 = theme::PROBLEM;
/// Time.
pub const BLUE: Color32 = Color32::from_rgb(112, 152, 222);

/// Height of a line of figures, in points.
pub const LINE: f32 = 14.5;

/// Colour of a store, in every bar and plot.
#[must_use]
pub const fn format_colour(store: StorageFormat) -> Color32 {
    match store {
        StorageFormat::Dense => Color32::from_rgb(128, 137, 148),
        StorageFormat::Palette => BLUE,
        StorageFormat::RowPacked => Color32::from_rgb(174, 138, 218),
        StorageFormat::RunTree => TEAL,
        StorageFormat::Rle => SAND,
        StorageFormat::RleLz4 => ORANGE,
    }
}

/// Font of figures.
#[must_use]
pub fn font() -> FontId {
    FontId::monospace(11.0)
}

/// Font of notes in plots.
#[must_use]
pub fn small_font() -> FontId {
    FontId::monospace(9.0)
}

/// Allocates the full width, `height` points high.
pub fn strip(ui: &mut Ui, height: f32) -> (Rect, Painter) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    (rect, ui.painter().clone())
}

/// Draws text that starts at `x`, vertically centred in `line`.
pub fn left(painter: &Painter, line: Rect, x: f32, text: impl ToString, colour: Color32) {
    painter.text(pos2(x, line.center().y), Align2::LEFT_CENTER, text, font(), colour);
}

/// Draws text that ends at `x`, vertically centred in `line`.
pub fn right(painter: &Painter, line: Rect, x: f32, text: impl ToString, colour: Color32) {
    painter.text(pos2(x, line.center().y), Align2::RIGHT_CENTER, text, font(), colour);
}

/// Draws a small note at the left.
pub fn note(painter: &Painter, line: Rect, text: &str) {
    painter.text(line.left_center(), Align2::LEFT_CENTER, text, small_font(), FAINT);
}

/// Draws a sentence over as many lines as it needs.
pub fn sentence(ui: &mut Ui, text: &str) {
    let galley = ui.painter().layout(text.to_owned(), FontId::proportional(12.0), DIM, ui.available_width());
    let (rect, _) = ui.allocate_exact_size(galley.size(), Sense::hover());
    ui.painter().galley(rect.min, galley, DIM);
    ui.add_space(5.0);
}

/// Draws the head of a section: title, note at the right, hairline below.
pub fn head(ui: &mut Ui, title: &str, note: &str) {
    ui.add_space(5.0);
    let (line, painter) = strip(ui, LINE + 1.0);
    left(&painter, line, line.left(), title, BRIGHT);
    right(&painter, line, line.right(), note, FAINT);
    painter.hline(line.x_range(), line.bottom(), Stroke::new(1.0, RULE));
    ui.add_space(2.0);
}

/// Right end of the loaded world's column; the chunk's column ends at the right edge.
#[must_use]
pub fn middle(line: Rect) -> f32 {
    line.left() + line.width() * 0.66
}

/// Draws a label and its two figures.
pub fn pair(ui: &mut Ui, label: &str, world: (String, Color32), chunk: (String, Color32)) {
    let (line, painter) = strip(ui, LINE);
    left(&painter, line, line.left(), label, DIM);
    right(&painter, line, middle(line), world.0, world.1);
    right(&painter, line, line.right(), chunk.0, chunk.1);
}

/// Draws the heads of the two columns of [`pair`], and a hairline.
pub fn heads(ui: &mut Ui, crosshair: Crosshair) {
    let place = if crosshair.met { "Crosshair" } else { "Underfoot" };
    pair(ui, "", ("Loaded world".into(), BRIGHT), (place.into(), AMBER));
    let (line, painter) = strip(ui, 2.0);
    painter.hline(line.x_range(), line.top(), Stroke::new(1.0, RULE));
}

/// Draws a label and one figure at the right.
pub fn single(ui: &mut Ui, label: &str, value: impl ToString, colour: Color32) {
    let (line, painter) = strip(ui, LINE);
    left(&painter, line, line.left(), label, DIM);
    right(&painter, line, line.right(), value, colour);
}

/// Draws a tab: a word, underlined when selected.
pub fn tab(ui: &mut Ui, name: &str, chosen: bool, size: f32) -> Response {
    let galley = ui.painter().layout_no_wrap(name.to_owned(), FontId::monospace(size), Color32::PLACEHOLDER);
    let (rect, response) = ui.allocate_exact_size(galley.size() + vec2(8.0, 8.0), Sense::click());
    let colour = if chosen || response.hovered() { BRIGHT } else { DIM };
    ui.painter().galley(rect.min + vec2(4.0, 3.0), galley, colour);
    if chosen {
        ui.painter().hline(rect.shrink2(vec2(4.0, 0.0)).x_range(), rect.bottom() - 1.0, Stroke::new(2.0, AMBER));
    }
    response
}
