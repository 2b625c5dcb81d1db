//! `stonerun lab storage`: the Roblox text's storage table.

use super::{InputsReport, Outcome, for_each_chunk, output, print_tables, resolve_inputs};
use crate::cli::number::whole;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use stonerun_engine::metrics::storage::{FORMATS, Sizer, Sizes};
use stonerun_lab::input::input_name;
use stonerun_lab::storage_world::{StorageWorld, TEXT_NONEMPTY_VOXELS};

/// Arguments of `lab storage`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Maps or importable files; without any, a generated world of a billion non-air voxels
    inputs: Vec<PathBuf>,
    /// Measure a generated world too, with this number of non-air voxels [without a number:
    /// 1000000000]
    #[arg(
        long,
        value_name = "VOXELS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1000000000",
        value_parser = whole::<u64>(1..=10 * TEXT_NONEMPTY_VOXELS)
    )]
    generated: Option<u64>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Sizes of one input. Field names appear in the JSON output.
#[derive(Serialize)]
struct MeasuredInput {
    name: String,
    voxels: u64,
    /// Number of non-air voxels.
    nonempty: u64,
    chunks: u64,
    /// Number of chunks that are only air.
    air_chunks: u64,
    runs: u64,
    /// Size of the hash map of a world in memory, in bytes; `None` for files, whose chunks are read
    /// one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    map_bytes: Option<u64>,
    rows: Vec<FormatBytes>,
}

/// Size in one format.
#[derive(Serialize)]
struct FormatBytes {
    format: &'static str,
    bytes: u64,
}

impl MeasuredInput {
    fn new(name: String, sizes: &Sizes, map_bytes: Option<u64>) -> MeasuredInput {
        let rows = FORMATS
            .into_iter()
            .zip(sizes.bytes)
            .map(|(format, bytes)| FormatBytes { format, bytes });
        MeasuredInput {
            name,
            voxels: sizes.voxels,
            nonempty: sizes.nonempty,
            chunks: sizes.chunks,
            air_chunks: sizes.air,
            runs: sizes.runs,
            map_bytes,
            rows: rows.collect(),
        }
    }
}

pub(super) fn run(args: &Args) -> Outcome {
    let files = resolve_inputs(&args.inputs)?;
    let mut inputs = files.iter().map(|file| measure_file(file)).collect::<Result<Vec<_>, _>>()?;
    if let Some(target) = args.generated.or(files.is_empty().then_some(TEXT_NONEMPTY_VOXELS)) {
        inputs.push(measure_generated(target));
    }
    if args.json {
        return output::print_json(&InputsReport { inputs });
    }
    print_tables(inputs.iter().map(table))
}

fn measure_file(path: &Path) -> Result<MeasuredInput, String> {
    let mut sizer = Sizer::new();
    let mut sizes = Sizes::default();
    for_each_chunk("Measuring", path, &mut |chunk| sizes.add(&sizer.measure(&chunk)))?;
    Ok(MeasuredInput::new(input_name(path), &sizes, None))
}

fn measure_generated(target: u64) -> MeasuredInput {
    let bar = output::progress("Generating the world", target);
    let generated =
        StorageWorld::generate(target, &mut |nonempty| bar.set_position(nonempty.min(target)));
    bar.finish_and_clear();
    MeasuredInput::new(
        "generated".to_owned(),
        &generated.sizes,
        Some(generated.world.map_bytes() as u64),
    )
}

/// Formats the sizes of one input.
fn table(input: &MeasuredInput) -> String {
    let number = output::thousands;
    let ratio = output::ratio;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{}: {} voxels, {} not air, in {} chunks ({} only air); {} runs of {} voxels on average",
        input.name,
        number(input.voxels),
        number(input.nonempty),
        number(input.chunks),
        number(input.air_chunks),
        number(input.runs),
        ratio(input.voxels, input.runs, 1),
    );
    let _ = writeln!(
        out,
        "{:<16} {:>16} {:>10} {:>12} {:>10}",
        "format", "bytes", "per voxel", "per non-air", "of dense"
    );
    let dense = input.rows.first().map_or(0, |row| row.bytes);
    for FormatBytes { format, bytes } in &input.rows {
        let _ = writeln!(
            out,
            "{format:<16} {:>16} {:>10} {:>12} {:>10}",
            number(*bytes),
            ratio(*bytes, input.voxels, 4),
            ratio(*bytes, input.nonempty, 4),
            ratio(*bytes, dense, 5),
        );
    }
    if let Some(bytes) = input.map_bytes {
        let _ =
            writeln!(out, "The world's hash map, not included in any row: {} bytes", number(bytes));
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_map_has_a_table_without_ratios() {
        let table = table(&MeasuredInput::new("void".to_owned(), &Sizes::default(), None));
        assert!(
            FORMATS
                .iter()
                .all(|format| table.lines().any(|l| l.starts_with(format) && l.ends_with(" -"))),
            "{table}"
        );
    }
}
