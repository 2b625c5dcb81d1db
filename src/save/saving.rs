//! One save: one transaction, written and then on the disk, or not at all.

use super::baked;
use super::chunks::EncodedChunk;
use super::error::SaveError;
use super::frame::{self, Kind, Prefix};
use super::history;
use super::index::Entry;
use super::map::MapFile;
use super::records;
use super::schema;
use super::types::{Header, MapChanges, SaveReport, unix_now};
use crate::voxel::{ChunkPos, Voxel};
use rusqlite::{Connection, TransactionBehavior, params};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

/// What one transaction has written so far.
struct Written {
    entries: FxHashMap<ChunkPos, Entry>,
    bytes: u64,
    header: Header,
}

impl MapFile {
    /// Saves `what` in one transaction: all of it, or, on an error, nothing. When it returns, the data are
    /// safe from a killed process and from a power loss.
    ///
    /// # Errors
    /// The disk is full, the file is gone or cannot be written, the material table is not the map's own grown,
    /// or something is larger than the format allows.
    pub fn save(&mut self, what: &MapChanges) -> Result<SaveReport, SaveError> {
        let started = Instant::now();
        let shared = Arc::clone(&self.shared);
        let path = shared.path.as_path();
        let file = self.place.map(|place| place.file);
        self.must_be_writable()?;
        let recreated = self.place.map(|place| place.file) != file;
        let same = self.materials.iter().all(|(id, m)| what.materials.get(id).is_some_and(|n| n.name == m.name));
        if !same || what.materials.len() > Voxel::MAX_MATERIALS {
            return Err(refuse(path, "the material table is not this map's".to_owned()));
        }
        let Some(revision) = self.revision.checked_add(1) else {
            return Err(refuse(path, "the map has been saved too often".to_owned()));
        };
        // The table grows in the index first: a reader may meet a new material a moment before we are done.
        shared.index.write().unwrap_or_else(PoisonError::into_inner).set_materials(&what.materials);
        let written = self.transaction(what, revision)?;

        let mut index = shared.index.write().unwrap_or_else(PoisonError::into_inner);
        let (chunks_written, bytes_written) = (written.entries.len(), written.bytes);
        written.entries.into_iter().for_each(|(pos, entry)| index.insert(pos, entry));
        drop(index);
        self.revision = revision;
        self.version = schema::VERSION;
        self.header = written.header;
        if what.materials.len() > self.materials.len() {
            self.materials = what.materials.clone();
        }
        // Taken away meanwhile, it may be what nobody will ever see. Then the next save writes the same again.
        self.must_be_in_place()?;
        // All is on the disk: that its size cannot be read now is no reason to say otherwise.
        let totals = self.totals().unwrap_or_default();
        Ok(SaveReport { revision, chunks_written, bytes_written, took: started.elapsed(), totals, recreated })
    }

