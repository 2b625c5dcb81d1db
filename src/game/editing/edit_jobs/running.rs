//! The thread of the running job.

use super::ghost::GhostMeshes;
use super::pool;
use super::preview_figures::PreviewFigures;
use super::request::{JobId, PreparedWork, WhenDone};
use super::shape::EditShape;
use crate::game::platform::task_pools;
use rayon::ThreadPoolBuildError;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;
use stonerun_engine::edit::{EditError, JobProgress, MapSnapshot, PreparedEdit};

/// Snapshot that a job reads.
pub(super) struct JobInput {
    /// The map.
    pub(super) snapshot: MapSnapshot,
    /// Revision of the world in the snapshot.
    pub(super) revision: u64,
}

/// A job that has ended.
pub(super) struct FinishedJob {
    pub(super) id: JobId,
    pub(super) name: String,
    pub(super) when_done: WhenDone,
    /// True if the job was cancelled, even if it had already computed its result.
    pub(super) is_cancelled: bool,
    pub(super) outcome: Result<JobResult, JobError>,
}

/// Result of a job.
pub(super) struct JobResult {
    pub(super) edit: PreparedEdit,
    /// Answer for the player; may be empty.
    pub(super) answer: String,
    /// Figures and meshes of a preview.
    pub(super) shown: Option<ShownEdit>,
}

/// Figures and meshes that a preview shows.
#[derive(Default)]
pub(super) struct ShownEdit {
    /// Figures of the edit.
    pub(super) figures: PreviewFigures,
    /// Meshes of the voxels that differ.
    pub(super) meshes: GhostMeshes,
}

/// Reason why a job has no result.
#[derive(thiserror::Error, Debug)]
pub(super) enum JobError {
    /// A chunk cannot be read, or the job was cancelled.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The system cannot start the thread of the job.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
    /// The system cannot start the threads of the pool.
    #[error("cannot start a thread: {0}")]
    Pool(#[from] &'static ThreadPoolBuildError),
    /// The work panicked.
    #[error("it failed because of a bug in the program")]
    Panicked,
}

/// A running job. Dropping it cancels it; its thread ends by itself.
pub(super) struct RunningJob {
    pub(super) id: JobId,
    pub(super) name: String,
    pub(super) progress: Arc<JobProgress>,
    pub(super) started: Instant,
    pub(super) when_done: WhenDone,
    thread: Option<JoinHandle<Result<JobResult, JobError>>>,
}

impl RunningJob {
    /// Starts a job on its own thread.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(super) fn start(
        id: JobId,
        name: String,
        work: PreparedWork,
        when_done: WhenDone,
        progress: Arc<JobProgress>,
        input: JobInput,
    ) -> Result<RunningJob, Box<FinishedJob>> {
        let thread_progress = Arc::clone(&progress);
        let run = move || {
            let pool = pool::get()?;
            pool.install(|| compute(work, when_done, &thread_progress, &input))
                .map_err(JobError::from)
        };
        match task_pools::spawn_background("edit", run) {
            Ok(thread) => {
                let started = Instant::now();
                Ok(RunningJob { id, name, progress, started, when_done, thread: Some(thread) })
            }
            Err(error) => {
                let outcome = Err(JobError::Thread(error));
                Err(Box::new(FinishedJob { id, name, when_done, is_cancelled: false, outcome }))
            }
        }
    }

    /// The job's result, once, after it has ended.
    pub(super) fn poll(&mut self) -> Option<FinishedJob> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        let outcome = thread.join().unwrap_or(Err(JobError::Panicked));
        let name = self.name.clone();
        let is_cancelled = self.progress.is_cancelled();
        Some(FinishedJob { id: self.id, name, when_done: self.when_done, is_cancelled, outcome })
    }
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

fn compute(
    work: PreparedWork,
    when_done: WhenDone,
    progress: &JobProgress,
    input: &JobInput,
) -> Result<JobResult, EditError> {
    let start = Instant::now();
    let (edit, answer) = work(&input.snapshot, input.revision, progress)?;
    let time = start.elapsed();
    if progress.is_cancelled() {
        return Err(EditError::Cancelled);
    }
    let shown = match when_done {
        WhenDone::Commit | WhenDone::Merge | WhenDone::Step(..) => None,
        WhenDone::Preview => {
            let figures = PreviewFigures::new(&edit, time);
            let shape = EditShape::from_changes(&edit.changes, &|| progress.is_cancelled());
            let meshes = GhostMeshes::new(&shape.ok_or(EditError::Cancelled)?);
            Some(ShownEdit { figures, meshes })
        }
    };
    Ok(JobResult { edit, answer, shown })
}
