//! The edit that waits for the player's answer.

use super::ghost::GhostMeshes;
use super::jobs::EditJobs;
use super::preview_figures::PreviewFigures;
use super::request::{self, EditWork, JobId, PreparedWork, WhenDone};
use super::running::{JobResult, ShownEdit};
use bevy::platform::cell::SyncCell;
use bevy::prelude::*;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;
use stonerun_engine::edit::{JobProgress, PreparedEdit};

/// State of the preview.
#[derive(Clone, PartialEq, Debug)]
pub enum PreviewState {
    /// No preview exists.
    Nothing,
    /// The preview is being computed.
    Computing {
        /// Chunks that are done in the present stage.
        done: usize,
        /// Chunks of the present stage.
        total: usize,
        /// Seconds since the preview was requested.
        seconds: f32,
    },
    /// The preview is ready and drawn, and waits for the player's answer.
    Ready {
        /// Voxels of air that would be filled.
        voxels_added: u64,
        /// Voxels that would become air.
        voxels_removed: u64,
        /// Voxels that would become another material, or have another occupancy.
        voxels_changed: u64,
        /// Runs of the changed chunks, before and after.
        runs: [u64; 2],
        /// Bytes of the step of the undo history.
        undo_bytes: u64,
        /// Milliseconds that the edit took.
        ms: f64,
    },
    /// The preview could not be computed, for this reason.
    Failed(String),
}

/// The edit that waits for the player's answer: Enter applies it, Escape discards it.
#[derive(Resource, Default)]
pub struct EditPreview {
    stage: Stage,
    /// A preview that was requested in this frame.
    requested: Option<(String, SyncCell<PreparedWork>)>,
    /// True once the player has applied the edit: it is committed as soon as it is ready.
    is_accepted: bool,
    /// Applied edits that another preview has replaced. They are committed all the same.
    replaced: ReplacedEdits,
    /// Counter that increases when an edit becomes ready, and when it is no longer ready.
    revision: u64,
}

/// Edits that the player has applied, and that another preview has replaced before they were
/// committed.
#[derive(Default)]
struct ReplacedEdits {
    /// Names and work of edits whose jobs are not started yet.
    requested: Vec<(String, SyncCell<PreparedWork>)>,
    /// Jobs that compute the edits.
    computing: Vec<JobId>,
    /// Edits that are ready to be committed, oldest first.
    ready: VecDeque<Box<ReadyEdit>>,
}

#[derive(Default)]
enum Stage {
    #[default]
    Nothing,
    Computing {
        name: String,
        id: JobId,
        progress: Arc<JobProgress>,
        since: Instant,
    },
    Ready(Box<ReadyEdit>),
    Failed {
        name: String,
        reason: String,
    },
}

/// An edit that can be applied.
pub(super) struct ReadyEdit {
    /// Job that computed the edit.
    pub(super) id: JobId,
    pub(super) edit: PreparedEdit,
    /// Answer for the player, shown when the edit is applied.
    pub(super) answer: String,
    /// Figures of the edit.
    figures: PreviewFigures,
    /// Meshes of the voxels that differ, until they are drawn.
    meshes: GhostMeshes,
    /// Number of rectangles, and the side of their cells in voxels.
    drawn: (usize, i32),
}

impl EditPreview {
    /// Requests a preview, and cancels or drops the present one. If the player has applied that
    /// one, it is still committed.
    pub fn request(&mut self, name: impl Into<String>, work: EditWork) {
        let name = name.into();
        self.request_prepared(name.clone(), request::prepare(name, work));
    }

    /// Does the same as [`EditPreview::request`], for work that makes its own edit.
    pub fn request_prepared(&mut self, name: String, work: PreparedWork) {
        self.replace();
        self.requested = Some((name, SyncCell::new(work)));
    }

    /// Discards the preview, unless the player has applied its edit: then it is still committed.
    fn replace(&mut self) {
        if self.is_accepted {
            if let Some(requested) = self.requested.take() {
                self.replaced.requested.push(requested);
            } else {
                match std::mem::take(&mut self.stage) {
                    Stage::Computing { id, .. } => self.replaced.computing.push(id),
                    Stage::Ready(ready) => {
                        self.revision += 1;
                        self.replaced.ready.push_back(ready);
                    }
                    Stage::Nothing | Stage::Failed { .. } => {}
                }
            }
        }
        self.discard();
    }

    /// Discards the preview, and applied edits that are not committed yet.
    pub(super) fn forget(&mut self) {
        self.discard();
        self.replaced = ReplacedEdits::default();
    }

    /// Drops the preview. If it is being computed, cancels its job.
    pub fn discard(&mut self) {
        if let Stage::Computing { progress, .. } = &self.stage {
            progress.cancel();
        }
        self.requested = None;
        self.set(Stage::Nothing);
    }

    /// Accepts the edit: it is committed in this frame's `FrameSet::Edit`, or as soon as it is
    /// computed.
    pub fn apply(&mut self) {
        self.is_accepted = self.is_active() && !matches!(self.stage, Stage::Failed { .. });
    }

