//! Connections to a map file, for reading and for writing.
//!
//! A map that is open for writing is in WAL mode, so background loads continue during a save.
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
    // No map uses triggers, views or an untrusted schema, so a hostile file cannot use them either.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(conn)
}

/// Connects to an existing file for writing. Changes nothing in it.
pub(in crate::save) fn open_writable(path: &Path) -> rusqlite::Result<Connection> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

/// Switches a sound map to WAL mode and durable commits.
pub(in crate::save) fn begin_writing(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "synchronous", "EXTRA")?;
    // On macOS only `fullfsync` waits for the disk itself; other systems ignore it.
    conn.pragma_update(None, "fullfsync", true)?;
    conn.pragma_update(None, "cache_size", -8192)?;
    set_journal_mode(conn, "WAL")?;
    // The first access opens the log. This connection must do that: a read-only one may not delete
    // the log later, and would leave an empty log behind if nothing was saved.
    conn.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
}

/// Folds the write-ahead log into the file, so that the map is one plain file again.
pub(in crate::save) fn end_writing(conn: &Connection) -> rusqlite::Result<()> {
    set_journal_mode(conn, "DELETE")
}

/// Turns off the journal and the wait for the disk. Faster, but safe only for a file that gets its
/// name after it is complete and synchronised.
pub(in crate::save) fn disable_journal(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "synchronous", "OFF")?;
    set_journal_mode(conn, "OFF")
}

fn set_journal_mode(conn: &Connection, mode: &str) -> rusqlite::Result<()> {
    // SQLite answers with the mode that results. On a file system without WAL, the map keeps its
    // rollback journal.
    conn.pragma_update_and_check(None, "journal_mode", mode, |_| Ok(()))
}

/// Connects for reading to a map that another connection of this program may write.
pub(in crate::save) fn open_beside_writer(path: &Path) -> rusqlite::Result<Connection> {
    let conn = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    conn.query_row("PRAGMA schema_version", [], |_| Ok(()))?;
    Ok(conn)
}

/// Connects for reading, also to files that need a rollback or lie in a read-only folder.
pub(in crate::save) fn open_read_only(path: &Path) -> rusqlite::Result<Connection> {
    match open_beside_writer(path) {
        // A writer without WAL was interrupted: the map is partly old and partly new until its
        // journal is rolled back, which only a writing connection can do.
        Err(e) if is_hot_journal(&e) => {
            let conn = open_writable(path)?;
            conn.query_row("PRAGMA schema_version", [], |_| Ok(()))?;
            Ok(conn)
        }
        // A map that was copied while it was open is marked as WAL, and SQLite cannot read such a
        // file from a read-only folder. Without a log next to it the file is complete, so it can be
        // read as immutable.
        Err(e) if is_refused_log(&e) && !has_log(path) => connect(
            &immutable_uri(path),
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI,
        ),
        // The code that reads the content will find and report the defect.
        Err(e) if is_content_error(&e) => connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY),
        other => other,
    }
}

/// True if SQLite has to roll back a journal before the map can be read.
fn is_hot_journal(error: &rusqlite::Error) -> bool {
    error.sqlite_extended_error_code() == Some(rusqlite::ffi::SQLITE_READONLY_ROLLBACK)
}

/// True if SQLite could not create the files of the log.
fn is_refused_log(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::ReadOnly)
    )
}

/// True if `error` is about the content of the file, not about the disk, the folder or a lock.
pub(in crate::save) fn is_content_error(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode as Code;
    let content = [
        Code::DatabaseCorrupt,
        Code::NotADatabase,
        Code::TypeMismatch,
        Code::ConstraintViolation,
        Code::TooBig,
        // A missing table or column.
        Code::Unknown,
    ];
    // SQLite reports a truncated file as a read error, although the disk is sound.
    let cut_short =
        error.sqlite_extended_error_code() == Some(rusqlite::ffi::SQLITE_IOERR_SHORT_READ);
    // Errors without a code are rusqlite's and concern values of the wrong type.
    cut_short || error.sqlite_error_code().is_none_or(|code| content.contains(&code))
}

/// True if the map is in WAL mode.
pub(in crate::save) fn is_in_wal_mode(conn: &Connection) -> rusqlite::Result<bool> {
    conn.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0))
        .map(|mode| mode == "wal")
}

/// Returns SQLite's URI for `path` as an immutable file.
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
