//! Compaction of a map's file: each chunk in its smallest codec, and no free pages.
//!
//! The voxels do not change, so the records keep their keys, rows and revisions, and baked
//! visibility and the undo history stay valid.

use super::file_check::require_writable;
use super::reader::load_chunk;
use super::state::MapState;
use crate::save::error::{Refusal, SaveError};
use crate::save::format::chunk_record::EncodedChunk;
use crate::save::format::frame::{Frame, RecordKind};
use crate::save::format::schema::{self, VERSION};
use crate::save::format::small_records::write_digest;
use crate::save::tables::chunk_index::ChunkEntry;
use crate::save::tables::rows::put_meta;
use crate::save::tables::totals::Totals;
use crate::voxel::ChunkPos;
use rusqlite::{TransactionBehavior, params};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Number of chunks per transaction. After a cancellation, finished transactions stay.
const BATCH: usize = 1024;

/// Result of [`MapFile::compact`](crate::save::MapFile::compact).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompactReport {
    /// Number of chunks whose records became smaller.
    pub chunks: u64,
    /// Number of chunks with bad records, which were left as they are.
    pub bad: u64,
    /// Totals of the map before the compaction.
    pub before: Totals,
    /// Totals of the map after the compaction.
    pub after: Totals,
    /// False if the caller cancelled the compaction.
    pub complete: bool,
}

/// Implements [`MapFile::compact`](crate::save::MapFile::compact).
pub(in crate::save) fn compact(
    map: &mut MapState,
    progress: &mut dyn FnMut(f32) -> ControlFlow<()>,
) -> Result<CompactReport, SaveError> {
    require_writable(map)?;
    let before = map.shared.totals()?;
    let mut report = CompactReport { chunks: 0, bad: 0, before, after: before, complete: true };
    let all = map.shared.index(|index| index.positions());
    for (batch, positions) in all.chunks(BATCH).enumerate() {
        compact_batch(map, positions, &mut report)?;
        if progress(((batch + 1) * BATCH).min(all.len()) as f32 / all.len() as f32).is_break() {
            report.complete = false;
            break;
        }
    }
    if report.complete {
        let fail = |e| SaveError::sqlite(map.path(), "compact the map")(e);
        map.conn.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)").map_err(fail)?;
    }
    report.after = map.shared.totals()?;
    Ok(report)
}

/// Encodes chunks in their smallest codecs, in one transaction.
pub(super) fn compact_batch(
    map: &mut MapState,
    positions: &[ChunkPos],
    report: &mut CompactReport,
) -> Result<(), SaveError> {
    let shared = Arc::clone(&map.shared);
    let mut smaller: Vec<(ChunkPos, Vec<u8>)> = Vec::new();
    for &pos in positions {
        let chunk = match load_chunk(&shared, pos, |fetch| fetch(&map.conn)) {
            Ok(Some(chunk)) => chunk,
            Ok(None) => continue,
            Err(SaveError::BadChunk { .. }) => {
                report.bad += 1;
                continue;
            }
            Err(error) => return Err(error),
        };
        let Some(entry) = shared.index(|index| index.get(pos)) else { continue };
        let encoded = EncodedChunk::smallest(&chunk);
        if encoded.data.len() < entry.data as usize {
            smaller.push((pos, encoded.seal(pos, entry.revision)));
        }
    }
    if smaller.is_empty() {
        return Ok(());
    }
    let fail = |e| SaveError::sqlite(&shared.path, "compact the map")(e);
    let mut entries: Vec<(ChunkPos, ChunkEntry)> = Vec::with_capacity(smaller.len());
    let tx = map.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
    schema::upgrade(&tx, map.version).map_err(fail)?;
    for (pos, record) in &smaller {
        let entry = shared.index(|index| index.get(*pos));
        let (Some(entry), Ok(frame)) = (entry, Frame::parse(record)) else { continue };
        let mut update =
            tx.prepare_cached("UPDATE chunk SET record = ?2 WHERE id = ?1").map_err(fail)?;
        update.execute(params![entry.id, record]).map_err(fail)?;
        entries.push((*pos, ChunkEntry::from_frame(entry.id, &frame)));
    }
    // The digest names the version of the layout, which the upgrade may have changed.
    let digest = write_digest(&shared.index(|index| index.digest()), map.revision)
        .map_err(|e| SaveError::refused(&shared.path, Refusal::Digest(e)))?;
    put_meta(&tx, RecordKind::Digest, &digest).map_err(fail)?;
    tx.commit().map_err(fail)?;
    map.version = VERSION;
    report.chunks += entries.len() as u64;
    let mut index = shared.index_mut();
    for (pos, entry) in entries {
        index.insert(pos, entry);
    }
    Ok(())
}
