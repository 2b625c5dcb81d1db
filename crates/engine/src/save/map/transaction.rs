//! One save: one transaction, which ends complete on the disk, or not at all.

use super::baked;
use super::file_check::{require_in_place, require_writable};
use super::map_changes::{MapChanges, SaveReport};
use super::state::MapState;
use crate::save::error::{Refusal, SaveError};
use crate::save::format::awake_record;
use crate::save::format::chunk_record::EncodedChunk;
use crate::save::format::frame::{Frame, RecordKind};
use crate::save::format::header::Header;
use crate::save::format::schema::{self, VERSION};
use crate::save::format::small_records;
use crate::save::tables::chunk_index::ChunkEntry;
use crate::save::tables::history_rows;
use crate::save::tables::region_rows;
use crate::save::tables::rows::{
    put_chunk, put_material, put_meta, quarantine_chunk, read_awake, read_creatures, read_places, read_rules,
    replace_meta,
};
use crate::voxel::{ChunkPos, Voxel};
use rusqlite::TransactionBehavior;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;

/// What one transaction has written.
struct WrittenChanges {
    entries: FxHashMap<ChunkPos, ChunkEntry>,
    bytes: u64,
    header: Header,
}

/// Saves `changes` in one transaction; see [`MapFile::save`](crate::save::MapFile::save).
pub(in crate::save) fn save(map: &mut MapState, changes: &MapChanges) -> Result<SaveReport, SaveError> {
    let started = Instant::now();
    let shared = Arc::clone(&map.shared);
    let path = shared.path.as_path();
    let file = map.identity.map(|identity| identity.file);
    require_writable(map)?;
    let recreated = map.identity.map(|identity| identity.file) != file;
    let extends = map.materials.iter().all(|(id, m)| changes.materials.get(id).is_some_and(|n| n.name == m.name));
    if !extends || changes.materials.len() > Voxel::MAX_MATERIALS {
        return Err(SaveError::refused(path, Refusal::MaterialTable));
    }
    let Some(revision) = map.revision.checked_add(1) else {
        return Err(SaveError::refused(path, Refusal::TooManySaves));
    };
    // The index gets the table first: a reader may meet a new material as soon as the save commits.
    shared.index_mut().set_materials(&changes.materials);
    let written = write(map, changes, revision)?;

    let mut index = shared.index_mut();
    let (chunks_written, bytes_written) = (written.entries.len(), written.bytes);
    written.entries.into_iter().for_each(|(pos, entry)| index.insert(pos, entry));
    drop(index);
    map.revision = revision;
    map.version = VERSION;
    map.header = written.header;
    if changes.materials.len() > map.materials.len() {
        map.materials = changes.materials.clone();
    }
    // If the file was moved meanwhile, the save may be invisible. Then the next save repeats it.
    require_in_place(map)?;
    if let Some(history) = &changes.history {
        history.added.iter().chain(&history.rewritten).for_each(|(_, step)| step.mark_saved());
    }
    // The data are on the disk, so an unreadable file size must not fail the save.
    let totals = shared.totals().unwrap_or_default();
    Ok(SaveReport { revision, chunks_written, bytes_written, took: started.elapsed(), totals, recreated })
}

