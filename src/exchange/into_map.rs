//! From another program's file to a map: imported, with a place from where it is seen well.

use super::chunks::{Chunks, Summary, Target};
use super::heightmap::{self, Options};
use super::{Flaw, ImportError, Progress, import_to, report};
use crate::rules::walking::EYES;
use crate::save::{Header, NewMap, SaveError, unix_now};
use crate::terrain::TerrainKind;
use crate::voxel::{Box3, ChunkPos, MaterialTable, Matter, Voxel, linear_index};
use crate::world::Chunk;
use glam::{DVec3, IVec2, IVec3};
use std::path::Path;

/// What was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// The smallest box that holds all voxels that are not air.
    pub bounds: Box3,
    /// Voxels that are not air.
    pub voxels: u64,
    /// Chunks that the other program has not finished making, which are left out.
    pub unfinished: u64,
    /// What was left out because it is damaged, one line each.
    pub warnings: Vec<String>,
}

/// Why no map was made. Nothing is left of it then.
#[derive(thiserror::Error, Debug)]
pub enum IntoMapError {
    /// The other program's file is the reason.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The map's file is.
    #[error(transparent)]
    Save(#[from] SaveError),
}

/// A map in the making, as an importer sees it. What its file complains of is kept here: an importer knows of the source only.
struct Making {
    map: NewMap,
    failed: Option<SaveError>,
}

impl Making {
    /// Ends the import if the map's file is the reason.
    fn kept<T>(&mut self, done: Result<T, SaveError>) -> Result<T, Flaw> {
        done.map_err(|error| {
            self.failed = Some(error);
            Flaw::cancelled()
        })
    }
}

impl Chunks for Making {
    fn put(&mut self, pos: ChunkPos, chunk: Chunk, materials: &MaterialTable) -> Result<(), Flaw> {
        let done = self.map.put(pos, chunk, materials);
        self.kept(done)
    }

    fn fetch(&mut self, pos: ChunkPos) -> Result<Option<Chunk>, Flaw> {
        let done = self.map.load(pos);
        self.kept(done)
    }

    fn positions(&self) -> Vec<ChunkPos> {
        self.map.positions()
    }
}

/// Imports the file or folder `source` into a new map at `map`. `options` count for heights only.
///
/// The chunks go to the disk as they are made, so that memory does not limit a world: what is held is a batch of them, what is being
/// made, and the map's index. What is one file is read whole, but for regions.
///
/// # Errors
/// As [`import`](super::import), but for its limit; or the map cannot be written, or there is one already.
pub fn into_map(source: &Path, map: &Path, options: Options, progress: &mut Progress) -> Result<Made, IntoMapError> {
    let header = Header::new(0, TerrainKind::Void.name(), unix_now());
    let mut making = Making { map: NewMap::begin(map, &header, &MaterialTable::builtin())?, failed: None };
    let imported = imported(source, &mut making, options, header, progress);
    if let Some(error) = making.failed {
        return Err(error.into());
    }
    let (header, Summary { materials, bounds, voxels, unfinished, warnings }) = imported?;
    making.map.finish(&header, &materials)?;
    Ok(Made { bounds, voxels, unfinished, warnings })
}

/// Imports all chunks, and finds where the player begins.
fn imported(
    source: &Path,
    chunks: &mut dyn Chunks,
    options: Options,
    header: Header,
    progress: &mut Progress,
) -> Result<(Header, Summary), ImportError> {
    let target = Target::new(chunks);
    let summary = match heightmap::is_one(source) {
        true => heightmap::import_with(source, options, target, progress),
        false => import_to(source, target, progress),
    }?;
    let header = begun(header, chunks, &summary).and_then(|header| report(progress, 1.0).map(|()| header));
    Ok((header.map_err(|flaw| flaw.of(source))?, summary))
}

/// What is wider than this is land to stand on, not a model to look at, in voxels.
const WIDEST_MODEL: i32 = 128;
/// How far above the land the player begins.
const ABOVE_LAND: f64 = 2.0;

/// The player flies above the middle of a land; or in front of a model.
fn begun(mut header: Header, chunks: &mut dyn Chunks, summary: &Summary) -> Result<Header, Flaw> {
    let size = summary.bounds.size();
    let land = if size.x.max(size.z) > WIDEST_MODEL { above_land(chunks, summary)? } else { None };
    header.spawn = land.unwrap_or_else(|| before_model(summary.bounds)).to_array();
    header.player.position = header.spawn;
    header.player.pitch = if land.is_some() { 0.0 } else { -DOWN as f32 };
    Ok(header)
}

/// A place above what is highest at the middle, water counted; where nothing is there, at the place nearest to it.
fn above_land(chunks: &mut dyn Chunks, summary: &Summary) -> Result<Option<DVec3>, Flaw> {
    let Summary { materials, bounds, .. } = summary;
    let middle = (bounds.min + bounds.max) / 2;
    let carries = |voxel: Voxel| {
        materials.get(voxel.material()).is_some_and(|m| matches!(m.matter, Matter::Solid | Matter::Liquid))
    };
    // The column of voxels nearest to the middle that a chunk has a part of.
    let nearest = |pos: ChunkPos| middle.clamp(pos.origin(), pos.origin() + 31);
    let away = |pos: ChunkPos| {
        let at = nearest(pos);
        IVec2::new(at.x - middle.x, at.z - middle.z).as_i64vec2().length_squared()
    };
    // Nearest first, then highest, so that few chunks are read: the first that carries is the one.
    let mut all = chunks.positions();
    all.sort_unstable_by_key(|pos| (away(*pos), -pos.y, pos.x, pos.z));
    for level in all.chunk_by(|a, b| (away(*a), a.y) == (away(*b), b.y)) {
        let mut best = None;
        for &pos in level {
            let (at, Some(chunk)) = (nearest(pos), chunks.fetch(pos)?) else { continue };
            let top = (0..32).rev().find(|&y| carries(chunk.get(linear_index(IVec3::new(at.x & 31, y, at.z & 31)))));
            let place = top.map(|top| (pos.origin().y + top, at));
            // Of the same height the first in order.
            if place.map(|(y, _)| y) > best.map(|(y, _)| y) {
                best = place;
            }
        }
        if let Some((y, at)) = best {
            return Ok(Some(IVec3::new(at.x, y, at.z).as_dvec3() + DVec3::new(0.5, 1.0 + ABOVE_LAND, 0.5)));
        }
    }
    Ok(None)
}

/// How far the player looks down at a model, in radians.
const DOWN: f64 = 0.4;
/// Not farther away than one sees by default, however large it is, in voxels.
const FARTHEST: f64 = 220.0;

/// In front (south) of what was imported and above its middle, so that one who looks down at it has all of it in view.
fn before_model(bounds: Box3) -> DVec3 {
    let (size, max) = (bounds.size().as_dvec3(), bounds.max.as_dvec3());
    // A ball around it fits into the usual field of view, 75 degrees, from twice its radius, and some.
    let away = (size.length() * 0.5 * 1.8 + 2.0).min(FARTHEST);
    let above = size.y * 0.5 + away * DOWN.sin();
    // The place is that of the feet.
    DVec3::new(0.0, (above - EYES).max(0.0), (away * DOWN.cos()).max(max.z + 2.0))
}

#[cfg(test)]
mod tests {
    use super::super::chunks::Memory;
    use super::*;
    use crate::voxel::{Box3, ChunkPos, MaterialTable, Voxel};

