//! Paths: A* over places, with a bound on how much longer than the shortest a path may be.
//!
//! The lower bound of the remaining cost counts 21/20 (weighted A*), so that a path costs at most
//! 1.05 times the cheapest, and far fewer places are visited. Costs are small whole numbers, so
//! open places lie in buckets by estimate; a place waits there again with the moves that look worse
//! than those taken so far (partial expansion), because most are never needed. That there is no way
//! is known without a search ([`Navigation::can_reach`]).
//!
//! Sources: Pohl, "Heuristic search viewed as path finding in a graph" (1970), for the bound;
//! Yoshizumi, Miura and Ishida, "A* with partial expansion" (2000).

use super::moves::{MoveCode, PlaceKey};
use super::navigation::Navigation;
use glam::IVec3;

/// Weight of a known cost, and of a lower bound: the longest path is 21/20 of the shortest.
const COST_WEIGHT: u32 = 20;
const BOUND_WEIGHT: u32 = 21;
/// Longest estimate, so that buckets stay few.
const MOST_ESTIMATE: u32 = 1 << 20;
/// Parent of the first place.
const NO_NODE: u32 = u32::MAX;

/// A way from place to place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The places, first and last included.
    pub places: Vec<IVec3>,
    /// Sum of the costs: 1 for a step or a stroke, 2 for a jump, the depth of a fall.
    pub cost: u32,
}

impl Path {
    /// The moves from place to place.
    pub(in crate::creatures) fn moves(&self) -> impl Iterator<Item = MoveCode> + '_ {
        self.places.windows(2).filter_map(|pair| MoveCode::from_offset(pair[1] - pair[0]))
    }
}

/// Numbers of questions about ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PathCounts {
    /// Whether one place can be reached from another.
    pub reach_queries: u64,
    /// Paths that were found.
    pub paths: u64,
}

/// Finds paths. Keeps its memory from search to search.
#[derive(Default)]
pub struct PathFinder {
    nodes: Vec<SearchNode>,
    /// Nodes by place: stamp and number. A slot with another stamp is empty.
    table: Vec<(u32, u32)>,
    stamp: u32,
    /// Waiting nodes by estimate.
    buckets: Vec<Vec<u32>>,
    /// Range of the buckets that may hold nodes.
    lowest: u32,
    highest: u32,
    visited: usize,
    counts: PathCounts,
}

#[derive(Clone, Copy)]
struct SearchNode {
    key: PlaceKey,
    at: IVec3,
    cost: u32,
    parent: u32,
    /// Bucket in which it waits; entries of other buckets are out of date.
    bucket: u32,
    /// Moves with estimates up to this one are taken; 0 before the first.
    taken: u32,
}

/// A lower bound of the cost between two places: each move covers at most its cost along the
/// ground, and at most its cost up or down.
#[inline]
fn lower_bound(from: IVec3, to: IVec3) -> u32 {
    // Without a sign, because the sum exceeds an i32 across the world.
    let by = (to - from).abs().as_uvec3();
    (by.x + by.z).max(by.y)
}

/// Estimate of a path over a place: known cost and lower bound, weighted. At least 1.
#[inline]
fn weighted(cost: u32, at: IVec3, to: IVec3) -> u32 {
    // A lower bound beyond the limit is beyond it with any cost.
    let bound = lower_bound(at, to).min(MOST_ESTIMATE);
    (COST_WEIGHT * cost + BOUND_WEIGHT * bound + 1).min(MOST_ESTIMATE)
}

impl PathFinder {
    /// A finder without memory.
    #[must_use]
    pub fn new() -> PathFinder {
        PathFinder::default()
    }

    /// What has been asked so far.
    #[must_use]
    pub fn counts(&self) -> PathCounts {
        self.counts
    }

    /// Places whose moves the last search has looked at.
    #[must_use]
    pub fn visited(&self) -> usize {
        self.visited
    }

