//! The queue of edit jobs.

use super::request::{self, EditRequest, JobId, PreparedWork, WhenDone};
use super::running::{FinishedJob, JobError, JobInput, RunningJob};
use bevy::platform::cell::SyncCell;
use bevy::prelude::*;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;
use stonerun_engine::edit::{EditError, EditMerge, JobProgress};

/// State of a job that waits or runs.
#[derive(Clone, PartialEq, Debug)]
pub struct JobState {
    /// Number of the job.
    pub id: JobId,
    /// Name of the edit.
    pub name: String,
    /// Chunks that are done in the present stage of the job.
    pub done: usize,
    /// Chunks of the present stage.
    pub total: usize,
    /// Seconds since the job was started or, while it waits, since it was requested.
    pub seconds: f32,
    /// False while the job waits for another job.
    pub is_running: bool,
    /// True once the job was cancelled; it stops at the next chunk.
    pub is_cancelled: bool,
}

/// Message that a job has ended. A preview sends it when it is ready, and again when it is applied.
#[derive(Message, Clone, Debug)]
pub struct EditJobEnded {
    /// Number of the job.
    pub id: JobId,
    /// Name of the edit.
    pub name: String,
    /// False if the edit waits for the player's answer.
    pub is_committed: bool,
    /// Answer of the job, or the reason why it failed, one line each.
    pub outcome: Result<String, String>,
}

/// The jobs that wait or run.
///
/// One job runs at a time, so that each sees the edits of the jobs before it. The work of a job
/// itself uses all threads of the edit pool.
#[derive(Resource, Default)]
pub struct EditJobs {
    last_id: u64,
    waiting: VecDeque<WaitingJob>,
    running: Option<RunningJob>,
    /// Jobs that were cancelled while they waited, and whose end is not reported yet.
    cancelled: Vec<CancelledJob>,
    /// Jobs whose results the commands of the console wait for.
    holding: Vec<JobId>,
}

/// A job that was cancelled while it waited.
struct CancelledJob {
    id: JobId,
    name: String,
    when_done: WhenDone,
}

impl From<WaitingJob> for CancelledJob {
    fn from(WaitingJob { id, name, when_done, .. }: WaitingJob) -> CancelledJob {
        CancelledJob { id, name, when_done }
    }
}

/// A job that waits for another one.
struct WaitingJob {
    id: JobId,
    name: String,
    work: SyncCell<PreparedWork>,
    when_done: WhenDone,
    progress: Arc<JobProgress>,
    since: Instant,
}

impl EditJobs {
    /// Runs a job as soon as those before it have ended.
    pub fn start(&mut self, request: EditRequest) -> JobId {
        let EditRequest { name, work, when_done } = request;
        self.start_prepared(name.clone(), request::prepare(name, work), when_done).0
    }

    /// Runs work that makes its own edit, as soon as the jobs before it have ended. Returns the job
    /// with its progress.
    pub fn start_prepared(
        &mut self,
        name: String,
        work: PreparedWork,
        when_done: WhenDone,
    ) -> (JobId, Arc<JobProgress>) {
        self.last_id += 1;
        let id = JobId(self.last_id);
        let progress = Arc::new(JobProgress::default());
        let work = SyncCell::new(work);
        let since = Instant::now();
        self.waiting.push_back(WaitingJob {
            id,
            name,
            work,
            when_done,
            progress: Arc::clone(&progress),
            since,
        });
        (id, progress)
    }

    /// Makes the commands of the console wait until a job has ended and its result was applied.
    pub fn hold_commands(&mut self, id: JobId) {
        self.holding.push(id);
    }

    /// True while commands must wait for a job.
    #[must_use]
    pub fn holds_commands(&self) -> bool {
        !self.holding.is_empty()
    }

    /// True if commands wait for this job.
    #[must_use]
    pub fn is_held(&self, id: JobId) -> bool {
        self.holding.contains(&id)
    }

    /// Releases commands that waited for jobs which have ended before this frame.
    pub(super) fn release_commands(&mut self) {
        // A cancelled job counts as unfinished until its end is reported.
        let cancelled = self.cancelled.iter().map(|job| job.id);
        let ids: Vec<JobId> = self.jobs().map(|job| job.id).chain(cancelled).collect();
        self.holding.retain(|id| ids.contains(id));
    }

    /// Cancels a job; nothing of its edit is committed. Does nothing for a job that has ended.
    pub fn cancel(&mut self, id: JobId) {
        if let Some(index) = self.waiting.iter().position(|job| job.id == id)
            && let Some(job) = self.waiting.remove(index)
        {
            self.cancelled.push(job.into());
        }
        if let Some(running) = self.running.as_ref().filter(|running| running.id == id) {
            running.progress.cancel();
        }
    }

