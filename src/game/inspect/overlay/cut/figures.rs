//! Totals of a cut.

use super::histogram::Histogram;
use super::section::CutSection;

/// Totals of the chunks that a cut crosses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CutTotals {
    /// Number of chunks.
    pub chunks: u64,
    /// Runs of the chunks: stored runs, fused runs, or runs of light.
    pub runs: u64,
    /// Heap bytes of the chunks' trees, or of their light.
    pub bytes: u64,
    /// Number of runs, rows or cells in each bin of their figure.
    pub histogram: Histogram,
}

impl CutTotals {
    /// Sums up sections, whose histograms must have `bins` bins.
    #[must_use]
    pub fn new(sections: &[CutSection], bins: usize) -> CutTotals {
        let mut totals = CutTotals { histogram: Histogram::new(bins), ..CutTotals::default() };
        for section in sections {
            totals.chunks += 1;
            totals.runs += section.runs;
            totals.bytes += section.bytes;
            totals.histogram.add_all(&section.histogram);
        }
        totals
    }
}
