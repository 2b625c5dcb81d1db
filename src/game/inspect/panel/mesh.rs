//! The page *Mesh*: quads, runs and fused runs, graphics memory, draw calls, times, and the quads
//! of one chunk with other ways of merging.

use crate::game::drawing::chunk_drawing::DrawCounters;
use crate::game::drawing::meshing::{MeshSize, MeshTimes};
use crate::game::inspect::panel::bars::{self, BarLength};
use crate::game::inspect::panel::mesh_counts::MergeCounts;
use crate::game::inspect::panel::part_of_all::PartOfAll;
use crate::game::inspect::panel::sources::{PageContext, Sources};
use crate::game::inspect::panel::typography;
use crate::game::inspect::panel::typography::{AMBER, BLUE, BRIGHT, DIM, ROSE, TEAL};
use crate::game::player::crosshair::Crosshair;
use crate::game::state::format;
use bevy_egui::egui::Ui;
use stonerun_engine::metrics::RunStats;

/// Bytes of a quad in a mesh with vertices and indices: four vertices of 8 bytes and six indices of
/// 4.
const VERTEX_QUAD_BYTES: u64 = 56;

/// Data of the page.
pub struct MeshPage {
    /// Quads and bytes of all meshes.
    pub total: MeshSize,
    /// Number of drawn chunks, of all chunks with quads.
    pub drawn_chunks: PartOfAll,
    /// Number of drawn quads, of all quads in the buffer.
    pub drawn_quads: PartOfAll,
    /// Draw calls of the frame.
    pub draw_calls: u64,
    /// Bytes of graphics memory: used by chunks, size of the buffer, maximum size of the buffer.
    pub memory: [u64; 3],
    /// Bytes written to the graphics card since the start.
    pub written: u64,
    /// Times of the meshes made since the map was opened.
    pub times: MeshTimes,
    /// The crosshair's chunk.
    pub crosshair: Crosshair,
    /// Counts of the crosshair's chunk, if it is loaded.
    pub chunk: Option<MergeCounts>,
    /// Runs and quads of the chunks counted so far.
    pub runs: RunStats,
    /// Number of chunks that have a mesh. `runs` lacks some of them until all are counted.
    pub meshed: u64,
    /// Runs and quads of the crosshair's chunk, if counted.
    pub chunk_runs: Option<RunStats>,
}

impl MeshPage {
    /// The data now; `None` while no map is open.
    fn new(sources: &Sources) -> Option<MeshPage> {
        let meshes = sources.meshes.as_deref()?;
        let counters = &sources.scene.counters;
        Some(MeshPage {
            total: meshes.total,
            drawn_chunks: PartOfAll {
                part: DrawCounters::get(&counters.chunks),
                all: meshes.drawn().count() as u64,
            },
            drawn_quads: PartOfAll {
                part: DrawCounters::get(&counters.quads),
                all: DrawCounters::get(&counters.all_quads),
            },
            draw_calls: DrawCounters::get(&counters.calls),
            memory: [&counters.used_bytes, &counters.buffer_bytes, &counters.budget_bytes]
                .map(DrawCounters::get),
            written: DrawCounters::get(&counters.written_bytes),
            times: meshes.times,
            crosshair: *sources.crosshair,
            chunk: sources.counted_mesh.counts,
            runs: sources.run_counts.sum(),
            meshed: sources.run_counts.meshed(),
            chunk_runs: sources.run_counts.of_chunk(sources.crosshair.chunk),
        })
    }
}

/// Shows the page while a map is open.
pub(super) fn page(ui: &mut Ui, context: &mut PageContext) {
    if let Some(data) = MeshPage::new(context.sources) {
        draw(ui, &data);
    }
}

