//! Unsaved changes, and the background saves that write them.

use super::edits::Edits;
use super::open_map::OpenMap;
use super::work_counters::WorkCounters;
use bevy::platform::cell::SyncCell;
use bevy::prelude::Resource;
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};
use stonerun_engine::metrics::{VoxelOps, VoxelTask};
use stonerun_engine::save::autosave::{self, EditAges};
use stonerun_engine::save::{
    CloseReport, MapChanges, MapWriter, Places, RegionChange, SaveError, SaveReport, SavedRules,
    unix_now,
};
use stonerun_engine::voxel::ChunkPos;
use stonerun_engine::world::Chunk;

/// Maximum number of chunks whose unused memory a save frees.
const SHRUNK_PER_SAVE: usize = 32;
/// Maximum number of chunks whose unused memory a frame without edits frees.
const SHRUNK_PER_FRAME: usize = 2;
/// Time without edits after which frames free unused memory of edited chunks.
const QUIET: Duration = Duration::from_secs(1);

/// Unsaved changes of the open map, and the state of its saves.
#[derive(Resource)]
pub struct SaveQueue {
    /// Thread that writes the map's file.
    writer: SyncCell<MapWriter>,
    /// False for a read-only map.
    saves: bool,
    /// Chunks that differ from the map's file.
    unsaved: FxHashSet<ChunkPos>,
    /// Chunks that are being written. They stay loaded until the save is on the disk.
    saving: FxHashSet<ChunkPos>,
    /// Chunks that were written since the map was opened.
    saved: FxHashSet<ChunkPos>,
    /// Edited chunks that may have unused memory. Freeing it takes up to 0.1 ms per chunk.
    slack: FxHashSet<ChunkPos>,
    /// Times of the first and the last edit that no save has included; `None` without such edits.
    edit_times: Option<EditTimes>,
    /// Time since the last save began.
    since_save: Duration,
    /// A new picture of the map for the title screen, PNG.
    picture: Option<Vec<u8>>,
    /// Named places that the map's file does not hold.
    places: Option<Places>,
    /// The map's own rules, and the number of the next step.
    rules: SavedRules,
    /// True if `rules` differs from what the map's file holds.
    rules_changed: bool,
    /// Encoded creatures, if they differ from those in the map's file.
    creatures: Option<Vec<u8>>,
    /// Changes of named regions that the map's file does not hold.
    regions: Vec<RegionChange>,
    /// True if the player has requested a save whose outcome is not known yet.
    player_waits: bool,
    /// The last save that succeeded.
    last_save: Option<LastSave>,
    /// Reason why the last save failed, one line; `None` if it succeeded.
    failure: Option<String>,
}

/// A save that succeeded.
#[derive(Clone, Copy, Debug)]
pub struct LastSave {
    /// Report of the save.
    pub report: SaveReport,
    /// Time at which the save finished. An `Instant`, because the wall clock may be changed
    /// meanwhile.
    pub finished: Instant,
}

/// Outcome of a save.
pub struct SaveOutcome {
    /// Report of the save, or the error.
    pub result: Result<SaveReport, SaveError>,
    /// True if the player has asked for the save.
    pub player_waits: bool,
}

impl SaveQueue {
    /// The queue of a map without unsaved changes.
    #[must_use]
    pub fn new(writer: MapWriter) -> SaveQueue {
        SaveQueue {
            writer: SyncCell::new(writer),
            saves: true,
            unsaved: FxHashSet::default(),
            saving: FxHashSet::default(),
            saved: FxHashSet::default(),
            slack: FxHashSet::default(),
            edit_times: None,
            since_save: Duration::ZERO,
            picture: None,
            places: None,
            rules: SavedRules::default(),
            rules_changed: false,
            creatures: None,
            regions: Vec::new(),
            player_waits: false,
            last_save: None,
            failure: None,
        }
    }

    /// The queue of a read-only map, which never saves.
    #[must_use]
    pub fn without_saves(writer: MapWriter) -> SaveQueue {
        let mut queue = SaveQueue::new(writer);
        queue.saves = false;
        queue
    }

    /// Records a generated chunk, which the map's file does not hold although it was not edited.
    /// Saving it keeps it unchanged when a later version generates other terrain.
    pub fn note_generated(&mut self, pos: ChunkPos) {
        if self.saves {
            self.unsaved.insert(pos);
        }
    }

    /// Notes a chunk that was edited.
    pub(super) fn note_edit(&mut self, pos: ChunkPos) {
        if self.saves {
            self.unsaved.insert(pos);
            self.slack.insert(pos);
            self.note_time();
        }
    }

    /// Notes a change of the surface of a material. Like an edit, this makes a save due.
    pub(super) fn note_surface(&mut self) {
        if self.saves {
            self.note_time();
        }
    }

