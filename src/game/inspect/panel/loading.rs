//! Chunks that are not drawn yet, by what they wait for, for the page *Frame*.

use crate::game::drawing::lighting::ChunkLights;
use crate::game::drawing::meshing::{ChunkMeshes, WaitingMeshes};
use crate::game::inspect::panel::typography;
use crate::game::inspect::panel::typography::{AMBER, BRIGHT, DIM};
use crate::game::map::streaming::{ChunkStream, LoadingCounts};
use crate::game::state::format;
use bevy_egui::egui::Ui;

/// Chunks that are not drawn yet, by what they wait for.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LoadingFigures {
    /// Chunks that are not loaded; `None` before the first frame of streaming.
    pub missing: Option<u64>,
    /// Missing chunks by stage.
    pub loading: LoadingCounts,
    /// True if the latest chunk was generated, false if it was read.
    pub is_generating: bool,
    /// Loaded chunks that wait for neighbours before they are lit.
    pub deferred: usize,
    /// Chunks that wait for light, apart from the deferred ones.
    pub to_light: usize,
    /// Mean number of times that a loaded chunk was lit.
    pub lit_times: f64,
    /// Chunks that wait for a mesh or light bricks.
    pub meshing: WaitingMeshes,
}

impl LoadingFigures {
    /// The present figures.
    #[must_use]
    pub fn new(stream: &ChunkStream, lights: &ChunkLights, meshes: &ChunkMeshes) -> LoadingFigures {
        let deferred = lights.deferred();
        LoadingFigures {
            missing: (stream.waiting != usize::MAX).then_some(stream.waiting as u64),
            loading: stream.counts(),
            is_generating: stream.is_generating,
            deferred,
            to_light: lights.waiting() - deferred,
            lit_times: lights.work.times_per_chunk(),
            meshing: meshes.counts(),
        }
    }

    /// Name of the stage at which most chunks wait.
    #[must_use]
    pub fn waits_for(&self) -> &'static str {
        let LoadingFigures { loading, meshing, .. } = *self;
        let stages = [
            (
                loading.queued + loading.in_work,
                if self.is_generating { "Generating" } else { "Reading" },
            ),
            (self.to_light, "Lighting"),
            (meshing.queued + meshing.in_work, "Meshing"),
            (loading.ready + meshing.ready, "Frames to take them in"),
            // Expected neighbours of deferred chunks are counted in another stage, so deferred
            // chunks matter only if nothing else waits.
            (usize::from(self.deferred > 0), "Neighbours"),
            (usize::from(self.missing.is_some_and(|missing| missing > 0)), "The map file"),
        ];
        // `max_by_key` returns the last maximum. Reversed, the first stage wins among equal ones.
        let fullest = stages.into_iter().rev().max_by_key(|&(chunks, _)| chunks);
        fullest.filter(|&(chunks, _)| chunks > 0).map_or("Nothing", |(_, name)| name)
    }
}

/// Draws the figures.
pub fn rows(ui: &mut Ui, shown: &LoadingFigures) {
    let LoadingFigures { loading, meshing, .. } = *shown;
    let mut row = |label: &str, chunks: usize, colour| {
        typography::single(
            ui,
            label,
            format::count(chunks as u64),
            if chunks == 0 { DIM } else { colour },
        );
    };
    row("To read or generate", loading.queued + loading.in_work, BRIGHT);
    row("Loaded, to take in", loading.ready, AMBER);
    row("To light, wait for neighbours", shown.deferred, BRIGHT);
    row("To light", shown.to_light, BRIGHT);
    row("To mesh", meshing.queued + meshing.in_work, BRIGHT);
    row("Meshed, to upload", meshing.ready, AMBER);
    typography::single(ui, "Lit, times per chunk", format!("{:.2}", shown.lit_times), BRIGHT);
    let missing = shown.missing.map_or_else(|| format::NONE.into(), format::count);
    typography::single(ui, "Not loaded", missing, BRIGHT);
    typography::single(ui, "Loading waits for", shown.waits_for(), AMBER);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loading_waits_for_the_stage_with_most_chunks() {
        let loading = LoadingCounts { queued: 20, in_work: 2, ready: 5 };
        let meshing = WaitingMeshes { queued: 10, in_work: 3, ready: 4 };
        let all = LoadingFigures {
            missing: Some(27),
            loading,
            meshing,
            to_light: 7,
            deferred: 90,
            ..Default::default()
        };
        let none = LoadingFigures::default();
        for (shown, expected) in [
            (all, "Reading"),
            (LoadingFigures { is_generating: true, ..all }, "Generating"),
            (LoadingFigures { to_light: 40, ..all }, "Lighting"),
            (
                LoadingFigures { meshing: WaitingMeshes { ready: 30, ..meshing }, ..all },
                "Frames to take them in",
            ),
            (LoadingFigures { loading: LoadingCounts::default(), ..all }, "Meshing"),
            (LoadingFigures { deferred: 3, missing: Some(3), ..none }, "Neighbours"),
            (LoadingFigures { missing: Some(3), ..none }, "The map file"),
            (none, "Nothing"),
        ] {
            assert_eq!(shown.waits_for(), expected, "{shown:?}");
        }
    }
}
