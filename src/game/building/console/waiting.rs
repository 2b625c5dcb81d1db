//! Commands that wait for the jobs of earlier ones.

use super::state::{ConsoleLine, GameConsole, Wait};
use crate::game::editing::edit_jobs::{EditJobEnded, EditJobs, JobId};
use crate::game::state::notices::Notices;
use stonerun_engine::edit::console::GameCommand;

/// Name of the command that cancels all jobs. It overtakes the lines that wait before it.
pub(super) const CANCEL: &str = "cancel";

/// Forgets jobs whose preview was discarded, because their end is not reported. `unanswered` are
/// the edits that wait for the player's answer.
pub(super) fn forget_discarded(
    console: &mut GameConsole,
    jobs: &EditJobs,
    unanswered: [Option<JobId>; 2],
) {
    // An applied preview becomes a job again while it is merged with other changes of the world.
    let known: Vec<JobId> =
        unanswered.into_iter().flatten().chain(jobs.jobs().map(|job| job.id)).collect();
    console.jobs.retain_mut(|slot| {
        let job = slot.get();
        job.previewed.is_none() || known.contains(&job.id)
    });
}

/// True while a job may change the selection, the clipboard or the named regions. The preview
/// `ready` does not count, because the player may enter commands before answering it.
pub(super) fn is_console_pending(
    console: &mut GameConsole,
    jobs: &EditJobs,
    ready: Option<JobId>,
) -> bool {
    let is_pending = console.jobs.iter_mut().any(|slot| {
        let job = slot.get();
        job.changes_console
            && !job.is_cancelled
            && !(job.previewed.is_some() && ready == Some(job.id))
    });
    is_pending || jobs.holds_commands()
}

/// True if the line cancels all jobs. A line with arguments is refused instead.
fn is_cancel(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let command = words.next().and_then(GameCommand::find);
    command.is_some_and(|command| command.name == CANCEL) && words.next().is_none()
}

/// Makes the entered lines wait. A `//cancel` among them does not wait: the lines before it are
/// dropped. Returns true if a `//cancel` is now the first line.
pub(super) fn hold(console: &mut GameConsole, notices: &mut Notices, wait: Wait) -> bool {
    let Some(index) = console.queue.iter().position(|line| is_cancel(&line.text)) else {
        for line in &mut console.queue {
            // A line that has waited must not reopen the console if it fails.
            line.typed = None;
        }
        if let Some(first) = console.queue.front_mut() {
            first.waits_for = Some(wait);
        }
        return false;
    };
    let is_stepping = console.stepping.take().is_some();
    if is_stepping {
        // The line of a running undo or redo is already in the log, so it is removed without a
        // report.
        console.queue.pop_front();
    }
    drop_first(console, notices, index - usize::from(is_stepping), "cancelled");
    true
}

/// Drops commands that wait for a job that has failed.
///
/// Drops all of them if the job would have changed the console, because they would act on the wrong
/// selection or clipboard. Otherwise only a first command is dropped that waits for all jobs, such
/// as an undo, which would undo an earlier step. A failed preview drops no undo, because it adds no
/// step.
pub(super) fn drop_dependent(
    console: &mut GameConsole,
    notices: &mut Notices,
    failed: &EditJobEnded,
    changes_console: bool,
) {
    let Some(wait) = console.queue.front().and_then(|first| first.waits_for) else { return };
    if console.stepping.is_some() {
        return;
    }
    let count = if changes_console {
        console.queue.len()
    } else {
        usize::from(wait == Wait::All && failed.is_committed)
    };
    drop_first(
        console,
        notices,
        count,
        &format!("not carried out, because {} was not", failed.name),
    );
}

/// Drops the first lines of the queue, and reports the reason.
fn drop_first(console: &mut GameConsole, notices: &mut Notices, count: usize, why: &str) {
    let dropped: Vec<String> = console.queue.drain(..count).map(|line| line.text).collect();
    for text in dropped {
        notices.warn(format!("{text}: {why}"));
        console.note(ConsoleLine::Command(text));
        console.note(ConsoleLine::Problem(why.to_owned()));
    }
}
