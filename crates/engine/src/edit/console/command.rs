//! Reading commands, and making tasks of them.

use super::argument_words::ArgumentWords;
use super::arguments::Arguments;
use super::entry::Entry;
use super::error::CommandError;
use super::job::ConsoleTask;
use super::state::Console;
use super::table;
use super::words::words;
use crate::voxel::MaterialTable;

/// A command whose words were checked.
#[derive(Clone)]
pub struct ConsoleCommand {
    text: String,
    entry: &'static Entry,
    words: ArgumentWords,
}

impl ConsoleCommand {
    /// Reads a command.
    ///
    /// # Errors
    /// The command is unknown, or an argument is malformed.
    pub fn parse(text: &str, materials: &MaterialTable) -> Result<ConsoleCommand, CommandError> {
        let words = words(text)?;
        let mut words = words.into_iter().map(|(_, word)| word);
        let name = words.next().unwrap_or_default();
        let entry = table::find(name).ok_or_else(|| table::unknown(name))?;
        let Entry { parameters, flags, .. } = entry;
        let words = ArgumentWords::assign(parameters, flags, &entry.usage(), &words.collect::<Vec<_>>())?;
        words.check(parameters, flags, materials)?;
        Ok(ConsoleCommand { text: text.trim().to_owned(), entry, words })
    }

    /// The command as it was typed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Commands are equal if they were typed equally.
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
    /// What a command does. Commands that change the selection or the global mask have done so.
    ///
    /// # Errors
    /// The command needs a selection, its region is too large, or it cannot be carried out for another
    /// reason. Nothing has changed.
    pub fn task(&mut self, command: &ConsoleCommand, materials: &MaterialTable) -> Result<ConsoleTask, CommandError> {
        let ConsoleCommand { text, entry, words } = command;
        self.note_selection();
        let seeds = self.seeds();
        let arguments = Arguments { parameters: entry.parameters, text, words, materials, seeds, help: table::help };
        let task = (entry.run)(self, &arguments);
        self.note_used(&arguments.seeds);
        self.note_selection();
        task
    }
}