    /// State of the preview.
    #[must_use]
    pub fn state(&self) -> PreviewState {
        match &self.stage {
            _ if self.requested.is_some() => {
                PreviewState::Computing { done: 0, total: 0, seconds: 0.0 }
            }
            Stage::Nothing => PreviewState::Nothing,
            Stage::Computing { progress, since, .. } => {
                let (done, total) = progress.chunks();
                PreviewState::Computing { done, total, seconds: since.elapsed().as_secs_f32() }
            }
            Stage::Ready(ready) => ready_state(&ready.figures),
            Stage::Failed { reason, .. } => PreviewState::Failed(reason.clone()),
        }
    }

    /// True if there is a preview in any state.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.requested.is_some() || !matches!(self.stage, Stage::Nothing)
    }

    /// True while the player has applied the present edit and it is not committed yet. Edits that
    /// another preview has replaced do not count.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.is_accepted
    }

    /// Name of the edit.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match (&self.requested, &self.stage) {
            (Some((name, _)), _) => Some(name),
            (None, Stage::Nothing) => None,
            (None, Stage::Computing { name, .. } | Stage::Failed { name, .. }) => Some(name),
            (None, Stage::Ready(ready)) => Some(&ready.edit.name),
        }
    }

    /// Number of rectangles that are drawn, and the side of their cells in voxels.
    #[must_use]
    pub fn drawn(&self) -> Option<(usize, i32)> {
        match &self.stage {
            Stage::Ready(ready) => Some(ready.drawn),
            _ => None,
        }
    }

    /// The edit that is ready.
    #[must_use]
    pub fn edit(&self) -> Option<&PreparedEdit> {
        match &self.stage {
            Stage::Ready(ready) => Some(&ready.edit),
            _ => None,
        }
    }

    /// The job of the edit that is ready.
    #[must_use]
    pub fn ready_job(&self) -> Option<JobId> {
        match &self.stage {
            Stage::Ready(ready) => Some(ready.id),
            _ => None,
        }
    }

    /// Counter that increases when an edit becomes ready, and when it is no longer ready.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Takes the meshes of the edit that is ready.
    pub(super) fn take_meshes(&mut self) -> Option<GhostMeshes> {
        match &mut self.stage {
            Stage::Ready(ready) => Some(std::mem::take(&mut ready.meshes)),
            _ => None,
        }
    }

    fn set(&mut self, stage: Stage) {
        if matches!(self.stage, Stage::Ready(_)) || matches!(stage, Stage::Ready(_)) {
            self.revision += 1;
        }
        self.stage = stage;
        if !matches!(self.stage, Stage::Computing { .. } | Stage::Ready(_)) {
            self.is_accepted = false;
        }
    }

    /// Starts the job of a preview now, where [`EditPreview::request_prepared`] waits for the next
    /// frame. Returns the job.
    pub fn start_prepared(
        &mut self,
        name: String,
        work: PreparedWork,
        jobs: &mut EditJobs,
    ) -> JobId {
        self.replace();
        self.commit_replaced(jobs);
        let (id, progress) = jobs.start_prepared(name.clone(), work, WhenDone::Preview);
        self.stage = Stage::Computing { name, id, progress, since: Instant::now() };
        id
    }

    fn commit_replaced(&mut self, jobs: &mut EditJobs) {
        for id in self.replaced.computing.drain(..) {
            jobs.commit_when_done(id);
        }
        for (name, work) in self.replaced.requested.drain(..) {
            jobs.start_prepared(name, SyncCell::to_inner(work), WhenDone::Commit);
        }
    }

    /// Starts the job of a requested preview.
    pub(super) fn start_requested(&mut self, jobs: &mut EditJobs) {
        self.commit_replaced(jobs);
        let Some((name, work)) = self.requested.take() else { return };
        let is_accepted = self.is_accepted;
        self.start_prepared(name, SyncCell::to_inner(work), jobs);
        self.is_accepted = is_accepted;
    }

    /// Receives the result of a job; `None` if the job was cancelled. Ignores the result if another
    /// preview was requested since.
    pub(super) fn take(
        &mut self,
        id: JobId,
        name: String,
        outcome: Option<Result<JobResult, String>>,
    ) {
        let is_waited_for =
            matches!(&self.stage, Stage::Computing { id: waited, .. } if *waited == id);
        if !is_waited_for {
            return;
        }
        self.set(match outcome {
            Some(Ok(JobResult { edit, answer, shown })) => {
                let ShownEdit { figures, meshes } = shown.unwrap_or_default();
                let drawn = (meshes.quads, meshes.cell);
                Stage::Ready(Box::new(ReadyEdit { id, edit, answer, figures, meshes, drawn }))
            }
            Some(Err(reason)) => Stage::Failed { name, reason },
            None => Stage::Nothing,
        });
    }

    /// Takes the oldest edit that is ready and that the player has applied.
    pub(super) fn take_accepted(&mut self) -> Option<ReadyEdit> {
        if let Some(ready) = self.replaced.ready.pop_front() {
            return Some(*ready);
        }
        if !self.is_accepted || !matches!(self.stage, Stage::Ready(_)) {
            return None;
        }
        self.is_accepted = false;
        self.revision += 1;
        match std::mem::take(&mut self.stage) {
            Stage::Ready(ready) => Some(*ready),
            _ => None,
        }
    }
}

fn ready_state(figures: &PreviewFigures) -> PreviewState {
    PreviewState::Ready {
        voxels_added: figures.added,
        voxels_removed: figures.removed,
        voxels_changed: figures.changed,
        runs: figures.runs,
        undo_bytes: figures.undo_bytes,
        ms: figures.time.as_secs_f64() * 1000.0,
    }
}
