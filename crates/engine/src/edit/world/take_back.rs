//! Selective undo: takes one older step back, and keeps later changes.

use super::editable_world::EditableWorld;
use crate::edit::region::Region;
use crate::edit::{ChunkSource, EditError, JobProgress, PreparedEdit};
use crate::history::{ChunkChange, StepHandle};
use crate::voxel::CHUNK_VOLUME;

/// Takes a step back, on any thread.
#[derive(Clone, Debug)]
pub struct TakeBackJob {
    step: StepHandle,
    revision: u64,
}

impl TakeBackJob {
    /// Computes the edit that takes the step back, within `region` if given, on the cores of the
    /// current pool of threads. Voxels that are as the step has left them become as they were
    /// before it; voxels that later edits have changed stay. `world` is a snapshot taken when the
    /// job was made. The committed edit is a step of its own.
    ///
    /// # Errors
    /// The step or a chunk cannot be read, or `progress` was cancelled.
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
    /// The job that takes back the step with this number; `None` if it does not exist or is undone.
    /// Ends an open stroke. Take the snapshot for the job at the same moment.
    pub fn take_back_job(&mut self, number: u64) -> Option<TakeBackJob> {
        self.history.end_stroke();
        let is_done = self.history.steps().any(|step| step.number == number && step.is_done);
        let step = self.history.step(number).filter(|_| is_done)?;
        Some(TakeBackJob { step, revision: self.revision })
    }
}
