//! Check of every record of a map.

use crate::save::error::{BadRecord, Damage, SaveError};
use crate::save::format::frame::RecordKind;
use crate::save::format::record_error::RecordError;
use crate::save::map::baked::{self, BadBakedRecord, BakedView};
use crate::save::map::map_file::{MapFile, OpenedMap};
use crate::save::tables::region_rows;
use crate::save::tables::rows::{
    quarantined, read_awake, read_creatures, read_picture, read_places, read_rules, read_seed_word,
};
use crate::save::tables::totals::Totals;
use crate::voxel::ChunkPos;
use std::path::Path;

/// Result of [`verify`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyReport {
    /// Sums over the chunks in the index, bad ones included.
    pub totals: Totals,
    /// Number of sound materials.
    pub materials: u64,
    /// View distances with baked visibility.
    pub baked: Vec<BakedView>,
    /// Damage of the file as a whole; `None` if its structure is sound.
    pub damage: Option<Damage>,
    /// Every bad record. The map is sound if this is empty and `damage` is `None`.
    pub bad: Vec<BadRecord>,
    /// Number of records that earlier repairs or saves moved into the quarantine.
    pub quarantined: u64,
}

impl VerifyReport {
    /// True if every part of the map is sound.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.damage.is_none() && self.bad.is_empty()
    }
}

/// Checks every record of a map and decodes every chunk. Changes nothing.
///
/// # Errors
/// The file does not exist, cannot be read, has a later format, or is no map.
pub fn verify(path: &Path) -> Result<VerifyReport, SaveError> {
    let OpenedMap { map, damage } = MapFile::open_read_only(path)?;
    let state = map.state();
    let mut bad = describe_chunks(bad_chunks(&map)?);
    bad.extend(bad_meta(&map).map(|(kind, reason)| describe_meta(kind, &reason)));
    bad.extend(describe_regions(&map.regions()?.bad));
    bad.extend(describe_baked(&baked::bad_records(state)?));
    bad.extend(bad_history(&map));
    let quarantined =
        quarantined(&state.conn).map_err(SaveError::sqlite(path, "read the quarantine"))?;
    let mut damage = damage.filter(|d| d.structure.is_some());
    if let Some(damage) = &mut damage {
        // They are listed among the bad records, so the damage need not list them again.
        bad.extend(describe_chunks(std::mem::take(&mut damage.bad)));
    }
    Ok(VerifyReport {
        totals: map.totals()?,
        materials: damage
            .as_ref()
            .map_or(map.materials().len() as u64, |damage| damage.sound_materials),
        baked: map.baked_views()?,
        damage,
        bad,
        quarantined,
    })
}

/// Finds the chunks that cannot be loaded, with their defects. Decodes every chunk.
pub(super) fn bad_chunks(map: &MapFile) -> Result<Vec<(ChunkPos, RecordError)>, SaveError> {
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

pub(super) fn describe_chunks(bad: Vec<(ChunkPos, RecordError)>) -> Vec<BadRecord> {
    let describe = |(pos, reason): (_, RecordError)| BadRecord {
        place: format!("chunk {pos}"),
        reason: reason.to_string(),
    };
    bad.into_iter().map(describe).collect()
}

pub(super) fn describe_regions(bad: &[(u64, RecordError)]) -> Vec<BadRecord> {
    let describe = |(number, reason): &(u64, RecordError)| BadRecord {
        place: region_rows::place(*number),
        reason: reason.to_string(),
    };
    bad.iter().map(describe).collect()
}

pub(super) fn describe_baked(bad: &[BadBakedRecord]) -> Vec<BadRecord> {
    let describe = |bad: &BadBakedRecord| BadRecord {
        place: format!("visibility of chunk {}", bad.pos),
        reason: bad.reason.to_string(),
    };
    bad.iter().map(describe).collect()
}

/// Finds the bad records of the table `meta` that a map can do without: picture, named places, seed
/// word, rules, creatures and awake blocks.
pub(super) fn bad_meta(map: &MapFile) -> impl Iterator<Item = (RecordKind, RecordError)> + use<> {
    let conn = &map.state().conn;
    let picture = read_picture(conn).err().map(|reason| (RecordKind::Picture, reason));
    let places = read_places(conn).err().map(|reason| (RecordKind::Places, reason));
    let seed_word = read_seed_word(conn).err().map(|reason| (RecordKind::SeedWord, reason));
    let rules = read_rules(conn).err().map(|reason| (RecordKind::Rules, reason));
    let creatures = read_creatures(conn).err().map(|reason| (RecordKind::Creatures, reason));
    let awake = read_awake(conn).err().map(|reason| (RecordKind::Awake, reason));
    picture.into_iter().chain(places).chain(seed_word).chain(rules).chain(creatures).chain(awake)
}

pub(super) fn describe_meta(kind: RecordKind, reason: &RecordError) -> BadRecord {
    BadRecord { place: kind.to_string(), reason: reason.to_string() }
}

/// Returns the defect of the undo history; `None` if it is sound.
pub(super) fn bad_history(map: &MapFile) -> Option<BadRecord> {
    map.history()
        .err()
        .map(|reason| BadRecord { place: "history".to_owned(), reason: reason.to_string() })
}
