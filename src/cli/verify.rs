//! `stonerun verify MAP`: checks every part of a map, and repairs it with `--repair`.

use super::output::{self, BakedChunks};
use super::{Outcome, line, map_path};
use serde::Serialize;
use std::path::{Path, PathBuf};
use stonerun_engine::save::{self, BadRecord, Damage, VerifyReport};

/// Arguments of `verify`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
    /// Set bad parts aside, so that the rest is sound; only baked visibility is deleted, which can
    /// be baked again
    #[arg(long)]
    repair: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// A bad part of a map.
#[derive(Serialize, Debug)]
struct BadPart {
    place: String,
    reason: String,
}

/// Result of the check. Field names appear in the JSON output.
#[derive(Serialize, Debug)]
struct VerifySummary {
    sound: bool,
    chunks: u64,
    materials: u64,
    /// Chunks with complete and current baked visibility, by view distance.
    baked: Vec<BakedChunks>,
    file_bytes: u64,
    rle_bytes: u64,
    data_bytes: u64,
    /// Number of records that this or an earlier repair has set aside. The file still contains
    /// them.
    set_aside: u64,
    bad: Vec<BadPart>,
    /// Parts that `--repair` changed before the check.
    repaired: Vec<BadPart>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::existing(&args.map)?;
    let repaired = if args.repair { repair(&path)? } else { vec![] };
    let found = save::verify(&path).map_err(line)?;
    let report = VerifySummary {
        sound: found.is_sound(),
        chunks: found.totals.chunks,
        materials: found.materials,
        baked: found.baked.iter().copied().map(BakedChunks::from).collect(),
        file_bytes: found.totals.file_bytes,
        rle_bytes: found.totals.rle_bytes,
        data_bytes: found.totals.data_bytes,
        set_aside: found.quarantined,
        bad: bad_parts(found),
        repaired,
    };
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&text(&path, &report))?;
    }
    if report.sound {
        return Ok(());
    }
    let shown = path.display();
    Err(if args.repair {
        format!("{shown}: not sound")
    } else {
        format!(
            "{shown}: not sound; `stonerun verify --repair {shown}` sets bad parts aside and keeps the rest"
        )
    })
}

fn repair(path: &Path) -> Result<Vec<BadPart>, String> {
    let repaired = save::repair(path).map_err(line)?;
    let records = repaired.set_aside.into_iter().chain(repaired.deleted);
    Ok(repaired.rebuilt.iter().map(whole_file).chain(records.map(part)).collect())
}

fn bad_parts(found: VerifyReport) -> Vec<BadPart> {
    found.damage.iter().map(whole_file).chain(found.bad.into_iter().map(part)).collect()
}

fn part(record: BadRecord) -> BadPart {
    BadPart { place: record.place, reason: record.reason }
}

/// Damage to the file as a whole, without the file name at the start of its text.
fn whole_file(damage: &Damage) -> BadPart {
    let text = damage.to_string();
    let reason =
        text.strip_prefix(&format!("{}: ", damage.path.display())).unwrap_or(&text).to_owned();
    BadPart { place: "file".to_owned(), reason }
}

fn text(path: &Path, report: &VerifySummary) -> String {
    let list = |parts: &[BadPart], mark: &str| -> String {
        parts.iter().map(|part| format!("{mark} {}: {}\n", part.place, part.reason)).collect()
    };
    let mut out = list(&report.repaired, "repaired") + &list(&report.bad, "bad");
    let chunks = output::thousands(report.chunks);
    let materials = report.materials;
    let state = if report.sound { "sound" } else { "not sound" };
    let baked = if report.baked.is_empty() {
        String::new()
    } else {
        format!(", {} baked", output::baked_list(&report.baked))
    };
    out += &format!("{}: {chunks} chunks, {materials} materials{baked}: {state}", path.display());
    if report.set_aside > 0 {
        out += &format!("; {} records set aside", report.set_aside);
    }
    out
}
