//! Comparison of two map files, row by row.

use crate::save::format::schema::tables;
use rusqlite::Connection;

/// True if every table of layout `version` has the same rows in both files.
///
/// # Errors
/// A file cannot be read, or lacks a table.
pub(in crate::save) fn have_same_rows(
    a: &Connection,
    b: &Connection,
    version: u32,
) -> rusqlite::Result<bool> {
    // `meta` comes first and holds the header, which differs most often.
    for (table, definition) in tables(version) {
        if definition.starts_with("CREATE TABLE") && !is_same_table(a, b, table)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_same_table(a: &Connection, b: &Connection, table: &str) -> rusqlite::Result<bool> {
    // In every table, SQLite's row number is the key.
    let rows_by_key = format!("SELECT * FROM {table} ORDER BY rowid");
    let mut statement_a = a.prepare(&rows_by_key)?;
    let mut statement_b = b.prepare(&rows_by_key)?;
    let columns = statement_a.column_count();
    if statement_b.column_count() != columns {
        return Ok(false);
    }
    let mut rows_a = statement_a.query([])?;
    let mut rows_b = statement_b.query([])?;
    loop {
        let (row_a, row_b) = match (rows_a.next()?, rows_b.next()?) {
            (Some(row_a), Some(row_b)) => (row_a, row_b),
            (None, None) => return Ok(true),
            _ => return Ok(false),
        };
        for column in 0..columns {
            if row_a.get_ref(column)? != row_b.get_ref(column)? {
                return Ok(false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::save::format::schema::{VERSION, create};

    fn map(rows: &str) -> Connection {
        let conn = Connection::open_in_memory().unwrap();
        create(&conn).unwrap();
        conn.execute_batch(rows).unwrap();
        conn
    }

    #[test]
    fn any_row_makes_a_difference() {
        let rows = "INSERT INTO meta VALUES (1, x'01'), (4, x'02'); INSERT INTO history VALUES (7, x'0304')";
        let first = map(rows);
        let is_same = |other: &Connection| have_same_rows(&first, other, VERSION).unwrap();
        assert!(is_same(&map(rows)));
        for change in [
            "UPDATE meta SET record = x'03' WHERE kind = 4",
            "UPDATE history SET id = 8",
            "DELETE FROM history",
            "INSERT INTO region VALUES (1, x'00')",
            "INSERT INTO visibility VALUES (1, 0, 0, 0, 4, x'00')",
            "INSERT INTO quarantine VALUES (1, 'chunk', 'why', 5, NULL)",
        ] {
            assert!(!is_same(&map(&format!("{rows};{change}"))), "{change}");
        }
        let foreign = Connection::open_in_memory().unwrap();
        assert!(have_same_rows(&first, &foreign, VERSION).is_err());
    }
}
