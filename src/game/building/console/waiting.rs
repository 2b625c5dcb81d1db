//! Commands that wait for the jobs of earlier ones.

use super::entry;
use super::state::{ConsoleLine, GameConsole, Wait};
use crate::game::editing::edit_jobs::{EditJobEnded, EditJobs, JobId};
use crate::game::state::notices::Notices;

/// Forgets jobs whose preview was discarded: no job ends then. `answered` are the edits that wait for
/// the player's answer.
pub(super) fn forget_discarded(console: &mut GameConsole, jobs: &EditJobs, answered: [Option<JobId>; 2]) {
    // An applied preview may be a job again, which brings it up to date.
    let known: Vec<JobId> = answered.into_iter().flatten().chain(jobs.jobs().map(|job| job.id)).collect();
    console.jobs.retain_mut(|slot| {
        let job = slot.get();
        job.previewed.is_none() || known.contains(&job.id)
    });
}

/// True while the selection, the clipboard or the named regions may be about to change by a job. A
/// preview that is `ready` waits for the player, who may enter commands before answering.
pub(super) fn is_console_pending(console: &mut GameConsole, jobs: &EditJobs, ready: Option<JobId>) -> bool {
    let is_pending = console.jobs.iter_mut().any(|slot| {
        let job = slot.get();
        job.changes_console && !job.is_cancelled && !(job.previewed.is_some() && ready == Some(job.id))
    });
    is_pending || jobs.holds_commands()
}

/// Lets the entries wait. A `//cancel` among them does not wait: it drops those before it. Returns true
/// if a `//cancel` is now the first entry.
pub(super) fn hold(console: &mut GameConsole, notices: &mut Notices, wait: Wait) -> bool {
    let Some(index) = console.entries.iter().position(entry::cancels) else {
        for entry in &mut console.entries {
            // The console must not open again some time later.
            entry.typed = None;
        }
        if let Some(first) = console.entries.front_mut() {
            first.waits_for = Some(wait);
        }
        return false;
    };
    let is_stepping = console.stepping.take().is_some();
    if is_stepping {
        // It has noted its line when it began.
        console.entries.pop_front();
    }
    drop_first(console, notices, index - usize::from(is_stepping), "cancelled");
    true
}

/// Drops commands that wait for the job of a command that has failed: all if it would have changed the
/// console; otherwise only one that waits for all jobs, such as an undo of what was not done. A
/// failed preview drops no undo: it would have changed nothing.
pub(super) fn drop_dependent(
    console: &mut GameConsole,
    notices: &mut Notices,
    failed: &EditJobEnded,
    changes_console: bool,
) {
    let Some(wait) = console.entries.front().and_then(|first| first.waits_for) else { return };
    if console.stepping.is_some() {
        return;
    }
    let count =
        if changes_console { console.entries.len() } else { usize::from(wait == Wait::All && failed.is_committed) };
    drop_first(console, notices, count, &format!("not carried out, because {} was not", failed.name));
}

/// Drops the first entries, and says why.
fn drop_first(console: &mut GameConsole, notices: &mut Notices, count: usize, why: &str) {
    let dropped: Vec<String> = console.entries.drain(..count).map(|entry| entry.text).collect();
    for text in dropped {
        notices.warn(format!("{text}: {why}"));
        console.note(ConsoleLine::Command(text));
        console.note(ConsoleLine::Problem(why.to_owned()));
    }
}
