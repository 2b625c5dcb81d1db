//! The table of all commands.

use super::commands::{
    clipboard, connected, generation, history, material_surface, measure, named, nearby, path,
    region, replace, selection, shaping, surface, utility,
};
use super::entry::CommandRow;
use super::error::CommandError;
use super::game_command::GameCommand;
use super::suggestions::similar;
use std::sync::LazyLock;

/// Note in the help of commands that are available only in the game.
const ONLY_GAME: &str = "Only in the game.";

/// All commands by theme, in help order.
pub(super) const THEMES: &[&[CommandRow]] = &[
    selection::COMMANDS,
    measure::COMMANDS,
    named::COMMANDS,
    region::COMMANDS,
    replace::COMMANDS,
    surface::COMMANDS,
    shaping::COMMANDS,
    material_surface::COMMANDS,
    path::COMMANDS,
    generation::COMMANDS,
    clipboard::COMMANDS,
    nearby::COMMANDS,
    connected::COMMANDS,
    utility::COMMANDS,
    history::COMMANDS,
];

/// Rows of all commands, in help order.
pub(super) fn rows() -> impl Iterator<Item = &'static CommandRow> {
    THEMES.iter().copied().flatten()
}

/// Finds a command by its name, which starts with one or two slashes.
pub(super) fn find(name: &str) -> Option<&'static CommandRow> {
    let name = name.strip_prefix('/')?;
    let name = name.strip_prefix('/').unwrap_or(name);
    rows().find(|row| row.names.contains(&name))
}

/// Names of all commands without slashes, game commands included.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let names = rows().flat_map(|row| row.names.iter().copied());
    names.chain(GameCommand::ALL.iter().map(|command| command.name))
}

/// Usage lines of all commands, in help order: `//replace [MASK] PATTERN`. Game commands come last.
pub fn usages() -> impl Iterator<Item = &'static str> {
    static USAGES: LazyLock<Vec<String>> =
        LazyLock::new(|| rows().map(CommandRow::usage).collect());
    USAGES.iter().map(String::as_str).chain(GameCommand::ALL.iter().map(|command| command.usage))
}

/// Error for a name that is not in the table: the command is unknown, or only the game has it.
pub(super) fn unknown(name: &str) -> CommandError {
    if GameCommand::find(name).is_some() {
        return CommandError::GameOnly;
    }
    let similar = similar(name.trim_start_matches('/'), names());
    let similar: Vec<String> = similar
        .split(", ")
        .filter(|name| !name.is_empty())
        .map(|name| format!("//{name}"))
        .collect();
    CommandError::Unknown { name: name.to_owned(), similar: similar.join(", ") }
}

/// Lists all commands, or explains one command, whose name may be given without slashes.
pub(super) fn help(name: Option<&str>) -> Result<String, CommandError> {
    let Some(name) = name else {
        let mut lines: Vec<String> =
            rows().map(|row| format!("{}: {}", row.usage(), row.help)).collect();
        for command in GameCommand::ALL {
            lines.push(format!("{}: {} {ONLY_GAME}", command.usage, command.help));
        }
        return Ok(lines.join("\n"));
    };
    let with_slashes = format!("//{}", name.trim_start_matches('/'));
    if let Some(command) = GameCommand::find(&with_slashes) {
        let mut lines = vec![command.usage.to_owned(), format!("{} {ONLY_GAME}", command.help)];
        lines.extend(command.actions.iter().map(|action| format!("  {action}")));
        return Ok(lines.join("\n"));
    }
    let row = find(&with_slashes).ok_or_else(|| unknown(name))?;
    let mut lines = vec![row.usage(), row.help.to_owned()];
    lines.extend(row.parameters.iter().filter_map(|parameter| {
        let values = parameter.kind.values()?;
        Some(format!("  {}: {values}", parameter.name))
    }));
    lines.extend(row.flags.iter().map(|flag| {
        let value = flag.value.map_or(String::new(), |value| {
            let values = value.kind.values().map_or(String::new(), |values| format!(" ({values})"));
            format!(" {}{values}", value.name)
        });
        format!("  -{}{value}: {}", flag.letter, flag.help)
    }));
    if row.names.len() > 1 {
        let aliases: Vec<String> = row.names[1..].iter().map(|name| format!("//{name}")).collect();
        lines.push(format!("  also {}", aliases.join(", ")));
    }
    Ok(lines.join("\n"))
}
