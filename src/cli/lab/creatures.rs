//! `stonerun lab creatures`: reach, paths and creatures.

use super::{Outcome, line, output, read_inputs};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use stonerun_lab::creatures::{
    CreatureInput, NavEditMeasurement, PATH_COST, PathMeasurement, ReachMeasurement,
    TickMeasurement, measure_edits, measure_paths, measure_reach, measure_ticks,
};

/// Arguments of `lab creatures`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A map or an importable file; without one, generated terrain
    input: Option<PathBuf>,
    /// Share of the work, in percent: of 10^7 answers, 200 paths, 10^5 edits and 50,000 creatures
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100))]
    effort: u32,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// The report as JSON.
#[derive(Serialize)]
struct CreatureReport {
    /// Name of the input.
    input: String,
    reach: ReachMeasurement,
    paths: PathMeasurement,
    edits: NavEditMeasurement,
    /// Tick measurements, by number of creatures.
    ticks: Vec<TickMeasurement>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let mut inputs = read_inputs(args.input.as_slice(), CreatureInput::from_file)?;
    let mut input = inputs.pop().unwrap_or_else(CreatureInput::built_in);
    let effort = args.effort as usize;
    let report = output::with_progress("Measuring", |progress| {
        let reach = measure_reach(&input, 100_000 * effort as u64, effort.div_ceil(30));
        progress(0.3);
        let paths = measure_paths(&input, 2 * effort);
        progress(0.5);
        let ticks = [100, 500].map(|share| measure_ticks(&input, share * effort));
        progress(0.6);
        let edits = measure_edits(&mut input, 1_000 * effort, effort.div_ceil(5));
        progress(1.0);
        let ticks = ticks.into_iter().collect::<Result<_, _>>().map_err(line)?;
        Ok::<_, String>(CreatureReport { input: input.name.clone(), reach, paths, edits, ticks })
    })?;
    if args.json { output::print_json(&report) } else { output::print(&text(&report)) }
}

fn yes_or_no(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

fn text(report: &CreatureReport) -> String {
    let CreatureReport { input, reach, paths, edits, ticks } = report;
    let count = |number: usize| output::thousands(number as u64);
    let mut out = format!(
        "{input}: {} chunks, {} places, {} ledges and water volumes in {} areas; {:.0} ms to derive",
        count(reach.chunks),
        count(reach.places),
        count(reach.nodes),
        count(reach.areas),
        reach.build_ms
    );
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "\nunreachable: {:.1} ns; a search that fails: {:.0} us, {} times as long; of {} answers, {} wrong \"no\", {} wrong \"yes\"",
        reach.no_ns,
        reach.failing_search_us,
        output::thousands(reach.ratio as u64),
        output::thousands(reach.compared),
        reach.wrong_no,
        reach.wrong_yes
    );
    let _ = write!(
        out,
        "\npaths of {PATH_COST} steps: {:.1} us; plain A*: {:.1} us, {:.1} times as long; longest {:.3} of the shortest, within the bound: {}",
        paths.us,
        paths.plain_us,
        paths.ratio,
        paths.longest,
        yes_or_no(paths.within_bound)
    );
    let _ = write!(
        out,
        "\nflow fields of {PATH_COST} steps: {:.0} us for {:.0} places; {:.0} ns per step of a member",
        paths.field_us, paths.field_places, paths.field_step_ns
    );
    let _ = write!(
        out,
        "\nedits: {}; {:.1} us each, 99% below {:.0} us, at most {:.0} us; reach sets updated after {}; equal in {} comparisons: {}",
        count(edits.edits),
        edits.us_mean,
        edits.us_99,
        edits.us_max,
        count(edits.reach_updates),
        edits.compared,
        yes_or_no(edits.equal)
    );
    let _ = write!(
        out,
        "\n\n{:<10} {:>12} {:>12} {:>16} {:>20} {:>8} {:>9} {:>6}",
        "creatures",
        "ms per tick",
        "longest",
        "us per creature",
        "than Vintage Story",
        "moving",
        "thinking",
        "equal"
    );
    for row in ticks {
        let _ = write!(
            out,
            "\n{:<10} {:>12.3} {:>12.3} {:>16.3} {:>14.0} times {:>7.1}% {:>8.1}% {:>6}",
            count(row.creatures),
            row.tick_ms,
            row.tick_ms_max,
            row.us,
            row.ratio,
            row.moving * 100.0,
            row.thinking * 100.0,
            yes_or_no(row.equal)
        );
    }
    out
}
