//! Completions of the line that is being typed.

use stonerun_engine::edit::console::{self, usages};
use stonerun_engine::voxel::MaterialTable;

/// Maximum number of completions that are offered.
const MAX_COMPLETIONS: usize = 8;

/// A completion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Completion {
    /// The completed line.
    pub(super) line: String,
    /// Text in the list: a command with its arguments, or a word with its hint.
    pub(super) shown: String,
}

/// Completions of a line: names of commands, then words for their arguments.
pub(super) fn complete(line: &str, materials: &MaterialTable) -> Vec<Completion> {
    let line = line.trim_start();
    let Some(space) = line.find(' ') else { return names(line) };
    if usage(line).is_none() {
        return Vec::new();
    }
    // The `?` that requests a preview is not part of the command's name.
    let name = line[..space].trim_end_matches('?');
    let marks = space - name.len();
    let plain = format!("{name}{}", &line[space..]);
    let completions = console::complete(&plain, materials);
    let (start, word) = line.split_at(completions.replace.start + marks);
    if word.is_empty() {
        return Vec::new();
    }
    let choices =
        completions.choices.into_iter().filter(|choice| choice.text != word).take(MAX_COMPLETIONS);
    choices
        .map(|choice| {
            // Arguments in brackets are optional and stay out of the line.
            let text = choice.text.split_inclusive('[').next().unwrap_or_default();
            let line = format!("{start}{text}");
            let hint =
                if choice.hint.is_empty() { String::new() } else { format!(" · {}", choice.hint) };
            Completion { line, shown: format!("{}{hint}", choice.text) }
        })
        .collect()
}

/// Names of commands that begin with `start`.
fn names(start: &str) -> Vec<Completion> {
    let typed = start.trim_end_matches('?');
    if typed.is_empty() {
        return Vec::new();
    }
    let mut all = Vec::new();
    for usage in usages() {
        let (name, arguments) = usage.split_once(' ').unwrap_or((usage, ""));
        if name.starts_with(typed) && name != typed {
            let space = if arguments.is_empty() { "" } else { " " };
            all.push(Completion { line: format!("{name}{space}"), shown: usage.to_owned() });
        }
    }
    all.sort_by(|a, b| a.line.cmp(&b.line));
    all.truncate(MAX_COMPLETIONS);
    all
}

/// The arguments of the command at the start of a line; `None` if there is no such command.
pub(super) fn usage(line: &str) -> Option<&'static str> {
    let name = line.split_whitespace().next()?.trim_end_matches('?');
    usages().find(|usage| usage.split(' ').next() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(line: &str) -> Vec<String> {
        complete(line, &MaterialTable::builtin())
            .into_iter()
            .map(|completion| completion.line)
            .collect()
    }

    #[test]
    fn unfinished_name_is_completed_with_space_if_arguments_follow() {
        assert_eq!(lines("//wa"), ["//walls "]);
        assert_eq!(lines("//red"), ["//redo ", "//redosel "]);
        assert_eq!(lines("//can"), ["//cancel"]);
        assert_eq!(lines("/").len(), MAX_COMPLETIONS);
        assert!(lines("").is_empty() && lines("//nothing").is_empty());
        let shown = complete("//hs", &MaterialTable::builtin()).remove(0).shown;
        assert!(shown.starts_with("//hsphere ") && shown.len() > 12, "{shown}");
    }

    #[test]
    fn unfinished_material_is_completed_after_operators() {
        assert!(lines("//set sto").contains(&"//set stone".to_owned()));
        assert!(
            lines("//set 50%stone,30%cob").contains(&"//set 50%stone,30%cobblestone".to_owned())
        );
        assert!(
            lines("//replace !dirt gra").iter().all(|line| line.starts_with("//replace !dirt "))
        );
        assert!(lines("//sphere stone 5").is_empty() && lines("//nothing sto").is_empty());
        assert_eq!(usage("//set? stone").map(|usage| usage.starts_with("//set ")), Some(true));
    }
}
