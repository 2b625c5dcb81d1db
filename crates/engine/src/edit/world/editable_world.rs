//! The world of an open map, which only edits change.

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

/// Chunks whose memory is read before they are changed, so that cache misses overlap.
const READ_AHEAD: usize = 64;
/// Name of edits that consist of boxes.
const BLOCKS: &str = "blocks";

/// The loaded chunks of an open map, with their undo history.
pub struct EditableWorld {
    pub(super) world: World,
    pub(super) history: History,
    pub(super) awake: AwakeMap,
    /// The chunks in which rules may act; `None` for all.
    pub(super) open: Option<Arc<OpenColumns>>,
    /// Chunks that edits have opened to rules since they were taken.
    pub(super) opened: Vec<ChunkPos>,
    /// Bookkeeping of each chunk that is loaded or was edited.
    records: ChunkTable<ChunkRecord>,
    totals: LoadedTotals,
    /// Revision of the last edit of any chunk.
    last_edit: u64,
    /// Number of the last change of any chunk.
    pub(super) revision: u64,
}

/// Bookkeeping of one chunk.
#[derive(Clone, Copy, Debug, Default)]
struct ChunkRecord {
    /// Revision in which the chunk was loaded or last changed.
    revision: u64,
    /// Revision of the chunk's last edit; 0 if it was not edited.
    last_edit: u64,
    /// Number of the chunk's runs; 0 while it is not loaded.
    runs: u32,
    heap_bytes: u32,
}

