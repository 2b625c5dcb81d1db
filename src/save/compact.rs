//! Makes a map's file as small as it gets: each chunk by the smallest codec, and no free pages.
//!
//! The chunks stay what they are, so nothing else in the map becomes wrong: their records keep their places, rows and
//! revisions, and what is baked stays.

use super::chunks::EncodedChunk;
use super::error::SaveError;
use super::frame::{Kind, Prefix};
use super::index::Entry;
use super::map::MapFile;
use super::records;
use super::saving::{put_meta, refuse};
use super::schema;
use super::types::Totals;
use crate::voxel::ChunkPos;
use rusqlite::{TransactionBehavior, params};
use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError};

/// Chunks in a transaction: what is done stays done when the rest is cancelled.
const BATCH: usize = 1024;

/// What `compact` did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompactReport {
    /// Chunks whose records became smaller.
    pub chunks: u64,
    /// Chunks whose records are bad; they stay as they are.
    pub bad: u64,
    /// The map before.
    pub before: Totals,
    /// The map after.
    pub after: Totals,
    /// False if it was cancelled.
    pub complete: bool,
}

impl MapFile {
    /// Writes each chunk by the smallest codec, where that makes its record smaller, and gives free pages back. `progress` is
    /// told how much is done, from 0 to 1, and says whether to go on. What is done when it fails or ends stays done.
    ///
    /// # Errors
    /// The map is open for reading only, or the disk is full.
    pub fn compact(&mut self, progress: &mut dyn FnMut(f32) -> ControlFlow<()>) -> Result<CompactReport, SaveError> {
        self.must_be_writable()?;
        let before = self.totals()?;
        let mut done = CompactReport { chunks: 0, bad: 0, before, after: before, complete: true };
        let all = self.positions();
        for (batch, positions) in all.chunks(BATCH).enumerate() {
            self.compact_batch(positions, &mut done)?;
            if progress(((batch + 1) * BATCH).min(all.len()) as f32 / all.len() as f32).is_break() {
                done.complete = false;
                break;
            }
        }
        if done.complete {
            let fail = |e| SaveError::sqlite(self.path(), "compact the map")(e);
            self.conn.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)").map_err(fail)?;
        }
        done.after = self.totals()?;
        Ok(done)
    }

    fn compact_batch(&mut self, positions: &[ChunkPos], done: &mut CompactReport) -> Result<(), SaveError> {
        let mut smaller: Vec<(ChunkPos, Vec<u8>)> = Vec::new();
        for &pos in positions {
            let chunk = match self.load(pos) {
                Ok(Some(chunk)) => chunk,
                Ok(None) => continue,
                Err(SaveError::BadChunk { .. }) => {
                    done.bad += 1;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let Some(entry) = self.shared.index(|index| index.get(pos)) else { continue };
            let encoded = EncodedChunk::smallest(&chunk);
            if encoded.data.len() < entry.data as usize {
                smaller.push((pos, encoded.seal(pos, entry.revision)));
            }
        }
        if smaller.is_empty() {
            return Ok(());
        }
        let shared = Arc::clone(&self.shared);
        let fail = |e| SaveError::sqlite(&shared.path, "compact the map")(e);
        let mut entries: Vec<(ChunkPos, Entry)> = Vec::with_capacity(smaller.len());
        let tx = self.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
        schema::upgrade(&tx, self.version).map_err(fail)?;
        for (pos, record) in &smaller {
            let known = shared.index(|index| index.get(*pos));
            let (Some(known), Ok(prefix)) = (known, Prefix::parse(record)) else { continue };
            let mut update = tx.prepare_cached("UPDATE chunk SET record = ?2 WHERE id = ?1").map_err(fail)?;
            update.execute(params![known.id, record]).map_err(fail)?;
            entries.push((*pos, Entry::of(known.id, &prefix)));
        }
        // It says the layout's version, which may be new.
        let digest = shared.index(|index| index.digest());
        let digest = records::write_digest(&digest, self.revision);
        let digest = digest.map_err(|e| refuse(&shared.path, format!("digest: {e}")))?;
        put_meta(&tx, Kind::Digest, &digest).map_err(fail)?;
        tx.commit().map_err(fail)?;
        self.version = schema::VERSION;
        done.chunks += entries.len() as u64;
        let mut index = shared.index.write().unwrap_or_else(PoisonError::into_inner);
        entries.into_iter().for_each(|(pos, entry)| index.insert(pos, entry));
        Ok(())
    }
}
