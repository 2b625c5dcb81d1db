//! Commands about creatures.

use super::entry::CreaturesAsked;
use crate::game::life::creatures::CreatureLife;
use crate::game::life::creatures::command::CreatureCommand;
use crate::game::state::settings::Settings;
use glam::IVec3;
use stonerun_engine::edit::UndoError;

/// Carries out a command about creatures around `at`. Returns its answer; what the creatures do is
/// answered when they have done it.
///
/// # Errors
/// There is no such kind, or the map has no creatures, or cannot keep them.
pub(super) fn run(
    asked: CreaturesAsked,
    at: IVec3,
    life: Option<&mut CreatureLife>,
    settings: &mut Settings,
    is_read_only: bool,
) -> Result<String, String> {
    if let CreaturesAsked::Live(is_on) = asked {
        settings.creatures = is_on;
        return Ok(format!("creatures are {}", if is_on { "on" } else { "off" }));
    }
    let life = life.ok_or("the map has no creatures")?;
    if life.has_failed() {
        return Err("creatures have failed; they stand still until the map is opened again".to_owned());
    }
    if !settings.creatures {
        return Err("creatures are off; //creatures on lets them live".to_owned());
    }
    let is_kept = !matches!(asked, CreaturesAsked::Call(_) | CreaturesAsked::Scare(_));
    if is_kept && is_read_only {
        return Err(UndoError::ReadOnly.to_string());
    }
    let command = match asked {
        CreaturesAsked::Live(_) => return Ok(String::new()),
        CreaturesAsked::Place(name, count) => CreatureCommand::Place { kind: kind(life, &name)?, at, count },
        CreaturesAsked::Call(name) => CreatureCommand::Call { kind: kind(life, &name)?, to: at },
        CreaturesAsked::Pin(is_pinned, within) => CreatureCommand::Pin { at, within, is_pinned },
        CreaturesAsked::Remove(within) => CreatureCommand::Remove { at, within },
        CreaturesAsked::Scare(within) => CreatureCommand::Scare { at, within, answers: true },
    };
    life.command(command);
    Ok(String::new())
}

/// Number of the kind with this name.
fn kind(life: &CreatureLife, name: &str) -> Result<usize, String> {
    let names = || life.kinds().iter().map(|kind| kind.name.clone()).collect::<Vec<_>>().join(", ");
    life.find(name).ok_or_else(|| format!("there is no kind {name:?}; there are: {}", names()))
}
