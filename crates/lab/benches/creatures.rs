//! Path search compared with A* of the crate `pathfinding`.
//!
//! `cargo bench --no-default-features --bench creatures [-- INPUT]` measures a map or an importable
//! file; without an input, generated terrain. The rival reads the world voxel by voxel, with the
//! same moves, costs and lower bound.

use pathfinding::prelude::astar;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use stonerun_engine::creatures::nav::{Navigation, PathFinder};
use stonerun_lab::creatures::{CreatureInput, PATH_COST, VoxelMoves, lower_bound, pairs_apart};

/// Number of paths that are measured.
const PATHS: usize = 100;
/// Number of rounds, the fastest of which counts.
const ROUNDS: usize = 3;

type Position = [i32; 3];

fn main() {
    let path = std::env::args().skip(1).find(|argument| argument != "--bench");
    let input = match path {
        Some(path) => CreatureInput::from_file(Path::new(&path), &mut |_| ())
            .expect("a map or an importable file"),
        None => CreatureInput::built_in(),
    };
    let nav = input.navigation();
    let moves = input.moves();
    let pairs = pairs_apart(&input, &nav, PATH_COST, PATHS);
    let pairs: Vec<[Position; 2]> =
        pairs.into_iter().map(|pair| pair.map(|at| at.to_array())).collect();
    let mut finder = PathFinder::new();
    let ours = fastest(|| {
        pairs.iter().map(|&[from, to]| our_cost(&nav, &mut finder, from, to)).sum::<u32>()
    });
    let theirs =
        fastest(|| pairs.iter().map(|&[from, to]| their_cost(moves, from, to)).sum::<u32>());
    let costs = pairs.iter().map(|&[from, to]| our_cost(&nav, &mut finder, from, to));
    let longest = costs.map(|cost| f64::from(cost) / f64::from(PATH_COST)).fold(0.0, f64::max);
    let equal = pairs.iter().all(|&[from, to]| their_cost(moves, from, to) == PATH_COST);
    let count = pairs.len() as f64;
    println!("{}: {} paths of {PATH_COST} steps", input.name, pairs.len());
    println!(
        "ours        {:>9.2} us per path, {:>8.1} per ms",
        ours * 1e6 / count,
        count / ours / 1e3
    );
    println!(
        "pathfinding {:>9.2} us per path, {:>8.1} per ms",
        theirs * 1e6 / count,
        count / theirs / 1e3
    );
    println!("ratio {:.1}; longest path {longest:.3} of the shortest", theirs / ours);
    assert!(equal && longest <= 1.05);
}

fn our_cost(nav: &Navigation, finder: &mut PathFinder, from: Position, to: Position) -> u32 {
    finder.path(nav, from.into(), to.into(), usize::MAX).map_or(0, |path| path.cost)
}

fn their_cost(moves: VoxelMoves<'_>, from: Position, to: Position) -> u32 {
    let bound = |at: &Position| lower_bound((*at).into(), to.into());
    astar(&from, |at| successors(moves, *at), bound, |at| *at == to).map_or(0, |found| found.1)
}

fn successors(moves: VoxelMoves<'_>, at: Position) -> Vec<(Position, u32)> {
    let mut all = Vec::with_capacity(16);
    moves.for_each_move(at.into(), |to, cost| all.push((to.to_array(), cost)));
    all
}

/// Duration of the fastest round, in seconds.
fn fastest(mut work: impl FnMut() -> u32) -> f64 {
    let time = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(time).fold(f64::INFINITY, f64::min)
}
