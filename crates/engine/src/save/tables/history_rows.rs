//! The rows of the undo history: one per step, by number.
//!
//! A save writes new steps and deletes dropped ones in the transaction that writes the chunks, so
//! chunks and history always match. The summary in the table `meta` holds the number of steps and
//! the number of the last done step. If the summary does not match, or a record is bad, the whole
//! history is lost: without one step, undoing earlier steps would restore wrong voxels.

use super::history_change::{HistoryChange, SavedHistory, SavedStep};
use super::rows::{meta, put_meta};
use crate::save::error::reason::sqlite_words;
use crate::save::format::frame::RecordKind;
use crate::save::format::history_record::{
    HistoryError, HistorySummary, StepBody, StepHeader, read_step, read_summary, write_step,
    write_summary,
};
use crate::save::format::record_error::RecordError;
use crate::save::format::schema::MAX_NUMBER;
use crate::voxel::{Material, MaterialTable};
use rusqlite::{Connection, OptionalExtension, params};

/// Writes a change, within the transaction of a save. A step that is too large for a row is left
/// out, with all steps that cannot be reached without it: the earlier steps if it is done, else the
/// later ones.
pub(in crate::save) fn write(
    conn: &Connection,
    change: &HistoryChange,
    revision: u32,
) -> rusqlite::Result<()> {
    conn.prepare_cached("DELETE FROM history WHERE id < ?1 OR id >= ?2")?
        .execute(params![change.first as i64, change.unchanged_below as i64])?;
    let mut insert =
        conn.prepare_cached("INSERT OR REPLACE INTO history(id, record) VALUES (?1, ?2)")?;
    let mut first = change.first;
    let mut end = u64::MAX;
    for (number, step) in change.rewritten.iter().chain(&change.added) {
        match step.body().and_then(|body| write_step(*number, step.header(), &body, revision)) {
            Some(record) => _ = insert.execute(params![*number as i64, record])?,
            None if *number <= change.last_done => first = first.max(number + 1),
            None => end = end.min(*number),
        }
    }
    if first > change.first {
        conn.execute("DELETE FROM history WHERE id < ?1", [first as i64])?;
    }
    if end < u64::MAX {
        conn.execute("DELETE FROM history WHERE id >= ?1", [end as i64])?;
    }
    let steps: i64 = conn.query_row("SELECT count(*) FROM history", [], |row| row.get(0))?;
    let last_done = if change.last_done < first { 0 } else { change.last_done };
    let summary = HistorySummary { steps: steps as u64, last_done };
    put_meta(conn, RecordKind::History, &write_summary(summary, revision))
}

/// Reads the changes of a step; `None` if the map does not hold it.
pub(in crate::save) fn read_body(
    conn: &Connection,
    number: u64,
) -> rusqlite::Result<Option<Result<StepBody, RecordError>>> {
    let mut statement = conn.prepare_cached("SELECT record FROM history WHERE id = ?1")?;
    let mut rows = statement.query([number as i64])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let record = row.get_ref(0)?.as_blob().map_err(|_| RecordError::NotBytes);
    let body = record.and_then(|record| read_step(record, number));
    Ok(Some(body.map(|(_, version, bytes)| StepBody { version, bytes: bytes.into() })))
}

/// Deletes the history of a map whose chunks no longer match its steps.
pub(in crate::save) fn delete_all(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch("DELETE FROM history")?;
    conn.execute("DELETE FROM meta WHERE kind = ?1", [RecordKind::History as u8]).map(drop)
}

/// Reads the history and checks every record, with one record in memory at a time. Surfaces that
/// steps change must fit the map's `materials`.
pub(in crate::save) fn read(
    conn: &Connection,
    materials: &MaterialTable,
) -> Result<SavedHistory, HistoryError> {
    let stored =
        read_records(conn, materials).map_err(|e| HistoryError::Sqlite(sqlite_words(&e)))?;
    let (mut history, summary) = stored?;
    history.last_done = summary.last_done;
    let found = history.steps.len() as u64;
    if summary.steps != found {
        return Err(HistoryError::StepCount { found, expected: summary.steps });
    }
    let last = summary.last_done;
    if last != 0 && history.steps.binary_search_by_key(&last, |step| step.number).is_err() {
        return Err(HistoryError::MissingStep(last));
    }
    Ok(history)
}

/// Refuses a step that changes a surface which the map's table does not allow.
fn check_surface(header: &StepHeader, materials: &MaterialTable) -> Result<(), RecordError> {
    let Some(change) = header.surface else { return Ok(()) };
    let fits =
        |material: &Material| material.can_have(change.before) && material.can_have(change.after);
    if materials.get(change.material).is_some_and(fits) {
        Ok(())
    } else {
        Err(RecordError::SurfaceOf(change.material))
    }
}

/// The steps of a map, and the summary that must match them.
type Records = (SavedHistory, HistorySummary);

/// Reads all steps and the summary, without comparing them.
fn read_records(
    conn: &Connection,
    materials: &MaterialTable,
) -> rusqlite::Result<Result<Records, HistoryError>> {
    let mut history = SavedHistory::default();
    // A map of an older version has no such table.
    let table = "SELECT 1 FROM sqlite_master WHERE name = 'history'";
    if conn.query_row(table, [], |_| Ok(())).optional()?.is_none() {
        return Ok(Ok((history, HistorySummary::default())));
    }
    let summary = meta(conn, RecordKind::History)?;
    let mut statement = conn.prepare("SELECT id, record FROM history ORDER BY id")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let number = id as u64;
        if !(1..=MAX_NUMBER).contains(&id) {
            return Ok(Err(HistoryError::Step { number, reason: RecordError::BadNumber }));
        }
        let bytes = row.get_ref(1)?.as_blob().map_err(|_| RecordError::NotBytes);
        let step = bytes.and_then(|bytes| read_step(bytes, number));
        match step.and_then(|step| check_surface(&step.0, materials).map(|()| step)) {
            Ok((header, _, body)) => {
                history.steps.push(SavedStep { number, header, bytes: body.len() as u64 })
            }
            Err(reason) => return Ok(Err(HistoryError::Step { number, reason })),
        }
    }
    let summary = summary.as_deref().map_or(Ok(HistorySummary::default()), read_summary);
    Ok(summary.map(|summary| (history, summary)).map_err(HistoryError::Summary))
}
