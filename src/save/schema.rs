//! The tables of a map file, and the ways to connect to one.
//!
//! - `meta`: header, digest and picture, by the record's kind.
//! - `material`: the material table, by index. Rows are only ever added.
//! - `chunk`: the chunks. Place and revision stand beside the record too, so that `chunk_place` alone
//!   tells which chunks there are without reading one.
//! - `visibility`: what the cells of a chunk see, as `stonerun bake` computed it, by the chunk's place and the view distance it
//!   is for. A save throws away what it makes wrong (`baked`).
//! - `history`: the steps that can be undone and redone, by their numbers (`history`).
//! - `quarantine`: bad records that `repair` or a save set aside, as they were.
//!
//! While a map is open for writing it is in WAL mode: background loads go on during a save. `EXTRA` makes
//! each commit wait for the disk, so a save that was reported done survives a power loss; of `FULL` it differs only
//! where a file system can do no WAL: there the folder, too, must have forgotten the journal. A closed map is
//! back in the rollback mode: one plain file that opens from a read-only folder, too.

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// SQLite's `application_id` of a map: "Ston".
pub(super) const APPLICATION_ID: u32 = u32::from_be_bytes(*b"Ston");
/// The layout's version, SQLite's `user_version`.
///
/// 1 had no `visibility`, 2 no `history` and no chunks of the codec *predicted*. A map of these is read as it is, and becomes
/// one of this version when something is written into it.
pub(super) const VERSION: u32 = 3;
/// The oldest layout that can be read.
pub(super) const OLDEST: u32 = 1;
/// Bytes of a page. Most chunks take 1 to 4 KiB, so several share a page and few overflow.
pub(super) const PAGE: usize = 8192;

/// Name and definition of everything in the schema, in order of creation.
const TABLES: [(&str, &str); 8] = [
    ("meta", "CREATE TABLE meta(kind INTEGER PRIMARY KEY, record BLOB NOT NULL)"),
    ("material", "CREATE TABLE material(id INTEGER PRIMARY KEY, record BLOB NOT NULL)"),
    (
        "chunk",
        "CREATE TABLE chunk(id INTEGER PRIMARY KEY, x INTEGER NOT NULL, y INTEGER NOT NULL, z INTEGER NOT NULL, \
         revision INTEGER NOT NULL, record BLOB NOT NULL)",
    ),
    ("chunk_place", "CREATE UNIQUE INDEX chunk_place ON chunk(x, y, z, revision)"),
    (
        "quarantine",
        "CREATE TABLE quarantine(id INTEGER PRIMARY KEY, place TEXT NOT NULL, reason TEXT NOT NULL, \
         set_aside_unix INTEGER NOT NULL, record BLOB)",
    ),
    (
        "visibility",
        "CREATE TABLE visibility(id INTEGER PRIMARY KEY, x INTEGER NOT NULL, y INTEGER NOT NULL, z INTEGER NOT NULL, \
         view INTEGER NOT NULL, record BLOB NOT NULL)",
    ),
    ("visibility_place", "CREATE UNIQUE INDEX visibility_place ON visibility(x, y, z)"),
    ("history", "CREATE TABLE history(id INTEGER PRIMARY KEY, record BLOB NOT NULL)"),
];
/// How many of [`TABLES`] each version had, from 1 on.
const TABLES_OF: [usize; VERSION as usize] = [5, 7, TABLES.len()];

/// Name and definition of everything in the schema of a version that can be read.
pub(super) fn tables(version: u32) -> &'static [(&'static str, &'static str)] {
    let of_version = TABLES_OF.get((version - OLDEST) as usize);
    &TABLES[..of_version.copied().unwrap_or(TABLES.len())]
}

/// The version of the SQLite that is built into the program.
#[must_use]
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}

/// Makes the tables in an empty database.
pub(super) fn create(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "page_size", PAGE as i64)?;
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    conn.pragma_update(None, "user_version", VERSION)?;
    for (_, sql) in TABLES {
        conn.execute_batch(sql)?;
    }
    Ok(())
}

/// Makes a map of an older version one of this, within a transaction that writes the digest too.
pub(super) fn upgrade(conn: &Connection, version: u32) -> rusqlite::Result<()> {
    if version == VERSION {
        return Ok(());
    }
    for (_, sql) in &TABLES[tables(version).len()..] {
        conn.execute_batch(sql)?;
    }
    conn.pragma_update(None, "user_version", VERSION)
}

/// How long a statement waits for another program's lock.
const PATIENCE: Duration = Duration::from_secs(5);

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let conn = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(PATIENCE)?;
    // A map has no use for these, so in a file from anywhere they are not trusted either.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(conn)
}

/// A connection that may write to an existing file. Nothing is changed by making it.
pub(super) fn for_writing(path: &Path) -> rusqlite::Result<Connection> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

