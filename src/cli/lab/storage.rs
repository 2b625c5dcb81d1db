//! `stonerun lab storage`: the Roblox text's table.

use super::{Outcome, file_of, line, output};
use crate::lab::input;
use crate::lab::storage::{BILLION, generated};
use crate::metrics::storage::{FORMATS, Sizer, Sizes};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What the table is measured on.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Maps, or files that can be imported; else a generated world of a billion voxels that are not air
    inputs: Vec<PathBuf>,
    /// Measure a generated world as well, of so many voxels that are not air [without a number: 1000000000]
    #[arg(
        long,
        value_name = "VOXELS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1000000000",
        value_parser = clap::value_parser!(u64).range(1..=10 * BILLION)
    )]
    generated: Option<u64>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    inputs: Vec<Measured>,
}

/// The figures of one input, under the names they have as JSON.
#[derive(Serialize)]
struct Measured {
    name: String,
    voxels: u64,
    nonempty: u64,
    chunks: u64,
    /// Chunks of nothing but air.
    air_chunks: u64,
    runs: u64,
    /// Bytes of the hash map of a world that is kept in memory; a map's chunks are read one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    map_bytes: Option<u64>,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    format: &'static str,
    bytes: u64,
}

impl Measured {
    fn new(name: String, sizes: &Sizes, map_bytes: Option<u64>) -> Measured {
        Measured {
            name,
            voxels: sizes.voxels,
            nonempty: sizes.nonempty,
            chunks: sizes.chunks,
            air_chunks: sizes.air,
            runs: sizes.runs,
            map_bytes,
            rows: FORMATS.into_iter().zip(sizes.bytes).map(|(format, bytes)| Row { format, bytes }).collect(),
        }
    }
}

pub(super) fn run(args: &Args) -> Outcome {
    // All are looked for before any is measured.
    let files = args.inputs.iter().map(|path| file_of(path)).collect::<Result<Vec<_>, _>>()?;
    let mut inputs = files.iter().map(|file| of_file(file)).collect::<Result<Vec<_>, _>>()?;
    if let Some(target) = args.generated.or(files.is_empty().then_some(BILLION)) {
        inputs.push(of_generated(target));
    }
    if args.json {
        return output::print(&serde_json::to_string_pretty(&Report { inputs }).map_err(line)?);
    }
    let tables: Vec<_> = inputs.iter().map(table).collect();
    output::print(&tables.join("\n\n"))
}

fn of_file(path: &Path) -> Result<Measured, String> {
    let (mut sizer, mut sizes) = (Sizer::new(), Sizes::default());
    let bar = output::progress("Measuring", 1000);
    let read = input::each_chunk(path, &mut |done| bar.set_position((done * 1000.0) as u64), &mut |_, chunk| {
        sizes.add(&sizer.measure(&chunk));
    });
    bar.finish_and_clear();
    read.map(|()| Measured::new(input::name_of(path), &sizes, None))
}

fn of_generated(target: u64) -> Measured {
    let bar = output::progress("Making the world", target);
    let made = generated(target, &mut |nonempty| bar.set_position(nonempty.min(target)));
    bar.finish_and_clear();
    Measured::new("generated".to_owned(), &made.sizes, Some(made.world.map_bytes() as u64))
}

/// The figures as a text.
fn table(of: &Measured) -> String {
    let number = output::thousands;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{}: {} voxels, {} not air, in {} chunks, {} of them all air; {} runs of {} voxels",
        of.name,
        number(of.voxels),
        number(of.nonempty),
        number(of.chunks),
        number(of.air_chunks),
        number(of.runs),
        ratio(of.voxels, of.runs, 1),
    );
    let _ =
        writeln!(out, "{:<16} {:>16} {:>10} {:>12} {:>10}", "format", "bytes", "a voxel", "one not air", "of dense");
    let dense = of.rows.first().map_or(0, |row| row.bytes);
    for Row { format, bytes } in &of.rows {
        let _ = writeln!(
            out,
            "{format:<16} {:>16} {:>10} {:>12} {:>10}",
            number(*bytes),
            ratio(*bytes, of.voxels, 4),
            ratio(*bytes, of.nonempty, 4),
            ratio(*bytes, dense, 5),
        );
    }
    if let Some(bytes) = of.map_bytes {
        let _ = writeln!(out, "The hash map of the world, which is in no row: {} bytes", number(bytes));
    }
    out.truncate(out.trim_end().len());
    out
}

/// `part / whole` with so many decimals; a dash where there is no whole.
fn ratio(part: u64, whole: u64, decimals: usize) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.decimals$}", part as f64 / whole as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_map_has_a_table() {
        let table = table(&Measured::new("void".to_owned(), &Sizes::default(), None));
        assert!(
            FORMATS.iter().all(|format| table.lines().any(|l| l.starts_with(format) && l.ends_with(" -"))),
            "{table}"
        );
    }
}
