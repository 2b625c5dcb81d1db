//! Paths: A* over places, with a bound on how much longer than the shortest a path may be.
//!
//! The lower bound of the remaining cost counts 21/20 (weighted A*), so that a path costs at most 1.05
//! times the cheapest, and far fewer places are visited. Costs are small whole numbers, so open places
//! lie in buckets by cost. That there is no way is known without a search
//! ([`Navigation::can_reach`]).
//!
//! Source of the bound: Pohl, "Heuristic search viewed as path finding in a graph" (1970).

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

/// Finds paths. Keeps its memory from search to search.
#[derive(Default)]
pub struct PathFinder {
    nodes: Vec<SearchNode>,
    /// Nodes by place: stamp and number. A slot with another stamp is empty.
    table: Vec<(u32, u32)>,
    stamp: u32,
    /// Open nodes by estimate.
    buckets: Vec<Vec<u32>>,
    visited: usize,
}

#[derive(Clone, Copy)]
struct SearchNode {
    key: PlaceKey,
    at: IVec3,
    cost: u32,
    parent: u32,
    is_closed: bool,
}

/// A lower bound of the cost between two places: each move covers at most its cost along the ground,
/// and at most its cost up or down.
#[inline]
fn lower_bound(from: IVec3, to: IVec3) -> u32 {
    let by = (to - from).abs();
    (by.x + by.z).max(by.y).cast_unsigned()
}

impl PathFinder {
    /// A finder without memory.
    #[must_use]
    pub fn new() -> PathFinder {
        PathFinder::default()
    }

    /// Places whose moves the last search has looked at.
    #[must_use]
    pub fn visited(&self) -> usize {
        self.visited
    }

    /// A path between two places that costs at most 1.05 times the cheapest. `None` if there is none,
    /// or if `most` places were visited before it was found.
    #[must_use]
    pub fn path(&mut self, nav: &Navigation, from: IVec3, to: IVec3, most: usize) -> Option<Path> {
        self.visited = 0;
        if !nav.can_reach(from, to) {
            return None;
        }
        let (first, goal) = (nav.place_key(from)?, nav.place_key(to)?);
        self.begin();
        let (mut lowest, mut highest) = (u32::MAX, 0);
        self.open(first, from, 0, NO_NODE, to, &mut lowest, &mut highest);
        let mut found = None;
        while let Some(node) = self.pop(&mut lowest, highest) {
            let SearchNode { key, at, cost, .. } = self.nodes[node as usize];
            if key == goal {
                found = Some(node);
                break;
            }
            if self.visited == most {
                break;
            }
            self.visited += 1;
            nav.for_each_move(key, |code: MoveCode, next| {
                self.open(next, at + code.offset(), cost + code.cost(), node, to, &mut lowest, &mut highest);
            });
        }
        let last = (highest as usize + 1).min(self.buckets.len());
        self.buckets[(lowest as usize).min(last)..last].iter_mut().for_each(Vec::clear);
        found.map(|node| self.trace(node))
    }

    fn begin(&mut self) {
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

    /// Opens a place, or lowers its cost.
    #[inline]
    fn open(
        &mut self,
        key: PlaceKey,
        at: IVec3,
        cost: u32,
        parent: u32,
        to: IVec3,
        lowest: &mut u32,
        highest: &mut u32,
    ) {
        let estimate = COST_WEIGHT * cost + BOUND_WEIGHT * lower_bound(at, to);
        if estimate >= MOST_ESTIMATE {
            return;
        }
        let slot = self.slot(key);
        let node = if self.table[slot].0 == self.stamp {
            let number = self.table[slot].1;
            let known = &mut self.nodes[number as usize];
            if known.is_closed || known.cost <= cost {
                return;
            }
            (known.cost, known.parent) = (cost, parent);
            number
        } else {
            let number = self.nodes.len() as u32;
            self.table[slot] = (self.stamp, number);
            self.nodes.push(SearchNode { key, at, cost, parent, is_closed: false });
            if self.nodes.len() * 2 > self.table.len() {
                self.grow();
            }
            number
        };
        (*lowest, *highest) = ((*lowest).min(estimate), (*highest).max(estimate));
        if self.buckets.len() <= estimate as usize {
            self.buckets.resize_with(estimate as usize + 1, Vec::new);
        }
        self.buckets[estimate as usize].push(node);
    }

    /// Takes an open node of the lowest estimate, the one found last, and closes it.
    #[inline]
    fn pop(&mut self, lowest: &mut u32, highest: u32) -> Option<u32> {
        while *lowest <= highest {
            match self.buckets[*lowest as usize].pop() {
                Some(node) if self.nodes[node as usize].is_closed => {}
                Some(node) => {
                    self.nodes[node as usize].is_closed = true;
                    return Some(node);
                }
                None => *lowest += 1,
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
