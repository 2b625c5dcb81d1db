//! Reach sets: which nodes can be reached from which, as one bit per pair of areas.
//!
//! Nodes that reach each other form an area. Falls lead from area to area without a way back, so the
//! areas form a graph without cycles, and most have no falls or lead to the same few others: a treetop
//! to the meadow, the meadow to a pit. So the matrix of reach has one row for each different set of
//! falls, and one column for each area into which a fall leads.
//!
//! Source: van Waveren, "1. Introduction": bit strings that say what is reachable from a cell; rows
//! that are equal are stored once.

use rustc_hash::FxHashMap;

/// Row of an area without falls, and column of an area into which none leads.
const NONE: u32 = u32::MAX;

/// The reach of all nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct ReachGraph {
    area_of_node: Vec<u32>,
    areas: Vec<Area>,
    /// Bits by column, `words` for each row.
    bits: Vec<u64>,
    words: usize,
}

/// Where an area is found in the matrix.
#[derive(Clone, Copy, Debug)]
struct Area {
    row: u32,
    column: u32,
}

/// Size of the reach sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReachCounts {
    /// Ledges and water volumes.
    pub nodes: usize,
    /// Sets of nodes that reach each other.
    pub areas: usize,
    /// Rows of the matrix: different sets of falls.
    pub rows: usize,
    /// Columns of the matrix: areas into which falls lead.
    pub columns: usize,
}

impl ReachGraph {
    /// The reach among `nodes` nodes that are connected in both directions by `both_ways`, and in one
    /// by `falls`.
    pub fn new(
        nodes: usize,
        both_ways: impl Iterator<Item = [u32; 2]>,
        falls: impl Iterator<Item = [u32; 2]>,
    ) -> ReachGraph {
        let (group_of_node, groups) = groups(nodes, both_ways);
        let mut falls: Vec<[u32; 2]> =
            falls.map(|pair| pair.map(|node| group_of_node[node as usize])).filter(|[from, to]| from != to).collect();
        falls.sort_unstable();
        falls.dedup();
        let (area_of_group, areas) = strongly_connected(groups, &falls);
        let falls: Vec<[u32; 2]> = falls
            .into_iter()
            .map(|pair| pair.map(|group| area_of_group[group as usize]))
            .filter(|[from, to]| from != to)
            .collect();
        let area_of_node = group_of_node.into_iter().map(|group| area_of_group[group as usize]).collect();
        let mut graph = ReachGraph {
            area_of_node,
            areas: vec![Area { row: NONE, column: NONE }; areas],
            bits: Vec::new(),
            words: 0,
        };
        graph.close(falls);
        graph
    }

    /// Fills the matrix. Falls lead to areas of lower numbers.
    fn close(&mut self, mut falls: Vec<[u32; 2]>) {
        falls.sort_unstable();
        falls.dedup();
        let mut columns = 0;
        for [_, to] in &falls {
            let column = &mut self.areas[*to as usize].column;
            if *column == NONE {
                *column = columns;
                columns += 1;
            }
        }
        self.words = (columns as usize).div_ceil(64);
        let mut row_of_set: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut row_of_single = vec![NONE; self.areas.len()];
        let mut rows = 0u32;
        for set in falls.chunk_by(|a, b| a[0] == b[0]) {
            let area = set[0][0] as usize;
            let row = match set {
                [[_, to]] => &mut row_of_single[*to as usize],
                _ => row_of_set.entry(set.iter().map(|fall| fall[1]).collect()).or_insert(NONE),
            };
            if *row == NONE {
                *row = rows;
                rows += 1;
                let start = self.bits.len();
                self.bits.resize(start + self.words, 0);
                for [_, to] in set {
                    let Area { row, column } = self.areas[*to as usize];
                    if row != NONE {
                        let (done, new) = self.bits.split_at_mut(start);
                        let row = &done[row as usize * self.words..][..self.words];
                        new.iter_mut().zip(row).for_each(|(word, more)| *word |= more);
                    }
                    self.bits[start + column as usize / 64] |= 1 << (column % 64);
                }
            }
            self.areas[area].row = *row;
        }
    }

    /// Area of a node.
    #[inline(always)]
    pub fn area(&self, node: u32) -> u32 {
        self.area_of_node[node as usize]
    }

    /// True if every node of area `to` can be reached from every node of area `from`.
    #[inline(always)]
    pub fn reaches(&self, from: u32, to: u32) -> bool {
        if from == to {
            return true;
        }
        let (row, column) = (self.areas[from as usize].row, self.areas[to as usize].column);
        row != NONE
            && column != NONE
            && self.bits[row as usize * self.words + column as usize / 64] >> (column % 64) & 1 == 1
    }

    /// Calls `each` with the pairs of different areas of which the first reaches the second.
    pub fn for_each_reach(&self, mut each: impl FnMut(u32, u32)) {
        let with_column: Vec<u32> =
            (0..self.areas.len() as u32).filter(|&area| self.areas[area as usize].column != NONE).collect();
        for from in (0..self.areas.len() as u32).filter(|&area| self.areas[area as usize].row != NONE) {
            with_column.iter().filter(|&&to| to != from && self.reaches(from, to)).for_each(|&to| each(from, to));
        }
    }

