//! Meshing of up to 200 chunks: time per chunk, number of quads, bytes on the graphics card, and
//! quads per fused run.
//!
//! Meshers take turns at each chunk, in one thread, so that noise of the machine affects all of
//! them. `benches/mesh.rs` adds other crates' meshers.

mod inputs;

pub use inputs::MeshInput;

use serde::Serialize;
use std::time::{Duration, Instant};
use stonerun_engine::mesh::{FaceMaterials, build};
use stonerun_engine::metrics::RunStats;
use stonerun_engine::runs::moore::ChunkNeighbourhoodRef;
use stonerun_engine::voxel::ChunkPos;

/// Size of a mesh.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MeshFigures {
    /// Number of quads.
    pub quads: usize,
    /// Size of the quads on the graphics card, in bytes.
    pub gpu_bytes: usize,
}

/// A mesher under measurement.
pub struct Mesher<'a> {
    /// Name in the table.
    pub name: &'static str,
    /// Function that meshes the middle chunk.
    pub mesh: Box<dyn FnMut(&ChunkNeighbourhoodRef<'_>) -> MeshFigures + 'a>,
}

/// Row of the table of meshers. Field names appear in the JSON output.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct MeshMeasurement {
    /// Name of the input.
    pub input: String,
    /// Name of the mesher.
    pub mesher: &'static str,
    /// Mean time per chunk in microseconds, the median of the rounds.
    pub us_per_chunk: f64,
    /// Number of quads of all chunks.
    pub quads: u64,
    /// Size of the quads on the graphics card, in bytes.
    pub gpu_bytes: u64,
    /// Number of runs of all chunks.
    pub runs: u64,
    /// Number of fused runs of all chunks.
    pub fused_runs: u64,
    /// Quads per fused run.
    pub quads_per_fused_run: f64,
}

/// The game's mesher.
#[must_use]
pub fn game_mesher(face_materials: &FaceMaterials) -> Mesher<'_> {
    let mesh = |chunks: &ChunkNeighbourhoodRef<'_>| {
        // Only models on smooth ground depend on the place.
        let mesh = build(ChunkPos::default(), chunks, face_materials);
        MeshFigures { quads: mesh.quad_count(), gpu_bytes: mesh.gpu_bytes() }
    };
    Mesher { name: "stonerun", mesh: Box::new(mesh) }
}

/// Meshes all chunks of `input` with all `meshers` in `rounds` rounds, after one round to warm up.
/// `progress` receives the completed share, from 0 to 1.
pub fn measure(
    input: &MeshInput,
    meshers: &mut [Mesher<'_>],
    rounds: usize,
    progress: &mut dyn FnMut(f32),
) -> Vec<MeshMeasurement> {
    let mut times = vec![Vec::with_capacity(rounds); meshers.len()];
    let mut sums = vec![MeshFigures::default(); meshers.len()];
    for round in 0..=rounds {
        let mut elapsed = vec![Duration::ZERO; meshers.len()];
        sums.fill(MeshFigures::default());
        for (i, chunk) in input.chunks.iter().enumerate() {
            let chunk = chunk.borrowed();
            // The first mesher finds the chunk outside the processor's cache, so the order rotates.
            for turn in 0..meshers.len() {
                let number = (turn + i + round) % meshers.len();
                let start = Instant::now();
                let figures = (meshers[number].mesh)(&chunk);
                elapsed[number] += start.elapsed();
                sums[number].quads += figures.quads;
                sums[number].gpu_bytes += figures.gpu_bytes;
            }
            progress((round as f32 + i as f32 / input.chunks.len() as f32) / (rounds + 1) as f32);
        }
        if round > 0 {
            for (times, elapsed) in times.iter_mut().zip(elapsed) {
                times.push(elapsed);
            }
        }
    }
    let mut runs = RunStats::default();
    for chunk in &input.chunks {
        runs.add(RunStats::new(&chunk.borrowed(), 0));
    }
    meshers
        .iter()
        .zip(times)
        .zip(sums)
        .map(|((mesher, mut times), sum)| {
            times.sort_unstable();
            let median = times.get(times.len() / 2).copied().unwrap_or_default();
            let stats = RunStats { quads: sum.quads as u64, ..runs };
            MeshMeasurement {
                input: input.name.clone(),
                mesher: mesher.name,
                us_per_chunk: median.as_secs_f64() * 1e6 / input.chunks.len().max(1) as f64,
                quads: stats.quads,
                gpu_bytes: sum.gpu_bytes as u64,
                runs: stats.runs,
                fused_runs: stats.fused_runs,
                quads_per_fused_run: stats.quads_per_fused_run(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::{ChunkPos, MaterialTable, Voxel};
    use stonerun_engine::world::{Chunk, World};

    #[test]
    fn figures_are_sums_over_the_chunks_of_one_round() {
        let mut world = World::new();
        for x in [0, 5] {
            world.insert(
                ChunkPos::new(x, 0, 0),
                Chunk::from_runs([(1, Voxel::full(1)), (32_767, Voxel::AIR)]),
            );
        }
        world.insert(ChunkPos::new(9, 0, 0), Chunk::uniform(Voxel::full(1)));
        let input = MeshInput::from_world("two".to_owned(), &world, MaterialTable::builtin());
        assert_eq!(input.chunks.len(), 2, "a uniform chunk is not measured");
        let face_materials = FaceMaterials::new(&input.materials);
        let mut shares = Vec::new();
        let mut meshers = [game_mesher(&face_materials)];
        let rows = measure(&input, &mut meshers, 3, &mut |share| shares.push(share));
        // A quad has 8 bytes. The dark voxel of each chunk takes 81 row words and one brick.
        assert_eq!((rows.len(), rows[0].quads), (1, 12));
        assert_eq!(rows[0].gpu_bytes, 12 * 8 + 2 * 4 * (81 + 2));
        // Each chunk has two runs, a stone and the air after it. The air has several neighbourhoods
        // next to the stone and at the borders, and each makes fused runs of its own.
        assert_eq!(rows[0].runs, 4);
        let counted = input.chunks.iter().map(|chunk| RunStats::new(&chunk.borrowed(), 6));
        let fused: Vec<u64> = counted.map(|stats| stats.fused_runs).collect();
        assert!(fused[0] > 100 && fused[0] == fused[1], "{fused:?}");
        assert_eq!(
            (rows[0].fused_runs, rows[0].quads_per_fused_run),
            (2 * fused[0], 6.0 / fused[0] as f64)
        );
        assert!(
            rows[0].us_per_chunk > 0.0 && shares.windows(2).all(|pair| pair[0] < pair[1]),
            "{shares:?}"
        );
    }
}
