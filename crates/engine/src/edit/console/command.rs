//! Parsing of commands, and their tasks.

use super::argument_words::ArgumentWords;
use super::arguments::Arguments;
use super::entry::{CommandRow, TaskResult};
use super::error::CommandError;
use super::state::Console;
use super::table;
use super::words::words;
use crate::voxel::MaterialTable;
use std::cell::Cell;

/// A parsed command with checked words.
#[derive(Clone)]
pub struct ConsoleCommand {
    text: String,
    row: &'static CommandRow,
    words: ArgumentWords,
}

impl ConsoleCommand {
    /// Parses a command.
    ///
    /// # Errors
    /// The command is unknown, or an argument is malformed.
    pub fn parse(text: &str, materials: &MaterialTable) -> Result<ConsoleCommand, CommandError> {
        let words = words(text)?;
        let mut words = words.into_iter().map(|(_, word)| word);
        let name = words.next().unwrap_or_default();
        let row = table::find(name).ok_or_else(|| table::unknown(name))?;
        let CommandRow { parameters, flags, .. } = row;
        let words =
            ArgumentWords::assign(parameters, flags, &row.usage(), &words.collect::<Vec<_>>())?;
        words.check(parameters, flags, materials)?;
        Ok(ConsoleCommand { text: text.trim().to_owned(), row, words })
    }

    /// The command as it was typed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Compares the text alone, because it determines the words.
impl PartialEq for ConsoleCommand {
    fn eq(&self, other: &ConsoleCommand) -> bool {
        self.text == other.text
    }
}

impl std::fmt::Debug for ConsoleCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ConsoleCommand").field(&self.text).finish()
    }
}

impl Console {
    /// Runs the part of a command that needs no world, and returns the task that remains.
    ///
    /// Changes of the selection and of the global mask take effect at once, so that the next
    /// command sees them.
    ///
    /// # Errors
    /// The command needs a selection, its region is too large, or it cannot be carried out for
    /// another reason. The console is then unchanged.
    pub fn task(&mut self, command: &ConsoleCommand, materials: &MaterialTable) -> TaskResult {
        let ConsoleCommand { text, row, words } = command;
        self.note_selection();
        let seeds = self.seeds();
        let arguments = Arguments {
            parameters: row.parameters,
            text,
            words,
            materials,
            seeds,
            pattern_note: Cell::default(),
            help: table::help,
        };
        let task = (row.run)(self, &arguments);
        self.note_used(&arguments.seeds);
        self.note_selection();
        task
    }
}
