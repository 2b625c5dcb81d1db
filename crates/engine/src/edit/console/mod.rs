//! The console of builders: commands under the names that WorldEdit gives them.
//!
//! - `table`: all commands; `commands/`: a file per theme with their rows. A `CommandRow` holds the
//!   names, parameters, flags, a line of help, an example for tests, and the function that makes a
//!   task of the command.
//! - [`GameCommand`]: rows of the commands that only the running game carries out.
//! - `words/`: patterns, masks, places, directions and numbers in commands; `error`: the reasons to
//!   refuse them.
//! - [`ConsoleCommand::parse`] reads a command, [`Console::task`] makes a task of it with the
//!   current selection. A [`ConsoleJob`] runs on a snapshot of the map; the caller commits its edit
//!   and hands the outcome to [`Console::accept`].
//! - A [`RegionTask`] is about regions that the map keeps under names: the caller runs it with a
//!   reader of the map, and saves the change that it returns.
//! - [`complete`] proposes how a command that is being typed can go on.

mod argument_words;
mod arguments;
mod command;
mod commands;
mod completion;
mod entry;
mod error;
mod game_command;
mod job;
mod named_regions;
mod region_run;
mod region_task;
mod schema;
mod selection_history;
mod state;
mod suggestions;
mod table;
mod words;

pub use command::ConsoleCommand;
pub use completion::{Completion, Completions, complete};
pub use error::CommandError;
pub use game_command::GameCommand;
pub use job::{ConsoleChange, ConsoleJob, ConsoleTask, JobOutcome, JobResult};
pub use region_run::RegionOutcome;
pub use region_task::{RegionTask, RegionTaskError};
pub use state::Console;
pub use table::usages;
pub use words::{SeedUser, Seeds, parse_mask, parse_pattern};

#[cfg(test)]
mod tests;
