//! The world of an open map, changed by edits only.

use super::PreparedEdit;
use super::change::{Change, ChangedPart};
use super::region_patch::{Edit, RegionPatch};
use crate::history::{ApplyError, Direction, EditRecorder, EditStep, History};
use crate::save::{HistoryChange, SaveError};
use crate::voxel::{Box3, ChunkPos, Voxel, linear_index, local};
use crate::world::{Chunk, World};
use glam::IVec3;
use rustc_hash::FxHashMap;

/// The loaded chunks of an open map, and what can be undone and redone.
pub struct EditableWorld {
    world: World,
    history: History,
    /// What is known of each loaded chunk.
    loaded: FxHashMap<ChunkPos, LoadedChunk>,
    totals: LoadedTotals,
    /// Revision of the last edit of each chunk that was edited, loaded or not.
    last_edits: FxHashMap<ChunkPos, u64>,
    /// Number of the last change of any chunk.
    revision: u64,
}

/// Bookkeeping of one loaded chunk.
#[derive(Clone, Copy, Debug)]
struct LoadedChunk {
    /// Revision in which the chunk was loaded or last changed.
    revision: u64,
    runs: u64,
    heap_bytes: u64,
}

/// Sums over the loaded chunks. They are kept current: both figures are known without looking at
/// the voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LoadedTotals {
    /// Number of loaded chunks.
    pub chunks: u64,
    /// Number of runs in all of them.
    pub runs: u64,
    /// Heap bytes of their run trees.
    pub heap_bytes: u64,
}

