//! What a command is.

use super::arguments::Arguments;
use super::error::CommandError;
use super::job::ConsoleTask;
use super::state::Console;

pub(super) use super::schema::{Flag, Kind, Parameter, flag, mask_flag, optional, required};

/// A command.
pub(super) struct Entry {
    /// Names without slashes, the main one first.
    pub names: &'static [&'static str],
    /// Parameters in their order.
    pub parameters: &'static [Parameter],
    /// Flags, in any place.
    pub flags: &'static [Flag],
    /// What it does, in one line.
    pub help: &'static str,
    /// Makes a task of it.
    pub run: fn(&mut Console, &Arguments<'_>) -> Result<ConsoleTask, CommandError>,
}

impl Entry {
    /// Name and parameters: `//replace [MASK] PATTERN`.
    pub fn usage(&self) -> String {
        let mut usage = format!("//{}", self.names[0]);
        let mut add = |name: String, is_optional: bool| {
            usage += &if is_optional { format!(" [{name}]") } else { format!(" {name}") };
        };
        for flag in self.flags {
            let value = flag.value.map(|value| format!(" {}", value.name)).unwrap_or_default();
            add(format!("-{}{value}", flag.letter), true);
        }
        self.parameters.iter().for_each(|parameter| add(parameter.name.to_owned(), parameter.is_optional));
        usage
    }
}
