//! Exchange of awake blocks between edits, rules and saves.

use super::awake::{AwakeBlocks, AwakeMap};
use super::change::ChangedPart;
use super::editable_world::EditableWorld;
use crate::rules::{BlockSet, OpenColumns};
use crate::save::SavedAwake;
use crate::voxel::{Box3, ChunkPos};
use std::sync::Arc;

impl EditableWorld {
    /// Restores the blocks that were awake when the map was saved. `open` contains the chunks in
    /// which rules may act; `None` allows all. Must be called before chunks are loaded.
    #[must_use]
    pub fn with_awake(mut self, saved: &SavedAwake, open: Option<OpenColumns>) -> EditableWorld {
        self.awake = AwakeMap::from_saved(saved);
        self.open = open.map(Arc::new);
        self.history.resume_following(saved.chunks.iter().map(|chunk| (chunk.pos, chunk.step)));
        self
    }

    /// Chunks in which rules may act; `None` for all chunks.
    #[must_use]
    pub fn open_columns(&self) -> Option<&Arc<OpenColumns>> {
        self.open.as_ref()
    }

    /// Takes the chunks that edits have opened to rules since the last call.
    pub fn take_opened(&mut self) -> Vec<ChunkPos> {
        std::mem::take(&mut self.opened)
    }

    /// Takes the awake blocks of loaded chunks that have woken since the last call.
    pub fn take_woken(&mut self) -> Vec<(ChunkPos, AwakeBlocks)> {
        self.awake.take()
    }

    /// All awake blocks, including those of chunks that are not loaded.
    pub fn awake(&self) -> impl Iterator<Item = (ChunkPos, AwakeBlocks)> {
        self.awake.iter()
    }

    /// Replaces the awake blocks of loaded chunks after steps of rules on a snapshot of `revision`.
    /// Blocks that edits have woken since then stay awake.
    pub fn set_awake(
        &mut self,
        blocks: impl IntoIterator<Item = (ChunkPos, BlockSet)>,
        revision: u64,
    ) {
        let world = &self.world;
        self.awake.replace(blocks, revision, |pos| world.is_loaded(pos));
        if self.awake.is_empty() {
            self.history.end_following();
        }
    }

    /// Wakes the blocks of a box in loaded chunks, without an edit. Returns the number of these
    /// chunks. Resulting changes by rules are undone only if an edit next to them is undone.
    pub fn wake_area(&mut self, area: Box3) -> usize {
        let loaded =
            self.world.positions_in(area).into_iter().filter(|pos| self.world.is_loaded(*pos));
        let part = |pos: ChunkPos| ChangedPart { pos, area: area.intersection(pos.bounds()) };
        let parts: Vec<ChangedPart> = loaded.map(part).collect();
        self.awake.wake(&parts, self.revision);
        parts.len()
    }

    /// Takes the awake blocks for the next save; `None` if they have not changed since the last
    /// one.
    pub fn take_unsaved_awake(&mut self) -> Option<SavedAwake> {
        let history = &mut self.history;
        self.awake.take_unsaved(|pos| history.followed_step(pos))
    }
}
