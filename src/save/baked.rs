//! Baked visibility in a map: a record for each chunk, and what a save must throw away.
//!
//! What a cell sees stays right as long as nothing changes in a chunk that its set holds: no line of sight comes to any other.
//! So a save that writes a chunk deletes, in the same transaction, the records whose sets hold that chunk, and no others. A chunk
//! that was not there before was open, but as it may lie outside of all that was known, all that have it within their view go.
//!
//! The records are no part of the digest: one that is missing is baked again.

use super::check;
use super::error::SaveError;
use super::frame::{self, Kind};
use super::map::MapFile;
use super::reader::MapReader;
use super::records;
use super::saving::put_meta;
use super::schema;
use crate::visibility::bake::{Baked, MOST_VIEW, Sets};
use crate::voxel::ChunkPos;
use crate::world::view::in_reach;
use glam::IVec3;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};
use std::path::Path;

/// Codec tag: as it is.
const PLAIN: u8 = 0;
/// Codec tag: as one LZ4 block.
const LZ4: u8 = 1;
/// Farther than any view, in chunks.
const FAR: IVec3 = IVec3::splat(1000);
/// LZ4 cannot make more of a byte: what claims to is made to have us allocate.
const LZ4_MOST: usize = 255;

fn write(pos: ChunkPos, sets: &Sets, revision: u32) -> Vec<u8> {
    let plain = sets.to_bytes();
    let squeezed = lz4_flex::block::compress(&plain);
    let (codec, data) = if squeezed.len() < plain.len() { (LZ4, &squeezed) } else { (PLAIN, &plain) };
    frame::seal(Kind::Visibility, codec, revision, pos, plain.len(), data)
}

fn read(bytes: &[u8], pos: ChunkPos) -> Result<Sets, String> {
    let record = frame::parse_as(bytes, Kind::Visibility, pos)?;
    let plain_len = record.prefix.plain_len;
    let sets = |plain: &[u8]| Sets::from_bytes(plain).map_err(|e| e.to_string());
    match record.prefix.codec {
        PLAIN if plain_len == record.data.len() => sets(record.data),
        PLAIN => Err("its two lengths differ".to_owned()),
        LZ4 if plain_len / LZ4_MOST > record.data.len() => Err("its length is wrong".to_owned()),
        LZ4 => {
            let mut plain = vec![0; plain_len];
            match lz4_flex::block::decompress_into(record.data, &mut plain) {
                Ok(n) if n == plain_len => sets(&plain),
                Ok(n) => Err(format!("LZ4 gives {n} bytes instead of {plain_len}")),
                Err(e) => Err(format!("LZ4: {e}")),
            }
        }
        codec => Err(format!("its codec {codec} is unknown")),
    }
}

/// The chunk that a row is of, from the columns after the first.
fn place(row: &Row<'_>) -> rusqlite::Result<ChunkPos> {
    Ok(ChunkPos::new(row.get(1)?, row.get(2)?, row.get(3)?))
}

/// What a row holds, from its columns `id, x, y, z, view, record`.
fn sets_of(row: &Row<'_>) -> rusqlite::Result<Result<Sets, String>> {
    let Ok(bytes) = row.get_ref(5)?.as_blob() else { return Ok(Err("it is no bytes".to_owned())) };
    Ok(read(bytes, place(row)?).and_then(|sets| match view(row) == Some(sets.view()) {
        true => Ok(sets),
        false => Err(format!("it is for view {}, and its row says another", sets.view())),
    }))
}

/// A row's view distance; none if it is none.
fn view(row: &Row<'_>) -> Option<i32> {
    let view = row.get::<_, i64>(4).ok()?;
    i32::try_from(view).ok().filter(|view| (1..=MOST_VIEW).contains(view))
}

/// Deletes what is no longer right when the chunks at `changed` become others, and those at `new` come to the map.
pub(super) fn forget(conn: &Connection, changed: &[ChunkPos], new: &[ChunkPos]) -> rusqlite::Result<()> {
    let all = || changed.iter().chain(new).map(|pos| pos.as_ivec3());
    let (Some(lo), Some(hi)) = (all().reduce(IVec3::min), all().reduce(IVec3::max)) else { return Ok(()) };
    let mut near = conn.prepare_cached(
        "SELECT id, x, y, z, view, record FROM visibility \
         WHERE x BETWEEN ?1 AND ?2 AND y BETWEEN ?3 AND ?4 AND z BETWEEN ?5 AND ?6",
    )?;
    let reach = IVec3::splat(MOST_VIEW);
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
        if new.iter().any(|at| in_reach(away(at), view)) {
            wrong.push(id);
            continue;
        }
        let mut near = changed.iter().map(away).filter(|&offset| in_reach(offset, view)).peekable();
        // One that cannot be read is not right either.
        if near.peek().is_some()
            && sets_of(row)?.map_or(true, |sets| near.any(|offset| offset == IVec3::ZERO || sets.hold(offset)))
        {
            wrong.push(id);
        }
    }
    drop(rows);
    let mut delete = conn.prepare_cached("DELETE FROM visibility WHERE id = ?1")?;
    wrong.into_iter().try_for_each(|id| delete.execute([id]).map(drop))
}

