//! Checks before and after each save that the map's path still leads to the open file.
//!
//! Reactions:
//!
//! | finding | reaction |
//! |---|---|
//! | log without its name | the log is folded into the map, and a new log begins |
//! | map's file missing | the save fails, so the file can be put back; the next writes all again |
//! | folder or disk missing | saves fail until it is back: the path may lead to another disk now |
//! | another file with the name | saves fail until that file is moved; it is never overwritten |

use super::state::MapState;
use crate::save::error::SaveError;
use crate::save::file::companion_files::{REBUILDING, remove_logs, with_suffix};
use crate::save::file::connection::{
    begin_writing, disable_journal, end_writing, open_beside_writer, open_writable,
};
use crate::save::file::file_identity::{FileIdentity, NameState};
use crate::save::file::publish::{publish, remove_if_exists};
use rusqlite::Connection;
use rusqlite::backup::Backup;
use rusqlite::config::DbConfig;
use std::sync::Arc;
use std::time::Duration;

/// Checks that the map is open for writing and that its path leads to its file. Writes the whole
/// file again if the last save already found it missing.
pub(in crate::save) fn require_writable(map: &mut MapState) -> Result<(), SaveError> {
    let path = map.path().to_owned();
    if map.lock.is_none() {
        return Err(SaveError::ReadOnly { path });
    }
    if map.identity.is_some_and(|identity| identity.was_missing)
        && name_state(map)? == NameState::Missing
    {
        recreate(map)?;
    }
    require_in_place(map)?;
    map.lock.as_mut().map_or(Ok(()), |lock| lock.renew(&path))
}

/// Checks that the map's path still leads to its file and log.
pub(in crate::save) fn require_in_place(map: &mut MapState) -> Result<(), SaveError> {
    let state = name_state(map)?;
    if let Some(identity) = &mut map.identity {
        identity.was_missing = state == NameState::Missing;
    }
    match state {
        NameState::Same => Ok(()),
        NameState::LogMissing => renew_log(map),
        other => Err(not_in_place(map, other)),
    }
}

/// True if the map is open for writing and its path leads to its file. Unlike [`require_writable`],
/// changes nothing.
pub(in crate::save) fn is_writable_in_place(map: &MapState) -> Result<bool, SaveError> {
    Ok(map.lock.is_some() && name_state(map)? == NameState::Same)
}

/// Compares the files that now have the map's names with the open files.
fn name_state(map: &MapState) -> Result<NameState, SaveError> {
    // A map that was rebuilt in memory has no file that could be lost.
    map.identity.map_or(Ok(NameState::Same), |identity| identity.compare(map.path()))
}

/// Returns the error of a save while the map's path does not lead to its file.
fn not_in_place(map: &MapState, state: NameState) -> SaveError {
    let path = map.path().to_owned();
    match state {
        NameState::FolderMissing => SaveError::FolderGone { path },
        NameState::Replaced => SaveError::Replaced { path },
        NameState::Same | NameState::LogMissing | NameState::Missing => SaveError::Gone { path },
    }
}

/// Folds the log, which has lost its name, into the file and begins a new log.
fn renew_log(map: &mut MapState) -> Result<(), SaveError> {
    let shared = Arc::clone(&map.shared);
    let fail = |e| SaveError::sqlite(&shared.path, "renew the map's log")(e);
    // SQLite ends a log only if no other connection has the map open.
    let mut reader = shared.reader_connection();
    let had_reader = reader.take().is_some();
    let renewed = end_writing(&map.conn).and_then(|()| begin_writing(&map.conn));
    if had_reader {
        *reader = Some(open_beside_writer(&shared.path).map_err(fail)?);
    }
    renewed.map_err(fail)?;
    map.identity = Some(FileIdentity::from_path(&shared.path)?);
    Ok(())
}

/// Writes the map, as of its last save, to a new file with its name. The missing file exists
/// without a name while it is open, so its content can be copied.
fn recreate(map: &mut MapState) -> Result<(), SaveError> {
    let shared = Arc::clone(&map.shared);
    let path = shared.path.as_path();
    let fail = |e| SaveError::sqlite(path, "write the whole map again")(e);
    let new = with_suffix(path, REBUILDING);
    remove_if_exists(&new)?;
    let copy = || {
        let mut to = Connection::open(&new)?;
        // Safe, because the file has no name yet; `publish` synchronises it.
        disable_journal(&to)?;
        Backup::new(&map.conn, &mut to)?.run_to_completion(1024, Duration::ZERO, None)?;
        to.close().map_err(|(_, e)| e)
    };
    let published = copy().map_err(fail).and_then(|()| {
        // A log with the map's name is this map's or an orphan, and the copy has its content.
        remove_logs(path);
        publish(&new, path)
    });
    if published.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    published?;
    let open = || {
        let conn = open_writable(path)?;
        begin_writing(&conn)?;
        let mut reader = shared.reader_connection();
        let reopened = reader.is_some().then(|| open_beside_writer(path)).transpose()?;
        *reader = reopened;
        Ok(conn)
    };
    let opened = open().map_err(fail).and_then(|conn| Ok((conn, FileIdentity::from_path(path)?)));
    if opened.is_err() {
        let _ = std::fs::remove_file(path);
        remove_logs(path);
    }
    let (conn, identity) = opened?;
    let old = std::mem::replace(&mut map.conn, conn);
    let _ = old.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    map.identity = Some(identity);
    Ok(())
}

/// Closes the readers' connection and, if the map is open for writing, folds the log into the file.
pub(in crate::save) fn close(map: &MapState) -> Result<(), SaveError> {
    *map.shared.reader_connection() = None;
    if map.lock.is_none() {
        return Ok(());
    }
    let state = name_state(map)?;
    if matches!(state, NameState::Same | NameState::LogMissing) {
        return end_writing(&map.conn).map_err(SaveError::sqlite(map.path(), "close the map"));
    }
    // To end WAL mode would delete the file that now has the log's name, perhaps another map's. A
    // truncating checkpoint changes only the open files, wherever they are, and leaves no content
    // that SQLite could apply to another map.
    let _ = map.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    let _ = map.conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    Err(not_in_place(map, state))
}
