//! Commands for the global mask and help.

use crate::edit::Mask;
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{CommandRow, Kind, TaskResult, optional};
use crate::edit::console::job::ConsoleTask;
use crate::edit::console::state::Console;

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[
    CommandRow {
        names: &["gmask", "mask"],
        parameters: &[optional("MASK", Kind::Mask)],
        flags: &[],
        help: "Restricts all commands to the voxels of a mask; without one, lifts that.",
        example: "//gmask stone",
        run: global_mask,
    },
    CommandRow {
        names: &["help"],
        parameters: &[optional("COMMAND", Kind::Command)],
        flags: &[],
        help: "Lists all commands, or explains one.",
        example: "//help set",
        run: help,
    },
];

fn global_mask(console: &mut Console, args: &Arguments<'_>) -> TaskResult {
    let mask = args.mask(console)?;
    let answer = if mask.is_some() {
        "commands change only what the mask accepts"
    } else {
        "commands change all voxels"
    };
    console.set_mask(mask.unwrap_or(Mask::Any));
    Ok(ConsoleTask::Answer(answer.to_owned()))
}

fn help(_: &mut Console, args: &Arguments<'_>) -> TaskResult {
    Ok(ConsoleTask::Answer((args.help)(args.text("COMMAND"))?))
}
