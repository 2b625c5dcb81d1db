//! The page *Save*: usage of the map's file, unsaved changes, and the undo history.

use crate::game::inspect::panel::bars::{self, BarLength};
use crate::game::inspect::panel::file_usage::FileUsage;
use crate::game::inspect::panel::sources::PageContext;
use crate::game::inspect::panel::typography;
use crate::game::inspect::panel::typography::{
    AMBER, BLUE, BRIGHT, DIM, FAINT, LINE, ORANGE, RED, ROSE, SAND, TEAL,
};
use crate::game::state::format;
use crate::game::state::session::save_queue::LastSave;
use crate::game::state::session::{Edits, SaveQueue};
use bevy_egui::egui::{Color32, Rect, Ui, pos2};
use std::time::Duration;
use stonerun_engine::history::History;
use stonerun_engine::save::{ChunkCodec, SaveError};

/// Shows the page while a map is open.
pub(super) fn page(ui: &mut Ui, context: &mut PageContext) {
    let sources = context.sources;
    if let (Some(edits), Some(saves)) = (&sources.edits, &sources.saves) {
        draw(ui, edits, saves, sources.file_usage.last.as_ref());
    }
}

fn draw(
    ui: &mut Ui,
    edits: &Edits,
    saves: &SaveQueue,
    usage: Option<&Result<FileUsage, SaveError>>,
) {
    saving(ui, saves);
    match usage {
        Some(Ok(usage)) => {
            tables(ui, usage);
            codecs(ui, usage);
        }
        Some(Err(reason)) => {
            typography::head(ui, "The map's file cannot be counted", &reason.to_string())
        }
        None => typography::head(ui, "The map's file", "Counting…"),
    }
    undo(ui, edits.history());
}

fn saving(ui: &mut Ui, saves: &SaveQueue) {
    let (state, colour) = match (saves.unsaved(), saves.saving()) {
        _ if saves.failure().is_some() => ("Not saved, will be tried again", RED),
        (0, 0) => ("All is saved", TEAL),
        (_, 0) => ("Changed, not saved yet", AMBER),
        _ => ("Saving", ORANGE),
    };
    typography::head(ui, "Saving", "Two seconds after an edit");
    typography::single(ui, "State", state, colour);
    if let Some(error) = saves.failure() {
        // A notice has shown the complete message. There is room here only for its end.
        typography::single(ui, "  Because", error.rsplit(": ").next().unwrap_or_default(), RED);
    }
    typography::single(ui, "Chunks to save", format::count(saves.unsaved() as u64), BRIGHT);
    typography::single(ui, "  Being saved", format::count(saves.saving() as u64), BRIGHT);
    typography::single(ui, "  Saved since opening", format::count(saves.saved() as u64), BRIGHT);
    let Some(LastSave { report: save, finished }) = saves.last_save() else {
        typography::single(ui, "Last save", "None yet", FAINT);
        return;
    };
    typography::single(
        ui,
        "Last save",
        format!("Number {}, {}", save.revision, ago(finished.elapsed())),
        BRIGHT,
    );
    let chunks = format::counted(save.chunks_written as u64, "chunk");
    typography::single(
        ui,
        "  Wrote",
        format!("{chunks}, {}", format::bytes(save.bytes_written)),
        BRIGHT,
    );
    typography::single(ui, "  Took", format::millis(save.took.as_secs_f64() * 1000.0), BLUE);
}

/// Text of the time since a moment.
fn ago(since: Duration) -> String {
    match since.as_secs() {
        0..=1 => "just now".to_owned(),
        s @ 2..=119 => format!("{s} s ago"),
        s => format!("{} min ago", s / 60),
    }
}

/// Draws a line with a bar, a figure and a note.
fn line(
    ui: &mut Ui,
    label: &str,
    length: BarLength,
    figure: String,
    note: String,
    colour: Color32,
) {
    let (line, painter) = typography::strip(ui, LINE);
    let bar_left = line.left() + line.width() * 0.47;
    typography::left_until(&painter, line, line.left(), bar_left - typography::GAP, label, DIM);
    let track = Rect::from_min_max(
        pos2(bar_left, line.center().y - 2.5),
        pos2(line.right() - 118.0, line.center().y + 2.5),
    );
    bars::bar(ui, track, length.value as f64, length.full.max(1) as f64, colour);
    typography::right(&painter, line, line.right() - 50.0, figure, BRIGHT);
    typography::right(&painter, line, line.right(), note, FAINT);
}

fn table_colour(table: &str) -> Color32 {
    match table {
        "chunk" | "chunk_place" => ORANGE,
        "visibility" | "visibility_place" => TEAL,
        "history" => ROSE,
        "free pages" => FAINT,
        _ => SAND,
    }
}

fn tables(ui: &mut Ui, usage: &FileUsage) {
    typography::head(ui, "The map's file, by table", &format::bytes(usage.totals.file_bytes));
    let pages: u64 = usage.tables.iter().map(|table| table.bytes).sum();
    let largest = usage.tables.first().map_or(0, |table| table.bytes);
    for table in &usage.tables {
        let part = format::fraction(table.bytes as f64, usage.totals.file_bytes as f64);
        let length = BarLength { value: table.bytes, full: largest };
        line(
            ui,
            &table.table,
            length,
            format::bytes(table.bytes),
            part,
            table_colour(&table.table),
        );
    }
    // The write-ahead log is not part of the tables' pages yet.
    let log = usage.totals.file_bytes.saturating_sub(pages);
    let part = format::fraction(log as f64, usage.totals.file_bytes as f64);
    line(ui, "Log", BarLength { value: log, full: largest }, format::bytes(log), part, BLUE);
}

fn codecs(ui: &mut Ui, usage: &FileUsage) {
    typography::head(ui, "Its chunks, by codec", "Of RLE");
    let largest = usage.totals.codecs.iter().map(|codec| codec.data_bytes).max().unwrap_or(0);
    for (codec, totals) in ChunkCodec::ALL.into_iter().zip(usage.totals.codecs) {
        let label = format!("{:<9} {:>7}", codec.name(), format::count(totals.chunks));
        let part = format::fraction(totals.data_bytes as f64, totals.rle_bytes as f64);
        let length = BarLength { value: totals.data_bytes, full: largest };
        line(ui, &label, length, format::bytes(totals.data_bytes), part, ORANGE);
    }
    if usage.totals.bad > 0 {
        typography::single(ui, "Bad records", format::count(usage.totals.bad), RED);
    }
}

fn undo(ui: &mut Ui, history: &History) {
    typography::head(ui, "Undo: Ctrl+Z, Ctrl+Y", "Kept in the map");
    let done = history.undo_count();
    let undone = history.redo_count();
    typography::single(ui, "Steps to undo", format::count(done as u64), BRIGHT);
    typography::single(ui, "  To redo", format::count(undone as u64), BRIGHT);
    let bytes = history.memory_bytes() as u64;
    let limit = history.memory_limit() as u64;
    line(
        ui,
        "Memory",
        BarLength { value: bytes, full: limit },
        format::bytes(bytes),
        String::new(),
        ROSE,
    );
    // In a read-only map the setting is not applied, so there is no limit.
    let limit_text = if history.memory_limit() == usize::MAX {
        format::NONE.into()
    } else {
        format::bytes(limit)
    };
    typography::single(ui, "  Limit (settings)", limit_text, BRIGHT);
}
