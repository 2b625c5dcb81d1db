//! Light compared with a plain queue and with Starlight's scheme.
//!
//! `cargo bench --no-default-features --bench light [-- INPUT...]` lights maps and importable
//! files; without an input, the worlds that `stonerun lab light` generates. The second table shows
//! single lamps, the last one the time to mesh a chunk and the time to build its light bricks.

use std::path::Path;
use std::time::Instant;
use stonerun_engine::light::{LightBricks, LightMap};
use stonerun_engine::mesh::{FaceMaterials, build};
use stonerun_engine::voxel::neighbour_offset;
use stonerun_lab::light::{LampHue, LightInput, measure, measure_lamps};

/// Number of rounds, the median of which counts.
const ROUNDS: usize = 9;

fn main() {
    let paths: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let read = |path: &String| {
        LightInput::from_file(Path::new(path), &mut |_| ()).expect("a map or an importable file")
    };
    let inputs: Vec<LightInput> =
        if paths.is_empty() { LightInput::built_in() } else { paths.iter().map(read).collect() };
    println!(
        "{:<16} {:<24} {:>12} {:>12} {:>6}",
        "input", "scheme", "us per chunk", "bytes", "equal"
    );
    for row in inputs.iter().flat_map(|input| measure(input, ROUNDS, &mut |_| ())) {
        println!(
            "{:<16} {:<24} {:>12.1} {:>12} {:>6}",
            row.input, row.scheme, row.us_per_chunk, row.bytes, row.equal
        );
    }
    println!(
        "{:<16} {:<10} {:<24} {:>9} {:>9} {:>9} {:>9} {:>6}",
        "input", "lamps", "scheme", "us placed", "max", "removed", "max", "equal"
    );
    for row in inputs.iter().flat_map(|input| measure_lamps(input, ROUNDS, &mut |_| ())) {
        println!(
            "{:<16} {:<10} {:<24} {:>9.1} {:>9.1} {:>9.1} {:>9.1} {:>6}",
            row.input,
            row.place,
            row.scheme,
            row.us_placed,
            row.us_placed_max,
            row.us_removed,
            row.us_removed_max,
            row.equal
        );
    }
    println!("{:<16} {:>14} {:>14}", "input", "us per mesh", "us per bricks");
    for input in &inputs {
        let [mesh, bricks] = mesh_and_bricks(input);
        println!("{:<16} {mesh:>14.1} {bricks:>14.1}", input.name);
    }
}

/// Median times to mesh a chunk and to build its light bricks, in microseconds.
fn mesh_and_bricks(input: &LightInput) -> [f64; 2] {
    let traits = input.traits(LampHue::Mixed);
    let face_materials = FaceMaterials::new(input.materials());
    let mut map = LightMap::new(traits.clone(), input.max.y);
    let positions = input.positions();
    for (pos, chunk) in positions.iter().filter_map(|&pos| Some((pos, input.chunk(pos)?))) {
        map.insert(pos, chunk.clone());
    }
    map.settle();
    let mut times = [Vec::new(), Vec::new()];
    for pos in positions {
        let chunks = input.world().neighbourhood(pos);
        let chunks = chunks.borrowed();
        let lights = std::array::from_fn(|i| map.chunk(pos.offset(neighbour_offset(i))));
        let start = Instant::now();
        let mesh = build(pos, &chunks, &face_materials);
        let meshed = start.elapsed();
        if mesh.is_empty() {
            continue;
        }
        let start = Instant::now();
        std::hint::black_box(LightBricks::new(&chunks, &lights, &traits, face_materials.contour()));
        times[1].push(start.elapsed());
        times[0].push(meshed);
    }
    times.map(|mut times| {
        times.sort_unstable();
        times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e6)
    })
}