    /// Cancels all jobs. Returns their number.
    pub fn cancel_all(&mut self) -> usize {
        // The results that commands wait for never come.
        self.holding.clear();
        let count = self.jobs().filter(|job| !job.is_cancelled).count();
        self.cancelled.extend(self.waiting.drain(..).map(CancelledJob::from));
        if let Some(running) = &self.running {
            running.progress.cancel();
        }
        count
    }

    /// The jobs: the running one first, then the waiting ones in order.
    pub fn jobs(&self) -> impl Iterator<Item = JobState> {
        let running = self.running.iter().map(|job| {
            let (done, total) = job.progress.chunks();
            let seconds = job.started.elapsed().as_secs_f32();
            let is_cancelled = job.progress.is_cancelled();
            JobState {
                id: job.id,
                name: job.name.clone(),
                done,
                total,
                seconds,
                is_running: true,
                is_cancelled,
            }
        });
        let waiting = self.waiting.iter().map(|job| {
            let name = job.name.clone();
            let seconds = job.since.elapsed().as_secs_f32();
            JobState {
                id: job.id,
                name,
                done: 0,
                total: 0,
                seconds,
                is_running: false,
                is_cancelled: false,
            }
        });
        running.chain(waiting)
    }

    /// True while a job undoes or redoes a step, or waits to do so.
    #[must_use]
    pub fn has_step(&self) -> bool {
        self.uses().any(|when_done| matches!(when_done, WhenDone::Step(..)))
    }

    /// Queues the merge of a job's edit with later changes of the world, before all other jobs. The
    /// merged edit is committed under the same job.
    pub(super) fn merge(&mut self, id: JobId, name: String, answer: String, merge: EditMerge) {
        let work: PreparedWork = Box::new(move |_, _, _| Ok((merge.run(), answer)));
        let work = SyncCell::new(work);
        let progress = Arc::new(JobProgress::default());
        let since = Instant::now();
        self.waiting.push_front(WaitingJob {
            id,
            name,
            work,
            when_done: WhenDone::Merge,
            progress,
            since,
        });
    }

    /// True while rules must not change the world, because the first job is an undo or redo, or an
    /// edit is being merged: further changes by rules would have to be merged, too.
    #[must_use]
    pub fn holds_rules(&self) -> bool {
        self.uses().enumerate().any(|(place, when_done)| match when_done {
            WhenDone::Merge => true,
            WhenDone::Step(..) => place == 0,
            _ => false,
        })
    }

    /// Use of each job's edit, in the order of the jobs.
    fn uses(&self) -> impl Iterator<Item = WhenDone> {
        self.running
            .iter()
            .map(|job| job.when_done)
            .chain(self.waiting.iter().map(|job| job.when_done))
    }

    /// True if a job is waiting or running.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.running.is_some() || !self.waiting.is_empty()
    }

    /// Commits the edit of a preview's job once it is computed, instead of showing it.
    pub(super) fn commit_when_done(&mut self, id: JobId) {
        if let Some(job) = self.waiting.iter_mut().find(|job| job.id == id) {
            job.when_done = WhenDone::Commit;
        }
        if let Some(running) = self.running.as_mut().filter(|running| running.id == id) {
            running.when_done = WhenDone::Commit;
        }
    }

    /// Cancels and drops all jobs, because their map was closed.
    pub(super) fn forget(&mut self) {
        self.waiting.clear();
        self.cancelled.clear();
        self.holding.clear();
        self.running = None;
    }

    /// Takes a job that has ended, if one has.
    pub(super) fn take_finished(&mut self) -> Option<FinishedJob> {
        if let Some(CancelledJob { id, name, when_done }) = self.cancelled.pop() {
            let outcome = Err(JobError::Edit(EditError::Cancelled));
            return Some(FinishedJob { id, name, when_done, is_cancelled: true, outcome });
        }
        let finished = self.running.as_mut()?.poll()?;
        self.running = None;
        Some(finished)
    }

    /// Starts the next job if no job is running; `input` is called only then. Returns a job that
    /// could not be started.
    pub(super) fn start_next(&mut self, input: impl FnOnce() -> JobInput) -> Option<FinishedJob> {
        if self.running.is_some() {
            return None;
        }
        // Waiting jobs of discarded previews are not started, but their end is reported.
        while let Some(index) = self.waiting.iter().position(|job| job.progress.is_cancelled())
            && let Some(job) = self.waiting.remove(index)
        {
            self.cancelled.push(job.into());
        }
        let WaitingJob { id, name, work, when_done, progress, .. } = self.waiting.pop_front()?;
        match RunningJob::start(id, name, SyncCell::to_inner(work), when_done, progress, input()) {
            Ok(running) => {
                self.running = Some(running);
                None
            }
            Err(failed) => Some(*failed),
        }
    }
}
