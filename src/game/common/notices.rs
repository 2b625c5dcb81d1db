//! Notices: lines shown to the player for a while.

use bevy::prelude::Resource;
use std::time::Instant;

/// How urgent a notice is. Urgent notices stay longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoticeLevel {
    /// Information.
    Info,
    /// Something failed.
    Warning,
    /// Data was lost.
    DataLoss,
}

/// One line for the player.
#[derive(Clone, Debug)]
pub struct Notice {
    /// When it was reported.
    pub since: Instant,
    /// How urgent it is.
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
    /// Shows a line.
    pub fn info(&mut self, text: impl Into<String>) {
        self.push(NoticeLevel::Info, text.into());
    }

    /// Shows a figure that changes, as `NAME: VALUE`, in place of its earlier value.
    pub fn replace_info(&mut self, name: &str, value: impl std::fmt::Display) {
        let start = format!("{name}: ");
        self.list.retain(|notice| notice.level != NoticeLevel::Info || !notice.text.starts_with(&start));
        self.info(format!("{start}{value}"));
    }

    /// Shows a problem and prints it to standard error.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.print_and_push(NoticeLevel::Warning, text.into());
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
