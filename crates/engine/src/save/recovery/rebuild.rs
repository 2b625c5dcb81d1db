//! Building of a new map from the sound records of a damaged one.
//!
//! The records of chunks are copied unchanged, so each keeps its checksum. On disk, the new file
//! gets the map's name only when it is complete and synchronised. The damaged file stays next to
//! it, with the records in its quarantine. Nothing is overwritten.
//!
//! The damaged map keeps its name and its log until the new file takes the name, in one step. If
//! the program ends right after that step, the new file is next to the old log, and SQLite may read
//! a mixture of both. The digest detects that, and the map is rebuilt again from the records of
//! both.

use super::salvage::{Salvage, scan};
use crate::save::error::{Damage, SaveError, StructureError};
use crate::save::file::companion_files::{REBUILDING, remove_logs, with_suffix};
use crate::save::file::connection::disable_journal;
use crate::save::file::publish::{remove_if_exists, sync_folder};
use crate::save::format::awake_record;
use crate::save::format::frame::RecordKind;
use crate::save::format::header::Header;
use crate::save::format::materials::assemble;
use crate::save::format::record_error::RecordError;
use crate::save::format::schema;
use crate::save::format::small_records::{
    write_creatures, write_digest, write_header, write_material, write_picture, write_places,
    write_rules, write_seed_word,
};
use crate::save::format::unix_time::unix_now;
use crate::save::tables::chunk_index::{ChunkEntry, ChunkIndex};
use crate::save::tables::region_rows;
use crate::save::tables::rows::{put_chunk, put_material, put_meta};
use crate::terrain::TerrainKind;
use crate::voxel::{MaterialId, MaterialTable, Voxel};
use rusqlite::Connection;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Rebuilds the damaged map at `path`, and keeps the damaged file under another name. The caller
/// must hold the map's lock, and no connection may have the map open.
pub(in crate::save) fn in_place(path: &Path, reason: StructureError) -> Result<Damage, SaveError> {
    let new = with_suffix(path, REBUILDING);
    remove_if_exists(&new)?;
    let fail = |e| SaveError::sqlite(&new, "rebuild the map")(e);
    let built = Connection::open(&new).map_err(fail).and_then(|conn| {
        // Safe, because the file has no name yet; `swap` synchronises it.
        disable_journal(&conn).map_err(fail)?;
        let damage = fill(&conn, path, reason)?;
        conn.close().map_err(|(_, e)| fail(e))?;
        Ok(damage)
    });
    let swapped =
        built.and_then(|damage| Ok(Damage { kept_as: Some(swap(&new, path)?), ..damage }));
    if swapped.is_err() {
        let _ = fs::remove_file(&new);
    }
    swapped
}

/// Keeps the damaged map at `path` under another name, and gives its name to the file `new`.
/// Returns the other name.
fn swap(new: &Path, path: &Path) -> Result<PathBuf, SaveError> {
    let file = fs::OpenOptions::new().write(true).open(new);
    file.and_then(|f| f.sync_all()).map_err(SaveError::io(new, "write the rebuilt map"))?;
    let kept = keep_damaged(path)?;
    // The second name must be on the disk first, so that no power loss leaves the damaged map
    // without a name.
    sync_folder(path);
    let swapped =
        fs::rename(new, path).map_err(SaveError::io(path, "put the repaired map in place"));
    if swapped.is_err() {
        // The damaged map still has its own name, so the second one is not needed.
        let _ = fs::remove_file(&kept);
        remove_logs(&kept);
    }
    swapped?;
    remove_logs(path);
    sync_folder(path);
    Ok(kept)
}

/// Rebuilds the damaged map at `path` in memory.
pub(in crate::save) fn in_memory(
    path: &Path,
    reason: StructureError,
) -> Result<(Connection, Damage), SaveError> {
    let conn = Connection::open_in_memory()
        .map_err(SaveError::sqlite(path, "rebuild the map in memory"))?;
    let damage = fill(&conn, path, reason)?;
    Ok((conn, damage))
}

/// Fills an empty database with the sound records of the map at `path`. Returns what was lost.
fn fill(conn: &Connection, path: &Path, reason: StructureError) -> Result<Damage, SaveError> {
    let mut found = scan(path).map_err(SaveError::io(path, "read the damaged map"))?;
    if found.is_empty() {
        return Err(SaveError::NotAMap { path: path.to_owned(), reason });
    }
    let materials = std::mem::take(&mut found.materials);
    let materials = materials.into_iter().map(|(id, found)| (id, found.value)).collect();
    let (mut table, mut lost_materials) = assemble(materials, found.materials_len);
    let sound_materials = (table.len() - lost_materials.len()) as u64;
    let saved = found.materials_saved.min(Voxel::MAX_MATERIALS);
    lost_materials.extend((table.len()..saved).map(|id| id as MaterialId));
    if !lost_materials.is_empty() {
        // Generated terrain consists of built-in materials, so the table must have them.
        table.add_builtin();
    }
    let index =
        write(conn, &mut found, &table).map_err(SaveError::sqlite(path, "rebuild the map"))?;
    let mut bad: Vec<_> = found.bad.iter().map(|(&pos, bad)| (pos, bad.value.clone())).collect();
    bad.sort_by_key(|&(pos, _)| pos);
    Ok(Damage {
        path: path.to_owned(),
        structure: Some(reason),
        expected: found.digest.as_ref().map(|d| d.value.chunks),
        sound: index.len() as u64,
        bad,
        maybe_older: !found.is_of_last_save(),
        header_lost: found.header.is_none(),
        header_older: found.header.as_ref().is_some_and(|h| h.revision < found.revision()),
        sound_materials,
        lost_materials,
        lost_steps: found.steps.len() as u64,
        kept_as: None,
    })
}

