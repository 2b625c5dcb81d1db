//! Awake blocks of an open map: blocks in which rules may act.
//!
//! Maps are asleep by default: sand that an import left in the air stays there, even when its chunk
//! is loaded. Edits and changes by rules wake the voxels around them. The map file stores the awake
//! blocks, so that sand that was falling when the game ended continues to fall.

use super::change::ChangedPart;
use crate::rules::{BlockSet, blocks_in};
use crate::save::{AwakeChunk, SavedAwake};
use crate::voxel::ChunkPos;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Maximum number of awake chunks for which a note contains all of them. If there are more, a note
/// only contains chunks next to the edit, which bounds its memory.
const MAX_NOTED_CHUNKS: usize = 1024;
/// Maximum number of edits whose notes are kept. A note holds the blocks that were awake before the
/// edit.
const MAX_NOTES: usize = 64;

/// Awake blocks of one chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AwakeBlocks {
    /// Blocks that edits have changed since rules last read them. They wake the blocks around them.
    pub edited: BlockSet,
    /// Blocks in which rules may act.
    pub pending: BlockSet,
}

/// Awake blocks of a map.
#[derive(Debug, Default)]
pub(super) struct AwakeMap {
    chunks: FxHashMap<ChunkPos, AwakeEntry>,
    /// Loaded chunks whose awake blocks have not been passed to the rules yet.
    untaken: FxHashSet<ChunkPos>,
    /// Awake blocks before each of the last edits, by the number of the edit's step.
    notes: BTreeMap<u64, Note>,
    /// True if the awake blocks have changed since the last save.
    is_unsaved: bool,
}

/// Awake blocks before an edit.
#[derive(Debug)]
struct Note {
    /// Blocks of the noted chunks; empty for a chunk that was asleep.
    blocks: FxHashMap<ChunkPos, AwakeBlocks>,
    /// True if `blocks` holds all awake chunks, so a chunk without an entry was asleep.
    is_complete: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct AwakeEntry {
    blocks: AwakeBlocks,
    /// Revision of the world at which an edit last woke the chunk.
    revision: u64,
}

impl AwakeMap {
    /// Restores the awake blocks from a map file.
    pub fn from_saved(saved: &SavedAwake) -> AwakeMap {
        let entry = |chunk: &AwakeChunk| {
            let blocks = AwakeBlocks { edited: chunk.edited, pending: chunk.pending };
            (chunk.pos, AwakeEntry { blocks, revision: 0 })
        };
        AwakeMap { chunks: saved.chunks.iter().map(entry).collect(), ..AwakeMap::default() }
    }

    /// Keeps a note of the awake blocks before the edit with this step number, which changes
    /// `chunks`.
    pub(crate) fn note_before(&mut self, number: u64, chunks: impl Iterator<Item = ChunkPos>) {
        let blocks = |(pos, entry): (&ChunkPos, &AwakeEntry)| (*pos, entry.blocks);
        let is_complete = self.chunks.len() <= MAX_NOTED_CHUNKS;
        let noted = if is_complete {
            self.chunks.iter().map(blocks).collect()
        } else {
            let near: FxHashSet<ChunkPos> =
                chunks.flat_map(|pos| pos.moore_neighbourhood()).collect();
            near.iter().filter_map(|pos| self.chunks.get_key_value(pos)).map(blocks).collect()
        };
        self.notes.insert(number, Note { blocks: noted, is_complete });
        while self.notes.len() > MAX_NOTES {
            self.notes.pop_first();
        }
    }

    /// Begins the note of the edit with this step number, or adds to it: before a change of a voxel
    /// of the chunk at `pos`, which may be one of many voxels of a stroke.
    pub(crate) fn note_voxel(&mut self, number: u64, pos: ChunkPos) {
        if !self.notes.contains_key(&number) {
            self.note_before(number, std::iter::once(pos));
        }
        let Some(note) = self.notes.get_mut(&number).filter(|note| !note.is_complete) else {
            return;
        };
        for near in pos.moore_neighbourhood() {
            // Chunks that are asleep get an entry, too. Otherwise a later voxel of the stroke would
            // note blocks there that the stroke itself has woken.
            note.blocks.entry(near).or_insert_with(|| {
                self.chunks.get(&near).map_or_else(AwakeBlocks::default, |entry| entry.blocks)
            });
        }
    }

