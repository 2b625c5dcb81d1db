//! The rows of the named regions, one per region, in no particular order.
//!
//! A bad record costs only its own region. The next save that changes a region moves bad records
//! into the quarantine, as a repair does.

use super::region_change::{RegionChange, SavedRegion, SavedRegions};
use crate::save::error::Refusal;
use crate::save::format::frame;
use crate::save::format::record_error::RecordError;
use crate::save::format::region_record::{read_content, read_region, write_region};
use crate::save::format::schema::MAX_NUMBER;
use crate::save::format::unix_time::unix_now;
use rusqlite::{Connection, OptionalExtension, params};

/// Calls `each` with number and content (name and bytes) of every region, with one record in memory
/// at a time.
fn for_each(
    conn: &Connection,
    mut each: impl FnMut(u64, Result<(&str, &[u8]), RecordError>),
) -> rusqlite::Result<()> {
    // A map of an older version has no such table.
    let table = "SELECT 1 FROM sqlite_master WHERE name = 'region'";
    if conn.query_row(table, [], |_| Ok(())).optional()?.is_none() {
        return Ok(());
    }
    let mut statement = conn.prepare("SELECT id, record FROM region ORDER BY id")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let number = id as u64;
        if !(1..=MAX_NUMBER).contains(&id) {
            each(number, Err(RecordError::BadNumber));
            continue;
        }
        let bytes = row.get_ref(1)?.as_blob().map_err(|_| RecordError::NotBytes);
        each(number, bytes.and_then(|bytes| read_region(bytes, number)));
    }
    Ok(())
}

/// Reads and checks all regions. Of several with one name, the last one counts.
pub(in crate::save) fn list(conn: &Connection) -> rusqlite::Result<SavedRegions> {
    let mut found = SavedRegions::default();
    for_each(conn, |number, region| match region {
        Ok((name, bytes)) => {
            found.regions.push(SavedRegion {
                number,
                name: name.to_owned(),
                bytes: bytes.len() as u64,
            });
        }
        Err(reason) => found.bad.push((number, reason)),
    })?;
    found.regions.reverse();
    found.regions.sort_by_cached_key(|region| region.name.to_lowercase());
    found.regions.dedup_by_key(|region| region.name.to_lowercase());
    Ok(found)
}

/// Reads the bytes of the region `name`; `None` if the map has no sound record of it.
pub(in crate::save) fn load(conn: &Connection, name: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    let wanted = name.to_lowercase();
    let mut found = None;
    for_each(conn, |_, region| match region {
        Ok((name, bytes)) if name.to_lowercase() == wanted => found = Some(bytes.to_vec()),
        _ => {}
    })?;
    Ok(found)
}

/// Writes changes, within the transaction of a save, and moves bad records into the quarantine. The
/// inner error names a region that does not fit into a record.
pub(in crate::save) fn write(
    conn: &Connection,
    changes: &[RegionChange],
    revision: u32,
) -> rusqlite::Result<Result<(), Refusal>> {
    if changes.is_empty() {
        return Ok(Ok(()));
    }
    let mut names = Vec::new();
    let mut bad = Vec::new();
    for_each(conn, |number, region| match region {
        Ok((name, _)) => names.push((number, name.to_lowercase())),
        Err(reason) => bad.push((number, reason)),
    })?;
    set_aside(conn, &bad)?;
    for change in changes {
        let name = change.name.to_lowercase();
        for (number, _) in names.extract_if(.., |(_, other)| *other == name) {
            conn.prepare_cached("DELETE FROM region WHERE id = ?1")?.execute([number as i64])?;
        }
        let Some(bytes) = &change.bytes else { continue };
        match insert(conn, &change.name, bytes, revision)? {
            Ok(number) => names.push((number, name)),
            Err(reason) => return Ok(Err(Refusal::Region { name: change.name.clone(), reason })),
        }
    }
    Ok(Ok(()))
}

/// Adds a region under a new number. Returns the number.
fn insert(
    conn: &Connection,
    name: &str,
    bytes: &[u8],
    revision: u32,
) -> rusqlite::Result<Result<u64, RecordError>> {
    let number: i64 =
        conn.query_row("SELECT coalesce(max(id), 0) + 1 FROM region", [], |row| row.get(0))?;
    let record = match write_region(number as u64, name, bytes, revision) {
        Ok(record) => record,
        Err(reason) => return Ok(Err(reason)),
    };
    conn.prepare_cached("INSERT INTO region(id, record) VALUES (?1, ?2)")?
        .execute(params![number, record])?;
    Ok(Ok(number as u64))
}

/// Adds a record that was found in a damaged map, under a new number. The caller must pass each
/// name only once.
pub(in crate::save) fn put_salvaged(
    conn: &Connection,
    record: &[u8],
    revision: u32,
) -> rusqlite::Result<()> {
    let Ok((name, bytes)) =
        frame::parse(record).map_err(RecordError::from).and_then(|record| read_content(&record))
    else {
        return Ok(());
    };
    // Its content was in a record before, so it fits.
    insert(conn, name, bytes, revision).map(drop)
}

/// Moves bad records into the quarantine, unchanged.
pub(in crate::save) fn set_aside(
    conn: &Connection,
    bad: &[(u64, RecordError)],
) -> rusqlite::Result<()> {
    for (number, reason) in bad {
        conn.execute(
            "INSERT INTO quarantine(place, reason, set_aside_unix, record) \
             SELECT ?2, ?3, ?4, record FROM region WHERE id = ?1",
            params![*number as i64, place(*number), reason.to_string(), unix_now() as i64],
        )?;
        conn.execute("DELETE FROM region WHERE id = ?1", [*number as i64])?;
    }
    Ok(())
}

/// Describes a region whose name is lost, for reports.
pub(in crate::save) fn place(number: u64) -> String {
    format!("region {number}")
}
