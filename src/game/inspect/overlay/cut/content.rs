//! The quantities that a cut shows.

use crate::views::OverlayKind;
use stonerun_engine::voxel::MAX_LIGHT;

/// The quantity that a cut shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutContent {
    /// Stored runs, by length.
    Runs,
    /// Fused Moore runs, by length.
    Neighbourhoods,
    /// Rows of 32 voxels, by the bytes of the runs that begin in them.
    Bytes,
    /// Voxels of equal light, by level.
    Light,
    /// Runs in the colours of their materials.
    Materials,
}

impl CutContent {
    /// The content of a cut while an overlay is shown.
    #[must_use]
    pub fn with_overlay(kind: Option<OverlayKind>) -> CutContent {
        match kind {
            Some(OverlayKind::Runs) => CutContent::Runs,
            Some(OverlayKind::Neighbourhoods) => CutContent::Neighbourhoods,
            Some(OverlayKind::Bytes) => CutContent::Bytes,
            Some(OverlayKind::Light) => CutContent::Light,
            _ => CutContent::Materials,
        }
    }

    /// True if runs are shown, or the rows that they begin in.
    #[must_use]
    pub const fn shows_runs(self) -> bool {
        matches!(self, CutContent::Runs | CutContent::Neighbourhoods | CutContent::Bytes)
    }

    /// Number of bars of the histogram.
    #[must_use]
    pub const fn bins(self) -> usize {
        match self {
            CutContent::Light => MAX_LIGHT as usize + 1,
            CutContent::Materials => 0,
            _ => 8,
        }
    }
}
