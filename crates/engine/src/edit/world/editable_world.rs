//! The world of an open map, which only edits and rules change.

use super::awake::AwakeMap;
use super::box_patch::{BoxPatch, Edit};
use super::change::{Change, ChangedPart};
use crate::edit::PreparedEdit;
use crate::history::{ChunkChange, EditRecorder, EditStep, History, UndoCost, UnpackError};
use crate::rules::OpenColumns;
use crate::save::{HistoryChange, SaveError, unix_now};
use crate::voxel::{Box3, ChunkPos, Voxel, linear_index, local};
use crate::world::{Chunk, ChunkTable, World};
use glam::IVec3;
use std::hint::black_box;
use std::sync::Arc;

/// Number of chunks whose memory is read ahead of changing them, so that cache misses overlap.
const READ_AHEAD: usize = 64;
/// Name of edits that are made of boxes.
const BLOCKS: &str = "blocks";

/// The loaded chunks of an open map, and its undo history.
pub struct EditableWorld {
    pub(super) world: World,
    pub(super) history: History,
    pub(super) awake: AwakeMap,
    /// Chunks in which rules may act; `None` for all chunks.
    pub(super) open: Option<Arc<OpenColumns>>,
    /// Chunks that edits have opened to rules since the last [`EditableWorld::take_opened`].
    pub(super) opened: Vec<ChunkPos>,
    /// Records of the chunks that are loaded or were edited.
    records: ChunkTable<ChunkRecord>,
    totals: LoadedTotals,
    /// Revision of the last change of any voxel.
    last_edit: u64,
    /// Revision of the world, which grows whenever a chunk is loaded, changed or unloaded.
    pub(super) revision: u64,
}

/// Revisions and sizes of one chunk.
#[derive(Clone, Copy, Debug, Default)]
struct ChunkRecord {
    /// Revision at which the chunk was loaded or last changed.
    revision: u64,
    /// Revision at which the chunk's voxels last changed; 0 if never.
    last_edit: u64,
    /// Number of the chunk's runs; 0 while it is not loaded.
    runs: u32,
    heap_bytes: u32,
}

/// Totals of the loaded chunks, updated with every change, so that reading them costs nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LoadedTotals {
    /// Number of loaded chunks.
    pub chunks: u64,
    /// Number of runs in all chunks.
    pub runs: u64,
    /// Heap bytes of the chunks' run trees.
    pub heap_bytes: u64,
}

