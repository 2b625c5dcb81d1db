//! The table of the game's commands: reads their arguments and carries them out.
//!
//! Names, usage and help are rows of the engine's [`GameCommand::ALL`], because `stonerun edit`
//! lists and refuses these commands, too.

use super::console_game::ConsoleGame;
use super::error::ConsoleError;
use super::state::{EnteredView, Wait};
use super::{creatures, rules};
use stonerun_engine::edit::console::{CommandError, GameCommand};

/// Task of a command of the game.
pub(super) trait GameTask {
    /// Jobs that it waits for.
    fn waits_for(&self) -> Option<Wait> {
        None
    }

    /// Carries it out. Returns the answer for the player; an empty answer follows later.
    ///
    /// # Errors
    /// It cannot be carried out. Nothing has changed.
    fn run(self: Box<Self>, game: &mut ConsoleGame, view: EnteredView) -> Result<String, ConsoleError>;
}

/// Row of a command of the game.
struct GameCommandRow {
    /// Name, as in [`GameCommand::ALL`].
    name: &'static str,
    /// Makes a task of the words after the name. The command is the one with that name.
    read: fn(&GameCommand, &[&str]) -> Result<Box<dyn GameTask>, CommandError>,
}

/// All commands of the game.
const ROWS: &[GameCommandRow] = &[
    GameCommandRow { name: CANCEL, read: |command, words| no_words(command, words, CancelJobs) },
    GameCommandRow { name: "rules", read: |command, words| Ok(Box::new(rules::read(command, words)?)) },
    GameCommandRow { name: "creatures", read: |command, words| Ok(Box::new(creatures::read(command, words)?)) },
];

/// Name of the command that cancels all jobs. It overtakes the lines that wait before it.
const CANCEL: &str = "cancel";

/// Reads the task of a command of the game; `None` if the line is another command.
///
/// # Errors
/// An argument is malformed.
pub(super) fn read(line: &str) -> Option<Result<Box<dyn GameTask>, CommandError>> {
    let mut words = line.split_whitespace();
    let command = GameCommand::find(words.next()?)?;
    let row = ROWS.iter().find(|row| row.name == command.name)?;
    Some((row.read)(command, &words.collect::<Vec<&str>>()))
}

/// True if the line cancels all jobs. A line with arguments is refused instead.
pub(super) fn is_cancel(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let command = words.next().and_then(GameCommand::find);
    command.is_some_and(|command| command.name == CANCEL) && words.next().is_none()
}

/// The task of a command without arguments.
fn no_words(
    command: &GameCommand,
    words: &[&str],
    task: impl GameTask + 'static,
) -> Result<Box<dyn GameTask>, CommandError> {
    if words.is_empty() { Ok(Box::new(task)) } else { Err(usage_error(command)) }
}

/// The error of a command with missing or surplus words.
pub(super) fn usage_error(command: &GameCommand) -> CommandError {
    CommandError::Usage(command.usage.to_owned())
}

/// The error of a word that is no action of the command. While the word may become one, it is the
/// usage alone, because the line is checked while it is typed.
pub(super) fn action_error(command: &GameCommand, word: &str) -> CommandError {
    let actions = command.usage.split([' ', '|']).skip(1).filter(|known| known.chars().all(char::is_lowercase));
    let is_begun = actions.into_iter().any(|known| known.starts_with(word));
    if is_begun {
        usage_error(command)
    } else {
        CommandError::Action { word: word.to_owned(), usage: command.usage.to_owned() }
    }
}

/// Reads a number from 1 to `max`; `what` is its noun in the error.
pub(super) fn number<N: TryFrom<i32>>(word: &str, what: &'static str, max: i32) -> Result<N, CommandError> {
    let number = word.parse().ok().filter(|number| (1..=max).contains(number));
    let error = || CommandError::Number { word: word.to_owned(), what, from: 1, to: max };
    number.and_then(|number| number.try_into().ok()).ok_or_else(error)
}

/// Cancels all jobs and the preview.
struct CancelJobs;

impl GameTask for CancelJobs {
    fn run(self: Box<Self>, game: &mut ConsoleGame, _: EnteredView) -> Result<String, ConsoleError> {
        for slot in &mut game.console.jobs {
            slot.get().is_cancelled = true;
        }
        game.preview.discard();
        Ok(match game.jobs.cancel_all() {
            0 => "there is nothing to cancel".to_owned(),
            1 => "1 job cancelled".to_owned(),
            count => format!("{count} jobs cancelled"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_command_of_the_engine_has_a_row() {
        for command in GameCommand::ALL {
            assert_eq!(ROWS.iter().filter(|row| row.name == command.name).count(), 1, "{}", command.name);
        }
        assert_eq!(ROWS.len(), GameCommand::ALL.len());
    }
}