/// Puts the connection of a sound map into the mode it is written in.
pub(super) fn begin_writing(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "synchronous", "EXTRA")?;
    // On macOS only this waits for the disk itself; elsewhere it means nothing.
    conn.pragma_update(None, "fullfsync", true)?;
    conn.pragma_update(None, "cache_size", -8192)?;
    set_journal_mode(conn, "WAL")?;
    // The log is opened by the first read. If that were a reader's, which may not delete it, a map in which nothing
    // was saved would leave an empty log behind.
    conn.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
}

/// Folds the write-ahead log into the file, and makes it one plain file again.
pub(super) fn end_writing(conn: &Connection) -> rusqlite::Result<()> {
    set_journal_mode(conn, "DELETE")
}

/// Sets SQLite's `journal_mode`.
pub(super) fn set_journal_mode(conn: &Connection, mode: &str) -> rusqlite::Result<()> {
    // The answer is the mode it is in now; where a file system cannot do WAL the map works without.
    conn.pragma_update_and_check(None, "journal_mode", mode, |_| Ok(()))
}

/// A connection that only reads what another one of this program writes.
pub(super) fn beside_writer(path: &Path) -> rusqlite::Result<Connection> {
    let conn = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    conn.query_row("PRAGMA schema_version", [], |_| Ok(()))?;
    Ok(conn)
}

/// A connection that only reads.
pub(super) fn for_reading(path: &Path) -> rusqlite::Result<Connection> {
    match beside_writer(path) {
        // A writer was interrupted where there is no WAL, and its journal must be rolled back by whoever comes next. Without
        // that, the map is a mixture.
        Err(e) if is_hot_journal(&e) => {
            let conn = for_writing(path)?;
            conn.query_row("PRAGMA schema_version", [], |_| Ok(()))?;
            Ok(conn)
        }
        // A map copied while it was open says "WAL", which SQLite cannot read from a read-only folder. With
        // no log beside it there is nothing in a log to miss, and it can be read as a file nobody writes.
        Err(e) if is_refused_log(&e) && !has_log(path) => {
            connect(&immutable_uri(path), OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI)
        }
        // What is wrong with the content is for the reader of the content to find out and say.
        Err(e) if is_content(&e) => connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY),
        other => other,
    }
}

/// True if `error` is what SQLite says of a map that it would have to roll back first.
fn is_hot_journal(error: &rusqlite::Error) -> bool {
    error.sqlite_extended_error_code() == Some(rusqlite::ffi::SQLITE_READONLY_ROLLBACK)
}

/// True if `error` is what SQLite says when it cannot make the log's files.
fn is_refused_log(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::ReadOnly))
}

/// True if `error` is about what is in the file, not about the disk, the folder, or other programs' locks.
pub(super) fn is_content(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode as Code;
    let inner = [
        Code::DatabaseCorrupt,
        Code::NotADatabase,
        Code::TypeMismatch,
        Code::ConstraintViolation,
        Code::TooBig,
        // No such table, no such column.
        Code::Unknown,
    ];
    // A file that ends within a page counts as one the disk cannot read, but it is not the disk's fault.
    let cut = error.sqlite_extended_error_code() == Some(rusqlite::ffi::SQLITE_IOERR_SHORT_READ);
    // Errors without a code are rusqlite's, about values of the wrong type.
    cut || error.sqlite_error_code().is_none_or(|code| inner.contains(&code))
}

/// The file `path` with `suffix` after its name.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// What the logs of a map are called after its name, and what goes with them.
pub(super) const LOGS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Removes the logs beside `path`, where there is no map. Without theirs they are nothing, and another map of that name
/// must not meet them. Most often there is none.
pub(super) fn remove_logs(path: &Path) {
    for suffix in LOGS {
        let _ = std::fs::remove_file(beside(path, suffix));
    }
}

/// Bytes of the write-ahead log beside the file: part of the map, as long as it is there.
pub(super) fn log_bytes(path: &Path) -> u64 {
    std::fs::metadata(beside(path, "-wal")).map_or(0, |m| m.len())
}

/// True if a write-ahead log with anything in it lies beside the file.
pub(super) fn has_log(path: &Path) -> bool {
    log_bytes(path) > 0
}

/// True if the map that `conn` is open on has a write-ahead log.
pub(super) fn has_wal(conn: &Connection) -> rusqlite::Result<bool> {
    conn.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0)).map(|mode| mode == "wal")
}

/// `path` as SQLite's URI for a file that nobody writes.
fn immutable_uri(path: &Path) -> PathBuf {
    let text = path.to_string_lossy();
    let mut uri = String::from("file:");
    if cfg!(windows) {
        uri.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b':' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri.push_str("?immutable=1");
    PathBuf::from(uri)
}
