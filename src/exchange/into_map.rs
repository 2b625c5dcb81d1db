//! From another program's file to a map: imported, with a place from where it is seen well.

use super::heightmap::{self, Options};
use super::{ImportError, Imported, Progress, import};
use crate::rules::walking::EYES;
use crate::save::{self, Changes, Header, SaveError, unix_now};
use crate::terrain::TerrainKind;
use crate::voxel::{Box3, Matter, linear_index};
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

/// Imports the file or folder `source` into a new map at `map`. `options` count for heights only.
///
/// # Errors
/// As [`import`]; or the map cannot be written, or there is one already.
pub fn into_map(source: &Path, map: &Path, options: Options, progress: &mut Progress) -> Result<Made, IntoMapError> {
    let imported = match heightmap::is_one(source) {
        true => heightmap::import_with(source, options, progress),
        false => import(source, progress),
    }?;
    let header = header(&imported);
    let Imported { world, materials, voxels, bounds, unfinished, warnings } = imported;
    let chunks = world.chunks().map(|(pos, chunk)| (pos, chunk.clone())).collect();
    save::write_new(map, &Changes { chunks, header, materials, picture: None, history: None })?;
    Ok(Made { bounds, voxels, unfinished, warnings })
}

/// What is wider than this is land to stand on, not a model to look at, in voxels.
const WIDEST_MODEL: i32 = 128;
/// How far above the land the player begins.
const ABOVE_LAND: f64 = 2.0;

/// The player flies above the middle of a land; or in front of a model.
fn header(imported: &Imported) -> Header {
    let mut header = Header::new(0, TerrainKind::Void.name(), unix_now());
    let size = imported.bounds.size();
    let land = if size.x.max(size.z) > WIDEST_MODEL { above_land(imported) } else { None };
    header.spawn = land.unwrap_or_else(|| before_model(imported)).to_array();
    header.player.position = header.spawn;
    header.player.pitch = if land.is_some() { 0.0 } else { -DOWN as f32 };
    header
}

/// A place above what is highest at the middle, water counted; where nothing is there, at the place nearest to it.
fn above_land(imported: &Imported) -> Option<DVec3> {
    let Imported { world, materials, bounds, .. } = imported;
    let middle = (bounds.min + bounds.max) / 2;
    let carries = |voxel: crate::voxel::Voxel| {
        materials.get(voxel.material()).is_some_and(|m| matches!(m.matter, Matter::Solid | Matter::Liquid))
    };
    let tops = world.chunks().filter_map(|(pos, chunk)| {
        // The voxels of the chunk nearest to the middle.
        let at = middle.clamp(pos.origin(), pos.origin() + 31);
        let top = (0..32).rev().find(|&y| carries(chunk.get(linear_index(IVec3::new(at.x & 31, y, at.z & 31)))))?;
        Some(IVec3::new(at.x, pos.origin().y + top, at.z))
    });
    let away = |at: &IVec3| IVec2::new(at.x - middle.x, at.z - middle.z).as_i64vec2().length_squared();
    let top = tops.min_by_key(|at| (away(at), -at.y, at.x, at.z))?;
    Some(top.as_dvec3() + DVec3::new(0.5, 1.0 + ABOVE_LAND, 0.5))
}

/// How far the player looks down at a model, in radians.
const DOWN: f64 = 0.4;
/// Not farther away than one sees by default, however large it is, in voxels.
const FARTHEST: f64 = 220.0;

/// In front (south) of what was imported and above its middle, so that one who looks down at it has all of it in view.
fn before_model(imported: &Imported) -> DVec3 {
    let (size, max) = (imported.bounds.size().as_dvec3(), imported.bounds.max.as_dvec3());
    // A ball around it fits into the usual field of view, 75 degrees, from twice its radius, and some.
    let away = (size.length() * 0.5 * 1.8 + 2.0).min(FARTHEST);
    let above = size.y * 0.5 + away * DOWN.sin();
    // The place is that of the feet.
    DVec3::new(0.0, (above - EYES).max(0.0), (away * DOWN.cos()).max(max.z + 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Box3, ChunkPos, MaterialTable, Voxel};
    use crate::world::{Chunk, World};

    /// A land from x = -64 to `end`: stone up to y = 40, water up to 50 at x < 32.
    fn land(end: i32) -> Imported {
        let materials = MaterialTable::builtin();
        let full = |name: &str| Voxel::full(materials.find(name).unwrap());
        let mut world = World::new();
        let bounds = Box3 { min: IVec3::new(-64, 0, -32), max: IVec3::new(end, 51, 32) };
        for pos in bounds.chunks() {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        world.fill(Box3 { max: IVec3::new(end, 41, 32), ..bounds }, full("stone"));
        world.fill(Box3 { min: IVec3::new(-64, 41, -32), max: IVec3::new(32, 51, 32) }, full("water"));
        world.fill(Box3::spanning(IVec3::new(end / 2 - 32, 51, 0), IVec3::new(end / 2 - 32, 51, 0)), full("reeds"));
        Imported { world, materials, bounds, voxels: 1, unfinished: 0, warnings: vec![] }
    }

    #[test]
    fn one_begins_above_a_land() {
        let mut imported = land(96);
        // The middle is x = 16, z = 0: over water, and plants do not carry.
        assert_eq!(header(&imported).spawn, [16.5, 53.0, 0.5]);
        assert!(header(&imported).player.flying);
        // Without the chunks around the middle, the nearest that is left counts: x = 32, where there is no water.
        for pos in [ChunkPos::new(0, 0, -1), ChunkPos::new(0, 1, -1), ChunkPos::new(0, 0, 0), ChunkPos::new(0, 1, 0)] {
            imported.world.remove(pos).unwrap();
        }
        assert_eq!(header(&imported).spawn, [32.5, 43.0, 0.5]);
    }

    #[test]
    fn one_begins_before_a_model() {
        let header = header(&land(64));
        assert!(header.spawn[2] > 34.0 && header.player.pitch < 0.0, "{:?}", header.spawn);
    }
}
