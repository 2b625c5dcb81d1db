//! Reach (whether a creature can get to a place), and the cost of an edit.

use super::input::{CreatureInput, any};
use super::search;
use crate::input::Random;
use glam::IVec3;
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;
use stonerun_engine::voxel::{Box3, ChunkPos, Voxel};

/// Measurement of reach in one input. Field names appear in the JSON output.
#[derive(Clone, PartialEq, Serialize, Debug, Default)]
pub struct ReachMeasurement {
    /// Number of loaded chunks.
    pub chunks: usize,
    /// Number of standing and swimming places.
    pub places: usize,
    /// Number of nodes: ledges and water volumes.
    pub nodes: usize,
    /// Number of areas: sets of nodes that reach each other.
    pub areas: usize,
    /// Number of rows of the reach matrix.
    pub rows: usize,
    /// Number of columns of the reach matrix.
    pub columns: usize,
    /// Time to derive all navigation data, in milliseconds.
    pub build_ms: f64,
    /// Time per answer "unreachable" between random places, in nanoseconds.
    pub no_ns: f64,
    /// Time per plain A* search that fails on the same pairs, in microseconds.
    pub failing_search_us: f64,
    /// Time of the plain search divided by the engine's time.
    pub ratio: f64,
    /// Number of answers compared with a breadth-first search from voxel to voxel.
    pub compared: u64,
    /// Number of answers "unreachable" although there is a path.
    pub wrong_no: u64,
    /// Number of answers "reachable" although there is no path.
    pub wrong_yes: u64,
}

/// Measurement of edits in one input. Field names appear in the JSON output.
#[derive(Clone, PartialEq, Serialize, Debug, Default)]
pub struct NavEditMeasurement {
    /// Number of edits, of one voxel each.
    pub edits: usize,
    /// Mean time until all answers are correct again, in microseconds.
    pub us_mean: f64,
    /// 99th percentile of the time until all answers are correct again, in microseconds.
    pub us_99: f64,
    /// Longest time until all answers are correct again, in microseconds.
    pub us_max: f64,
    /// Number of edits that changed nodes or edges, so that reach sets had to be updated.
    pub reach_updates: usize,
    /// Number of comparisons of all navigation data with navigation built from scratch.
    pub compared: usize,
    /// True if all comparisons found equal data.
    pub equal: bool,
}

/// Measures reach: compares `asked` answers, and times `searches` searches.
#[must_use]
pub fn measure_reach(input: &CreatureInput, asked: u64, searches: usize) -> ReachMeasurement {
    /// Number of targets per source.
    const TARGETS: u64 = 400_000;
    let start = Instant::now();
    let nav = input.navigation();
    let build_ms = start.elapsed().as_secs_f64() * 1e3;
    let places = input.places(&nav);
    let counts = nav.reach_counts();
    let mut row = ReachMeasurement {
        chunks: input.world.len(),
        places: places.len(),
        nodes: counts.nodes,
        areas: counts.areas,
        rows: counts.rows,
        columns: counts.columns,
        build_ms,
        ..ReachMeasurement::default()
    };
    if places.is_empty() {
        return row;
    }
    let moves = input.moves();
    let mut random = Random::new(11);
    while row.compared < asked {
        let from = any(&mut random, &places);
        let seen = moves.reachable(from);
        for _ in 0..TARGETS.min(asked - row.compared) {
            let to = any(&mut random, &places);
            match (nav.can_reach(from, to), seen.contains(&to)) {
                (false, true) => row.wrong_no += 1,
                (true, false) => row.wrong_yes += 1,
                _ => {}
            }
            row.compared += 1;
        }
    }
    let pairs: Vec<[IVec3; 2]> =
        std::iter::repeat_with(|| [any(&mut random, &places), any(&mut random, &places)])
            .take(1 << 22)
            .filter(|[from, to]| !nav.can_reach(*from, *to))
            .take(1 << 18)
            .collect();
    if pairs.is_empty() {
        return row;
    }
    let start = Instant::now();
    let yes = pairs.iter().filter(|[from, to]| black_box(nav.can_reach(*from, *to))).count();
    row.no_ns = start.elapsed().as_secs_f64() * 1e9 / pairs.len() as f64;
    debug_assert_eq!(yes, 0);
    let start = Instant::now();
    let searched = &pairs[..searches.min(pairs.len())];
    for [from, to] in searched {
        row.wrong_no += u64::from(search(moves, *from, *to).is_some());
    }
    row.failing_search_us = start.elapsed().as_secs_f64() * 1e6 / searched.len() as f64;
    row.ratio = row.failing_search_us * 1e3 / row.no_ns;
    row
}

/// Measures edits of single voxels near places: half of them set a voxel, half remove one. All
/// navigation data is compared with navigation built from scratch `comparisons` times.
#[must_use]
pub fn measure_edits(
    input: &mut CreatureInput,
    edits: usize,
    comparisons: usize,
) -> NavEditMeasurement {
    let mut nav = input.navigation();
    let places = input.places(&nav);
    let mut row = NavEditMeasurement { edits, equal: true, ..NavEditMeasurement::default() };
    let stone = input.materials.find("stone").map_or(Voxel::full(1), Voxel::full);
    if places.is_empty() {
        return row;
    }
    let bounds = input.bounds();
    let mut random = Random::new(12);
    let mut times = Vec::with_capacity(edits);
    for edit in 1..=edits {
        let bits = random.draw();
        let offset = IVec3::new(
            (bits & 3) as i32 - 1,
            (bits >> 2 & 3) as i32 - 1,
            (bits >> 4 & 3) as i32 - 1,
        );
        let at = (any(&mut random, &places) + offset).clamp(bounds.min, bounds.max - 1);
        let voxel = if bits >> 6 & 1 == 0 { stone } else { Voxel::AIR };
        input.world.fill(Box3::spanning(at, at), voxel);
        let pos = ChunkPos::containing(at);
        let Some(chunk) = input.world.chunk(pos) else { continue };
        let start = Instant::now();
        nav.chunk_changed(pos, chunk);
        let update = nav.update();
        times.push(start.elapsed());
        row.reach_updates += usize::from(update.reach);
        if edit % (edits / comparisons.max(1)).max(1) == 0 {
            row.compared += 1;
            row.equal &= nav.first_difference(&input.navigation()).is_none();
        }
    }
    times.sort_unstable();
    let us = |index: usize| times.get(index).map_or(0.0, |time| time.as_secs_f64() * 1e6);
    row.us_mean =
        times.iter().map(|time| time.as_secs_f64() * 1e6).sum::<f64>() / times.len().max(1) as f64;
    (row.us_99, row.us_max) = (us(times.len() * 99 / 100), us(times.len().saturating_sub(1)));
    row
}
