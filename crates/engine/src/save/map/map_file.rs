//! An open map, with the methods for all operations on it.

use super::baked::{self, BakedView};
use super::compact::{CompactReport, compact};
use super::file_check;
use super::idle_compaction::IdleCompaction;
use super::map_changes::{MapChanges, SaveReport};
use super::open;
use super::reader::{MapReader, load_chunk};
use super::state::MapState;
use super::transaction;
use crate::save::error::{Damage, SaveError};
use crate::save::file::companion_files::remove_logs;
use crate::save::file::connection::{disable_journal, open_beside_writer};
use crate::save::file::file_identity::FileIdentity;
use crate::save::file::lock::MapLock;
use crate::save::format::awake_record::SavedAwake;
use crate::save::format::header::Header;
use crate::save::format::history_record::HistoryError;
use crate::save::format::places::Places;
use crate::save::format::record_error::RecordError;
use crate::save::format::saved_rules::SavedRules;
use crate::save::tables::history_change::SavedHistory;
use crate::save::tables::history_rows;
use crate::save::tables::region_change::SavedRegions;
use crate::save::tables::region_rows;
use crate::save::tables::rows::{
    read_awake, read_creatures, read_picture, read_places, read_rules,
};
use crate::save::tables::table_sizes::{TableBytes, table_sizes};
use crate::save::tables::totals::Totals;
use crate::visibility::bake::BakedSets;
use crate::voxel::{ChunkPos, MaterialTable};
use crate::world::Chunk;
use rusqlite::Connection;
use rusqlite::backup::Backup;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// An open map file, either for reading, or for writing with a lock against other writers.
///
/// ```
/// use stonerun_engine::save::{Header, MapChanges, MapFile};
/// use stonerun_engine::voxel::{ChunkPos, MaterialTable, Voxel};
/// use stonerun_engine::world::Chunk;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("home.stonerun");
/// let header = Header::new(42, "void", 0);
/// let materials = MaterialTable::builtin();
/// let pos = ChunkPos::new(0, 4, 0);
/// let chunk = Chunk::uniform(Voxel::full(1));
///
/// let mut map = MapFile::create(&path, &header, &materials)?;
/// let chunks = vec![(pos, chunk.clone())];
/// map.save(&MapChanges::new(chunks, header, materials))?;
/// map.close()?;
///
/// let map = MapFile::open(&path)?.map;
/// assert_eq!(map.load(pos)?, Some(chunk));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct MapFile {
    state: MapState,
}

/// A map that was opened, and the damage found in it.
#[derive(Debug)]
pub struct OpenedMap {
    /// The map.
    pub map: MapFile,
    /// Lost and bad parts; `None` if every record is sound.
    pub damage: Option<Damage>,
}

impl MapFile {
    /// Creates a map and opens it for writing.
    ///
    /// # Errors
    /// The file exists, or its folder cannot be written.
    pub fn create(
        path: &Path,
        header: &Header,
        materials: &MaterialTable,
    ) -> Result<MapFile, SaveError> {
        let lock = MapLock::acquire(path)?;
        open::create_empty_file(path)?;
        let created = open::create(path, lock, header, materials).and_then(|state| {
            let mut map = MapFile { state };
            map.save(&MapChanges::new(Vec::new(), header.clone(), materials.clone()))?;
            Ok(map)
        });
        if created.is_err() {
            let _ = std::fs::remove_file(path);
            remove_logs(path);
        }
        created
    }

    /// Opens a map for writing, after reading and checking every record. Bad chunks are reported,
    /// and the others load. If the damage goes further, the map is rebuilt from its sound records,
    /// and the damaged file is kept under another name.
    ///
    /// # Errors
    /// The file does not exist, is open in another program, cannot be written, has a later format,
    /// or nothing in it can be recovered.
    pub fn open(path: &Path) -> Result<OpenedMap, SaveError> {
        let (state, damage) = open::open(path)?;
        Ok(OpenedMap { map: MapFile { state }, damage })
    }

    /// Opens a map for reading. Another program may have it open, and its folder need not be
    /// writable. If the damage goes beyond single chunks, the map is rebuilt in memory.
    ///
    /// # Errors
    /// The errors of [`MapFile::open`].
    pub fn open_read_only(path: &Path) -> Result<OpenedMap, SaveError> {
        let (state, damage) = open::open_for_reading(path)?;
        Ok(OpenedMap { map: MapFile { state }, damage })
    }

