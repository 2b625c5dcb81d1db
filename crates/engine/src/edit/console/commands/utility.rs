//! The global mask, and help.

use crate::edit::Mask;
use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{Entry, Kind, optional};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::ConsoleTask;
use crate::edit::console::state::Console;

type Answer = Result<ConsoleTask, CommandError>;

pub(in crate::edit::console) const COMMANDS: [Entry; 2] = [
    Entry {
        names: &["gmask", "mask"],
        parameters: &[optional("MASK", Kind::Mask)],
        flags: &[],
        help: "Restricts all commands to the voxels of a mask; without one, lifts that.",
        run: global_mask,
    },
    Entry {
        names: &["help"],
        parameters: &[optional("COMMAND", Kind::Command)],
        flags: &[],
        help: "Lists all commands, or explains one.",
        run: help,
    },
];

fn global_mask(console: &mut Console, args: &Arguments<'_>) -> Answer {
    let mask = args.mask(console)?;
    let answer =
        if mask.is_some() { "commands change only what the mask accepts" } else { "commands change all voxels" };
    console.set_mask(mask.unwrap_or(Mask::Any));
    Ok(ConsoleTask::Answer(answer.to_owned()))
}

fn help(_: &mut Console, args: &Arguments<'_>) -> Answer {
    Ok(ConsoleTask::Answer((args.help)(args.text("COMMAND"))?))
}
