//! Runs, fused runs and quads of the chunks that have a mesh, kept up to date for the page *Mesh*.
//!
//! The Moore walk of a chunk takes longer than its mesh, so it is not part of meshing. Only while
//! the page is shown, chunks with a new mesh are counted in the background, one batch at a time and
//! the crosshair's chunk first. Each chunk is meshed and walked from one snapshot, so that its
//! figures belong together.

use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::inspect::panel::surveyed_figures::{SurveyedChunk, SurveyedFigures};
use crate::game::player::crosshair::Crosshair;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::session::{Edits, OpenMap};
use bevy::prelude::*;
use std::sync::Arc;
use stonerun_engine::mesh::{FaceMaterials, build};
use stonerun_engine::metrics::RunStats;
use stonerun_engine::voxel::ChunkPos;
use stonerun_engine::world::{ChunkNeighbourhood, World};

/// Number of chunks per background task: a few milliseconds of work, and few snapshots that a frame
/// must take.
const BATCH: usize = 16;

/// A chunk to count.
struct ChunkToCount {
    pos: ChunkPos,
    revision: u64,
    chunks: ChunkNeighbourhood,
}

/// Figures of the chunks that have a mesh.
#[derive(Resource, Default)]
pub struct RunCounts {
    figures: SurveyedFigures<RunStats>,
    /// Chunks with a mesh at the last survey.
    meshed: u64,
}

impl RunCounts {
    /// Sums over the chunks counted so far.
    #[must_use]
    pub fn sum(&self) -> RunStats {
        self.figures.sum()
    }

    /// Number of chunks with a mesh. [`RunCounts::sum`] may not cover all of them yet.
    #[must_use]
    pub fn meshed(&self) -> u64 {
        self.meshed
    }

    /// Figures of one chunk, if counted.
    #[must_use]
    pub fn of_chunk(&self, pos: ChunkPos) -> Option<RunStats> {
        self.figures.of_chunk(pos)
    }

    /// True if the sums cover all meshes in their present state.
    #[must_use]
    pub fn is_complete(&self, meshes: &ChunkMeshes) -> bool {
        self.figures.is_complete(meshes.revision())
    }

    /// Applies a finished batch and starts the next one, which begins with the chunk at `first` if
    /// it is due. `seconds` is the time since the last call.
    fn advance(
        &mut self,
        world: &World,
        meshes: &ChunkMeshes,
        materials: &Arc<FaceMaterials>,
        first: ChunkPos,
        seconds: f32,
    ) {
        let revision_of = |pos| meshes.shown_in(pos);
        if !self.figures.take_batch(seconds, revision_of) {
            return;
        }
        if self.figures.is_survey_due(meshes.revision()) {
            self.meshed = self.figures.survey(meshes.revision(), meshes.meshed(), revision_of);
        }
        self.start_batch(world, meshes, materials, first);
    }

    fn start_batch(
        &mut self,
        world: &World,
        meshes: &ChunkMeshes,
        materials: &Arc<FaceMaterials>,
        first: ChunkPos,
    ) {
        let mut batch: Vec<ChunkToCount> = Vec::new();
        let mut next = Some(first);
        while let Some(pos) = next {
            // A chunk may have been counted before its turn, as the crosshair's chunk.
            if let Some(revision) = meshes.shown_in(pos)
                && !self.figures.is_current(pos, Some(revision))
            {
                batch.push(ChunkToCount { pos, revision, chunks: world.neighbourhood(pos) });
            }
            next = if batch.len() < BATCH { self.figures.next_due() } else { None };
        }
        if !batch.is_empty() {
            let materials = Arc::clone(materials);
            self.figures.start(move || count_all(&batch, &materials));
        }
    }
}

fn count_all(
    batch: &[ChunkToCount],
    materials: &FaceMaterials,
) -> Vec<(ChunkPos, SurveyedChunk<RunStats>)> {
    let count = |&ChunkToCount { pos, revision, ref chunks }: &ChunkToCount| {
        let chunks = chunks.borrowed();
        let figures = RunStats::new(&chunks, build(pos, &chunks, materials).quad_count());
        (pos, SurveyedChunk { revision, figures })
    };
    batch.iter().map(count).collect()
}

