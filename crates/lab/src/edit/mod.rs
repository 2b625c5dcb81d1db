//! Edits of large boxes of terrain, compared with a flat array and FastAsyncWorldEdit's history
//! format.
//!
//! The measured side uses the engine's public API: [`VoxelEdit`] on a snapshot, then
//! [`EditableWorld::commit`], [`EditableWorld::undo`] and [`EditableWorld::redo`], with the undo
//! history kept. The flat array holds one 16-bit number per voxel of the same box; its memory is
//! allocated and touched before the clock starts. Results are compared voxel by voxel.

mod clipboards;
mod error;
mod fawe_history;
mod fills;
mod flat_box;
mod flat_paste;
mod input;
mod regions;
mod undo_bytes;

pub use error::MeasureError;
pub use input::EditInput;

use serde::Serialize;
use std::time::Instant;
use stonerun_engine::edit::region::Region;
use stonerun_engine::edit::{Change, EditableWorld, Fill, JobProgress, Mask, Pattern, VoxelEdit};
use stonerun_engine::voxel::Voxel;

/// Row of the table of edits. Field names appear in the JSON output.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct EditMeasurement {
    /// Name of the workload.
    pub workload: String,
    /// Measured times or sizes.
    #[serde(flatten)]
    pub figures: EditFigures,
    /// The rival's figure divided by ours.
    pub ratio: f64,
    /// True if both results have the same voxels.
    pub equal: bool,
}

/// The figures of a row, ours and the rival's.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
#[serde(untagged)]
pub enum EditFigures {
    /// Times, each the median of the rounds, in milliseconds.
    Time {
        /// Our time.
        ours_ms: f64,
        /// The rival's time.
        rival_ms: f64,
    },
    /// Sizes in bytes.
    Memory {
        /// Our bytes.
        ours_bytes: u64,
        /// The rival's bytes.
        rival_bytes: u64,
    },
}

impl EditMeasurement {
    fn time(
        workload: impl Into<String>,
        ours: &Rounds,
        rival: &Rounds,
        equal: bool,
    ) -> EditMeasurement {
        let ours_ms = ours.median();
        let rival_ms = rival.median();
        let figures = EditFigures::Time { ours_ms, rival_ms };
        EditMeasurement { workload: workload.into(), figures, ratio: rival_ms / ours_ms, equal }
    }

    fn memory(
        workload: impl Into<String>,
        ours_bytes: u64,
        rival_bytes: u64,
        equal: bool,
    ) -> EditMeasurement {
        let figures = EditFigures::Memory { ours_bytes, rival_bytes };
        let ratio = rival_bytes as f64 / ours_bytes as f64;
        EditMeasurement { workload: workload.into(), figures, ratio, equal }
    }
}

/// Times of a workload, one per round, in milliseconds.
#[derive(Clone, Debug, Default)]
struct Rounds(Vec<f64>);

impl Rounds {
    /// Runs and times one round.
    fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.0.push(start.elapsed().as_secs_f64() * 1e3);
        result
    }

    fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }
}

/// Measures all workloads on one input in `rounds` rounds. `progress` receives the completed share,
/// from 0 to 1.
///
/// # Errors
/// An edit is refused.
pub fn measure(
    input: &EditInput,
    rounds: usize,
    progress: &mut dyn FnMut(f32),
) -> Result<Vec<EditMeasurement>, MeasureError> {
    let mut rows = fills::measure(input, rounds, &mut |done| progress(done * 0.5))?;
    rows.extend(clipboards::measure(input, rounds, &mut |done| progress(0.5 + done * 0.2))?);
    rows.extend(regions::measure(input, rounds, &mut |done| progress(0.7 + done * 0.1))?);
    rows.extend(undo_bytes::measure(input, &mut |done| progress(0.8 + done * 0.2))?);
    Ok(rows)
}

/// Fills the voxels of a region that a mask accepts, as one committed step.
fn fill(
    world: &mut EditableWorld,
    region: Region,
    mask: Mask,
    voxel: Voxel,
) -> Result<Change, MeasureError> {
    let progress = JobProgress::default();
    let snapshot = world.world().clone();
    let mut edit = VoxelEdit::new(&snapshot, world.revision(), &progress);
    edit.carry_out(&Fill { region, mask, pattern: Pattern::Voxel(voxel) })?;
    Ok(world.commit(edit.finish("fill"), |_| Ok(None))?)
}

#[cfg(test)]
mod tests;
