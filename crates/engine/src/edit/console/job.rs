//! Tasks that commands are turned into, and jobs that read the world.

use super::region_task::RegionTask;
use super::surface_task::SurfaceTask;
use crate::edit::clipboard::Clipboard;
use crate::edit::selection::Selection;
use crate::edit::{
    ChunkSource, CountedVoxels, EditError, JobProgress, Mask, PreparedEdit, VoxelEdit,
};
use crate::metrics::{counted, thousands};
use glam::IVec3;
use std::fmt::Write as _;

/// Task of a command, for the caller to carry out.
pub enum ConsoleTask {
    /// A job that reads the world, and may change it.
    Job(ConsoleJob),
    /// Undo of a number of steps.
    Undo(u32),
    /// Redo of a number of steps.
    Redo(u32),
    /// A task about named regions, which needs the map.
    Region(RegionTask),
    /// A change of the surface of a material.
    Surface(SurfaceTask),
    /// An answer for the player, with nothing left to do.
    Answer(String),
}

/// Work of a job, which changes voxels through the edit.
pub(crate) type JobWork =
    Box<dyn FnOnce(&mut VoxelEdit<'_>) -> Result<JobResult, EditError> + Send>;

/// Job of a command that reads the world. May run on any thread, and uses the threads of its pool.
pub struct ConsoleJob {
    /// The command as it was typed, which becomes the name of the step in the history.
    pub name: String,
    /// Global mask: voxels that the job may change.
    pub(super) mask: Mask,
    /// True if the job may change the selection, the clipboard or the named regions. Later commands
    /// must then wait for it.
    pub changes_console: bool,
    /// Work that the job does.
    pub(super) work: JobWork,
}

/// Result of a job's work, apart from its edit.
#[derive(Clone, Debug)]
pub struct JobResult {
    /// Number of voxels that the job changed or counted.
    pub voxels: u64,
    /// Answer for the player.
    pub answer: String,
    /// Change of the console, if any.
    pub change: Option<ConsoleChange>,
}

/// Change of the console that a job requests.
#[derive(Clone, Debug)]
pub enum ConsoleChange {
    /// A new selection.
    Selection(Selection),
    /// A new copy for the clipboard, and the position of the player at the copy.
    Copied(Clipboard, IVec3),
    /// A transformed clipboard. The position of the player at the copy stays.
    Transformed(Clipboard),
    /// A task about named regions, which also gives the answer.
    Region(RegionTask),
}

/// Outcome of a job. The caller commits the edit, and passes the outcome to
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
    /// Task about named regions that is left to do: the caller runs it with the map.
    #[must_use]
    pub fn region_task(&self) -> Option<&RegionTask> {
        match &self.change {
            Some(ConsoleChange::Region(task)) => Some(task),
            _ => None,
        }
    }
}

impl JobResult {
    /// Result of an edit that changed a number of voxels.
    #[must_use]
    pub fn changed(voxels: u64) -> JobResult {
        JobResult { voxels, answer: format!("{} changed", counted(voxels, "voxel")), change: None }
    }

    /// Result of counting voxels. If some voxels are not full, the answer also states their content
    /// as a number of full voxels.
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
    /// The errors of [`ConsoleJob::run`].
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
