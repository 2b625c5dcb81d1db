//! `stonerun import SOURCE MAP`: a map from another program's file.

use super::new::{now, write_map};
use super::{Outcome, line, map_path, output};
use crate::exchange::{self, Imported};
use crate::save::{Changes, Header};
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
    write_map(&path, Changes { chunks, header, materials, picture: None })?;
    let size = bounds.size();
    let voxels = output::thousands(voxels);
    output::print(&format!("{}: {voxels} voxels, {} x {} x {}", path.display(), size.x, size.y, size.z))
}

/// The player flies in front (south) of what was imported, where all of it is in view, and looks at it.
fn header(imported: &Imported) -> Header {
    let mut header = Header::new(0, TerrainKind::Void.name(), now());
    let size = imported.bounds.size().as_dvec3();
    // Not farther than one sees by default, however large it is.
    let away = f64::from(imported.bounds.max.z) + (size.x.max(size.y) * 0.8).min(90.0) + 2.0;
    header.spawn = [0.0, size.y / 2.0, away];
    header.player.position = header.spawn;
    header
}
