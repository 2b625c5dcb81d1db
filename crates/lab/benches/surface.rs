//! The surfaces of smooth ground, compared with `fast-surface-nets` on the same stored chunks, and
//! the time from an edit to the new surface.
//!
//! `cargo bench --bench surface [-- INPUT...]` takes maps and importable files; without an input,
//! the worlds that `stonerun lab surface` generates.

use std::path::Path;
use std::time::{Duration, Instant};
use stonerun_engine::surface::build;
use stonerun_engine::voxel::{ChunkPos, Voxel, linear_offset};
use stonerun_lab::surface::{GameMesher, SurfaceInput, fast_surface_nets, measure};

/// Number of rounds, the median of which counts.
const ROUNDS: usize = 9;
/// Number of edited voxels.
const EDITS: usize = 2000;

/// Median time from an edit of one voxel to the surfaces of all chunks that it changes.
fn edit_time(input: &SurfaceInput) -> Duration {
    if input.chunks.is_empty() {
        return Duration::ZERO;
    }
    let mut world = input.world.clone();
    let mut times: Vec<Duration> = Vec::with_capacity(EDITS);
    for edit in 0..EDITS {
        let (pos, chunk) = &input.chunks[edit * 7 % input.chunks.len()];
        // A voxel at the surface: the first one that differs from the voxel below it.
        let middle = chunk.borrowed().chunks[stonerun_engine::voxel::MOORE_CENTRE];
        let Some(tree) = middle else { continue };
        let column = edit * 37 % 1024;
        let height =
            (1..32).find(|y| tree.get(column + 1024 * y) != tree.get(column + 1024 * (y - 1)));
        let Some(height) = height else { continue };
        let at = pos.origin() + linear_offset(column + 1024 * height);
        let start = Instant::now();
        world.set(at, Voxel::new(1, (edit % 255) as u8));
        for near in pos.moore_neighbourhood().filter(|near| touches(*near, at)) {
            let surface = build(near, &world.neighbourhood(near).borrowed(), &input.materials);
            std::hint::black_box(surface);
        }
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// True if a voxel lies in a chunk or within two voxels of it.
fn touches(chunk: ChunkPos, at: glam::IVec3) -> bool {
    let offset = at - chunk.origin();
    offset.min_element() >= -2 && offset.max_element() < 34
}

fn main() {
    let paths: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let mut inputs = Vec::new();
    for path in &paths {
        match SurfaceInput::from_file(Path::new(path), &mut |_| {}) {
            Ok(input) => inputs.push(input),
            Err(error) => {
                eprintln!("{error}");
                std::process::exit(1);
            }
        }
    }
    if inputs.is_empty() {
        inputs = SurfaceInput::built_in();
    }
    for input in &inputs {
        let mut meshers = [Box::new(GameMesher::new(input)) as _, fast_surface_nets(input)];
        let rows = measure(input, &mut meshers, ROUNDS, &mut |_| {});
        for row in &rows {
            println!(
                "{:<24} {:>4} chunks {:<18} {:>7.1} us per chunk ({:.2}) {:>9} triangles ({:.2})",
                row.input,
                input.chunks.len(),
                row.mesher,
                row.us_per_chunk,
                rows[0].us_per_chunk / row.us_per_chunk,
                row.triangles,
                rows[0].triangles as f64 / row.triangles as f64
            );
        }
        println!("{:<24} one voxel edited: {:?}", input.name, edit_time(input));
    }
}
