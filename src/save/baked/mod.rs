//! Baked visibility in a map: a record for each chunk, and what a save must throw away.
//!
//! What a cell sees stays right as long as nothing changes in a chunk that its set holds: no line of sight comes to any other.
//! So a save that writes a chunk deletes, in the same transaction, the records whose sets hold that chunk, and no others. A chunk
//! that was not there before was open, so that what a set says of others stays right; of that chunk itself it says nothing. Each
//! record knows the chunks up to a row of the table `chunk`, the last one when it was baked: new ones get later rows. It also
//! knows which materials hid, and by which rules it was computed: where a later program says otherwise, it does not count.
//!
//! The records are no part of the digest: one that is missing is baked again.

mod record;

use self::record::{Known, Record, parse, write};
use super::check;
use super::error::SaveError;
use super::frame::Kind;
use super::map::MapFile;
use super::reader::MapReader;
use super::records;
use super::saving::put_meta;
use super::schema;
use crate::visibility::bake::{BakedChunk, BakedSets, MAX_VIEW};
use crate::voxel::ChunkPos;
use crate::world::view::in_reach;
use glam::IVec3;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};
use rustc_hash::FxHashMap;
use std::path::Path;

/// How much of a map is baked for one view distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BakedView {
    /// View distance, in chunks.
    pub view: i32,
    /// Chunks whose visibility is baked and up to date.
    pub chunks: u64,
}

/// Farther than any view, in chunks.
const FAR: IVec3 = IVec3::splat(1000);

/// The chunk that a row is of, from the columns after the first.
fn place(row: &Row<'_>) -> rusqlite::Result<ChunkPos> {
    Ok(ChunkPos::new(row.get(1)?, row.get(2)?, row.get(3)?))
}

/// The record of a row, from its columns `id, x, y, z, view, record`.
fn record_of<'a>(row: &'a Row<'_>) -> rusqlite::Result<Result<Record<'a>, String>> {
    let Ok(bytes) = row.get_ref(5)?.as_blob() else { return Ok(Err("it is no bytes".to_owned())) };
    Ok(parse(bytes, place(row)?))
}

/// What a row holds, from its columns `id, x, y, z, view, record`.
fn said_by(row: &Row<'_>) -> rusqlite::Result<Result<(Known, BakedSets), String>> {
    let said = record_of(row)?.and_then(|record| Ok((record.known, record.sets()?)));
    Ok(said.and_then(|(known, sets)| match view(row) == Some(sets.view()) {
        true => Ok((known, sets)),
        false => Err(format!("it is for view {}, and its row says another", sets.view())),
    }))
}

/// A row's view distance; none if it is none.
fn view(row: &Row<'_>) -> Option<i32> {
    let view = row.get::<_, i64>(4).ok()?;
    i32::try_from(view).ok().filter(|view| (1..=MAX_VIEW).contains(view))
}

/// Deletes what is no longer right when the chunks at `changed` become others.
pub(super) fn forget(conn: &Connection, changed: &[ChunkPos]) -> rusqlite::Result<()> {
    let all = || changed.iter().map(|pos| pos.as_ivec3());
    let (Some(lo), Some(hi)) = (all().reduce(IVec3::min), all().reduce(IVec3::max)) else { return Ok(()) };
    let mut near = conn.prepare_cached(
        "SELECT id, x, y, z, view, record FROM visibility \
         WHERE x BETWEEN ?1 AND ?2 AND y BETWEEN ?3 AND ?4 AND z BETWEEN ?5 AND ?6",
    )?;
    let reach = IVec3::splat(MAX_VIEW);
    let (lo, hi) = (lo.saturating_sub(reach), hi.saturating_add(reach));
    let mut rows = near.query([lo.x, hi.x, lo.y, hi.y, lo.z, hi.z])?;
    let mut wrong: Vec<i64> = Vec::new();
    while let Some(row) = rows.next()? {
        let id = row.get(0)?;
        // What cannot be read must not be in the way of a save.
        let (Ok(pos), Some(view)) = (place(row).map(ChunkPos::as_ivec3), view(row)) else {
            wrong.push(id);
            continue;
        };
        // Far is far: no place, be it that of a chunk outside the world, makes numbers too large.
        let away = |at: &ChunkPos| at.as_ivec3().saturating_sub(pos).clamp(-FAR, FAR);
        let mut near = changed.iter().map(away).filter(|&offset| in_reach(offset, view)).peekable();
        // One that cannot be read is not right either.
        if near.peek().is_some()
            && said_by(row)?
                .map_or(true, |(_, sets)| near.any(|offset| offset == IVec3::ZERO || sets.contains_chunk(offset)))
        {
            wrong.push(id);
        }
    }
    drop(rows);
    let mut delete = conn.prepare_cached("DELETE FROM visibility WHERE id = ?1")?;
    wrong.into_iter().try_for_each(|id| delete.execute([id]).map(drop))
}

