//! The page *Frame*: frame times, queues, and the player's position.

use crate::game::drawing::chunk_drawing::DrawCounters;
use crate::game::inspect::panel::loading::{self, LoadingFigures};
use crate::game::inspect::panel::part_of_all::PartOfAll;
use crate::game::inspect::panel::sources::{PageContext, Sources};
use crate::game::inspect::panel::typography::{AMBER, BLUE, BRIGHT, DIM, FAINT, LINE, TEAL};
use crate::game::inspect::panel::{bars, head, plots, typography};
use crate::game::state::format;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings, KEPT_FRAMES};
use crate::game::state::player::Player;
use crate::game::ui_kit::text;
use bevy_egui::egui::{Rect, Sense, Stroke, Ui, UiBuilder, pos2, vec2};
use egui_plot::{HLine, Line, PlotBounds};
use stonerun_engine::voxel::{ChunkPos, MaterialTable};

/// Height of the plot of frame times, in points.
const CURVE: f32 = 104.0;

/// Data of the page.
pub struct FramePage {
    /// Milliseconds of the last frames, newest last.
    pub frames: Vec<f64>,
    /// Median frame time, in milliseconds.
    pub p50: f64,
    /// 99th percentile, in milliseconds.
    pub p99: f64,
    /// Milliseconds per stage.
    pub stages: [f64; FrameStage::ALL.len()],
    /// Chunks that are not drawn yet, by what they wait for.
    pub loading: LoadingFigures,
    /// True while a save is written.
    pub saving: bool,
    /// Number of entities.
    pub entities: u64,
    /// Number of drawn chunks, of all chunks with quads.
    pub drawn_chunks: PartOfAll,
    /// Draw calls of the frame.
    pub draw_calls: u64,
    /// Quads on the graphics card.
    pub quads: u64,
    /// Position of the player and target of the crosshair, as label and value.
    pub whereabouts: Vec<(&'static str, String)>,
}

impl FramePage {
    /// Fills in the figures from `timings`.
    #[must_use]
    pub fn times(timings: &FrameTimings) -> FramePage {
        FramePage {
            frames: timings.frames_ms.iter().copied().collect(),
            p50: timings.percentile_ms(0.5),
            p99: timings.percentile_ms(0.99),
            stages: timings.smooth_ms,
            loading: LoadingFigures::default(),
            saving: false,
            entities: 0,
            drawn_chunks: PartOfAll::default(),
            draw_calls: 0,
            quads: 0,
            whereabouts: Vec::new(),
        }
    }
}

/// Figures about the player and the block under the crosshair, as labels and values, apart from
/// those in the panel's head.
#[must_use]
pub fn whereabouts(player: &Player, materials: &MaterialTable) -> Vec<(&'static str, String)> {
    let in_words = |chunk: ChunkPos| format!("{} {} {}", chunk.x, chunk.y, chunk.z);
    let chunk = ChunkPos::containing(player.walker.voxel());
    let mut out = vec![("Chunk", in_words(chunk)), ("Facing", facing(player.yaw, player.pitch))];
    if let Some(hit) = player.target {
        let is_model = materials.get(hit.voxel.material()).is_some_and(|m| m.shape.is_model());
        let full = if is_model { "of its height" } else { "full" };
        out.push(("Block", format!("{:.0}% {full}", hit.voxel.fill() * 100.0)));
        out.push(("  In chunk", in_words(ChunkPos::containing(hit.voxel_pos))));
    }
    out
}

/// The direction of view in words and degrees. Yaw increases to the left from north.
fn facing(yaw: f32, pitch: f32) -> String {
    const NAMES: [&str; 8] =
        ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
    // Adding 0 makes a negative zero positive, so that no "-0" is shown.
    let bearing = (-yaw.to_degrees()).rem_euclid(360.0).round() % 360.0 + 0.0;
    let name = NAMES[(bearing / 45.0).round() as usize % 8];
    format!(
        "{name} {bearing}°, {} {:.0}°",
        if pitch < 0.0 { "down" } else { "up" },
        pitch.abs().to_degrees()
    )
}

impl FramePage {
    /// The data now; `None` while no map is open.
    fn new(sources: &Sources, timings: &FrameTimings) -> Option<FramePage> {
        let map = sources.map.as_deref()?;
        let saves = sources.saves.as_deref()?;
        let meshes = sources.meshes.as_deref()?;
        let (stream, lights, counters) =
            (sources.stream.as_deref()?, sources.lights.as_deref()?, &sources.scene.counters);
        Some(FramePage {
            loading: LoadingFigures::new(stream, lights, meshes),
            saving: saves.saving() > 0,
            entities: u64::from(sources.entities.count_spawned()),
            drawn_chunks: PartOfAll {
                part: DrawCounters::get(&counters.chunks),
                all: meshes.drawn().count() as u64,
            },
            draw_calls: DrawCounters::get(&counters.calls),
            quads: meshes.total.quads as u64,
            whereabouts: whereabouts(&sources.player, &map.materials),
            ..FramePage::times(timings)
        })
    }
}

/// Shows the page while a map is open.
pub(super) fn page(ui: &mut Ui, context: &mut PageContext) {
    if let Some(data) = FramePage::new(context.sources, context.timings) {
        draw(ui, &data);
    }
}

fn draw(ui: &mut Ui, shown: &FramePage) {
    times(ui, shown);
    frame_timings(ui, shown);
    typography::head(ui, "Waiting", "Chunks");
    loading::rows(ui, &shown.loading);
    typography::single(
        ui,
        "Save",
        if shown.saving { "Being written" } else { "Idle" },
        if shown.saving { AMBER } else { FAINT },
    );
    typography::head(ui, "Drawn", "");
    typography::single(ui, "Draw calls", format::count(shown.draw_calls), BRIGHT);
    typography::single(ui, "Chunks in view", shown.drawn_chunks.words(), BRIGHT);
    typography::single(ui, "Quads on GPU", format::count(shown.quads), BRIGHT);
    typography::single(ui, "Entities", format::count(shown.entities), BRIGHT);
    typography::head(ui, "Player", "");
    for (label, value) in &shown.whereabouts {
        typography::single(
            ui,
            label,
            value,
            if matches!(*label, "Block" | "  In chunk") { AMBER } else { BRIGHT },
        );
    }
}

fn times(ui: &mut Ui, shown: &FramePage) {
    let newest = shown.frames.last().copied().unwrap_or(f64::NAN);
    typography::head(ui, "Frame time", &format!("Last {KEPT_FRAMES}"));
    let (line, painter) = typography::strip(ui, LINE);
    // Figures above the plot; the first three have the colours of their curves.
    let figures = [
        ("Now", format::millis(newest), BLUE),
        ("p50", format::millis(shown.p50), TEAL),
        ("p99", format::millis(shown.p99), AMBER),
        ("Fps", format::decimal(head::per_second(shown.frames.iter().rev())), BRIGHT),
    ];
    let step = line.width() / figures.len() as f32;
    for (i, (name, _, _)) in figures.iter().enumerate() {
        typography::right(
            &painter,
            line,
            line.left() + step * (i + 1) as f32,
            name,
            typography::DIM,
        );
    }
    let (line, painter) = typography::strip(ui, LINE);
    for (i, (_, value, colour)) in figures.into_iter().enumerate() {
        typography::right(&painter, line, line.left() + step * (i + 1) as f32, value, colour);
    }
    let (area, _) = ui.allocate_exact_size(vec2(ui.available_width(), CURVE), Sense::hover());
    painter.rect_filled(area, 2.0, typography::TRACK);
    // The curve is clipped at this value, so that a single stutter does not flatten it.
    let top = (shown.p99 * 1.5).max(shown.p50 * 2.0).max(1.0);
    let first = KEPT_FRAMES.saturating_sub(shown.frames.len());
    let points: Vec<[f64; 2]> =
        shown.frames.iter().enumerate().map(|(i, &ms)| [(first + i) as f64, ms.min(top)]).collect();
    let p50 = shown.p50;
    let p99 = shown.p99;
    let mut child = ui.new_child(UiBuilder::new().max_rect(area).id_salt("frame times"));
    plots::bare("frame times", area).show(&mut child, |plot| {
        plot.set_plot_bounds(PlotBounds::from_min_max([0.0, 0.0], [(KEPT_FRAMES - 1) as f64, top]));
        plot.line(
            Line::new("frame", points)
                .stroke(Stroke::new(1.0, BLUE))
                .fill(0.0)
                .fill_alpha(0.2)
                .allow_hover(false),
        );
        for (name, at, colour) in [("p50", p50, TEAL), ("p99", p99, AMBER)] {
            plot.hline(
                HLine::new(name, at)
                    .stroke(Stroke::new(1.0, colour.gamma_multiply(0.8)))
                    .allow_hover(false),
            );
        }
    });
    let note = |y, align, text: String| {
        ui.painter().text(pos2(area.left() + 2.0, y), align, text, typography::small_font(), FAINT);
    };
    note(area.top() + 1.0, bevy_egui::egui::Align2::LEFT_TOP, format::millis(top));
}

fn frame_timings(ui: &mut Ui, shown: &FramePage) {
    typography::head(ui, "Time per stage", "ms per frame");
    let ours: f64 = shown.stages.iter().sum();
    let mean = shown.frames.iter().sum::<f64>() / shown.frames.len().max(1) as f64;
    let longest = shown.stages.iter().copied().fold(0.1, f64::max);
    for (stage, ms) in FrameStage::ALL.iter().zip(shown.stages) {
        let (line, painter) = typography::strip(ui, LINE);
        typography::left(&painter, line, line.left(), text::title_case(stage.name()), DIM);
        let track = Rect::from_min_max(
            pos2(line.left() + 76.0, line.top() + 4.0),
            pos2(line.right() - 62.0, line.bottom() - 4.0),
        );
        bars::bar(ui, track, ms, longest, BLUE);
        typography::right(&painter, line, line.right(), format!("{ms:.3}"), BRIGHT);
    }
    typography::single(ui, "All stages", format!("{ours:.3}"), BRIGHT);
    typography::single(ui, "Rest and waiting", format!("{:.3}", (mean - ours).max(0.0)), DIM);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_named_by_compass_point() {
        let quarter = std::f32::consts::FRAC_PI_2;
        assert_eq!(facing(0.0, 0.0), "north 0°, up 0°");
        assert_eq!(facing(quarter, -0.5), "west 270°, down 29°");
        assert_eq!(facing(-quarter / 2.0, 0.1), "north-east 45°, up 6°");
        assert_eq!(facing(0.005, 0.0), "north 0°, up 0°");
    }
}
