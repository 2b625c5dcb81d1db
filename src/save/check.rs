//! Reads a map from a connection, and finds out whether it is what was saved.
//!
//! Everything is read once when a map opens: SQLite's own check of its pages, header, materials, the index of
//! the chunks against the digest, and the checksum of every chunk through the same statement that `load`
//! uses. So when a map has opened it is known which chunks are sound, and a row that vanished was missed.

use super::frame::{self, Kind};
use super::index::{Entry, Index};
use super::materials;
use super::records;
use super::schema::{APPLICATION_ID, OLDEST, VERSION, is_content, tables};
use super::types::Header;
use crate::voxel::{ChunkPos, MaterialId, MaterialTable};
use rusqlite::{Connection, OptionalExtension};
use std::collections::BTreeMap;

/// A map's content, all but the voxels.
#[derive(Debug)]
pub(super) struct Contents {
    pub header: Header,
    pub materials: MaterialTable,
    /// The layout's version.
    pub version: u32,
    /// The number of the last save.
    pub revision: u32,
    pub index: Index,
}

/// Why a map cannot be used as it is.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The file is damaged in more than single chunks' records, or is no map.
    Broken(String),
    /// A later program's format.
    TooNew(u32),
    /// Nothing wrong with the file: the disk, the folder, another program.
    Outside(rusqlite::Error),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Trouble {
        if is_content(&error) { Trouble::Broken(error.to_string()) } else { Trouble::Outside(error) }
    }
}

fn broken<T>(reason: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Broken(reason.into()))
}

/// The record of `kind` in the table `meta`.
pub(super) fn meta(conn: &Connection, kind: Kind) -> rusqlite::Result<Option<Vec<u8>>> {
    conn.prepare_cached("SELECT record FROM meta WHERE kind = ?1")?.query_row([kind as u8], |row| row.get(0)).optional()
}

/// The header, from its record alone.
pub(super) fn header(conn: &Connection) -> Result<(u32, Header), Trouble> {
    let Some(bytes) = meta(conn, Kind::Header)? else { return broken("the header is missing") };
    frame::parse_as(&bytes, Kind::Header, ChunkPos::default())
        .and_then(|record| Ok((record.prefix.revision, records::read_header(&record)?)))
        .or_else(|reason| broken(format!("header: {reason}")))
}

fn digest(conn: &Connection) -> Result<(u32, records::Digest), Trouble> {
    let Some(bytes) = meta(conn, Kind::Digest)? else { return broken("the digest is missing") };
    frame::parse_as(&bytes, Kind::Digest, ChunkPos::default())
        .and_then(|record| Ok((record.prefix.revision, records::read_digest(&record)?)))
        .or_else(|reason| broken(format!("digest: {reason}")))
}

/// The number of the last save.
pub(super) fn revision(conn: &Connection) -> Result<u32, Trouble> {
    digest(conn).map(|(revision, _)| revision)
}

/// Checks that the file is a map of a version that can be read, and its tables are ours. Returns the version.
pub(super) fn identity(conn: &Connection) -> Result<u32, Trouble> {
    let pragma = |name| conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let application = pragma("application_id")?;
    if application == 0 && conn.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0))? == 0 {
        return broken("it is empty");
    }
    if application != i64::from(APPLICATION_ID) {
        return broken(format!("its application id is {application:#x}, not {APPLICATION_ID:#x}"));
    }
    let found = pragma("user_version")?;
    let Some(version) = (OLDEST..=VERSION).find(|&version| found == i64::from(version)) else {
        // Believe it only if a record with a checksum says so too: the number may be the damage.
        return match digest(conn) {
            Ok((_, d)) if d.schema > VERSION => Err(Trouble::TooNew(d.schema)),
            Err(Trouble::Outside(e)) => Err(Trouble::Outside(e)),
            _ => broken(format!("its format number is {found}")),
        };
    };
    let mut statement = conn.prepare("SELECT sql FROM sqlite_schema WHERE name = ?1")?;
    for (name, sql) in tables(version) {
        let found: Option<String> = statement.query_row([name], |row| row.get(0)).optional()?;
        if found.as_deref() != Some(*sql) {
            return broken(format!("its table {name} is missing or different"));
        }
    }
    // A trigger or a view could do anything with what is written. Names that begin so are SQLite's own.
    let strange = "SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'";
    let mut statement = conn.prepare(strange)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let found: String = row.get(0)?;
        if !tables(version).iter().any(|(name, _)| found.split(' ').nth(1) == Some(name)) {
            return broken(format!("it holds something that is not of a map: {found}"));
        }
    }
    Ok(version)
}

