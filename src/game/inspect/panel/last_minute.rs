//! The last minute of the figures on the page *World*, for its plots.
//!
//! Samples are also taken while the panel is closed, so that the plots are filled when it opens.

use crate::game::inspect::panel::figures::{Figures, StorageFormat};
use bevy::prelude::*;
use std::collections::VecDeque;
use strum::VariantArray;

/// Samples per second.
pub const RATE: f32 = 4.0;
/// Number of samples: one minute.
pub const KEPT: usize = 240;

/// Minimum and maximum of one curve, or of several.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueRange {
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
}

impl ValueRange {
    /// The range of the values in both ranges together.
    #[must_use]
    pub fn union(self, other: ValueRange) -> ValueRange {
        ValueRange { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

/// Ring buffer of the newest [`KEPT`] values of a figure. Unknown values are NaN.
#[derive(Clone, Debug, Default)]
pub struct Ring(VecDeque<f64>);

impl Ring {
    /// Adds a value; drops the oldest when full.
    pub fn push(&mut self, value: f64) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(value);
    }

    /// The newest value, if it is known.
    #[must_use]
    pub fn newest(&self) -> Option<f64> {
        self.0.back().copied().filter(|v| v.is_finite())
    }

    /// Smallest and largest known value.
    #[must_use]
    pub fn range(&self) -> Option<ValueRange> {
        let known = || self.0.iter().copied().filter(|v| v.is_finite());
        let low = known().min_by(f64::total_cmp)?;
        let high = known().max_by(f64::total_cmp)?;
        Some(ValueRange { low, high })
    }

    /// Stretches without unknown values, as points with x from 0 (oldest) to [`KEPT`] - 1 (newest).
    #[must_use]
    pub fn stretches(&self) -> Vec<Vec<[f64; 2]>> {
        let first = KEPT - self.0.len();
        let mut out = vec![Vec::new()];
        for (i, &value) in self.0.iter().enumerate() {
            match out.last_mut() {
                Some(stretch) if value.is_finite() => stretch.push([(first + i) as f64, value]),
                Some(stretch) if stretch.is_empty() => {}
                _ => out.push(Vec::new()),
            }
        }
        out.retain(|stretch| !stretch.is_empty());
        out
    }
}

/// A plotted series.
#[derive(Clone, Copy, PartialEq, Eq, Debug, VariantArray)]
pub enum Series {
    /// Loaded chunks.
    Chunks,
    /// Heap bytes per voxel.
    PerVoxel,
    /// Runs in all trees.
    Runs,
    /// Voxels per run.
    VoxelsPerRun,
    /// Heap bytes.
    Heap,
    /// Bytes in the map file, as RLE.
    Rle,
    /// Bytes in the map file, as RLE+LZ4.
    RleLz4,
    /// Quads on the graphics card.
    Quads,
    /// Bytes of the quads on the graphics card.
    MeshBytes,
}

impl Series {
    /// All series.
    pub const ALL: &'static [Series] = Series::VARIANTS;

    /// Current value; `None` while it is not completely measured.
    #[must_use]
    pub fn value(self, figures: &Figures) -> Option<f64> {
        let file = |store| {
            (figures.measured.chunks >= figures.chunks.max(1)).then(|| figures.bytes(store) as f64)
        };
        match self {
            Series::Chunks => Some(figures.chunks as f64),
            Series::PerVoxel => Some(figures.heap_per_voxel()),
            Series::Runs => Some(figures.runs as f64),
            Series::VoxelsPerRun => Some(figures.voxels_per_run()),
            Series::Heap => Some(figures.heap_bytes as f64),
            Series::Rle => file(StorageFormat::Rle),
            Series::RleLz4 => file(StorageFormat::RleLz4),
            Series::Quads => figures.mesh.map(|mesh| mesh.quads as f64),
            Series::MeshBytes => figures.mesh.map(|mesh| mesh.bytes as f64),
        }
    }
}

/// The last minute of every series.
#[derive(Resource, Default)]
pub struct LastMinute {
    rings: [Ring; Series::ALL.len()],
    since: f32,
}

impl LastMinute {
    /// The values of `series`.
    #[must_use]
    pub fn ring(&self, series: Series) -> &Ring {
        &self.rings[series as usize]
    }

    /// Advances the time. Returns true when a sample is due.
    pub fn due(&mut self, seconds: f32) -> bool {
        self.since += seconds;
        let due = self.since >= 1.0 / RATE;
        if due {
            // After a slow frame only one sample is taken, because several would be equal.
            self.since %= 1.0 / RATE;
        }
        due
    }

    /// Adds a sample. `files` is false if the map file's bytes are stale.
    pub fn sample(&mut self, figures: &Figures, files: bool) {
        for &series in Series::ALL {
            let known = files || !matches!(series, Series::Rle | Series::RleLz4);
            let value = series.value(figures).filter(|_| known);
            self.rings[series as usize].push(value.unwrap_or(f64::NAN));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_keep_the_newest_values() {
        let mut ring = Ring::default();
        for i in 0..KEPT + 10 {
            ring.push(i as f64);
        }
        assert_eq!(ring.range(), Some(ValueRange { low: 10.0, high: (KEPT + 9) as f64 }));
        let points = ring.stretches();
        assert_eq!((points.len(), points[0].len()), (1, KEPT));
        assert_eq!(
            (points[0][0], points[0][KEPT - 1]),
            ([0.0, 10.0], [(KEPT - 1) as f64, (KEPT + 9) as f64])
        );
    }

    #[test]
    fn gaps_split_the_line() {
        let mut ring = Ring::default();
        assert_eq!((ring.range(), ring.stretches().len()), (None, 0));
        for v in [f64::NAN, 1.0, 2.0, f64::NAN, f64::NAN, 3.0, f64::NAN] {
            ring.push(v);
        }
        let last = KEPT as f64 - 1.0;
        assert_eq!(
            ring.stretches(),
            [vec![[last - 5.0, 1.0], [last - 4.0, 2.0]], vec![[last - 1.0, 3.0]]]
        );
    }

    #[test]
    fn four_samples_per_second_at_any_frame_rate() {
        for (frames, seconds) in [(600, 1.0 / 60.0), (40, 0.25), (80, 0.125)] {
            let mut history = LastMinute::default();
            let due = (0..frames).filter(|_| history.due(seconds)).count();
            assert!((39..=40).contains(&due), "{due} in 10 s at {seconds} s per frame");
        }
        let mut history = LastMinute::default();
        assert_eq!((0..3).filter(|_| history.due(2.0)).count(), 3);
    }
}
