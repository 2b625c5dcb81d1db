//! Tasks that commands become, and jobs that read the world.

use super::region_task::RegionTask;
use crate::edit::clipboard::Clipboard;
use crate::edit::selection::Selection;
use crate::edit::{
    ChunkSource, CountedVoxels, EditError, JobProgress, Mask, PreparedEdit, VoxelEdit,
};
use crate::metrics::{counted, thousands};
use glam::IVec3;
use std::fmt::Write as _;

/// Task that a command becomes.
pub enum ConsoleTask {
    /// Reads the world, and may change it.
    Job(ConsoleJob),
    /// Undoes a number of steps.
    Undo(u32),
    /// Redoes a number of steps.
    Redo(u32),
    /// Saves, selects, lists or deletes named regions: the caller runs it with the map.
    Region(RegionTask),
    /// The command is done: its answer.
    Answer(String),
}

/// The work of a job. It changes voxels through the edit.
pub(crate) type JobWork =
    Box<dyn FnOnce(&mut VoxelEdit<'_>) -> Result<JobResult, EditError> + Send>;

/// Job of a command that reads the world. It runs on any thread, with the cores of its pool.
pub struct ConsoleJob {
    /// The command as it was typed: the name of the step in the history.
    pub name: String,
    /// Voxels that the job may change.
    pub(super) mask: Mask,
    /// True if it may change the selection, the clipboard or the named regions: later commands wait
    /// for it.
    pub changes_console: bool,
    /// The work itself.
    pub(super) work: JobWork,
}

/// Result of the work of a job, without its edit.
#[derive(Clone, Debug)]
pub struct JobResult {
    /// Number of voxels that the job changed or counted.
    pub voxels: u64,
    /// Answer for the player.
    pub answer: String,
    /// Change of the console.
    pub change: Option<ConsoleChange>,
}

/// Change of the console by a job.
#[derive(Clone, Debug)]
pub enum ConsoleChange {
    /// Replaces the selection.
    Selection(Selection),
    /// Replaces the clipboard by a copy, which was made at a position of the player.
    Copied(Clipboard, IVec3),
    /// Replaces the clipboard by a transformed one; the position of the copy stays.
    Transformed(Clipboard),
    /// Leaves a task about named regions, which gives the answer.
    Region(RegionTask),
}

/// Outcome of a job. The caller commits the edit, and gives the outcome to
/// [`Console::accept`](super::Console::accept).
pub struct JobOutcome {
    /// Edit of the world; `None` if no voxel changes.
    pub edit: Option<PreparedEdit>,
    /// Number of voxels that the command changed or counted.
    pub voxels: u64,
    /// Answer for the player.
    pub answer: String,
    /// Change of the console.
    pub change: Option<ConsoleChange>,
}

impl JobOutcome {
    /// The task about named regions that remains: the caller runs it with the map.
    #[must_use]
    pub fn region_task(&self) -> Option<&RegionTask> {
        match &self.change {
            Some(ConsoleChange::Region(task)) => Some(task),
            _ => None,
        }
    }
}

impl JobResult {
    /// The result of an edit that changed a number of voxels.
    #[must_use]
    pub fn changed(voxels: u64) -> JobResult {
        JobResult { voxels, answer: format!("{} changed", counted(voxels, "voxel")), change: None }
    }

    /// The result of a count. The answer gives the content in full voxels if some are not full.
    #[must_use]
    pub fn counted(content: CountedVoxels) -> JobResult {
        let CountedVoxels { voxels, air, parts } = content;
        let mut answer = counted(voxels, "voxel");
        if (voxels - air) * 256 != parts {
            // Writing to a string cannot fail.
            let _ = write!(
                answer,
                ", content of {}.{:02} full voxels",
                thousands(parts / 256),
                parts % 256 * 100 / 256
            );
        }
        JobResult { voxels, answer, change: None }
    }
}

impl ConsoleJob {
    /// Runs the job on a snapshot taken at `revision` of the world.
    ///
    /// # Errors
    /// A chunk cannot be read, or `progress` was cancelled.
    pub fn run(
        self,
        world: &dyn ChunkSource,
        revision: u64,
        progress: &JobProgress,
    ) -> Result<JobOutcome, EditError> {
        let mut edit = VoxelEdit::new(world, revision, progress);
        let (name, result) = self.work(&mut edit)?;
        let edit = Some(edit.finish(name)).filter(|edit| !edit.changes.is_empty());
        Ok(JobOutcome { edit, voxels: result.voxels, answer: result.answer, change: result.change })
    }

    /// Does the work inside an edit, restricted to the global mask. Returns the name of the step
    /// and the result.
    ///
    /// # Errors
    /// Like [`ConsoleJob::run`].
    pub fn work(self, edit: &mut VoxelEdit<'_>) -> Result<(String, JobResult), EditError> {
        edit.set_mask(self.mask);
        let result = (self.work)(edit)?;
        debug_assert!(
            self.changes_console || result.change.is_none(),
            "{} changes the console",
            self.name
        );
        Ok((self.name, result))
    }
}
