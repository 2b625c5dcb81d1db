//! Writing baked visibility, and deleting records that become wrong.

use super::read::BadBakedRecord;
use super::record::{BakeInputs, write};
use super::row::{content, offset, position, view};
use crate::save::error::{Refusal, SaveError};
use crate::save::format::frame::RecordKind;
use crate::save::format::schema::{self, VERSION};
use crate::save::format::small_records::write_digest;
use crate::save::map::file_check::{require_in_place, require_writable};
use crate::save::map::state::MapState;
use crate::save::tables::rows::put_meta;
use crate::visibility::bake::{BakedSets, MAX_VIEW};
use crate::voxel::ChunkPos;
use crate::world::view::in_reach;
use glam::IVec3;
use rusqlite::{Connection, TransactionBehavior, params};
use std::sync::Arc;

/// Implements [`MapFile::save_visibility`](crate::save::MapFile::save_visibility).
pub(in crate::save) fn save(
    map: &mut MapState,
    baked: &[(ChunkPos, BakedSets)],
) -> Result<(), SaveError> {
    require_writable(map)?;
    let shared = Arc::clone(&map.shared);
    let fail = |e| SaveError::sqlite(&shared.path, "save baked visibility")(e);
    let revision = map.revision;
    let tx = map.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
    if map.version != VERSION {
        schema::upgrade(&tx, map.version).map_err(fail)?;
        let digest = write_digest(&shared.index(|index| index.digest()), revision)
            .map_err(|e| SaveError::refused(&shared.path, Refusal::Digest(e)))?;
        put_meta(&tx, RecordKind::Digest, &digest).map_err(fail)?;
    }
    let inputs = shared.index(BakeInputs::from_index);
    for (pos, sets) in baked {
        put(&tx, *pos, sets.view(), &write(*pos, sets, inputs, revision)).map_err(fail)?;
    }
    tx.commit().map_err(fail)?;
    map.version = VERSION;
    require_in_place(map)
}

/// Writes the record of a chunk, and replaces an earlier row of that chunk.
fn put(conn: &Connection, pos: ChunkPos, view: i32, record: &[u8]) -> rusqlite::Result<()> {
    conn.prepare_cached(
        "INSERT OR REPLACE INTO visibility(x, y, z, view, record) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![pos.x, pos.y, pos.z, view, record])
    .map(drop)
}

/// Deletes the records that become wrong because the chunks at `changed` change.
pub(in crate::save) fn delete_outdated(
    conn: &Connection,
    changed: &[ChunkPos],
) -> rusqlite::Result<()> {
    let Some(first) = changed.first() else { return Ok(()) };
    let mut low = first.as_ivec3();
    let mut high = low;
    for pos in changed {
        low = low.min(pos.as_ivec3());
        high = high.max(pos.as_ivec3());
    }
    let mut near = conn.prepare_cached(
        "SELECT id, x, y, z, view, record FROM visibility \
         WHERE x BETWEEN ?1 AND ?2 AND y BETWEEN ?3 AND ?4 AND z BETWEEN ?5 AND ?6",
    )?;
    let reach = IVec3::splat(MAX_VIEW);
    low = low.saturating_sub(reach);
    high = high.saturating_add(reach);
    let mut rows = near.query([low.x, high.x, low.y, high.y, low.z, high.z])?;
    let mut outdated: Vec<i64> = Vec::new();
    while let Some(row) = rows.next()? {
        let id = row.get(0)?;
        // Deleted, because an unreadable row must not block a save.
        let (Ok(pos), Some(view)) = (position(row), view(row)) else {
            outdated.push(id);
            continue;
        };
        let offsets = changed.iter().map(|&at| offset(pos, at));
        let mut near = offsets.filter(|&offset| in_reach(offset, view)).peekable();
        // An unreadable record is deleted, too.
        if near.peek().is_some()
            && content(row)?.map_or(true, |(_, sets)| {
                near.any(|offset| offset == IVec3::ZERO || sets.contains_chunk(offset))
            })
        {
            outdated.push(id);
        }
    }
    drop(rows);
    let mut delete = conn.prepare_cached("DELETE FROM visibility WHERE id = ?1")?;
    for id in outdated {
        delete.execute([id])?;
    }
    Ok(())
}

/// Deletes all records. Necessary after chunks were deleted: new chunks may get the deleted rows,
/// and records would then claim to account for them.
pub(in crate::save) fn delete_all(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch("DELETE FROM visibility")
}

/// Deletes bad records, which can be baked again.
pub(in crate::save) fn delete_bad(map: &MapState, bad: &[BadBakedRecord]) -> Result<(), SaveError> {
    for record in bad {
        map.conn
            .execute("DELETE FROM visibility WHERE id = ?1", [record.row])
            .map_err(SaveError::sqlite(map.path(), "delete bad visibility"))?;
    }
    Ok(())
}
