//! The state of an open map that its readers share: the index, and a second connection.

use crate::save::error::SaveError;
use crate::save::file::companion_files::log_bytes;
use crate::save::tables::chunk_index::ChunkIndex;
use crate::save::tables::totals::Totals;
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard};

/// Index and readers' connection of an open map.
#[derive(Debug)]
pub(in crate::save) struct SharedMap {
    pub path: PathBuf,
    pub index: RwLock<ChunkIndex>,
    /// Revision of a map opened for reading, at the time of opening; `None` for a map opened for
    /// writing.
    pub(crate) read_at: Option<u32>,
    /// The readers' connection; `None` before the first reader is created and after the map is
    /// closed.
    pub(crate) connection: Mutex<Option<Connection>>,
}

impl SharedMap {
    /// Calls `with` with the index. Ignores a poisoned lock, because no change of the index can
    /// panic halfway.
    pub(in crate::save) fn index<T>(&self, with: impl FnOnce(&ChunkIndex) -> T) -> T {
        with(&self.index.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Locks the index for writing.
    pub(in crate::save) fn index_mut(&self) -> RwLockWriteGuard<'_, ChunkIndex> {
        self.index.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the readers' connection.
    pub(in crate::save) fn reader_connection(&self) -> MutexGuard<'_, Option<Connection>> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `read` with the readers' connection, which stays locked meanwhile.
    pub(in crate::save) fn through_reader<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, SaveError>,
    ) -> Result<T, SaveError> {
        let guard = self.reader_connection();
        read(guard.as_ref().ok_or_else(|| SaveError::Closed { path: self.path.clone() })?)
    }

    /// Returns the sums over the chunks, and the size of the file.
    pub(in crate::save) fn totals(&self) -> Result<Totals, SaveError> {
        let main = std::fs::metadata(&self.path)
            .map_err(SaveError::io(&self.path, "read the file's size"))?;
        Ok(Totals {
            file_bytes: main.len() + log_bytes(&self.path),
            ..self.index(ChunkIndex::totals)
        })
    }
}
