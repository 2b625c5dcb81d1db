//! Reads entered lines.

use super::game_commands;
use super::game_task::GameTask;
use super::state::{QueuedLine, Wait};
use stonerun_engine::edit::console::{CommandError, Console, ConsoleCommand, ConsoleTask};
use stonerun_engine::voxel::MaterialTable;

/// Request of an entered line.
pub(super) enum LineRequest {
    /// The line is empty, and requests nothing.
    Nothing,
    /// A command of the game.
    Game(Box<dyn GameTask>),
    /// A command of the engine's console.
    Command(ConsoleCommand),
}

impl LineRequest {
    /// Jobs that the request waits for. Undo and redo wait for all, too.
    pub(super) fn waits_for(&self) -> Option<Wait> {
        match self {
            LineRequest::Nothing => None,
            LineRequest::Game(task) => task.waits_for(),
            LineRequest::Command(_) => Some(Wait::Console),
        }
    }

    /// True if a preview has something to show: the voxels that the job of a command would change.
    pub(super) fn has_preview(&self, console: &Console, materials: &MaterialTable) -> bool {
        let LineRequest::Command(command) = self else { return false };
        // The error of a command that fails is shown instead.
        matches!(console.clone().task(command, materials), Ok(ConsoleTask::Job(_)) | Err(_))
    }
}

/// The line as a queued command. A `?` at the end of the command's name requests a preview, and is
/// removed.
pub(super) fn queued_line(line: &str, preview: bool) -> QueuedLine {
    let line = line.trim();
    let (name, rest) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
    match name.strip_suffix('?') {
        Some(name) => QueuedLine {
            preview: true,
            is_marked: true,
            ..QueuedLine::new(format!("{name}{rest}"), preview)
        },
        None => QueuedLine::new(line.to_owned(), preview),
    }
}

/// Reads a line.
///
/// # Errors
/// No command has this name, or an argument is malformed.
pub(super) fn read(
    line: &QueuedLine,
    materials: &MaterialTable,
) -> Result<LineRequest, CommandError> {
    let text = line.text.as_str();
    if matches!(text, "" | "/" | "//") {
        return Ok(LineRequest::Nothing);
    }
    match game_commands::read(text) {
        Some(task) => task.map(LineRequest::Game),
        None => ConsoleCommand::parse(text, materials).map(LineRequest::Command),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;
    use stonerun_engine::edit::selection::Selection;
    use stonerun_engine::voxel::Box3;

    #[test]
    fn question_mark_after_the_name_asks_for_a_preview() {
        for (line, setting, text, preview) in [
            (" //set? stone ", false, "//set stone", true),
            ("//set stone?", false, "//set stone?", false),
            ("//walls glass", true, "//walls glass", true),
            ("", false, "", false),
        ] {
            let queued = queued_line(line, setting);
            assert_eq!((queued.text.as_str(), queued.preview), (text, preview), "{line}");
        }
    }

    #[test]
    fn only_commands_that_change_voxels_have_a_preview() {
        let materials = MaterialTable::builtin();
        let mut console = Console::new(IVec3::ZERO);
        console.set_selection(Selection::from(Box3::spanning(IVec3::ZERO, IVec3::ONE)));
        for (line, expected) in [
            ("//set? stone", true),
            ("//sphere? stone 5", true),
            ("//paste?", true),
            ("//pos1?", false),
            ("//undo?", false),
            ("//help?", false),
            ("//rules? off", false),
        ] {
            let queued = queued_line(line, false);
            assert!(queued.is_marked && queued.preview);
            let request = read(&queued, &materials).expect(line);
            let before = console.selection().clone();
            assert_eq!(request.has_preview(&console, &materials), expected, "{line}");
            assert_eq!(*console.selection(), before, "{line}");
        }
        assert!(
            !queued_line("//pos1", true).is_marked,
            "the setting asks for previews where there are any"
        );
    }

    #[test]
    fn lines_are_read_as_commands_of_game_or_engine() {
        let materials = MaterialTable::builtin();
        let read = |line: &str| read(&queued_line(line, false), &materials);
        assert!(matches!(read("/"), Ok(LineRequest::Nothing)));
        let undo = ConsoleCommand::parse("//undo 3", &materials).expect("a command");
        assert!(matches!(read("//undo? 3"), Ok(LineRequest::Command(command)) if command == undo));
        assert!(matches!(read("//nothing"), Err(CommandError::Unknown { .. })));
        // Commands of the game accept one slash, as all commands do, and reject surplus words.
        for line in
            ["//cancel", "/cancel", "/rules own", "//rules step 20", "//creatures place deer"]
        {
            assert!(matches!(read(line), Ok(LineRequest::Game(_))), "{line}");
        }
        assert!(matches!(read("//cancel all"), Err(CommandError::Usage(_))));
        for wrong in ["//rules fast", "//creatures fly"] {
            assert!(matches!(read(wrong), Err(CommandError::Action { .. })), "{wrong}");
        }
    }
}