    /// Frees unused memory of a few edited chunks. Does nothing while the player is building,
    /// because the next edits would allocate it again.
    pub fn shrink_some(&mut self, edits: &mut Edits) {
        if self.edit_times.is_none_or(|times| times.last.elapsed() >= QUIET) {
            self.shrink(edits, SHRUNK_PER_FRAME);
        }
    }

    fn shrink(&mut self, edits: &mut Edits, max_chunks: usize) {
        let some: Vec<ChunkPos> = self.slack.iter().copied().take(max_chunks).collect();
        for pos in some {
            self.slack.remove(&pos);
            edits.world.shrink_chunk(pos);
        }
    }

    fn note_time(&mut self) {
        let now = Instant::now();
        self.edit_times =
            Some(EditTimes { first: self.edit_times.map_or(now, |times| times.first), last: now });
    }

    /// Sets the rules that the map's file holds.
    #[must_use]
    pub fn with_saved_rules(mut self, rules: SavedRules) -> SaveQueue {
        self.rules = rules;
        self
    }

    /// Sets the number of the next step of the rules. The next save writes it.
    pub fn set_next_step(&mut self, step: u64) {
        self.rules_changed |= self.rules.next_step != step;
        self.rules.next_step = step;
    }

    /// Sets the map's own rules. The next save writes them.
    pub fn set_own_rules(&mut self, text: String) {
        if self.rules.text != text {
            self.rules_changed = true;
            self.rules.text = text;
        }
    }

    /// Sets the creatures that the next save writes. If `is_edit`, that save is due as soon as
    /// after an edit.
    pub fn set_creatures(&mut self, creatures: Vec<u8>, is_edit: bool) {
        if self.saves {
            self.creatures = Some(creatures);
            if is_edit {
                self.note_time();
            }
        }
    }

    /// Encoded creatures that the next save writes, if any.
    #[must_use]
    pub fn creatures(&self) -> Option<&[u8]> {
        self.creatures.as_deref()
    }

    /// Sets the named places that the next save writes. Like an edit, this makes a save due.
    pub fn set_places(&mut self, places: Places) {
        if self.saves {
            self.places = Some(places);
            self.note_time();
        }
    }

    /// Adds a change of a named region to the next save. Like an edit, this makes a save due.
    pub fn change_region(&mut self, change: RegionChange) {
        if self.saves {
            self.regions.push(change);
            self.note_time();
        }
    }

    /// Sets the picture of the map that the next save writes.
    pub fn set_picture(&mut self, png: Vec<u8>) {
        if self.saves {
            self.picture = Some(png);
        }
    }

    /// True if a chunk must stay loaded, because it is not on the disk yet.
    #[must_use]
    pub fn needs(&self, pos: ChunkPos) -> bool {
        self.unsaved.contains(&pos) || self.saving.contains(&pos)
    }

    /// True if a chunk differs from the map's file.
    #[must_use]
    pub fn is_unsaved(&self, pos: ChunkPos) -> bool {
        self.unsaved.contains(&pos)
    }

    /// Number of chunks that differ from the map's file.
    #[must_use]
    pub fn unsaved(&self) -> usize {
        self.unsaved.len()
    }

    /// Number of chunks that are being written.
    #[must_use]
    pub fn saving(&self) -> usize {
        self.saving.len()
    }

    /// Number of chunks that were written since the map was opened.
    #[must_use]
    pub fn saved(&self) -> usize {
        self.saved.len()
    }

    /// The chunks with their save state. A chunk that was changed again during or after its save is
    /// unsaved.
    pub fn states(&self) -> impl Iterator<Item = (ChunkPos, SaveState)> {
        let unsaved = self.unsaved.iter().map(|pos| (*pos, SaveState::Unsaved));
        let saving = self
            .saving
            .iter()
            .filter(|pos| !self.unsaved.contains(*pos))
            .map(|pos| (*pos, SaveState::Saving));
        let saved =
            self.saved.iter().filter(|pos| !self.needs(**pos)).map(|pos| (*pos, SaveState::Saved));
        unsaved.chain(saving).chain(saved)
    }

    /// The last save that succeeded.
    #[must_use]
    pub fn last_save(&self) -> Option<LastSave> {
        self.last_save
    }

    /// Reason why the last save failed; `None` if it succeeded.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// True while a save runs.
    #[must_use]
    pub fn is_busy(&mut self) -> bool {
        self.writer.get().busy()
    }

