//! Builds a map anew from what is sound in a damaged one.
//!
//! The records are taken over as they are, so each keeps its own proof. On disk the new file gets the map's
//! name only when it is whole and safe, and the damaged one stays beside it, with the records that were set aside
//! in it earlier: nothing is overwritten.
//!
//! The damaged map keeps its name and its log until the new file takes the name, in one step. Should the program end
//! right after that step, the new file lies beside the old log; SQLite may then read a mixture of both, which the
//! digest tells from a whole map, and it is built anew once more, from all records of the two.

use super::damage::Damage;
use super::error::SaveError;
use super::files::{remove_if_there, sync_folder};
use super::frame::Kind;
use super::index::{Entry, Index};
use super::materials::assemble;
use super::records;
use super::salvage::{Salvage, scan};
use super::saving::{picture_record, put_chunk, put_material, put_meta};
use super::schema::{self, beside};
use super::types::{Header, unix_now};
use crate::terrain::TerrainKind;
use crate::voxel::ChunkPos;
use rusqlite::Connection;
use std::fs;
use std::path::{Path, PathBuf};

/// What a map that is being built anew is called after its name.
pub(super) const REBUILDING: &str = ".rebuilding";

/// Builds the damaged map at `path` anew under its own name, and keeps the damaged file under another.
/// The map must be locked, and nobody may have it open.
pub(super) fn in_place(path: &Path, name: &str, reason: String) -> Result<Damage, SaveError> {
    let new = beside(path, REBUILDING);
    remove_if_there(&new)?;
    let built = Connection::open(&new).map_err(SaveError::sqlite(&new, "build the map anew")).and_then(|conn| {
        // The file counts only once it is whole, so it needs no journal; it is synchronised below.
        conn.pragma_update(None, "synchronous", "OFF")
            .and_then(|()| schema::set_journal_mode(&conn, "OFF"))
            .map_err(SaveError::sqlite(&new, "build the map anew"))?;
        let damage = fill(&conn, path, name, reason)?;
        conn.close().map_err(|(_, e)| SaveError::sqlite(&new, "build the map anew")(e))?;
        Ok(damage)
    });
    let swapped = built.and_then(|mut damage| {
        let file = fs::OpenOptions::new().write(true).open(&new);
        file.and_then(|f| f.sync_all()).map_err(SaveError::io(&new, "write the map anew"))?;
        let kept = keep(path)?;
        // The damaged map's second name first: no power loss may leave it without one.
        sync_folder(path);
        let swapped = fs::rename(&new, path).map_err(SaveError::io(path, "put the repaired map in place"));
        if swapped.is_err() {
            // It was never needed: the damaged map is where it was.
            let _ = fs::remove_file(&kept);
            schema::remove_logs(&kept);
        }
        swapped?;
        schema::remove_logs(path);
        sync_folder(path);
        damage.kept_as = Some(kept);
        Ok(damage)
    });
    if swapped.is_err() {
        let _ = fs::remove_file(&new);
    }
    swapped
}

/// Builds the damaged map at `path` anew in memory.
pub(super) fn in_memory(path: &Path, name: &str, reason: String) -> Result<(Connection, Damage), SaveError> {
    let conn = Connection::open_in_memory().map_err(SaveError::sqlite(path, "build the map anew in memory"))?;
    let damage = fill(&conn, path, name, reason)?;
    Ok((conn, damage))
}

/// Fills an empty database from what is sound in the map at `path`.
fn fill(conn: &Connection, path: &Path, name: &str, reason: String) -> Result<Damage, SaveError> {
    let mut found = scan(path).map_err(SaveError::io(path, "read the damaged map"))?;
    if found.is_empty() {
        return Err(SaveError::NotAMap { path: path.to_owned(), reason });
    }
    let fail = SaveError::sqlite(path, "build the map anew");
    let (table, lost_materials) = assemble(std::mem::take(&mut found.materials), found.materials_len);
    let revision = found.revision();
    let write = |found: &mut Salvage| -> rusqlite::Result<Index> {
        conn.execute_batch("BEGIN")?;
        schema::create(conn)?;
        let mut index = Index::default();
        index.set_materials(&table);
        let mut chunks: Vec<_> = found.chunks.iter().map(|(&pos, &(revision, place))| (pos, revision, place)).collect();
        chunks.sort_unstable_by_key(|c| c.0);
        for (pos, revision, place) in chunks {
            // A record that could be read a moment ago and cannot now is one more lost.
            let Some(record) = found.record(place) else { continue };
            let id = put_chunk(conn, None, pos, revision, &record)?;
            index.insert(pos, Entry { id, revision, ..Entry::default() });
        }
        let unfit = |e: String| rusqlite::Error::ToSqlConversionFailure(e.into());
        for (id, material) in table.iter() {
            put_material(conn, id, &records::write_material(id, material, revision).map_err(unfit)?)?;
        }
        let header = found.header.as_ref().map_or_else(default_header, |(_, header)| header.clone());
        put_meta(conn, Kind::Header, &records::write_header(&header, revision).map_err(unfit)?)?;
        if let Some((_, picture)) = &found.picture {
            put_meta(conn, Kind::Picture, &picture_record(picture, revision))?;
        }
        put_meta(conn, Kind::Digest, &records::write_digest(&index.digest(), revision).map_err(unfit)?)?;
        conn.execute_batch("COMMIT")?;
        Ok(index)
    };
    let index = write(&mut found).map_err(fail)?;
    let mut bad: Vec<(ChunkPos, String)> = found.bad.iter().map(|(&pos, (_, reason))| (pos, reason.clone())).collect();
    bad.sort();
    Ok(Damage {
        file: name.to_owned(),
        structure: Some(reason),
        expected: found.digest.map(|(_, d)| d.chunks),
        sound: index.len() as u64,
        bad,
        maybe_older: !found.is_of_last_save(),
        header_lost: found.header.is_none(),
        header_older: found.header.as_ref().is_some_and(|h| h.0 < revision),
        lost_materials,
        kept_as: None,
    })
}

fn default_header() -> Header {
    // Where nobody knows which terrain it was, none is made: the wrong one would be saved among the right.
    Header::new(0, TerrainKind::Void.name(), unix_now())
}

/// Gives the map at `path` and its logs a second name. Returns it.
pub(super) fn keep(path: &Path) -> Result<PathBuf, SaveError> {
    let fail = |e| SaveError::io(path, "keep the damaged map under another name")(e);
    let mut kept = beside(path, ".damaged");
    let mut n = 1;
    while kept.try_exists().map_err(fail)? {
        n += 1;
        kept = beside(path, &format!(".damaged-{n}"));
    }
    let also = |suffix: &str| {
        let (from, to) = (beside(path, suffix), beside(&kept, suffix));
        let bytes = fs::metadata(&from).map_or(0, |m| m.len());
        // File systems that have no hard links get a copy.
        if (bytes > 0 || suffix.is_empty()) && fs::hard_link(&from, &to).is_err() {
            fs::copy(&from, &to)?;
            fs::OpenOptions::new().write(true).open(&to).and_then(|f| f.sync_all())?;
        }
        Ok(())
    };
    let all = ["", "-wal", "-journal"].into_iter().try_for_each(also);
    if all.is_err() {
        // Half a copy, as on a full disk, would only take room.
        let _ = fs::remove_file(&kept);
        schema::remove_logs(&kept);
    }
    all.map_err(fail)?;
    Ok(kept)
}
