//! Sizes of the tables of a map file, in whole pages, as SQLite's `dbstat` counts them.

use rusqlite::Connection;
use serde::Serialize;

/// Size of a table or an index in the file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TableBytes {
    /// Name of the table or index; `free pages` for unused pages.
    pub table: String,
    /// Size of the table's pages, in bytes.
    pub bytes: u64,
}

/// Returns the size of each table, the largest first.
///
/// Visits all pages. With ten thousand chunks that takes some milliseconds, during which the
/// connection loads no chunk.
pub(in crate::save) fn table_sizes(conn: &Connection) -> rusqlite::Result<Vec<TableBytes>> {
    let mut statement =
        conn.prepare_cached("SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE")?;
    let row = |row: &rusqlite::Row<'_>| {
        Ok(TableBytes { table: row.get(0)?, bytes: row.get::<_, i64>(1)? as u64 })
    };
    let mut tables: Vec<TableBytes> = statement.query_map([], row)?.collect::<Result<_, _>>()?;
    let number = |pragma: &str| conn.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let free = number("freelist_count")? * number("page_size")?;
    if free > 0 {
        tables.push(TableBytes { table: "free pages".to_owned(), bytes: free as u64 });
    }
    tables.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.table.cmp(&b.table)));
    Ok(tables)
}
