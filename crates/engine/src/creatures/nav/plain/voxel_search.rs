//! A* and Dijkstra's algorithm from voxel to voxel, with the standard library's heap and a hash
//! map.

use super::VoxelMoves;
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Lower bound of the cost between two places: the horizontal distance and the vertical distance of
/// a move each are at most its cost.
#[must_use]
pub fn lower_bound(from: IVec3, to: IVec3) -> u32 {
    let by = (to - from).abs();
    (by.x + by.z).max(by.y) as u32
}

/// Cost of the cheapest path, by A*; `None` if there is none.
#[must_use]
pub fn search(moves: VoxelMoves<'_>, from: IVec3, to: IVec3) -> Option<u32> {
    find(moves, from, to, |at| lower_bound(at, to))
}

/// Cost of the cheapest path, by Dijkstra's algorithm; `None` if there is none.
#[must_use]
pub fn dijkstra(moves: VoxelMoves<'_>, from: IVec3, to: IVec3) -> Option<u32> {
    find(moves, from, to, |_| 0)
}

fn find(
    moves: VoxelMoves<'_>,
    from: IVec3,
    to: IVec3,
    bound: impl Fn(IVec3) -> u32,
) -> Option<u32> {
    if !moves.is_place(from) {
        return None;
    }
    let mut costs: FxHashMap<IVec3, u32> = FxHashMap::default();
    costs.insert(from, 0);
    // Among equal estimates, the place with the higher known cost comes first.
    let mut open = BinaryHeap::from([(Reverse(bound(from)), 0, from.to_array())]);
    while let Some((_, cost, at)) = open.pop() {
        let at = IVec3::from_array(at);
        if at == to {
            return Some(cost);
        }
        if costs[&at] < cost {
            continue;
        }
        moves.for_each_move(at, |next, step| {
            let known = costs.entry(next).or_insert(u32::MAX);
            if cost + step < *known {
                *known = cost + step;
                open.push((Reverse(cost + step + bound(next)), cost + step, next.to_array()));
            }
        });
    }
    None
}
