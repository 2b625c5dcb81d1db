//! Paths between places: weighted A* with partial expansion.
//!
//! The lower bound of the remaining cost is weighted by 21/20. A path then costs at most 1.05 times
//! the cheapest, and far fewer places are visited than by exact A*. Costs are small integers, so
//! open places are kept in buckets by estimate instead of in a heap. Partial expansion opens only
//! the moves of a place that look best, and expands it again later for worse moves, because most of
//! these are never needed. Unreachable destinations are refused without a search
//! ([`Navigation::can_reach`]).
//!
//! Sources: Pohl, "Heuristic search viewed as path finding in a graph" (1970), for the bound;
//! Yoshizumi, Miura and Ishida, "A* with partial expansion" (2000).

use super::moves::{MoveCode, PlaceKey};
use super::navigation::Navigation;
use glam::IVec3;

/// Weight of the known cost in an estimate. With [`BOUND_WEIGHT`], a path costs at most 21/20 of
/// the cheapest.
const COST_WEIGHT: u32 = 20;
/// Weight of the lower bound of the remaining cost in an estimate.
const BOUND_WEIGHT: u32 = 21;
/// Cost up to which every path is found. Creatures search far shorter ones.
const MAX_COST: u32 = 50_000;
/// Limit of estimates, which bounds the number of buckets. Places with this estimate are never
/// visited. All places of a cheapest path that costs at most [`MAX_COST`] have smaller estimates.
const MAX_ESTIMATE: u32 = BOUND_WEIGHT * MAX_COST + 2;
/// Parent of the start place.
const NO_NODE: u32 = u32::MAX;

/// A path from place to place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// Places of the path, start and destination included.
    pub places: Vec<IVec3>,
    /// Sum of the costs: 1 for a step or vertical swimming, 2 for a jump, the depth of a fall.
    pub cost: u32,
}

impl Path {
    /// The moves from place to place.
    pub(in crate::creatures) fn moves(&self) -> impl Iterator<Item = MoveCode> + '_ {
        self.places.windows(2).filter_map(|pair| MoveCode::from_offset(pair[1] - pair[0]))
    }
}

/// Numbers of queries since the finder was created.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PathCounts {
    /// Queries whether a place can be reached, one per call of [`PathFinder::path`].
    pub reach_queries: u64,
    /// Paths that were found.
    pub paths: u64,
}

/// Finds paths. Reuses its memory, so that most searches need not allocate.
#[derive(Default)]
pub struct PathFinder {
    nodes: Vec<SearchNode>,
    /// Hash table from places to nodes, as pairs of stamp and node number. Slots with an older
    /// stamp are empty, so that a new search need not clear the table.
    table: Vec<(u32, u32)>,
    stamp: u32,
    /// Open nodes by estimate.
    buckets: Vec<Vec<u32>>,
    /// First and last bucket that may hold nodes.
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
    /// Bucket of the node's valid entry; entries in other buckets are outdated.
    bucket: u32,
    /// Estimate up to which the node's moves have been expanded; 0 before the first expansion.
    taken: u32,
}

/// Lower bound of the cost between two places: the horizontal distance and the vertical distance of
/// a move each are at most its cost.
#[inline]
fn lower_bound(from: IVec3, to: IVec3) -> u32 {
    // Unsigned, because the sum can exceed `i32::MAX` across the world.
    let by = (to - from).abs().as_uvec3();
    (by.x + by.z).max(by.y)
}

/// Estimated cost of a path through a place: the weighted sum of the known cost and the lower
/// bound. At least 1, at most [`MAX_ESTIMATE`].
#[inline]
fn weighted(cost: u32, at: IVec3, to: IVec3) -> u32 {
    // Clamped before the product, which would overflow. The result is clamped anyway.
    let bound = lower_bound(at, to).min(MAX_ESTIMATE);
    (COST_WEIGHT * cost + BOUND_WEIGHT * bound + 1).min(MAX_ESTIMATE)
}

impl PathFinder {
    /// Creates a finder without allocated memory.
    #[must_use]
    pub fn new() -> PathFinder {
        PathFinder::default()
    }

