//! The page *Edits*: running jobs, the undo history, and its size compared with other formats.
//!
//! The rivals are computed from counts, so that edits of any size can be compared:
//!
//! ```text
//! FastAsyncWorldEdit   6 bytes of position and two varints of block numbers per changed voxel,
//!                      before LZ4
//! copy of the chunks   2 x 3 bytes for each of the 32,768 voxels of every changed chunk
//! copy of the box      2 x 3 bytes for each voxel of the boxes around the changes
//! ```

use crate::game::editing::edit_jobs::JobState;
use crate::game::inspect::panel::bars::{self, BarLength};
use crate::game::inspect::panel::sources::{PageContext, Sources};
use crate::game::inspect::panel::typography;
use crate::game::inspect::panel::typography::{AMBER, BLUE, BRIGHT, DIM, FAINT, ROSE, TEAL};
use crate::game::state::format;
use crate::game::state::keys::{KeyAction, KeyboardLayout};
use bevy_egui::egui::{Color32, Rect, Ui, pos2};
use std::time::Duration;
use stonerun_engine::history::{History, StepInfo};
use stonerun_engine::voxel::CHUNK_VOLUME;

/// Bytes of a voxel in a dense copy before and after the edit: 2 of material and 1 of occupancy,
/// twice.
const DENSE_BYTES: u64 = 2 * 3;
/// Bytes of a position in FastAsyncWorldEdit's history.
const POSITION_BYTES: u64 = 6;
/// Maximum length of a name, in characters.
const MAX_NAME: usize = 22;

/// Data of the page.
pub struct EditsPage<'a> {
    /// The jobs: the running one, then the waiting ones.
    pub jobs: Vec<JobState>,
    /// The undo history.
    pub history: &'a History,
    /// Number of the map's materials, which decides the length of a varint.
    pub materials: usize,
    /// Time that the last edit, undo or redo took in its frame.
    pub last_took: Option<Duration>,
    /// Layout with which keys are named.
    pub keyboard: KeyboardLayout,
}

/// Counts of one step or of several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct EditCounts {
    steps: u64,
    voxels: u64,
    chunks: u64,
    /// Packed bytes.
    bytes: u64,
    /// Voxels of the boxes around the changes; `None` if they are not in memory.
    boxed: Option<u64>,
}

impl EditCounts {
    fn add(&mut self, step: &StepInfo<'_>) {
        // Leaves out a step that is not packed yet, or whose voxels were not counted: it has no
        // bytes per voxel.
        let Some(bytes) = step.bytes.filter(|_| step.voxels > 0) else { return };
        self.steps += 1;
        self.voxels += step.voxels;
        self.chunks += step.chunks;
        self.bytes += bytes;
    }

    /// Bytes per changed voxel in the game's format, as boxes, in FastAsyncWorldEdit's format, and
    /// as chunks; NaN where not known.
    fn per_voxel(&self, materials: usize) -> [f64; 4] {
        let fawe = self.voxels * (POSITION_BYTES + 2 * varint_bytes(materials));
        let chunks = self.chunks * CHUNK_VOLUME as u64 * DENSE_BYTES;
        let boxes = self.boxed.map_or(f64::NAN, |boxed| (boxed * DENSE_BYTES) as f64);
        [self.bytes as f64, boxes, fawe as f64, chunks as f64]
            .map(|bytes| bytes / self.voxels as f64)
    }
}

/// Bytes of the varint of the largest material number.
fn varint_bytes(materials: usize) -> u64 {
    (1..).find(|&bytes| materials.saturating_sub(1) >> (7 * bytes) == 0).unwrap_or(1)
}

