//! `stonerun lab iteration`: the 0fps text's benchmark table.

use super::{Outcome, RowsReport, line, output, resolve_input};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use stonerun_lab::input::{NumberedWorld, zero_fps_world};
use stonerun_lab::iteration::{self, StoreMeasurement};

/// Arguments of `lab iteration`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Maps or importable files; without any, the world of the 0fps text's benchmark
    inputs: Vec<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let mut tables = Vec::new();
    if args.inputs.is_empty() {
        tables.push(measure(&zero_fps_world())?);
    }
    for path in &args.inputs {
        tables.push(measure(&read(&resolve_input(path)?)?)?);
    }
    if args.json {
        return output::print_json(&RowsReport { rows: tables.concat() });
    }
    output::print(&text(&tables))
}

fn read(path: &Path) -> Result<NumberedWorld, String> {
    output::with_progress("Reading", |progress| {
        NumberedWorld::from_file(path, &mut |done| progress(done))
    })
    .map_err(line)
}

fn measure(input: &NumberedWorld) -> Result<Vec<StoreMeasurement>, String> {
    output::with_progress("Measuring", |progress| {
        iteration::measure(input, &mut |done| progress(done))
    })
    .map_err(line)
}

/// Formats one table per input. Inputs may have equal names.
fn text(tables: &[Vec<StoreMeasurement>]) -> String {
    let mut out = String::new();
    for table in tables {
        let name = table.first().map_or("", |row| &row.input);
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{name}: nanoseconds per voxel\n{:<14} {:>10} {:>10} {:>10} {:>10} {:>10} {:>14}",
            "store", "read", "dependent", "write", "radius 0", "radius 1", "heap bytes"
        );
        for row in table {
            let _ = writeln!(
                out,
                "{:<14} {:>10.2} {:>10.2} {:>10.2} {:>10.4} {:>10.4} {:>14}",
                row.store,
                row.random_read_ns,
                row.dependent_read_ns,
                row.random_write_ns,
                row.iterate_r0_ns,
                row.iterate_r1_ns,
                output::thousands(row.heap_bytes)
            );
        }
    }
    out.truncate(out.trim_end().len());
    out
}