    /// Advances the time; returns true if the autosave policy requests a save.
    pub fn is_due(&mut self, elapsed: Duration) -> bool {
        self.since_save += elapsed;
        if !self.saves {
            return false;
        }
        let edits = self
            .edit_times
            .map(|times| EditAges { first: times.first.elapsed(), last: times.last.elapsed() });
        // After a failed save its chunks are unsaved again. They do not count, so that the next
        // attempt waits for the usual interval.
        let unsaved = if self.failure.is_some() { 0 } else { self.unsaved.len() };
        autosave::is_due(self.since_save, edits, unsaved)
    }

    /// Passes all unsaved changes to the background writer. Does nothing for a read-only map.
    pub fn begin(&mut self, map: &mut OpenMap, edits: &mut Edits, work: &mut WorkCounters) {
        if !self.saves {
            return;
        }
        let changes = self.take_changes(map, edits, work);
        self.since_save = Duration::ZERO;
        self.writer.get().save(changes);
    }

    /// Marks the next successful save to be reported to the player.
    pub fn notify_player(&mut self) {
        self.player_waits = true;
    }

    /// Removes and returns the reason why a backup was not made, if there is one.
    #[must_use]
    pub fn next_backup_failure(&mut self) -> Option<String> {
        self.writer.get().poll_backup_failure()
    }

    /// Removes and returns the outcome of a finished save; `None` if no save has finished.
    pub fn next_outcome(&mut self) -> Option<SaveOutcome> {
        let result = self.writer.get().poll()?;
        let mut player_waits = false;
        match &result {
            Ok(report) => {
                self.last_save = Some(LastSave { report: *report, finished: Instant::now() });
                self.failure = None;
                // If another save is running, it is not known which of the chunks belong to it, so
                // all stay in `saving`.
                if !self.writer.get().busy() {
                    self.saved.extend(self.saving.drain());
                }
                player_waits = std::mem::take(&mut self.player_waits);
            }
            Err(error) => self.failed(error),
        }
        Some(SaveOutcome { result, player_waits })
    }

    /// Saves everything, waits until it is on the disk, and closes the map's file.
    ///
    /// # Errors
    /// Part of the changes could not be saved. Nothing is lost, and the map stays open.
    pub fn close(
        &mut self,
        map: &mut OpenMap,
        edits: &mut Edits,
        work: &mut WorkCounters,
    ) -> Result<CloseReport, SaveError> {
        self.begin(map, edits, work);
        let closed = self.writer.get().close();
        if let Err(error) = &closed {
            // The queued outcomes belong to the save that has failed with this error.
            while self.writer.get().poll().is_some() {}
            self.failed(error);
        }
        closed
    }

    /// Records that a save failed. Its chunks are unsaved again.
    fn failed(&mut self, error: &SaveError) {
        self.unsaved.extend(self.saving.drain());
        self.failure = Some(error.to_string());
    }

    /// Removes and returns all unsaved changes. Their chunks count as being saved until the save
    /// ends.
    fn take_changes(
        &mut self,
        map: &mut OpenMap,
        edits: &mut Edits,
        work: &mut WorkCounters,
    ) -> MapChanges {
        self.shrink(edits, SHRUNK_PER_SAVE);
        self.edit_times = None;
        if self.saving.is_empty() {
            self.saving = std::mem::take(&mut self.unsaved);
        } else {
            self.saving.extend(self.unsaved.drain());
        }
        let world = edits.world();
        let chunks: Vec<(ChunkPos, Chunk)> = self
            .saving
            .iter()
            .filter_map(|&pos| world.chunk(pos).map(|chunk| (pos, chunk.clone())))
            .collect();
        for (_, chunk) in &chunks {
            work.add(VoxelTask::Saving, VoxelOps::chunk_walk(chunk.run_count() as u64));
        }
        map.header.saved_unix = unix_now();
        MapChanges {
            chunks,
            header: map.header.clone(),
            materials: edits.with_surfaces(&map.materials),
            picture: self.picture.take(),
            history: edits.world.take_history_change(),
            places: self.places.take(),
            rules: std::mem::take(&mut self.rules_changed).then(|| self.rules.clone()),
            creatures: self.creatures.take(),
            awake: edits.world.take_unsaved_awake(),
            regions: std::mem::take(&mut self.regions),
        }
    }
}

/// Times of the first and the last of some edits.
#[derive(Clone, Copy)]
struct EditTimes {
    first: Instant,
    last: Instant,
}

/// Save state of a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SaveState {
    /// Differs from the map's file.
    Unsaved,
    /// Being written.
    Saving,
    /// Written to the disk.
    Saved,
}

impl Drop for SaveQueue {
    fn drop(&mut self) {
        // Closes the file however the game ends, so that the map is a single file again. Errors are
        // ignored: a save on leaving has reported its own, and leaving without saving needs no
        // report.
        let _ = self.writer.get().close();
    }
}

#[cfg(test)]
pub(in crate::game) mod tests;
