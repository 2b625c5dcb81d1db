//! Reading baked visibility, and listing what is baked.

use super::record::{BakeInputs, BakedRecord};
use super::row::{content, offset, position, record};
use crate::save::error::SaveError;
use crate::save::format::record_error::RecordError;
use crate::save::format::schema::VISIBILITY_VERSION;
use crate::save::map::shared::SharedMap;
use crate::save::map::state::MapState;
use crate::save::tables::inspect::revision;
use crate::visibility::bake::{BakedChunk, BakedSets, MAX_VIEW};
use crate::voxel::ChunkPos;
use crate::world::view::in_reach;
use rusqlite::{Connection, OptionalExtension};
use rustc_hash::FxHashMap;

/// The attempt that errors of SQLite state.
const READING: &str = "read baked visibility";

/// Number of baked chunks for one view distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BakedView {
    /// View distance, in chunks.
    pub view: i32,
    /// Chunks whose baked visibility is up to date.
    pub chunks: u64,
}

/// A bad record of baked visibility.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::save) struct BadBakedRecord {
    /// Row in the table `visibility`.
    pub row: i64,
    /// Position of the chunk, as the row says.
    pub pos: ChunkPos,
    /// Error in the record.
    pub reason: RecordError,
}

/// The row of one chunk in the table `visibility`.
struct BakedRow {
    content: Result<(BakeInputs, BakedSets), RecordError>,
    /// Size in bytes of the record.
    bytes: u64,
}

/// Finds the row of a chunk.
fn find(conn: &Connection, pos: ChunkPos) -> rusqlite::Result<Option<BakedRow>> {
    conn.prepare_cached(
        "SELECT id, x, y, z, view, record FROM visibility WHERE (x, y, z) = (?1, ?2, ?3)",
    )?
    .query_row([pos.x, pos.y, pos.z], |row| {
        let bytes = row.get_ref(5)?.as_blob().map_or(0, |b| b.len() as u64);
        Ok(BakedRow { content: content(row)?, bytes })
    })
    .optional()
}

/// True if the map has the table `visibility`, which older versions lack.
fn has_table(map: &MapState) -> bool {
    map.version >= VISIBILITY_VERSION
}

/// Implements [`MapReader::baked`](crate::save::MapReader::baked).
pub(in crate::save) fn load(
    shared: &SharedMap,
    pos: ChunkPos,
) -> Result<Option<BakedChunk>, SaveError> {
    let around = shared.index(|index| index.around(pos, MAX_VIEW));
    let row = shared.through_reader(|conn| {
        // Another program may have changed and baked chunks since this map was opened. Such sets do
        // not fit the chunks loaded here.
        if shared.read_at.is_some_and(|read_at| revision(conn).ok() != Some(read_at)) {
            return Ok(None);
        }
        // A map of an older version has no such table.
        let table = "SELECT name FROM sqlite_master WHERE name = 'visibility'";
        let exists = conn.prepare_cached(table).and_then(|mut statement| statement.exists([]));
        let row = exists.and_then(|exists| if exists { find(conn, pos) } else { Ok(None) });
        row.map_err(SaveError::sqlite(&shared.path, READING))
    })?;
    let Some(row) = row else { return Ok(None) };
    let (inputs, sets) = row.content.map_err(|reason| SaveError::BadVisibility {
        path: shared.path.clone(),
        pos,
        reason,
    })?;
    Ok(shared.index(|index| inputs.still_hold(index)).then(|| {
        let known = around.into_iter().filter(|(_, row)| *row <= inputs.last_row).map(|(at, _)| at);
        BakedChunk::new(pos, sets, known)
    }))
}

