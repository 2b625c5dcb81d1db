//! Connections to a map file, for reading and for writing.
//!
//! While a map is open for writing it is in WAL mode: background loads go on during a save.
//! `synchronous = EXTRA` makes each commit wait for the disk, so a save that was reported as done
//! survives a power loss. It differs from `FULL` only where a file system cannot do WAL: there the
//! folder is synchronised too, once the journal is deleted. A closed map is back in rollback mode:
//! one plain file that also opens from a read-only folder.

use super::companion_files::has_log;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time that a statement waits for another program's lock.
pub(in crate::save) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens a connection with settings that are safe for untrusted files.
fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let conn = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    // No map uses triggers, views or an untrusted schema; a hostile file must not either.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(conn)
}

/// Connects to an existing file for writing. Changes nothing in it.
pub(in crate::save) fn open_writable(path: &Path) -> rusqlite::Result<Connection> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

/// Puts the connection of a sound map into the mode for writing.
pub(in crate::save) fn begin_writing(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "synchronous", "EXTRA")?;
    // On macOS only this waits for the disk itself; other systems ignore it.
    conn.pragma_update(None, "fullfsync", true)?;
    conn.pragma_update(None, "cache_size", -8192)?;
    set_journal_mode(conn, "WAL")?;
    // The first read opens the log. If a reader did that, which may not delete the log, a map in
    // which nothing was saved would leave an empty log behind.
    conn.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
}

/// Folds the write-ahead log into the file, which is then one plain file again.
pub(in crate::save) fn end_writing(conn: &Connection) -> rusqlite::Result<()> {
    set_journal_mode(conn, "DELETE")
}

/// Turns off the journal and waiting for the disk: faster, and safe only for a file that gets its
/// name after it is complete and synchronised.
pub(in crate::save) fn disable_journal(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "synchronous", "OFF")?;
    set_journal_mode(conn, "OFF")
}

fn set_journal_mode(conn: &Connection, mode: &str) -> rusqlite::Result<()> {
    // SQLite answers with the resulting mode. Where a file system cannot do WAL, the map works
    // without.
    conn.pragma_update_and_check(None, "journal_mode", mode, |_| Ok(()))
}

/// Connects for reading next to a connection of this program that writes.
pub(in crate::save) fn open_beside_writer(path: &Path) -> rusqlite::Result<Connection> {
    let conn = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    conn.query_row("PRAGMA schema_version", [], |_| Ok(()))?;
    Ok(conn)
}

/// Connects for reading, also to files that need a rollback or lie in a read-only folder.
pub(in crate::save) fn open_read_only(path: &Path) -> rusqlite::Result<Connection> {
    match open_beside_writer(path) {
        // A writer without WAL was interrupted: the map is a mixture until its journal is rolled
        // back, which only a connection that writes can do.
        Err(e) if is_hot_journal(&e) => {
            let conn = open_writable(path)?;
            conn.query_row("PRAGMA schema_version", [], |_| Ok(()))?;
            Ok(conn)
        }
        // A map copied while it was open says "WAL", which SQLite cannot read from a read-only
        // folder. If no log lies next to it, the file is complete and can be read as immutable.
        Err(e) if is_refused_log(&e) && !has_log(path) => connect(
            &immutable_uri(path),
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI,
        ),
        // The code that reads the content finds and reports what is wrong with it.
        Err(e) if is_content_error(&e) => connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY),
        other => other,
    }
}

/// True if SQLite would have to roll the map back first.
fn is_hot_journal(error: &rusqlite::Error) -> bool {
    error.sqlite_extended_error_code() == Some(rusqlite::ffi::SQLITE_READONLY_ROLLBACK)
}

/// True if SQLite could not create the log's files.
fn is_refused_log(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::ReadOnly)
    )
}

/// True if `error` is about the content of the file, not about the disk, the folder, or locks.
pub(in crate::save) fn is_content_error(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode as Code;
    let content = [
        Code::DatabaseCorrupt,
        Code::NotADatabase,
        Code::TypeMismatch,
        Code::ConstraintViolation,
        Code::TooBig,
        // No such table, no such column.
        Code::Unknown,
    ];
    // SQLite reports a file that ends within a page as unreadable, but the disk is not at fault.
    let cut_short =
        error.sqlite_extended_error_code() == Some(rusqlite::ffi::SQLITE_IOERR_SHORT_READ);
    // Errors without a code come from rusqlite and are about values of the wrong type.
    cut_short || error.sqlite_error_code().is_none_or(|code| content.contains(&code))
}

/// True if the map is in WAL mode.
pub(in crate::save) fn is_in_wal_mode(conn: &Connection) -> rusqlite::Result<bool> {
    conn.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0))
        .map(|mode| mode == "wal")
}

/// SQLite's URI of `path` as an immutable file.
fn immutable_uri(path: &Path) -> PathBuf {
    let text = path.to_string_lossy();
    let mut uri = String::from("file:");
    if cfg!(windows) {
        uri.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b':' => {
                uri.push(char::from(byte))
            }
            _ => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri.push_str("?immutable=1");
    PathBuf::from(uri)
}
