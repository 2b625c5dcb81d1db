//! A reader for other threads, which works while the map is being saved.
//!
//! Readers use a second connection, because in WAL mode its reads do not wait for a save. The open
//! map owns the connection and closes it first: a map becomes one plain file again only if no other
//! connection is open.

use super::baked;
use super::shared::SharedMap;
use crate::save::error::SaveError;
use crate::save::error::reason::sqlite_words;
use crate::save::file::connection::is_content_error;
use crate::save::format::chunk_record;
use crate::save::format::frame::{self, RecordKind};
use crate::save::format::history_record::StepBody;
use crate::save::format::record_error::RecordError;
use crate::save::tables::chunk_index::ChunkIndex;
use crate::save::tables::history_rows;
use crate::save::tables::region_change::SavedRegions;
use crate::save::tables::region_rows;
use crate::save::tables::rows::RECORD_BY_ID;
use crate::save::tables::table_sizes::{TableBytes, table_sizes};
use crate::save::tables::totals::Totals;
use crate::visibility::bake::BakedChunk;
use crate::voxel::{Box3, ChunkPos, MaterialId};
use crate::world::Chunk;
use rusqlite::{Connection, OptionalExtension};
use std::path::Path;
use std::sync::Arc;

/// Loads chunks of an open map from any thread. Clones share one connection.
///
/// After the map is closed, every call returns [`SaveError::Closed`].
#[derive(Clone, Debug)]
pub struct MapReader {
    shared: Arc<SharedMap>,
}

impl MapReader {
    pub(in crate::save) fn new(shared: Arc<SharedMap>) -> MapReader {
        MapReader { shared }
    }

    /// Loads the chunk at `pos`; `None` if the map has no such chunk. Threads take turns to read
    /// bytes, but each decodes its chunk on its own.
    ///
    /// # Errors
    /// The chunk's record is bad, the file cannot be read, or the map is closed.
    pub fn load(&self, pos: ChunkPos) -> Result<Option<Chunk>, SaveError> {
        load_chunk(&self.shared, pos, |fetch| self.shared.through_reader(fetch))
    }

    /// Returns the positions of all saved chunks, sorted, bad ones included.
    #[must_use]
    pub fn positions(&self) -> Vec<ChunkPos> {
        self.shared.index(|index| index.positions())
    }

    /// Returns a box that contains the positions of all saved chunks but may be larger; `None` for
    /// an empty map.
    #[must_use]
    pub fn bounds(&self) -> Option<Box3> {
        self.shared.index(|index| index.bounds())
    }

    /// Loads the baked visibility of the chunk at `pos`, with the chunks that it accounts for;
    /// `None` if the chunk is not baked, or was baked with other rules or opaque materials.
    ///
    /// Edits that are not saved yet may have made the result wrong.
    ///
    /// # Errors
    /// The record is bad, the file cannot be read, or the map is closed.
    pub fn baked(&self, pos: ChunkPos) -> Result<Option<BakedChunk>, SaveError> {
        baked::load(&self.shared, pos)
    }

    /// Reads the changes of an undo step, packed; `None` if the map does not hold the step.
    ///
    /// # Errors
    /// The record is bad, the file cannot be read, or the map is closed.
    pub fn step(&self, number: u64) -> Result<Option<StepBody>, SaveError> {
        let path = self.path();
        let read = |conn: &Connection| {
            history_rows::read_body(conn, number)
                .map_err(SaveError::sqlite(path, "read an undo step"))
        };
        let bad = |reason| SaveError::BadStep { path: path.to_owned(), number, reason };
        self.shared.through_reader(read)?.transpose().map_err(bad)
    }

    /// Reads the list of the named regions. Checks every record, with one in memory at a time.
    ///
    /// # Errors
    /// The file cannot be read, or the map is closed.
    pub fn regions(&self) -> Result<SavedRegions, SaveError> {
        let fail = SaveError::sqlite(self.path(), "read the named regions");
        self.shared.through_reader(|conn| region_rows::list(conn).map_err(fail))
    }

