//! Loads chunks in the background, beside a map that is being saved.
//!
//! A second connection: in WAL mode a read waits for no save. It belongs to the open map, which closes it
//! when it is closed itself, because a map can only become one plain file again when nobody else has it open.

use super::chunks;
use super::error::SaveError;
use super::frame::{self, Kind};
use super::index::Index;
use super::schema::{self, is_content};
use super::types::Totals;
use crate::voxel::ChunkPos;
use crate::world::Chunk;
use rusqlite::{Connection, OptionalExtension};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The one statement by which chunks are read, when the map is checked as well as later.
pub(super) const RECORD_BY_ID: &str = "SELECT record FROM chunk WHERE id = ?1";

/// What an open map and its readers have in common.
#[derive(Debug)]
pub(super) struct Shared {
    pub path: PathBuf,
    pub index: RwLock<Index>,
    /// Of a map that is open for reading only, the number of the save that it was read at.
    pub read_at: Option<u32>,
    /// The readers' connection; none once the map is closed.
    pub connection: Mutex<Option<Connection>>,
}

impl Shared {
    /// Runs `with` on the index. A panic elsewhere while it was held cannot have left it half changed.
    pub(super) fn index<T>(&self, with: impl FnOnce(&Index) -> T) -> T {
        with(&self.index.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Shared {
    /// Sums over the chunks, and the file's size.
    pub(super) fn totals(&self) -> Result<Totals, SaveError> {
        let main = std::fs::metadata(&self.path).map_err(SaveError::io(&self.path, "read the file's size"))?;
        Ok(Totals { file_bytes: main.len() + schema::log_bytes(&self.path), ..self.index(Index::totals) })
    }
}

/// Loads chunks of an open map from any thread; clones share one connection.
///
/// After the map is closed every load says so.
#[derive(Clone, Debug)]
pub struct MapReader {
    pub(super) shared: Arc<Shared>,
}

impl MapReader {
    /// The chunk at `pos`; none if the map has no such chunk. The bytes are read one at a time, and decoded
    /// on as many threads as ask.
    ///
    /// # Errors
    /// Its record is bad, the file cannot be read, or the map is closed.
    pub fn load(&self, pos: ChunkPos) -> Result<Option<Chunk>, SaveError> {
        load(&self.shared, pos, |fetch| self.through(fetch))
    }

    /// Calls `read` with the readers' connection.
    pub(super) fn through<T>(&self, read: impl FnOnce(&Connection) -> Result<T, SaveError>) -> Result<T, SaveError> {
        let guard = self.shared.connection.lock().unwrap_or_else(PoisonError::into_inner);
        read(guard.as_ref().ok_or_else(|| SaveError::Closed { path: self.shared.path.clone() })?)
    }

    /// The map's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.shared.path
    }
}

/// Fetches a record through a connection.
type Fetch<'a> = &'a dyn Fn(&Connection) -> Result<Option<Vec<u8>>, SaveError>;

/// Loads a chunk; `through` calls what it is given with a connection.
pub(super) fn load(
    shared: &Shared,
    pos: ChunkPos,
    through: impl FnOnce(Fetch<'_>) -> Result<Option<Vec<u8>>, SaveError>,
) -> Result<Option<Chunk>, SaveError> {
    let Some(entry) = shared.index(|index| index.get(pos)) else { return Ok(None) };
    // Remembered, so that a save that replaces the record sets it aside first.
    let bad = |reason: String| {
        shared.index.write().unwrap_or_else(PoisonError::into_inner).mark_bad(pos, reason.clone());
        SaveError::BadChunk { path: shared.path.clone(), pos, reason }
    };
    if !pos.in_world() {
        return Err(bad("it lies outside the world".to_owned()));
    }
    let bytes = through(&|conn| {
        let found = conn
            .prepare_cached(RECORD_BY_ID)
            .and_then(|mut s| s.query_row([entry.id], |row| row.get::<_, Vec<u8>>(0)).optional());
        match found {
            Err(e) if is_content(&e) => Err(bad(e.to_string())),
            other => other.map_err(SaveError::sqlite(&shared.path, "read a chunk")),
        }
    })?;
    let Some(bytes) = bytes else { return Err(bad("its row is missing".to_owned())) };
    let record = frame::parse_as(&bytes, Kind::Chunk, pos).map_err(bad)?;
    // Newer is right: a save may have ended between the two look-ups.
    if record.prefix.revision < entry.revision {
        return Err(bad(format!("it is of save {}, not {}", record.prefix.revision, entry.revision)));
    }
    let materials = shared.index(Index::materials);
    chunks::read(&record, materials).map(Some).map_err(bad)
}
