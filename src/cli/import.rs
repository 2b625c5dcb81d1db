//! `stonerun import SOURCE MAP`: a map from another program's file.

use super::new::write_map;
use super::{Outcome, line, map_path, output};
use crate::exchange::{self, Imported};
use crate::rules::walking::EYES;
use crate::save::{Changes, Header, unix_now};
use crate::terrain::TerrainKind;
use std::path::PathBuf;

/// Arguments of `import`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The file to import; its extension says what it is: .vox (MagicaVoxel)
    source: PathBuf,
    /// The new map's file or name
    map: PathBuf,
}

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::fresh(&args.map)?;
    let bar = output::progress("Importing", 1000);
    let imported = exchange::import(&args.source, &mut |done| bar.set_position((done * 1000.0) as u64));
    bar.finish_and_clear();
    let imported = imported.map_err(line)?;
    let header = header(&imported);
    let Imported { world, materials, voxels, bounds } = imported;
    let chunks = world.chunks().map(|(pos, chunk)| (pos, chunk.clone())).collect();
    write_map(&path, &Changes { chunks, header, materials, picture: None })?;
    let size = bounds.size();
    let voxels = output::thousands(voxels);
    output::print(&format!("{}: {voxels} voxels, {} x {} x {}", path.display(), size.x, size.y, size.z))
}

/// How far the player looks down at it, in radians.
const DOWN: f64 = 0.4;
/// Not farther away than one sees by default, however large it is, in voxels.
const FARTHEST: f64 = 220.0;

/// The player flies in front (south) of what was imported and above its middle, looks down at it, and has all of it
/// in view.
fn header(imported: &Imported) -> Header {
    let mut header = Header::new(0, TerrainKind::Void.name(), unix_now());
    let (size, max) = (imported.bounds.size().as_dvec3(), imported.bounds.max.as_dvec3());
    // A ball around it fits into the usual field of view, 75 degrees, from twice its radius, and some.
    let away = (size.length() * 0.5 * 1.8 + 2.0).min(FARTHEST);
    let above = size.y * 0.5 + away * DOWN.sin();
    // The place is that of the feet.
    header.spawn = [0.0, (above - EYES).max(0.0), (away * DOWN.cos()).max(max.z + 2.0)];
    header.player.position = header.spawn;
    header.player.pitch = -DOWN as f32;
    header
}
