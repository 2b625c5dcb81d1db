//! Output of commands: text and JSON on standard output, progress and warnings on standard error.

use super::Outcome;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{ErrorKind, Write};
use stonerun_engine::save::BakedView;

pub(super) use stonerun_engine::metrics::thousands;

/// Prints `text` and a line break. A closed pipe (`stonerun info x | head -1`) is not an error.
pub(super) fn print(text: &str) -> Outcome {
    let mut out = std::io::stdout().lock();
    match out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush())
    {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("standard output: {error}"))
        }
        _ => Ok(()),
    }
}

/// Prints `value` as indented JSON.
pub(super) fn print_json(value: &impl Serialize) -> Outcome {
    print(&serde_json::to_string_pretty(value).map_err(super::line)?)
}

/// Creates a progress bar of `length` steps. It appears on standard error, and only if that is a
/// terminal.
pub(super) fn progress(what: &'static str, length: u64) -> ProgressBar {
    // Never falls back: a test checks that the template is valid.
    let style =
        ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style).with_message(what)
}

const TEMPLATE: &str = "{msg} {bar:40} {percent:>3}% {eta}";

/// Shows a progress bar during `work`, which reports the completed share, from 0 to 1.
pub(super) fn with_progress<T>(
    what: &'static str,
    work: impl FnOnce(&(dyn Fn(f32) + Sync)) -> T,
) -> T {
    let bar = progress(what, 1000);
    let result = work(&|done| bar.set_position((done * 1000.0) as u64));
    bar.finish_and_clear();
    result
}

/// Formats `part / whole` with this number of decimals; a dash if `whole` is 0.
#[cfg(feature = "lab")]
pub(super) fn ratio(part: u64, whole: u64, decimals: usize) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.decimals$}", part as f64 / whole as f64) }
}

/// Maximum number of printed warnings.
const MAX_WARNINGS: usize = 10;

/// Prints the first warnings on standard error, and the number of further ones.
pub(super) fn warn(warnings: &[String]) {
    for warning in warnings.iter().take(MAX_WARNINGS) {
        eprintln!("stonerun: {warning}");
    }
    if warnings.len() > MAX_WARNINGS {
        eprintln!("stonerun: and {} more", thousands((warnings.len() - MAX_WARNINGS) as u64));
    }
}

/// Formats the baked chunks by view distance: `125 chunks at view 4`.
pub(super) fn baked_list(views: &[BakedChunks]) -> String {
    let parts = views
        .iter()
        .map(|baked| format!("{} chunks at view {}", thousands(baked.chunks), baked.view));
    parts.collect::<Vec<_>>().join(", ")
}

/// Number of chunks baked for one view distance. Field names appear in the JSON output.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BakedChunks {
    /// View distance, in chunks.
    pub view: i32,
    /// Number of chunks.
    pub chunks: u64,
}

impl From<BakedView> for BakedChunks {
    fn from(BakedView { view, chunks }: BakedView) -> BakedChunks {
        BakedChunks { view, chunks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_template_is_valid() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }
}
