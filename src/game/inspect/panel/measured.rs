//! Bytes of the loaded chunks in each format of the storage table, kept up to date.
//!
//! New and changed chunks are measured in the background, only while a page shows them. The chunk
//! under the crosshair is measured at once.

use crate::game::inspect::panel::surveyed_figures::{SurveyedChunk, SurveyedFigures};
use crate::game::player::crosshair::Crosshair;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::session::Edits;
use bevy::prelude::*;
use stonerun_engine::edit::EditableWorld;
use stonerun_engine::metrics::storage::{Sizer, Sizes};
use stonerun_engine::voxel::ChunkPos;
use stonerun_engine::world::Chunk;

/// Number of chunks per background task: a few milliseconds of work, so that streaming does not
/// queue behind it.
const BATCH: usize = 64;

/// Sizes of the loaded chunks.
#[derive(Resource, Default)]
pub struct MeasuredSizes {
    figures: SurveyedFigures<Sizes>,
    /// Sizer for chunks that are measured at once.
    sizer: Sizer,
}

impl MeasuredSizes {
    /// Sums over the chunks measured so far.
    #[must_use]
    pub fn sum(&self) -> Sizes {
        self.figures.sum()
    }

    /// Sizes of one chunk, if measured.
    #[must_use]
    pub fn of_chunk(&self, pos: ChunkPos) -> Option<Sizes> {
        self.figures.of_chunk(pos)
    }

    /// True if the sums cover all loaded chunks in their present state.
    #[must_use]
    pub fn is_complete(&self, world: &EditableWorld) -> bool {
        self.figures.is_complete(world.revision())
    }

    /// Applies a finished batch and starts the next; `seconds` have passed since the last call.
    fn advance(&mut self, world: &EditableWorld, seconds: f32) {
        let revision_of = |pos| world.chunk_revision(pos);
        if !self.figures.take_batch(seconds, revision_of) {
            return;
        }
        if self.figures.is_survey_due(world.revision()) {
            let loaded = world.world().chunks().map(|(pos, _)| pos);
            self.figures.survey(world.revision(), loaded, revision_of);
        }
        let mut batch = Vec::new();
        while batch.len() < BATCH
            && let Some(pos) = self.figures.next_due()
        {
            let Some(chunk) = world.world().chunk(pos) else { continue };
            let Some(revision) = world.chunk_revision(pos) else { continue };
            // The chunk may have been measured under the crosshair meanwhile.
            if !self.figures.is_current(pos, Some(revision)) {
                batch.push((pos, revision, chunk.clone()));
            }
        }
        if !batch.is_empty() {
            self.figures.start(|| measure_all(batch));
        }
    }

    /// Measures the chunk at `pos` now, if it is loaded and has changed.
    fn measure(&mut self, world: &EditableWorld, pos: ChunkPos) {
        if let (Some(chunk), Some(revision)) = (world.world().chunk(pos), world.chunk_revision(pos))
            && !self.figures.is_current(pos, Some(revision))
        {
            let figures = self.sizer.measure(chunk);
            self.figures.put(pos, SurveyedChunk { revision, figures });
        }
    }
}

fn measure_all(batch: Vec<(ChunkPos, u64, Chunk)>) -> Vec<(ChunkPos, SurveyedChunk<Sizes>)> {
    let mut sizer = Sizer::new();
    batch
        .into_iter()
        .map(|(pos, revision, chunk)| {
            (pos, SurveyedChunk { revision, figures: sizer.measure(&chunk) })
        })
        .collect()
}