fn draw(ui: &mut Ui, shown: &MeshPage) {
    typography::head(ui, "Drawn", "");
    typography::single(ui, "Draw calls", format::count(shown.draw_calls), TEAL);
    typography::single(ui, "Chunks", shown.drawn_chunks.words(), BRIGHT);
    typography::single(ui, "Quads", shown.drawn_quads.words(), BRIGHT);
    runs(ui, shown);
    typography::head(ui, "Graphics memory", "");
    typography::single(ui, "Meshes", format::bytes(shown.total.bytes as u64), ROSE);
    let per_quad = shown.total.bytes as f64 / shown.total.quads.max(1) as f64;
    typography::single(ui, "Bytes per quad, with light", format::decimal(per_quad), BRIGHT);
    let [used, buffer, budget] = shown.memory.map(format::bytes);
    typography::single(ui, "Buffer in use", format!("{used} of {buffer}"), BRIGHT);
    typography::single(ui, "Budget", budget, BRIGHT);
    typography::single(ui, "Uploaded", format::bytes(shown.written), BRIGHT);
    typography::head(
        ui,
        "Time per chunk, us",
        &format!("{} meshed", format::count(shown.times.count())),
    );
    let highest = shown.times.chunks.into_iter().max().unwrap_or(0);
    for (class, count) in shown.times.chunks.into_iter().enumerate() {
        bars::labelled(
            ui,
            &MeshTimes::range(class),
            BarLength { value: count, full: highest },
            format::count(count),
            BLUE,
        );
    }
    chunk(ui, shown);
}

/// Label and figure of each row of runs.
fn run_rows(stats: &RunStats) -> [(&'static str, String); 4] {
    [
        ("Runs", format::count(stats.runs)),
        ("Fused runs", format::count(stats.fused_runs)),
        ("Quads", format::count(stats.quads)),
        ("Quads per fused run", format!("{:.3}", stats.quads_per_fused_run())),
    ]
}

/// Draws runs, fused runs and quads of the loaded world and of one chunk.
fn runs(ui: &mut Ui, shown: &MeshPage) {
    let counted = shown.runs.chunks;
    let all = shown.meshed;
    let is_complete = counted >= all;
    let note = format!("{} of {} counted", format::count(counted), format::count(all));
    typography::head(
        ui,
        "Runs and quads",
        if is_complete { "Fused: equal neighbours" } else { &note },
    );
    typography::heads(ui, shown.crosshair);
    // Sums that do not cover all chunks yet are dimmed.
    let colour = if is_complete { BRIGHT } else { DIM };
    let of_chunk = shown.chunk_runs.as_ref().map(run_rows);
    for (row, (label, figure)) in run_rows(&shown.runs).into_iter().enumerate() {
        let chunk =
            of_chunk.as_ref().map_or_else(|| format::NONE.into(), |rows| rows[row].1.clone());
        typography::pair(ui, label, (figure, colour), (chunk, AMBER));
    }
}

/// Draws the quads of the chunk with different ways of merging.
fn chunk(ui: &mut Ui, shown: &MeshPage) {
    let place = if shown.crosshair.met { "Chunk at the crosshair" } else { "Chunk underfoot" };
    typography::head(ui, place, "Quads, bytes");
    let Some(counts) = shown.chunk else { return };
    for (label, quads, bytes, colour) in [
        ("Not merged", counts.faces, counts.faces * VERTEX_QUAD_BYTES, DIM),
        ("By shade, too", counts.merged_by_shade, counts.merged_by_shade * VERTEX_QUAD_BYTES, DIM),
        ("By material", counts.quads, counts.bytes, AMBER),
    ] {
        let figure = format!("{}, {}", format::count(quads), format::bytes(bytes));
        let length = BarLength { value: bytes, full: counts.faces * VERTEX_QUAD_BYTES };
        bars::labelled(ui, label, length, figure, colour);
    }
    typography::single(ui, "Meshed in", format::millis(counts.time.as_secs_f64() * 1e3), BRIGHT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_runs_fit_the_narrowest_panel() {
        // Content of a panel in a window 800 points wide; a letter is 0.61 of the size wide.
        let width = 284.0 - 22.0;
        let letter = 0.61 * 11.0;
        let world = RunStats {
            chunks: 30_000,
            runs: 98_765_432,
            fused_runs: 987_654_321,
            quads: 45_678_901,
        };
        let chunk = RunStats { chunks: 1, runs: 32_768, fused_runs: 32_768, quads: 98_304 };
        for ((label, of_world), (_, of_chunk)) in run_rows(&world).into_iter().zip(run_rows(&chunk))
        {
            let [label, of_world, of_chunk] =
                [label, &of_world, &of_chunk].map(|text| text.len() as f32 * letter);
            assert!(label + letter + of_world < width * 0.66, "{label} {of_world}");
            assert!(of_chunk + letter < width * 0.34, "{of_chunk}");
        }
        assert_eq!(run_rows(&world)[3].1, "0.046");
        assert_eq!(run_rows(&RunStats::default())[3].1, "0.000");
    }
}
