//! All commands.

use super::commands::{
    clipboard, connected, generation, history, measure, named, nearby, path, region, selection, surface, utility,
};
use super::entry::Entry;
use super::error::CommandError;
use super::suggestions::similar;
use std::sync::LazyLock;

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

/// Names of all commands, without slashes.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    THEMES.iter().copied().flatten().flat_map(|entry| entry.names.iter().copied())
}

/// Names and arguments of all commands, in the order of the help: `//replace [MASK] PATTERN`.
pub fn usages() -> impl Iterator<Item = &'static str> {
    static USAGES: LazyLock<Vec<String>> =
        LazyLock::new(|| THEMES.iter().copied().flatten().map(Entry::usage).collect());
    USAGES.iter().map(String::as_str)
}

/// There is no command with a name.
pub(super) fn unknown(name: &str) -> CommandError {
    let similar = similar(name.trim_start_matches('/'), names());
    let similar: Vec<String> =
        similar.split(", ").filter(|name| !name.is_empty()).map(|name| format!("//{name}")).collect();
    CommandError::Unknown { name: name.to_owned(), similar: similar.join(", ") }
}

/// Lists all commands, or explains one, whose name may lack its slashes.
pub(super) fn help(name: Option<&str>) -> Result<String, CommandError> {
    let Some(name) = name else {
        let lines: Vec<String> =
            THEMES.iter().copied().flatten().map(|entry| format!("{}: {}", entry.usage(), entry.help)).collect();
        return Ok(lines.join("\n"));
    };
    let entry = find(&format!("//{}", name.trim_start_matches('/'))).ok_or_else(|| unknown(name))?;
    let mut lines = vec![entry.usage(), entry.help.to_owned()];
    lines.extend(entry.flags.iter().map(|flag| format!("  -{}: {}", flag.letter, flag.help)));
    if entry.names.len() > 1 {
        let aliases: Vec<String> = entry.names[1..].iter().map(|name| format!("//{name}")).collect();
        lines.push(format!("  also {}", aliases.join(", ")));
    }
    Ok(lines.join("\n"))
}