    /// A path between two places that costs at most 1.05 times the cheapest. `None` if there is
    /// none, or if `most` places were visited before it was found.
    #[must_use]
    pub fn path(&mut self, nav: &Navigation, from: IVec3, to: IVec3, most: usize) -> Option<Path> {
        self.visited = 0;
        self.counts.reach_queries += 1;
        if !nav.can_reach(from, to) {
            return None;
        }
        let (first, goal) = (nav.place_key(from)?, nav.place_key(to)?);
        self.begin();
        self.open(first, from, 0, NO_NODE, weighted(0, from, to));
        let mut found = None;
        while let Some(node) = self.pop() {
            let SearchNode { key, at, cost, bucket, taken, .. } = self.nodes[node as usize];
            if key == goal {
                found = Some(node);
                break;
            }
            if self.visited == most {
                break;
            }
            self.visited += usize::from(taken == 0);
            let mut next_bucket = MOST_ESTIMATE;
            nav.for_each_move(key, |code: MoveCode, next| {
                let (to_next, sum) = (at + code.offset(), cost + code.cost());
                let estimate = weighted(sum, to_next, to);
                if estimate > bucket {
                    next_bucket = next_bucket.min(estimate);
                } else if estimate > taken {
                    self.open(next, to_next, sum, node, estimate);
                }
            });
            self.nodes[node as usize].taken = bucket;
            if next_bucket < MOST_ESTIMATE {
                self.wait(node, next_bucket);
            }
        }
        let last = (self.highest as usize + 1).min(self.buckets.len());
        self.buckets[(self.lowest as usize).min(last)..last].iter_mut().for_each(Vec::clear);
        self.counts.paths += u64::from(found.is_some());
        found.map(|node| self.trace(node))
    }

    fn begin(&mut self) {
        (self.lowest, self.highest) = (u32::MAX, 0);
        self.nodes.clear();
        if self.stamp == u32::MAX || self.table.is_empty() {
            self.table = vec![(0, 0); 1 << 10];
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    /// Slot of a key in the table: the one that holds it, or an empty one.
    #[inline]
    fn slot(&self, key: PlaceKey) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = (key.0.wrapping_mul(0x9E37_79B9) >> 7) as usize & mask;
        while self.table[slot].0 == self.stamp && self.nodes[self.table[slot].1 as usize].key != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Opens a place, or lowers its cost if no move from it was taken yet.
    #[inline]
    fn open(&mut self, key: PlaceKey, at: IVec3, cost: u32, parent: u32, estimate: u32) {
        let slot = self.slot(key);
        let node = if self.table[slot].0 == self.stamp {
            let number = self.table[slot].1;
            let known = &mut self.nodes[number as usize];
            if known.taken > 0 || known.cost <= cost {
                return;
            }
            (known.cost, known.parent) = (cost, parent);
            number
        } else {
            let number = self.nodes.len() as u32;
            self.table[slot] = (self.stamp, number);
            self.nodes.push(SearchNode { key, at, cost, parent, bucket: 0, taken: 0 });
            if self.nodes.len() * 2 > self.table.len() {
                self.grow();
            }
            number
        };
        self.wait(node, estimate);
    }

    /// Puts a node into a bucket.
    #[inline]
    fn wait(&mut self, node: u32, bucket: u32) {
        (self.lowest, self.highest) = (self.lowest.min(bucket), self.highest.max(bucket));
        if self.buckets.len() <= bucket as usize {
            self.buckets.resize_with(bucket as usize + 1, Vec::new);
        }
        self.nodes[node as usize].bucket = bucket;
        self.buckets[bucket as usize].push(node);
    }

    /// Takes a node from the lowest bucket, the one that came last.
    #[inline]
    fn pop(&mut self) -> Option<u32> {
        while self.lowest <= self.highest {
            match self.buckets[self.lowest as usize].pop() {
                Some(node) if self.nodes[node as usize].bucket == self.lowest => return Some(node),
                Some(_) => {}
                None => self.lowest += 1,
            }
        }
        None
    }

    fn grow(&mut self) {
        self.table = vec![(0, 0); self.table.len() * 2];
        self.stamp = 1;
        for number in 0..self.nodes.len() {
            let slot = self.slot(self.nodes[number].key);
            self.table[slot] = (1, number as u32);
        }
    }

    fn trace(&self, last: u32) -> Path {
        let cost = self.nodes[last as usize].cost;
        let mut places = Vec::new();
        let mut node = last;
        while node != NO_NODE {
            let SearchNode { at, parent, .. } = self.nodes[node as usize];
            places.push(at);
            node = parent;
        }
        places.reverse();
        Path { places, cost }
    }
}