/// Reason why an edit cannot be committed, undone or redone.
#[derive(thiserror::Error, Debug)]
pub enum UndoError {
    /// A chunk cannot be read from the map file.
    #[error(transparent)]
    Fetch(#[from] SaveError),
    /// A chunk is neither loaded nor in the map.
    #[error("chunk {0} is neither loaded nor in the map")]
    Missing(ChunkPos),
    /// The map is read-only.
    #[error("the map is read-only")]
    ReadOnly,
    /// The step cannot be read.
    #[error(transparent)]
    Step(#[from] UnpackError),
    /// Another edit, undo or redo was made after the job began.
    #[error("another edit was made meanwhile")]
    Outdated,
}

impl EditableWorld {
    /// A world without loaded chunks.
    #[must_use]
    pub fn new(history: History) -> EditableWorld {
        EditableWorld {
            world: World::new(),
            history,
            awake: AwakeMap::default(),
            open: None,
            opened: Vec::new(),
            records: ChunkTable::default(),
            totals: LoadedTotals::default(),
            last_edit: 0,
            revision: 0,
        }
    }

    /// Loaded chunks.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Current state of a chunk. `fetch` reads chunks that are not loaded.
    ///
    /// # Errors
    /// The chunk cannot be read, or the map does not contain it.
    pub(super) fn current_chunk(
        &self,
        pos: ChunkPos,
        fetch: &mut impl Fetch,
    ) -> Result<Chunk, UndoError> {
        match self.world.chunk(pos) {
            Some(chunk) => Ok(chunk.clone()),
            None => fetch(pos)?.ok_or(UndoError::Missing(pos)),
        }
    }

    /// The undo history.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Sets the memory limit of the undo history, in bytes.
    pub fn set_history_limit(&mut self, bytes: usize) {
        self.history.set_memory_limit(bytes);
    }

    /// Sets the limit of the packed bytes of all undo steps, which are kept in the map. Beyond the
    /// limit, the oldest steps are dropped.
    pub fn set_history_total_limit(&mut self, bytes: u64) {
        self.history.set_total_limit(bytes);
    }

    /// Cost of an edit for the history: memory, and the older steps that it may drop. Callers ask
    /// before they commit, so that they can warn the player.
    #[must_use]
    pub fn undo_cost(&self, edit: &PreparedEdit) -> UndoCost {
        self.history.cost(&edit.changes)
    }

    /// Takes the history's changes since the last save, for the next save; `None` if there are
    /// none.
    pub fn take_history_change(&mut self) -> Option<HistoryChange> {
        self.history.take_change()
    }

    /// Totals of the loaded chunks.
    #[must_use]
    pub fn totals(&self) -> LoadedTotals {
        self.totals
    }

    /// Revision of the world, which grows when a chunk is loaded, changed or unloaded.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Revision at which a chunk was loaded or last changed; `None` if it is not loaded. Callers
    /// that cache values of chunks compare revisions instead of keeping the chunks.
    #[must_use]
    pub fn chunk_revision(&self, pos: ChunkPos) -> Option<u64> {
        self.records.get(pos).filter(|record| record.is_loaded()).map(|record| record.revision)
    }

    /// Loads a chunk. Does nothing and returns false if the chunk is already loaded.
    pub fn load_chunk(&mut self, pos: ChunkPos, chunk: Chunk) -> bool {
        if self.world.is_loaded(pos) {
            return false;
        }
        self.account(pos, &chunk, false);
        self.world.insert(pos, chunk);
        self.awake.loaded(pos);
        true
    }

    /// Unloads a chunk. The caller must have saved its changes.
    pub fn unload_chunk(&mut self, pos: ChunkPos) {
        self.world.remove(pos);
        self.revision += 1;
        let Some(record) = self.records.get_mut(pos) else { return };
        self.totals.subtract(record);
        (record.runs, record.heap_bytes) = (0, 0);
        if record.last_edit == 0 {
            self.records.remove(pos);
        }
    }

    /// Frees memory that edits have left unused in a chunk. Voxels do not change.
    pub fn shrink_chunk(&mut self, pos: ChunkPos) {
        self.world.shrink(pos);
        if let Some(chunk) = self.world.chunk(pos).cloned() {
            self.account(pos, &chunk, false);
        }
    }

    /// Begins a stroke: all voxels set during a stroke are one step of the history. Does nothing
    /// during a stroke. Every other edit, undo or redo ends the stroke first.
    pub fn begin_stroke(&mut self) {
        if !self.history.in_stroke() {
            self.awake.drop_note(self.history.number_of_next_edit());
        }
        self.history.begin_stroke();
    }

    /// Ends the current stroke, if any.
    pub fn end_stroke(&mut self) {
        self.history.end_stroke();
    }

    /// Sets one voxel, as part of the current stroke or as a step of its own. Does nothing if the
    /// chunk is not loaded.
    pub fn set(&mut self, at: IVec3, voxel: Voxel) -> Change {
        let pos = ChunkPos::containing(at);
        let Some(chunk) = self.world.chunk(pos) else { return Change::default() };
        if chunk.get(linear_index(local(at))) == voxel {
            return Change::default();
        }
        let number = self.history.number_of_next_edit();
        if !self.history.in_stroke() {
            self.awake.drop_note(number);
        }
        self.awake.note_voxel(number, pos);
        self.history.record_voxel(at, chunk, voxel);
        self.world.set(at, voxel);
        let change = self.changed(vec![ChangedPart { pos, area: Box3 { min: at, max: at + 1 } }]);
        self.wake(&change);
        change
    }

    /// Applies an edit and records it as one step of the history. Ignores voxels in chunks that are
    /// not loaded.
    pub fn apply(&mut self, edit: &Edit) -> Change {
        let recorder = EditRecorder::begin(&self.world, edit.patches.iter().map(BoxPatch::area));
        for patch in &edit.patches {
            for pos in self.world.positions_in(patch.area()) {
                if let Some(mut chunk) = self.world.chunk(pos).cloned() {
                    patch.apply_to(pos, &mut chunk);
                    self.world.insert(pos, chunk);
                }
            }
        }
        self.record(recorder)
    }

    /// Applies a finished edit at one moment, as one step of the history. Loads the chunks that it
    /// changes. Where a chunk was changed since the edit's snapshot, the voxels that this edit
    /// changes win and all others keep their current values; `fetch` reads such chunks if they are
    /// not loaded.
    ///
    /// # Errors
    /// A chunk cannot be fetched. The world is then unchanged.
    pub fn commit(&mut self, edit: PreparedEdit, fetch: impl Fetch) -> Result<Change, UndoError> {
        let PreparedEdit { name, changes, .. } = self.merge(edit, fetch)?.run();
        if changes.is_empty() {
            return Ok(Change::default());
        }
        let change =
            self.put(changes.iter().map(|change| (change.area, change.pos, &change.after)));
        if let Some(step) = EditStep::new(name, unix_now(), changes) {
            self.record_step(step, &change);
        }
        Ok(change)
    }

    /// Replaces chunks whose voxels differ inside the given boxes, and loads the missing ones.
    pub(super) fn put<'a>(
        &mut self,
        chunks: impl Iterator<Item = (Box3, ChunkPos, &'a Chunk)> + Clone,
    ) -> Change {
        let mut parts = Vec::with_capacity(chunks.size_hint().0);
        let mut loaded = Vec::new();
        let mut ahead = chunks.clone();
        let mut chunks = chunks;
        loop {
            let read = ahead
                .by_ref()
                .take(READ_AHEAD)
                .map(|(_, pos, chunk)| self.read_ahead(pos, chunk))
                .sum::<usize>();
            if read == 0 {
                return Change { parts, loaded, surface: None };
            }
            for (area, pos, chunk) in chunks.by_ref().take(READ_AHEAD) {
                parts.push(ChangedPart { pos, area });
                self.account(pos, chunk, true);
                if self.world.insert(pos, chunk.clone()).is_none() {
                    loaded.push(pos);
                }
            }
        }
    }

    /// Reads the memory that replacing a chunk will touch. The cache misses of several such reads
    /// overlap; several replacements would wait for each miss in turn. Always returns a positive
    /// number.
    fn read_ahead(&self, pos: ChunkPos, chunk: &Chunk) -> usize {
        let record = self.records.get(pos).map_or(0, |record| record.runs as usize);
        black_box(record + self.world.chunk(pos).map_or(0, Chunk::handle_count));
        chunk.handle_count() + chunk.run_count()
    }

    /// True if no voxel of any chunk has changed since a revision.
    pub(super) fn is_unedited(&self, revision: u64) -> bool {
        self.last_edit <= revision
    }

    /// Number of the given chunks whose voxels have changed since a revision.
    #[must_use]
    pub fn edited_since<'a>(
        &self,
        chunks: impl IntoIterator<Item = &'a ChunkChange>,
        revision: u64,
    ) -> usize {
        if self.is_unedited(revision) {
            return 0;
        }
        chunks.into_iter().filter(|change| !self.is_unedited_since(change.pos, revision)).count()
    }

    /// True if no voxel of a chunk has changed since a revision.
    pub(super) fn is_unedited_since(&self, pos: ChunkPos, revision: u64) -> bool {
        self.is_unedited(revision)
            || self.records.get(pos).is_none_or(|record| record.last_edit <= revision)
    }

    /// Finishes the recording of an edit and adds it to the history.
    fn record(&mut self, recorder: EditRecorder) -> Change {
        let Some(step) = recorder.finish(&self.world, BLOCKS, unix_now()) else {
            return Change::default();
        };
        let chunks = step.chunks();
        let changes = chunks.iter().flat_map(|chunks| chunks.changes.iter());
        let parts =
            changes.map(|change| ChangedPart { pos: change.pos, area: change.area }).collect();
        let change = self.changed(parts);
        self.record_step(step, &change);
        change
    }

    /// Adds a finished edit to the history, and wakes the parts that it changed.
    pub(super) fn record_step(&mut self, step: EditStep, change: &Change) {
        self.history.end_stroke();
        let number = self.history.number_of_next_edit();
        self.awake.note_before(number, change.parts.iter().map(|part| part.pos));
        self.history.record(step, self.revision);
        self.wake(change);
    }

    /// Wakes the parts that an edit changed, and opens their chunks to rules.
    pub(super) fn wake(&mut self, change: &Change) {
        self.awake.wake(&change.parts, self.revision);
        let Some(open) = &mut self.open else { return };
        for part in change.parts.iter().filter(|part| part.area.volume() > 0) {
            if !open.is_open(part.pos) {
                Arc::make_mut(open).open(part.pos);
                self.opened.push(part.pos);
            }
        }
    }

    /// Updates records and totals after loaded chunks have changed.
    pub(super) fn changed(&mut self, parts: Vec<ChangedPart>) -> Change {
        for part in &parts {
            if let Some(chunk) = self.world.chunk(part.pos).cloned() {
                self.account(part.pos, &chunk, true);
            }
        }
        Change { parts, ..Change::default() }
    }

    /// Begins a new revision, and updates the record of a loaded chunk.
    fn account(&mut self, pos: ChunkPos, chunk: &Chunk, is_edited: bool) {
        self.revision += 1;
        if is_edited {
            self.last_edit = self.revision;
        }
        // Fits, because a chunk has at most 32,768 runs.
        let runs = chunk.run_count() as u32;
        let heap_bytes = chunk.heap_bytes() as u32;
        let last_edit = if is_edited { self.revision } else { 0 };
        let now = ChunkRecord { revision: self.revision, last_edit, runs, heap_bytes };
        match self.records.get_mut(pos) {
            Some(record) => {
                self.totals.subtract(record);
                *record = ChunkRecord { last_edit: record.last_edit.max(last_edit), ..now };
            }
            None => drop(self.records.insert(pos, now)),
        }
        self.totals.add(&now);
    }
}

impl ChunkRecord {
    fn is_loaded(&self) -> bool {
        self.runs > 0
    }
}

impl LoadedTotals {
    fn add(&mut self, chunk: &ChunkRecord) {
        self.chunks += u64::from(chunk.is_loaded());
        self.runs += u64::from(chunk.runs);
        self.heap_bytes += u64::from(chunk.heap_bytes);
    }

    fn subtract(&mut self, chunk: &ChunkRecord) {
        self.chunks -= u64::from(chunk.is_loaded());
        self.runs -= u64::from(chunk.runs);
        self.heap_bytes -= u64::from(chunk.heap_bytes);
    }
}

/// Function that reads a chunk that is not loaded from the map; `None` if the map does not contain
/// it.
pub trait Fetch: FnMut(ChunkPos) -> Result<Option<Chunk>, SaveError> {}

impl<F: FnMut(ChunkPos) -> Result<Option<Chunk>, SaveError>> Fetch for F {}