fn write(map: &mut MapState, changes: &MapChanges, revision: u32) -> Result<WrittenChanges, SaveError> {
    let shared = Arc::clone(&map.shared);
    let path = shared.path.as_path();
    let fail = |e| SaveError::sqlite(path, "save")(e);
    let refuse = |reason| SaveError::refused(path, reason);
    let mut written =
        WrittenChanges { entries: FxHashMap::default(), bytes: 0, header: changes.header.clone().sanitised() };
    // Rolled back when dropped after an error.
    let tx = map.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
    schema::upgrade(&tx, map.version).map_err(fail)?;
    let exists = |pos: &ChunkPos| shared.index(|index| index.contains(*pos));
    let changed: Vec<_> = changes.chunks.iter().map(|(pos, _)| *pos).filter(exists).collect();
    baked::delete_outdated(&tx, &changed).map_err(fail)?;
    for (pos, chunk) in &changes.chunks {
        let record = EncodedChunk::for_save(chunk).seal(*pos, revision);
        let (entry, bad_reason) = shared.index(|index| (index.get(*pos), index.bad_reason(*pos).cloned()));
        let entry = written.entries.get(pos).copied().or(entry);
        if let (Some(reason), Some(entry)) = (bad_reason, entry) {
            quarantine_chunk(&tx, *pos, entry.id, &reason).map_err(fail)?;
        }
        let id = put_chunk(&tx, entry.map(|e| e.id), *pos, revision, &record).map_err(fail)?;
        // The record was framed above, so its frame parses.
        let entry = Frame::parse(&record).map(|frame| ChunkEntry::from_frame(id, &frame));
        written.entries.insert(*pos, entry.unwrap_or_default());
        written.bytes += record.len() as u64;
    }
    // The first save is of a new map, which has no material rows yet.
    let saved = if revision == 1 { 0 } else { map.materials.len() };
    for (id, material) in changes.materials.iter().skip(saved) {
        let record = small_records::write_material(id, material, revision)
            .map_err(|reason| refuse(Refusal::Material { name: material.name.clone(), reason }))?;
        put_material(&tx, id, &record).map_err(fail)?;
    }
    let header = small_records::write_header(&written.header, revision).map_err(|e| refuse(Refusal::Header(e)))?;
    put_meta(&tx, RecordKind::Header, &header).map_err(fail)?;
    if revision == 1 && !written.header.seed_word.is_empty() {
        let word = small_records::write_seed_word(&written.header.seed_word, revision);
        put_meta(&tx, RecordKind::SeedWord, &word).map_err(fail)?;
    }
    if let Some(picture) = &changes.picture {
        if picture.len() > RecordKind::Picture.max_data() {
            return Err(refuse(Refusal::PictureTooLarge(picture.len())));
        }
        put_meta(&tx, RecordKind::Picture, &small_records::write_picture(picture, revision)).map_err(fail)?;
    }
    if let Some(places) = &changes.places {
        let places = small_records::write_places(places, revision).map_err(|e| refuse(Refusal::Places(e)))?;
        replace_meta(&tx, RecordKind::Places, &read_places(&tx), &places).map_err(fail)?;
    }
    if let Some(rules) = &changes.rules {
        let rules = small_records::write_rules(rules, revision).map_err(|e| refuse(Refusal::Rules(e)))?;
        replace_meta(&tx, RecordKind::Rules, &read_rules(&tx), &rules).map_err(fail)?;
    }
    if let Some(creatures) = &changes.creatures {
        let creatures =
            small_records::write_creatures(creatures, revision).map_err(|e| refuse(Refusal::Creatures(e)))?;
        replace_meta(&tx, RecordKind::Creatures, &read_creatures(&tx), &creatures).map_err(fail)?;
    }
    if let Some(awake) = &changes.awake {
        let awake = awake_record::write(awake, revision);
        replace_meta(&tx, RecordKind::Awake, &read_awake(&tx), &awake).map_err(fail)?;
    }
    let regions = region_rows::write(&tx, &changes.regions, revision).map_err(fail)?;
    regions.map_err(|(name, reason)| refuse(Refusal::Region { name, reason }))?;
    if let Some(change) = &changes.history {
        history_rows::write(&tx, change, revision).map_err(fail)?;
    }
    let digest = shared.index(|index| index.digest_with(&written.entries, changes.materials.len()));
    let digest = small_records::write_digest(&digest, revision).map_err(|e| refuse(Refusal::Digest(e)))?;
    put_meta(&tx, RecordKind::Digest, &digest).map_err(fail)?;
    tx.commit().map_err(fail)?;
    Ok(written)
}
