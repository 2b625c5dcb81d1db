//! All commands.

use super::commands::{
    clipboard, connected, generation, history, measure, named, nearby, path, region, selection, surface, utility,
};
use super::entry::Entry;
use super::error::CommandError;
use super::game_command::GameCommand;
use super::suggestions::similar;
use std::sync::LazyLock;

/// Said of commands that the command line lacks.
const ONLY_GAME: &str = "Only in the game.";

/// All commands by theme, in the order of the help.
pub(super) const THEMES: &[&[Entry]] = &[
    &selection::COMMANDS,
    &measure::COMMANDS,
    &named::COMMANDS,
    &region::COMMANDS,
    &surface::COMMANDS,
    &path::COMMANDS,
    &generation::COMMANDS,
    &clipboard::COMMANDS,
    &nearby::COMMANDS,
    &connected::COMMANDS,
    &utility::COMMANDS,
    &history::COMMANDS,
];

/// The command with a name, which starts with one slash or two.
pub(super) fn find(name: &str) -> Option<&'static Entry> {
    let name = name.strip_prefix('/')?;
    let name = name.strip_prefix('/').unwrap_or(name);
    THEMES.iter().copied().flatten().find(|entry| entry.names.contains(&name))
}

/// Names of all commands, without slashes, also of those that only the game has.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let entries = THEMES.iter().copied().flatten().flat_map(|entry| entry.names.iter().copied());
    entries.chain(GameCommand::ALL.into_iter().map(GameCommand::name))
}

/// Names and arguments of all commands, in the order of the help: `//replace [MASK] PATTERN`. Those
/// that only the game has come last.
pub fn usages() -> impl Iterator<Item = &'static str> {
    static USAGES: LazyLock<Vec<String>> =
        LazyLock::new(|| THEMES.iter().copied().flatten().map(Entry::usage).collect());
    USAGES.iter().map(String::as_str).chain(GameCommand::ALL.into_iter().map(GameCommand::usage))
}

/// There is no command with a name, or only the game has it.
pub(super) fn unknown(name: &str) -> CommandError {
    if GameCommand::find(name).is_some() {
        return CommandError::GameOnly;
    }
    let similar = similar(name.trim_start_matches('/'), names());
    let similar: Vec<String> =
        similar.split(", ").filter(|name| !name.is_empty()).map(|name| format!("//{name}")).collect();
    CommandError::Unknown { name: name.to_owned(), similar: similar.join(", ") }
}

/// Lists all commands, or explains one, whose name may lack its slashes.
pub(super) fn help(name: Option<&str>) -> Result<String, CommandError> {
    let Some(name) = name else {
        let entries = THEMES.iter().copied().flatten().map(|entry| format!("{}: {}", entry.usage(), entry.help));
        let of_game = GameCommand::ALL.into_iter();
        let of_game = of_game.map(|command| format!("{}: {} {ONLY_GAME}", command.usage(), command.help()));
        return Ok(entries.chain(of_game).collect::<Vec<String>>().join("\n"));
    };
    let with_slashes = format!("//{}", name.trim_start_matches('/'));
    if let Some(command) = GameCommand::find(&with_slashes) {
        let actions = command.actions().iter().map(|action| format!("  {action}"));
        let lines = [command.usage().to_owned(), format!("{} {ONLY_GAME}", command.help())];
        return Ok(lines.into_iter().chain(actions).collect::<Vec<String>>().join("\n"));
    }
    let entry = find(&with_slashes).ok_or_else(|| unknown(name))?;
    let mut lines = vec![entry.usage(), entry.help.to_owned()];
    lines.extend(entry.flags.iter().map(|flag| format!("  -{}: {}", flag.letter, flag.help)));
    if entry.names.len() > 1 {
        let aliases: Vec<String> = entry.names[1..].iter().map(|name| format!("//{name}")).collect();
        lines.push(format!("  also {}", aliases.join(", ")));
    }
    Ok(lines.join("\n"))
}
