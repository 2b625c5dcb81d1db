//! Rows of the command table.

use super::arguments::Arguments;
use super::error::CommandError;
use super::job::ConsoleTask;
use super::state::Console;

pub(super) use super::schema::{Flag, Kind, Parameter, flag, mask_flag, optional, required};

/// Task of a command, or the reason why the command cannot be carried out.
pub(super) type TaskResult = Result<ConsoleTask, CommandError>;

/// Row of a command. Parsing, completion, help and the tests of all commands use the rows; a test
/// checks `docs/console.md` against them.
pub(super) struct CommandRow {
    /// Names without slashes, the main name first.
    pub names: &'static [&'static str],
    /// Parameters in order.
    pub parameters: &'static [Parameter],
    /// Flags, which may be given at any position.
    pub flags: &'static [Flag],
    /// Description in one line.
    pub help: &'static str,
    /// A complete line with all parameters, for the tests of all commands.
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests run the examples"))]
    pub example: &'static str,
    /// Makes the task of the command.
    pub run: fn(&mut Console, &Arguments<'_>) -> TaskResult,
}

impl CommandRow {
    /// Name, flags and parameters: `//set [-m MASK] PATTERN`.
    pub fn usage(&self) -> String {
        let mut words = vec![format!("//{}", self.names[0])];
        words.extend(self.flags.iter().map(Flag::usage));
        words.extend(self.parameters.iter().map(Parameter::usage));
        words.join(" ")
    }
}
