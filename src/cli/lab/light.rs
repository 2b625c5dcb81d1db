//! `stonerun lab light`: time and size of light.

use super::{Outcome, RowsReport, output, read_inputs};
use crate::lab::light::{LightInput, LightMeasurement, measure};
use std::fmt::Write;
use std::path::PathBuf;

/// Rounds of which the median counts.
const ROUNDS: usize = 5;

/// Arguments of `lab light`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Maps or importable files; without any, three kinds of terrain
    inputs: Vec<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let mut inputs = read_inputs(&args.inputs, LightInput::from_file)?;
    if inputs.is_empty() {
        inputs = LightInput::built_in();
    }
    let measure =
        |input| output::with_progress("Measuring", |progress| measure(input, ROUNDS, &mut |done| progress(done)));
    let rows: Vec<LightMeasurement> = inputs.iter().flat_map(measure).collect();
    if args.json {
        return output::print_json(&RowsReport { rows });
    }
    output::print(&text(&rows))
}

fn text(rows: &[LightMeasurement]) -> String {
    let mut out = format!("{:<24} {:<24} {:>13} {:>14} {:>6}", "input", "scheme", "us per chunk", "bytes", "equal");
    for row in rows {
        let equal = if row.equal { "yes" } else { "no" };
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "\n{:<24} {:<24} {:>13.1} {:>14} {equal:>6}",
            row.input,
            row.scheme,
            row.us_per_chunk,
            output::thousands(row.bytes)
        );
    }
    out
}
