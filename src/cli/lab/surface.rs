//! `stonerun lab surface`: time and size of the surfaces of smooth ground.

use super::{Outcome, RowsReport, output, read_inputs};
use std::fmt::Write;
use std::path::PathBuf;
use stonerun_lab::surface::{
    GameMesher, SurfaceInput, SurfaceMeasurement, fast_surface_nets, measure,
};

/// Rounds of which the median counts.
const ROUNDS: usize = 9;

/// Arguments of `lab surface`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Maps or importable files, whose solid blocks become smooth ground; without any, two kinds of
    /// terrain, the world of the 0fps text and a sphere
    inputs: Vec<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let mut inputs = read_inputs(&args.inputs, SurfaceInput::from_file)?;
    if inputs.is_empty() {
        inputs = SurfaceInput::built_in();
    }
    let rows: Vec<SurfaceMeasurement> = inputs
        .iter()
        .flat_map(|input| {
            let mut meshers = [Box::new(GameMesher::new(input)) as _, fast_surface_nets(input)];
            output::with_progress("Measuring", |progress| {
                measure(input, &mut meshers, ROUNDS, &mut |done| progress(done))
            })
        })
        .collect();
    if args.json {
        return output::print_json(&RowsReport { rows });
    }
    output::print(&text(&rows))
}

fn text(rows: &[SurfaceMeasurement]) -> String {
    let mut out = format!(
        "{:<32} {:<18} {:>12} {:>11} {:>11} {:>12} {:>10}",
        "input", "mesher", "us per chunk", "triangles", "vertices", "GPU bytes", "open edges"
    );
    for row in rows {
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "\n{:<32} {:<18} {:>12.1} {:>11} {:>11} {:>12} {:>10}",
            row.input,
            row.mesher,
            row.us_per_chunk,
            output::thousands(row.triangles),
            output::thousands(row.vertices),
            output::thousands(row.gpu_bytes),
            output::thousands(row.open_edges)
        );
    }
    out
}
