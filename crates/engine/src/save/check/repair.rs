//! Repair of a map: bad records go into the quarantine, and all remaining records are sound.

use super::verify::{
    bad_chunks, bad_history, bad_meta, describe_baked, describe_chunks, describe_meta,
    describe_regions,
};
use crate::save::error::{BadRecord, Damage, Refusal, SaveError};
use crate::save::format::frame::RecordKind;
use crate::save::format::record_error::RecordError;
use crate::save::format::schema::{self, VERSION};
use crate::save::format::small_records::write_digest;
use crate::save::map::baked;
use crate::save::map::map_file::{MapFile, OpenedMap};
use crate::save::map::state::MapState;
use crate::save::tables::rows::{put_meta, quarantine_chunk, quarantine_meta};
use crate::save::tables::{history_rows, region_rows};
use crate::voxel::ChunkPos;
use rusqlite::TransactionBehavior;
use std::path::Path;
use std::sync::Arc;

/// Result of [`repair`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepairReport {
    /// Damage of the file as a whole, if it had to be rebuilt: its defect, the lost parts, and the
    /// path of the damaged file. `None` if the structure was sound.
    pub rebuilt: Option<Damage>,
    /// Records that were moved into the quarantine.
    pub set_aside: Vec<BadRecord>,
    /// Records that were deleted: bad baked visibility, which can be baked again, and a bad undo
    /// history.
    pub deleted: Vec<BadRecord>,
}

/// Moves the bad records of a map into the quarantine table, so that all remaining records are
/// sound. A file that SQLite cannot read is rebuilt from its sound records and kept as
/// `NAME.stonerun.damaged`.
///
/// # Errors
/// The errors of [`MapFile::open`], or the map cannot be written.
pub fn repair(path: &Path) -> Result<RepairReport, SaveError> {
    let OpenedMap { mut map, damage } = MapFile::open(path)?;
    let bad = bad_chunks(&map)?;
    if !bad.is_empty() {
        quarantine_chunks(map.state_mut(), &bad)?;
    }
    let mut set_aside = describe_chunks(bad);
    for (kind, reason) in bad_meta(&map) {
        move_meta(map.state_mut(), kind, &reason)?;
        set_aside.push(describe_meta(kind, &reason));
    }
    let bad = map.regions()?.bad;
    region_rows::set_aside(&map.state().conn, &bad)
        .map_err(SaveError::sqlite(path, "set a bad record aside"))?;
    set_aside.extend(describe_regions(&bad));
    // After the chunks, because quarantining chunks deletes all baked visibility.
    let bad = baked::bad_records(map.state())?;
    baked::delete_bad(map.state(), &bad)?;
    let mut deleted = describe_baked(&bad);
    if let Some(record) = bad_history(&map) {
        history_rows::delete_all(&map.state().conn)
            .map_err(SaveError::sqlite(path, "delete the undo history"))?;
        deleted.push(record);
    }
    map.close()?;
    let rebuilt = damage.filter(|d| d.structure.is_some());
    Ok(RepairReport { rebuilt, set_aside, deleted })
}

/// Moves a record of the table `meta` into the quarantine.
fn move_meta(map: &mut MapState, kind: RecordKind, reason: &RecordError) -> Result<(), SaveError> {
    let shared = Arc::clone(&map.shared);
    let fail = |e| SaveError::sqlite(&shared.path, "set a bad record aside")(e);
    let tx = map.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
    quarantine_meta(&tx, kind, reason).map_err(fail)?;
    tx.commit().map_err(fail)
}

/// Moves chunks into the quarantine and removes them from the map.
fn quarantine_chunks(map: &mut MapState, bad: &[(ChunkPos, RecordError)]) -> Result<(), SaveError> {
    let shared = Arc::clone(&map.shared);
    let fail = |e| SaveError::sqlite(&shared.path, "set bad records aside")(e);
    let mut index = shared.index(Clone::clone);
    let tx = map.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
    schema::upgrade(&tx, map.version).map_err(fail)?;
    baked::delete_all(&tx).map_err(fail)?;
    // Undo steps may change these chunks.
    history_rows::delete_all(&tx).map_err(fail)?;
    for (pos, reason) in bad {
        if let Some(entry) = index.get(*pos) {
            quarantine_chunk(&tx, *pos, entry.id, reason).map_err(fail)?;
            tx.execute("DELETE FROM chunk WHERE id = ?1", [entry.id]).map_err(fail)?;
            index.remove(*pos);
        }
    }
    let digest = write_digest(&index.digest(), map.revision)
        .map_err(|e| SaveError::refused(&shared.path, Refusal::Digest(e)))?;
    put_meta(&tx, RecordKind::Digest, &digest).map_err(fail)?;
    tx.commit().map_err(fail)?;
    map.version = VERSION;
    *shared.index_mut() = index;
    Ok(())
}