/// Implements [`MapFile::baked`](crate::save::MapFile::baked).
pub(in crate::save) fn baked_chunks(map: &MapState, view: i32) -> Result<Vec<ChunkPos>, SaveError> {
    if !has_table(map) {
        return Ok(Vec::new());
    }
    let list = || {
        let mut statement =
            map.conn.prepare("SELECT id, x, y, z, view, record FROM visibility WHERE view = ?1")?;
        let mut rows = statement.query([view])?;
        let mut all = Vec::new();
        // Has few entries: all chunks of a bake share one last row until some are baked again.
        let mut newer: FxHashMap<i64, Vec<ChunkPos>> = FxHashMap::default();
        while let Some(row) = rows.next()? {
            let pos = position(row)?;
            // A bad record counts as up to date here, because `bad_records` reports it.
            let up_to_date = record(row)?.map_or(true, |BakedRecord { inputs, .. }| {
                if !map.shared.index(|index| inputs.still_hold(index)) {
                    return false;
                }
                let after = |row| map.shared.index(|index| index.after_row(row));
                let newer = newer.entry(inputs.last_row).or_insert_with(|| after(inputs.last_row));
                !newer.iter().any(|&at| in_reach(offset(pos, at), view))
            });
            if up_to_date {
                all.push(pos);
            }
        }
        all.sort_unstable();
        Ok(all)
    };
    list().map_err(SaveError::sqlite(map.path(), READING))
}

/// Implements [`MapFile::baked_views`](crate::save::MapFile::baked_views).
pub(in crate::save) fn views(map: &MapState) -> Result<Vec<BakedView>, SaveError> {
    if !has_table(map) {
        return Ok(Vec::new());
    }
    let list = || {
        // `bad_records` reports rows with invalid view distances.
        let mut statement = map.conn.prepare(
            "SELECT DISTINCT view FROM visibility WHERE typeof(view) = 'integer' AND view BETWEEN 1 AND ?1 \
             ORDER BY view",
        )?;
        statement.query_map([MAX_VIEW], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i32>>>()
    };
    let views = list().map_err(SaveError::sqlite(map.path(), READING))?;
    let counted: Result<Vec<_>, _> = views
        .into_iter()
        .map(|view| Ok(BakedView { view, chunks: baked_chunks(map, view)?.len() as u64 }))
        .collect();
    counted.map(|all| all.into_iter().filter(|baked| baked.chunks > 0).collect())
}

/// Implements [`MapFile::visibility`](crate::save::MapFile::visibility).
pub(in crate::save) fn visible_sets(
    map: &MapState,
    pos: ChunkPos,
) -> Result<Option<(BakedSets, u64)>, SaveError> {
    if !has_table(map) {
        return Ok(None);
    }
    match find(&map.conn, pos).map_err(SaveError::sqlite(map.path(), READING))? {
        None => Ok(None),
        Some(BakedRow { content: Ok((_, sets)), bytes }) => Ok(Some((sets, bytes))),
        Some(BakedRow { content: Err(reason), .. }) => {
            Err(SaveError::BadVisibility { path: map.path().to_owned(), pos, reason })
        }
    }
}

/// Checks every record, and returns the bad ones.
pub(in crate::save) fn bad_records(map: &MapState) -> Result<Vec<BadBakedRecord>, SaveError> {
    if !has_table(map) {
        return Ok(Vec::new());
    }
    let check = || {
        let mut statement = map.conn.prepare("SELECT id, x, y, z, view, record FROM visibility")?;
        let mut rows = statement.query([])?;
        let mut bad = Vec::new();
        while let Some(row) = rows.next()? {
            let id = row.get(0)?;
            let Ok(pos) = position(row) else {
                bad.push(BadBakedRecord {
                    row: id,
                    pos: ChunkPos::default(),
                    reason: RecordError::BadPosition,
                });
                continue;
            };
            let exists = map.shared.index(|index| index.contains(pos));
            match content(row)? {
                Err(reason) => bad.push(BadBakedRecord { row: id, pos, reason }),
                Ok(_) if !exists => {
                    bad.push(BadBakedRecord { row: id, pos, reason: RecordError::NoSuchChunk })
                }
                Ok(_) => (),
            }
        }
        Ok(bad)
    };
    check().map_err(SaveError::sqlite(map.path(), READING))
}
