//! Inspection of a map: reads everything but the voxels, and checks that it is what was saved.
//!
//! Opening a map reads it once. SQLite checks its pages; then header, materials, the index of the
//! chunks against the digest, and the checksum of every chunk are checked, with the same statement
//! that loads use. Opening takes longer for that, but afterwards all bad chunks and missing rows
//! are known, so no load can mistake them for chunks that were never saved.

use super::chunk_index::{ChunkEntry, ChunkIndex};
use super::rows::{RECORD_BY_ID, meta, read_seed_word};
use crate::save::error::StructureError;
use crate::save::error::reason::sqlite_words;
use crate::save::file::connection::is_content_error;
use crate::save::format::digest::Digest;
use crate::save::format::frame::{self, FramedRecord, RecordKind};
use crate::save::format::header::Header;
use crate::save::format::materials;
use crate::save::format::record_error::RecordError;
use crate::save::format::schema::{APPLICATION_ID, OLDEST_VERSION, VERSION, tables};
use crate::save::format::small_records::{material_key, read_digest, read_header, read_material};
use crate::voxel::{ChunkPos, MaterialId, MaterialTable};
use rusqlite::{Connection, OptionalExtension};
use std::collections::BTreeMap;

/// Content of a map, without the voxels.
#[derive(Debug)]
pub(in crate::save) struct MapContents {
    pub header: Header,
    pub materials: MaterialTable,
    /// Version of the layout.
    pub version: u32,
    /// Number of the last save.
    pub revision: u32,
    pub index: ChunkIndex,
}

/// Reason why a map cannot be used in its present state.
#[derive(thiserror::Error, Debug)]
pub(in crate::save) enum InspectError {
    /// The damage goes beyond the records of single chunks, or the file is not a map.
    #[error("the file is damaged or not a map: {0}")]
    Broken(StructureError),
    /// A later program wrote the map; holds the version of its format.
    #[error("format {0} is newer than this program's")]
    TooNew(u32),
    /// The disk, the folder or another program causes the error, not the file.
    #[error("{}", sqlite_words(.0))]
    Environment(rusqlite::Error),
}

impl From<rusqlite::Error> for InspectError {
    fn from(error: rusqlite::Error) -> InspectError {
        if is_content_error(&error) {
            InspectError::Broken(StructureError::from_sqlite(&error))
        } else {
            InspectError::Environment(error)
        }
    }
}

impl From<StructureError> for InspectError {
    fn from(error: StructureError) -> InspectError {
        InspectError::Broken(error)
    }
}

