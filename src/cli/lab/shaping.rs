//! `stonerun lab shaping`: shaping brushes, and smoothing of large boxes next to a flat array.

use super::{Outcome, RowsReport, line, output};
use std::fmt::Write;
use stonerun_engine::terrain::TerrainKind;
use stonerun_lab::shaping::{ShapingInput, ShapingMeasurement, measure};

/// Rounds of which the median counts.
const ROUNDS: usize = 5;

/// Arguments of `lab shaping`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Side of the smoothed cube, in voxels, from 64 to 1024. The flat arrays take 8 bytes per
    /// voxel
    #[arg(long, value_name = "VOXELS", default_value_t = 464, value_parser = clap::value_parser!(i32).range(64..=1024))]
    side: i32,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let mut rows: Vec<ShapingMeasurement> = Vec::new();
    for kind in [TerrainKind::Continents, TerrainKind::Caverns] {
        let input = ShapingInput::terrain(kind, args.side);
        rows.extend(
            output::with_progress("Measuring", |progress| {
                measure(&input, ROUNDS, &mut |done| progress(done))
            })
            .map_err(line)?,
        );
    }
    if args.json {
        return output::print_json(&RowsReport { rows });
    }
    output::print(&text(&rows))
}

fn text(rows: &[ShapingMeasurement]) -> String {
    let mut out = format!(
        "{:<12} {:<28} {:>12} {:>11} {:>10} {:>12} {:>12} {:>7} {:>6}",
        "input",
        "workload",
        "voxels",
        "changed",
        "ours",
        "flat array",
        "its filter",
        "ratio",
        "equal"
    );
    for row in rows {
        let ms = |time: Option<f64>| time.map_or_else(String::new, |ms| format!("{ms:.1} ms"));
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "\n{:<12} {:<28} {:>12} {:>11} {:>10} {:>12} {:>12} {:>7} {:>6}",
            row.input,
            row.workload,
            output::thousands(row.voxels),
            output::thousands(row.changed),
            format!("{:.2} ms", row.ours_ms),
            ms(row.rival_ms),
            ms(row.rival_filter_ms),
            row.ratio.map_or_else(String::new, |ratio| format!("{ratio:.1}")),
            row.equal.map_or("", |equal| if equal { "yes" } else { "no" }),
        );
    }
    out
}