    /// Numbers of queries so far.
    #[must_use]
    pub fn counts(&self) -> PathCounts {
        self.counts
    }

    /// Number of places that the last search visited.
    #[must_use]
    pub fn visited(&self) -> usize {
        self.visited
    }

    /// Finds a path between two places that costs at most 1.05 times the cheapest. `None` if no
    /// path exists, if the search visits `max_visits` places without finding one, or possibly if
    /// even the cheapest path costs more than 50,000.
    #[must_use]
    pub fn path(
        &mut self,
        nav: &Navigation,
        from: IVec3,
        to: IVec3,
        max_visits: usize,
    ) -> Option<Path> {
        self.visited = 0;
        self.counts.reach_queries += 1;
        if !nav.can_reach(from, to) {
            return None;
        }
        let first = nav.place_key(from)?;
        let goal = nav.place_key(to)?;
        let estimate = weighted(0, from, to);
        if estimate == MAX_ESTIMATE {
            return None;
        }
        self.begin();
        self.open(first, from, 0, NO_NODE, estimate);
        let mut found = None;
        while let Some(node) = self.pop() {
            let SearchNode { key, at, cost, bucket, taken, .. } = self.nodes[node as usize];
            if key == goal {
                found = Some(node);
                break;
            }
            if self.visited == max_visits {
                break;
            }
            self.visited += usize::from(taken == 0);
            let mut next_bucket = MAX_ESTIMATE;
            nav.for_each_move(key, |code: MoveCode, next| {
                let to_next = at + code.offset();
                let sum = cost + code.cost();
                let estimate = weighted(sum, to_next, to);
                if estimate > bucket {
                    next_bucket = next_bucket.min(estimate);
                } else if estimate > taken {
                    self.open(next, to_next, sum, node, estimate);
                }
            });
            self.nodes[node as usize].taken = bucket;
            if next_bucket < MAX_ESTIMATE {
                self.wait(node, next_bucket);
            }
        }
        let last = (self.highest as usize + 1).min(self.buckets.len());
        for bucket in &mut self.buckets[(self.lowest as usize).min(last)..last] {
            bucket.clear();
        }
        self.counts.paths += u64::from(found.is_some());
        found.map(|node| self.trace(node))
    }

    fn begin(&mut self) {
        self.lowest = u32::MAX;
        self.highest = 0;
        self.nodes.clear();
        if self.stamp == u32::MAX || self.table.is_empty() {
            self.table = vec![(0, 0); 1 << 10];
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    /// Slot of a key in the table, or the empty slot to insert it into.
    #[inline]
    fn slot(&self, key: PlaceKey) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = (key.0.wrapping_mul(0x9E37_79B9) >> 7) as usize & mask;
        while self.table[slot].0 == self.stamp && self.nodes[self.table[slot].1 as usize].key != key
        {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Opens a place, or lowers its cost if none of its moves has been expanded. Expanded places
    /// are not reopened: the bound of 1.05 holds without it, because the lower bound is consistent.
    #[inline]
    fn open(&mut self, key: PlaceKey, at: IVec3, cost: u32, parent: u32, estimate: u32) {
        let slot = self.slot(key);
        let node = if self.table[slot].0 == self.stamp {
            let number = self.table[slot].1;
            let known = &mut self.nodes[number as usize];
            if known.taken > 0 || known.cost <= cost {
                return;
            }
            known.cost = cost;
            known.parent = parent;
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

    /// Adds a node to a bucket.
    #[inline]
    fn wait(&mut self, node: u32, bucket: u32) {
        self.lowest = self.lowest.min(bucket);
        self.highest = self.highest.max(bucket);
        if self.buckets.len() <= bucket as usize {
            self.buckets.resize_with(bucket as usize + 1, Vec::new);
        }
        self.nodes[node as usize].bucket = bucket;
        self.buckets[bucket as usize].push(node);
    }

    /// Removes and returns the node added last to the lowest bucket. Skips outdated entries.
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
