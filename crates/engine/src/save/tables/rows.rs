//! Single rows of the tables `meta`, `material`, `chunk` and `quarantine`.

use crate::save::error::reason::sqlite_words;
use crate::save::format::awake_record::{self, SavedAwake};
use crate::save::format::frame::{self, RecordKind};
use crate::save::format::places::Places;
use crate::save::format::record_error::RecordError;
use crate::save::format::saved_rules::SavedRules;
use crate::save::format::small_records;
use crate::save::format::unix_time::unix_now;
use crate::voxel::ChunkPos;
use rusqlite::{Connection, OptionalExtension, params};

/// The statement that reads a chunk. Inspection and loads share it, so a load finds a row if and
/// only if inspection did.
pub(in crate::save) const RECORD_BY_ID: &str = "SELECT record FROM chunk WHERE id = ?1";

/// Reads the record of `kind` from the table `meta`.
pub(in crate::save) fn meta(
    conn: &Connection,
    kind: RecordKind,
) -> rusqlite::Result<Option<Vec<u8>>> {
    conn.prepare_cached("SELECT record FROM meta WHERE kind = ?1")?
        .query_row([kind as u8], |row| row.get(0))
        .optional()
}

/// Writes a record into the table `meta`.
pub(in crate::save) fn put_meta(
    conn: &Connection,
    kind: RecordKind,
    record: &[u8],
) -> rusqlite::Result<()> {
    conn.prepare_cached("INSERT OR REPLACE INTO meta(kind, record) VALUES (?1, ?2)")?
        .execute(params![kind as u8, record])
        .map(drop)
}

/// Reads the picture, a PNG, if the map has one.
pub(in crate::save) fn read_picture(conn: &Connection) -> Result<Option<Vec<u8>>, RecordError> {
    let kind = RecordKind::Picture;
    let Some(bytes) = meta(conn, kind).map_err(|e| RecordError::Sqlite(sqlite_words(&e)))? else {
        return Ok(None);
    };
    Ok(Some(frame::parse_as(&bytes, kind, ChunkPos::default())?.data.to_vec()))
}

/// Reads the seed word; empty if the map has none.
pub(in crate::save) fn read_seed_word(conn: &Connection) -> Result<String, RecordError> {
    let kind = RecordKind::SeedWord;
    let bytes =
        meta(conn, kind).map_err(|e| RecordError::Sqlite(sqlite_words(&e)))?.unwrap_or_default();
    if bytes.is_empty() {
        return Ok(String::new());
    }
    Ok(String::from_utf8_lossy(frame::parse_as(&bytes, kind, ChunkPos::default())?.data)
        .into_owned())
}

/// Reads the named places; empty if the map has none.
pub(in crate::save) fn read_places(conn: &Connection) -> Result<Places, RecordError> {
    let kind = RecordKind::Places;
    let Some(bytes) = meta(conn, kind).map_err(|e| RecordError::Sqlite(sqlite_words(&e)))? else {
        return Ok(Places::default());
    };
    small_records::read_places(&frame::parse_as(&bytes, kind, ChunkPos::default())?)
}

/// Reads the map's own rules and the number of the next step; the defaults without a record.
pub(in crate::save) fn read_rules(conn: &Connection) -> Result<SavedRules, RecordError> {
    let kind = RecordKind::Rules;
    let Some(bytes) = meta(conn, kind).map_err(|e| RecordError::Sqlite(sqlite_words(&e)))? else {
        return Ok(SavedRules::default());
    };
    small_records::read_rules(&frame::parse_as(&bytes, kind, ChunkPos::default())?)
}

/// Reads the creatures in their own encoding; `None` without a record.
pub(in crate::save) fn read_creatures(conn: &Connection) -> Result<Option<Vec<u8>>, RecordError> {
    let kind = RecordKind::Creatures;
    let Some(bytes) = meta(conn, kind).map_err(|e| RecordError::Sqlite(sqlite_words(&e)))? else {
        return Ok(None);
    };
    Ok(Some(frame::parse_as(&bytes, kind, ChunkPos::default())?.data.to_vec()))
}