    /// Reads the bytes of the region `name`, in upper or lower case; `None` without a sound record.
    ///
    /// # Errors
    /// The file cannot be read, or the map is closed.
    pub fn region(&self, name: &str) -> Result<Option<Vec<u8>>, SaveError> {
        let fail = SaveError::sqlite(self.path(), "read a named region");
        self.shared.through_reader(|conn| region_rows::load(conn, name).map_err(fail))
    }

    /// Returns the size of each table, the largest first. The write-ahead log does not count.
    ///
    /// # Errors
    /// The file cannot be read, or the map is closed.
    pub fn tables(&self) -> Result<Vec<TableBytes>, SaveError> {
        let fail = SaveError::sqlite(self.path(), "measure its tables");
        self.shared.through_reader(|conn| table_sizes(conn).map_err(fail))
    }

    /// Returns the sums over the chunks, and the size of the file.
    ///
    /// # Errors
    /// The size of the file cannot be read.
    pub fn totals(&self) -> Result<Totals, SaveError> {
        self.shared.totals()
    }

    /// Returns the heap size in bytes of the index of chunks.
    #[must_use]
    pub fn index_bytes(&self) -> u64 {
        self.shared.index(|index| index.heap_bytes())
    }

    /// Returns a gas or liquid of the map in which `chunk` has liquid; `None` if there is none.
    #[must_use]
    pub(crate) fn wet_fluid(&self, chunk: &Chunk) -> Option<MaterialId> {
        self.shared.index(|index| index.wet_fluid(chunk))
    }

    /// The map's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.shared.path
    }
}

/// Reads a chunk's record through a connection.
type Fetch<'a> = &'a dyn Fn(&Connection) -> Result<Option<Vec<u8>>, SaveError>;

/// Loads a chunk. `through` calls its argument with a connection.
pub(in crate::save) fn load_chunk(
    shared: &SharedMap,
    pos: ChunkPos,
    through: impl FnOnce(Fetch<'_>) -> Result<Option<Vec<u8>>, SaveError>,
) -> Result<Option<Chunk>, SaveError> {
    let Some(entry) = shared.index(|index| index.get(pos)) else { return Ok(None) };
    // Marked in the index, so that a save that replaces the record moves it into the quarantine
    // first.
    let bad = |reason: RecordError| {
        shared.index_mut().mark_bad(pos, reason.clone());
        SaveError::BadChunk { path: shared.path.clone(), pos, reason }
    };
    if !pos.in_world() {
        return Err(bad(RecordError::OutsideWorld));
    }
    let bytes = through(&|conn| {
        let found = conn
            .prepare_cached(RECORD_BY_ID)
            .and_then(|mut s| s.query_row([entry.id], |row| row.get::<_, Vec<u8>>(0)).optional());
        match found {
            Err(e) if is_content_error(&e) => Err(bad(RecordError::Sqlite(sqlite_words(&e)))),
            other => other.map_err(SaveError::sqlite(&shared.path, "read a chunk")),
        }
    })?;
    let Some(bytes) = bytes else { return Err(bad(RecordError::MissingRow)) };
    let record = frame::parse_as(&bytes, RecordKind::Chunk, pos).map_err(|e| bad(e.into()))?;
    // A newer record is right: a save may have ended since the index was read.
    let found = record.frame.revision;
    if found < entry.revision {
        return Err(bad(RecordError::OldRevision { found, expected: entry.revision }));
    }
    let materials = shared.index(ChunkIndex::materials);
    let chunk = chunk_record::read(&record, materials).map_err(&bad)?;
    match shared.index(|index| index.wet_fluid(&chunk)) {
        Some(material) => Err(bad(RecordError::WetFluid(material))),
        None => Ok(Some(chunk)),
    }
}
