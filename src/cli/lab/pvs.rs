//! `stonerun lab pvs`: the visibility text's table of potentially visible sets.

use super::{Outcome, RowsReport, line, map_path, output};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use stonerun_lab::input::is_map;
use stonerun_lab::pvs::{CodecTimes, NamedMatrix, PvsMeasurement, measure, read_matrices};

/// Arguments of `lab pvs`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Baked maps, .pvs files, or .bsp maps of Quake, Half-Life and Quake III
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let mut rows = Vec::new();
    // If one file fails, the others are still measured.
    let mut errors: Vec<String> =
        args.inputs.iter().filter_map(|path| measure_file(path, &mut rows).err()).collect();
    let last_error = errors.pop();
    for error in &errors {
        eprintln!("stonerun: {error}");
    }
    if !rows.is_empty() || last_error.is_none() {
        if args.json {
            output::print_json(&RowsReport { rows })?;
        } else {
            output::print(&table(&rows))?;
        }
    }
    last_error.map_or(Ok(()), Err)
}

/// Measures the matrices of one file, and appends them to `rows`.
fn measure_file(path: &Path, rows: &mut Vec<PvsMeasurement>) -> Outcome {
    // A path without an extension is the name of a map.
    let is_other_format = path.extension().is_some() && !is_map(path);
    let file = if is_other_format { path.to_owned() } else { map_path::existing(path)? };
    for NamedMatrix { name, matrix } in read_matrices(&file).map_err(line)? {
        rows.push(output::with_progress("Measuring", |progress| {
            measure(name, &matrix, &mut |done| progress(done))
        }));
    }
    Ok(())
}

/// Formats the sizes, then the times.
fn table(rows: &[PvsMeasurement]) -> String {
    let number = output::thousands;
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(12);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{:<width$} {:>8} {:>9} {:>13} {:>12} {:>12} {:>12} {:>12} {:>9} {:>9}",
        "bytes",
        "cells",
        "occluded",
        "raw",
        "Quake",
        "12/4",
        "new",
        "ours",
        "new/Quake",
        "ours/new"
    );
    for row in rows {
        let _ = writeln!(
            out,
            "{:<width$} {:>8} {:>8.1}% {:>13} {:>12} {:>12} {:>12} {:>12} {:>9} {:>9}",
            row.name,
            number(row.cells),
            row.occluded * 100.0,
            number(row.raw),
            number(row.quake),
            number(row.zero_one),
            number(row.new),
            number(row.ours),
            output::ratio(row.new, row.quake, 3),
            output::ratio(row.ours, row.new, 3),
        );
    }
    let _ = writeln!(
        out,
        "\n{:<width$} {:<8} {:>10} {:>10} {:>10} {:>10}",
        "ns per row", "", "Quake", "12/4", "new", "ours"
    );
    for row in rows {
        for (what, times) in [("decode", row.decode_ns), ("iterate", row.iterate_ns)] {
            let CodecTimes { quake, zero_one, new, ours } = times;
            let _ = writeln!(
                out,
                "{:<width$} {what:<8} {quake:>10.0} {zero_one:>10.0} {new:>10.0} {ours:>10.0}",
                row.name
            );
        }
    }
    out.truncate(out.trim_end().len());
    out
}
