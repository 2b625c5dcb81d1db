//! Compacts an open map in idle moments: what [`compact`](super::compact) does, in small parts.
//!
//! Saves write in the codec that is quickest to write. While nothing is saved, the writer's thread encodes
//! these chunks again in the smallest one, and once that has freed much of the file, it writes the file
//! anew.

use super::compact::{CompactReport, compact_batch};
use super::file_check::require_writable;
use super::index::ChunkEntry;
use super::state::MapState;
use crate::save::error::SaveError;
use crate::save::format::chunk_record::ChunkCodec;
use crate::voxel::ChunkPos;

/// Chunks with at most this many bytes stay as they are: a page holds dozens of them.
const SMALL: u32 = 64;
/// Chunks per transaction: some ten milliseconds, for which a save may wait.
const BATCH: usize = 128;
/// Largest file that is written anew, in bytes: it takes a second or two.
const MAX_REWRITTEN: u64 = 128 << 20;
/// The file is written anew once one part of this many has been freed.
const FREED_PARTS: u64 = 10;

/// What is left to do in idle moments.
#[derive(Debug, Default)]
pub(in crate::save) struct IdleCompaction {
    /// Chunks that were not tried yet; `None` before they are listed.
    left: Option<Vec<ChunkPos>>,
    /// All chunks of this save and of earlier ones have been tried.
    tried_through: u32,
    /// Bytes by which records have become smaller since the file was written anew.
    freed: u64,
}

impl IdleCompaction {
    /// Notes a save: its chunks are tried in later idle moments.
    pub fn saved(&mut self) {
        self.left = None;
    }

    /// Does a part of the work: a batch of chunks, or writing the file anew. Returns false if nothing is
    /// left to do.
    ///
    /// # Errors
    /// The map cannot be written. Nothing is lost.
    pub fn step(&mut self, map: &mut MapState) -> Result<bool, SaveError> {
        require_writable(map)?;
        let through = self.tried_through;
        let is_due = |entry: ChunkEntry| {
            entry.revision > through && entry.codec <= ChunkCodec::RleLz4 as u8 && entry.data > SMALL
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
            return self.write_anew(map).map(|()| false);
        }
        let before = map.shared.totals()?;
        let mut report = CompactReport { chunks: 0, bad: 0, before, after: before, complete: true };
        compact_batch(map, &batch, &mut report)?;
        self.freed += before.data_bytes.saturating_sub(map.shared.totals()?.data_bytes);
        Ok(true)
    }

    /// Writes the file anew if that makes it much smaller.
    fn write_anew(&mut self, map: &MapState) -> Result<(), SaveError> {
        let fail = |e| SaveError::sqlite(map.path(), "compact the map")(e);
        let number = |name: &str| map.conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let file = (number("page_count").map_err(fail)? * number("page_size").map_err(fail)?) as u64;
        if file > MAX_REWRITTEN || self.freed < file / FREED_PARTS {
            return Ok(());
        }
        self.freed = 0;
        // The log is folded now if no chunk is being read, and otherwise later.
        map.conn.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)").map_err(fail)
    }
}
