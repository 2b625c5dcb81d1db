//! The state of an open map: the connection that writes, its lock, and the last save.

use super::shared::SharedMap;
use crate::save::file::file_identity::FileIdentity;
use crate::save::file::lock::MapLock;
use crate::save::format::header::Header;
use crate::save::tables::inspect::MapContents;
use crate::voxel::MaterialTable;
use rusqlite::Connection;
use std::path::Path;
use std::sync::{Arc, Mutex, RwLock};

/// State of an open map, on which all operations work.
#[derive(Debug)]
pub(in crate::save) struct MapState {
    // Fields drop in this order: the connection closes before the lock is released.
    pub conn: Connection,
    pub shared: Arc<SharedMap>,
    pub header: Header,
    pub materials: MaterialTable,
    /// Version of the file's layout.
    pub version: u32,
    /// Number of the last save.
    pub revision: u32,
    /// Lock against other writers; `None` if the map is open for reading.
    pub lock: Option<MapLock>,
    /// Identities of the files that were opened; `None` if the map was rebuilt in memory.
    pub(crate) identity: Option<FileIdentity>,
}

impl MapState {
    pub(in crate::save) fn new(
        path: &Path,
        conn: Connection,
        contents: MapContents,
        lock: Option<MapLock>,
        identity: Option<FileIdentity>,
    ) -> MapState {
        let MapContents { header, materials, version, revision, index } = contents;
        let shared = Arc::new(SharedMap {
            path: path.to_owned(),
            index: RwLock::new(index),
            read_at: lock.is_none().then_some(revision),
            connection: Mutex::new(None),
        });
        MapState { conn, shared, header, materials, version, revision, lock, identity }
    }

    pub(in crate::save) fn path(&self) -> &Path {
        &self.shared.path
    }
}
