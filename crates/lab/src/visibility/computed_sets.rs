//! The visible sets under test, and the chunks and rooms that they lack although rays reach them.

use super::ray_scene::RayScene;
use stonerun_engine::visibility::{Cell, Sweeper, VisibleSet, refine};

/// The visible sets of one cell.
#[derive(Clone, Debug)]
pub struct ComputedSets {
    /// Chunks and rooms that the sweep found.
    pub sweep: VisibleSet,
    /// Chunks that remain after refining, one bit per chunk of the graph.
    pub refined: Vec<u64>,
}

impl ComputedSets {
    /// Sweeps and refines a cell of the viewer's chunk.
    #[must_use]
    pub fn refined(scene: &RayScene, cell: &Cell, sweeper: &mut Sweeper) -> ComputedSets {
        let ComputedSets { sweep, .. } = ComputedSets::swept(scene, cell, sweeper);
        let refined = refine(scene.graph().occlusion(), scene.centre(), cell, &sweep.chunks);
        ComputedSets { sweep, refined }
    }

    /// Sweeps a cell of the viewer's chunk. The refined set equals the sweep's set.
    #[must_use]
    pub fn swept(scene: &RayScene, cell: &Cell, sweeper: &mut Sweeper) -> ComputedSets {
        let sweep = sweeper.sweep(scene.graph(), scene.centre(), cell, scene.view()).clone();
        ComputedSets { refined: sweep.chunks.clone(), sweep }
    }
}

/// Chunks and rooms that rays reached although a visible set lacks them.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Misses {
    /// Number of chunks missing in the sweep's set.
    pub chunks: u64,
    /// Number of rooms missing in the sweep's set.
    pub rooms: u64,
    /// Number of chunks missing in the refined set, but not in the sweep's set.
    pub refined: u64,
    /// Descriptions of the first misses, one line each.
    pub first: Vec<String>,
}

impl Misses {
    /// Maximum number of descriptions.
    pub(super) const MAX_DESCRIPTIONS: usize = 5;

    /// Number of all misses.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.chunks + self.rooms + self.refined
    }

    /// Adds the misses of `other`.
    pub fn add(&mut self, other: Misses) {
        self.chunks += other.chunks;
        self.rooms += other.rooms;
        self.refined += other.refined;
        self.first.extend(other.first);
        self.first.truncate(Misses::MAX_DESCRIPTIONS);
    }
}
