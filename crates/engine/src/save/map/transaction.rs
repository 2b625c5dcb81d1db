//! A save as one transaction: either all of its changes reach the disk, or none.

use super::baked;
use super::file_check::{require_in_place, require_writable};
use super::map_changes::{MapChanges, SaveReport};
use super::shared::SharedMap;
use super::state::MapState;
use crate::save::error::{Refusal, SaveError};
use crate::save::format::awake_record;
use crate::save::format::chunk_record::EncodedChunk;
use crate::save::format::frame::{Frame, RecordKind};
use crate::save::format::header::Header;
use crate::save::format::record_error::RecordError;
use crate::save::format::schema::{self, VERSION};
use crate::save::format::small_records;
use crate::save::tables::chunk_index::ChunkEntry;
use crate::save::tables::history_rows;
use crate::save::tables::region_rows;
use crate::save::tables::rows::{
    put_chunk, put_material, put_meta, quarantine_chunk, read_awake, read_creatures, read_places,
    read_rules, replace_meta,
};
use crate::voxel::{ChunkPos, Material, MaterialId, MaterialTable, Voxel};
use crate::world::Chunk;
use rusqlite::{Connection, TransactionBehavior};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;

/// Result of writing the chunks of a save.
struct WrittenChunks {
    /// The new entries for the index.
    entries: FxHashMap<ChunkPos, ChunkEntry>,
    /// Sum of the bytes of the records.
    bytes: u64,
}

/// Implements [`MapFile::save`](crate::save::MapFile::save).
pub(in crate::save) fn save(
    map: &mut MapState,
    changes: &MapChanges,
) -> Result<SaveReport, SaveError> {
    let started = Instant::now();
    let shared = Arc::clone(&map.shared);
    let path = shared.path.as_path();
    let file = map.identity.map(|identity| identity.file);
    require_writable(map)?;
    let recreated = map.identity.map(|identity| identity.file) != file;
    if !extends(&map.materials, &changes.materials)
        || changes.materials.len() > Voxel::MAX_MATERIALS
    {
        return Err(SaveError::refused(path, Refusal::MaterialTable));
    }
    let Some(revision) = map.revision.checked_add(1) else {
        return Err(SaveError::refused(path, Refusal::TooManySaves));
    };
    let table_changed = changes.materials.len() > map.materials.len()
        || resurfaced(&map.materials, &changes.materials).next().is_some();
    if table_changed {
        // The index gets the new table first, because readers may meet a new material as soon as
        // the save commits.
        shared.index_mut().set_materials(&changes.materials);
    }
    let header = changes.header.clone().sanitised();
    let written = write(map, changes, &header, revision)?;
    let chunks_written = written.entries.len();
    let mut index = shared.index_mut();
    for (pos, entry) in written.entries {
        index.insert(pos, entry);
    }
    drop(index);
    map.revision = revision;
    map.version = VERSION;
    map.header = header;
    if table_changed {
        map.materials = changes.materials.clone();
    }
    // If the file was moved in the meantime, the save may be invisible. The error makes the next
    // save repeat it.
    require_in_place(map)?;
    if let Some(history) = &changes.history {
        for (_, step) in history.added.iter().chain(&history.rewritten) {
            step.mark_saved();
        }
    }
    // The data are on the disk, so a failure to read the file's size must not fail the save.
    let totals = shared.totals().unwrap_or_default();
    Ok(SaveReport {
        revision,
        chunks_written,
        bytes_written: written.bytes,
        took: started.elapsed(),
        totals,
        recreated,
    })
}

/// True if `longer` begins with the materials of `table`, compared by name.
fn extends(table: &MaterialTable, longer: &MaterialTable) -> bool {
    table
        .iter()
        .all(|(id, material)| longer.get(id).is_some_and(|other| other.name == material.name))
}

/// Returns the materials of `table` that have another surface in `changed`, as they are there.
fn resurfaced<'a>(
    table: &MaterialTable,
    changed: &'a MaterialTable,
) -> impl Iterator<Item = (MaterialId, &'a Material)> {
    table
        .iter()
        .zip(changed.iter())
        .filter_map(|((_, old), (id, new))| (old.surface != new.surface).then_some((id, new)))
}

/// Writes all changes and commits them.
fn write(
    map: &mut MapState,
    changes: &MapChanges,
    header: &Header,
    revision: u32,
) -> Result<WrittenChunks, SaveError> {
    let shared = Arc::clone(&map.shared);
    let path = shared.path.as_path();
    let fail = |e| SaveError::sqlite(path, "save")(e);
    // Dropping the transaction after an error rolls it back.
    let tx = map.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
    schema::upgrade(&tx, map.version).map_err(fail)?;
    let save = RunningSave { tx: &tx, shared: &shared, revision };
    let written = save.write_chunks(&changes.chunks)?;
    // A new map has no material rows before its first save.
    let saved_materials = if revision == 1 { 0 } else { map.materials.len() };
    save.write_materials(changes.materials.iter().skip(saved_materials))?;
    save.write_materials(resurfaced(&map.materials, &changes.materials))?;
    save.write_header(header)?;
    save.write_other_records(changes)?;
    let regions = region_rows::write(&tx, &changes.regions, revision).map_err(fail)?;
    regions.map_err(|reason| save.refused(reason))?;
    if let Some(change) = &changes.history {
        history_rows::write(&tx, change, revision).map_err(fail)?;
    }
    let digest = shared.index(|index| index.digest_with(&written.entries, changes.materials.len()));
    let digest = small_records::write_digest(&digest, revision)
        .map_err(|e| save.refused(Refusal::Digest(e)))?;
    save.put_meta(RecordKind::Digest, &digest)?;
    tx.commit().map_err(fail)?;
    Ok(written)
}

