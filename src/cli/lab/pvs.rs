//! `stonerun lab pvs`: van Waveren's table.

use super::{Outcome, line, map_path, output};
use crate::lab::pvs::{Row, Times, matrices_of, measure};
use crate::save::catalogue::EXTENSION;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What the table is measured on.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Potentially visible sets: our maps, baked; .pvs files; .bsp maps of Quake, Half-Life and Quake III
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Rows {
    rows: Vec<Row>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let mut rows = Vec::new();
    // A file that cannot be measured keeps none of the others from it.
    let mut failed: Vec<String> = args.inputs.iter().filter_map(|path| measure_on(path, &mut rows).err()).collect();
    let last = failed.pop();
    failed.iter().for_each(|error| eprintln!("stonerun: {error}"));
    if !rows.is_empty() || last.is_none() {
        if args.json {
            output::print(&serde_json::to_string_pretty(&Rows { rows }).map_err(line)?)?;
        } else {
            output::print(&table(&rows))?;
        }
    }
    last.map_or(Ok(()), Err)
}

/// Measures one input, after those that are in `rows`.
fn measure_on(path: &Path, rows: &mut Vec<Row>) -> Outcome {
    // A map may be called by its name alone.
    let is_other = path.extension().is_some_and(|e| e != EXTENSION);
    let file = if is_other { path.to_owned() } else { map_path::existing(path)? };
    for (name, matrix) in matrices_of(&file)? {
        let bar = output::progress("Measuring", 1000);
        rows.push(measure(name, &matrix, &mut |done| bar.set_position((done * 1000.0) as u64)));
        bar.finish_and_clear();
    }
    Ok(())
}

/// The rows as a text: the text's table, then the times.
fn table(rows: &[Row]) -> String {
    let number = output::thousands;
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(12);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{:<width$} {:>8} {:>9} {:>13} {:>12} {:>12} {:>12} {:>12} {:>9} {:>9}",
        "name", "cells", "occluded", "raw", "Quake", "12/4", "new", "ours", "new/Quake", "ours/new"
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
            ratio(row.new, row.quake),
            ratio(row.ours, row.new),
        );
    }
    let _ =
        writeln!(out, "\n{:<width$} {:<8} {:>10} {:>10} {:>10} {:>10}", "ns a row", "", "Quake", "12/4", "new", "ours");
    for row in rows {
        for (what, Times { quake, zero_one, new, ours }) in [("decode", row.decode_ns), ("iterate", row.iterate_ns)] {
            let _ =
                writeln!(out, "{:<width$} {what:<8} {quake:>10.0} {zero_one:>10.0} {new:>10.0} {ours:>10.0}", row.name);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// `part / whole`; a dash where there is no whole.
fn ratio(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.3}", part as f64 / whole as f64) }
}
