//! The command for named regions of the map.

use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{CommandRow, Kind, optional, required};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::{ConsoleChange, ConsoleTask, JobResult};
use crate::edit::console::region_task::RegionTask;
use crate::edit::console::state::Console;
use crate::save::places::clean_name;

/// Names of actions. The last three are WorldGuard's names for `save`, `load` and `delete`.
const ACTIONS: [&str; 9] =
    ["save", "load", "delete", "list", "undo", "redo", "define", "select", "remove"];

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[CommandRow {
    names: &["region", "rg"],
    parameters: &[required("ACTION", Kind::Choice(&ACTIONS)), optional("NAME", Kind::Name)],
    flags: &[],
    help: "Saves the selection in the map under a name, selects it again, lists or deletes such regions. \
           undo takes back the last saving or deleting since the map was opened.",
    example: "//region save tower",
    run: region,
}];

fn region(console: &mut Console, args: &Arguments<'_>) -> Result<ConsoleTask, CommandError> {
    let action = args.text("ACTION").unwrap_or_default();
    let without_name = match action {
        "list" => Some(RegionTask::List),
        "undo" => Some(RegionTask::Undo),
        "redo" => Some(RegionTask::Redo),
        _ => None,
    };
    if let Some(task) = without_name {
        args.refuse("NAME", &format!("after {action}"))?;
        return Ok(ConsoleTask::Region(task));
    }
    let name = args
        .text("NAME")
        .map(clean_name)
        .ok_or_else(|| CommandError::Usage(format!("//region {action} NAME")))?;
    match action {
        "save" | "define" => save(console, args, name),
        "load" | "select" => Ok(ConsoleTask::Region(RegionTask::Load(name))),
        _ => Ok(ConsoleTask::Region(RegionTask::Delete(name))),
    }
}

/// Job that makes the region, which may take longer than a frame, and then saves it under a name.
fn save(
    console: &Console,
    args: &Arguments<'_>,
    name: String,
) -> Result<ConsoleTask, CommandError> {
    let region = console.region()?;
    Ok(args.console_job(console, true, move |_| {
        let task = RegionTask::Save(name, region.make()?.to_bytes().into());
        Ok(JobResult {
            voxels: 0,
            answer: String::new(),
            change: Some(ConsoleChange::Region(task)),
        })
    }))
}