    /// A land from x = -64 to `end`: stone up to y = 40, water up to 50 at x < 32.
    fn land(end: i32) -> (Memory, Summary) {
        let materials = MaterialTable::builtin();
        let full = |name: &str| Voxel::full(materials.find(name).unwrap());
        let mut chunks = Memory::of(usize::MAX);
        let bounds = Box3 { min: IVec3::new(-64, 0, -32), max: IVec3::new(end, 51, 32) };
        for pos in bounds.chunks() {
            chunks.put(pos, Chunk::uniform(Voxel::AIR), &materials).unwrap();
        }
        let world = &mut chunks.world;
        world.fill(Box3 { max: IVec3::new(end, 41, 32), ..bounds }, full("stone"));
        world.fill(Box3 { min: IVec3::new(-64, 41, -32), max: IVec3::new(32, 51, 32) }, full("water"));
        world.fill(Box3::spanning(IVec3::new(end / 2 - 32, 51, 0), IVec3::new(end / 2 - 32, 51, 0)), full("reeds"));
        (chunks, Summary { materials, bounds, voxels: 1, unfinished: 0, warnings: vec![] })
    }

    fn header((chunks, summary): &mut (Memory, Summary)) -> Header {
        begun(Header::new(0, TerrainKind::Void.name(), 0), chunks, summary).unwrap()
    }

    #[test]
    fn one_begins_above_a_land() {
        let mut imported = land(96);
        // The middle is x = 16, z = 0: over water, and plants do not carry.
        assert_eq!(header(&mut imported).spawn, [16.5, 53.0, 0.5]);
        assert!(header(&mut imported).player.flying);
        // Without the chunks around the middle, the nearest that is left counts: x = 32, where there is no water.
        for pos in [ChunkPos::new(0, 0, -1), ChunkPos::new(0, 1, -1), ChunkPos::new(0, 0, 0), ChunkPos::new(0, 1, 0)] {
            imported.0.world.remove(pos).unwrap();
        }
        assert_eq!(header(&mut imported).spawn, [32.5, 43.0, 0.5]);
    }

    #[test]
    fn one_begins_before_a_model() {
        let header = header(&mut land(64));
        assert!(header.spawn[2] > 34.0 && header.player.pitch < 0.0, "{:?}", header.spawn);
    }
}
