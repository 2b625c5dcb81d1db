//! What a job is asked to do.

use stonerun_engine::edit::{ChunkSource, EditError, JobProgress, PreparedEdit, StepId, VoxelEdit};

/// Work of an edit: runs on a background thread, on a snapshot of the map. Returns the answer for
/// the player; an empty one is not shown. Work that takes long reports to
/// [`VoxelEdit::progress`], and stops when that is cancelled.
pub type EditWork = Box<dyn FnOnce(&mut VoxelEdit<'_>) -> Result<String, EditError> + Send>;

/// Work that makes its own edit, of a snapshot taken at a revision of the world. Returns the edit
/// and the answer for the player.
pub type PreparedWork =
    Box<dyn FnOnce(&dyn ChunkSource, u64, &JobProgress) -> Result<(PreparedEdit, String), EditError> + Send>;

/// What happens with the edit of a job that has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhenDone {
    /// It is committed, as one step of the history.
    Commit,
    /// It is committed; the player has been asked before, if need be.
    Merge,
    /// It is shown, and waits for the player's answer.
    Preview,
    /// It is the next undo or redo.
    Step(StepId),
}

/// An edit that is asked for.
pub struct EditRequest {
    /// Name for the history, and for the list of jobs.
    pub name: String,
    /// Computes the edit.
    pub work: EditWork,
    /// What happens with it.
    pub when_done: WhenDone,
}

/// Number of a job, unique while the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct JobId(pub(super) u64);

/// Work on one edit, named `name` in the history.
pub(super) fn prepare(name: String, work: EditWork) -> PreparedWork {
    Box::new(move |world, revision, progress| {
        let mut edit = VoxelEdit::new(world, revision, progress);
        let answer = work(&mut edit)?;
        Ok((edit.finish(name), answer))
    })
}
