//! `stonerun import SOURCE MAP`: a map from another program's file.

use super::new::write_map;
use super::{Outcome, line, map_path, output};
use crate::exchange::heightmap::{self, Options};
use crate::exchange::{self, Imported};
use crate::rules::walking::EYES;
use crate::save::{Changes, Header, unix_now};
use crate::terrain::TerrainKind;
use crate::voxel::{Matter, linear_index};
use clap::CommandFactory;
use clap::error::ErrorKind;
use glam::{DVec3, IVec2, IVec3};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Arguments of `import`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// What to import: .vox (MagicaVoxel), .mca or .mcr (Minecraft region), the folder of a Minecraft world, .schem,
    /// .schematic or .litematic (Minecraft schematic), .cw (ClassiCube), .mclevel (Indev), .mts (Luanti), or heights: a
    /// grey .png, .r16, .hgt (SRTM), .tif (GeoTIFF)
    source: PathBuf,
    /// The new map's file or name
    map: PathBuf,
    /// Of heights: how many metres of them are one block, 0.01 to 10000; else so many that the land is at most 384 blocks high
    #[arg(long, value_name = "M", value_parser = metres_per_block, allow_hyphen_values = true)]
    metres_per_block: Option<f64>,
}

fn metres_per_block(text: &str) -> Result<f64, String> {
    let range = heightmap::METRES_PER_BLOCK;
    let metres = text.parse().ok().filter(|metres| range.contains(metres));
    metres.ok_or_else(|| format!("a number of metres from {} to {} is needed", range.start(), range.end()))
}

pub(super) fn run(args: &Args) -> Outcome {
    if args.metres_per_block.is_some() && !heightmap::is_one(&args.source) {
        let reason = format!("--metres-per-block is for heights, and {} has none", args.source.display());
        super::Cli::command().error(ErrorKind::ArgumentConflict, reason).exit();
    }
    let path = map_path::fresh(&args.map)?;
    let bar = output::progress("Importing", 1000);
    let mut progress = |done: f32| {
        bar.set_position((done * 1000.0) as u64);
        ControlFlow::Continue(())
    };
    let imported = match args.metres_per_block {
        None => exchange::import(&args.source, &mut progress),
        metres_per_block => heightmap::import_with(&args.source, Options { metres_per_block }, &mut progress),
    };
    bar.finish_and_clear();
    let imported = imported.map_err(line)?;
    output::warn(&imported.warnings);
    let header = header(&imported);
    let Imported { world, materials, voxels, bounds, unfinished, .. } = imported;
    let chunks = world.chunks().map(|(pos, chunk)| (pos, chunk.clone())).collect();
    write_map(&path, &Changes { chunks, header, materials, picture: None, history: None })?;
    let size = bounds.size();
    let voxels = output::thousands(voxels);
    let left_out = match unfinished {
        0 => String::new(),
        n => format!("; {} chunks that Minecraft has not finished making are left out", output::thousands(n)),
    };
    output::print(&format!("{}: {voxels} voxels, {} x {} x {}{left_out}", path.display(), size.x, size.y, size.z))
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