/// Deletes all: after chunks have gone from the map their rows may become those of others.
pub(super) fn forget_all(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch("DELETE FROM visibility")
}

/// What is baked of a chunk.
struct Found {
    /// What the record says, or what is wrong with it.
    said: Result<(Known, BakedSets), String>,
    /// The record's.
    bytes: u64,
}

fn find(conn: &Connection, pos: ChunkPos) -> rusqlite::Result<Option<Found>> {
    conn.prepare_cached("SELECT id, x, y, z, view, record FROM visibility WHERE (x, y, z) = (?1, ?2, ?3)")?
        .query_row([pos.x, pos.y, pos.z], |row| {
            let bytes = row.get_ref(5)?.as_blob().map_or(0, |b| b.len() as u64);
            Ok(Found { said: said_by(row)?, bytes })
        })
        .optional()
}

fn bad(path: &Path, pos: ChunkPos, reason: &str) -> SaveError {
    let reason = format!("its visibility: {reason}; `stonerun verify --repair` throws it away");
    SaveError::BadChunk { path: path.to_owned(), pos, reason }
}

impl MapReader {
    /// What is baked of the chunk at `pos`, with the chunks that it knows of; none if it is not baked, or not by what hides now.
    /// What an edit that is not saved yet has made wrong is still there.
    ///
    /// # Errors
    /// The record is bad, the file cannot be read, or the map is closed.
    pub fn baked(&self, pos: ChunkPos) -> Result<Option<BakedChunk>, SaveError> {
        let there = self.shared.index(|index| index.around(pos, MAX_VIEW));
        let found = self.through(|conn| {
            // What another program has baked since may be of other chunks than were loaded here.
            if self.shared.read_at.is_some_and(|read_at| check::revision(conn).ok() != Some(read_at)) {
                return Ok(None);
            }
            // An older map has no such table.
            let table = "SELECT name FROM sqlite_master WHERE name = 'visibility'";
            let is_there = conn.prepare_cached(table).and_then(|mut statement| statement.exists([]));
            let found = is_there.and_then(|is_there| if is_there { find(conn, pos) } else { Ok(None) });
            found.map_err(SaveError::sqlite(&self.shared.path, "read what is baked"))
        })?;
        match found {
            None => Ok(None),
            Some(Found { said: Ok((known, sets)), .. }) => {
                Ok(self.shared.index(|index| known.holds(index)).then(|| {
                    let there = there.into_iter().filter(|(_, row)| *row <= known.chunk).map(|(at, _)| at);
                    BakedChunk::new(pos, sets, there)
                }))
            }
            Some(Found { said: Err(reason), .. }) => Err(bad(&self.shared.path, pos, &reason)),
        }
    }
}

impl MapFile {
    /// True if a map of this version: an older one has nothing baked.
    fn has_visibility(&self) -> bool {
        self.version == schema::VERSION
    }

