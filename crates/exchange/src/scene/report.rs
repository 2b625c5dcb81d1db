//! Results of an export.

use super::losses::ExportLosses;
use std::fmt;
use stonerun_engine::metrics::thousands;

/// A number that an export reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportFigure {
    /// Name in machine-readable output.
    pub name: &'static str,
    /// Name for people in the plural, which follows the number; empty for counts that only machines
    /// read.
    pub text: &'static str,
    /// The count.
    pub count: u64,
}

impl ExportFigure {
    /// True if the count is not 0 and has a name for people, so that a report shows it.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.count > 0 && !self.text.is_empty()
    }
}

impl fmt::Display for ExportFigure {
    /// Count and name: `1,234 voxels`, `1 model`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let plural = self.text.split(' ').position(|word| word.ends_with('s'));
        let words =
            self.text.split(' ').enumerate().map(|(i, word)| match word.strip_suffix('s') {
                Some(singular) if self.count == 1 && Some(i) == plural => singular,
                _ => word,
            });
        write!(f, "{} {}", thousands(self.count), words.collect::<Vec<_>>().join(" "))
    }
}

/// Result of a format's writer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct WriterReport {
    /// Counts of the format.
    pub(crate) figures: Vec<ExportFigure>,
    /// Parts of the scene that the format cannot hold.
    pub(crate) losses: ExportLosses,
    /// Hints for programs that read the file, one line each.
    pub(crate) warnings: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_of_one_is_singular() {
        let text = |count, text| ExportFigure { name: "", text, count }.to_string();
        assert_eq!(text(1, "models"), "1 model");
        assert_eq!(text(1200, "models"), "1,200 models");
        assert_eq!(
            text(1, "materials merged into another's colour"),
            "1 material merged into another's colour"
        );
        assert_eq!(text(1, "partly filled voxels made full"), "1 partly filled voxel made full");
    }
}
