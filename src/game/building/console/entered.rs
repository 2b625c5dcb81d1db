//! The history of entered lines, kept in the folder of the settings.

use crate::game::state::settings::Settings;
use std::path::PathBuf;
use stonerun_engine::save::read_text_file;

/// Maximum number of lines that are kept.
const MAX_LINES: usize = 200;
/// Name of the file.
const FILE_NAME: &str = "console.txt";
/// Maximum size of the file; a longer one was not written by the game.
const MAX_FILE_BYTES: usize = 1 << 20;

/// Lines that were entered before, the newest last, and the one that is shown.
#[derive(Default)]
pub(super) struct EnteredLines {
    lines: Vec<String>,
    /// Number of lines back from the line that is being typed; 0 for that line.
    back: usize,
    /// Text of the line that was being typed when the player went back.
    typed: String,
}

impl EnteredLines {
    /// The lines of earlier runs of the program. Empty without a readable file.
    pub(super) fn load() -> EnteredLines {
        let text =
            file().and_then(|path| read_text_file(&path, MAX_FILE_BYTES).ok()).unwrap_or_default();
        let lines: Vec<String> =
            text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
        EnteredLines {
            lines: lines[lines.len().saturating_sub(MAX_LINES)..].to_vec(),
            ..EnteredLines::default()
        }
    }

    /// Adds a line, unless it equals the last one.
    pub(super) fn add(&mut self, line: &str) {
        self.back = 0;
        if self.lines.last().is_some_and(|last| last == line) {
            return;
        }
        self.lines.push(line.to_owned());
        let surplus = self.lines.len().saturating_sub(MAX_LINES);
        self.lines.drain(..surplus);
        if let Some(path) = file() {
            // If the file cannot be written, the lines are still kept in memory.
            let _ = path.parent().map(std::fs::create_dir_all);
            let _ = std::fs::write(path, self.lines.join("\n") + "\n");
        }
    }

    /// Goes to the line before or after the shown one; `None` at the end. `line` is the text in the
    /// field, which is kept if it is the line being typed.
    pub(super) fn step(&mut self, line: &str, earlier: bool) -> Option<String> {
        if earlier {
            if self.back == self.lines.len() {
                return None;
            }
            if self.back == 0 {
                self.typed = line.to_owned();
            }
            self.back += 1;
        } else {
            self.back = self.back.checked_sub(1)?;
        }
        Some(if self.back == 0 {
            self.typed.clone()
        } else {
            self.lines[self.lines.len() - self.back].clone()
        })
    }

    /// True while an earlier line is shown.
    pub(super) fn is_back(&self) -> bool {
        self.back > 0
    }

    /// Goes back to the line that is being typed.
    pub(super) fn reset(&mut self) {
        self.back = 0;
    }
}

fn file() -> Option<PathBuf> {
    Some(Settings::folder()?.join(FILE_NAME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_goes_through_lines_in_both_directions_and_keeps_typed_text() {
        let lines = ["a", "b"].map(str::to_owned).to_vec();
        let mut entered = EnteredLines { lines, ..EnteredLines::default() };
        assert_eq!(entered.step("typed", false), None);
        assert_eq!(entered.step("typed", true).as_deref(), Some("b"));
        assert_eq!(entered.step("b", true).as_deref(), Some("a"));
        assert_eq!(entered.step("a", true), None);
        assert_eq!(entered.step("a", false).as_deref(), Some("b"));
        assert_eq!(entered.step("b", false).as_deref(), Some("typed"));
        assert_eq!(entered.step("typed", false), None);
    }
}
