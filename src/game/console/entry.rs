//! What an entered line asks for.

use super::state::Entry;
use crate::edit::console::{CommandError, ConsoleCommand};
use crate::voxel::MaterialTable;

/// Cancels all jobs.
const CANCEL: &str = "//cancel";

/// What a line asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Asked {
    /// Nothing.
    Nothing,
    /// To cancel all jobs.
    Cancel,
    /// A command of the console.
    Command(ConsoleCommand),
}

/// Names and arguments of the commands that only the game has.
pub(super) const USAGES: [&str; 1] = ["//cancel"];

/// A line without the mark of a preview: a command whose name ends with `?` is shown first.
pub(super) fn entry(line: &str, preview: bool) -> Entry {
    let line = line.trim();
    let (name, rest) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
    match name.strip_suffix('?') {
        Some(name) => Entry { text: format!("{name}{rest}"), preview: true },
        None => Entry { text: line.to_owned(), preview },
    }
}

/// True if the line cancels all jobs.
pub(super) fn cancels(entry: &Entry) -> bool {
    entry.text == CANCEL
}

/// Reads a line.
///
/// # Errors
/// There is no such command, or an argument is malformed.
pub(super) fn read(entry: &Entry, materials: &MaterialTable) -> Result<Asked, CommandError> {
    match entry.text.as_str() {
        "" | "/" | "//" => Ok(Asked::Nothing),
        CANCEL => Ok(Asked::Cancel),
        text => ConsoleCommand::parse(text, materials).map(Asked::Command),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_mark_after_the_name_asks_for_a_preview() {
        let entry = |line, preview| {
            let Entry { text, preview } = entry(line, preview);
            (text, preview)
        };
        assert_eq!(entry(" //set? stone ", false), ("//set stone".to_owned(), true));
        assert_eq!(entry("//set stone?", false), ("//set stone?".to_owned(), false));
        assert_eq!(entry("//walls glass", true), ("//walls glass".to_owned(), true));
        assert_eq!(entry("", false), (String::new(), false));
    }

    #[test]
    fn lines_are_read_as_commands() {
        let materials = MaterialTable::builtin();
        let read = |line: &str| read(&entry(line, false), &materials);
        assert_eq!((read("/"), read("//cancel")), (Ok(Asked::Nothing), Ok(Asked::Cancel)));
        assert_eq!(read("//undo? 3"), ConsoleCommand::parse("//undo 3", &materials).map(Asked::Command));
        assert!(matches!(read("//nothing"), Err(CommandError::Unknown { .. })));
    }
}
