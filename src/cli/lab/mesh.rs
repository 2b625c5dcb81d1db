//! `stonerun lab mesh`: time and size of meshes.

use super::{Outcome, RowsReport, output, read_inputs};
use std::fmt::Write;
use std::path::PathBuf;
use stonerun_engine::mesh::FaceMaterials;
use stonerun_lab::mesh::{MeshInput, MeshMeasurement, game_mesher, measure};

/// Number of rounds, the median of which counts.
const ROUNDS: usize = 9;

/// Arguments of `lab mesh`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Maps or importable files; without any, three kinds of terrain, the world of the 0fps text
    /// and a sphere
    inputs: Vec<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let mut inputs = read_inputs(&args.inputs, MeshInput::from_file)?;
    if inputs.is_empty() {
        inputs = MeshInput::built_in();
    }
    let rows: Vec<MeshMeasurement> = inputs
        .iter()
        .flat_map(|input| {
            let face_materials = FaceMaterials::new(&input.materials);
            output::with_progress("Measuring", |progress| {
                measure(input, &mut [game_mesher(&face_materials)], ROUNDS, &mut |done| {
                    progress(done)
                })
            })
        })
        .collect();
    if args.json {
        return output::print_json(&RowsReport { rows });
    }
    output::print(&text(&rows))
}

fn text(rows: &[MeshMeasurement]) -> String {
    let mut out = format!(
        "{:<32} {:<10} {:>12} {:>11} {:>12} {:>11} {:>11} {:>10}",
        "input", "mesher", "us per chunk", "quads", "GPU bytes", "runs", "fused runs", "quads each"
    );
    for row in rows {
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "\n{:<32} {:<10} {:>12.1} {:>11} {:>12} {:>11} {:>11} {:>10.3}",
            row.input,
            row.mesher,
            row.us_per_chunk,
            output::thousands(row.quads),
            output::thousands(row.gpu_bytes),
            output::thousands(row.runs),
            output::thousands(row.fused_runs),
            row.quads_per_fused_run
        );
    }
    out
}
