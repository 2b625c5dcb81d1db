//! The command `//creatures`.

use super::console_game::ConsoleGame;
use super::error::ConsoleError;
use super::game_task::{GameTask, action_error, number, usage_error};
use super::state::{EnteredView, Wait};
use crate::game::life::creatures::CreatureLife;
use crate::game::life::creatures::command::CreatureCommand;
use glam::IVec3;
use stonerun_engine::edit::console::{CommandError, GameCommand};

/// Maximum number of creatures that one command places.
const MAX_PLACED: i32 = 500;
/// Maximum radius, in voxels.
const MAX_RADIUS: i32 = 512;
/// Radius of a command that gives none, in voxels.
const DEFAULT_RADIUS: i32 = 8;

/// Task of `//creatures`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CreaturesTask {
    /// Lets creatures live, or disappear.
    Live(bool),
    /// Places creatures: name of the kind, and their number.
    Place(String, u32),
    /// Calls the creatures of a kind.
    Call(String),
    /// Pins or frees the creatures within a radius.
    Pin(bool, i32),
    /// Removes the creatures within a radius.
    Remove(i32),
    /// Scares the creatures within a radius.
    Scare(i32),
}

/// Reads the words of `//creatures`.
///
/// # Errors
/// The action is missing or unknown, or an argument is missing, surplus or malformed.
pub(super) fn read(command: &GameCommand, words: &[&str]) -> Result<CreaturesTask, CommandError> {
    match words {
        ["on"] => Ok(CreaturesTask::Live(true)),
        ["off"] => Ok(CreaturesTask::Live(false)),
        ["call", kind] => Ok(CreaturesTask::Call((*kind).to_owned())),
        ["place", kind] => Ok(CreaturesTask::Place((*kind).to_owned(), 1)),
        ["place", kind, count] => {
            let count = number(count, "number of creatures", MAX_PLACED)?;
            Ok(CreaturesTask::Place((*kind).to_owned(), count))
        }
        [action @ ("pin" | "free" | "remove" | "scare"), rest @ ..] if rest.len() <= 1 => {
            let radius = match rest.first() {
                None => DEFAULT_RADIUS,
                Some(word) => number(word, "radius", MAX_RADIUS)?,
            };
            Ok(match *action {
                "pin" => CreaturesTask::Pin(true, radius),
                "free" => CreaturesTask::Pin(false, radius),
                "remove" => CreaturesTask::Remove(radius),
                _ => CreaturesTask::Scare(radius),
            })
        }
        [name, ..] => Err(action_error(command, name)),
        [] => Err(usage_error(command)),
    }
}

impl GameTask for CreaturesTask {
    fn waits_for(&self) -> Option<Wait> {
        // Placing needs the world as earlier edits leave it.
        matches!(self, CreaturesTask::Place(..)).then_some(Wait::All)
    }

    /// Returns an empty answer: the answer follows once the creatures have carried out the command.
    fn run(
        self: Box<Self>,
        game: &mut ConsoleGame,
        view: EnteredView,
    ) -> Result<String, ConsoleError> {
        if let CreaturesTask::Live(is_on) = *self {
            game.settings.creatures = is_on;
            return Ok(format!("creatures are {}", if is_on { "on" } else { "off" }));
        }
        let are_on = game.settings.creatures;
        let is_writable = game.check_writable();
        let life = game.life.as_mut().ok_or(ConsoleError::NoCreatures)?;
        if life.has_failed() {
            return Err(ConsoleError::CreaturesFailed);
        }
        if !are_on {
            return Err(ConsoleError::CreaturesOff);
        }
        if !matches!(*self, CreaturesTask::Call(_) | CreaturesTask::Scare(_)) {
            is_writable?;
        }
        let at = view.target.map_or(view.placement, |target| target + IVec3::Y);
        let command = match *self {
            CreaturesTask::Live(_) => return Ok(String::new()),
            CreaturesTask::Place(name, count) => {
                CreatureCommand::Place { kind: kind(life, &name)?, at, count }
            }
            CreaturesTask::Call(name) => CreatureCommand::Call { kind: kind(life, &name)?, to: at },
            CreaturesTask::Pin(is_pinned, within) => CreatureCommand::Pin { at, within, is_pinned },
            CreaturesTask::Remove(within) => CreatureCommand::Remove { at, within },
            CreaturesTask::Scare(within) => CreatureCommand::Scare { at, within, answers: true },
        };
        life.command(command);
        Ok(String::new())
    }
}

/// Number of the kind with this name.
///
/// # Errors
/// No kind of creature has this name.
fn kind(life: &CreatureLife, name: &str) -> Result<usize, ConsoleError> {
    life.find(name).ok_or_else(|| {
        let kinds: Vec<String> = life.kinds().iter().map(|kind| kind.name.clone()).collect();
        ConsoleError::UnknownKind { name: name.to_owned(), kinds: kinds.join(", ") }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<CreaturesTask, CommandError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        super::read(GameCommand::find("//creatures").expect("a command of the game"), &words)
    }

    #[test]
    fn actions_are_read_with_their_arguments() {
        for (line, task) in [
            ("place deer", CreaturesTask::Place("deer".to_owned(), 1)),
            ("place fish 20", CreaturesTask::Place("fish".to_owned(), 20)),
            ("call deer", CreaturesTask::Call("deer".to_owned())),
            ("free", CreaturesTask::Pin(false, DEFAULT_RADIUS)),
            ("remove 30", CreaturesTask::Remove(30)),
        ] {
            assert_eq!(read(line), Ok(task), "{line}");
        }
    }

    #[test]
    fn malformed_words_are_refused_with_reason() {
        for wrong in ["", "place", "pin 0", "feed", "on 3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(matches!(read("fly"), Err(CommandError::Action { word, .. }) if word == "fly"));
        for begun in ["pla", "place"] {
            assert!(matches!(read(begun), Err(CommandError::Usage(_))), "{begun}");
        }
    }
}
