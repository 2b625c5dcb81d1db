//! `stonerun lab rules`: rules compared with a scan over a flat array.

use super::{Outcome, RowsReport, line, output};
use std::fmt::Write;
use stonerun_lab::rules::{LUANTI_NODES_PER_SECOND, RuleMeasurement, measure};

/// Arguments of `lab rules`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Side of the cubes of terrain and of the dam, in voxels: a multiple of 64 from 64 to 512
    #[arg(long, value_name = "VOXELS", default_value_t = 256, value_parser = side)]
    side: i32,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

fn side(text: &str) -> Result<i32, String> {
    let number =
        text.trim().parse().ok().filter(|number| (64..=512).contains(number) && number % 64 == 0);
    number.ok_or_else(|| "expected a multiple of 64 from 64 to 512".to_owned())
}

pub(super) fn run(args: &Args) -> Outcome {
    let rows = output::with_progress("Measuring", |progress| {
        measure(args.side, &mut |done| progress(done))
    });
    let rows = rows.map_err(line)?;
    if args.json {
        return output::print_json(&RowsReport { rows });
    }
    output::print(&text(&rows))
}

fn text(rows: &[RuleMeasurement]) -> String {
    let mut out = format!(
        "Milliseconds per step, on one thread\n{:<60} {:>10} {:>10} {:>9} {:>14} {:>9} {:>9} {:>9}",
        "workload", "dense", "ours", "ratio", "moves per s", "of Luanti", "active", "identical"
    );
    for row in rows {
        let identical = if row.identical { "yes" } else { "no" };
        let of_luanti = row.moved_per_second / LUANTI_NODES_PER_SECOND;
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "\n{:<60} {:>10.3} {:>10.3} {:>9.2} {:>14} {of_luanti:>9.1} {:>8.1}% {identical:>9}",
            row.workload,
            row.dense_ms,
            row.runs_ms,
            row.ratio,
            output::thousands(row.moved_per_second as u64),
            row.active_share * 100.0
        );
    }
    out
}
