//! The page *World*: the cost of the loaded world and of the chunk under the crosshair, compared
//! with other storage formats.

use crate::game::inspect::panel::figures::Figures;
use crate::game::inspect::panel::last_minute::LastMinute;
use crate::game::inspect::panel::sources::{PageContext, Sources};
use crate::game::inspect::panel::typography::{AMBER, BRIGHT, DIM, FAINT, RED, TEAL};
use crate::game::inspect::panel::{bars, plots, typography};
use crate::game::player::crosshair::Crosshair;
use crate::game::state::format;
use bevy_egui::egui::{Color32, Ui};
use stonerun_engine::save::SaveReport;

/// Data of the page.
pub struct WorldPage<'a> {
    /// The loaded world.
    pub world: Figures,
    /// The chunk under the crosshair.
    pub crosshair: Crosshair,
    /// Figures of that chunk, if it is loaded.
    pub chunk: Option<Figures>,
    /// The last minute.
    pub history: &'a LastMinute,
    /// The last successful save.
    pub last_save: Option<SaveReport>,
    /// True if a later save failed.
    pub save_failed: bool,
}

impl<'a> WorldPage<'a> {
    /// The data now; `None` while no map is open.
    fn new(sources: &'a Sources) -> Option<WorldPage<'a>> {
        let edits = sources.edits.as_deref()?;
        let saves = sources.saves.as_deref()?;
        let meshes = sources.meshes.as_deref()?;
        Some(WorldPage {
            world: Figures::of_world(edits, saves, meshes, &sources.measured),
            crosshair: *sources.crosshair,
            chunk: Figures::of_chunk(
                edits,
                saves,
                meshes,
                &sources.measured,
                sources.crosshair.chunk,
            ),
            history: &sources.history,
            last_save: saves.last_save().map(|save| save.report),
            save_failed: saves.failure().is_some(),
        })
    }
}

/// Shows the page while a map is open.
pub(super) fn page(ui: &mut Ui, context: &mut PageContext) {
    if let Some(data) = WorldPage::new(context.sources) {
        draw(ui, &data);
    }
}

fn draw(ui: &mut Ui, shown: &WorldPage) {
    table(ui, shown);
    let counted = shown.world.measured.chunks;
    let all = shown.world.chunks;
    let note = if counted < all {
        format!("{} of {} counted", format::count(counted), format::count(all))
    } else {
        "Of dense".into()
    };
    typography::head(ui, "Bytes per voxel", &note);
    bars::stores(ui, &shown.world, shown.chunk.as_ref());
    typography::head(ui, "The last minute", "");
    plots::grid(ui, shown.history);
}

fn table(ui: &mut Ui, shown: &WorldPage) {
    let pos = shown.crosshair.chunk;
    typography::heads(ui, shown.crosshair);

    let mut row = |label: &str, colour: Color32, figure: &dyn Fn(&Figures) -> String| {
        let chunk = shown.chunk.as_ref().map_or_else(|| format::NONE.into(), figure);
        typography::pair(ui, label, (figure(&shown.world), colour), (chunk, AMBER));
    };
    // The chunk's position replaces its count, which is always 1.
    row("Chunks", BRIGHT, &|f| match f.chunks {
        1 => format!("{} {} {}", pos.x, pos.y, pos.z),
        n => format::count(n),
    });
    row("Voxels", BRIGHT, &|f| format::count(f.voxels()));
    // Sums that do not cover all chunks yet are dimmed.
    let measured = if shown.world.measured.chunks < shown.world.chunks { DIM } else { BRIGHT };
    let known = |f: &Figures, figure: String| {
        if f.measured.chunks == 0 { format::NONE.into() } else { figure }
    };
    let counted = |f: &Figures| {
        let at_least = if f.measured.chunks < f.chunks { "≥ " } else { "" };
        format!("{at_least}{}", format::count(f.measured.nonempty))
    };
    row("  Not air", measured, &|f| known(f, counted(f)));
    row("Runs", BRIGHT, &|f| format::count(f.runs));
    row("Voxels per run", BRIGHT, &|f| format::decimal(f.voxels_per_run()));
    row("Heap and hash map", TEAL, &|f| format::bytes(f.heap_bytes));
    row("Mesh quads", BRIGHT, &|f| {
        f.mesh.map_or_else(|| format::NONE.into(), |mesh| format::count(mesh.quads as u64))
    });
    row("Mesh bytes", BRIGHT, &|f| {
        f.mesh.map_or_else(|| format::NONE.into(), |mesh| format::bytes(mesh.bytes as u64))
    });
    row("Unsaved chunks", BRIGHT, &|f| format::count(f.unsaved));
    let saved = shown.last_save.map_or_else(
        || ("None yet".to_owned(), FAINT),
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
    let (figure, colour) = if shown.save_failed { ("Failed".to_owned(), RED) } else { saved };
    typography::single(ui, "Last save", figure, colour);
}
