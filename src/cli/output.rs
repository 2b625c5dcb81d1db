//! How commands speak: text on standard output, progress on standard error.

use super::Outcome;
use crate::save::BakedView;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{ErrorKind, Write};

/// Prints `text` and a line's end. Where the reader has gone (`stonerun info x | head -1`), that is no failure.
pub(super) fn print(text: &str) -> Outcome {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

/// A progress bar of `length` steps. It is drawn on standard error, and only where that is a terminal.
pub(super) fn progress(what: &'static str, length: u64) -> ProgressBar {
    // The template is constant, and a test says that it is sound.
    let style = ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style).with_message(what)
}

const TEMPLATE: &str = "{msg} {bar:40} {percent:>3}% {eta}";

/// `n` with a comma at every thousand.
pub(super) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The most warnings printed.
const MOST_WARNINGS: usize = 10;

/// Prints what was left out or changed, on standard error; of very much only the beginning.
pub(super) fn warn(warnings: &[String]) {
    for warning in warnings.iter().take(MOST_WARNINGS) {
        eprintln!("stonerun: {warning}");
    }
    if warnings.len() > MOST_WARNINGS {
        eprintln!("stonerun: and {} more", thousands((warnings.len() - MOST_WARNINGS) as u64));
    }
}

/// What is baked of a map, from [`baked_views`](crate::save::MapFile::baked_views): `125 chunks at view 4`.
pub(super) fn baked(views: &[Baked]) -> String {
    let told = views.iter().map(|baked| format!("{} chunks at view {}", thousands(baked.chunks), baked.view));
    told.collect::<Vec<_>>().join(", ")
}

/// For how many chunks what their cells see is baked, for one view distance; under the names it has as JSON.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Baked {
    /// In chunks.
    pub view: i32,
    pub chunks: u64,
}

impl From<BakedView> for Baked {
    fn from(BakedView { view, chunks }: BakedView) -> Baked {
        Baked { view, chunks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        for (n, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (12_345_678, "12,345,678")] {
            assert_eq!(thousands(n), text);
        }
    }

    #[test]
    fn the_template_is_sound() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }
}
