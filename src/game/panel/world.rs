//! The page *World*: what the loaded world and the chunk under the crosshair cost, and what they would cost elsewhere.

use crate::game::common::format;
use crate::game::crosshair::Crosshair;
use crate::game::panel::figures::Figures;
use crate::game::panel::last_minute::LastMinute;
use crate::game::panel::sheet::{AMBER, BRIGHT, DIM, FAINT, ROSE, TEAL};
use crate::game::panel::{bars, plots, sheet};
use crate::save::SaveReport;
use bevy_egui::egui::{Color32, Ui};

/// What the page shows.
pub struct World<'a> {
    /// The loaded world.
    pub world: Figures,
    /// Where the chunk is.
    pub crosshair: Crosshair,
    /// The chunk, if it is loaded.
    pub chunk: Option<Figures>,
    /// The last minute.
    pub history: &'a LastMinute,
    /// The last save that succeeded.
    pub last_save: Option<SaveReport>,
    /// True if one has failed since.
    pub save_failed: bool,
}

/// Draws the page.
pub fn page(ui: &mut Ui, shown: &World) {
    table(ui, shown);
    let (counted, all) = (shown.world.files.counted, shown.world.stats.chunks);
    let note = if counted < all {
        format!("file: {} of {} counted", format::count(counted), format::count(all))
    } else {
        "of flat".into()
    };
    sheet::head(ui, "bytes per voxel", &note);
    bars::stores(ui, &shown.world, shown.chunk.as_ref());
    sheet::head(ui, "the last minute", "");
    plots::grid(ui, shown.history);
}

fn table(ui: &mut Ui, shown: &World) {
    let pos = shown.crosshair.chunk;
    sheet::heads(ui, shown.crosshair);

    let mut row = |label: &str, color: Color32, figure: &dyn Fn(&Figures) -> String| {
        let chunk = shown.chunk.as_ref().map_or_else(|| format::NONE.into(), figure);
        sheet::pair(ui, label, (figure(&shown.world), color), (chunk, AMBER));
    };
    // One chunk's count is no news: its place stands there instead.
    row("chunks", BRIGHT, &|f| match f.stats.chunks {
        1 => format!("{} {} {}", pos.x, pos.y, pos.z),
        n => format::count(n),
    });
    row("voxels", BRIGHT, &|f| format::count(f.stats.voxels()));
    row("  not air", BRIGHT, &|f| format::count(f.stats.sum.nonempty));
    row("runs", BRIGHT, &|f| format::count(f.stats.sum.runs));
    row("voxels per run", BRIGHT, &|f| format::decimal(f.stats.voxels_per_run()));
    row("heap and map", TEAL, &|f| format::bytes(f.heap_bytes));
    row("bytes per voxel", TEAL, &|f| format::per_voxel(f.heap_per_voxel()));
    // Sums that are not complete yet are dim.
    let filed = if shown.world.files.counted < shown.world.stats.chunks { DIM } else { BRIGHT };
    let file = |f: &Figures, bytes: u64| if f.files.counted == 0 { format::NONE.into() } else { format::bytes(bytes) };
    row("file, RLE", filed, &|f| file(f, f.files.rle));
    row("file, RLE+LZ4", filed, &|f| file(f, f.files.lz4));
    row("mesh quads", BRIGHT, &|f| f.mesh.map_or_else(|| format::NONE.into(), |(quads, _)| format::count(quads)));
    row("mesh on GPU", BRIGHT, &|f| f.mesh.map_or_else(|| format::NONE.into(), |(_, bytes)| format::bytes(bytes)));
    row("unsaved chunks", BRIGHT, &|f| format::count(f.unsaved));
    let saved = shown.last_save.map_or_else(
        || ("none yet".to_owned(), FAINT),
        |s| {
            (
                format!(
                    "{} in {}",
                    format::counted(s.chunks_written as u64, "chunk"),
                    format::millis(s.took.as_secs_f64() * 1000.0)
                ),
                BRIGHT,
            )
        },
    );
    let (figure, color) = if shown.save_failed { ("failed".to_owned(), ROSE) } else { saved };
    sheet::single(ui, "last save", figure, color);
}
