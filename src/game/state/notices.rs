//! Notices: lines shown to the player for a while.

use bevy::prelude::Resource;
use std::time::Instant;

/// Maximum number of lines of one report that are shown.
const MAX_LINES: usize = 20;

/// Urgency of a notice. Urgent notices stay longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoticeLevel {
    /// Information.
    Info,
    /// Something failed.
    Warning,
    /// Data was lost.
    DataLoss,
}

/// A notice: one line of text for the player.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Time of the report. The display resets it until a warning is visible.
    pub since: Instant,
    /// Urgency.
    pub level: NoticeLevel,
    /// The text.
    pub text: String,
}

/// The notices that are shown, the newest last.
#[derive(Resource, Default)]
pub struct Notices {
    /// The notices.
    pub list: Vec<Notice>,
}

impl Notices {
    /// Shows a notice that reports no problem.
    pub fn info(&mut self, text: impl Into<String>) {
        self.push(NoticeLevel::Info, text.into());
    }

    /// Shows a changing value as `NAME: VALUE`, in place of an earlier notice with the same name.
    pub fn replace_info(&mut self, name: &str, value: impl std::fmt::Display) {
        let start = format!("{name}: ");
        self.list
            .retain(|notice| notice.level != NoticeLevel::Info || !notice.text.starts_with(&start));
        self.info(format!("{start}{value}"));
    }

    /// Shows a problem and prints it to standard error.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.print_and_push(NoticeLevel::Warning, text.into());
    }

    /// Shows the lines of a report, up to `MAX_LINES`, and prints all of them to standard error.
    pub fn warn_all(&mut self, lines: &[String]) {
        let (shown, rest) = lines.split_at(lines.len().min(MAX_LINES));
        for line in shown {
            self.warn(line);
        }
        for line in rest {
            eprintln!("stonerun: {line}");
        }
        if !rest.is_empty() {
            self.warn(format!("{} more warnings are printed to standard error", rest.len()));
        }
    }

    /// Shows a loss of data for a minute and prints it to standard error.
    pub fn report_data_loss(&mut self, text: impl Into<String>) {
        self.print_and_push(NoticeLevel::DataLoss, text.into());
    }

    fn print_and_push(&mut self, level: NoticeLevel, text: String) {
        eprintln!("stonerun: {text}");
        self.push(level, text);
    }

    fn push(&mut self, level: NoticeLevel, text: String) {
        self.list.push(Notice { since: Instant::now(), level, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_shows_its_lines_and_counts_the_rest() {
        let lines: Vec<String> =
            (0..MAX_LINES + 3).map(|number| format!("line {number}")).collect();
        let mut notices = Notices::default();
        notices.warn_all(&lines[..5]);
        assert_eq!(notices.list.len(), 5);
        notices.list.clear();
        notices.warn_all(&lines);
        assert_eq!(notices.list.len(), MAX_LINES + 1);
        assert_eq!(notices.list[MAX_LINES].text, "3 more warnings are printed to standard error");
    }
}
