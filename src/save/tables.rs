//! What each table of a map file takes, as SQLite's own `dbstat` counts it: whole pages.

use super::error::SaveError;
use super::map::MapFile;
use super::reader::MapReader;
use super::types::Totals;
use rusqlite::Connection;
use serde::Serialize;

/// The bytes of a table or an index in the file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TableBytes {
    /// Its name; `free pages` for those that hold nothing.
    pub table: String,
    /// Bytes of its pages.
    pub bytes: u64,
}

/// Goes through all pages: for ten thousand chunks some milliseconds, in which no chunk can be loaded.
fn tables(conn: &Connection) -> rusqlite::Result<Vec<TableBytes>> {
    let mut statement = conn.prepare_cached("SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE")?;
    let row = |row: &rusqlite::Row<'_>| Ok(TableBytes { table: row.get(0)?, bytes: row.get::<_, i64>(1)? as u64 });
    let mut tables: Vec<TableBytes> = statement.query_map([], row)?.collect::<Result<_, _>>()?;
    let number = |pragma: &str| conn.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let free = number("freelist_count")? * number("page_size")?;
    if free > 0 {
        tables.push(TableBytes { table: "free pages".to_owned(), bytes: free as u64 });
    }
    tables.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.table.cmp(&b.table)));
    Ok(tables)
}

impl MapFile {
    /// What each table takes, the largest first. The log is not counted.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn tables(&self) -> Result<Vec<TableBytes>, SaveError> {
        tables(&self.conn).map_err(SaveError::sqlite(self.path(), "count its tables"))
    }
}

impl MapReader {
    /// As [`MapFile::tables`], from any thread.
    ///
    /// # Errors
    /// The file cannot be read, or the map is closed.
    pub fn tables(&self) -> Result<Vec<TableBytes>, SaveError> {
        self.through(|conn| tables(conn).map_err(SaveError::sqlite(self.path(), "count its tables")))
    }

    /// Sums over the chunks, and the file's size, as [`MapFile::totals`].
    ///
    /// # Errors
    /// The file's size cannot be read.
    pub fn totals(&self) -> Result<Totals, SaveError> {
        self.shared.totals()
    }
}
