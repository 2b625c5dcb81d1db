//! The drawn chunks in the main world: changes that wait for the render world, and counters that it
//! returns.

use super::DrawnMesh;
use bevy::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use stonerun_engine::light::LightBricks;
use stonerun_engine::voxel::ChunkPos;

/// A change of the drawn chunks.
pub(super) enum SceneChange {
    /// Draws a chunk with this mesh and light. If it was edited, only the differences are uploaded.
    Show { pos: ChunkPos, mesh: Box<DrawnMesh>, light: LightBricks, edited: bool },
    /// Draws a chunk with other light. Its mesh stays.
    Relight { pos: ChunkPos, light: LightBricks },
    /// Removes a chunk.
    Remove(ChunkPos),
    /// Removes all chunks.
    Clear,
}

/// Decides which chunks are drawn.
#[derive(Clone)]
pub struct DrawFilter {
    /// True for chunks that may be drawn.
    pub draws: Arc<dyn Fn(ChunkPos) -> bool + Send + Sync>,
    /// False to draw chunks outside the view, too.
    pub in_view_only: bool,
}

impl Default for DrawFilter {
    fn default() -> DrawFilter {
        DrawFilter { draws: Arc::new(|_| true), in_view_only: true }
    }
}

/// Figures of the latest frame that was drawn.
#[derive(Debug, Default)]
pub struct DrawCounters {
    /// Chunks drawn for cameras.
    pub chunks: AtomicU64,
    /// Quads drawn for cameras.
    pub quads: AtomicU64,
    /// Quads of all chunks in the buffer. Translucent quads that were split for sorting count once
    /// for each part.
    pub all_quads: AtomicU64,
    /// Draw calls, with shadow maps and prepasses.
    pub calls: AtomicU64,
    /// Bytes of the buffer that chunks use.
    pub used_bytes: AtomicU64,
    /// Bytes of the buffer.
    pub buffer_bytes: AtomicU64,
    /// Maximum size of the buffer in bytes. While it grows or is compacted, two buffers exist.
    pub budget_bytes: AtomicU64,
    /// Bytes written into the buffer since the start.
    pub written_bytes: AtomicU64,
    /// Chunks that were dropped for lack of memory, until the main world takes them.
    pub(super) dropped: Mutex<Vec<ChunkPos>>,
    /// Chunks that have no room for their new light, until the main world takes them.
    pub(super) outgrown: Mutex<Vec<ChunkPos>>,
}

impl DrawCounters {
    pub(super) fn set(counter: &AtomicU64, value: u64) {
        counter.store(value, Ordering::Relaxed);
    }

    /// Reads a counter.
    #[must_use]
    pub fn get(counter: &AtomicU64) -> u64 {
        counter.load(Ordering::Relaxed)
    }
}

/// The drawn chunks.
#[derive(Resource, Default)]
pub struct ChunkScene {
    pub(super) changes: Vec<SceneChange>,
    /// The filter, if it changed.
    pub(super) filter: Option<DrawFilter>,
    /// The chunk of the player: far chunks make room for near ones.
    pub centre: ChunkPos,
    /// Figures of the latest frame.
    pub counters: Arc<DrawCounters>,
}

impl ChunkScene {
    /// Draws a chunk with this mesh and light from the next frame on.
    pub fn show(&mut self, pos: ChunkPos, mesh: DrawnMesh, light: LightBricks, edited: bool) {
        self.changes.push(SceneChange::Show { pos, mesh: Box::new(mesh), light, edited });
    }

    /// Draws a chunk with this light from the next frame on. Its mesh stays.
    pub fn relight(&mut self, pos: ChunkPos, light: LightBricks) {
        self.changes.push(SceneChange::Relight { pos, light });
    }

    /// Stops drawing a chunk.
    pub fn remove(&mut self, pos: ChunkPos) {
        self.changes.push(SceneChange::Remove(pos));
    }

    /// Stops drawing all chunks, and resets the filter.
    pub fn clear(&mut self) {
        self.changes.clear();
        self.changes.push(SceneChange::Clear);
        self.filter = Some(DrawFilter::default());
    }

    /// True if a tenth of the memory for chunks is free.
    #[must_use]
    pub fn has_room(&self) -> bool {
        let [used, budget] =
            [&self.counters.used_bytes, &self.counters.budget_bytes].map(DrawCounters::get);
        used < budget / 10 * 9
    }

    /// Chunks that were dropped for lack of memory since the last call.
    #[must_use]
    pub fn take_dropped(&mut self) -> Vec<ChunkPos> {
        take(&self.counters.dropped)
    }

    /// Chunks that had no room for the light of [`ChunkScene::relight`] since the last call. Their
    /// mesh must be shown again.
    #[must_use]
    pub fn take_outgrown(&mut self) -> Vec<ChunkPos> {
        take(&self.counters.outgrown)
    }

    /// Draws only chunks that `filter` allows.
    pub fn set_filter(&mut self, filter: DrawFilter) {
        self.filter = Some(filter);
    }
}

fn take(list: &Mutex<Vec<ChunkPos>>) -> Vec<ChunkPos> {
    list.lock().map(|mut list| std::mem::take(&mut *list)).unwrap_or_default()
}
