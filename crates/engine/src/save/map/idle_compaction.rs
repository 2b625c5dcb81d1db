//! Idle compaction: the work of [`compact`](super::compact) in small parts, while a map is open.
//!
//! Saves use the codecs that are quick to write. While there is nothing to save, the writer's
//! thread re-encodes these chunks in their smallest codec, and rebuilds the file once that has
//! freed a tenth of it.

use super::compact::{CompactReport, compact_batch};
use super::file_check::is_writable_in_place;
use super::state::MapState;
use crate::save::error::SaveError;
use crate::save::file::connection::BUSY_TIMEOUT;
use crate::save::format::chunk_record::ChunkCodec;
use crate::save::tables::chunk_index::ChunkEntry;
use crate::voxel::ChunkPos;
use std::time::Duration;

/// Maximum size in bytes of chunks that are skipped: a page holds dozens of them, so little is
/// gained.
const MAX_SKIPPED_BYTES: u32 = 64;
/// Number of chunks per transaction. A save waits for at most one transaction, about ten
/// milliseconds.
const BATCH: usize = 128;
/// Maximum size in bytes of a file that is rebuilt. A save waits for the rebuild, some tenths of a
/// second.
const MAX_REBUILT_BYTES: u64 = 32 << 20;
/// Reciprocal of the part of the file that must be freed before it is rebuilt.
const FREED_PARTS: u64 = 10;

/// Progress of idle compaction.
#[derive(Debug, Default)]
pub(in crate::save) struct IdleCompaction {
    /// Chunks to re-encode; `None` before they are listed.
    left: Option<Vec<ChunkPos>>,
    /// Highest revision whose chunks have all been tried.
    tried_through: u32,
    /// Bytes freed since the file was last rebuilt.
    freed: u64,
}

impl IdleCompaction {
    /// Makes the next step list the chunks again, after a save.
    pub fn saved(&mut self) {
        self.left = None;
    }

    /// Re-encodes a batch of chunks, or rebuilds the file. Returns false once nothing is left to
    /// do, or if the map's path does not lead to its file, which the next save reports.
    ///
    /// # Errors
    /// The map cannot be written. Nothing is lost.
    pub fn step(&mut self, map: &mut MapState) -> Result<bool, SaveError> {
        if !is_writable_in_place(map)? {
            return Ok(false);
        }
        let through = self.tried_through;
        let is_due = |entry: ChunkEntry| {
            entry.revision > through
                && entry.codec <= ChunkCodec::RleLz4 as u8
                && entry.data > MAX_SKIPPED_BYTES
        };
        let left = self.left.get_or_insert_with(|| {
            map.shared.index(|index| {
                let positions = index.positions().into_iter();
                positions.filter(|pos| index.get(*pos).is_some_and(is_due)).collect()
            })
        });
        let batch = left.split_off(left.len().saturating_sub(BATCH));
        if batch.is_empty() {
            self.tried_through = map.revision;
            return self.rebuild(map).map(|()| false);
        }
        let before = map.shared.totals()?;
        let mut report = CompactReport { chunks: 0, bad: 0, before, after: before, complete: true };
        compact_batch(map, &batch, &mut report)?;
        self.freed += before.data_bytes.saturating_sub(map.shared.totals()?.data_bytes);
        Ok(true)
    }

    /// Rebuilds the file if enough of it has been freed.
    fn rebuild(&mut self, map: &MapState) -> Result<(), SaveError> {
        let fail = |e| SaveError::sqlite(map.path(), "compact the map")(e);
        let number =
            |name: &str| map.conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let file =
            (number("page_count").map_err(fail)? * number("page_size").map_err(fail)?) as u64;
        if file > MAX_REBUILT_BYTES || self.freed < file / FREED_PARTS {
            return Ok(());
        }
        map.conn.execute_batch("VACUUM").map_err(fail)?;
        self.freed = 0;
        // If something reads the map now, the log is folded later.
        map.conn.busy_timeout(Duration::ZERO).map_err(fail)?;
        let folded = map.conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
        map.conn.busy_timeout(BUSY_TIMEOUT).and(folded).map_err(fail)
    }
}
