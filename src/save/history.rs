//! What can be undone and redone, kept in the map: a record for each step, in the order of their numbers.
//!
//! A save writes the steps that came since the last one and deletes those that went, in the transaction that writes the chunks;
//! so the two always fit together. What a step's bytes mean is [`crate::history`]'s affair. The table `meta` tells how many
//! steps there must be, and which is the last that is done; where that does not hold, or a record is bad, there is
//! nothing to undo: a step that is missing would make those before it wrong.

use super::check::meta;
use super::frame::{self, Kind};
use super::map::MapFile;
use super::saving::put_meta;
use crate::voxel::ChunkPos;
use rusqlite::{Connection, OptionalExtension, params};
use std::sync::Arc;

/// The version of the content.
const VERSION: u8 = 1;

/// The steps of a map.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SavedHistory {
    /// Number and bytes of each, by rising numbers.
    pub steps: Vec<(u64, Arc<[u8]>)>,
    /// The number of the last that is done; 0 if none is. Those after it are undone.
    pub last_done: u64,
}

/// What became of the steps since the last save.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryChange {
    /// There is none with a lower number any more.
    pub first: u64,
    /// Those with lower numbers are as they were; those with this and higher ones that were there are not any more.
    pub unchanged_below: u64,
    /// Those that are new, with their numbers.
    pub added: Vec<(u64, Arc<[u8]>)>,
    /// The number of the last that is done; 0 if none is.
    pub last_done: u64,
}

impl HistoryChange {
    /// This change after an `earlier` one that could not be saved.
    #[must_use]
    pub fn after(mut self, earlier: HistoryChange) -> HistoryChange {
        let stays = |(number, _): &(u64, Arc<[u8]>)| (self.first..self.unchanged_below).contains(number);
        self.added.extend(earlier.added.into_iter().filter(stays));
        self.unchanged_below = self.unchanged_below.min(earlier.unchanged_below);
        self
    }
}

/// A number as a record's key.
fn key(number: u64) -> ChunkPos {
    ChunkPos::new(number as i32, (number >> 32) as i32, 0)
}

/// Writes a change, within the transaction of a save.
pub(super) fn write(conn: &Connection, change: &HistoryChange, revision: u32) -> rusqlite::Result<()> {
    conn.prepare_cached("DELETE FROM history WHERE id < ?1 OR id >= ?2")?
        .execute(params![change.first as i64, change.unchanged_below as i64])?;
    let mut insert = conn.prepare_cached("INSERT INTO history(id, record) VALUES (?1, ?2)")?;
    for (number, bytes) in &change.added {
        let record = frame::seal(Kind::History, VERSION, revision, key(*number), bytes.len(), bytes);
        insert.execute(params![*number as i64, record])?;
    }
    let steps: i64 = conn.query_row("SELECT count(*) FROM history", [], |row| row.get(0))?;
    let content = [steps as u64, change.last_done].map(u64::to_le_bytes).concat();
    put_meta(conn, Kind::History, &frame::seal(Kind::History, VERSION, revision, key(0), content.len(), &content))
}

/// Deletes all: of a map whose chunks are not what the steps have made.
pub(super) fn forget(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch("DELETE FROM history")?;
    conn.execute("DELETE FROM meta WHERE kind = ?1", [Kind::History as u8]).map(drop)
}

/// The content of a record.
fn content(bytes: &[u8], number: u64) -> Result<&[u8], String> {
    let record = frame::parse_as(bytes, Kind::History, key(number))?;
    match record.prefix.codec {
        VERSION => Ok(record.data),
        other => Err(format!("its version {other} is unknown")),
    }
}

fn read(conn: &Connection) -> rusqlite::Result<Result<SavedHistory, String>> {
    // An older map has no such table.
    let table = "SELECT 1 FROM sqlite_master WHERE name = 'history'";
    if conn.query_row(table, [], |_| Ok(())).optional()?.is_none() {
        return Ok(Ok(SavedHistory::default()));
    }
    let front = meta(conn, Kind::History)?;
    let mut kept = SavedHistory::default();
    let mut statement = conn.prepare("SELECT id, record FROM history ORDER BY id")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let number = row.get::<_, i64>(0)? as u64;
        let Ok(bytes) = row.get_ref(1)?.as_blob() else { return Ok(Err(format!("step {number} is no bytes"))) };
        match content(bytes, number) {
            Ok(bytes) => kept.steps.push((number, bytes.into())),
            Err(reason) => return Ok(Err(format!("step {number}: {reason}"))),
        }
    }
    let front = match front.as_deref().map(|bytes| content(bytes, 0)) {
        None => [0; 2],
        Some(Err(reason)) => return Ok(Err(format!("its front: {reason}"))),
        Some(Ok(bytes)) => match bytes.as_chunks::<8>() {
            ([steps, last_done], []) => [*steps, *last_done].map(u64::from_le_bytes),
            _ => return Ok(Err("its front is of another length".to_owned())),
        },
    };
    let [steps, last_done] = front;
    kept.last_done = last_done;
    Ok(if steps != kept.steps.len() as u64 {
        Err(format!("{} of {steps} steps are there", kept.steps.len()))
    } else if last_done != 0 && kept.steps.binary_search_by_key(&last_done, |(number, _)| *number).is_err() {
        Err(format!("step {last_done} is not there"))
    } else {
        Ok(kept)
    })
}

impl MapFile {
    /// The steps that can be undone and redone.
    ///
    /// # Errors
    /// What is wrong with them. The rest of the map is not touched by that, and the next save begins anew.
    pub fn history(&self) -> Result<SavedHistory, String> {
        read(&self.conn).map_err(|e| e.to_string()).and_then(|kept| kept)
    }
}