impl<'a> EditsPage<'a> {
    /// The data now; `None` while no map is open.
    fn new(sources: &'a Sources) -> Option<EditsPage<'a>> {
        let edits = sources.edits.as_deref()?;
        Some(EditsPage {
            jobs: sources.jobs.jobs().collect(),
            history: edits.history(),
            materials: sources.map.as_deref()?.materials.len(),
            last_took: edits.last_took(),
            keyboard: sources.settings.keyboard,
        })
    }
}

/// Shows the page while a map is open.
pub(super) fn page(ui: &mut Ui, context: &mut PageContext) {
    if let Some(data) = EditsPage::new(context.sources) {
        draw(ui, &data);
    }
}

fn draw(ui: &mut Ui, shown: &EditsPage<'_>) {
    jobs(ui, &shown.jobs);
    let history = shown.history;
    let [history_key, undo, redo] = [KeyAction::History, KeyAction::Undo, KeyAction::Redo]
        .map(|action| shown.keyboard.label(action));
    typography::head(ui, &format!("History: {history_key} lists it"), &format!("{undo}, {redo}"));
    typography::single(ui, "Steps to undo", format::count(history.undo_count() as u64), BRIGHT);
    typography::single(ui, "  To redo", format::count(history.redo_count() as u64), BRIGHT);
    let in_map = history.steps().filter(|step| !step.is_in_memory).count() as u64;
    typography::single(ui, "  In the map only", format::count(in_map), BRIGHT);
    limited(ui, "Memory", history.memory_bytes() as u64, limit(history.memory_limit() as u64));
    limited(ui, "Packed", history.packed_bytes(), limit(history.total_limit()));
    let newest = history.steps().rfind(|step| step.is_done);
    let mut last = EditCounts::default();
    if let Some(step) = &newest {
        last.add(step);
    }
    last.boxed = newest.as_ref().and_then(|step| boxed(history, step.number));
    let mut all = EditCounts::default();
    for step in history.steps() {
        all.add(&step);
    }
    last_step(ui, newest.as_ref(), shown.last_took);
    rivals(ui, &last, &all, shown.materials);
}

/// The limit; `None` for `usize::MAX`, which stands for no limit.
fn limit(bytes: u64) -> Option<u64> {
    (bytes < usize::MAX as u64).then_some(bytes)
}

/// Voxels of the boxes around a step's changes, if its chunks are in memory.
fn boxed(history: &History, number: u64) -> Option<u64> {
    let chunks = history.step(number)?.step().chunks()?;
    Some(chunks.changes.iter().map(|change| change.area.volume()).sum())
}

fn jobs(ui: &mut Ui, jobs: &[JobState]) {
    let waiting = jobs.iter().filter(|job| !job.is_running).count() as u64;
    let note =
        if waiting > 0 { format!("{} waiting", format::count(waiting)) } else { String::new() };
    typography::head(ui, "Jobs", &note);
    if jobs.is_empty() {
        typography::single(ui, "None", "", FAINT);
    }
    for job in jobs.iter().take(5) {
        let state = if !job.is_running {
            "waits".to_owned()
        } else if job.is_cancelled {
            "stops".to_owned()
        } else if job.total == 0 {
            format!("{:.1} s", job.seconds)
        } else {
            format!("{} of {}, {:.1} s", job.done, job.total, job.seconds)
        };
        let length = BarLength { value: job.done as u64, full: job.total as u64 };
        bars::labelled(ui, &short(&job.name), length, state, AMBER);
    }
}

fn short(name: &str) -> String {
    if name.chars().count() <= MAX_NAME {
        return name.to_owned();
    }
    name.chars().take(MAX_NAME - 1).chain(['…']).collect()
}

/// Draws bytes with their limit, if there is one.
fn limited(ui: &mut Ui, label: &str, bytes: u64, limit: Option<u64>) {
    match limit {
        Some(limit) => {
            let figure = format!("{} of {}", format::bytes(bytes), format::bytes(limit));
            bars::labelled(ui, label, BarLength { value: bytes, full: limit }, figure, ROSE);
        }
        None => typography::single(ui, label, format::bytes(bytes), BRIGHT),
    }
}

fn last_step(ui: &mut Ui, step: Option<&StepInfo<'_>>, took: Option<Duration>) {
    let Some(step) = step else {
        typography::head(ui, "Last edit", "");
        typography::single(ui, "None", "", FAINT);
        return;
    };
    typography::head(ui, "Last edit", &short(step.name));
    typography::single(ui, "Voxels changed", format::count(step.voxels), BRIGHT);
    typography::single(ui, "Chunks changed", format::count(step.chunks), BRIGHT);
    let bytes = step.bytes.map_or_else(|| "being packed".to_owned(), format::bytes);
    typography::single(ui, "Bytes of undo", bytes, ROSE);
    let took = took
        .map_or_else(|| format::NONE.to_string(), |took| format::millis(took.as_secs_f64() * 1e3));
    typography::single(ui, "Latest edit, undo or redo", took, BLUE);
}

/// Draws bytes per changed voxel in each format, of the last step and of all steps.
fn rivals(ui: &mut Ui, last: &EditCounts, all: &EditCounts, materials: usize) {
    typography::head(ui, "Bytes of undo per changed voxel", &format::counted(all.steps, "step"));
    typography::pair(ui, "", ("Last".into(), AMBER), ("All".into(), BRIGHT));
    let varints = 2 * varint_bytes(materials);
    let names = [
        "This history".to_owned(),
        "Copied boxes, 2x3 B".to_owned(),
        format!("FAWE, 6+{varints} B, no LZ4"),
        "Copied chunks, 2x3 B".to_owned(),
    ];
    let [last, all] = [last, all].map(|counts| counts.per_voxel(materials));
    let highest = all.into_iter().filter(|bytes| bytes.is_finite()).fold(0.0, f64::max);
    for (number, name) in names.into_iter().enumerate() {
        let colour = if number == 0 { TEAL } else { DIM };
        typography::columns(
            ui,
            (&name, colour),
            (figure(last[number]), AMBER),
            (figure(all[number]), BRIGHT),
        );
        let (line, _) = typography::strip(ui, 5.0);
        let track = Rect::from_min_max(line.min, pos2(line.right(), line.top() + 3.0));
        logarithmic(ui, track, all[number], highest, if number == 0 { TEAL } else { FAINT });
    }
}

fn figure(bytes: f64) -> String {
    if bytes.is_finite() { format::significant(bytes) } else { format::NONE.into() }
}

/// Draws a bar on a logarithmic scale from a ten-thousandth of `highest`.
fn logarithmic(ui: &Ui, track: Rect, value: f64, highest: f64, colour: Color32) {
    let part = 1.0 + (value / highest).log10() / 4.0;
    bars::bar(ui, track, if part.is_finite() { part.clamp(0.005, 1.0) } else { 0.0 }, 1.0, colour);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rivals_follow_their_formulas() {
        let info = |voxels, chunks, bytes| StepInfo {
            number: 1,
            name: "set",
            unix: 0,
            voxels,
            chunks,
            surface: None,
            bytes,
            is_done: true,
            is_in_memory: true,
        };
        let mut counts = EditCounts { boxed: Some(2000), ..EditCounts::default() };
        counts.add(&info(1000, 1, Some(50)));
        counts.add(&info(3000, 2, Some(150)));
        counts.add(&info(500, 9, None));
        counts.add(&info(0, 9, Some(77)));
        assert_eq!((counts.steps, counts.voxels, counts.bytes), (2, 4000, 200));
        let [ours, boxes, fawe, chunks] = counts.per_voxel(100);
        assert_eq!((ours, boxes, fawe), (0.05, 3.0, 8.0));
        assert_eq!(chunks, 3.0 * 32_768.0 * 6.0 / 4000.0);
        assert_eq!([1, 128, 129, 16_384, 16_385].map(varint_bytes), [1, 1, 2, 2, 3]);
        assert!(EditCounts::default().per_voxel(5).iter().all(|bytes| bytes.is_nan()));
    }
}
