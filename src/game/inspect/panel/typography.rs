//! The panel's typography: colours, and lines with figures in fixed columns.
//!
//! Text is painted at computed positions instead of being laid out, so that changing figures never
//! shift each other.

use crate::game::inspect::panel::figures::StorageFormat;
use crate::game::player::crosshair::Crosshair;
use crate::game::ui_kit::theme;
use bevy_egui::egui::text::{LayoutJob, TextWrapping};
use bevy_egui::egui::{
    Align2, Color32, FontId, Galley, Painter, Rect, Response, Sense, Stroke, Ui, pos2, vec2,
};
use std::sync::Arc;

/// Background. Nearly opaque, because colours are blended in linear light, where even a little
/// transparency has a large effect.
pub const GROUND: Color32 = Color32::from_rgba_premultiplied(13, 15, 19, 246);
/// Background of bars and plots.
pub const TRACK: Color32 = Color32::from_rgb(25, 29, 35);
/// Colour of hairlines.
pub const RULE: Color32 = Color32::from_rgb(46, 52, 61);
/// Text colour of figures.
pub const BRIGHT: Color32 = Color32::from_rgb(226, 230, 235);
/// Text colour of labels.
pub const DIM: Color32 = Color32::from_rgb(142, 152, 164);
/// Text colour of notes.
pub const FAINT: Color32 = Color32::from_rgb(101, 111, 123);
/// Colour of the chunk under the crosshair, and of selections.
pub const AMBER: Color32 = Color32::from_rgb(240, 184, 98);
/// Colour of run trees and runs.
pub const TEAL: Color32 = Color32::from_rgb(66, 201, 168);
/// Colour of the map file.
pub const ORANGE: Color32 = Color32::from_rgb(232, 132, 82);
/// Colour of the map file before compression.
pub const SAND: Color32 = Color32::from_rgb(212, 176, 106);
/// Colour of the graphics card, and of the undo history.
pub const ROSE: Color32 = Color32::from_rgb(214, 128, 200);
/// Colour of anything failed, not saved, damaged or lost. Red has no other use.
pub const RED: Color32 = theme::PROBLEM;
/// Colour of times.
pub const BLUE: Color32 = Color32::from_rgb(112, 152, 222);

/// Height of a line of figures, in points.
pub const LINE: f32 = 14.5;
/// Minimum distance between a label and its figure, in points.
pub const GAP: f32 = 6.0;

/// Colour of a storage format in every bar and plot.
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

/// Allocates a strip of the full width, `height` points high.
pub fn strip(ui: &mut Ui, height: f32) -> (Rect, Painter) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    (rect, ui.painter().clone())
}

/// Draws text that starts at `x`, vertically centred in `line`.
pub fn left(painter: &Painter, line: Rect, x: f32, text: impl ToString, colour: Color32) {
    painter.text(pos2(x, line.center().y), Align2::LEFT_CENTER, text, font(), colour);
}

/// Draws text that starts at `x`. At `end` it is cut off with an ellipsis. Returns its right end.
pub fn left_until(
    painter: &Painter,
    line: Rect,
    x: f32,
    end: f32,
    text: impl ToString,
    colour: Color32,
) -> f32 {
    let galley = cut(painter, text.to_string(), end - x, colour);
    let at = pos2(x, line.center().y - galley.size().y / 2.0);
    let right = x + galley.size().x;
    painter.galley(at, galley, colour);
    right
}

/// Draws text that ends at `x`, vertically centred in `line`. Returns its left end.
pub fn right(painter: &Painter, line: Rect, x: f32, text: impl ToString, colour: Color32) -> f32 {
    painter.text(pos2(x, line.center().y), Align2::RIGHT_CENTER, text, font(), colour).left()
}

/// Lays out one row, cut off with an ellipsis where it is wider than `width`.
fn cut(painter: &Painter, text: String, width: f32, colour: Color32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text, font(), colour);
    job.wrap = TextWrapping::truncate_at_width(width.max(0.0));
    painter.layout_job(job)
}

