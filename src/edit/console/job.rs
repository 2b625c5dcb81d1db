//! Commands that read the world: they run as jobs on a snapshot.

use crate::edit::region::Region;
use crate::edit::{ChunkSource, EditError, JobProgress, Mask, Operation, PreparedEdit, VoxelEdit};
use crate::metrics::thousands;
use std::sync::Arc;

/// A command that reads the world. It runs on any thread, with the cores of its pool.
pub struct ConsoleJob {
    /// The command as it was typed.
    pub name: String,
    pub(super) work: JobWork,
}

/// What a job does.
pub(super) enum JobWork {
    /// Carries out an operation.
    Apply(Arc<dyn Operation>),
    /// Counts the voxels of a region that a mask accepts.
    Count(Region, Mask),
}

/// What a job found out. The caller commits the edit, and gives the outcome to
/// [`Console::accept`](super::Console::accept).
pub struct JobOutcome {
    /// The change of the world, if the command makes one.
    pub edit: Option<PreparedEdit>,
    /// Voxels that the command changes or counts.
    pub voxels: u64,
    /// Answer for the player.
    pub answer: String,
}

impl ConsoleJob {
    /// Runs the job on a snapshot taken at `revision` of the world.
    ///
    /// # Errors
    /// A chunk cannot be read, or `progress` was cancelled.
    pub fn run(self, world: &dyn ChunkSource, revision: u64, progress: &JobProgress) -> Result<JobOutcome, EditError> {
        let mut edit = VoxelEdit::new(world, revision, progress);
        Ok(match self.work {
            JobWork::Apply(operation) => {
                let voxels = edit.apply(&*operation)?;
                let answer = format!("{} voxels changed", thousands(voxels));
                JobOutcome { edit: Some(edit.finish(self.name)), voxels, answer }
            }
            JobWork::Count(region, mask) => {
                let voxels = edit.count(&region, &mask)?;
                JobOutcome { edit: None, voxels, answer: format!("{} voxels", thousands(voxels)) }
            }
        })
    }
}
