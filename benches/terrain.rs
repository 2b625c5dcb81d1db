//! How many surface chunks a second one core makes, for each kind of world that has any.
//!
//! As the game asks for them: a square of columns never seen before, each from below the ground into the sky. What is
//! counted are the chunks that are not uniform; the uniform ones cost their part of the time all the same.
//! Not a criterion benchmark: a column that was made once is remembered by the generator, so each must be new.

use std::time::{Duration, Instant};
use stonerun::terrain::{Generator, TerrainKind};
use stonerun::voxel::{ChunkPos, MaterialTable};

/// Columns on a side of the square.
const SIDE: i32 = 10;
/// Squares measured of each kind, far from each other and with other seeds.
const SQUARES: u64 = 9;

/// Surface chunks a second, and all chunks a second, in one square.
fn measure(kind: TerrainKind, square: u64) -> (f64, f64) {
    let generator = Generator::new(square, kind, &MaterialTable::builtin());
    let first = square as i32 * 1000;
    let started = Instant::now();
    let (mut surface, mut all) = (0u32, 0u32);
    for z in 0..SIDE {
        for x in 0..SIDE {
            for y in -3..6 {
                let chunk = generator.chunk(ChunkPos::new(first + x, y, z));
                all += 1;
                surface += u32::from(chunk.as_uniform().is_none());
            }
        }
    }
    let took = started.elapsed().max(Duration::from_nanos(1)).as_secs_f64();
    (f64::from(surface) / took, f64::from(all) / took)
}

fn main() {
    // Cargo passes `--bench`; anything else is the test runner asking what there is.
    if !std::env::args().any(|a| a == "--bench") {
        return;
    }
    println!("{:12} {:>22} {:>10}   one core, median of {SQUARES} squares", "kind", "not uniform, a second", "all");
    for kind in TerrainKind::ALL {
        let mut found: Vec<(f64, f64)> = (0..SQUARES).map(|square| measure(kind, square)).collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (surface, all) = found[found.len() / 2];
        println!("{:12} {surface:>22.0} {all:>10.0}   slowest {:.0}", kind.name(), found[0].0);
    }
}