/// Draws a small note at the left.
pub fn note(painter: &Painter, line: Rect, text: &str) {
    painter.text(line.left_center(), Align2::LEFT_CENTER, text, small_font(), FAINT);
}

/// Draws a sentence over as many lines as it needs.
pub fn sentence(ui: &mut Ui, text: &str) {
    let galley =
        ui.painter().layout(text.to_owned(), FontId::proportional(12.0), DIM, ui.available_width());
    let (rect, _) = ui.allocate_exact_size(galley.size(), Sense::hover());
    ui.painter().galley(rect.min, galley, DIM);
    ui.add_space(5.0);
}

/// Draws the head of a section: title, note at the right, hairline below.
pub fn head(ui: &mut Ui, title: &str, note: &str) {
    ui.add_space(5.0);
    let (line, painter) = strip(ui, LINE + 1.0);
    let title_end = left_until(&painter, line, line.left(), line.right(), title, BRIGHT);
    let note = cut(&painter, note.to_owned(), line.right() - title_end - GAP, FAINT);
    painter.galley(
        pos2(line.right() - note.size().x, line.center().y - note.size().y / 2.0),
        note,
        FAINT,
    );
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
    columns(ui, (label, DIM), world, chunk);
}

/// Draws a coloured label and its two figures. The figures are always complete; the label is cut
/// off where it would touch them.
pub fn columns(
    ui: &mut Ui,
    label: (&str, Color32),
    world: (String, Color32),
    chunk: (String, Color32),
) {
    let (line, painter) = strip(ui, LINE);
    let chunk_left = right(&painter, line, line.right(), chunk.0, chunk.1);
    let mut end = chunk_left;
    if !world.0.is_empty() {
        end = right(&painter, line, middle(line).min(chunk_left - GAP), world.0, world.1);
    }
    left_until(&painter, line, line.left(), end - GAP, label.0, label.1);
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
    let end = right(&painter, line, line.right(), value, colour);
    left_until(&painter, line, line.left(), end - GAP, label, DIM);
}

/// Draws a tab: a word, underlined when selected.
pub fn tab(ui: &mut Ui, name: &str, chosen: bool, size: f32) -> Response {
    let galley =
        ui.painter().layout_no_wrap(name.to_owned(), FontId::monospace(size), Color32::PLACEHOLDER);
    let (rect, response) = ui.allocate_exact_size(galley.size() + vec2(8.0, 8.0), Sense::click());
    let colour = if chosen || response.hovered() { BRIGHT } else { DIM };
    ui.painter().galley(rect.min + vec2(4.0, 3.0), galley, colour);
    if chosen {
        ui.painter().hline(
            rect.shrink2(vec2(4.0, 0.0)).x_range(),
            rect.bottom() - 1.0,
            Stroke::new(2.0, AMBER),
        );
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::inspect::panel::bars;
    use crate::game::ui_kit::painted::{assert_apart, texts};

    #[test]
    fn rows_of_a_narrow_panel_do_not_overlap_or_run_off() {
        let long = "A label that is far too long for its row";
        let figure = || ("1,234,567.8 MiB".to_owned(), BRIGHT);
        for width in [244.0, 264.0, 310.0] {
            let found = texts(width, |ui| {
                head(ui, "Bytes of undo per changed voxel", "a note that is too long");
                pair(ui, long, figure(), figure());
                single(ui, long, "12,345,678 of 12,345,678", BRIGHT);
                let half = bars::BarLength { value: 1, full: 2 };
                bars::labelled(
                    ui,
                    "Packed and more",
                    half,
                    "1,023.9 MiB of 64.0 GiB".to_owned(),
                    ROSE,
                );
            });
            assert_eq!(found.len(), 9, "{found:?}");
            assert_apart(&found, width);
        }
    }
}