    fn transaction(&mut self, what: &MapChanges, revision: u32) -> Result<Written, SaveError> {
        let shared = Arc::clone(&self.shared);
        let path = shared.path.as_path();
        let fail = |e| SaveError::sqlite(path, "save")(e);
        let mut written = Written { entries: FxHashMap::default(), bytes: 0, header: what.header.clone().sane() };
        // Ended by an error, it is rolled back as it is dropped.
        let tx = self.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
        schema::upgrade(&tx, self.version).map_err(fail)?;
        let is_there = |pos: &ChunkPos| shared.index(|index| index.get(*pos).is_some());
        let changed: Vec<_> = what.chunks.iter().map(|(pos, _)| *pos).filter(is_there).collect();
        baked::forget(&tx, &changed).map_err(fail)?;
        for (pos, chunk) in &what.chunks {
            let record = EncodedChunk::saved(chunk).seal(*pos, revision);
            let (known, badness) = shared.index(|index| (index.get(*pos), index.badness(*pos).map(str::to_owned)));
            let known = written.entries.get(pos).copied().or(known);
            if let (Some(bad), Some(entry)) = (badness, known) {
                set_aside(&tx, *pos, entry.id, &bad).map_err(fail)?;
            }
            let id = put_chunk(&tx, known.map(|e| e.id), *pos, revision, &record).map_err(fail)?;
            // It was made just now, so it can be read.
            let entry = Prefix::parse(&record).map(|prefix| Entry::of(id, &prefix));
            written.entries.insert(*pos, entry.unwrap_or_default());
            written.bytes += record.len() as u64;
        }
        // Save number 1 is that of a new map, which holds no materials yet.
        let saved = if revision == 1 { 0 } else { self.materials.len() };
        for (id, material) in what.materials.iter().skip(saved) {
            let record = records::write_material(id, material, revision)
                .map_err(|e| refuse(path, format!("material {:?}: {e}", material.name)))?;
            put_material(&tx, id, &record).map_err(fail)?;
        }
        let record =
            records::write_header(&written.header, revision).map_err(|e| refuse(path, format!("header: {e}")))?;
        put_meta(&tx, Kind::Header, &record).map_err(fail)?;
        if let Some(picture) = &what.picture {
            if picture.len() > Kind::Picture.max_data() {
                return Err(refuse(path, format!("a picture of {} bytes is too large", picture.len())));
            }
            put_meta(&tx, Kind::Picture, &picture_record(picture, revision)).map_err(fail)?;
        }
        if let Some(change) = &what.history {
            history::write(&tx, change, revision).map_err(fail)?;
        }
        let digest = shared.index(|index| index.digest_with(&written.entries, what.materials.len()));
        let record = records::write_digest(&digest, revision).map_err(|e| refuse(path, format!("digest: {e}")))?;
        put_meta(&tx, Kind::Digest, &record).map_err(fail)?;
        tx.commit().map_err(fail)?;
        Ok(written)
    }
}

pub(super) fn refuse(path: &Path, reason: String) -> SaveError {
    SaveError::Refused { path: path.to_owned(), reason }
}

/// The record of a picture, PNG.
pub(super) fn picture_record(picture: &[u8], revision: u32) -> Vec<u8> {
    frame::seal(Kind::Picture, 1, revision, ChunkPos::default(), picture.len(), picture)
}

/// Writes a chunk's record into its row `id`, or into a new one; returns the row.
pub(super) fn put_chunk(
    conn: &Connection,
    id: Option<i64>,
    pos: ChunkPos,
    revision: u32,
    record: &[u8],
) -> rusqlite::Result<i64> {
    if let Some(id) = id {
        let changed = conn
            .prepare_cached("UPDATE chunk SET revision = ?2, record = ?3 WHERE id = ?1")?
            .execute(params![id, revision, record])?;
        if changed == 1 {
            return Ok(id);
        }
        // The row was taken out by somebody else: the chunk gets a new one.
    }
    conn.prepare_cached("INSERT INTO chunk(x, y, z, revision, record) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![pos.x, pos.y, pos.z, revision, record])?;
    Ok(conn.last_insert_rowid())
}

pub(super) fn put_material(conn: &Connection, id: u16, record: &[u8]) -> rusqlite::Result<()> {
    conn.prepare_cached("INSERT INTO material(id, record) VALUES (?1, ?2)")?.execute(params![id, record]).map(drop)
}

pub(super) fn put_meta(conn: &Connection, kind: Kind, record: &[u8]) -> rusqlite::Result<()> {
    conn.prepare_cached("INSERT OR REPLACE INTO meta(kind, record) VALUES (?1, ?2)")?
        .execute(params![kind as u8, record])
        .map(drop)
}

/// Copies the bad record of a chunk into the quarantine, as it is.
pub(super) fn set_aside(conn: &Connection, pos: ChunkPos, id: i64, reason: &str) -> rusqlite::Result<()> {
    conn.prepare_cached(
        "INSERT INTO quarantine(place, reason, set_aside_unix, record) \
         SELECT ?2, ?3, ?4, record FROM chunk WHERE id = ?1",
    )?
    .execute(params![id, format!("chunk {pos}"), reason, unix_now() as i64])
    .map(drop)
}