fn read_materials(conn: &Connection, len: usize) -> Result<MaterialTable, Trouble> {
    let mut found = BTreeMap::new();
    let mut statement = conn.prepare("SELECT id, record FROM material ORDER BY id")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let id: MaterialId = row.get(0)?;
        let bytes: Vec<u8> = row.get(1)?;
        match frame::parse_as(&bytes, Kind::Material, records::material_key(id))
            .and_then(|r| records::read_material(&r))
        {
            Ok(material) => _ = found.insert(id, material),
            Err(reason) => return broken(format!("material {id}: {reason}")),
        }
    }
    if found.len() != len {
        return broken(format!("{} of {len} materials are there", found.len()));
    }
    match materials::assemble(found, len) {
        (table, lost) if lost.is_empty() => Ok(table),
        (_, lost) => broken(format!("material {} is unusable", lost[0])),
    }
}

/// Reads the index of the chunks, and each chunk's record.
fn read_index(conn: &Connection) -> Result<Index, Trouble> {
    let mut places: Vec<(i64, ChunkPos, u32)> = Vec::new();
    let mut statement = conn.prepare("SELECT id, x, y, z, revision FROM chunk INDEXED BY chunk_place")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let pos = ChunkPos::new(row.get(1)?, row.get(2)?, row.get(3)?);
        places.push((row.get(0)?, pos, row.get(4)?));
    }
    places.sort_unstable();
    let mut index = Index::default();
    let mut record = conn.prepare(super::reader::RECORD_BY_ID)?;
    for (id, pos, revision) in places {
        let mut rows = record.query([id])?;
        let Some(row) = rows.next()? else { return broken(format!("the row of chunk {pos} is missing")) };
        let bytes = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
        let mut entry = Entry { id, revision, ..Entry::default() };
        let reason = match frame::parse(bytes) {
            Ok(r) if (r.prefix.kind, r.prefix.key, r.prefix.revision) == (Kind::Chunk, pos, revision) => {
                entry = Entry::of(id, &r.prefix);
                (!pos.in_world()).then(|| "it lies outside the world".to_owned())
            }
            Ok(_) => return broken(format!("another record stands in the place of chunk {pos}")),
            Err(reason) => Some(reason.to_string()),
        };
        if index.get(pos).is_some() {
            return broken(format!("chunk {pos} is there twice"));
        }
        index.insert(pos, entry);
        if let Some(reason) = reason {
            index.mark_bad(pos, reason);
        }
    }
    Ok(index)
}

/// SQLite's own check of all pages.
fn pages(conn: &Connection) -> Result<(), Trouble> {
    let result: String = conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if result == "ok" {
        return Ok(());
    }
    match unread(&result) {
        Some(error) => Err(Trouble::from(error)),
        None => broken(result.replace('\n', " ")),
    }
}

/// The error of the disk that SQLite's check met and tells as if it were the file's: a page that could not be read. Pages that
/// are not in the file it calls something else.
fn unread(result: &str) -> Option<rusqlite::Error> {
    let code = match result.split_once("unable to get the page. error code=") {
        Some((_, code)) => code.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?,
        None if result.contains("failed to get page") => rusqlite::ffi::SQLITE_IOERR_READ,
        None => return None,
    };
    Some(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), Some(result.to_owned())))
}

/// Reads everything but the voxels.
///
/// # Errors
/// What is wrong with the file as a whole. Bad records of single chunks are no error: the index knows them.
pub(super) fn inspect(conn: &Connection) -> Result<Contents, Trouble> {
    let version = identity(conn)?;
    pages(conn)?;
    let (revision, digest) = digest(conn)?;
    let (header_revision, header) = header(conn)?;
    if header_revision != revision {
        return broken("header and digest are of different saves");
    }
    let materials = read_materials(conn, digest.materials as usize)?;
    let mut index = read_index(conn)?;
    index.set_materials(&materials);
    if (records::Digest { schema: version, ..index.digest() }) != digest {
        return broken(format!("{} of {} chunks are in its index", index.len(), digest.chunks));
    }
    Ok(Contents { header, materials, version, revision, index })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::save::saving::put_meta;
    use crate::save::schema;

    /// A later program's map: it says so in SQLite's number and in its digest.
    #[test]
    fn a_later_format_is_told_from_a_damaged_number() {
        let conn = Connection::open_in_memory().unwrap();
        schema::create(&conn).unwrap();
        let digest = |schema| records::write_digest(&records::Digest { schema, ..Default::default() }, 1).unwrap();
        put_meta(&conn, Kind::Digest, &digest(VERSION + 1)).unwrap();
        conn.pragma_update(None, "user_version", VERSION + 1).unwrap();
        assert!(matches!(identity(&conn), Err(Trouble::TooNew(found)) if found == VERSION + 1));
        put_meta(&conn, Kind::Digest, &digest(VERSION)).unwrap();
        assert!(matches!(identity(&conn), Err(Trouble::Broken(_))));
        conn.pragma_update(None, "user_version", VERSION).unwrap();
        assert!(identity(&conn).is_ok());
        assert!(matches!(inspect(&conn), Err(Trouble::Broken(reason)) if reason == "the header is missing"));
    }
}
