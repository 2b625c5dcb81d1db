//! `stonerun time MAP [HH:MM]`: shows or sets the time of day in a map.

use super::{Outcome, line, map_path, open_for_writing, output};
use serde::Serialize;
use std::path::{Path, PathBuf};
use stonerun_engine::save::{Header, MapChanges, MapFile, TimeOfDay, unix_now};

/// Arguments of `time`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
    /// The new time of day, as HH:MM or in hours from 0 to 24; without it, the time is only shown
    #[arg(value_name = "HH:MM", allow_hyphen_values = true)]
    time: Option<TimeOfDay>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The time of day in a map. Field names appear in the JSON output.
#[derive(Serialize, Debug)]
struct MapTime {
    /// The time, as HH:MM.
    time: String,
    /// The time as the part of the day that has passed, from 0 to below 1.
    part: f64,
    /// The time before the command changed it, as HH:MM; `None` if the command only shows the time.
    before: Option<String>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::existing(&args.map)?;
    let (time, before) = match args.time {
        Some(time) => (time, Some(set(&path, time)?)),
        None => (stored(&path)?, None),
    };
    let time = MapTime {
        time: time.to_string(),
        part: time.part(),
        before: before.map(|before| before.to_string()),
    };
    if args.json {
        return output::print_json(&time);
    }
    let before = time.before.map_or_else(String::new, |before| format!(" (was {before})"));
    output::print(&format!("{}: {}{before}", path.display(), time.time))
}

/// The time of day in a map, as of its last save. Prints a warning for damage.
fn stored(path: &Path) -> Result<TimeOfDay, String> {
    let opened = MapFile::open_read_only(path).map_err(line)?;
    if let Some(damage) = opened.damage {
        eprintln!("stonerun: {damage}");
    }
    Ok(TimeOfDay::from_part(opened.map.header().time_of_day))
}

/// Sets the time of day in a map, and returns the time before.
fn set(path: &Path, time: TimeOfDay) -> Result<TimeOfDay, String> {
    let mut map = open_for_writing(path, "setting the time")?;
    let mut header = Header { saved_unix: unix_now(), ..map.header().clone() };
    let before = TimeOfDay::from_part(std::mem::replace(&mut header.time_of_day, time.part()));
    let materials = map.materials().clone();
    map.save(&MapChanges::new(Vec::new(), header, materials)).map_err(line)?;
    map.close().map_err(line)?;
    Ok(before)
}
