//! `stonerun lab light`: time and size of light.

use super::{Outcome, output, read_inputs};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use stonerun_lab::light::{LampMeasurement, LightInput, LightMeasurement, measure, measure_lamps};

/// Number of rounds, the median of which counts.
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
    let measure = |input| {
        output::with_progress("Measuring", |progress| {
            measure(input, ROUNDS, &mut |done| progress(done))
        })
    };
    let rows: Vec<LightMeasurement> = inputs.iter().flat_map(measure).collect();
    let measure = |input| {
        output::with_progress("Measuring lamps", |progress| {
            measure_lamps(input, ROUNDS, &mut |done| progress(done))
        })
    };
    let lamps: Vec<LampMeasurement> = inputs.iter().flat_map(measure).collect();
    if args.json {
        return output::print_json(&LightReport { rows, lamps });
    }
    output::print(&text(&rows, &lamps))
}

/// The report as JSON.
#[derive(Serialize)]
struct LightReport {
    /// Light of whole regions.
    rows: Vec<LightMeasurement>,
    /// Single lamps.
    lamps: Vec<LampMeasurement>,
}

fn text(rows: &[LightMeasurement], lamps: &[LampMeasurement]) -> String {
    let mut out = format!(
        "{:<24} {:<24} {:>13} {:>14} {:>6}",
        "input", "scheme", "us per chunk", "bytes", "equal"
    );
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
    let _ = write!(
        out,
        "\n\n{:<24} {:<10} {:<24} {:>9} {:>9} {:>10} {:>9} {:>6}",
        "input", "lamps", "scheme", "us placed", "max", "us removed", "max", "equal"
    );
    for row in lamps {
        let equal = if row.equal { "yes" } else { "no" };
        let _ = write!(
            out,
            "\n{:<24} {:<10} {:<24} {:>9.1} {:>9.1} {:>10.1} {:>9.1} {equal:>6}",
            row.input,
            row.place,
            row.scheme,
            row.us_placed,
            row.us_placed_max,
            row.us_removed,
            row.us_removed_max
        );
    }
    out
}
