//! `stonerun lab codecs`: size and speed of the map file's codecs.

use super::{InputsReport, Outcome, for_each_chunk, output, print_tables, resolve_inputs};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use stonerun_engine::codec::predicted;
use stonerun_lab::codecs::CodecTable;
use stonerun_lab::input::input_name;

/// Number of chunks that are measured together.
const BATCH: usize = 256;

/// Arguments of `lab codecs`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Maps or importable files
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Print the best code lengths for these inputs, in the form of
    /// crates/engine/src/codec/predicted/lengths.txt
    #[arg(long, conflicts_with = "json")]
    train: bool,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Measurements of one input. Field names appear in the JSON output.
#[derive(Serialize)]
struct MeasuredInput {
    name: String,
    #[serde(flatten)]
    table: CodecTable,
}

pub(super) fn run(args: &Args) -> Outcome {
    let files = resolve_inputs(&args.inputs)?;
    if args.train {
        return train(&files);
    }
    let inputs = files.iter().map(|file| measure(file)).collect::<Result<Vec<_>, _>>()?;
    if args.json {
        return output::print_json(&InputsReport { inputs });
    }
    print_tables(inputs.iter().map(table))
}

fn measure(file: &Path) -> Result<MeasuredInput, String> {
    let mut table = CodecTable::new();
    let mut batch = Vec::new();
    for_each_chunk("Measuring", file, &mut |chunk| {
        batch.push(chunk);
        if batch.len() == BATCH {
            table.add(&batch);
            batch.clear();
        }
    })?;
    if !batch.is_empty() {
        table.add(&batch);
    }
    Ok(MeasuredInput { name: input_name(file), table })
}

fn train(files: &[PathBuf]) -> Outcome {
    let mut chunks = Vec::new();
    for file in files {
        for_each_chunk("Reading", file, &mut |chunk| chunks.push(chunk))?;
    }
    output::print(predicted::train(chunks.iter()).trim_end())
}

/// Formats the measurements of one input.
fn table(input: &MeasuredInput) -> String {
    let number = output::thousands;
    let table = &input.table;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{}: {} voxels, {} not air, in {} chunks with {} runs",
        input.name,
        number(table.voxels),
        number(table.nonempty),
        number(table.chunks),
        number(table.runs),
    );
    let _ = writeln!(
        out,
        "{:<12} {:>13} {:>13} {:>10} {:>9} {:>22} {:>22}",
        "codec",
        "bytes",
        "per non-air",
        "of dense",
        "of LZ4",
        "encode, M voxels/s",
        "decode, M voxels/s"
    );
    let dense = table.rows[0].bytes;
    let lz4 = table.rows[2].bytes;
    let speed = |seconds: f64| {
        format!(
            "{:.0} ({:.1} ns/run)",
            table.voxels as f64 / seconds / 1e6,
            seconds * 1e9 / table.runs as f64
        )
    };
    for row in &table.rows {
        let _ = writeln!(
            out,
            "{:<12} {:>13} {:>13.4} {:>10.4} {:>9.3} {:>22} {:>22}",
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
