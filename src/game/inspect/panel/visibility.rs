//! The page *Visibility*: chunks seen by the player's cell, drawn chunks, bytes of the set in each
//! codec, and the chunks and quads that each culling mode draws.

use crate::game::drawing::culling::state::{Culling, CullingMode};
use crate::game::inspect::panel::part_of_all::PartOfAll;
use crate::game::inspect::panel::sources::PageContext;
use crate::game::inspect::panel::typography::{
    AMBER, BLUE, BRIGHT, DIM, FAINT, LINE, ORANGE, SAND, TEAL,
};
use crate::game::inspect::panel::visibility_counts::VisibilityCounts;
use crate::game::inspect::panel::{bars, typography};
use crate::game::state::format;
use crate::game::ui_kit::text;
use bevy_egui::egui::{Color32, Rect, Sense, Ui, pos2};
use std::time::Duration;
use stonerun_engine::visibility::{CacheStats, PvsCache, SetSource};

/// Shows the page. A click on a culling mode selects it.
pub(super) fn page(ui: &mut Ui, context: &mut PageContext) {
    let chosen = draw(ui, context.culling, &context.sources.counted);
    if let Some(Err(refused)) = chosen.map(|mode| context.culling.choose(mode)) {
        context.notices.info(text::title_case(&refused.to_string()));
    }
}

/// Draws the page. Returns the culling mode that was clicked, if any.
fn draw(ui: &mut Ui, culling: &Culling, counted: &VisibilityCounts) -> Option<CullingMode> {
    cell(ui, culling);
    chunks(ui, counted);
    let chosen = modes(ui, culling, counted);
    row_bytes(ui, counted);
    if let Some(pvs) = culling.pvs() {
        times(ui, pvs);
    }
    chosen
}

fn cell(ui: &mut Ui, culling: &Culling) {
    typography::head(
        ui,
        "The cell you are in",
        if culling.is_frozen() { "Frozen: F5" } else { "F5 freezes it" },
    );
    let Some(shown) = culling.shown() else {
        typography::single(ui, "None", "Inside rock: nothing is culled", AMBER);
        return;
    };
    let pos = shown.cell_id.chunk;
    let cell = shown.cell_id.cell;
    typography::single(
        ui,
        "Chunk, room",
        format!("{} {} {}, {}", pos.x, pos.y, pos.z, cell.room),
        BRIGHT,
    );
    let side = |axis: usize| cell.hi[axis] - cell.lo[axis];
    typography::single(
        ui,
        "Its box, voxels",
        format!("{} x {} x {}", side(0), side(1), side(2)),
        BRIGHT,
    );
    let (state, colour) = match (culling.mode, shown.source) {
        (CullingMode::GraphWalk, _) => ("Walked: may leave holes", AMBER),
        (_, SetSource::Refined) => ("Refined", TEAL),
        (_, SetSource::Baked) => ("Baked", TEAL),
        (_, SetSource::Swept) => ("Swept", AMBER),
    };
    typography::single(ui, "Its set is", state, colour);
}

fn chunks(ui: &mut Ui, counted: &VisibilityCounts) {
    let PartOfAll { part: set, all: view } = counted.chunks;
    typography::head(ui, "Chunks within view", &format::count(view));
    let occluded = if view > 0 {
        format!("{:.2}%", 100.0 * (1.0 - set as f64 / view as f64))
    } else {
        format::NONE.into()
    };
    typography::single(ui, "In its set", format::count(set), BRIGHT);
    typography::single(ui, "Occluded", occluded, TEAL);
    let [all, in_set, in_frustum, both] = counted.meshes;
    typography::head(ui, "Chunks with quads", &format::count(all));
    for (label, count, colour) in [
        ("In the frustum", in_frustum, BLUE),
        ("In the set", in_set, SAND),
        ("In both", both, TEAL),
    ] {
        bar(ui, label, count, all, colour);
    }
}

/// Draws a line with a bar that is full where `count` equals `all`.
fn bar(ui: &mut Ui, label: &str, count: u64, all: u64, colour: Color32) {
    let (line, painter) = typography::strip(ui, LINE);
    typography::right(&painter, line, line.right(), format::count(count), BRIGHT);
    let bar_left = line.left() + line.width() * 0.42;
    typography::left_until(&painter, line, line.left(), bar_left - typography::GAP, label, DIM);
    let track = Rect::from_min_max(
        pos2(bar_left, line.center().y - 2.5),
        pos2(line.right() - 52.0, line.center().y + 2.5),
    );
    bars::bar(ui, track, count as f64, all.max(1) as f64, colour);
}

