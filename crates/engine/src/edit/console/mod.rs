//! The builder's console: commands with WorldEdit's names.
//!
//! - `table`: all commands; `commands/`: their rows, one file per theme. A `CommandRow` holds the
//!   names, parameters, flags and one-line help of a command, an example for tests, and the
//!   function that makes the command's task.
//! - [`GameCommand`]: rows of the commands that only the running game carries out.
//! - `words/`: patterns, masks, coordinates, directions and numbers in commands; `error`: errors of
//!   commands.
//! - [`ConsoleCommand::parse`] parses a command; [`Console::task`] makes its task, using the
//!   current selection. A [`ConsoleJob`] runs on a snapshot of the map; the caller commits its edit
//!   and passes the outcome to [`Console::accept`].
//! - A [`RegionTask`] is about regions that the map stores under names. The caller runs it with a
//!   reader of the map, and saves the change that it returns.
//! - A [`SurfaceTask`] changes the surface of a material in the caller's table.
//! - [`complete`] proposes completions for a partly typed command.

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
mod surface_task;
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
pub use surface_task::SurfaceTask;
pub use table::usages;
pub use words::{SeedUser, Seeds, check_ground, parse_mask, parse_pattern, shallow_ground_note};

#[cfg(test)]
mod tests;