/// The open transaction of a save.
struct RunningSave<'a> {
    tx: &'a Connection,
    shared: &'a SharedMap,
    revision: u32,
}

impl RunningSave<'_> {
    fn failed(&self, error: rusqlite::Error) -> SaveError {
        SaveError::sqlite(&self.shared.path, "save")(error)
    }

    fn refused(&self, reason: Refusal) -> SaveError {
        SaveError::refused(&self.shared.path, reason)
    }

    /// Writes chunks. Copies bad records that they replace into the quarantine, and deletes baked
    /// visibility that they invalidate.
    fn write_chunks(&self, chunks: &[(ChunkPos, Chunk)]) -> Result<WrittenChunks, SaveError> {
        let exists = |pos: &ChunkPos| self.shared.index(|index| index.contains(*pos));
        let changed: Vec<_> = chunks.iter().map(|(pos, _)| *pos).filter(exists).collect();
        baked::delete_outdated(self.tx, &changed).map_err(|e| self.failed(e))?;
        let mut written = WrittenChunks { entries: FxHashMap::default(), bytes: 0 };
        for (pos, chunk) in chunks {
            let record = EncodedChunk::for_save(chunk).seal(*pos, self.revision);
            let (entry, bad_reason) =
                self.shared.index(|index| (index.get(*pos), index.bad_reason(*pos).cloned()));
            let entry = written.entries.get(pos).copied().or(entry);
            if let (Some(reason), Some(entry)) = (bad_reason, entry) {
                quarantine_chunk(self.tx, *pos, entry.id, &reason).map_err(|e| self.failed(e))?;
            }
            let row = entry.map(|entry| entry.id);
            let id = put_chunk(self.tx, row, *pos, self.revision, &record)
                .map_err(|e| self.failed(e))?;
            // This record was just encoded, so its frame parses.
            let entry = Frame::parse(&record).map_or_else(
                |_| ChunkEntry::without_frame(id, self.revision),
                |frame| ChunkEntry::from_frame(id, &frame),
            );
            written.entries.insert(*pos, entry);
            written.bytes += record.len() as u64;
        }
        Ok(written)
    }

    /// Writes the records of materials, and replaces earlier ones.
    fn write_materials<'m>(
        &self,
        materials: impl Iterator<Item = (MaterialId, &'m Material)>,
    ) -> Result<(), SaveError> {
        for (id, material) in materials {
            let record =
                small_records::write_material(id, material, self.revision).map_err(|reason| {
                    self.refused(Refusal::Material { name: material.name.clone(), reason })
                })?;
            put_material(self.tx, id, &record).map_err(|e| self.failed(e))?;
        }
        Ok(())
    }

    /// Writes the header, and with the first save the seed word.
    fn write_header(&self, header: &Header) -> Result<(), SaveError> {
        let record = small_records::write_header(header, self.revision)
            .map_err(|e| self.refused(Refusal::Header(e)))?;
        self.put_meta(RecordKind::Header, &record)?;
        if self.revision == 1 && !header.seed_word.is_empty() {
            let word = small_records::write_seed_word(&header.seed_word, self.revision);
            self.put_meta(RecordKind::SeedWord, &word)?;
        }
        Ok(())
    }

    /// Writes picture, named places, rules, creatures and awake blocks, as far as they have
    /// changed.
    fn write_other_records(&self, changes: &MapChanges) -> Result<(), SaveError> {
        let revision = self.revision;
        if let Some(picture) = &changes.picture {
            if picture.len() > RecordKind::Picture.max_data() {
                return Err(self.refused(Refusal::PictureTooLarge(picture.len())));
            }
            self.put_meta(RecordKind::Picture, &small_records::write_picture(picture, revision))?;
        }
        if let Some(places) = &changes.places {
            let record = small_records::write_places(places, revision)
                .map_err(|e| self.refused(Refusal::Places(e)))?;
            self.replace_meta(RecordKind::Places, read_places(self.tx), &record)?;
        }
        if let Some(rules) = &changes.rules {
            let record = small_records::write_rules(rules, revision)
                .map_err(|e| self.refused(Refusal::Rules(e)))?;
            self.replace_meta(RecordKind::Rules, read_rules(self.tx), &record)?;
        }
        if let Some(creatures) = &changes.creatures {
            let record = small_records::write_creatures(creatures, revision)
                .map_err(|e| self.refused(Refusal::Creatures(e)))?;
            self.replace_meta(RecordKind::Creatures, read_creatures(self.tx), &record)?;
        }
        if let Some(awake) = &changes.awake {
            self.replace_meta(
                RecordKind::Awake,
                read_awake(self.tx),
                &awake_record::write(awake, revision),
            )?;
        }
        Ok(())
    }

    /// Replaces a record of the table `meta`. `present` is the result of reading it: a bad record
    /// is copied into the quarantine first, like a bad chunk.
    fn replace_meta<T>(
        &self,
        kind: RecordKind,
        present: Result<T, RecordError>,
        record: &[u8],
    ) -> Result<(), SaveError> {
        replace_meta(self.tx, kind, &present, record).map_err(|e| self.failed(e))
    }

    fn put_meta(&self, kind: RecordKind, record: &[u8]) -> Result<(), SaveError> {
        put_meta(self.tx, kind, record).map_err(|e| self.failed(e))
    }
}
