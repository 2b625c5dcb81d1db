//! Execution of tasks about named regions.

use super::job::{ConsoleChange, ConsoleJob, JobResult};
use super::region_task::{MAX_NAMED_REGIONS, RegionTask, RegionTaskError};
use super::state::Console;
use crate::edit::region::{Region, RegionError};
use crate::edit::selection::Selection;
use crate::edit::{EditError, Mask, VoxelEdit};
use crate::save::{MAX_REGION_BYTES, MapReader, RegionChange};
use std::sync::Arc;

/// Outcome of a task about named regions.
pub enum RegionOutcome {
    /// The task is done.
    Done {
        /// Answer for the player.
        answer: String,
        /// Change that the next save must write, if any.
        change: Option<RegionChange>,
    },
    /// A job is needed that makes the region and selects it. The caller runs it.
    Job(ConsoleJob),
}

impl RegionTask {
    /// Runs the task, or returns a job that completes it.
    ///
    /// # Errors
    /// The region does not exist or is too large, or the map cannot be read. Nothing has changed.
    pub fn run(
        self,
        console: &mut Console,
        map: &MapReader,
    ) -> Result<RegionOutcome, RegionTaskError> {
        let (answer, change) = match self {
            RegionTask::Save(name, bytes) => {
                let names = console.regions.names(map)?;
                let is_new = !names.contains(&name);
                if is_new && names.sound.len() >= MAX_NAMED_REGIONS {
                    return Err(RegionTaskError::Full);
                }
                if bytes.len() > MAX_REGION_BYTES {
                    return Err(RegionTaskError::TooLarge(bytes.len()));
                }
                let answer =
                    format!("region {name:?} {}", if is_new { "saved" } else { "replaced" });
                (answer, Some(console.regions.change(name, Some(bytes), map)?))
            }
            RegionTask::Load(name) => {
                let bytes = console.regions.bytes(&name, map)?;
                return Ok(RegionOutcome::Job(loading(name, bytes)));
            }
            RegionTask::Delete(name) => {
                if !console.regions.names(map)?.contains(&name) {
                    return Err(console.regions.missing(&name, map)?);
                }
                (format!("region {name:?} deleted"), Some(console.regions.change(name, None, map)?))
            }
            RegionTask::Undo => {
                restored(console.regions.undo(map)?, "no change of a named region to take back")
            }
            RegionTask::Redo => {
                restored(console.regions.redo(map)?, "no change of a named region to make again")
            }
            RegionTask::List => {
                let names = console.regions.names(map)?;
                let mut lines: Vec<String> = names
                    .sound
                    .iter()
                    .map(|(name, bytes)| format!("{name}: {bytes} bytes"))
                    .collect();
                if lines.is_empty() {
                    lines.push("the map has no named regions".to_owned());
                }
                lines.extend(names.damaged);
                (lines.join("\n"), None)
            }
        };
        Ok(RegionOutcome::Done { answer, change })
    }
}

/// Job that decodes a named region from `bytes` and selects it.
fn loading(name: String, bytes: Arc<[u8]>) -> ConsoleJob {
    let job_name = format!("//region load {name}");
    let work = move |_: &mut VoxelEdit<'_>| {
        let region =
            Region::from_bytes(&bytes).map_err(|reason| EditError::NamedRegion { name, reason })?;
        if region.is_empty() {
            return Err(RegionError::Empty.into());
        }
        let selection = Selection::from_region(region);
        let answer =
            selection.description().map(|size| format!("selected: {size}")).unwrap_or_default();
        Ok(JobResult { voxels: 0, answer, change: Some(ConsoleChange::Selection(selection)) })
    };
    ConsoleJob { name: job_name, mask: Mask::Any, changes_console: true, work: Box::new(work) }
}

/// Answer to an undone or redone change, and the change. `none` is the answer if there was no
/// change.
fn restored(change: Option<RegionChange>, none: &str) -> (String, Option<RegionChange>) {
    let answer = match &change {
        None => none.to_owned(),
        Some(RegionChange { name, bytes: Some(_) }) => format!("region {name:?} is back as it was"),
        Some(RegionChange { name, bytes: None }) => format!("region {name:?} deleted"),
    };
    (answer, change)
}