/// Sums over the loaded chunks, updated with every change, so that reading them costs nothing.
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
    /// A chunk cannot be read from the map.
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
    /// Another edit, undo or redo was made since the job began.
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

    /// The loaded chunks.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// A chunk as it is now. `fetch` reads it if it is not loaded.
    ///
    /// # Errors
    /// The chunk cannot be read, or the map does not hold it.
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

    /// Sets the limit of the packed bytes of all steps, which the map holds. Beyond it the oldest
    /// steps are dropped.
    pub fn set_history_total_limit(&mut self, bytes: u64) {
        self.history.set_total_limit(bytes);
    }

    /// Memory and steps that the history would lose to an edit. Ask before committing the edit,
    /// which drops the oldest steps beyond the total limit.
    #[must_use]
    pub fn undo_cost(&self, edit: &PreparedEdit) -> UndoCost {
        self.history.cost(&edit.changes)
    }

    /// Takes the change of the history for the next save; `None` without one since the last save.
    pub fn take_history_change(&mut self) -> Option<HistoryChange> {
        self.history.take_change()
    }

    /// Sums over the loaded chunks.
    #[must_use]
    pub fn totals(&self) -> LoadedTotals {
        self.totals
    }

    /// Revision of the loaded chunks. It grows when a chunk is loaded, changed or unloaded.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Revision in which a chunk was loaded or last changed; `None` if it is not loaded. Callers
    /// that keep figures of chunks compare revisions instead of keeping the chunks.
    #[must_use]
    pub fn chunk_revision(&self, pos: ChunkPos) -> Option<u64> {
        self.records.get(pos).filter(|record| record.is_loaded()).map(|record| record.revision)
    }

    /// Loads a chunk. Returns false if one is loaded there already, which stays as it is.
    pub fn load_chunk(&mut self, pos: ChunkPos, chunk: Chunk) -> bool {
        if self.world.is_loaded(pos) {
            return false;
        }
        self.account(pos, &chunk, false);
        self.world.insert(pos, chunk);
        self.awake.loaded(pos);
        true
    }

    /// Unloads a chunk. The caller makes sure that its changes are saved.
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

    /// Frees memory that edits have left unused in a chunk. Its voxels stay the same.
    pub fn shrink_chunk(&mut self, pos: ChunkPos) {
        self.world.shrink(pos);
        if let Some(chunk) = self.world.chunk(pos).cloned() {
            self.account(pos, &chunk, false);
        }
    }

    /// Begins a stroke: voxels set from here on are one step of the history. Keeps a stroke that is
    /// open. Every other edit, undo and redo ends the stroke first.
    pub fn begin_stroke(&mut self) {
        self.history.begin_stroke();
    }

    /// Ends the open stroke, if any.
    pub fn end_stroke(&mut self) {
        self.history.end_stroke();
    }

    /// Sets one voxel, as part of the open stroke or as a step of its own. Does nothing if its
    /// chunk is not loaded.
    pub fn set(&mut self, at: IVec3, voxel: Voxel) -> Change {
        let pos = ChunkPos::containing(at);
        let Some(chunk) = self.world.chunk(pos) else { return Change::default() };
        if chunk.get(linear_index(local(at))) == voxel {
            return Change::default();
        }
        let number = self.history.number_of_next_edit();
        if !self.history.in_stroke() || !self.awake.has_note(number) {
            self.awake.note_before(number, std::iter::once(pos));
        }
        self.history.record_voxel(at, chunk, voxel);
        self.world.set(at, voxel);
        let change = self.changed(vec![ChangedPart { pos, area: Box3 { min: at, max: at + 1 } }]);
        self.wake(&change);
        change
    }

    /// Applies an edit and records it as one step of the history. Voxels in chunks that are not
    /// loaded stay as they are.
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

    /// Applies a finished edit at one moment, as one step of the history. Chunks of it that are not
    /// loaded are loaded. Where another edit has changed a chunk since the snapshot, the voxels
    /// that this edit changes win and the others stay; `fetch` reads such a chunk if it is not
    /// loaded.
    ///
    /// # Errors
    /// A chunk cannot be fetched. Nothing has changed.
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

    /// Puts chunks into the world whose voxels differ within boxes.
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
                return Change { parts, loaded };
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

    /// Reads the memory that putting a chunk into the world touches. The cache misses of several
    /// such reads overlap, those of the changes themselves do not. Returns a number above 0.
    fn read_ahead(&self, pos: ChunkPos, chunk: &Chunk) -> usize {
        let record = self.records.get(pos).map_or(0, |record| record.runs as usize);
        black_box(record + self.world.chunk(pos).map_or(0, Chunk::handle_count));
        chunk.handle_count() + chunk.run_count()
    }

    /// True if no edit has changed any chunk since a revision.
    pub(super) fn is_unedited(&self, revision: u64) -> bool {
        self.last_edit <= revision
    }

    /// Number of these chunks that edits have changed since a revision.
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

    /// True if no edit has changed a chunk since a revision.
    pub(super) fn is_unedited_since(&self, pos: ChunkPos, revision: u64) -> bool {
        self.is_unedited(revision)
            || self.records.get(pos).is_none_or(|record| record.last_edit <= revision)
    }

    /// Adds the edit of a recorder to the history.
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

    /// Adds a finished edit to the history, and wakes the parts that it has changed.
    fn record_step(&mut self, step: EditStep, change: &Change) {
        self.history.end_stroke();
        let number = self.history.number_of_next_edit();
        self.awake.note_before(number, change.parts.iter().map(|part| part.pos));
        self.history.record(step, self.revision);
        self.wake(change);
    }

    /// Lets rules act on the parts that an edit has changed.
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

    /// Updates the bookkeeping after changes of loaded chunks.
    pub(super) fn changed(&mut self, parts: Vec<ChangedPart>) -> Change {
        for part in &parts {
            if let Some(chunk) = self.world.chunk(part.pos).cloned() {
                self.account(part.pos, &chunk, true);
            }
        }
        Change { parts, loaded: Vec::new() }
    }

    /// Begins a new revision, and brings the bookkeeping of a loaded chunk up to date.
    fn account(&mut self, pos: ChunkPos, chunk: &Chunk, is_edited: bool) {
        self.revision += 1;
        if is_edited {
            self.last_edit = self.revision;
        }
        // A chunk has at most 32768 runs.
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

/// Reads a chunk that is not loaded from the map; `None` if the map does not hold it.
pub trait Fetch: FnMut(ChunkPos) -> Result<Option<Chunk>, SaveError> {}

impl<F: FnMut(ChunkPos) -> Result<Option<Chunk>, SaveError>> Fetch for F {}