/// Parses a record of the table `meta`, and returns its revision and content.
fn read_meta<T>(
    bytes: &[u8],
    kind: RecordKind,
    read: impl FnOnce(&FramedRecord<'_>) -> Result<T, RecordError>,
) -> Result<(u32, T), RecordError> {
    let record = frame::parse_as(bytes, kind, ChunkPos::default())?;
    Ok((record.frame.revision, read(&record)?))
}

/// Reads the header record, and returns its revision and content.
pub(in crate::save) fn header(conn: &Connection) -> Result<(u32, Header), InspectError> {
    let bytes = meta(conn, RecordKind::Header)?.ok_or(StructureError::MissingHeader)?;
    let (revision, header) =
        read_meta(&bytes, RecordKind::Header, read_header).map_err(StructureError::Header)?;
    // The seed itself is in the header, so a bad word costs only its display.
    let seed_word = read_seed_word(conn).unwrap_or_default();
    Ok((revision, Header { seed_word, ..header }.sanitised()))
}

/// Reads the digest record, and returns its revision and content.
fn digest(conn: &Connection) -> Result<(u32, Digest), InspectError> {
    let bytes = meta(conn, RecordKind::Digest)?.ok_or(StructureError::MissingDigest)?;
    Ok(read_meta(&bytes, RecordKind::Digest, read_digest).map_err(StructureError::Digest)?)
}

/// Reads the number of the last save.
pub(in crate::save) fn revision(conn: &Connection) -> Result<u32, InspectError> {
    digest(conn).map(|(revision, _)| revision)
}

/// Checks that the file is a map of a readable version with exactly its tables. Returns the
/// version.
pub(in crate::save) fn check_schema(conn: &Connection) -> Result<u32, InspectError> {
    let pragma = |name| conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let application = pragma("application_id")?;
    if application == 0
        && conn.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0))?
            == 0
    {
        return Err(StructureError::Empty.into());
    }
    if application != i64::from(APPLICATION_ID) {
        return Err(
            StructureError::ApplicationId { found: application, expected: APPLICATION_ID }.into()
        );
    }
    let found = pragma("user_version")?;
    let Some(version) = (OLDEST_VERSION..=VERSION).find(|&version| found == i64::from(version))
    else {
        // The number may itself be damaged, so it counts only if a record with a checksum confirms
        // it.
        return Err(match digest(conn) {
            Ok((_, d)) if d.schema > VERSION => InspectError::TooNew(d.schema),
            Err(InspectError::Environment(e)) => InspectError::Environment(e),
            _ => StructureError::FormatNumber(found).into(),
        });
    };
    let mut statement = conn.prepare("SELECT sql FROM sqlite_schema WHERE name = ?1")?;
    for (name, sql) in tables(version) {
        let found: Option<String> = statement.query_row([name], |row| row.get(0)).optional()?;
        if found.as_deref() != Some(*sql) {
            return Err(StructureError::Table(name).into());
        }
    }
    // A trigger could change what is written, and a view what is read. SQLite reserves the prefix
    // `sqlite_` for its own objects.
    let objects =
        "SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'";
    let mut statement = conn.prepare(objects)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let found: String = row.get(0)?;
        if !tables(version).iter().any(|(name, _)| found.split(' ').nth(1) == Some(name)) {
            return Err(StructureError::ForeignObject(found).into());
        }
    }
    Ok(version)
}

/// Reads a material table, which must have `len` materials, all of them sound.
fn read_materials(conn: &Connection, len: usize) -> Result<MaterialTable, InspectError> {
    let mut found = BTreeMap::new();
    let mut statement = conn.prepare("SELECT id, record FROM material ORDER BY id")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let id: MaterialId = row.get(0)?;
        let bytes: Vec<u8> = row.get(1)?;
        let material = frame::parse_as(&bytes, RecordKind::Material, material_key(id))
            .map_err(RecordError::from)
            .and_then(|record| read_material(&record))
            .map_err(|reason| StructureError::Material { id, reason })?;
        found.insert(id, material);
    }
    if found.len() != len {
        return Err(StructureError::MaterialCount { found: found.len(), expected: len }.into());
    }
    match materials::assemble(found, len) {
        (table, lost) if lost.is_empty() => Ok(table),
        (_, lost) => Err(StructureError::UnusableMaterial(lost[0]).into()),
    }
}

/// A row of the index of chunks.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct IndexRow {
    id: i64,
    pos: ChunkPos,
    revision: u32,
}