/// What is baked of the chunk at `pos`, and the bytes of its record.
type Found = Option<(Result<Sets, String>, u64)>;

fn find(conn: &Connection, pos: ChunkPos) -> rusqlite::Result<Found> {
    conn.prepare_cached("SELECT id, x, y, z, view, record FROM visibility WHERE (x, y, z) = (?1, ?2, ?3)")?
        .query_row([pos.x, pos.y, pos.z], |row| {
            Ok((sets_of(row)?, row.get_ref(5)?.as_blob().map_or(0, |b| b.len() as u64)))
        })
        .optional()
}

fn bad(path: &Path, pos: ChunkPos, reason: &str) -> SaveError {
    let reason = format!("its visibility: {reason}; `stonerun verify --repair` throws it away");
    SaveError::BadChunk { path: path.to_owned(), pos, reason }
}

impl MapReader {
    /// What is baked of the chunk at `pos`, with the chunks that it knows of; none if it is not baked. What an edit that is not
    /// saved yet has made wrong is still there.
    ///
    /// # Errors
    /// The record is bad, the file cannot be read, or the map is closed.
    pub fn baked(&self, pos: ChunkPos) -> Result<Option<Baked>, SaveError> {
        // A chunk that comes to the map throws away what does not know of it, and is in the index only then. So what is in the
        // index now is known to what is read later.
        let there = self.shared.index(|index| index.around(pos, MOST_VIEW));
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
            Some((Ok(sets), _)) => Ok(Some(Baked::new(pos, sets, there))),
            Some((Err(reason), _)) => Err(bad(&self.shared.path, pos, &reason)),
        }
    }
}

impl MapFile {
    /// True if a map of this version: an older one has nothing baked.
    fn has_visibility(&self) -> bool {
        self.version == schema::VERSION
    }

    /// The chunks whose visibility is baked for a view distance, in chunks; in order.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn baked(&self, view: i32) -> Result<Vec<ChunkPos>, SaveError> {
        if !self.has_visibility() {
            return Ok(Vec::new());
        }
        let list = || {
            let mut statement = self.conn.prepare("SELECT id, x, y, z FROM visibility WHERE view = ?1")?;
            let mut all = statement.query_map([view], place)?.collect::<rusqlite::Result<Vec<_>>>()?;
            all.sort_unstable();
            Ok(all)
        };
        list().map_err(SaveError::sqlite(self.path(), "read what is baked"))
    }

    /// View distances for which something is baked, and for how many chunks; shortest first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn baked_views(&self) -> Result<Vec<(i32, u64)>, SaveError> {
        if !self.has_visibility() {
            return Ok(Vec::new());
        }
        let count = || {
            // A view distance that is none is for `bad_visibility` to tell.
            let mut statement = self.conn.prepare(
                "SELECT view, count(*) FROM visibility WHERE typeof(view) = 'integer' AND view BETWEEN 1 AND ?1 GROUP BY view ORDER BY view",
            )?;
            let views =
                statement.query_map([MOST_VIEW], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs())))?;
            views.collect::<rusqlite::Result<Vec<_>>>()
        };
        count().map_err(SaveError::sqlite(self.path(), "read what is baked"))
    }

    /// What the cells of the chunk at `pos` see, and the bytes of its record; none if that is not baked.
    ///
    /// # Errors
    /// The record is bad, or the file cannot be read.
    pub fn visibility(&self, pos: ChunkPos) -> Result<Option<(Sets, u64)>, SaveError> {
        if !self.has_visibility() {
            return Ok(None);
        }
        match find(&self.conn, pos).map_err(SaveError::sqlite(self.path(), "read what is baked"))? {
            None => Ok(None),
            Some((Ok(sets), bytes)) => Ok(Some((sets, bytes))),
            Some((Err(reason), _)) => Err(bad(self.path(), pos, &reason)),
        }
    }

    /// Keeps what the cells of some chunks see, in place of what was kept of these; in one transaction.
    ///
    /// # Errors
    /// As [`MapFile::save`].
    pub fn save_visibility(&mut self, all: &[(ChunkPos, Sets)]) -> Result<(), SaveError> {
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
        let put = |(pos, sets): &(ChunkPos, Sets)| {
            tx.prepare_cached("INSERT OR REPLACE INTO visibility(x, y, z, view, record) VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute(params![pos.x, pos.y, pos.z, sets.view(), write(*pos, sets, self.revision)])
        };
        all.iter().try_for_each(|one| put(one).map(drop)).map_err(fail)?;
        tx.commit().map_err(fail)?;
        self.version = schema::VERSION;
        Ok(())
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
                match sets_of(row)? {
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
