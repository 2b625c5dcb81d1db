//! The command `//rules`.

use super::console_game::ConsoleGame;
use super::error::ConsoleError;
use super::game_task::{GameTask, action_error, number, usage_error};
use super::state::{EnteredView, Wait};
use crate::game::state::format;
use crate::game::state::settings::rules_speed::RulesSpeed;
use stonerun_engine::edit::console::{CommandError, GameCommand};

/// Maximum number of steps that one command asks for.
const MAX_STEPS: i32 = 100_000;

/// Task of `//rules`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RulesTask {
    /// Changes the speed of the rules.
    Speed(RulesSpeed),
    /// Asks for this many steps.
    Steps(u32),
    /// Makes the file of the map's own rules.
    OwnFile,
    /// Lets the rules act on all of the selection.
    Wake,
}

/// Reads the words of `//rules`.
///
/// # Errors
/// The action is missing or unknown, or an argument is malformed.
pub(super) fn read(command: &GameCommand, words: &[&str]) -> Result<RulesTask, CommandError> {
    let mut words = words.iter();
    let task = match words.next() {
        Some(&"own") => RulesTask::OwnFile,
        Some(&"wake") => RulesTask::Wake,
        Some(&"step") => {
            let steps =
                words.next().map_or(Ok(1), |word| number(word, "number of steps", MAX_STEPS))?;
            RulesTask::Steps(steps)
        }
        Some(name) => {
            let speed = RulesSpeed::ALL.iter().copied().find(|speed| speed.name() == *name);
            RulesTask::Speed(speed.ok_or_else(|| action_error(command, name))?)
        }
        None => return Err(usage_error(command)),
    };
    if words.next().is_some() { Err(usage_error(command)) } else { Ok(task) }
}

impl GameTask for RulesTask {
    fn waits_for(&self) -> Option<Wait> {
        match self {
            RulesTask::Steps(_) | RulesTask::Wake => Some(Wait::All),
            RulesTask::Speed(_) | RulesTask::OwnFile => None,
        }
    }

    fn run(
        self: Box<Self>,
        game: &mut ConsoleGame,
        _: EnteredView,
    ) -> Result<String, ConsoleError> {
        match *self {
            RulesTask::Speed(speed) => {
                game.settings.rules = speed;
                if let Some(clock) = &mut game.clock {
                    clock.forget_asked();
                }
                Ok(format!("sand, water and growth are {}", speed.name()))
            }
            RulesTask::Steps(steps) => {
                if let Some(clock) = &mut game.clock {
                    clock.ask(steps);
                }
                let steps = format::counted(u64::from(steps), "step");
                Ok(format!(
                    "{steps} of the rules asked for; the page Rules counts those that are late"
                ))
            }
            RulesTask::Wake => {
                game.check_writable()?;
                let area = game.console.console.selection().bounds()?;
                let chunks = format::counted(game.editor.wake(area) as u64, "loaded chunk");
                Ok(format!("rules act on all of the selection, in {chunks}"))
            }
            RulesTask::OwnFile => {
                game.check_writable()?;
                Ok(own_file(game))
            }
        }
    }
}

/// Makes the file of the map's own rules. Returns the answer.
fn own_file(game: &ConsoleGame) -> String {
    let Some(files) = &game.rule_files else { return "the map has no rules".to_owned() };
    match files.create_own() {
        Ok(path) => format!(
            "the map's own rules are in {}, which is read again when it changes",
            path.display()
        ),
        Err(error) => format!("the file of the map's own rules cannot be made: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<RulesTask, CommandError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        super::read(GameCommand::find("//rules").expect("a command of the game"), &words)
    }

    #[test]
    fn actions_are_read_with_their_numbers() {
        for (line, task) in [
            ("slow", RulesTask::Speed(RulesSpeed::Slow)),
            ("step", RulesTask::Steps(1)),
            ("step 20", RulesTask::Steps(20)),
            ("own", RulesTask::OwnFile),
            ("wake", RulesTask::Wake),
        ] {
            assert_eq!(read(line), Ok(task), "{line}");
        }
    }

    #[test]
    fn malformed_words_are_refused_with_reason() {
        for wrong in ["", "fast", "step 0", "step x", "off now"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(matches!(read("fast"), Err(CommandError::Action { word, .. }) if word == "fast"));
        assert!(matches!(read("o"), Err(CommandError::Usage(_))), "it may become on, off or own");
        let too_many = read("step 100001").unwrap_err().to_string();
        assert_eq!(too_many, "\"100001\" is no number of steps from 1 to 100000");
    }
}
