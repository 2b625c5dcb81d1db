//! `stonerun export MAP TARGET`: writes a map, or a box of it, in another program's format.

use super::{Outcome, line, map_path, output};
use glam::IVec3;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use stonerun_engine::voxel::{Box3, WORLD_LIMIT};
use stonerun_exchange::export::{ExportError, ExportFigure, ExportLosses, Exported, format_help};
use stonerun_exchange::{ExportMapError, ExportSource, export_map};

/// Arguments of `export`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
    #[arg(help = format!("The new file: {}", format_help()))]
    target: PathBuf,
    /// First corner voxel of the box to export; without a box, everything is exported
    #[arg(long, value_name = "X,Y,Z", value_parser = corner, allow_hyphen_values = true, requires = "to")]
    from: Option<IVec3>,
    /// Opposite corner voxel, also inside the box
    #[arg(long, value_name = "X,Y,Z", value_parser = corner, allow_hyphen_values = true, requires = "from")]
    to: Option<IVec3>,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Summary of the export. Field names appear in the JSON output.
#[derive(Serialize, Debug)]
struct ExportSummary<'a> {
    /// The target, and the files written next to it.
    files: Vec<String>,
    /// Total size of all written files, in bytes.
    bytes: u64,
    /// Exported box: lowest voxel, and upper corner (one past the highest voxel).
    min: [i32; 3],
    max: [i32; 3],
    #[serde(flatten)]
    counts: BTreeMap<&'static str, u64>,
    lost: Lost,
    /// Parts that could not be read, and hints for programs that read the target.
    warnings: &'a [String],
}

/// Parts that the format cannot hold.
#[derive(Serialize, Debug)]
struct Lost {
    substituted: u64,
    heights: u64,
    shallow_ground: u64,
    water: u64,
    sheets: u64,
    see_through: u64,
    colours: u64,
    names: u64,
    shades: u64,
}

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::existing(&args.map)?;
    let area = args.from.zip(args.to).map(|(from, to)| Box3::spanning(from, to));
    let source = ExportSource::File(path.clone());
    let exported = output::with_progress("Exporting", |progress| {
        export_map(source, area, &args.target, args.force, &mut |done| {
            progress(done);
            ControlFlow::Continue(())
        })
    });
    let exported = exported.map_err(|error| refused(&path, error))?;
    let Exported { figures, files, bytes, bounds, losses, warnings } = exported;
    output::warn(&warnings);
    if !losses.is_empty() {
        output::warn(&[format!("{}: not exported: {losses}", args.target.display())]);
    }
    if args.json {
        let ExportLosses {
            substituted,
            heights,
            shallow_ground,
            water,
            sheets,
            see_through,
            colours,
            names,
            shades,
        } = losses;
        let lost = Lost {
            substituted,
            heights,
            shallow_ground,
            water,
            sheets,
            see_through,
            colours,
            names,
            shades,
        };
        let files = files.iter().map(|file| file.display().to_string()).collect();
        let counts = figures.iter().map(|figure| (figure.name, figure.count)).collect();
        let min = bounds.min.to_array();
        let max = bounds.max.to_array();
        let summary = ExportSummary { files, bytes, min, max, counts, lost, warnings: &warnings };
        return output::print_json(&summary);
    }
    output::print(&text(&args.target, &figures, files.len() - 1, bytes))
}

/// The error line for a failed export of `map`, including the option that helps.
fn refused(map: &Path, error: ExportMapError) -> String {
    match error {
        ExportMapError::Export(error @ ExportError::Exists { .. }) => {
            format!("{error}; --force replaces it")
        }
        ExportMapError::OnlyAir { .. } => format!("{}: {error}, nothing to export", map.display()),
        error => line(error),
    }
}

/// Formats the summary without counts of 0: `home.vox: 12 voxels, 1 model, 2 colours, 1,234 bytes`.
fn text(target: &Path, figures: &[ExportFigure], more_files: usize, bytes: u64) -> String {
    let more = ExportFigure { name: "more_files", text: "more files", count: more_files as u64 };
    let counts = figures.iter().chain([&more]).filter(|figure| figure.is_shown());
    let parts: Vec<String> = counts.map(ToString::to_string).collect();
    format!("{}: {}, {} bytes", target.display(), parts.join(", "), output::thousands(bytes))
}

/// Parses a voxel inside the world.
fn corner(text: &str) -> Result<IVec3, String> {
    let parts: Option<Vec<i32>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let at = match parts.as_deref() {
        Some(&[x, y, z]) => IVec3::new(x, y, z),
        _ => return Err("expected three whole numbers separated by commas".to_owned()),
    };
    let inside = |part: i32| (-WORLD_LIMIT..WORLD_LIMIT).contains(&part);
    if !at.to_array().into_iter().all(inside) {
        return Err(format!("coordinates must be from -{WORLD_LIMIT} to {}", WORLD_LIMIT - 1));
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corner_accepts_only_voxels_of_the_world() {
        assert_eq!(corner("-1, 2,3"), Ok(IVec3::new(-1, 2, 3)));
        assert_eq!(
            corner("-1073741824,1073741823,0"),
            Ok(IVec3::new(-WORLD_LIMIT, WORLD_LIMIT - 1, 0))
        );
        for bad in [
            "",
            "1,2",
            "1,2,3,4",
            "1.5,2,3",
            "1 2 3",
            "1073741824,0,0",
            "0,-1073741825,0",
            "9999999999,0,0",
        ] {
            assert!(corner(bad).is_err(), "{bad}");
        }
    }
}
