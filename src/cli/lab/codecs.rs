//! `stonerun lab codecs`: bytes and times of the map file's codecs.

use super::{Outcome, file_of, line, output};
use crate::codec::predicted;
use crate::lab::codecs::Table;
use crate::lab::input;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Chunks that are measured together.
const BATCH: usize = 256;

/// What the table is measured on.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Maps, or files that can be imported
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Print the code lengths that fit these inputs best, in the form of src/save/predicted/lengths.txt
    #[arg(long, conflicts_with = "json")]
    train: bool,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    inputs: Vec<Measured>,
}

/// The figures of one input.
#[derive(Serialize)]
struct Measured {
    name: String,
    #[serde(flatten)]
    table: Table,
}

pub(super) fn run(args: &Args) -> Outcome {
    let files = args.inputs.iter().map(|path| file_of(path)).collect::<Result<Vec<_>, _>>()?;
    if args.train {
        return train(&files);
    }
    let mut inputs = Vec::new();
    for file in &files {
        let (mut table, mut batch) = (Table::new(), Vec::new());
        each_chunk("Measuring", file, &mut |chunk| {
            batch.push(chunk);
            if batch.len() == BATCH {
                table.add(&batch);
                batch.clear();
            }
        })?;
        if !batch.is_empty() {
            table.add(&batch);
        }
        inputs.push(Measured { name: input::name_of(file), table });
    }
    if args.json {
        return output::print(&serde_json::to_string_pretty(&Report { inputs }).map_err(line)?);
    }
    let tables: Vec<_> = inputs.iter().map(text).collect();
    output::print(&tables.join("\n\n"))
}

fn each_chunk(doing: &'static str, file: &Path, each: &mut dyn FnMut(crate::world::Chunk)) -> Outcome {
    let bar = output::progress(doing, 1000);
    let mut progress = |done| bar.set_position((done * 1000.0) as u64);
    let read = input::each_chunk(file, &mut progress, &mut |_, chunk| each(chunk));
    bar.finish_and_clear();
    read
}

fn train(files: &[PathBuf]) -> Outcome {
    let mut chunks = Vec::new();
    for file in files {
        each_chunk("Reading", file, &mut |chunk| chunks.push(chunk))?;
    }
    output::print(predicted::train(chunks.iter()).trim_end())
}

/// The figures as a text.
fn text(of: &Measured) -> String {
    let (number, table) = (output::thousands, &of.table);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{}: {} voxels, {} not air, in {} chunks of {} runs",
        of.name,
        number(table.voxels),
        number(table.nonempty),
        number(table.chunks),
        number(table.runs),
    );
    let _ = writeln!(
        out,
        "{:<12} {:>13} {:>12} {:>10} {:>9} {:>22} {:>22}",
        "codec", "bytes", "one not air", "of dense", "of LZ4", "encode, million a s", "decode, million a s"
    );
    let (dense, lz4) = (table.rows[0].bytes, table.rows[2].bytes);
    let speed = |seconds: f64| {
        format!("{:.0} ({:.1} ns a run)", table.voxels as f64 / seconds / 1e6, seconds * 1e9 / table.runs as f64)
    };
    for row in &table.rows {
        let _ = writeln!(
            out,
            "{:<12} {:>13} {:>12.4} {:>10.4} {:>9.3} {:>22} {:>22}",
            row.codec,
            number(row.bytes),
            row.bytes as f64 / table.nonempty as f64,
            row.bytes as f64 / dense as f64,
            row.bytes as f64 / lz4 as f64,
            speed(row.encode_s),
            speed(row.decode_s),
        );
    }
    out.truncate(out.trim_end().len());
    out
}