/// Reads the index of the chunks, and verifies each chunk's record.
fn read_index(conn: &Connection) -> Result<ChunkIndex, InspectError> {
    let mut index_rows: Vec<IndexRow> = Vec::new();
    let mut statement =
        conn.prepare("SELECT id, x, y, z, revision FROM chunk INDEXED BY chunk_place")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let pos = ChunkPos::new(row.get(1)?, row.get(2)?, row.get(3)?);
        index_rows.push(IndexRow { id: row.get(0)?, pos, revision: row.get(4)? });
    }
    index_rows.sort_unstable();
    let mut index = ChunkIndex::default();
    let mut record = conn.prepare(RECORD_BY_ID)?;
    for IndexRow { id, pos, revision } in index_rows {
        let mut rows = record.query([id])?;
        let row = rows.next()?.ok_or(StructureError::MissingChunkRow(pos))?;
        let bytes = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
        let mut entry = ChunkEntry::without_frame(id, revision);
        let bad = match frame::parse(bytes) {
            Ok(r)
                if (r.frame.kind, r.frame.key, r.frame.revision)
                    == (RecordKind::Chunk, pos, revision) =>
            {
                entry = ChunkEntry::from_frame(id, &r.frame);
                (!pos.in_world()).then_some(RecordError::OutsideWorld)
            }
            Ok(_) => return Err(StructureError::MisplacedChunk(pos).into()),
            Err(reason) => Some(reason.into()),
        };
        if index.contains(pos) {
            return Err(StructureError::DuplicateChunk(pos).into());
        }
        index.insert(pos, entry);
        if let Some(reason) = bad {
            index.mark_bad(pos, reason);
        }
    }
    Ok(index)
}

/// Runs SQLite's check of all pages.
fn check_pages(conn: &Connection) -> Result<(), InspectError> {
    let result: String = conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if result == "ok" {
        return Ok(());
    }
    Err(match unreadable_page(&result) {
        Some(error) => InspectError::from(error),
        None => StructureError::from_page_check(&result).into(),
    })
}

/// Returns the disk error that SQLite's check met, if it could not read a page. The check reports
/// it as text, like damage; pages beyond the file's end have another text.
fn unreadable_page(result: &str) -> Option<rusqlite::Error> {
    let code = match result.split_once("unable to get the page. error code=") {
        Some((_, code)) => code.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?,
        None if result.contains("failed to get page") => rusqlite::ffi::SQLITE_IOERR_READ,
        None => return None,
    };
    Some(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), Some(result.to_owned())))
}

/// Reads and checks everything but the voxels.
///
/// # Errors
/// The file as a whole is damaged or cannot be read. Bad records of single chunks are no error: the
/// index marks them.
pub(in crate::save) fn inspect(conn: &Connection) -> Result<MapContents, InspectError> {
    let version = check_schema(conn)?;
    check_pages(conn)?;
    let (revision, digest) = digest(conn)?;
    let (header_revision, header) = header(conn)?;
    if header_revision != revision {
        return Err(StructureError::RevisionMismatch.into());
    }
    let materials = read_materials(conn, digest.materials as usize)?;
    let mut index = read_index(conn)?;
    index.set_materials(&materials);
    if (Digest { schema: version, ..index.digest() }) != digest {
        return Err(StructureError::ChunkCount {
            found: index.len() as u64,
            expected: digest.chunks,
        }
        .into());
    }
    Ok(MapContents { header, materials, version, revision, index })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::save::format::schema;
    use crate::save::format::small_records::write_digest;
    use crate::save::tables::rows::put_meta;

    /// The map of a later program has its version both in SQLite's number and in its digest.
    #[test]
    fn later_format_differs_from_damaged_format_number() {
        let conn = Connection::open_in_memory().unwrap();
        schema::create(&conn).unwrap();
        let digest = |schema| write_digest(&Digest { schema, ..Default::default() }, 1).unwrap();
        put_meta(&conn, RecordKind::Digest, &digest(VERSION + 1)).unwrap();
        conn.pragma_update(None, "user_version", VERSION + 1).unwrap();
        assert!(
            matches!(check_schema(&conn), Err(InspectError::TooNew(found)) if found == VERSION + 1)
        );
        put_meta(&conn, RecordKind::Digest, &digest(VERSION)).unwrap();
        assert!(matches!(check_schema(&conn), Err(InspectError::Broken(_))));
        conn.pragma_update(None, "user_version", VERSION).unwrap();
        assert!(check_schema(&conn).is_ok());
        assert!(matches!(inspect(&conn), Err(InspectError::Broken(StructureError::MissingHeader))));
    }
}
