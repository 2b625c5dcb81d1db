//! Undo and redo.

use crate::edit::console::arguments::Arguments;
use crate::edit::console::entry::{CommandRow, Kind, Parameter, optional};
use crate::edit::console::error::CommandError;
use crate::edit::console::job::ConsoleTask;

const STEPS: Parameter = optional("STEPS", Kind::Number(1, 10_000));

pub(in crate::edit::console) const COMMANDS: &[CommandRow] = &[
    CommandRow {
        names: &["undo"],
        parameters: &[STEPS],
        flags: &[],
        help: "Undoes steps.",
        example: "//undo 1",
        run: |_, args| Ok(ConsoleTask::Undo(steps(args)?)),
    },
    CommandRow {
        names: &["redo"],
        parameters: &[STEPS],
        flags: &[],
        help: "Redoes steps.",
        example: "//redo 1",
        run: |_, args| Ok(ConsoleTask::Redo(steps(args)?)),
    },
];

fn steps(args: &Arguments<'_>) -> Result<u32, CommandError> {
    Ok(args.number("STEPS", 1)?.unsigned_abs())
}