/// Applies and starts background batches while the page is shown.
pub(super) fn count(
    map: Res<OpenMap>,
    edits: Res<Edits>,
    meshes: Res<ChunkMeshes>,
    crosshair: Res<Crosshair>,
    time: Res<Time<Real>>,
    mut counts: ResMut<RunCounts>,
    mut timings: ResMut<FrameTimings>,
) {
    timings.time(FrameStage::Interface, || {
        counts.advance(
            edits.world(),
            &meshes,
            &map.face_materials,
            crosshair.chunk,
            time.delta_secs(),
        );
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::inspect::panel::surveyed_figures::SURVEY;
    use bevy::tasks::{AsyncComputeTaskPool, TaskPool};
    use std::time::{Duration, Instant};
    use stonerun_engine::terrain::{Generator, TerrainKind};
    use stonerun_engine::voxel::{Box3, MaterialTable, Voxel};
    use stonerun_engine::world::Chunk;
    use stonerun_lab::mesh::{MeshInput, game_mesher, measure};

    /// Generated chunks within two layers of air and rock, so that the chunks inside have all
    /// neighbours.
    fn world(materials: &MaterialTable) -> World {
        let generator = Generator::new(5, TerrainKind::Continents, materials);
        let inside = Box3 { min: IVec3::new(-32, 0, -64), max: IVec3::new(64, 64, 64) };
        let mut world = World::new();
        for pos in (Box3 { min: inside.min - 32, max: inside.max + 32 }).chunks() {
            let rim = if pos.y < 0 { Voxel::full(1) } else { Voxel::AIR };
            let chunk = if inside.contains(pos.origin()) {
                generator.chunk(pos)
            } else {
                Chunk::uniform(rim)
            };
            world.insert(pos, chunk);
        }
        world
    }

    fn is_inside(world: &World, pos: ChunkPos) -> bool {
        pos.moore_neighbourhood().all(|near| world.is_loaded(near))
    }

    fn settle(
        counts: &mut RunCounts,
        world: &World,
        meshes: &ChunkMeshes,
        materials: &Arc<FaceMaterials>,
    ) {
        let start = Instant::now();
        while !counts.is_complete(meshes) {
            counts.advance(world, meshes, materials, ChunkPos::default(), SURVEY);
            std::thread::sleep(Duration::from_millis(1));
            assert!(start.elapsed() < Duration::from_secs(120), "never complete");
        }
    }

    /// Counts all chunks that have a mesh one by one, and returns the sum.
    fn fresh(world: &World, meshes: &ChunkMeshes, materials: &FaceMaterials) -> RunStats {
        let mut sum = RunStats::default();
        for pos in meshes.meshed() {
            let neighbourhood = world.neighbourhood(pos);
            let quads = build(pos, &neighbourhood.borrowed(), materials).quad_count();
            sum.add(RunStats::new(&neighbourhood.borrowed(), quads));
        }
        sum
    }

    #[test]
    fn counts_equal_those_of_the_laboratory_for_the_same_world() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let table = MaterialTable::builtin();
        let world = world(&table);
        let materials = Arc::new(FaceMaterials::new(&table));
        let mut counts = RunCounts::default();
        let mut meshes = ChunkMeshes::default();
        let chunks: Vec<ChunkPos> =
            world.chunks().map(|(pos, _)| pos).filter(|&pos| is_inside(&world, pos)).collect();
        for &pos in &chunks {
            meshes.show_empty(pos);
        }
        settle(&mut counts, &world, &meshes, &materials);
        assert_eq!(
            (counts.sum().chunks, counts.meshed()),
            (chunks.len() as u64, chunks.len() as u64)
        );
        assert_eq!(counts.sum(), fresh(&world, &meshes, &materials));

        // `stonerun lab` leaves out uniform chunks, so they are removed here.
        let is_uniform =
            |pos: ChunkPos| world.chunk(pos).is_some_and(|chunk| chunk.as_uniform().is_some());
        for &pos in chunks.iter().filter(|&&pos| is_uniform(pos)) {
            meshes.take_away(pos);
        }
        settle(&mut counts, &world, &meshes, &materials);
        let input = MeshInput::from_world("world".to_owned(), &world, table);
        let row = &measure(&input, &mut [game_mesher(&materials)], 1, &mut |_| ())[0];
        let sum = counts.sum();
        assert_eq!(sum.chunks, input.chunks.len() as u64);
        assert_eq!((sum.runs, sum.fused_runs, sum.quads), (row.runs, row.fused_runs, row.quads));
        assert_eq!(sum.quads_per_fused_run(), row.quads_per_fused_run);
        assert!(sum.quads > 1000 && sum.fused_runs > sum.runs, "{sum:?}");
    }

    #[test]
    fn counts_follow_edits_and_unloaded_chunks() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let table = MaterialTable::builtin();
        let mut world = world(&table);
        let materials = Arc::new(FaceMaterials::new(&table));
        let mut counts = RunCounts::default();
        let mut meshes = ChunkMeshes::default();
        let chunks: Vec<ChunkPos> =
            world.chunks().map(|(pos, _)| pos).filter(|&pos| is_inside(&world, pos)).collect();
        for &pos in &chunks {
            meshes.show_empty(pos);
        }
        settle(&mut counts, &world, &meshes, &materials);
        let before = counts.sum();
        // An edit at the corner of eight chunks, all of which are meshed again.
        world.set(IVec3::new(32, 32, 32), Voxel::full(9));
        for pos in Box3::spanning(IVec3::splat(31), IVec3::splat(32)).chunks() {
            meshes.show_empty(pos);
        }
        assert!(!counts.is_complete(&meshes));
        settle(&mut counts, &world, &meshes, &materials);
        assert_ne!(counts.sum(), before);
        assert_eq!(counts.sum(), fresh(&world, &meshes, &materials));
        for &pos in chunks.iter().step_by(2) {
            meshes.take_away(pos);
        }
        settle(&mut counts, &world, &meshes, &materials);
        assert_eq!(counts.sum(), fresh(&world, &meshes, &materials));
        assert_eq!((counts.of_chunk(chunks[0]), counts.meshed()), (None, chunks.len() as u64 / 2));
    }
}
