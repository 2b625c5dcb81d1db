//! Undo and redo: in the frame, or as a job if a frame is too short.

use super::{EditJobs, JobId, PreparedWork, WhenDone};
use crate::game::state::session::Editor;
use stonerun_engine::edit::{PreparedEdit, PreparedStep, UndoError};
use stonerun_engine::history::Direction;

/// Outcome of a request to undo or redo.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stepped {
    /// The step was undone or redone.
    Done,
    /// No step is left to undo or redo.
    Nothing,
    /// A job was started that undoes or redoes the step.
    Started(JobId),
    /// The job of an earlier undo or redo still runs; no step is started.
    Busy,
}

/// Undoes or redoes one step: at once, or by a job if its many chunks must be unpacked first.
///
/// # Errors
/// A chunk cannot be read. Nothing is changed.
pub fn step(
    editor: &mut Editor,
    jobs: &mut EditJobs,
    direction: Direction,
) -> Result<Stepped, UndoError> {
    if jobs.has_step() {
        return Ok(Stepped::Busy);
    }
    if editor.edits().needs_step_job(direction)
        && let Some(job) = editor.step_job(direction)
    {
        let name = match direction {
            Direction::Undo => format!("undo of {}", job.name()),
            Direction::Redo => format!("redo of {}", job.name()),
        };
        let when_done = WhenDone::Step(job.id());
        let edit_name = name.clone();
        let work: PreparedWork = Box::new(move |world, _, progress| {
            let PreparedStep { changes, revision, .. } = job.run(world, progress)?;
            Ok((PreparedEdit { name: edit_name, changes, revision }, String::new()))
        });
        return Ok(Stepped::Started(jobs.start_prepared(name, work, when_done).0));
    }
    Ok(if editor.step(direction)? { Stepped::Done } else { Stepped::Nothing })
}
