//! Light next to a plain queue and Starlight's scheme.
//!
//! `cargo bench --no-default-features --bench light [-- INPUT...]` lights maps and importable files;
//! without an input, the worlds that `stonerun lab light` generates.

use std::path::Path;
use stonerun::lab::light::{LightInput, measure};

/// Rounds of which the median counts.
const ROUNDS: usize = 9;

fn main() {
    let paths: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let read =
        |path: &String| LightInput::from_file(Path::new(path), &mut |_| ()).expect("a map or an importable file");
    let inputs: Vec<LightInput> =
        if paths.is_empty() { LightInput::built_in() } else { paths.iter().map(read).collect() };
    println!("{:<16} {:<24} {:>12} {:>12} {:>6}", "input", "scheme", "us per chunk", "bytes", "equal");
    for row in inputs.iter().flat_map(|input| measure(input, ROUNDS, &mut |_| ())) {
        println!("{:<16} {:<24} {:>12.1} {:>12} {:>6}", row.input, row.scheme, row.us_per_chunk, row.bytes, row.equal);
    }
}
