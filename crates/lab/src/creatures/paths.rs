//! Paths compared with A* from voxel to voxel.

use super::input::{CreatureInput, any};
use super::search;
use crate::input::Random;
use glam::IVec3;
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;
use stonerun_engine::creatures::nav::{FlowField, Navigation, PathFinder};

/// Cost of the measured paths, in steps.
pub const PATH_COST: u32 = 64;

/// Measurement of the paths of one input. Field names appear in the JSON output.
#[derive(Clone, PartialEq, Serialize, Debug, Default)]
pub struct PathMeasurement {
    /// Number of paths of [`PATH_COST`] steps.
    pub paths: usize,
    /// Time per path, in microseconds.
    pub us: f64,
    /// Time per path of plain A* from voxel to voxel, in microseconds.
    pub plain_us: f64,
    /// Time of plain A* divided by the engine's time.
    pub ratio: f64,
    /// Number of places visited per path.
    pub visited: f64,
    /// Cost of the longest path divided by the cost of the shortest, which is known: see
    /// [`pairs_apart`].
    pub longest: f64,
    /// True if every path costs at most 1.05 times the shortest, and plain A* finds the shortest.
    pub within_bound: bool,
    /// Time to build a flow field of [`PATH_COST`] steps around a place, in microseconds.
    pub field_us: f64,
    /// Time per step of a crowd member that follows a flow field, in nanoseconds.
    pub field_step_ns: f64,
    /// Number of places from which a flow field leads to its destination.
    pub field_places: f64,
}

/// Random pairs of places between which the cheapest path has the cost `cost`, found by Dijkstra's
/// algorithm.
#[must_use]
pub fn pairs_apart(
    input: &CreatureInput,
    nav: &Navigation,
    cost: u32,
    count: usize,
) -> Vec<[IVec3; 2]> {
    let places = input.places(nav);
    let moves = input.moves();
    let mut random = Random::new(13);
    let mut pairs = Vec::new();
    for _ in 0..count * 20 {
        if pairs.len() == count || places.is_empty() {
            break;
        }
        let from = any(&mut random, &places);
        let ring = moves.at_cost(from, cost);
        if !ring.is_empty() {
            pairs.push([from, any(&mut random, &ring)]);
        }
    }
    pairs
}

/// Measures `count` paths.
#[must_use]
pub fn measure_paths(input: &CreatureInput, count: usize) -> PathMeasurement {
    let nav = input.navigation();
    let moves = input.moves();
    let mut finder = PathFinder::new();
    let pairs = pairs_apart(input, &nav, PATH_COST, count);
    let mut row =
        PathMeasurement { paths: pairs.len(), within_bound: true, ..PathMeasurement::default() };
    if pairs.is_empty() {
        return row;
    }
    let per_path = |start: Instant| start.elapsed().as_secs_f64() * 1e6 / pairs.len() as f64;
    let mut costs = Vec::new();
    let start = Instant::now();
    for [from, to] in &pairs {
        costs.push(finder.path(&nav, *from, *to, usize::MAX).map(|path| black_box(path).cost));
        row.visited += finder.visited() as f64 / pairs.len() as f64;
    }
    row.us = per_path(start);
    let start = Instant::now();
    for [from, to] in &pairs {
        row.within_bound &= black_box(search(moves, *from, *to)) == Some(PATH_COST);
    }
    row.plain_us = per_path(start);
    row.ratio = row.plain_us / row.us;
    for cost in costs {
        let ratio = f64::from(cost.unwrap_or(u32::MAX)) / f64::from(PATH_COST);
        row.longest = row.longest.max(ratio);
        row.within_bound &= (1.0..=1.05).contains(&ratio);
    }
    measure_fields(&nav, &pairs, &mut row);
    row
}

fn measure_fields(nav: &Navigation, pairs: &[[IVec3; 2]], row: &mut PathMeasurement) {
    let pairs = &pairs[..pairs.len().min(50)];
    let start = Instant::now();
    let fields: Vec<FlowField> =
        pairs.iter().map(|[_, to]| FlowField::new(nav, *to, PATH_COST)).collect();
    row.field_us = start.elapsed().as_secs_f64() * 1e6 / pairs.len() as f64;
    let mut steps = 0u32;
    let start = Instant::now();
    for (field, [from, to]) in fields.iter().zip(pairs) {
        let mut at = *from;
        while let Some(next) = field.next(nav, at) {
            (at, steps) = (next, steps + 1);
        }
        row.within_bound &= at == *to;
    }
    row.field_step_ns = start.elapsed().as_secs_f64() * 1e9 / f64::from(steps.max(1));
    row.field_places =
        fields.iter().map(|field| field.places() as f64).sum::<f64>() / fields.len() as f64;
}
