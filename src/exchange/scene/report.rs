//! Results of an export.

/// A count of something in an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportFigure {
    /// Name in machine-readable output.
    pub name: &'static str,
    /// Name for people, to follow the number.
    pub text: &'static str,
    /// The count.
    pub count: u64,
}

/// Result of a format's writer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::exchange) struct WriterReport {
    /// Counts of the format.
    pub(in crate::exchange) figures: Vec<ExportFigure>,
    /// What the format cannot hold and was written in another way, one line each.
    pub(in crate::exchange) warnings: Vec<String>,
}
