//! Starts jobs, and commits or previews those that have ended.

use super::jobs::{EditJobEnded, EditJobs};
use super::preview::EditPreview;
use super::request::{JobId, WhenDone};
use super::running::{Finished, JobInput, JobResult};
use super::undo_question::UndoQuestion;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::notices::Notices;
use crate::game::state::screens::Menu;
use crate::game::state::session::{Editor, Edits, OpenMap};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use std::sync::Arc;
use stonerun_engine::edit::{MAX_CHUNKS_IN_FRAME, MapSnapshot, PreparedEdit, PreparedStep};

/// What is needed to ask the player before an edit.
#[derive(SystemParam)]
pub(in crate::game) struct Asking<'w> {
    question: ResMut<'w, UndoQuestion>,
    menu: ResMut<'w, Menu>,
}

impl Asking<'_> {
    /// [`UndoQuestion::ask`].
    fn ask(&mut self, id: JobId, edit: PreparedEdit, answer: String, edits: &Edits) -> Option<(PreparedEdit, String)> {
        // Only a real change triggers Bevy's change detection.
        let mut menu = *self.menu;
        let rest = self.question.ask(id, edit, answer, edits, &mut menu);
        self.menu.set_if_neq(menu);
        rest
    }
}

/// Cancels and drops all jobs and the preview of a map that is left.
pub(super) fn forget(mut jobs: ResMut<EditJobs>, mut preview: ResMut<EditPreview>, mut question: ResMut<UndoQuestion>) {
    question.forget();
    preview.discard();
    jobs.forget();
}

/// Takes in the job that has ended, commits a preview that the player has applied, and starts the
/// next job.
pub(in crate::game) fn update(
    mut jobs: ResMut<EditJobs>,
    mut preview: ResMut<EditPreview>,
    mut asking: Asking,
    mut editor: Editor,
    mut notices: ResMut<Notices>,
    mut ended: MessageWriter<EditJobEnded>,
    mut timings: ResMut<FrameTimings>,
) {
    timings.time(FrameStage::Edits, || {
        // Only a real change triggers Bevy's change detection.
        let preview = preview.bypass_change_detection();
        preview.start_requested(&mut jobs);
        jobs.release_commands();
        // Edits that follow the one that the player is asked about wait for the answer.
        if asking.question.asked().is_none()
            && let Some(finished) = jobs.take_finished()
        {
            end(finished, (preview, &mut jobs), &mut asking, &mut editor, &mut notices, &mut ended);
        }
        match asking.question.bypass_change_detection().answered(*asking.menu) {
            Some(Ok(asked)) => {
                let name = asked.name().to_owned();
                if let Some(outcome) = commit(&mut editor, &mut jobs, asked.id, asked.edit, asked.answer) {
                    report(EditJobEnded { id: asked.id, name, is_committed: true, outcome }, &mut notices, &mut ended);
                }
            }
            Some(Err(cancelled)) => {
                notices.info(format!("{}: cancelled", cancelled.name));
                ended.write(cancelled);
            }
            None => {}
        }
        if asking.question.asked().is_none()
            && let Some(ready) = preview.take_accepted()
        {
            let name = ready.edit.name.clone();
            if let Some((edit, answer)) = asking.ask(ready.id, ready.edit, ready.answer, editor.edits())
                && let Some(outcome) = commit(&mut editor, &mut jobs, ready.id, edit, answer)
            {
                report(EditJobEnded { id: ready.id, name, is_committed: true, outcome }, &mut notices, &mut ended);
            }
        }
        if asking.question.asked().is_none()
            && let Some(failed) = jobs.start_next(|| input(editor.map(), editor.edits()))
        {
            end(failed, (preview, &mut jobs), &mut asking, &mut editor, &mut notices, &mut ended);
        }
    });
}

/// The map as it is now.
fn input(map: &OpenMap, edits: &Edits) -> JobInput {
    let (reader, generator) = (map.reader.clone(), Arc::clone(&map.generator));
    let snapshot = MapSnapshot { loaded: edits.world().clone(), reader, generator };
    JobInput { snapshot, revision: edits.revision() }
}

/// Commits or previews what a job has computed, and reports its end.
fn end(
    finished: Finished,
    (preview, jobs): (&mut EditPreview, &mut EditJobs),
    asking: &mut Asking,
    editor: &mut Editor,
    notices: &mut Notices,
    ended: &mut MessageWriter<EditJobEnded>,
) {
    let Finished { id, name, when_done, is_cancelled, outcome } = finished;
    let outcome = match outcome {
        _ if is_cancelled => Err("cancelled".to_owned()),
        outcome => outcome.map_err(|error| error.to_string()),
    };
    if when_done == WhenDone::Preview {
        let outcome_text = outcome.as_ref().map(|result| result.answer.clone()).map_err(String::clone);
        preview.take(id, name.clone(), Some(outcome).filter(|_| !is_cancelled));
        ended.write(EditJobEnded { id, name, is_committed: false, outcome: outcome_text });
        return;
    }
    let outcome = match outcome {
        Ok(JobResult { edit, .. }) if let WhenDone::Step(id) = when_done => {
            let PreparedEdit { changes, revision, .. } = edit;
            let step = PreparedStep { id, changes, revision };
            editor.commit_step(step).map(|()| String::new()).map_err(|error| error.to_string())
        }
        Ok(JobResult { edit, answer, .. }) => {
            let unasked = match when_done {
                WhenDone::Merge => Some((edit, answer)),
                _ => asking.ask(id, edit, answer, editor.edits()),
            };
            // Otherwise the player answers first, or it is brought up to date.
            let outcome = unasked.and_then(|(edit, answer)| commit(editor, jobs, id, edit, answer));
            let Some(outcome) = outcome else { return };
            outcome
        }
        Err(reason) => Err(reason),
    };
    if is_cancelled {
        notices.info(format!("{name}: cancelled"));
        ended.write(EditJobEnded { id, name, is_committed: true, outcome });
    } else {
        report(EditJobEnded { id, name, is_committed: true, outcome }, notices, ended);
    }
}

/// Commits an edit; one without changes succeeds in every map. Returns the answer for the player;
/// `None` if so much has changed since the edit was computed that a job brings it up to date first.
fn commit(
    editor: &mut Editor,
    jobs: &mut EditJobs,
    id: JobId,
    edit: PreparedEdit,
    answer: String,
) -> Option<Result<String, String>> {
    let name = edit.name.clone();
    let outcome = if edit.changes.is_empty() {
        Ok(0)
    } else if editor.edits().edited_since(&edit.changes, edit.revision) > MAX_CHUNKS_IN_FRAME {
        match editor.merge(edit) {
            Ok(merge) => {
                jobs.merge(id, name, answer, merge);
                return None;
            }
            Err(error) => Err(error),
        }
    } else {
        editor.commit(edit)
    };
    Some(outcome.map(|_| answer).map_err(|error| error.to_string()))
}

/// Reports the end of a job to the player and to the readers of messages.
fn report(job: EditJobEnded, notices: &mut Notices, ended: &mut MessageWriter<EditJobEnded>) {
    match &job.outcome {
        Ok(answer) if answer.is_empty() => {}
        Ok(answer) => notices.info(answer),
        Err(reason) => notices.warn(format!("{}: {reason}", job.name)),
    }
    ended.write(job);
}