    /// Saves `changes` in one transaction: an error leaves the file unchanged. When it returns, the
    /// data survive a killed process and a power loss.
    ///
    /// # Errors
    /// The disk is full, the file is gone or cannot be written, the material table does not extend
    /// the map's table, or something exceeds a limit of the format.
    pub fn save(&mut self, changes: &MapChanges) -> Result<SaveReport, SaveError> {
        transaction::save(&mut self.state, changes)
    }

    /// Closes the map: it becomes one plain file again, and its readers stop. Dropping the map does
    /// the same but ignores errors.
    ///
    /// # Errors
    /// The log cannot be folded into the file (nothing is lost, and the next open folds it), or the
    /// file is gone.
    pub fn close(self) -> Result<(), SaveError> {
        file_check::close(&self.state)
    }

    /// Closes the map like [`MapFile::close`], and returns its lock: until the caller drops the
    /// lock, no other program can open the map for writing. `None` for a map opened for reading.
    pub(in crate::save) fn close_and_keep_lock(mut self) -> Result<Option<MapLock>, SaveError> {
        file_check::close(&self.state)?;
        Ok(self.state.lock.take())
    }

    /// Returns the header as of the last save.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.state.header
    }

    /// Returns the material table: the map's indices, with the game's appearance for names that the
    /// game knows.
    #[must_use]
    pub fn materials(&self) -> &MaterialTable {
        &self.state.materials
    }

    /// The map's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.state.path()
    }

    /// True if the map is open for reading only.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.state.lock.is_none()
    }

    /// True if the map has a chunk at `pos`, sound or bad.
    #[must_use]
    pub fn contains(&self, pos: ChunkPos) -> bool {
        self.state.shared.index(|index| index.contains(pos))
    }

    /// Returns the positions of all chunks, sorted, bad ones included.
    #[must_use]
    pub fn positions(&self) -> Vec<ChunkPos> {
        self.state.shared.index(|index| index.positions())
    }

    /// Loads the chunk at `pos`; `None` if the map has no such chunk.
    ///
    /// # Errors
    /// [`SaveError::BadChunk`] if the chunk's record is bad; another error if the file cannot be
    /// read.
    pub fn load(&self, pos: ChunkPos) -> Result<Option<Chunk>, SaveError> {
        load_chunk(&self.state.shared, pos, |fetch| fetch(&self.state.conn))
    }

    /// Creates a reader for other threads. It works until the map is closed.
    ///
    /// # Errors
    /// The file cannot be opened a second time.
    pub fn reader(&self) -> Result<MapReader, SaveError> {
        let shared = &self.state.shared;
        let mut connection = shared.reader_connection();
        if connection.is_none() {
            *connection = Some(self.second_connection()?);
        }
        Ok(MapReader::new(Arc::clone(shared)))
    }

    /// Opens the readers' connection.
    fn second_connection(&self) -> Result<Connection, SaveError> {
        if self.state.identity.is_some() {
            // Not as an immutable file, because such a connection would miss later saves.
            return open_beside_writer(self.path()).map_err(SaveError::sqlite(self.path(), "read"));
        }
        // A map that was rebuilt in memory differs from its file, so readers get a copy.
        let copy = || {
            let mut copy = Connection::open_in_memory()?;
            Backup::new(&self.state.conn, &mut copy)?.run_to_completion(
                1024,
                Duration::ZERO,
                None,
            )?;
            Ok(copy)
        };
        copy().map_err(SaveError::sqlite(self.path(), "copy the map in memory"))
    }

    /// Reads the picture for the title screen, as PNG; `None` if there is none or its record is
    /// bad. A save with a picture replaces a bad record.
    #[must_use]
    pub fn picture(&self) -> Option<Vec<u8>> {
        read_picture(&self.state.conn).ok()?
    }

    /// Reads the named places; empty if there are none.
    ///
    /// # Errors
    /// The record of the places is bad. The rest of the map is not affected, and the next save that
    /// changes the places moves the record into the quarantine.
    pub fn places(&self) -> Result<Places, RecordError> {
        read_places(&self.state.conn)
    }

    /// Reads the map's own rules, and the number of the next rule step.
    ///
    /// # Errors
    /// The record of the rules is bad. The rest of the map is not affected, and the next save that
    /// changes the rules moves the record into the quarantine.
    pub fn rules(&self) -> Result<SavedRules, RecordError> {
        read_rules(&self.state.conn)
    }

    /// Reads the creatures in their own encoding; `None` without a record.
    ///
    /// # Errors
    /// The errors of [`MapFile::rules`].
    pub fn creatures(&self) -> Result<Option<Vec<u8>>, RecordError> {
        read_creatures(&self.state.conn)
    }

    /// Reads the awake blocks, in which rules may act.
    ///
    /// # Errors
    /// The errors of [`MapFile::rules`].
    pub fn awake(&self) -> Result<SavedAwake, RecordError> {
        read_awake(&self.state.conn)
    }

    /// Reads the list of the named regions. Checks every record, with one in memory at a time.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn regions(&self) -> Result<SavedRegions, SaveError> {
        region_rows::list(&self.state.conn)
            .map_err(SaveError::sqlite(self.path(), "read the named regions"))
    }

    /// Reads the undo history, without the changes of its steps. Checks every record, with one in
    /// memory at a time.
    ///
    /// # Errors
    /// The history as a whole is unusable. The rest of the map is not affected, and the next save
    /// replaces the history.
    pub fn history(&self) -> Result<SavedHistory, HistoryError> {
        history_rows::read(&self.state.conn, &self.state.materials)
    }

    /// Returns the sums over the chunks, and the size of the file.
    ///
    /// # Errors
    /// The size of the file cannot be read.
    pub fn totals(&self) -> Result<Totals, SaveError> {
        self.state.shared.totals()
    }

    /// Returns the size of each table, the largest first. The write-ahead log does not count.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn tables(&self) -> Result<Vec<TableBytes>, SaveError> {
        table_sizes(&self.state.conn).map_err(SaveError::sqlite(self.path(), "measure its tables"))
    }

    /// Encodes each chunk in its smallest codec, if that makes its record smaller, and frees unused
    /// pages.
    ///
    /// `progress` receives the finished part, from 0 to 1, and decides whether to continue.
    /// Finished chunks stay compacted, even after an error or a cancellation.
    ///
    /// # Errors
    /// The map is open for reading only, or the disk is full.
    pub fn compact(
        &mut self,
        progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
    ) -> Result<CompactReport, SaveError> {
        compact(&mut self.state, progress)
    }

    /// Does one part of the work of idle compaction. Returns false once nothing is left to do.
    ///
    /// # Errors
    /// The map is open for reading only, or the disk is full.
    pub(in crate::save) fn compact_some(
        &mut self,
        idle: &mut IdleCompaction,
    ) -> Result<bool, SaveError> {
        idle.step(&mut self.state)
    }

    /// Returns the positions, sorted, of the chunks whose baked visibility for view distance
    /// `view`, in chunks, is up to date: it covers all chunks in view, and the present opaque
    /// materials.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn baked(&self, view: i32) -> Result<Vec<ChunkPos>, SaveError> {
        baked::baked_chunks(&self.state, view)
    }

    /// Returns the view distances with up-to-date baked visibility (as in [`MapFile::baked`]), the
    /// shortest first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn baked_views(&self) -> Result<Vec<BakedView>, SaveError> {
        baked::views(&self.state)
    }

    /// Reads the baked visible sets of the chunk at `pos`, which may be outdated, and the size of
    /// their record in bytes; `None` if the chunk is not baked.
    ///
    /// # Errors
    /// The record is bad, or the file cannot be read.
    pub fn visibility(&self, pos: ChunkPos) -> Result<Option<(BakedSets, u64)>, SaveError> {
        baked::visible_sets(&self.state, pos)
    }

    /// Stores the visible sets of some chunks in one transaction, and replaces their earlier sets.
    ///
    /// # Errors
    /// The errors of [`MapFile::save`].
    pub fn save_visibility(&mut self, sets: &[(ChunkPos, BakedSets)]) -> Result<(), SaveError> {
        baked::save(&mut self.state, sets)
    }

    /// Turns off the journal and the wait for the disk. Makes saves faster, but is safe only for a
    /// map that gets its name once it is complete.
    pub(in crate::save) fn disable_journal(&mut self) -> Result<(), SaveError> {
        let path = self.state.path();
        disable_journal(&self.state.conn).map_err(SaveError::sqlite(path, "create the map"))?;
        self.state.identity = Some(FileIdentity::from_path(path)?);
        Ok(())
    }

    pub(in crate::save) fn state(&self) -> &MapState {
        &self.state
    }

    pub(in crate::save) fn state_mut(&mut self) -> &mut MapState {
        &mut self.state
    }
}

impl Drop for MapFile {
    fn drop(&mut self) {
        let _ = file_check::close(&self.state);
    }
}
