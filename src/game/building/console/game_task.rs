//! Tasks of the game's commands, and the errors of their arguments.

use super::console_game::ConsoleGame;
use super::error::ConsoleError;
use super::state::{EnteredView, Wait};
use stonerun_engine::edit::console::{CommandError, GameCommand};

/// Task of a command of the game.
pub(super) trait GameTask {
    /// Jobs that the task waits for.
    fn waits_for(&self) -> Option<Wait> {
        None
    }

    /// Carries out the task. Returns the answer for the player; an empty answer follows later.
    ///
    /// # Errors
    /// The task cannot be carried out. Nothing has changed.
    fn run(
        self: Box<Self>,
        game: &mut ConsoleGame,
        view: EnteredView,
    ) -> Result<String, ConsoleError>;
}

/// The task of a command without arguments.
pub(super) fn no_words(
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

/// The error of a word that is no action of the command. A word that is the beginning of an action
/// gives the usage alone, because lines are also checked while they are typed.
pub(super) fn action_error(command: &GameCommand, word: &str) -> CommandError {
    let actions = command
        .usage
        .split([' ', '|'])
        .skip(1)
        .filter(|known| known.chars().all(char::is_lowercase));
    let is_begun = actions.into_iter().any(|known| known.starts_with(word));
    if is_begun {
        usage_error(command)
    } else {
        CommandError::Action { word: word.to_owned(), usage: command.usage.to_owned() }
    }
}

/// Reads a number from 1 to `max`; `what` is its noun in the error.
pub(super) fn number<N: TryFrom<i32>>(
    word: &str,
    what: &'static str,
    max: i32,
) -> Result<N, CommandError> {
    let number = word.parse().ok().filter(|number| (1..=max).contains(number));
    let error = || CommandError::Number { word: word.to_owned(), what, from: 1, to: max };
    number.and_then(|number| number.try_into().ok()).ok_or_else(error)
}
