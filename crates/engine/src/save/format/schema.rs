//! The tables of a map file, and their versions.
//!
//! - `meta`: header, digest, picture, history summary, named places, seed word, rules, creatures
//!   and awake blocks, by the record's kind.
//! - `material`: the material table, by index. Rows are only ever added; a save replaces the record
//!   of a material whose surface has changed.
//! - `chunk`: the chunks. Position and revision are columns too, so the index `chunk_place` lists
//!   the chunks without reading a record.
//! - `visibility`: baked visible sets, as `stonerun bake` computed them, by the chunk's position. A
//!   save deletes the rows that it invalidates.
//! - `history`: the undo steps, by number.
//! - `region`: the named regions, by number.
//! - `quarantine`: bad records that `repair` or a save set aside, unchanged.

use rusqlite::Connection;

/// SQLite's `application_id` of a map: "Ston".
pub(in crate::save) const APPLICATION_ID: u32 = u32::from_be_bytes(*b"Ston");
/// Version of the layout, SQLite's `user_version`.
///
/// Version 1 has no `visibility`; version 2 has no `history` and no chunks in the predicted codec;
/// version 3 has no torches among the shapes of materials; version 4 has no undo steps with names
/// and no `region`; version 5 has no packed voxels in chunks and undo steps; version 6 has no
/// surfaces of materials and no liquid in voxels; version 7 has no hewn blocks and models among the
/// shapes, and no lying blocks. A map of an older version is read as it is, and upgraded by the
/// first transaction that writes to it.
pub(in crate::save) const VERSION: u32 = 8;
/// Highest number of an undo step or a named region. Leaves room for later numbers, so a hostile
/// map cannot make them overflow.
pub(in crate::save) const MAX_NUMBER: i64 = 1 << 62;
/// First version with the table `visibility`.
pub(in crate::save) const VISIBILITY_VERSION: u32 = 2;
/// Oldest layout that can be read.
pub(in crate::save) const OLDEST_VERSION: u32 = 1;
/// Number of bytes of a page of a new map. Most chunks take 1 to 4 KiB, so several share a page and
/// little of it stays unused.
const PAGE_BYTES: usize = 16384;
/// Page sizes of maps in bytes. Earlier versions of the program created maps with pages of 8 KiB.
pub(in crate::save) const PAGE_SIZES: [usize; 2] = [8192, PAGE_BYTES];

/// Name and definition of each object of the schema, in order of creation.
const TABLES: [(&str, &str); 9] = [
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
    ("region", "CREATE TABLE region(id INTEGER PRIMARY KEY, record BLOB NOT NULL)"),
];
/// Number of objects of [`TABLES`] in each version, from version 1 on. Each version has a prefix of
/// the list.
const TABLES_OF_VERSION: [usize; VERSION as usize] = [5, 7, 8, 8, 9, 9, 9, TABLES.len()];

/// Returns name and definition of each object in the schema of a readable version.
pub(in crate::save) fn tables(version: u32) -> &'static [(&'static str, &'static str)] {
    let count = TABLES_OF_VERSION.get((version - OLDEST_VERSION) as usize);
    &TABLES[..count.copied().unwrap_or(TABLES.len())]
}

/// Returns the version of the SQLite that is built into the program.
#[must_use]
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}

/// Creates the schema in an empty database.
pub(in crate::save) fn create(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "page_size", PAGE_BYTES as i64)?;
    conn.pragma_update(None, "application_id", APPLICATION_ID)?;
    conn.pragma_update(None, "user_version", VERSION)?;
    for (_, sql) in TABLES {
        conn.execute_batch(sql)?;
    }
    Ok(())
}

/// Upgrades a map to [`VERSION`]. The same transaction must write the digest, because the digest
/// names the version.
pub(in crate::save) fn upgrade(conn: &Connection, version: u32) -> rusqlite::Result<()> {
    if version == VERSION {
        return Ok(());
    }
    for (_, sql) in &TABLES[tables(version).len()..] {
        conn.execute_batch(sql)?;
    }
    conn.pragma_update(None, "user_version", VERSION)
}
