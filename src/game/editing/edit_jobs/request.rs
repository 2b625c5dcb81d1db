//! Requests of jobs: their work, and the use of their edit.

use stonerun_engine::edit::{ChunkSource, EditError, JobProgress, PreparedEdit, StepId, VoxelEdit};

/// Work of an edit, which runs on a background thread with a snapshot of the map. Returns the
/// answer for the player; an empty one is not shown. Long work reports to [`VoxelEdit::progress`],
/// and stops when that is cancelled.
pub type EditWork = Box<dyn FnOnce(&mut VoxelEdit<'_>) -> Result<String, EditError> + Send>;

/// Work that makes its own edit of a snapshot taken at a revision of the world. Returns the edit
/// and the answer for the player.
pub type PreparedWork = Box<
    dyn FnOnce(&dyn ChunkSource, u64, &JobProgress) -> Result<(PreparedEdit, String), EditError>
        + Send,
>;

/// Use of the edit of a job that has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhenDone {
    /// The edit is committed as one step of the history, after a question if older steps would be
    /// dropped.
    Commit,
    /// The edit is committed without a question, because the player has already answered.
    Merge,
    /// The edit is shown and waits for the player's answer.
    Preview,
    /// The edit undoes or redoes the next step of the history.
    Step(StepId),
}

/// Request of an edit.
pub struct EditRequest {
    /// Name for the history, and for the list of jobs.
    pub name: String,
    /// Work that computes the edit.
    pub work: EditWork,
    /// Use of the edit.
    pub when_done: WhenDone,
}

/// Number of a job, unique while the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct JobId(pub(super) u64);

/// Prepared work of an edit that is named `name` in the history.
pub(super) fn prepare(name: String, work: EditWork) -> PreparedWork {
    Box::new(move |world, revision, progress| {
        let mut edit = VoxelEdit::new(world, revision, progress);
        let answer = work(&mut edit)?;
        Ok((edit.finish(name), answer))
    })
}
