//! Number of surface chunks that one core generates per second, for each kind of terrain and
//! ground.
//!
//! Requests match the game: a square of new columns, each from below the ground up into the sky.
//! Only non-uniform chunks are counted, but the time includes the uniform chunks. Not a criterion
//! benchmark: the generator caches columns, so each column can be generated only once.

use std::time::{Duration, Instant};
use stonerun_engine::terrain::{Generator, GroundStyle, TerrainKind};
use stonerun_engine::voxel::ChunkPos;

/// Side of a square, in columns.
const SIDE: i32 = 10;
/// Number of squares per kind of terrain, far apart and with different seeds.
const SQUARES: u64 = 9;

/// Chunks per second.
struct Rate {
    /// Non-uniform chunks.
    surface: f64,
    /// All chunks.
    all: f64,
}

/// Generates one square.
fn measure(kind: TerrainKind, ground: GroundStyle, square: u64) -> Rate {
    let generator = Generator::with_ground(square, kind, ground, &ground.materials());
    let first = square as i32 * 1000;
    let started = Instant::now();
    let mut surface = 0u32;
    let mut all = 0u32;
    for z in 0..SIDE {
        for x in 0..SIDE {
            for y in -3..6 {
                let chunk = generator.chunk(ChunkPos::new(first + x, y, z));
                all += 1;
                surface += u32::from(chunk.as_uniform().is_none());
            }
        }
    }
    let seconds = started.elapsed().max(Duration::from_nanos(1)).as_secs_f64();
    Rate { surface: f64::from(surface) / seconds, all: f64::from(all) / seconds }
}

fn main() {
    // Only `cargo bench` passes `--bench`; test runners do not.
    if !std::env::args().any(|a| a == "--bench") {
        return;
    }
    println!(
        "{:12} {:7} {:>22} {:>10}   one core, median of {SQUARES} squares",
        "kind", "ground", "non-uniform per second", "all"
    );
    for (kind, ground) in
        TerrainKind::ALL.into_iter().flat_map(|kind| GroundStyle::ALL.map(|ground| (kind, ground)))
    {
        let mut rates: Vec<Rate> =
            (0..SQUARES).map(|square| measure(kind, ground, square)).collect();
        rates.sort_by(|a, b| a.surface.total_cmp(&b.surface));
        let Rate { surface, all } = rates[rates.len() / 2];
        println!(
            "{:12} {:7} {surface:>22.0} {all:>10.0}   slowest {:.0}",
            kind.name(),
            ground.name(),
            rates[0].surface
        );
    }
}
