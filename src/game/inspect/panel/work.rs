//! The page *Work*: the task table of the 0fps text, with live figures.

use crate::game::inspect::panel::rates::{Rates, parts};
use crate::game::inspect::panel::sources::{PageContext, Sources};
use crate::game::inspect::panel::typography;
use crate::game::inspect::panel::typography::{BLUE, BRIGHT, DIM, FAINT, LINE, TEAL, TRACK};
use crate::game::state::format;
use crate::game::ui_kit::text;
use bevy_egui::egui::{Color32, CornerRadius, Rect, Ui, vec2};
use stonerun_engine::metrics::{VoxelOps, VoxelTask, WorkByTask};

/// Data of the page.
pub struct WorkPage<'a> {
    /// Sums since the map was opened.
    pub work: WorkByTask,
    /// Rates per second.
    pub rates: &'a Rates,
}

impl<'a> WorkPage<'a> {
    /// The data now; `None` while no map is open.
    fn new(sources: &'a Sources) -> Option<WorkPage<'a>> {
        sources.map.as_deref()?;
        Some(WorkPage { work: sources.work.0, rates: &sources.rates })
    }
}

/// Shows the page while a map is open.
pub(super) fn page(ui: &mut Ui, context: &mut PageContext) {
    if let Some(data) = WorkPage::new(context.sources) {
        draw(ui, &data);
    }
}

fn draw(ui: &mut Ui, shown: &WorkPage) {
    typography::head(ui, "Voxel operations per second", "Last 2 s");
    heads(ui);
    for task in VoxelTask::ALL {
        let rates = shown.rates.per_second(task);
        row(
            ui,
            &text::title_case(task.name()),
            rates.map_or_else(|| [(); 4].map(|()| format::NONE.into()), |r| r.map(format::short)),
        );
    }
    typography::head(ui, "Since the map was opened", "");
    heads(ui);
    for task in VoxelTask::ALL {
        row(
            ui,
            &text::title_case(task.name()),
            parts(shown.work.get(task)).map(|count| format::short(count as f64)),
        );
    }
    let sum = shown.work.total();
    row(ui, "All", parts(sum).map(|count| format::short(count as f64)));
    typography::head(ui, "Share of iteration", "");
    part(ui, "Counted in voxels", share_of_iteration(sum.voxels_iterated, sum));
    part(ui, "Counted in runs", share_of_iteration(sum.runs_iterated, sum));
    ui.add_space(4.0);
    typography::sentence(ui, "Reads and writes: single voxels, at random.");
    typography::sentence(ui, "Physics: fused runs, counted while this page or Rules is shown.");
}

/// Share of iteration in all operations, counting each iterated voxel or run as one operation. NaN
/// without operations.
fn share_of_iteration(iterated: u64, ops: VoxelOps) -> f64 {
    let random = ops.random_reads + ops.random_writes;
    iterated as f64 / (iterated + random) as f64
}

/// Right ends of the four columns, as fractions of the width.
const COLUMNS: [f32; 4] = [0.43, 0.61, 0.81, 1.0];

fn columns(ui: &mut Ui, label: &str, figures: [(&str, Color32); 4]) {
    let (line, painter) = typography::strip(ui, LINE);
    let mut room = line.right();
    for ((figure, colour), end) in figures.into_iter().zip(COLUMNS) {
        room = room.min(typography::right(
            &painter,
            line,
            line.left() + line.width() * end,
            figure,
            colour,
        ));
    }
    typography::left_until(&painter, line, line.left(), room - typography::GAP, label, DIM);
}

fn heads(ui: &mut Ui) {
    columns(ui, "", ["Reads", "Writes", "Voxels", "Runs"].map(|name| (name, FAINT)));
}

fn row(ui: &mut Ui, name: &str, figures: [String; 4]) {
    // Runs are highlighted, because this engine iterates runs where an array would iterate voxels.
    let colours = [BRIGHT, BRIGHT, BRIGHT, TEAL];
    let shown: [(&str, Color32); 4] = std::array::from_fn(|i| match figures[i].as_str() {
        "0" => (format::NONE, FAINT),
        figure => (figure, colours[i]),
    });
    columns(ui, name, shown);
}

/// Draws a bar in two colours: the share of iteration at the left, random access at the right.
fn part(ui: &mut Ui, label: &str, part: f64) {
    let text = if part.is_nan() { format::NONE.into() } else { format!("{:.1}%", part * 100.0) };
    typography::single(ui, label, text, BRIGHT);
    let (line, painter) = typography::strip(ui, 7.0);
    let bar = Rect::from_min_size(line.min, vec2(line.width(), 5.0));
    painter.rect_filled(bar, CornerRadius::same(2), TRACK);
    if part.is_finite() {
        painter.rect_filled(bar, CornerRadius::same(2), BLUE);
        let iterated = Rect::from_min_size(bar.min, vec2(bar.width() * part as f32, bar.height()));
        painter.rect_filled(iterated, CornerRadius::same(2), TEAL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iteration_shares_count_voxels_and_runs() {
        let sum = VoxelOps {
            random_reads: 60,
            random_writes: 40,
            voxels_iterated: 900,
            runs_iterated: 100,
        };
        assert_eq!(share_of_iteration(sum.voxels_iterated, sum), 0.9);
        assert_eq!(share_of_iteration(sum.runs_iterated, sum), 0.5);
        assert!(share_of_iteration(0, VoxelOps::default()).is_nan());
    }
}
