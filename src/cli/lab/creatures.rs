//! `stonerun lab creatures`: reach, paths and creatures.

use super::{Outcome, output, read_inputs};
use crate::lab::creatures::{
    CreatureInput, EditMeasurement, PathMeasurement, ReachMeasurement, measure_edits, measure_paths, measure_reach,
};
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `lab creatures`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A map or an importable file; without one, generated terrain
    input: Option<PathBuf>,
    /// Share of the work, in percent: of 10^7 answers, 10^5 edits and 50,000 creatures
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100))]
    effort: u32,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// The report as JSON.
#[derive(Serialize)]
struct CreatureReport {
    /// Name of the input.
    input: String,
    reach: ReachMeasurement,
    paths: PathMeasurement,
    edits: EditMeasurement,
}

pub(super) fn run(args: &Args) -> Outcome {
    let mut inputs = read_inputs(args.input.as_slice(), CreatureInput::from_file)?;
    let mut input = inputs.pop().unwrap_or_else(CreatureInput::built_in);
    let effort = args.effort as usize;
    let reach = measure_reach(&input, 100_000 * effort as u64, effort.div_ceil(10));
    let paths = measure_paths(&input, 10 * effort);
    let edits = measure_edits(&mut input, 1_000 * effort, effort);
    let report = CreatureReport { input: input.name, reach, paths, edits };
    output::print_json(&report)
}
