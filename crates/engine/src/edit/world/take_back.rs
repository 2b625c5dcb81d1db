//! Selective undo, which takes one older step back and keeps later changes.

use super::editable_world::EditableWorld;
use crate::edit::region::Region;
use crate::edit::{ChunkSource, EditError, JobProgress, PreparedEdit};
use crate::history::{ChunkChange, StepHandle};
use crate::voxel::CHUNK_VOLUME;

/// A job that takes a step back, on any thread.
#[derive(Clone, Debug)]
pub struct TakeBackJob {
    step: StepHandle,
    revision: u64,
}

impl TakeBackJob {
    /// Computes the edit that takes the step back, within `region` if given, on the threads of the
    /// current pool. Voxels that still have the value the step gave them get back their value
    /// before the step; voxels that later edits have changed stay. `world` is a snapshot taken when
    /// the job was made. When committed, the edit is a new step of the history.
    ///
    /// # Errors
    /// The step or a chunk cannot be read, or the job was cancelled.
    pub fn run(
        &self,
        world: &dyn ChunkSource,
        region: Option<&Region>,
        progress: &JobProgress,
    ) -> Result<PreparedEdit, EditError> {
        let chunks = self.step.chunks()?;
        let changed = |change: &ChunkChange| {
            let pos = change.pos;
            Ok(match region {
                Some(region) if !region.holds_chunk(pos) => {
                    let mut allowed = region.ranges(pos).peekable();
                    if allowed.peek().is_none() {
                        return Ok(None);
                    }
                    change.taken_back_in(world.chunk(pos)?, allowed)
                }
                _ => change.taken_back_in(world.chunk(pos)?, std::iter::once(0..CHUNK_VOLUME)),
            })
        };
        let changes = progress.map(&chunks.changes, changed)?.into_iter().flatten().collect();
        let name = format!("undo of {}", self.step.step().name());
        Ok(PreparedEdit { name, changes, revision: self.revision })
    }
}

impl EditableWorld {
    /// Job that takes back the step with this number; `None` if the step does not exist or is
    /// undone. Ends the current stroke. Callers take the job's snapshot at the same moment.
    pub fn take_back_job(&mut self, number: u64) -> Option<TakeBackJob> {
        self.history.end_stroke();
        let is_done = self.history.steps().any(|step| step.number == number && step.is_done);
        let step = self.history.step(number).filter(|_| is_done)?;
        Some(TakeBackJob { step, revision: self.revision })
    }
}