    /// Drops the note of the edit with this step number. A stroke that changed nothing leaves its
    /// note to the next edit, which gets its number.
    pub(crate) fn drop_note(&mut self, number: u64) {
        self.notes.remove(&number);
    }

    /// Wakes the parts changed by an edit that led to `revision` of the world.
    pub fn wake(&mut self, parts: &[ChangedPart], revision: u64) {
        for part in parts {
            let entry = self.chunks.entry(part.pos).or_default();
            entry.blocks.edited |= blocks_in(part.area, part.pos);
            entry.revision = revision;
            self.untaken.insert(part.pos);
        }
        self.is_unsaved |= !parts.is_empty();
    }

    /// Restores the awake blocks that the note of step `number` has for `chunks`, which an undo has
    /// changed, and for the chunks around them. Without a note, as after a restart of the game,
    /// these chunks fall asleep.
    pub fn restore(&mut self, number: u64, chunks: impl Iterator<Item = ChunkPos>) {
        let changed: FxHashSet<ChunkPos> = chunks.collect();
        let is_near =
            |pos: &ChunkPos| pos.moore_neighbourhood().any(|near| changed.contains(&near));
        self.chunks.retain(|pos, _| !is_near(pos));
        self.untaken.retain(|pos| !is_near(pos));
        let noted = self.notes.get(&number).into_iter().flat_map(|note| &note.blocks);
        let was_awake = |blocks: &AwakeBlocks| *blocks != AwakeBlocks::default();
        for (&pos, &blocks) in noted.filter(|(pos, blocks)| was_awake(blocks) && is_near(pos)) {
            self.chunks.insert(pos, AwakeEntry { blocks, revision: 0 });
            self.untaken.insert(pos);
        }
        self.is_unsaved = true;
    }

    /// Passes the awake blocks of a chunk that was loaded to the rules.
    pub fn loaded(&mut self, pos: ChunkPos) {
        if self.chunks.contains_key(&pos) {
            self.untaken.insert(pos);
        }
    }

    /// Replaces the awake blocks after steps of rules on a snapshot of `revision`. Chunks that are
    /// not loaded, and chunks that an edit has woken since, keep their blocks.
    pub fn replace(
        &mut self,
        awake: impl IntoIterator<Item = (ChunkPos, BlockSet)>,
        revision: u64,
        is_loaded: impl Fn(ChunkPos) -> bool,
    ) {
        let untaken = &self.untaken;
        let stays = |pos: &ChunkPos, entry: &AwakeEntry| {
            entry.revision > revision || untaken.contains(pos) || !is_loaded(*pos)
        };
        self.chunks.retain(|pos, entry| stays(pos, entry));
        for (pos, pending) in awake {
            self.chunks.entry(pos).or_default().blocks.pending |= pending;
        }
        self.is_unsaved = true;
    }

    /// Takes the awake blocks of chunks that were not passed to the rules yet.
    pub fn take(&mut self) -> Vec<(ChunkPos, AwakeBlocks)> {
        let chunks = &self.chunks;
        self.untaken.drain().filter_map(|pos| Some((pos, chunks.get(&pos)?.blocks))).collect()
    }

    /// All chunks with awake blocks, loaded or not.
    pub fn iter(&self) -> impl Iterator<Item = (ChunkPos, AwakeBlocks)> {
        self.chunks.iter().map(|(pos, entry)| (*pos, entry.blocks))
    }

    /// True if no block is awake.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Takes the awake blocks for the next save; `None` if they have not changed since the last
    /// one. `step_of` returns the number of the history step that woke a chunk, or 0.
    pub(crate) fn take_unsaved(
        &mut self,
        mut step_of: impl FnMut(ChunkPos) -> u64,
    ) -> Option<SavedAwake> {
        if !std::mem::take(&mut self.is_unsaved) {
            return None;
        }
        let chunk = |(pos, AwakeBlocks { edited, pending })| AwakeChunk {
            pos,
            edited,
            pending,
            step: step_of(pos),
        };
        let mut chunks: Vec<AwakeChunk> = self.iter().map(chunk).collect();
        chunks.sort_unstable_by_key(|chunk| chunk.pos);
        Some(SavedAwake { chunks })
    }
}
