//! Checks a whole map, and mends one.

use super::baked::{self, BakedView};
use super::damage::{BadRecord, Damage};
use super::error::SaveError;
use super::frame::Kind;
use super::history;
use super::map::{MapFile, OpenedMap};
use super::records;
use super::saving::{put_meta, set_aside};
use super::schema;
use super::types::{Totals, unix_now};
use crate::voxel::ChunkPos;
use rusqlite::{TransactionBehavior, params};
use std::path::Path;
use std::sync::PoisonError;

/// What [`verify`] found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyReport {
    /// Sums over the chunks that can be reached.
    pub totals: Totals,
    /// Materials in the table.
    pub materials: u64,
    /// View distances for which visibility is baked, and for how many chunks.
    pub baked: Vec<BakedView>,
    /// What is wrong with the file as a whole; none if it is whole.
    pub damage: Option<Damage>,
    /// Each bad record, with its place and reason. Empty and no `damage`: every part of the map is sound.
    pub bad: Vec<BadRecord>,
    /// Records that an earlier repair or save set aside.
    pub quarantined: u64,
}

impl VerifyReport {
    /// True if every part of the map is sound.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.damage.is_none() && self.bad.is_empty()
    }
}

/// What [`repair`] did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepairReport {
    /// If the file had to be built anew: what was wrong, what is lost, and where the damaged file is kept.
    pub rebuilt: Option<Damage>,
    /// Records that were put into the quarantine table, with place and reason.
    pub set_aside: Vec<BadRecord>,
    /// Records that were thrown away: of baked visibility, which can be baked anew, and what could be undone.
    pub deleted: Vec<BadRecord>,
}

/// The chunks of `map` that cannot be loaded, and why. Decodes every one.
fn bad_chunks(map: &MapFile) -> Result<Vec<(ChunkPos, String)>, SaveError> {
    let mut bad = Vec::new();
    for pos in map.positions() {
        match map.load(pos) {
            Ok(_) => {}
            Err(SaveError::BadChunk { reason, .. }) => bad.push((pos, reason)),
            Err(other) => return Err(other),
        }
    }
    Ok(bad)
}

fn chunk_records(bad: Vec<(ChunkPos, String)>) -> Vec<BadRecord> {
    bad.into_iter().map(|(pos, reason)| BadRecord { place: format!("chunk {pos}"), reason }).collect()
}

fn visibility_records(bad: Vec<(i64, ChunkPos, String)>) -> Vec<BadRecord> {
    let record = |(_, pos, reason)| BadRecord { place: format!("visibility of chunk {pos}"), reason };
    bad.into_iter().map(record).collect()
}

fn picture_record(reason: String) -> BadRecord {
    BadRecord { place: "picture".to_owned(), reason }
}

/// What is wrong with the steps that can be undone.
fn bad_history(map: &MapFile) -> Option<BadRecord> {
    map.history().err().map(|reason| BadRecord { place: "history".to_owned(), reason })
}

/// Checks every record of a map, voxels and all, and changes nothing.
///
/// # Errors
/// There is no such file, it cannot be read, it is of a later version, or it is no map at all.
pub fn verify(path: &Path) -> Result<VerifyReport, SaveError> {
    let OpenedMap { map, damage } = MapFile::open_read_only(path)?;
    let mut bad = chunk_records(bad_chunks(&map)?);
    bad.extend(map.checked_picture().err().map(picture_record));
    bad.extend(visibility_records(map.bad_visibility()?));
    bad.extend(bad_history(&map));
    let quarantined = map
        .conn
        .query_row("SELECT count(*) FROM quarantine", [], |row| row.get::<_, i64>(0))
        .map_err(SaveError::sqlite(path, "read the quarantine"))?;
    let mut damage = damage.filter(|d| d.structure.is_some());
    if let Some(damage) = &mut damage {
        // Told one by one among the bad records, and not a second time.
        bad.extend(chunk_records(std::mem::take(&mut damage.bad)));
    }
    Ok(VerifyReport {
        totals: map.totals()?,
        materials: map.materials().len() as u64,
        baked: map.baked_views()?,
        damage,
        bad,
        quarantined: quarantined as u64,
    })
}

/// Puts the bad records of a map aside, in a table of their own, so that what is left is sound. A file that
/// SQLite cannot read is built anew from its sound records, and kept as `NAME.stonerun.damaged`.
///
/// # Errors
/// As [`MapFile::open`], or the map cannot be written.
pub fn repair(path: &Path) -> Result<RepairReport, SaveError> {
    let OpenedMap { mut map, damage } = MapFile::open(path)?;
    let bad = bad_chunks(&map)?;
    if !bad.is_empty() {
        map.quarantine(&bad)?;
    }
    let mut set_aside = chunk_records(bad);
    if let Err(reason) = map.checked_picture() {
        map.quarantine_picture(&reason)?;
        set_aside.push(picture_record(reason));
    }
    // After the chunks: with them goes what was baked with them.
    let bad = map.bad_visibility()?;
    map.throw_away_visibility(&bad)?;
    let mut deleted = visibility_records(bad);
    if let Some(record) = bad_history(&map) {
        history::forget(&map.conn).map_err(SaveError::sqlite(path, "throw away what could be undone"))?;
        deleted.push(record);
    }
    map.close()?;
    let rebuilt = damage.filter(|d| d.structure.is_some());
    Ok(RepairReport { rebuilt, set_aside, deleted })
}

impl MapFile {
    /// Moves the picture into the quarantine. The next save brings a new one.
    fn quarantine_picture(&mut self, reason: &str) -> Result<(), SaveError> {
        let shared = std::sync::Arc::clone(&self.shared);
        let fail = |e| SaveError::sqlite(&shared.path, "set the picture aside")(e);
        let kind = Kind::Picture as u8;
        let tx = self.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
        tx.execute(
            "INSERT INTO quarantine(place, reason, set_aside_unix, record) \
             SELECT 'picture', ?2, ?3, record FROM meta WHERE kind = ?1",
            params![kind, reason, unix_now() as i64],
        )
        .map_err(fail)?;
        tx.execute("DELETE FROM meta WHERE kind = ?1", [kind]).map_err(fail)?;
        tx.commit().map_err(fail)
    }

    /// Moves chunks into the quarantine: the map has them no longer.
    fn quarantine(&mut self, bad: &[(ChunkPos, String)]) -> Result<(), SaveError> {
        let shared = std::sync::Arc::clone(&self.shared);
        let fail = |e| SaveError::sqlite(&shared.path, "set bad records aside")(e);
        let mut index = shared.index(Clone::clone);
        let tx = self.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
        schema::upgrade(&tx, self.version).map_err(fail)?;
        baked::forget_all(&tx).map_err(fail)?;
        // Steps may be of chunks that the map has no longer.
        history::forget(&tx).map_err(fail)?;
        for (pos, reason) in bad {
            if let Some(entry) = index.get(*pos) {
                set_aside(&tx, *pos, entry.id, reason).map_err(fail)?;
                tx.execute("DELETE FROM chunk WHERE id = ?1", [entry.id]).map_err(fail)?;
                index.remove(*pos);
            }
        }
        let digest = records::write_digest(&index.digest(), self.revision)
            .map_err(|reason| SaveError::Refused { path: shared.path.clone(), reason })?;
        put_meta(&tx, Kind::Digest, &digest).map_err(fail)?;
        tx.commit().map_err(fail)?;
        self.version = schema::VERSION;
        *shared.index.write().unwrap_or_else(PoisonError::into_inner) = index;
        Ok(())
    }
}
