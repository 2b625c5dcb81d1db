//! Starts jobs, and commits or previews the edits of finished ones.

use super::jobs::{EditJobEnded, EditJobs};
use super::preview::EditPreview;
use super::request::{JobId, WhenDone};
use super::running::{FinishedJob, JobInput, JobResult};
use super::undo_question::UndoQuestion;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::notices::Notices;
use crate::game::state::screens::Menu;
use crate::game::state::session::{Editor, Edits, OpenMap};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use std::sync::Arc;
use stonerun_engine::edit::{MAX_CHUNKS_IN_FRAME, MapSnapshot, PreparedEdit, PreparedStep};

/// The parts of the game through which the edit of a job reaches the world.
#[derive(SystemParam)]
pub(in crate::game) struct EditTarget<'w> {
    editor: Editor<'w>,
    question: ResMut<'w, UndoQuestion>,
    menu: ResMut<'w, Menu>,
    notices: ResMut<'w, Notices>,
    ended: MessageWriter<'w, EditJobEnded>,
}

impl EditTarget<'_> {
    /// Calls [`UndoQuestion::ask`], which may open the dialog.
    fn ask(
        &mut self,
        id: JobId,
        edit: PreparedEdit,
        answer: String,
    ) -> Option<(PreparedEdit, String)> {
        // Only a real change triggers Bevy's change detection.
        let mut menu = *self.menu;
        let rest = self.question.ask(id, edit, answer, self.editor.edits(), &mut menu);
        self.menu.set_if_neq(menu);
        rest
    }

    /// True while the player is asked about an edit.
    fn is_asking(&self) -> bool {
        self.question.asked().is_some()
    }

    /// Reports the end of a job to the player and to the readers of messages.
    fn report(&mut self, job: EditJobEnded) {
        match &job.outcome {
            Ok(answer) if answer.is_empty() => {}
            Ok(answer) => self.notices.info(answer),
            Err(reason) => self.notices.warn(format!("{}: {reason}", job.name)),
        }
        self.ended.write(job);
    }

    /// Reports a job that the player has cancelled.
    fn report_cancelled(&mut self, job: EditJobEnded) {
        self.notices.info(format!("{}: cancelled", job.name));
        self.ended.write(job);
    }

    /// Commits an edit. An edit without changes succeeds even in a read-only map. Returns the
    /// answer for the player; `None` if too many of its chunks have changed since it was computed:
    /// then a job merges it first.
    fn commit(
        &mut self,
        jobs: &mut EditJobs,
        id: JobId,
        edit: PreparedEdit,
        answer: String,
    ) -> Option<Result<String, String>> {
        let name = edit.name.clone();
        let outcome = if edit.changes.is_empty() {
            Ok(0)
        } else if self.editor.edits().edited_since(&edit.changes, edit.revision)
            > MAX_CHUNKS_IN_FRAME
        {
            match self.editor.merge(edit) {
                Ok(merge) => {
                    jobs.merge(id, name, answer, merge);
                    return None;
                }
                Err(error) => Err(error),
            }
        } else {
            self.editor.commit(edit)
        };
        Some(outcome.map(|_| answer).map_err(|error| error.to_string()))
    }

    /// Commits an edit that needs no question, and reports the end of its job.
    fn commit_and_report(
        &mut self,
        jobs: &mut EditJobs,
        id: JobId,
        edit: PreparedEdit,
        answer: String,
    ) {
        let name = edit.name.clone();
        if let Some(outcome) = self.commit(jobs, id, edit, answer) {
            self.report(EditJobEnded { id, name, is_committed: true, outcome });
        }
    }
}

/// Cancels and drops all jobs and the preview of a map that is left.
pub(super) fn forget(
    mut jobs: ResMut<EditJobs>,
    mut preview: ResMut<EditPreview>,
    mut question: ResMut<UndoQuestion>,
) {
    question.forget();
    preview.forget();
    jobs.forget();
}

/// Handles the end of a job, commits a preview that the player has applied, and starts the next
/// job.
pub(in crate::game) fn update(
    mut jobs: ResMut<EditJobs>,
    mut preview: ResMut<EditPreview>,
    mut target: EditTarget,
    mut timings: ResMut<FrameTimings>,
) {
    timings.time(FrameStage::Edits, || {
        // Only a real change triggers Bevy's change detection.
        let preview = preview.bypass_change_detection();
        preview.start_requested(&mut jobs);
        jobs.release_commands();
        // While an edit is in question, all later edits wait.
        if !target.is_asking()
            && let Some(finished) = jobs.take_finished()
        {
            end(finished, preview, &mut jobs, &mut target);
        }
        let menu = *target.menu;
        match target.question.bypass_change_detection().answered(menu) {
            Some(Ok(asked)) => {
                target.commit_and_report(&mut jobs, asked.id, asked.edit, asked.answer)
            }
            Some(Err(cancelled)) => target.report_cancelled(cancelled),
            None => {}
        }
        if !target.is_asking()
            && let Some(ready) = preview.take_accepted()
            && let Some((edit, answer)) = target.ask(ready.id, ready.edit, ready.answer)
        {
            target.commit_and_report(&mut jobs, ready.id, edit, answer);
        }
        if !target.is_asking()
            && let Some(failed) =
                jobs.start_next(|| input(target.editor.map(), target.editor.edits()))
        {
            end(failed, preview, &mut jobs, &mut target);
        }
    });
}

/// A snapshot of the map.
fn input(map: &OpenMap, edits: &Edits) -> JobInput {
    let reader = map.reader.clone();
    let generator = Arc::clone(&map.generator);
    let snapshot = MapSnapshot { loaded: edits.world().clone(), reader, generator };
    JobInput { snapshot, revision: edits.revision() }
}

/// Commits or previews the edit of a job, and reports its end.
fn end(
    finished: FinishedJob,
    preview: &mut EditPreview,
    jobs: &mut EditJobs,
    target: &mut EditTarget,
) {
    let FinishedJob { id, name, when_done, is_cancelled, outcome } = finished;
    let outcome = match outcome {
        _ if is_cancelled => Err("cancelled".to_owned()),
        outcome => outcome.map_err(|error| error.to_string()),
    };
    if when_done == WhenDone::Preview {
        let outcome_text =
            outcome.as_ref().map(|result| result.answer.clone()).map_err(String::clone);
        preview.take(id, name.clone(), Some(outcome).filter(|_| !is_cancelled));
        target.ended.write(EditJobEnded { id, name, is_committed: false, outcome: outcome_text });
        return;
    }
    let outcome = match outcome {
        Ok(JobResult { edit, .. }) if let WhenDone::Step(id) = when_done => {
            let PreparedEdit { changes, revision, .. } = edit;
            let step = PreparedStep { id, changes, revision };
            target
                .editor
                .commit_step(step)
                .map(|()| String::new())
                .map_err(|error| error.to_string())
        }
        Ok(JobResult { edit, answer, .. }) => {
            let unasked = match when_done {
                WhenDone::Merge => Some((edit, answer)),
                _ => target.ask(id, edit, answer),
            };
            // `None`: the player must answer first, or a job merges the edit. The end is reported
            // then.
            let outcome = unasked.and_then(|(edit, answer)| target.commit(jobs, id, edit, answer));
            let Some(outcome) = outcome else { return };
            outcome
        }
        Err(reason) => Err(reason),
    };
    let job = EditJobEnded { id, name, is_committed: true, outcome };
    if is_cancelled {
        target.report_cancelled(job);
    } else {
        target.report(job);
    }
}