/// Measures the chunk under the crosshair, and continues the background batches.
pub fn measure(
    edits: Res<Edits>,
    crosshair: Res<Crosshair>,
    time: Res<Time<Real>>,
    mut measured: ResMut<MeasuredSizes>,
    mut timings: ResMut<FrameTimings>,
) {
    timings.time(FrameStage::Interface, || {
        measured.measure(&edits, crosshair.chunk);
        measured.advance(&edits, time.delta_secs());
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::inspect::panel::surveyed_figures::SURVEY;
    use bevy::tasks::{AsyncComputeTaskPool, TaskPool};
    use glam::IVec3;
    use std::time::{Duration, Instant};
    use stonerun_engine::history::History;
    use stonerun_engine::voxel::Voxel;

    /// Half ground, half air; slightly different at each position.
    fn ground(pos: ChunkPos) -> Chunk {
        let height = 9000 + 40 * pos.x as u32;
        Chunk::from_runs([
            (height, Voxel::full(1)),
            (500, Voxel::full(2)),
            (32768 - 500 - height, Voxel::AIR),
        ])
    }

    /// A world of 150 chunks, which are more than one batch.
    fn world() -> EditableWorld {
        let mut world = EditableWorld::new(History::new(usize::MAX));
        for i in 0..150 {
            let pos = ChunkPos::new(i % 30, i / 30, 0);
            assert!(world.load_chunk(pos, ground(pos)));
        }
        world
    }

    fn settle(measured: &mut MeasuredSizes, world: &EditableWorld) {
        let start = Instant::now();
        while !measured.is_complete(world) {
            measured.advance(world, SURVEY);
            std::thread::sleep(Duration::from_millis(1));
            assert!(start.elapsed() < Duration::from_secs(120), "never complete");
        }
    }

    /// Measures all chunks one by one, compares each with the stored sizes, and returns the sum.
    fn fresh(measured: &MeasuredSizes, world: &EditableWorld) -> Sizes {
        let mut sum = Sizes::default();
        let mut sizer = Sizer::new();
        for (pos, chunk) in world.world().chunks() {
            let sizes = sizer.measure(chunk);
            assert_eq!(measured.of_chunk(pos), Some(sizes), "{pos:?}");
            sum.add(&sizes);
        }
        assert_eq!(measured.figures.len(), world.world().len());
        sum
    }

    #[test]
    fn sums_cover_all_loaded_chunks() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let mut world = world();
        let mut measured = MeasuredSizes::default();
        assert!(!measured.is_complete(&world));
        settle(&mut measured, &world);
        assert_eq!(measured.sum(), fresh(&measured, &world));
        assert_eq!((measured.sum().chunks, measured.sum().voxels), (150, 150 * 32768));

        // Chunks change in place, one of them more than once.
        let before = measured.sum();
        for at in [IVec3::new(40, 3, 3), IVec3::new(41, 3, 3), IVec3::new(0, 100, 0)] {
            world.set(at, Voxel::full(9));
        }
        assert!(!measured.is_complete(&world));
        settle(&mut measured, &world);
        assert_eq!(measured.sum(), fresh(&measured, &world));
        assert_ne!(measured.sum(), before);

        // A chunk is unloaded and loaded with other content while a batch is measured.
        let west = ChunkPos::new(-5, 0, 0);
        world.load_chunk(west, ground(ChunkPos::new(7, 0, 0)));
        measured.advance(&world, SURVEY);
        world.unload_chunk(west);
        world.load_chunk(west, Chunk::uniform(Voxel::full(3)));
        for x in 0..30 {
            world.unload_chunk(ChunkPos::new(x, 2, 0));
        }
        world.load_chunk(ChunkPos::new(3, 2, 0), Chunk::uniform(Voxel::AIR));
        settle(&mut measured, &world);
        assert_eq!(measured.sum(), fresh(&measured, &world));
        assert_eq!((measured.sum().chunks, measured.sum().air), (122, 1));

        // Shrinking, as saving does, frees memory that edits left unused.
        for x in 0..40 {
            world.set(IVec3::new(288 + 2 * x % 32, 5, 5 + x / 16), Voxel::AIR);
        }
        settle(&mut measured, &world);
        for x in 9..11 {
            world.shrink_chunk(ChunkPos::new(x, 0, 0));
        }
        settle(&mut measured, &world);
        assert_eq!(measured.sum(), fresh(&measured, &world));
    }

    #[test]
    fn chunk_under_the_crosshair_is_measured_at_once_and_counted_once() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let mut world = world();
        let mut measured = MeasuredSizes::default();
        let pos = ChunkPos::new(1, 0, 0);
        measured.measure(&world, pos);
        assert_eq!(measured.of_chunk(pos), Some(Sizer::new().measure(&ground(pos))));
        assert_eq!(measured.sum().chunks, 1);
        // The chunk is due in a batch, too, but must be counted once.
        measured.advance(&world, SURVEY);
        world.set(IVec3::new(40, 3, 3), Voxel::full(9));
        measured.measure(&world, pos);
        assert_eq!(
            measured.of_chunk(pos),
            world.world().chunk(pos).map(|chunk| Sizer::new().measure(chunk))
        );
        settle(&mut measured, &world);
        assert_eq!(measured.sum(), fresh(&measured, &world));
        // A chunk that is not loaded cannot be measured.
        measured.measure(&world, ChunkPos::new(0, 50, 0));
        assert_eq!(measured.of_chunk(ChunkPos::new(0, 50, 0)), None);
    }
}
