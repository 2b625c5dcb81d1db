//! Small plots: the last minute of each figure, two per row, with the current value in the title.

use crate::game::inspect::panel::last_minute::{KEPT, LastMinute, Ring, Series, ValueRange};
use crate::game::inspect::panel::typography;
use crate::game::state::format;
use bevy_egui::egui::{Align2, Color32, Rect, Sense, Stroke, Ui, UiBuilder, pos2, vec2};
use egui_plot::{Line, Plot, PlotBounds};

/// Height of a plot's title, in points.
const TITLE: f32 = 13.0;
/// Height of a plot's curve, in points.
const CURVE: f32 = 38.0;

/// A small plot: name, number format and curves. The title shows the current value of the last
/// curve.
struct SmallPlot {
    name: &'static str,
    write: fn(f64) -> String,
    curves: &'static [(Series, Color32)],
}

fn whole(x: f64) -> String {
    format::count(x as u64)
}

fn size(x: f64) -> String {
    format::bytes(x as u64)
}

const PLOTS: [SmallPlot; 8] = [
    SmallPlot {
        name: "B/voxel",
        write: format::per_voxel,
        curves: &[(Series::PerVoxel, typography::TEAL)],
    },
    SmallPlot {
        name: "Voxels/run",
        write: format::decimal,
        curves: &[(Series::VoxelsPerRun, typography::TEAL)],
    },
    SmallPlot { name: "Runs", write: whole, curves: &[(Series::Runs, typography::TEAL)] },
    SmallPlot { name: "Heap", write: size, curves: &[(Series::Heap, typography::TEAL)] },
    SmallPlot { name: "Chunks", write: whole, curves: &[(Series::Chunks, typography::BLUE)] },
    SmallPlot {
        name: "RLE, +LZ4",
        write: size,
        curves: &[(Series::Rle, typography::SAND), (Series::RleLz4, typography::ORANGE)],
    },
    SmallPlot { name: "Quads", write: whole, curves: &[(Series::Quads, typography::ROSE)] },
    SmallPlot { name: "GPU", write: size, curves: &[(Series::MeshBytes, typography::ROSE)] },
];

/// Range of a plot: the range of its curves with a margin. It is at least a fiftieth of the value,
/// so that a nearly constant figure is drawn as a flat line.
fn plot_range(curves: impl Iterator<Item = ValueRange>) -> Option<ValueRange> {
    let ValueRange { low, high } = curves.reduce(ValueRange::union)?;
    let air = ((high - low) * 0.12).max(high.abs() * 0.01).max(1e-9);
    Some(ValueRange { low: low - air, high: high + air })
}

/// Draws all plots.
pub fn grid(ui: &mut Ui, history: &LastMinute) {
    for row in PLOTS.chunks(2) {
        let (rect, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), TITLE + CURVE + 4.0), Sense::hover());
        let width = (rect.width() - 10.0) / 2.0;
        for (i, plot) in row.iter().enumerate() {
            let min = pos2(rect.left() + i as f32 * (width + 10.0), rect.top());
            small(ui, Rect::from_min_size(min, vec2(width, TITLE + CURVE)), plot, history);
        }
    }
}

fn small(ui: &mut Ui, rect: Rect, plot: &SmallPlot, history: &LastMinute) {
    let painter = ui.painter().clone();
    let (title, area) = rect.split_top_bottom_at_y(rect.top() + TITLE);
    let main = plot.curves.last().map(|(series, colour)| (history.ring(*series), *colour));
    let now =
        main.and_then(|(ring, _)| ring.newest()).map_or_else(|| format::NONE.into(), plot.write);
    let colour = main.map_or(typography::BRIGHT, |(_, colour)| colour);
    let room = typography::right(&painter, title, title.right(), now, colour) - typography::GAP;
    typography::left_until(&painter, title, title.left(), room, plot.name, typography::DIM);
    painter.rect_filled(area, 2.0, typography::TRACK);
    let ranges = || plot.curves.iter().filter_map(|(series, _)| history.ring(*series).range());
    let Some(range) = plot_range(ranges()) else { return };
    let mut child = ui.new_child(UiBuilder::new().max_rect(area).id_salt(plot.name));
    curve(
        &mut child,
        plot.name,
        area,
        range,
        plot.curves.iter().map(|(s, c)| (history.ring(*s), *c)),
    );
    // Minimum and maximum, in the smallest text.
    let note = |y: f32, align, value| {
        painter.text(
            pos2(area.left() + 2.0, y),
            align,
            value,
            typography::small_font(),
            typography::FAINT,
        )
    };
    let Some(ValueRange { low, high }) = ranges().reduce(ValueRange::union) else { return };
    let low = (plot.write)(low);
    let high = (plot.write)(high);
    note(area.top() + 1.0, Align2::LEFT_TOP, high.clone());
    if low != high {
        note(area.bottom() - 1.0, Align2::LEFT_BOTTOM, low);
    }
}

fn curve<'a>(
    ui: &mut Ui,
    name: &str,
    area: Rect,
    range: ValueRange,
    rings: impl Iterator<Item = (&'a Ring, Color32)>,
) {
    let lines: Vec<(Vec<[f64; 2]>, Color32)> = rings
        .flat_map(|(ring, colour)| ring.stretches().into_iter().map(move |s| (s, colour)))
        .collect();
    bare(name, area).show(ui, |plot| {
        plot.set_plot_bounds(PlotBounds::from_min_max(
            [0.0, range.low],
            [(KEPT - 1) as f64, range.high],
        ));
        for (points, colour) in lines {
            let line = Line::new(name, points).stroke(Stroke::new(1.2, colour)).allow_hover(false);
            plot.line(line.fill(range.low as f32).fill_alpha(0.2));
        }
    });
}

/// A plot that fills `area`, without axes, grid, background or interaction.
#[must_use]
pub fn bare<'a>(name: &str, area: Rect) -> Plot<'a> {
    Plot::new(name)
        .width(area.width())
        .height(area.height())
        .min_size(vec2(8.0, 8.0))
        .set_margin_fraction(vec2(0.0, 0.0))
        .show_axes(false)
        .show_grid(false)
        .show_background(false)
        .show_crosshair(false)
        .show_x(false)
        .show_y(false)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .allow_axis_zoom_drag(false)
        .sense(Sense::hover())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_series_is_plotted_once() {
        for &series in Series::ALL {
            let n = PLOTS.iter().flat_map(|p| p.curves).filter(|(s, _)| *s == series).count();
            assert_eq!(n, 1, "{series:?}");
        }
    }

    #[test]
    fn ranges_contain_all_curves_and_are_never_empty() {
        assert_eq!(plot_range(std::iter::empty()), None);
        let curves = [ValueRange { low: 5.0, high: 8.0 }, ValueRange { low: 2.0, high: 6.0 }];
        let ValueRange { low, high } = plot_range(curves.into_iter()).expect("known");
        assert!(low < 2.0 && high > 8.0);
        for flat in [0.0, 0.03, 1e9] {
            let curve = ValueRange { low: flat, high: flat };
            let ValueRange { low, high } = plot_range(std::iter::once(curve)).expect("known");
            assert!(low < flat && flat < high);
        }
    }
}
