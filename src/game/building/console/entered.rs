//! Lines that were entered earlier, kept in the folder of the settings.

use crate::game::state::settings::Settings;
use std::path::PathBuf;
use stonerun_engine::save::read_text_file;

/// Most lines that are kept.
const MOST: usize = 200;
/// Name of the file.
const FILE: &str = "console.txt";
/// Largest file that is read: a longer one is not ours.
const LARGEST_FILE: usize = 1 << 20;

/// Lines that were entered before, the newest last, and the one that is looked at.
#[derive(Default)]
pub(super) struct EnteredLines {
    lines: Vec<String>,
    /// Number of lines back from the line that is being typed; 0 for that line.
    back: usize,
    /// The line that was being typed when the player went back.
    typed: String,
}

impl EnteredLines {
    /// The lines of earlier runs of the program. Empty without a readable file.
    pub(super) fn load() -> EnteredLines {
        let text = file().and_then(|path| read_text_file(&path, LARGEST_FILE).ok()).unwrap_or_default();
        let lines: Vec<String> = text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
        EnteredLines { lines: lines[lines.len().saturating_sub(MOST)..].to_vec(), ..EnteredLines::default() }
    }

    /// Adds a line, unless it is the same as the one before.
    pub(super) fn add(&mut self, line: &str) {
        self.back = 0;
        if self.lines.last().is_some_and(|last| last == line) {
            return;
        }
        self.lines.push(line.to_owned());
        let surplus = self.lines.len().saturating_sub(MOST);
        self.lines.drain(..surplus);
        if let Some(path) = file() {
            // Without a file, the lines are kept for this run.
            let _ = path.parent().map(std::fs::create_dir_all);
            let _ = std::fs::write(path, self.lines.join("\n") + "\n");
        }
    }

    /// The line before or after the one that is looked at, which shows `line`; `None` at the end.
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
        Some(if self.back == 0 { self.typed.clone() } else { self.lines[self.lines.len() - self.back].clone() })
    }

    /// True while an earlier line is looked at.
    pub(super) fn is_back(&self) -> bool {
        self.back > 0
    }

    /// Goes back to the line that is being typed.
    pub(super) fn reset(&mut self) {
        self.back = 0;
    }
}

fn file() -> Option<PathBuf> {
    Some(Settings::folder()?.join(FILE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_gone_through_in_both_directions() {
        let lines = ["a", "b"].map(str::to_owned).to_vec();
        let mut entered = EnteredLines { lines, ..EnteredLines::default() };
        let step = |entered: &mut EnteredLines, line: &str, earlier| entered.step(line, earlier);
        assert_eq!(step(&mut entered, "typed", false), None);
        assert_eq!(step(&mut entered, "typed", true).as_deref(), Some("b"));
        assert_eq!(step(&mut entered, "b", true).as_deref(), Some("a"));
        assert_eq!(step(&mut entered, "a", true), None);
        assert_eq!(step(&mut entered, "a", false).as_deref(), Some("b"));
        assert_eq!(step(&mut entered, "b", false).as_deref(), Some("typed"));
        assert_eq!(step(&mut entered, "typed", false), None);
    }
}
