//! Recorder of an edit that changes a world in place.

use super::{ChunkChange, EditStep};
use crate::voxel::{Box3, ChunkPos};
use crate::world::{Chunk, World};
use rustc_hash::FxHashMap;

/// Recorder of an edit: holds the chunks that the edit may change, as they were before it.
pub struct EditRecorder {
    before: FxHashMap<ChunkPos, Chunk>,
}

impl EditRecorder {
    /// Starts a recording of the loaded chunks in the boxes that the edit changes. Chunks are
    /// shared, so nothing is copied.
    #[must_use]
    pub fn begin(world: &World, areas: impl IntoIterator<Item = Box3>) -> EditRecorder {
        let mut before = FxHashMap::default();
        for area in areas {
            for pos in world.positions_in(area) {
                if let Some(chunk) = world.chunk(pos) {
                    before.entry(pos).or_insert_with(|| chunk.clone());
                }
            }
        }
        EditRecorder { before }
    }

    /// Returns the step from the recorded state to `world`; `None` if no voxel changed.
    #[must_use]
    pub fn finish(self, world: &World, name: &str, unix: u64) -> Option<EditStep> {
        let change = |(pos, before)| ChunkChange::new(pos, before, world.chunk(pos)?.clone());
        EditStep::new(name, unix, self.before.into_iter().filter_map(change).collect())
    }
}
