//! Functions that create and open map files.

use super::state::MapState;
use crate::save::error::{Damage, SaveError, StructureError};
use crate::save::file::companion_files::follow_link;
use crate::save::file::connection::{begin_writing, is_in_wal_mode, open_read_only, open_writable};
use crate::save::file::file_identity::FileIdentity;
use crate::save::file::lock::MapLock;
use crate::save::file::publish::require_file;
use crate::save::format::header::Header;
use crate::save::format::schema;
use crate::save::recovery::rebuild;
use crate::save::tables::chunk_index::ChunkIndex;
use crate::save::tables::inspect::{InspectError, MapContents, inspect, revision};
use crate::voxel::MaterialTable;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use std::fs::OpenOptions;
use std::path::Path;

/// Creates the file of a new map, with empty tables. The first save fills in the rest.
pub(in crate::save) fn create(
    path: &Path,
    lock: MapLock,
    header: &Header,
    materials: &MaterialTable,
) -> Result<MapState, SaveError> {
    let create_tables = |conn: Connection| {
        conn.execute_batch("BEGIN")?;
        schema::create(&conn)?;
        conn.execute_batch("COMMIT")?;
        begin_writing(&conn)?;
        Ok(conn)
    };
    let conn = open_writable(path)
        .and_then(create_tables)
        .map_err(SaveError::sqlite(path, "create the map"))?;
    let mut index = ChunkIndex::default();
    index.set_materials(materials);
    let contents = MapContents {
        header: header.clone(),
        materials: materials.clone(),
        version: schema::VERSION,
        revision: 0,
        index,
    };
    Ok(MapState::new(path, conn, contents, Some(lock), Some(FileIdentity::from_path(path)?)))
}

/// Creates an empty file. Fails if the file exists, because SQLite would open it.
pub(in crate::save) fn create_empty_file(path: &Path) -> Result<(), SaveError> {
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(_) => Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(SaveError::Exists { path: path.to_owned() })
        }
        Err(e) => Err(SaveError::io(path, "create the map")(e)),
    }
}

/// Implements [`MapFile::open`](crate::save::MapFile::open).
pub(in crate::save) fn open(path: &Path) -> Result<(MapState, Option<Damage>), SaveError> {
    require_file(path)?;
    let path = &follow_link(path);
    let lock = MapLock::acquire(path)?;
    // SQLite would open a write-protected file for reading, and fail only at the first save.
    OpenOptions::new()
        .write(true)
        .open(path)
        .map_err(SaveError::io(path, "open the map for writing"))?;
    let (conn, contents, damage) = match inspect_writable(path) {
        Ok((conn, contents)) => (conn, contents, None),
        Err(InspectError::Broken(reason)) => {
            let damage = rebuild::in_place(path, reason)?;
            let (conn, contents) = inspect_writable(path).map_err(|e| with_path(path, e))?;
            (conn, contents, Some(damage))
        }
        Err(error) => return Err(with_path(path, error)),
    };
    begin_writing(&conn).map_err(SaveError::sqlite(path, "open the map for writing"))?;
    let identity = FileIdentity::from_path(path)?;
    let damage = damage.or_else(|| bad_chunks(path, &contents));
    Ok((MapState::new(path, conn, contents, Some(lock), Some(identity)), damage))
}

/// Implements [`MapFile::open_read_only`](crate::save::MapFile::open_read_only).
pub(in crate::save) fn open_for_reading(
    path: &Path,
) -> Result<(MapState, Option<Damage>), SaveError> {
    require_file(path)?;
    let path = &follow_link(path);
    let error = match inspect_read_only(path) {
        Ok((conn, reader, contents)) => {
            let identity = FileIdentity::from_path(path)?;
            let damage = bad_chunks(path, &contents);
            let map = MapState::new(path, conn, contents, None, Some(identity));
            *map.shared.reader_connection() = Some(reader);
            return Ok((map, damage));
        }
        Err(error) => error,
    };
    let InspectError::Broken(reason) = error else { return Err(with_path(path, error)) };
    let (conn, damage) = rebuild::in_memory(path, reason)?;
    let contents = inspect(&conn).map_err(|e| with_path(path, e))?;
    Ok((MapState::new(path, conn, contents, None, None), Some(damage)))
}

/// Opens two connections that see the map as of the same save, and reads the content. The second
/// connection is for background loads.
fn inspect_read_only(path: &Path) -> Result<(Connection, Connection, MapContents), InspectError> {
    // Another program may save between the two reads. A transaction sees the map as of its first
    // read.
    let (conn, reader) = loop {
        let conn = open_read_only(path)?;
        let reader = open_read_only(path)?;
        conn.execute_batch("BEGIN")?;
        reader.execute_batch("BEGIN")?;
        match (revision(&conn), revision(&reader)) {
            (Ok(first), Ok(second)) if first != second => {}
            _ => break (conn, reader),
        }
    };
    let contents = inspect(&conn)?;
    // Without WAL, open transactions would make a game that saves wait until this map is closed.
    if !is_in_wal_mode(&conn)? {
        conn.execute_batch("COMMIT")?;
        reader.execute_batch("COMMIT")?;
    }
    Ok((conn, reader, contents))
}

/// Connects for writing and inspects the map. Keeps the log of a broken map.
fn inspect_writable(path: &Path) -> Result<(Connection, MapContents), InspectError> {
    let conn = open_writable(path)?;
    // The log of a broken map must stay, because it may hold what the file has lost.
    let keep_log = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
    conn.set_db_config(keep_log, true)?;
    let contents = inspect(&conn)?;
    if conn.is_readonly("main")? {
        return Err(InspectError::Broken(StructureError::WriteForbidden));
    }
    conn.set_db_config(keep_log, false)?;
    Ok((conn, contents))
}

/// Converts the error of a map at `path` that cannot be opened.
fn with_path(path: &Path, error: InspectError) -> SaveError {
    match error {
        InspectError::Broken(reason) => SaveError::NotAMap { path: path.to_owned(), reason },
        InspectError::TooNew(found) => SaveError::TooNew { path: path.to_owned(), found },
        InspectError::Environment(source) => SaveError::sqlite(path, "open the map")(source),
    }
}

/// Describes the bad chunks of a map whose structure is sound; `None` if every chunk is sound, too.
fn bad_chunks(path: &Path, contents: &MapContents) -> Option<Damage> {
    let bad = contents.index.bad();
    let chunks = contents.index.len() as u64;
    (!bad.is_empty()).then(|| Damage {
        path: path.to_owned(),
        expected: Some(chunks),
        sound: chunks - bad.len() as u64,
        bad,
        sound_materials: contents.materials.len() as u64,
        ..Damage::default()
    })
}