/// Why an edit cannot be committed, undone or redone.
#[derive(thiserror::Error, Debug)]
pub enum UndoError {
    /// A chunk cannot be read from the map.
    #[error(transparent)]
    Fetch(#[from] SaveError),
    /// A chunk is neither loaded nor in the map.
    #[error("chunk {0} is neither loaded nor in the map")]
    Missing(ChunkPos),
    /// The map can only be looked at.
    #[error("the map can only be looked at")]
    ReadOnly,
    /// The step cannot be applied.
    #[error(transparent)]
    Apply(#[from] ApplyError),
}

impl EditableWorld {
    /// A world with nothing loaded.
    #[must_use]
    pub fn new(history: History) -> EditableWorld {
        EditableWorld {
            world: World::new(),
            history,
            loaded: FxHashMap::default(),
            totals: LoadedTotals::default(),
            last_edits: FxHashMap::default(),
            revision: 0,
        }
    }

    /// The loaded chunks.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What can be undone and redone.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Sets the memory limit of the undo history, in bytes.
    pub fn set_history_limit(&mut self, bytes: usize) {
        self.history.set_memory_limit(bytes);
    }

    /// What the next save has to write of the history; `None` if it has not changed since the last
    /// save.
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
        self.loaded.get(&pos).map(|loaded| loaded.revision)
    }

    /// Loads a chunk. A chunk that is loaded already stays as it is. Returns whether `chunk` was
    /// loaded.
    pub fn load_chunk(&mut self, pos: ChunkPos, chunk: Chunk) -> bool {
        if self.world.is_loaded(pos) {
            return false;
        }
        self.world.insert(pos, chunk);
        self.account(pos);
        true
    }

    /// Unloads a chunk. The caller makes sure that its changes are saved.
    pub fn unload_chunk(&mut self, pos: ChunkPos) {
        self.world.remove(pos);
        self.account(pos);
    }

    /// Gives back memory that edits have left unused in a chunk. Its voxels stay the same.
    pub fn shrink_chunk(&mut self, pos: ChunkPos) {
        self.world.shrink(pos);
        self.account(pos);
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

    /// Sets one voxel, as part of the open stroke or as a step of its own. Does nothing if its chunk
    /// is not loaded.
    pub fn set(&mut self, at: IVec3, voxel: Voxel) -> Change {
        let pos = ChunkPos::containing(at);
        let Some(chunk) = self.world.chunk(pos) else { return Change::default() };
        if chunk.get(linear_index(local(at))) == voxel {
            return Change::default();
        }
        self.history.record_voxel(at, chunk, voxel);
        self.world.set(at, voxel);
        self.changed(vec![ChangedPart { pos, area: Box3 { min: at, max: at + 1 } }])
    }

    /// Applies an edit and records it as one step of the history. Voxels in chunks that are not
    /// loaded stay as they are.
    pub fn apply(&mut self, edit: &Edit) -> Change {
        let recorder = EditRecorder::begin(&self.world, edit.patches.iter().map(RegionPatch::area));
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
    /// loaded are loaded. Where another edit has changed a chunk since the snapshot, the voxels that
    /// this edit changes win and the others stay; `fetch` reads such a chunk if it is not loaded.
    ///
    /// # Errors
    /// A chunk cannot be fetched. Nothing has changed.
    pub fn commit(&mut self, edit: PreparedEdit, mut fetch: impl Fetch) -> Result<Change, UndoError> {
        let mut changes = Vec::with_capacity(edit.changes.len());
        for change in edit.changes {
            let pos = change.pos;
            if self.last_edits.get(&pos).is_none_or(|&revision| revision <= edit.revision) {
                changes.push(change);
                continue;
            }
            let current = match self.world.chunk(pos) {
                Some(chunk) => chunk.clone(),
                None => fetch(pos)?.ok_or(UndoError::Missing(pos))?,
            };
            changes.extend(change.onto(current));
        }
        let Some(step) = EditStep::from_changes(&changes) else { return Ok(Change::default()) };
        let loaded = changes.iter().map(|change| change.pos).filter(|&pos| !self.world.is_loaded(pos)).collect();
        let parts = changes.iter().map(|change| ChangedPart { pos: change.pos, area: change.area }).collect();
        for change in changes {
            self.world.insert(change.pos, change.after);
        }
        self.history.record(step);
        Ok(Change { loaded, ..self.changed(parts) })
    }

    /// Adds what was recorded to the history.
    fn record(&mut self, recorder: EditRecorder) -> Change {
        let Some(step) = recorder.finish(&self.world) else { return Change::default() };
        let parts = parts(&step);
        self.history.record(step);
        self.changed(parts)
    }

    /// Undoes the last edit. `fetch` reads chunks of it that are not loaded. Returns `None` if
    /// there is nothing to undo.
    ///
    /// # Errors
    /// A chunk cannot be fetched. Then nothing changes, and the edit stays the next one to undo.
    pub fn undo(&mut self, fetch: impl Fetch) -> Result<Option<Change>, UndoError> {
        self.step(Direction::Undo, fetch)
    }

    /// Redoes the edit that was undone last. `fetch` reads chunks of it that are not loaded.
    /// Returns `None` if there is nothing to redo.
    ///
    /// # Errors
    /// A chunk cannot be fetched. Then nothing changes, and the edit stays the next one to redo.
    pub fn redo(&mut self, fetch: impl Fetch) -> Result<Option<Change>, UndoError> {
        self.step(Direction::Redo, fetch)
    }

    /// [`EditableWorld::undo`] or [`EditableWorld::redo`].
    ///
    /// # Errors
    /// As for these.
    pub fn step(&mut self, direction: Direction, mut fetch: impl Fetch) -> Result<Option<Change>, UndoError> {
        self.history.end_stroke();
        let Some(step) = self.history.next_step(direction) else { return Ok(None) };
        let parts = parts(step);
        let mut fetched = Vec::new();
        for ChangedPart { pos, .. } in parts.iter().filter(|part| !self.world.is_loaded(part.pos)) {
            fetched.push((*pos, fetch(*pos)?.ok_or(UndoError::Missing(*pos))?));
        }
        let loaded: Vec<ChunkPos> = fetched.iter().map(|(pos, _)| *pos).collect();
        for (pos, chunk) in fetched {
            self.world.insert(pos, chunk);
        }
        if let Err(error) = step.apply(&mut self.world, direction) {
            loaded.into_iter().for_each(|pos| drop(self.world.remove(pos)));
            return Err(error.into());
        }
        self.history.mark_applied(direction);
        Ok(Some(Change { loaded, ..self.changed(parts) }))
    }

    /// Accounts for changed parts.
    fn changed(&mut self, parts: Vec<ChangedPart>) -> Change {
        for part in &parts {
            self.account(part.pos);
            self.last_edits.insert(part.pos, self.revision);
        }
        Change { parts, loaded: Vec::new() }
    }

    /// Begins a new revision, and brings the bookkeeping of a chunk up to date.
    fn account(&mut self, pos: ChunkPos) {
        self.revision += 1;
        let (runs, heap_bytes) = match self.world.chunk(pos) {
            Some(chunk) => (chunk.run_count() as u64, chunk.heap_bytes() as u64),
            None => {
                if let Some(old) = self.loaded.remove(&pos) {
                    self.totals.subtract(&old);
                }
                return;
            }
        };
        let now = LoadedChunk { revision: self.revision, runs, heap_bytes };
        if let Some(old) = self.loaded.insert(pos, now) {
            self.totals.subtract(&old);
        }
        self.totals.add(&now);
    }
}

impl LoadedTotals {
    fn add(&mut self, chunk: &LoadedChunk) {
        self.chunks += 1;
        self.runs += chunk.runs;
        self.heap_bytes += chunk.heap_bytes;
    }

    fn subtract(&mut self, chunk: &LoadedChunk) {
        self.chunks -= 1;
        self.runs -= chunk.runs;
        self.heap_bytes -= chunk.heap_bytes;
    }
}

/// Reads a chunk that is not loaded from the map; `None` if the map does not hold it.
pub trait Fetch: FnMut(ChunkPos) -> Result<Option<Chunk>, SaveError> {}

impl<F: FnMut(ChunkPos) -> Result<Option<Chunk>, SaveError>> Fetch for F {}

/// The parts that a step changes.
fn parts(step: &EditStep) -> Vec<ChangedPart> {
    step.patches().map(|patch| ChangedPart { pos: patch.pos(), area: patch.area() }).collect()
}
