//! The panel's typography: colours, and lines whose figures stand at fixed columns.
//!
//! Text is painted at computed places instead of laid out: live figures then never push each other about.

use crate::game::crosshair::Crosshair;
use crate::game::panel::figures::Store;
use bevy_egui::egui::{Align2, Color32, FontId, Painter, Rect, Response, Sense, Stroke, Ui, pos2, vec2};

/// Behind everything; the world shimmers through (colours are mixed in linear light, where little is much).
pub const GROUND: Color32 = Color32::from_rgba_premultiplied(13, 15, 19, 246);
/// Behind bars and plots.
pub const TRACK: Color32 = Color32::from_rgb(25, 29, 35);
/// Hairlines.
pub const RULE: Color32 = Color32::from_rgb(46, 52, 61);
/// Figures.
pub const BRIGHT: Color32 = Color32::from_rgb(226, 230, 235);
/// Labels.
pub const DIM: Color32 = Color32::from_rgb(142, 152, 164);
/// Side notes.
pub const FAINT: Color32 = Color32::from_rgb(101, 111, 123);
/// The chunk under the crosshair, and what is chosen.
pub const AMBER: Color32 = Color32::from_rgb(240, 184, 98);
/// The run tree and all that is about runs.
pub const TEAL: Color32 = Color32::from_rgb(66, 201, 168);
/// The map file.
pub const ORANGE: Color32 = Color32::from_rgb(232, 132, 82);
/// The map file before compression.
pub const SAND: Color32 = Color32::from_rgb(212, 176, 106);
/// The graphics card.
pub const ROSE: Color32 = Color32::from_rgb(222, 118, 160);
/// Time.
pub const BLUE: Color32 = Color32::from_rgb(112, 152, 222);

/// Height of a line of figures, in points.
pub const LINE: f32 = 14.5;

/// The colour of a store, in every bar and plot.
#[must_use]
pub const fn store_color(store: Store) -> Color32 {
    match store {
        Store::Flat => Color32::from_rgb(128, 137, 148),
        Store::Palette => BLUE,
        Store::RowPacked => Color32::from_rgb(174, 138, 218),
        Store::RunTree => TEAL,
        Store::Rle => SAND,
        Store::RleLz4 => ORANGE,
    }
}

/// The one font of figures.
#[must_use]
pub fn font() -> FontId {
    FontId::monospace(11.0)
}

/// The font of side notes in plots.
#[must_use]
pub fn small_font() -> FontId {
    FontId::monospace(9.0)
}

/// Takes the whole width, `height` points high.
pub fn strip(ui: &mut Ui, height: f32) -> (Rect, Painter) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    (rect, ui.painter().clone())
}

/// Text that starts at `x`, in the middle of `line`.
pub fn left(painter: &Painter, line: Rect, x: f32, text: impl ToString, color: Color32) {
    painter.text(pos2(x, line.center().y), Align2::LEFT_CENTER, text, font(), color);
}

/// Text that ends at `x`, in the middle of `line`.
pub fn right(painter: &Painter, line: Rect, x: f32, text: impl ToString, color: Color32) {
    painter.text(pos2(x, line.center().y), Align2::RIGHT_CENTER, text, font(), color);
}

/// The head of a section: what it is, a note at the right, a hairline under both.
pub fn head(ui: &mut Ui, title: &str, note: &str) {
    ui.add_space(5.0);
    let (line, painter) = strip(ui, LINE + 1.0);
    left(&painter, line, line.left(), title, BRIGHT);
    right(&painter, line, line.right(), note, FAINT);
    painter.hline(line.x_range(), line.bottom(), Stroke::new(1.0, RULE));
    ui.add_space(2.0);
}

/// Where the column of the loaded world ends; that of the chunk ends at the right.
#[must_use]
pub fn middle(line: Rect) -> f32 {
    line.left() + line.width() * 0.66
}

/// A label and its two figures.
pub fn pair(ui: &mut Ui, label: &str, world: (String, Color32), chunk: (String, Color32)) {
    let (line, painter) = strip(ui, LINE);
    left(&painter, line, line.left(), label, DIM);
    right(&painter, line, middle(line), world.0, world.1);
    right(&painter, line, line.right(), chunk.0, chunk.1);
}

/// The heads of the two columns of [`pair`], a hairline under them.
pub fn heads(ui: &mut Ui, crosshair: Crosshair) {
    let place = if crosshair.met { "crosshair" } else { "underfoot" };
    pair(ui, "", ("loaded world".into(), BRIGHT), (place.into(), AMBER));
    let (line, painter) = strip(ui, 2.0);
    painter.hline(line.x_range(), line.top(), Stroke::new(1.0, RULE));
}

/// A label and one figure at the right.
pub fn single(ui: &mut Ui, label: &str, value: impl ToString, color: Color32) {
    let (line, painter) = strip(ui, LINE);
    left(&painter, line, line.left(), label, DIM);
    right(&painter, line, line.right(), value, color);
}

/// A tab: a word of some size, underlined when chosen.
pub fn tab(ui: &mut Ui, name: &str, chosen: bool, size: f32) -> Response {
    let galley = ui.painter().layout_no_wrap(name.to_owned(), FontId::monospace(size), Color32::PLACEHOLDER);
    let (rect, response) = ui.allocate_exact_size(galley.size() + vec2(8.0, 8.0), Sense::click());
    let color = if chosen || response.hovered() { BRIGHT } else { DIM };
    ui.painter().galley(rect.min + vec2(4.0, 3.0), galley, color);
    if chosen {
        ui.painter().hline(rect.shrink2(vec2(4.0, 0.0)).x_range(), rect.bottom() - 1.0, Stroke::new(2.0, AMBER));
    }
    response
}