    /// Size of the sets.
    pub fn counts(&self) -> ReachCounts {
        let columns = self.areas.iter().filter(|area| area.column != NONE).count();
        let rows = self.bits.len().checked_div(self.words).unwrap_or(0);
        ReachCounts { nodes: self.area_of_node.len(), areas: self.areas.len(), rows, columns }
    }

    /// Heap bytes.
    pub fn heap_bytes(&self) -> usize {
        self.area_of_node.capacity() * 4 + self.areas.capacity() * size_of::<Area>() + self.bits.capacity() * 8
    }
}

/// Groups of connected nodes: the group of each node, and their number.
fn groups(nodes: usize, edges: impl Iterator<Item = [u32; 2]>) -> (Vec<u32>, usize) {
    let mut parents: Vec<u32> = (0..nodes as u32).collect();
    let find = |parents: &mut [u32], mut node: u32| {
        while parents[node as usize] != node {
            let up = parents[parents[node as usize] as usize];
            parents[node as usize] = up;
            node = up;
        }
        node
    };
    for [a, b] in edges {
        let (a, b) = (find(&mut parents, a), find(&mut parents, b));
        parents[a.max(b) as usize] = a.min(b);
    }
    // Parents are lower than their children, so they are numbered before them.
    let mut count = 0;
    for node in 0..nodes {
        let parent = parents[node] as usize;
        parents[node] = if parent == node {
            count += 1;
            count - 1
        } else {
            parents[parent]
        };
    }
    (parents, count as usize)
}

/// Tarjan's algorithm: the number of the strongly connected set of each vertex, and the number of
/// sets. `edges` is sorted. An edge between two sets leads to the lower number.
fn strongly_connected(vertices: usize, edges: &[[u32; 2]]) -> (Vec<u32>, usize) {
    let mut first = vec![0u32; vertices + 1];
    edges.iter().for_each(|[from, _]| first[*from as usize + 1] += 1);
    (0..vertices).for_each(|vertex| first[vertex + 1] += first[vertex]);
    let mut set = vec![NONE; vertices];
    // Order of discovery, from 1; 0 for vertices that are not discovered.
    let (mut order, mut low) = (vec![0u32; vertices], vec![0u32; vertices]);
    let (mut sets, mut discovered) = (0, 0);
    let (mut open, mut stack): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
    for start in 0..vertices {
        if first[start] == first[start + 1] && order[start] == 0 {
            // Without edges it is a set of its own.
            discovered += 1;
            (order[start], set[start]) = (discovered, sets);
            sets += 1;
            continue;
        }
        if order[start] != 0 {
            continue;
        }
        stack.push((start as u32, first[start]));
        while let Some((vertex, edge)) = stack.last_mut() {
            let at = *vertex as usize;
            if order[at] == 0 {
                discovered += 1;
                (order[at], low[at]) = (discovered, discovered);
                open.push(*vertex);
            }
            if *edge < first[at + 1] {
                let to = edges[*edge as usize][1] as usize;
                *edge += 1;
                if order[to] == 0 {
                    stack.push((to as u32, first[to]));
                } else if set[to] == NONE {
                    low[at] = low[at].min(order[to]);
                }
                continue;
            }
            stack.pop();
            if low[at] == order[at] {
                while let Some(member) = open.pop() {
                    set[member as usize] = sets;
                    if member as usize == at {
                        break;
                    }
                }
                sets += 1;
            }
            if let Some((above, _)) = stack.last() {
                let above = *above as usize;
                low[above] = low[above].min(low[at]);
            }
        }
    }
    (set, sets as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reach_equals_search_in_random_graphs() {
        let mut random = 1u64;
        let mut draw = |below: u32| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as u32 % below
        };
        for (nodes, joined, falls) in [(1, 0, 0), (40, 10, 60), (200, 100, 80), (300, 50, 500), (90, 0, 200)] {
            let mut pairs = |count: u32| (0..count).map(|_| [draw(nodes), draw(nodes)]).collect::<Vec<_>>();
            let (both, falls) = (pairs(joined), pairs(falls));
            let graph = ReachGraph::new(nodes as usize, both.iter().copied(), falls.iter().copied());
            for from in 0..nodes {
                let mut seen = vec![false; nodes as usize];
                seen[from as usize] = true;
                let mut front = vec![from];
                while let Some(at) = front.pop() {
                    let back = both.iter().map(|[a, b]| [*b, *a]);
                    for [a, b] in both.iter().copied().chain(back).chain(falls.iter().copied()) {
                        if a == at && !std::mem::replace(&mut seen[b as usize], true) {
                            front.push(b);
                        }
                    }
                }
                for to in 0..nodes {
                    assert_eq!(graph.reaches(graph.area(from), graph.area(to)), seen[to as usize], "{from} to {to}");
                }
            }
        }
    }
}
