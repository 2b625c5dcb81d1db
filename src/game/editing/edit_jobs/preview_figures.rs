//! Figures of a preview: numbers of voxels, runs and bytes.

use rayon::prelude::*;
use std::time::Duration;
use stonerun_engine::edit::PreparedEdit;
use stonerun_engine::history::{ChunkChange, EditStep};

/// Figures of an edit that is not committed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct PreviewFigures {
    /// Voxels of air that would be filled.
    pub(super) added: u64,
    /// Voxels that would become air.
    pub(super) removed: u64,
    /// Voxels that would become another material, or have another occupancy.
    pub(super) changed: u64,
    /// Runs of the changed chunks, before and after.
    pub(super) runs: [u64; 2],
    /// Bytes of the step of the undo history.
    pub(super) undo_bytes: u64,
    /// Time that the edit took.
    pub(super) time: Duration,
}

impl PreviewFigures {
    /// Figures of an edit that took `time`. Uses all cores of the current pool of threads.
    pub(super) fn new(edit: &PreparedEdit, time: Duration) -> PreviewFigures {
        let all = edit
            .changes
            .par_iter()
            .map(count)
            .reduce(PreviewFigures::default, PreviewFigures::plus);
        let step = EditStep::new(edit.name.clone(), 0, edit.changes.clone());
        let undo_bytes =
            step.and_then(|step| step.pack()).map_or(0, |body| body.bytes.len() as u64);
        PreviewFigures { undo_bytes, time, ..all }
    }

    fn plus(self, other: PreviewFigures) -> PreviewFigures {
        PreviewFigures {
            added: self.added + other.added,
            removed: self.removed + other.removed,
            changed: self.changed + other.changed,
            runs: [self.runs[0] + other.runs[0], self.runs[1] + other.runs[1]],
            undo_bytes: self.undo_bytes + other.undo_bytes,
            time: self.time + other.time,
        }
    }
}

fn count(change: &ChunkChange) -> PreviewFigures {
    let before = &change.before;
    let after = &change.after;
    let mut figures = PreviewFigures {
        runs: [before, after].map(|chunk| chunk.run_count() as u64),
        ..PreviewFigures::default()
    };
    for (range, before, after) in
        before.stretches(after).filter(|(_, before, after)| before != after)
    {
        let voxels = range.len() as u64;
        match (before.is_air(), after.is_air()) {
            (true, _) => figures.added += voxels,
            (_, true) => figures.removed += voxels,
            _ => figures.changed += voxels,
        }
    }
    figures
}
