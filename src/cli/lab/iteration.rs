//! `stonerun lab iteration`: the 0fps text's table.

use super::{Outcome, file_of, line, output};
use crate::lab::input::{self, Input};
use crate::lab::iteration::{self, Row};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What the table is measured on.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Maps, or files that can be imported; else the world of the 0fps text's benchmark
    inputs: Vec<PathBuf>,
    /// Print JSON instead of lines
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Rows {
    rows: Vec<Row>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let mut blocks = Vec::new();
    let count = args.inputs.len().max(1);
    for i in 0..count {
        let input = match args.inputs.get(i) {
            Some(path) => read(&file_of(path)?)?,
            None => input::zero_fps(),
        };
        let bar = output::progress("Measuring", 1000);
        let measured = iteration::measure(&input, &mut |done| bar.set_position((done * 1000.0) as u64));
        bar.finish_and_clear();
        blocks.push(measured?);
    }
    if args.json {
        let rows = blocks.concat();
        return output::print(&serde_json::to_string_pretty(&Rows { rows }).map_err(line)?);
    }
    output::print(&table(&blocks))
}

fn read(path: &Path) -> Result<Input, String> {
    let bar = output::progress("Reading", 1000);
    let input = input::from_file(path, &mut |done| bar.set_position((done * 1000.0) as u64));
    bar.finish_and_clear();
    input
}

/// The rows as a text, a block for each input: two of them may have the same name.
fn table(blocks: &[Vec<Row>]) -> String {
    let mut out = String::new();
    for block in blocks {
        let name = block.first().map_or("", |row| &row.input);
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{name}: nanoseconds a voxel\n{:<14} {:>10} {:>10} {:>10} {:>10} {:>10} {:>14}",
            "store", "read", "dependent", "write", "radius 0", "radius 1", "heap bytes"
        );
        for row in block {
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
