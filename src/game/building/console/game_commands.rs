//! The table of the game's commands: reads their arguments and carries them out.
//!
//! Names, usage and help are rows of the engine's [`GameCommand::ALL`], because `stonerun edit`
//! lists and refuses these commands, too.

use super::console_game::ConsoleGame;
use super::error::ConsoleError;
use super::game_task::{GameTask, no_words};
use super::state::EnteredView;
use super::waiting::CANCEL;
use super::{creatures, rules};
use stonerun_engine::edit::console::{CommandError, GameCommand};

/// A task, or the error of an argument.
type ReadTask = Result<Box<dyn GameTask>, CommandError>;

/// Row of a command of the game.
struct GameCommandRow {
    /// Name, as in [`GameCommand::ALL`].
    name: &'static str,
    /// Makes a task of the words after the name. Its first argument is the command with that name.
    read: fn(&GameCommand, &[&str]) -> ReadTask,
}

/// All commands of the game.
const ROWS: &[GameCommandRow] = &[
    GameCommandRow { name: CANCEL, read: |command, words| no_words(command, words, CancelJobs) },
    GameCommandRow {
        name: "rules",
        read: |command, words| Ok(Box::new(rules::read(command, words)?)),
    },
    GameCommandRow {
        name: "creatures",
        read: |command, words| Ok(Box::new(creatures::read(command, words)?)),
    },
];

/// Reads the task of a command of the game; `None` if the line is another command.
///
/// # Errors
/// An argument is malformed.
pub(super) fn read(line: &str) -> Option<ReadTask> {
    let mut words = line.split_whitespace();
    let command = GameCommand::find(words.next()?)?;
    let row = ROWS.iter().find(|row| row.name == command.name)?;
    Some((row.read)(command, &words.collect::<Vec<&str>>()))
}

/// Cancels all jobs and the preview.
struct CancelJobs;

impl GameTask for CancelJobs {
    fn run(
        self: Box<Self>,
        game: &mut ConsoleGame,
        _: EnteredView,
    ) -> Result<String, ConsoleError> {
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
            assert_eq!(
                ROWS.iter().filter(|row| row.name == command.name).count(),
                1,
                "{}",
                command.name
            );
        }
        assert_eq!(ROWS.len(), GameCommand::ALL.len());
    }
}