/// Reads the awake blocks; empty without a record.
pub(in crate::save) fn read_awake(conn: &Connection) -> Result<SavedAwake, RecordError> {
    let kind = RecordKind::Awake;
    let Some(bytes) = meta(conn, kind).map_err(|e| RecordError::Sqlite(sqlite_words(&e)))? else {
        return Ok(SavedAwake::default());
    };
    awake_record::read(&frame::parse_as(&bytes, kind, ChunkPos::default())?)
}

/// Adds a material's record, or replaces it.
pub(in crate::save) fn put_material(
    conn: &Connection,
    id: u16,
    record: &[u8],
) -> rusqlite::Result<()> {
    conn.prepare_cached("INSERT OR REPLACE INTO material(id, record) VALUES (?1, ?2)")?
        .execute(params![id, record])
        .map(drop)
}

/// Writes a chunk's record into its row `id`, or into a new row. Returns the row.
pub(in crate::save) fn put_chunk(
    conn: &Connection,
    id: Option<i64>,
    pos: ChunkPos,
    revision: u32,
    record: &[u8],
) -> rusqlite::Result<i64> {
    if let Some(id) = id {
        let changed = conn
            .prepare_cached("UPDATE chunk SET revision = ?2, record = ?3 WHERE id = ?1")?
            .execute(params![id, revision, record])?;
        if changed == 1 {
            return Ok(id);
        }
        // Another program has deleted the row, so the chunk gets a new one.
    }
    conn.prepare_cached(
        "INSERT INTO chunk(x, y, z, revision, record) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![pos.x, pos.y, pos.z, revision, record])?;
    Ok(conn.last_insert_rowid())
}

/// Copies the bad record of a chunk into the quarantine, unchanged.
pub(in crate::save) fn quarantine_chunk(
    conn: &Connection,
    pos: ChunkPos,
    id: i64,
    reason: &RecordError,
) -> rusqlite::Result<()> {
    conn.prepare_cached(
        "INSERT INTO quarantine(place, reason, set_aside_unix, record) \
         SELECT ?2, ?3, ?4, record FROM chunk WHERE id = ?1",
    )?
    .execute(params![id, format!("chunk {pos}"), reason.to_string(), unix_now() as i64])
    .map(drop)
}

/// Copies the bad record of `kind` into the quarantine, unchanged, and deletes it from the table
/// `meta`.
pub(in crate::save) fn quarantine_meta(
    conn: &Connection,
    kind: RecordKind,
    reason: &RecordError,
) -> rusqlite::Result<()> {
    conn.execute(
        "INSERT INTO quarantine(place, reason, set_aside_unix, record) \
         SELECT ?2, ?3, ?4, record FROM meta WHERE kind = ?1",
        params![kind as u8, kind.to_string(), reason.to_string(), unix_now() as i64],
    )?;
    conn.execute("DELETE FROM meta WHERE kind = ?1", [kind as u8]).map(drop)
}

/// Stores a record of `kind`. `old` is the result of reading the present record: a bad one is
/// copied into the quarantine first.
pub(in crate::save) fn replace_meta<T>(
    conn: &Connection,
    kind: RecordKind,
    old: &Result<T, RecordError>,
    record: &[u8],
) -> rusqlite::Result<()> {
    if let Err(reason) = old {
        quarantine_meta(conn, kind, reason)?;
    }
    put_meta(conn, kind, record)
}

/// Counts the rows in the quarantine.
pub(in crate::save) fn quarantined(conn: &Connection) -> rusqlite::Result<u64> {
    conn.query_row("SELECT count(*) FROM quarantine", [], |row| row.get::<_, i64>(0))
        .map(|n| n as u64)
}