    /// The chunks whose visibility is baked for a view distance, in chunks, and knows all chunks in view and what hides; in
    /// order.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn baked(&self, view: i32) -> Result<Vec<ChunkPos>, SaveError> {
        if !self.has_visibility() {
            return Ok(Vec::new());
        }
        let list = || {
            let mut statement =
                self.conn.prepare("SELECT id, x, y, z, view, record FROM visibility WHERE view = ?1")?;
            let mut rows = statement.query([view])?;
            let mut all = Vec::new();
            // Few: a bake has one, but for what was baked again later.
            let mut newer: FxHashMap<i64, Vec<ChunkPos>> = FxHashMap::default();
            while let Some(row) = rows.next()? {
                let pos = place(row)?;
                // One that cannot be read is for others to tell.
                let is_whole = record_of(row)?.map_or(true, |Record { known, .. }| {
                    if !self.shared.index(|index| known.holds(index)) {
                        return false;
                    }
                    let after = |row| self.shared.index(|index| index.after(row));
                    let newer = newer.entry(known.chunk).or_insert_with(|| after(known.chunk));
                    let away = |at: &ChunkPos| at.as_ivec3().saturating_sub(pos.as_ivec3()).clamp(-FAR, FAR);
                    !newer.iter().any(|at| in_reach(away(at), view))
                });
                if is_whole {
                    all.push(pos);
                }
            }
            all.sort_unstable();
            Ok(all)
        };
        list().map_err(SaveError::sqlite(self.path(), "read what is baked"))
    }

    /// View distances for which something is baked, and for how many chunks (as [`MapFile::baked`]); shortest first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn baked_views(&self) -> Result<Vec<BakedView>, SaveError> {
        if !self.has_visibility() {
            return Ok(Vec::new());
        }
        let list = || {
            // A view distance that is none is for `bad_visibility` to tell.
            let mut statement = self.conn.prepare(
                "SELECT DISTINCT view FROM visibility WHERE typeof(view) = 'integer' AND view BETWEEN 1 AND ?1 \
                 ORDER BY view",
            )?;
            statement.query_map([MAX_VIEW], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i32>>>()
        };
        let views = list().map_err(SaveError::sqlite(self.path(), "read what is baked"))?;
        let counted: Result<Vec<_>, _> =
            views.into_iter().map(|view| Ok(BakedView { view, chunks: self.baked(view)?.len() as u64 })).collect();
        counted.map(|all| all.into_iter().filter(|baked| baked.chunks > 0).collect())
    }

    /// What the cells of the chunk at `pos` see, and the bytes of its record, though it may not count any more; none if that is
    /// not baked.
    ///
    /// # Errors
    /// The record is bad, or the file cannot be read.
    pub fn visibility(&self, pos: ChunkPos) -> Result<Option<(BakedSets, u64)>, SaveError> {
        if !self.has_visibility() {
            return Ok(None);
        }
        match find(&self.conn, pos).map_err(SaveError::sqlite(self.path(), "read what is baked"))? {
            None => Ok(None),
            Some(Found { said: Ok((_, sets)), bytes }) => Ok(Some((sets, bytes))),
            Some(Found { said: Err(reason), .. }) => Err(bad(self.path(), pos, &reason)),
        }
    }

    /// Keeps what the cells of some chunks see, in place of what was kept of these; in one transaction.
    ///
    /// # Errors
    /// As [`MapFile::save`].
    pub fn save_visibility(&mut self, all: &[(ChunkPos, BakedSets)]) -> Result<(), SaveError> {
        self.must_be_writable()?;
        let shared = std::sync::Arc::clone(&self.shared);
        let fail = |e| SaveError::sqlite(&shared.path, "save what is baked")(e);
        let tx = self.conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
        if self.version != schema::VERSION {
            schema::upgrade(&tx, self.version).map_err(fail)?;
            let digest = records::write_digest(&shared.index(|index| index.digest()), self.revision)
                .map_err(|reason| SaveError::Refused { path: shared.path.clone(), reason })?;
            put_meta(&tx, Kind::Digest, &digest).map_err(fail)?;
        }
        let known = shared.index(Known::of);
        let put = |(pos, sets): &(ChunkPos, BakedSets)| {
            tx.prepare_cached("INSERT OR REPLACE INTO visibility(x, y, z, view, record) VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute(params![pos.x, pos.y, pos.z, sets.view(), write(*pos, sets, known, self.revision)])
        };
        all.iter().try_for_each(|one| put(one).map(drop)).map_err(fail)?;
        tx.commit().map_err(fail)?;
        self.version = schema::VERSION;
        self.must_be_in_place()
    }

    /// The records that are bad: row, chunk, and what is wrong.
    pub(super) fn bad_visibility(&self) -> Result<Vec<(i64, ChunkPos, String)>, SaveError> {
        if !self.has_visibility() {
            return Ok(Vec::new());
        }
        let look = || {
            let mut statement = self.conn.prepare("SELECT id, x, y, z, view, record FROM visibility")?;
            let mut rows = statement.query([])?;
            let mut bad = Vec::new();
            while let Some(row) = rows.next()? {
                let id = row.get(0)?;
                let Ok(pos) = place(row) else {
                    bad.push((id, ChunkPos::default(), "its place is none".to_owned()));
                    continue;
                };
                let is_there = self.shared.index(|index| index.get(pos).is_some());
                match said_by(row)? {
                    Err(reason) => bad.push((id, pos, reason)),
                    Ok(_) if !is_there => bad.push((id, pos, "there is no such chunk".to_owned())),
                    Ok(_) => (),
                }
            }
            Ok(bad)
        };
        look().map_err(SaveError::sqlite(self.path(), "read what is baked"))
    }

    /// Deletes bad records: they can be baked anew.
    pub(super) fn throw_away_visibility(&mut self, bad: &[(i64, ChunkPos, String)]) -> Result<(), SaveError> {
        let delete = |(id, _, _): &(i64, ChunkPos, String)| {
            self.conn.execute("DELETE FROM visibility WHERE id = ?1", [id]).map(drop)
        };
        bad.iter().try_for_each(delete).map_err(SaveError::sqlite(self.path(), "throw away what is bad"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::save::index::Index;
    use crate::save::{Header, MapChanges, verify};
    use crate::visibility::PortalGraph;
    use crate::visibility::bake::Baker;
    use crate::voxel::{Box3, Material, MaterialTable, Voxel};
    use crate::world::Chunk;

    #[test]
    fn what_was_baked_for_other_materials_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.stonerun");
        let (header, pos) = (Header::new(1, "void", 0), ChunkPos::new(1, 2, 3));
        let mut map = MapFile::create(&path, &header, &MaterialTable::builtin()).unwrap();
        let chunks = vec![(pos, Chunk::uniform(Voxel::full(1)))];
        map.save(&MapChanges { chunks, header, materials: map.materials().clone(), picture: None, history: None })
            .unwrap();
        let window = PortalGraph::new(Box3 { min: pos.as_ivec3(), max: pos.as_ivec3() + 1 }, |_| None);
        let sets = Baker::new(4).bake(&window, pos);
        map.save_visibility(&[(pos, sets.clone())]).unwrap();
        let counts = |map: &MapFile| (map.baked(4).unwrap().len(), map.reader().unwrap().baked(pos).unwrap().is_some());
        assert_eq!(counts(&map), (1, true));
        // It counts as well when there are more materials.
        let mut materials = map.materials().clone();
        materials.add(Material::plain("theirs", [1, 2, 3])).unwrap();
        map.save(&MapChanges {
            chunks: Vec::new(),
            header: map.header().clone(),
            materials,
            picture: None,
            history: None,
        })
        .unwrap();
        assert_eq!(counts(&map), (1, true));
        map.close().unwrap();
        let map = MapFile::open(&path).unwrap().map;
        assert_eq!(counts(&map), (1, true));
        let row = map.shared.index(Index::last_row);
        let mut others = Known::of(&Index::default());
        others.chunk = row;
        let others = write(pos, &sets, others, map.revision);
        map.conn.execute("UPDATE visibility SET record = ?1", [others]).unwrap();
        assert_eq!(counts(&map), (0, false));
        map.close().unwrap();
        let report = verify(&path).unwrap();
        assert!(report.is_sound() && report.baked.is_empty(), "{report:?}");
    }
}
