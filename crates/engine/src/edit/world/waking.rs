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

    /// All awake blocks, also in chunks that are not loaded.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::History;
    use crate::save::{AwakeChunk, SaveError};
    use crate::voxel::Voxel;
    use crate::world::Chunk;
    use glam::IVec3;

    const STONE: Voxel = Voxel::full(1);

    fn missing(_: ChunkPos) -> Result<Option<Chunk>, SaveError> {
        Ok(None)
    }

    /// A row of air chunks along x. Of the first `2 * awake` places, every second has an awake
    /// block.
    fn world(awake: i32) -> EditableWorld {
        let chunk =
            |x| AwakeChunk { pos: ChunkPos::new(2 * x, 0, 0), edited: 0, pending: 2, step: 0 };
        let saved = SavedAwake { chunks: (0..awake).map(chunk).collect() };
        let mut world = EditableWorld::new(History::new(usize::MAX)).with_awake(&saved, None);
        for x in 0..30 {
            world.load_chunk(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::AIR));
        }
        world
    }

    fn awake(world: &EditableWorld) -> Vec<(ChunkPos, AwakeBlocks)> {
        let mut awake: Vec<_> = world.awake().collect();
        awake.sort_unstable_by_key(|(pos, _)| *pos);
        awake
    }

    fn set(world: &mut EditableWorld, chunk: i32, voxel: Voxel) {
        let change = world.set(IVec3::new(32 * chunk + 9, 5, 5), voxel);
        assert_eq!(change.parts.len(), 1);
    }

    #[test]
    fn undo_of_a_stroke_restores_the_awake_blocks_around_all_its_voxels() {
        for count in [20, 2000] {
            let mut world = world(count);
            let before = awake(&world);
            world.begin_stroke();
            for chunk in [2, 3, 4, 20] {
                set(&mut world, chunk, STONE);
            }
            assert_ne!(awake(&world), before);
            world.undo(missing).expect("in memory");
            assert_eq!(awake(&world), before, "{count} awake chunks");
        }
    }

    #[test]
    fn stroke_without_changes_leaves_no_note_to_the_next_stroke() {
        for count in [20, 2000] {
            let mut world = world(count);
            world.begin_stroke();
            set(&mut world, 3, STONE);
            set(&mut world, 3, Voxel::AIR);
            world.end_stroke();
            world.wake_area(Box3 { min: IVec3::new(160, 20, 0), max: IVec3::new(161, 21, 1) });
            let before = awake(&world);
            world.begin_stroke();
            set(&mut world, 4, STONE);
            world.undo(missing).expect("in memory");
            assert_eq!(awake(&world), before, "{count} awake chunks");
        }
    }
}