/// Writes all records found, in one transaction.
fn write(
    conn: &Connection,
    found: &mut Salvage,
    table: &MaterialTable,
) -> rusqlite::Result<ChunkIndex> {
    let revision = found.revision();
    let unfit = |e: RecordError| rusqlite::Error::ToSqlConversionFailure(Box::new(e));
    conn.execute_batch("BEGIN")?;
    schema::create(conn)?;
    let mut index = ChunkIndex::default();
    index.set_materials(table);
    let mut chunks: Vec<_> =
        found.chunks.iter().map(|(&pos, chunk)| (pos, chunk.clone())).collect();
    chunks.sort_unstable_by_key(|&(pos, _)| pos);
    for (pos, chunk) in chunks {
        // A record that has become unreadable since the scan is lost, too.
        let Some(record) = found.record(chunk.value) else { continue };
        let id = put_chunk(conn, None, pos, chunk.revision, &record)?;
        index.insert(pos, ChunkEntry::without_frame(id, chunk.revision));
    }
    for (id, material) in table.iter() {
        put_material(conn, id, &write_material(id, material, revision).map_err(unfit)?)?;
    }
    let header = found.header.as_ref().map_or_else(default_header, |found| found.value.clone());
    put_meta(conn, RecordKind::Header, &write_header(&header, revision).map_err(unfit)?)?;
    if let Some(picture) = &found.picture {
        put_meta(conn, RecordKind::Picture, &write_picture(&picture.value, revision))?;
    }
    // A lossy conversion could make the word longer than its record may be.
    if let Some(word) = &found.seed_word
        && let Ok(word) = std::str::from_utf8(&word.value)
    {
        put_meta(conn, RecordKind::SeedWord, &write_seed_word(word, revision))?;
    }
    if let Some(places) = &found.places {
        put_meta(conn, RecordKind::Places, &write_places(&places.value, revision).map_err(unfit)?)?;
    }
    if let Some(rules) = &found.rules {
        put_meta(conn, RecordKind::Rules, &write_rules(&rules.value, revision).map_err(unfit)?)?;
    }
    if let Some(creatures) = &found.creatures {
        put_meta(
            conn,
            RecordKind::Creatures,
            &write_creatures(&creatures.value, revision).map_err(unfit)?,
        )?;
    }
    if let Some(awake) = &found.awake {
        put_meta(conn, RecordKind::Awake, &awake_record::write(&awake.value, revision))?;
    }
    let regions: Vec<_> = found.regions.values().cloned().collect();
    for region in regions {
        let Some(record) = found.record(region.value) else { continue };
        region_rows::put_salvaged(conn, &record, region.revision)?;
    }
    put_meta(conn, RecordKind::Digest, &write_digest(&index.digest(), revision).map_err(unfit)?)?;
    conn.execute_batch("COMMIT")?;
    Ok(index)
}

/// Returns the header for a map whose header is lost. Its terrain is void, because chunks of a
/// wrong terrain would be generated and saved next to the old ones.
fn default_header() -> Header {
    Header::new(0, TerrainKind::Void.name(), unix_now())
}

/// Gives the map at `path` and its logs a second name, which it returns.
pub(in crate::save) fn keep_damaged(path: &Path) -> Result<PathBuf, SaveError> {
    let fail = |e| SaveError::io(path, "keep the damaged map under another name")(e);
    let mut kept = with_suffix(path, ".damaged");
    let mut n = 1;
    while kept.try_exists().map_err(fail)? {
        n += 1;
        kept = with_suffix(path, &format!(".damaged-{n}"));
    }
    if let Err(error) = link_or_copy_with_logs(path, &kept) {
        // An incomplete copy, as after the disk became full, only takes space.
        let _ = fs::remove_file(&kept);
        remove_logs(&kept);
        return Err(fail(error));
    }
    Ok(kept)
}

/// Gives a map and its logs second names by hard links or, on a file system without them, by
/// copies.
fn link_or_copy_with_logs(map: &Path, second: &Path) -> io::Result<()> {
    for suffix in ["", "-wal", "-journal"] {
        let from = with_suffix(map, suffix);
        let to = with_suffix(second, suffix);
        let bytes = fs::metadata(&from).map_or(0, |m| m.len());
        if (bytes > 0 || suffix.is_empty()) && fs::hard_link(&from, &to).is_err() {
            fs::copy(&from, &to)?;
            fs::OpenOptions::new().write(true).open(&to).and_then(|f| f.sync_all())?;
        }
    }
    Ok(())
}
