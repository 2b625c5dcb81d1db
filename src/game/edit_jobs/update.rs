//! Starts jobs, and commits or previews those that have ended.

use super::jobs::{EditJobEnded, EditJobs};
use super::preview::EditPreview;
use super::request::WhenDone;
use super::running::{Finished, JobInput, JobResult};
use crate::edit::{MapSnapshot, PreparedEdit};
use crate::game::common::notices::Notices;
use crate::game::session::{Editor, Edits, OpenMap};
use bevy::prelude::*;
use std::sync::Arc;

/// Cancels and drops all jobs and the preview of a map that is left.
pub(super) fn forget(mut jobs: ResMut<EditJobs>, mut preview: ResMut<EditPreview>) {
    preview.discard();
    jobs.forget();
}

/// Takes in the job that has ended, commits a preview that the player has applied, and starts the
/// next job.
pub(super) fn update(
    mut jobs: ResMut<EditJobs>,
    mut preview: ResMut<EditPreview>,
    mut editor: Editor,
    mut notices: ResMut<Notices>,
    mut ended: MessageWriter<EditJobEnded>,
) {
    // Only a real change triggers Bevy's change detection.
    let preview = preview.bypass_change_detection();
    preview.start_requested(&mut jobs);
    if let Some(finished) = jobs.take_finished() {
        end(finished, preview, &mut editor, &mut notices, &mut ended);
    }
    if let Some(ready) = preview.take_accepted() {
        let name = ready.edit.name.clone();
        let outcome = commit(&mut editor, ready.edit, ready.answer);
        report(EditJobEnded { id: ready.id, name, is_committed: true, outcome }, &mut notices, &mut ended);
    }
    if let Some(failed) = jobs.start_next(|| input(editor.map(), editor.edits())) {
        end(failed, preview, &mut editor, &mut notices, &mut ended);
    }
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
    preview: &mut EditPreview,
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
        preview.take(id, name.clone(), outcome);
        ended.write(EditJobEnded { id, name, is_committed: false, outcome: outcome_text });
        return;
    }
    let outcome = outcome.and_then(|JobResult { edit, answer, .. }| commit(editor, edit, answer));
    if is_cancelled {
        notices.info(format!("{name}: cancelled"));
        ended.write(EditJobEnded { id, name, is_committed: true, outcome });
    } else {
        report(EditJobEnded { id, name, is_committed: true, outcome }, notices, ended);
    }
}

/// Commits an edit; one without changes succeeds in every map. Returns the answer for the player.
fn commit(editor: &mut Editor, edit: PreparedEdit, answer: String) -> Result<String, String> {
    if !edit.changes.is_empty() {
        editor.commit(edit).map_err(|error| error.to_string())?;
    }
    Ok(answer)
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
