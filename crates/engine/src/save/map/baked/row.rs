//! Rows of the table `visibility`, decoded. All functions take the columns
//! `id, x, y, z, view, record`.

use super::record::{BakeInputs, BakedRecord, parse};
use crate::save::format::record_error::RecordError;
use crate::visibility::bake::{BakedSets, MAX_VIEW};
use crate::voxel::ChunkPos;
use glam::IVec3;
use rusqlite::Row;

/// An offset beyond any view distance, in chunks.
const FAR: IVec3 = IVec3::splat(1000);

/// Reads the position of the row's chunk.
pub(super) fn position(row: &Row<'_>) -> rusqlite::Result<ChunkPos> {
    Ok(ChunkPos::new(row.get(1)?, row.get(2)?, row.get(3)?))
}

/// Reads the view distance in chunks; `None` if the column has no valid one.
pub(super) fn view(row: &Row<'_>) -> Option<i32> {
    let view = row.get::<_, i64>(4).ok()?;
    i32::try_from(view).ok().filter(|view| (1..=MAX_VIEW).contains(view))
}

/// Reads the row's record and verifies its frame.
pub(super) fn record<'a>(
    row: &'a Row<'_>,
) -> rusqlite::Result<Result<BakedRecord<'a>, RecordError>> {
    let Ok(bytes) = row.get_ref(5)?.as_blob() else { return Ok(Err(RecordError::NotBytes)) };
    Ok(parse(bytes, position(row)?))
}

/// Reads the row's record, decodes its sets, and checks them against the row's view distance.
pub(super) fn content(
    row: &Row<'_>,
) -> rusqlite::Result<Result<(BakeInputs, BakedSets), RecordError>> {
    let content = record(row)?.and_then(|record| Ok((record.inputs, record.sets()?)));
    Ok(content.and_then(|(inputs, sets)| {
        if view(row) == Some(sets.view()) {
            Ok((inputs, sets))
        } else {
            Err(RecordError::ViewMismatch { record: sets.view() })
        }
    }))
}

/// Offset from `from` to `to` in chunks. Clamps so that corrupt positions cannot overflow.
pub(super) fn offset(from: ChunkPos, to: ChunkPos) -> IVec3 {
    to.as_ivec3().saturating_sub(from.as_ivec3()).clamp(-FAR, FAR)
}
