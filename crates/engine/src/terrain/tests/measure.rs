//! Cost of the fractions of smooth ground, printed by
//! `cargo test -p stonerun-engine --release --lib measure -- --ignored --nocapture`.

use super::*;
use crate::metrics::ChunkStats;
use crate::save::EncodedChunk;
use std::time::{Duration, Instant};

/// Totals of a land.
#[derive(Default)]
struct Land {
    runs: u64,
    heap_bytes: u64,
    saved_bytes: u64,
    compact_bytes: u64,
    time: Duration,
}

/// Generates 10 x 10 columns of chunks, from below the caves near the surface up into the sky.
fn measure(generator: &Generator) -> Land {
    let mut land = Land::default();
    let area = Box3 { min: IVec3::new(-5, -3, -5) * 32, max: IVec3::new(5, 6, 5) * 32 };
    for pos in area.chunks() {
        let begin = Instant::now();
        let chunk = generator.chunk(pos);
        land.time += begin.elapsed();
        let stats = ChunkStats::from_chunk(&chunk);
        land.runs += stats.runs;
        land.heap_bytes += stats.heap_bytes;
        // As the game does in its idle moments, and as it saves.
        land.saved_bytes += EncodedChunk::for_save(&chunk).data.len() as u64;
        land.compact_bytes += EncodedChunk::smallest(&chunk).data.len() as u64;
    }
    land
}

#[test]
#[ignore = "asserts nothing: prints costs, to be read from a run with --release"]
fn measure_fractions() {
    let blocks = MaterialTable::builtin();
    let smooth = MaterialTable::builtin_smooth();
    println!(
        "kind         ground  runs          memory bytes  saved bytes   compact bytes us per chunk"
    );
    for kind in [TerrainKind::Continents, TerrainKind::Islands, TerrainKind::Caverns] {
        let mut first = None;
        for bits in [None, Some(4), Some(5), Some(6), Some(8)] {
            let name = bits.map_or("blocks".to_owned(), |bits| format!("{bits} bits"));
            let generator = match bits {
                None => Generator::new(5, kind, &blocks),
                Some(bits) => Generator::with_fraction_bits(5, kind, bits, &smooth),
            };
            let land = measure(&generator);
            let base = first.get_or_insert([
                land.runs,
                land.heap_bytes,
                land.saved_bytes,
                land.compact_bytes,
            ]);
            let sums = [land.runs, land.heap_bytes, land.saved_bytes, land.compact_bytes];
            let columns: Vec<String> = sums
                .iter()
                .zip(base)
                .map(|(sum, base)| format!("{sum:>8} {:>4.2}", *sum as f64 / *base as f64))
                .collect();
            let us = land.time.as_secs_f64() * 1e6 / 900.0;
            println!("{:<12} {name:<7} {}  {us:>6.0}", kind.name(), columns.join(" "));
        }
    }
}
