//! Completions of a line.

use stonerun_engine::edit::console::{self, usages};
use stonerun_engine::voxel::MaterialTable;

/// Most completions that are offered.
const MOST: usize = 8;

/// A completion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Completion {
    /// The line that it makes.
    pub(super) line: String,
    /// What is shown: a command with its arguments, or a word.
    pub(super) shown: String,
}

/// Completions of a line: names of commands, then what their arguments may be.
pub(super) fn complete(line: &str, materials: &MaterialTable) -> Vec<Completion> {
    let line = line.trim_start();
    let Some(space) = line.find(' ') else { return names(line) };
    if usage(line).is_none() {
        return Vec::new();
    }
    // The mark of a preview does not belong to the command.
    let name = line[..space].trim_end_matches('?');
    let marks = space - name.len();
    let plain = format!("{name}{}", &line[space..]);
    let completions = console::complete(&plain, materials);
    let (start, word) = line.split_at(completions.replace.start + marks);
    if word.is_empty() {
        return Vec::new();
    }
    let choices = completions.choices.into_iter().filter(|choice| choice.text != word).take(MOST);
    choices
        .map(|choice| {
            // The arguments in brackets are left to type.
            let text = choice.text.split_inclusive('[').next().unwrap_or_default();
            let line = format!("{start}{text}");
            let hint = if choice.hint.is_empty() { String::new() } else { format!(" · {}", choice.hint) };
            Completion { line, shown: format!("{}{hint}", choice.text) }
        })
        .collect()
}

/// Names of commands that begin with `start`.
fn names(start: &str) -> Vec<Completion> {
    let typed = start.trim_end_matches('?');
    let offered = |usage: &str| -> Vec<Completion> {
        // Some usages name two commands.
        let words: Vec<&str> = usage.split(' ').collect();
        let (names, arguments): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with('/'));
        let names: Vec<&str> = names.into_iter().map(|name| name.trim_end_matches(',')).collect();
        let rest = arguments.join(" ");
        let matching = names.into_iter().filter(|name| name.starts_with(typed) && *name != typed);
        matching
            .map(|name| {
                let end = if rest.is_empty() { "" } else { " " };
                Completion { line: format!("{name}{end}"), shown: format!("{name} {rest}").trim_end().to_owned() }
            })
            .collect()
    };
    if typed.is_empty() {
        return Vec::new();
    }
    let mut all: Vec<Completion> = usages().flat_map(offered).collect();
    all.sort_by(|a, b| a.line.cmp(&b.line));
    all.truncate(MOST);
    all
}

/// The arguments of the command at the start of a line; `None` if there is no such command.
pub(super) fn usage(line: &str) -> Option<&'static str> {
    let name = line.split_whitespace().next()?.trim_end_matches('?');
    usages().find(|usage| usage.split([' ', ',']).any(|word| word == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(line: &str) -> Vec<String> {
        complete(line, &MaterialTable::builtin()).into_iter().map(|completion| completion.line).collect()
    }

    #[test]
    fn names_of_commands_are_completed() {
        assert_eq!(lines("//wa"), ["//walls "]);
        assert_eq!(lines("//red"), ["//redo ", "//redosel "]);
        assert_eq!(lines("//can"), ["//cancel"]);
        assert_eq!(lines("/").len(), MOST);
        assert!(lines("").is_empty() && lines("//nothing").is_empty());
        let shown = complete("//hs", &MaterialTable::builtin()).remove(0).shown;
        assert!(shown.starts_with("//hsphere ") && shown.len() > 12, "{shown}");
    }

    #[test]
    fn names_of_materials_are_completed_after_signs() {
        assert!(lines("//set sto").contains(&"//set stone".to_owned()));
        assert!(lines("//set 50%stone,30%cob").contains(&"//set 50%stone,30%cobblestone".to_owned()));
        assert!(lines("//replace !dirt gra").iter().all(|line| line.starts_with("//replace !dirt ")));
        assert!(lines("//sphere stone 5").is_empty() && lines("//nothing sto").is_empty());
        assert_eq!(usage("//set? stone").map(|usage| usage.starts_with("//set ")), Some(true));
    }
}
