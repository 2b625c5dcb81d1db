//! `stonerun verify MAP`: is every part of a map sound, and, with `--repair`, what is left made so.

use super::{Outcome, line, map_path, output};
use crate::save::{self, BadRecord, Damage, VerifyReport};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments of `verify`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
    /// Set bad parts aside, so that the rest is sound; nothing is thrown away but baked visibility, which can be baked anew
    #[arg(long)]
    repair: bool,
    /// Print JSON instead of lines
    #[arg(long)]
    json: bool,
}

/// A bad part of a map.
#[derive(Serialize, Debug)]
struct Part {
    place: String,
    reason: String,
}

/// What was found, and under which names it is printed as JSON.
#[derive(Serialize, Debug)]
struct Report {
    sound: bool,
    chunks: u64,
    materials: u64,
    /// Chunks whose visibility is baked and knows all chunks in view and what hides, by view distance.
    baked: Vec<output::Baked>,
    file_bytes: u64,
    rle_bytes: u64,
    data_bytes: u64,
    /// Records that this or an earlier repair set aside; they are still in the file.
    set_aside: u64,
    bad: Vec<Part>,
    /// What `--repair` mended before the map was checked.
    repaired: Vec<Part>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::existing(&args.map)?;
    let repaired = if args.repair { repair(&path)? } else { vec![] };
    let found = save::verify(&path).map_err(line)?;
    let report = Report {
        sound: found.is_sound(),
        chunks: found.totals.chunks,
        materials: found.materials,
        baked: found.baked.iter().copied().map(output::Baked::from).collect(),
        file_bytes: found.totals.file_bytes,
        rle_bytes: found.totals.rle_bytes,
        data_bytes: found.totals.data_bytes,
        set_aside: found.quarantined,
        bad: bad_parts(found),
        repaired,
    };
    if args.json {
        output::print(&serde_json::to_string_pretty(&report).map_err(line)?)?;
    } else {
        output::print(&lines(&path, &report))?;
    }
    if report.sound {
        return Ok(());
    }
    let advice =
        if args.repair { "" } else { "; `stonerun verify --repair` sets aside what is bad and keeps the rest" };
    Err(format!("{}: not sound{advice}", path.display()))
}

fn repair(path: &Path) -> Result<Vec<Part>, String> {
    let done = save::repair(path).map_err(line)?;
    let records = done.set_aside.into_iter().chain(done.deleted);
    Ok(done.rebuilt.iter().map(whole_file).chain(records.map(part)).collect())
}

fn bad_parts(found: VerifyReport) -> Vec<Part> {
    found.damage.iter().map(whole_file).chain(found.bad.into_iter().map(part)).collect()
}

fn part(record: BadRecord) -> Part {
    Part { place: record.place, reason: record.reason }
}

/// Damage to the file as a whole; its text begins with the file's name, which is said already.
fn whole_file(damage: &Damage) -> Part {
    let text = damage.to_string();
    let reason = text.strip_prefix(&format!("{}: ", damage.file)).unwrap_or(&text).to_owned();
    Part { place: "file".to_owned(), reason }
}

fn lines(path: &Path, report: &Report) -> String {
    let list = |parts: &[Part], mark: &str| -> String {
        parts.iter().map(|part| format!("{mark} {}: {}\n", part.place, part.reason)).collect()
    };
    let mut out = list(&report.repaired, "repaired") + &list(&report.bad, "bad");
    let (chunks, materials) = (output::thousands(report.chunks), report.materials);
    let state = if report.sound { "sound" } else { "not sound" };
    let baked =
        if report.baked.is_empty() { String::new() } else { format!(", {} baked", output::baked(&report.baked)) };
    out += &format!("{}: {chunks} chunks, {materials} materials{baked}: {state}", path.display());
    if report.set_aside > 0 {
        out += &format!("; {} records set aside earlier", report.set_aside);
    }
    out
}
