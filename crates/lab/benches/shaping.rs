//! Shaping brushes, and smoothing of a large box of terrain compared with a flat array.
//!
//! `cargo bench --no-default-features --bench shaping [-- SIDE]` prints the rows of `stonerun lab
//! shaping --side SIDE` with more rounds. The default is 464 voxels: 10^8 in the box.

use stonerun_engine::terrain::TerrainKind;
use stonerun_lab::shaping::{ShapingInput, measure};

/// Number of rounds, the median of which counts.
const ROUNDS: usize = 9;

fn main() {
    let mut arguments = std::env::args().skip(1);
    // Only `cargo bench` passes `--bench`; test runners do not.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let side = arguments.find_map(|argument| argument.parse().ok()).unwrap_or(464);
    for kind in [TerrainKind::Continents, TerrainKind::Caverns] {
        let input = ShapingInput::terrain(kind, side);
        for row in measure(&input, ROUNDS, &mut |_| ()).expect("worlds in memory are readable") {
            println!("{row:?}");
        }
    }
}
