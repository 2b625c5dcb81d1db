//! The surfaces of smooth ground, compared with `fast-surface-nets` on the same stored chunks, the
//! time from an edit to the new surface, and the times of a walking body and of a ray over it.
//!
//! `cargo bench --bench surface [-- INPUT...]` takes maps and importable files; without an input,
//! the worlds that `stonerun lab surface` generates.

use glam::{DVec2, DVec3};
use std::path::Path;
use std::time::{Duration, Instant};
use stonerun_engine::body::picking::{REACH, pick};
use stonerun_engine::body::walking::{Intent, Walker};
use stonerun_engine::surface::build;
use stonerun_engine::voxel::{ChunkPos, Voxel, linear_offset};
use stonerun_lab::surface::{GameMesher, SurfaceInput, fast_surface_nets, measure};

/// Number of rounds, the median of which counts.
const ROUNDS: usize = 9;
/// Number of edited voxels.
const EDITS: usize = 2000;
/// Number of ticks of a walking body.
const TICKS: u32 = 100_000;

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

/// Median times of a tick of a 60th of a second, in which a body walks on the ground, and of a ray
/// from its eyes to the ground.
fn body_times(input: &SurfaceInput) -> [Duration; 2] {
    let mut ticks = Vec::new();
    let mut rays = Vec::new();
    let mut walker = Walker::default();
    for tick in 0..TICKS {
        if tick % 500 == 0 {
            let (pos, _) = &input.chunks[tick as usize / 500 * 7 % input.chunks.len()];
            walker = Walker::at(pos.origin().as_dvec3() + DVec3::new(16.3, 33.0, 16.7));
        }
        let angle = f64::from(tick / 100) * 2.4;
        let along = DVec2::from_angle(angle);
        let intent = Intent { along, ..Intent::default() };
        let start = Instant::now();
        _ = walker.advance(&input.world, &input.table, intent, 1.0 / 60.0);
        let ticked = start.elapsed();
        if walker.on_ground {
            let direction = DVec3::new(along.x, -0.7, along.y);
            let start = Instant::now();
            let hit = pick(&input.world, &input.table, walker.eyes(), direction, REACH);
            rays.push(start.elapsed());
            std::hint::black_box(hit);
            ticks.push(ticked);
        }
    }
    [ticks, rays].map(|mut times| {
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    })
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
        let [tick, ray] = body_times(input);
        println!("{:<24} tick of a walking body: {tick:?}, ray to the ground: {ray:?}", input.name);
    }
}
