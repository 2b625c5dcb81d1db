//! Surfaces of smooth ground: time per chunk, triangles, vertices, bytes on the graphics card, and
//! open edges.
//!
//! Meshers take turns at each chunk, in one thread, so that they share the noise of the machine.

mod inputs;
mod open_edges;
mod rival;

pub use inputs::SurfaceInput;
pub use rival::fast_surface_nets;

use glam::IVec3;
use serde::Serialize;
use std::time::{Duration, Instant};
use stonerun_engine::runs::moore::ChunkNeighbourhoodRef;
use stonerun_engine::surface::{PackedSurfaceVertex, build};
use stonerun_engine::voxel::ChunkPos;

/// Size of a surface.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SurfaceFigures {
    /// Number of triangles.
    pub triangles: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// Bytes of vertices and indices on the graphics card.
    pub gpu_bytes: usize,
}

/// Corners of a triangle in 256ths of a voxel, equal for equal positions.
pub type Triangle = [IVec3; 3];

/// A mesher under measurement.
pub trait SurfaceMesher {
    /// Name in the table.
    fn name(&self) -> &'static str;

    /// Meshes the middle chunk.
    fn mesh(&mut self, pos: ChunkPos, chunks: &ChunkNeighbourhoodRef<'_>) -> SurfaceFigures;

    /// Passes the triangles of the mesh that was built last to `each`, in 256ths of a voxel from
    /// the centre of the world's voxel 0.
    fn triangles(&self, pos: ChunkPos, each: &mut dyn FnMut(Triangle));
}

/// Row of the table of surfaces. Field names appear in the JSON output.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct SurfaceMeasurement {
    /// Name of the input.
    pub input: String,
    /// Name of the mesher.
    pub mesher: &'static str,
    /// Mean time per chunk in microseconds, the median of the rounds.
    pub us_per_chunk: f64,
    /// Triangles of all chunks.
    pub triangles: u64,
    /// Vertices of all chunks.
    pub vertices: u64,
    /// Bytes of vertices and indices on the graphics card.
    pub gpu_bytes: u64,
    /// Edges, in all chunks of the input, that do not belong to two triangles, except at cubes and
    /// next to chunks that are not loaded.
    pub open_edges: u64,
}

/// The game's mesher.
pub struct GameMesher<'a> {
    input: &'a SurfaceInput,
    mesh: stonerun_engine::surface::SurfaceMesh,
}

impl<'a> GameMesher<'a> {
    /// The mesher for the materials of an input.
    #[must_use]
    pub fn new(input: &'a SurfaceInput) -> GameMesher<'a> {
        GameMesher { input, mesh: Default::default() }
    }
}

impl SurfaceMesher for GameMesher<'_> {
    fn name(&self) -> &'static str {
        "stonerun"
    }

    fn mesh(&mut self, pos: ChunkPos, chunks: &ChunkNeighbourhoodRef<'_>) -> SurfaceFigures {
        self.mesh = build(pos, chunks, &self.input.materials);
        SurfaceFigures {
            triangles: self.mesh.triangle_count(),
            vertices: self.mesh.vertices.len(),
            gpu_bytes: self.mesh.vertices.len() * PackedSurfaceVertex::BYTES
                + size_of_val(&self.mesh.quads[..]),
        }
    }

    fn triangles(&self, pos: ChunkPos, each: &mut dyn FnMut(Triangle)) {
        let origin = (pos.origin() - IVec3::ONE) * 256;
        let at = |corner: u32| origin + self.mesh.vertices[corner as usize].unpack().at;
        for &[a, b, c, d] in &self.mesh.quads {
            each([a, b, c].map(at));
            if c != d {
                each([a, c, d].map(at));
            }
        }
    }
}

/// Meshes all chunks of `input` with all `meshers`, `rounds` times after one round to warm up.
/// `progress` receives the completed share, from 0 to 1.
pub fn measure(
    input: &SurfaceInput,
    meshers: &mut [Box<dyn SurfaceMesher + '_>],
    rounds: usize,
    progress: &mut dyn FnMut(f32),
) -> Vec<SurfaceMeasurement> {
    let mut times = vec![Vec::with_capacity(rounds); meshers.len()];
    let mut sums = vec![SurfaceFigures::default(); meshers.len()];
    for round in 0..=rounds {
        let mut elapsed = vec![Duration::ZERO; meshers.len()];
        sums.fill(SurfaceFigures::default());
        for (i, (pos, chunk)) in input.chunks.iter().enumerate() {
            let chunk = chunk.borrowed();
            // The first one finds the chunk outside the processor's cache.
            for turn in 0..meshers.len() {
                let number = (turn + i + round) % meshers.len();
                let start = Instant::now();
                let figures = meshers[number].mesh(*pos, &chunk);
                elapsed[number] += start.elapsed();
                sums[number].triangles += figures.triangles;
                sums[number].vertices += figures.vertices;
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
    let mut rows = Vec::new();
    for ((mesher, mut times), sum) in meshers.iter_mut().zip(times).zip(sums) {
        times.sort_unstable();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        rows.push(SurfaceMeasurement {
            input: input.name.clone(),
            mesher: mesher.name(),
            us_per_chunk: median.as_secs_f64() * 1e6 / input.chunks.len().max(1) as f64,
            triangles: sum.triangles as u64,
            vertices: sum.vertices as u64,
            gpu_bytes: sum.gpu_bytes as u64,
            open_edges: open_edges::count(input, mesher.as_mut()),
        });
    }
    rows
}