fn row_bytes(ui: &mut Ui, counted: &VisibilityCounts) {
    let row = counted.row;
    typography::head(ui, "The set as a row of bits", "Bytes");
    let all = [
        ("Unpacked", row.raw, DIM),
        ("Quake", row.quake, BLUE),
        ("12/4", row.zero_one, SAND),
        ("New", row.new, ORANGE),
        ("Ours (one row)", row.ours, TEAL),
    ];
    let largest = all.iter().map(|(_, bytes, _)| *bytes).max().unwrap_or(0);
    for (label, bytes, colour) in all {
        bar(ui, label, bytes as u64, largest as u64, colour);
    }
}

fn times(ui: &mut Ui, pvs: &PvsCache) {
    let CacheStats { sets: kept, refined, bytes } = pvs.stats();
    typography::head(ui, "Computing it", &format!("{} in memory", format::bytes(bytes as u64)));
    let time = |time: Duration| {
        if time.is_zero() {
            format::NONE.to_owned()
        } else {
            format::millis(time.as_secs_f64() * 1e3)
        }
    };
    typography::single(ui, "Last sweep", time(pvs.sweep_time), BRIGHT);
    typography::single(ui, "Last refinement", time(pvs.refine_time), BRIGHT);
    typography::single(
        ui,
        "Sets in memory",
        format!("{}, {} refined", format::count(kept as u64), format::count(refined as u64)),
        BRIGHT,
    );
}

/// Formats a time in milliseconds without a unit; the column head names it.
fn milliseconds(ms: f64) -> String {
    if ms < 99.95 { format!("{ms:.1}") } else { format::count(ms.round() as u64) }
}

/// Right ends of the three columns, as fractions of the width.
const COLUMNS: [f32; 3] = [0.58, 0.8, 1.0];

/// Draws a label and the figures of the three columns, in the colours for the label and the
/// figures. Returns true if the line was clicked.
fn columns(ui: &mut Ui, label: &str, figures: [String; 3], [name, rest]: [Color32; 2]) -> bool {
    let (rect, response) =
        ui.allocate_exact_size(bevy_egui::egui::vec2(ui.available_width(), LINE), Sense::click());
    let name = if response.hovered() { BRIGHT } else { name };
    let painter = ui.painter();
    let mut room = rect.right();
    for (figure, end) in figures.into_iter().zip(COLUMNS) {
        room = room.min(typography::right(
            painter,
            rect,
            rect.left() + rect.width() * end,
            figure,
            rest,
        ));
    }
    typography::left_until(painter, rect, rect.left(), room - typography::GAP, label, name);
    response.clicked()
}

fn modes(ui: &mut Ui, culling: &Culling, counted: &VisibilityCounts) -> Option<CullingMode> {
    typography::head(ui, "Culled by", "F6 switches");
    columns(ui, "", ["Chunks", "Quads", "ms"].map(String::from), [FAINT; 2]);
    let mut chosen = None;
    let mut any_old = false;
    for (&mode, drawn) in CullingMode::ALL.iter().zip(counted.modes) {
        let is_old = drawn.is_some_and(|drawn| drawn.scene != counted.scene);
        any_old |= is_old;
        let figures = drawn.map_or_else(
            || [(); 3].map(|()| format::NONE.into()),
            |drawn| {
                [
                    format::count(drawn.chunks),
                    format::short(drawn.quads as f64),
                    milliseconds(drawn.ms),
                ]
            },
        );
        let colour = if mode == culling.mode { AMBER } else { DIM };
        if columns(
            ui,
            &text::title_case(mode.name()),
            figures,
            [colour, if is_old { FAINT } else { colour }],
        ) {
            chosen = Some(mode);
        }
    }
    // The line is always drawn, so that the lines below do not move.
    let (line, painter) = typography::strip(ui, LINE);
    if any_old {
        typography::left(&painter, line, line.left(), "Darker: from another view", FAINT);
    }
    chosen
}
