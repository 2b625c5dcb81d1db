//! `stonerun lab edit`: edits of large boxes, compared with a flat array, and undo with another
//! history format.

use super::{Outcome, line, output};
use serde::Serialize;
use std::fmt::Write;
use stonerun_lab::edit::{EditFigures, EditInput, EditMeasurement, measure};

/// Number of rounds, the median of which counts.
const ROUNDS: usize = 3;

/// Arguments of `lab edit`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Side of the cube of terrain, in voxels: a multiple of 64 from 64 to 1024. The flat arrays
    /// take 4 bytes per voxel
    #[arg(long, value_name = "VOXELS", default_value_t = 512, value_parser = side)]
    side: i32,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

fn side(text: &str) -> Result<i32, String> {
    let number =
        text.trim().parse().ok().filter(|number| (64..=1024).contains(number) && number % 64 == 0);
    number.ok_or_else(|| "expected a multiple of 64 from 64 to 1024".to_owned())
}

/// The report as JSON.
#[derive(Serialize)]
struct EditReport {
    /// Side of the cube, in voxels.
    side: i32,
    voxels: u64,
    chunks: u64,
    /// Number of chunks with a single value.
    uniform_chunks: u64,
    runs: u64,
    rows: Vec<EditMeasurement>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let input = EditInput::terrain(args.side).map_err(line)?;
    let rows = output::with_progress("Measuring", |progress| {
        measure(&input, ROUNDS, &mut |done| progress(done))
    });
    let size = input.size();
    let rows = rows.map_err(line)?;
    let report = EditReport {
        side: args.side,
        voxels: size.voxels,
        chunks: size.chunks,
        uniform_chunks: size.uniform_chunks,
        runs: size.runs,
        rows,
    };
    if args.json {
        return output::print_json(&report);
    }
    output::print(&text(&report))
}

fn text(report: &EditReport) -> String {
    let mut out = format!(
        "Terrain of {}^3 voxels: {} chunks ({} uniform), {} runs\n{:<40} {:>14} {:>14} {:>9} {:>6}",
        report.side,
        output::thousands(report.chunks),
        output::thousands(report.uniform_chunks),
        output::thousands(report.runs),
        "workload",
        "ours",
        "rival",
        "ratio",
        "equal"
    );
    for row in &report.rows {
        let [ours, rival] = match row.figures {
            EditFigures::Time { ours_ms, rival_ms } => {
                [ours_ms, rival_ms].map(|ms| format!("{ms:.3} ms"))
            }
            EditFigures::Memory { ours_bytes, rival_bytes } => {
                [ours_bytes, rival_bytes].map(output::thousands)
            }
        };
        let equal = if row.equal { "yes" } else { "no" };
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "\n{:<40} {ours:>14} {rival:>14} {:>9.2} {equal:>6}",
            row.workload, row.ratio
        );
    }
    out
}
