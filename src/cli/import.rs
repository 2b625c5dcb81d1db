//! `stonerun import SOURCE MAP`: creates a map from another program's file.

use super::{Outcome, line, map_path, output};
use clap::CommandFactory;
use clap::error::ErrorKind;
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use stonerun_exchange::heightmap::{self, HeightmapOptions};
use stonerun_exchange::{
    Dimension, ImportFormat, ImportLosses, ImportOptions, SourceContent, format_list, import_to_map,
};

/// Arguments of `import`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[arg(help = format!("The source: {}", format_list()))]
    source: PathBuf,
    /// The new map's file or name
    map: PathBuf,
    /// Heightmaps: metres per block of height (0.01 to 10000); by default as few whole metres as
    /// keep the terrain within 384 blocks of height
    #[arg(long, value_name = "M", value_parser = heightmap::parse_metres_per_block, allow_hyphen_values = true)]
    metres_per_block: Option<f64>,
    /// Minecraft world folders: the dimension, which is overworld (the default), nether, end, or
    /// namespace:path of a data pack's dimension
    #[arg(long, value_name = "NAME")]
    dimension: Option<Dimension>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The JSON output.
#[derive(Serialize)]
struct Report<'a> {
    map: String,
    voxels: u64,
    /// Size of the smallest box around all voxels of the map.
    size: [i32; 3],
    /// Number of chunks that Minecraft has not finished generating.
    unfinished: u64,
    lost: Lost,
    warnings: &'a [String],
}

/// Parts that voxels cannot hold, or that are unknown.
#[derive(Serialize)]
struct Lost {
    shapes: u64,
    contents: u64,
    entities: u64,
    biomes: u64,
    unread: u64,
}

pub(super) fn run(args: &Args) -> Outcome {
    let content = ImportFormat::for_path(&args.source).map(|format| format.content);
    if args.metres_per_block.is_some() && content != Some(SourceContent::Heightmap) {
        let reason = format!(
            "--metres-per-block applies to heightmaps only, and {} is not one",
            args.source.display()
        );
        super::Cli::command().error(ErrorKind::ArgumentConflict, reason).exit();
    }
    if args.dimension.is_some() && args.source.is_file() {
        let reason = format!(
            "--dimension applies to Minecraft world folders only, and {} is a file",
            args.source.display()
        );
        super::Cli::command().error(ErrorKind::ArgumentConflict, reason).exit();
    }
    let path = map_path::new(&args.map)?;
    let heightmap = HeightmapOptions { metres_per_block: args.metres_per_block };
    let options = ImportOptions { heightmap, dimension: args.dimension.clone() };
    let imported = output::with_progress("Importing", |progress| {
        import_to_map(&args.source, &path, options, &mut |done| {
            progress(done);
            ControlFlow::Continue(())
        })
    })
    .map_err(line)?;
    output::warn(&imported.warnings);
    let size = imported.bounds.size();
    let losses = imported.losses;
    if !losses.is_empty() {
        output::warn(&[format!("{}: not imported: {losses}", args.source.display())]);
    }
    if args.json {
        let ImportLosses { shapes, contents, entities, biomes, unread } = losses;
        return output::print_json(&Report {
            map: path.display().to_string(),
            voxels: imported.voxels,
            size: size.to_array(),
            unfinished: imported.unfinished,
            lost: Lost { shapes, contents, entities, biomes, unread },
            warnings: &imported.warnings,
        });
    }
    let voxels = output::thousands(imported.voxels);
    let left_out = match imported.unfinished {
        0 => String::new(),
        n => format!(
            "; {} chunks that Minecraft has not finished generating are left out",
            output::thousands(n)
        ),
    };
    output::print(&format!(
        "{}: {voxels} voxels, {} x {} x {}{left_out}",
        path.display(),
        size.x,
        size.y,
        size.z
    ))
}
