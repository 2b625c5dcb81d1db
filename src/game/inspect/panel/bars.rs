//! Comparison bars: the same voxels in six storage formats, on one linear scale.

use crate::game::inspect::panel::figures::{Figures, StorageFormat};
use crate::game::inspect::panel::typography;
use crate::game::state::format;
use bevy_egui::egui::{Color32, Rect, Ui, pos2};

/// Minimum length of a track between a label and its figure, in points. A shorter one is left out.
const MIN_BAR: f32 = 16.0;
/// Width of a line, in points, below which the ratio is left out.
const NARROW: f32 = 290.0;

/// Length of a bar for `value`, in points, if `full` fills `width`. Values above 0 stay visible.
fn length(value: f64, full: f64, width: f32) -> f32 {
    if value > 0.0 && full > 0.0 { (width * (value / full) as f32).clamp(1.5, width) } else { 0.0 }
}

/// Length of a bar, as a figure and the figure of a full bar.
#[derive(Clone, Copy, Debug)]
pub struct BarLength {
    /// Figure that the bar shows.
    pub value: u64,
    /// Figure of a full bar.
    pub full: u64,
}

/// Draws a bar in its track.
pub fn bar(ui: &Ui, track: Rect, value: f64, full: f64, colour: Color32) {
    ui.painter().rect_filled(track, 1.0, typography::TRACK);
    let end = pos2(track.left() + length(value, full, track.width()), track.bottom());
    ui.painter().rect_filled(Rect::from_min_max(track.min, end), 1.0, colour);
}

/// Draws a line with a label at the left, a figure at the right, and a bar between them.
pub fn labelled(ui: &mut Ui, label: &str, bar_length: BarLength, figure: String, colour: Color32) {
    let (line, painter) = typography::strip(ui, typography::LINE);
    let figure_left = typography::right(&painter, line, line.right(), figure, typography::BRIGHT);
    let room = figure_left - typography::GAP;
    let label_right =
        typography::left_until(&painter, line, line.left(), room, label, typography::DIM);
    let track = Rect::from_min_max(
        pos2(
            (line.left() + line.width() * 0.36).max(label_right + typography::GAP),
            line.center().y - 2.5,
        ),
        pos2((line.right() - line.width() * 0.36).min(room), line.center().y + 2.5),
    );
    if track.width() >= MIN_BAR {
        bar(ui, track, bar_length.value as f64, bar_length.full.max(1) as f64, colour);
    }
}

/// Draws the six formats, each with a thick bar for the loaded world, a thin one for the chunk,
/// both values as figures, and the world's ratio to the dense array.
pub fn stores(ui: &mut Ui, world: &Figures, chunk: Option<&Figures>) {
    let of_world = world.per_voxel();
    let of_chunk = chunk.map(Figures::per_voxel);
    let highest = of_world
        .into_iter()
        .chain(of_chunk.into_iter().flatten())
        .filter(|v| v.is_finite())
        .fold(0.0, f64::max);
    for (i, store) in StorageFormat::ALL.into_iter().enumerate() {
        let (line, painter) = typography::strip(ui, 16.0);
        let colour = typography::format_colour(store);
        // A narrow panel has no space for the ratio.
        let chunk_end = line.right() - if line.width() < NARROW { 0.0 } else { 54.0 };
        let world_end = chunk_end - 48.0;
        let bars = line.left() + 76.0..=world_end - 50.0;
        typography::left(
            &painter,
            line,
            line.left(),
            store.name(),
            if store == StorageFormat::RunTree { colour } else { typography::DIM },
        );
        let track = |from: f32, to: f32| {
            Rect::from_min_max(
                pos2(*bars.start(), line.top() + from),
                pos2(*bars.end(), line.top() + to),
            )
        };
        bar(ui, track(3.0, 9.0), of_world[i], highest, colour);
        bar(
            ui,
            track(10.0, 13.0),
            of_chunk.map_or(0.0, |c| c[i]),
            highest,
            colour.gamma_multiply(0.6),
        );
        typography::right(
            &painter,
            line,
            world_end,
            format::per_voxel(of_world[i]),
            typography::BRIGHT,
        );
        let figure = of_chunk.map_or_else(String::new, |c| format::per_voxel(c[i]));
        typography::right(&painter, line, chunk_end, figure, typography::AMBER);
        if chunk_end < line.right() {
            typography::right(
                &painter,
                line,
                line.right(),
                format::fraction(of_world[i], of_world[0]),
                typography::FAINT,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_proportional_and_never_vanish() {
        assert_eq!(length(1.5, 3.0, 100.0), 50.0);
        assert_eq!(length(3.0, 3.0, 100.0), 100.0);
        assert_eq!(length(0.001, 3.0, 100.0), 1.5);
        assert_eq!(
            [length(0.0, 3.0, 100.0), length(f64::NAN, 3.0, 100.0), length(1.0, 0.0, 100.0)],
            [0.0; 3]
        );
    }
}
