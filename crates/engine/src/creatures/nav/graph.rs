//! The graph of nodes, with its areas and the reach between them.
//!
//! An area is a strongly connected component: a maximal set of nodes that reach each other. An edit
//! adds and removes a few nodes and edges. An area stays complete if the ends of its removed edges
//! still reach each other; otherwise parts are split off. A new edge that closes a cycle of areas
//! merges them. A rebuild takes time in proportion to all loaded chunks, so it is left to changes
//! too large for single steps.

use super::area_reach::AreaReach;
use super::strong::strongly_connected;
use rustc_hash::{FxHashMap, FxHashSet};

/// Marks an unused node number in place of its area.
const NONE: u32 = u32::MAX;
/// Maximum number of changed edges that are handled one by one. Beyond it, a rebuild is faster.
const MAX_CHANGED_EDGES: usize = 500;
/// Maximum number of areas in one merge. Beyond it, a rebuild is faster.
const MAX_MERGED_AREAS: usize = 12;

/// An edge from one node to another.
pub(super) type Edge = [u32; 2];

/// The graph of all nodes and the reach between them.
#[derive(Clone, Debug, Default)]
pub(super) struct ReachGraph {
    area_of_node: Vec<u32>,
    /// Targets of the outgoing edges of each node. Parallel edges are repeated.
    next: Vec<Vec<u32>>,
    /// Sources of the incoming edges of each node.
    previous: Vec<Vec<u32>>,
    free_nodes: Vec<u32>,
    /// Nodes of each area.
    members: Vec<Vec<u32>>,
    /// Number of edges from the nodes of one area to the nodes of another.
    area_edges: FxHashMap<Edge, u32>,
    reach: AreaReach,
    /// Last search that visited each node, and from which end.
    marks: Vec<u32>,
    /// Last mark in use.
    mark: u32,
}

/// Sizes of the reach graph and its matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReachCounts {
    /// Ledges and water volumes.
    pub nodes: usize,
    /// Areas: maximal sets of nodes that reach each other.
    pub areas: usize,
    /// Rows of the reach matrix: areas with falls to several areas.
    pub rows: usize,
    /// Columns of the reach matrix: areas with falls from several areas.
    pub columns: usize,
}

/// Nodes and edges that an edit adds and removes.
#[derive(Clone, Debug, Default)]
pub(super) struct GraphChange {
    /// Nodes to remove. All their edges must be in `removed_edges`.
    pub(crate) removed_nodes: Vec<u32>,
    pub(crate) removed_edges: Vec<Edge>,
    pub(crate) added_edges: Vec<Edge>,
}

impl GraphChange {
    /// True if nothing changes.
    pub fn is_empty(&self) -> bool {
        self.removed_nodes.is_empty()
            && self.removed_edges.is_empty()
            && self.added_edges.is_empty()
    }
}

impl ReachGraph {
    /// Adds a node without edges, and returns its number.
    pub(crate) fn add_node(&mut self) -> u32 {
        let node = self.free_nodes.pop().unwrap_or_else(|| {
            self.area_of_node.push(NONE);
            self.next.push(Vec::new());
            self.previous.push(Vec::new());
            self.marks.push(0);
            self.marks.len() as u32 - 1
        });
        let area = self.add_area();
        self.area_of_node[node as usize] = area;
        self.members[area as usize].push(node);
        node
    }

    fn add_area(&mut self) -> u32 {
        let area = self.reach.add_area();
        if self.members.len() <= area as usize {
            self.members.push(Vec::new());
        }
        area
    }

    /// Applies a change.
    pub fn change(&mut self, change: &GraphChange) {
        for [from, to] in &change.removed_edges {
            remove_one(&mut self.next[*from as usize], *to);
            remove_one(&mut self.previous[*to as usize], *from);
        }
        for [from, to] in &change.added_edges {
            self.next[*from as usize].push(*to);
            self.previous[*to as usize].push(*from);
        }
        if change.removed_edges.len() + change.added_edges.len() > MAX_CHANGED_EDGES {
            self.free_nodes(&change.removed_nodes);
            return self.rebuild();
        }
        let removed: FxHashSet<u32> = change.removed_nodes.iter().copied().collect();
        let mut ends: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        // Pairs of areas that may have gained their first edge or lost their last one.
        let mut falls: Vec<Edge> = Vec::new();
        for edge in &change.removed_edges {
            let areas = self.areas(*edge);
            if areas[0] == areas[1] {
                ends.entry(areas[0]).or_default().extend(edge);
            } else {
                self.remove_area_edge(areas, &mut falls);
            }
        }
        for &node in &change.removed_nodes {
            remove_one(&mut self.members[self.area_of_node[node as usize] as usize], node);
        }
        let new = change.added_edges.iter().map(|edge| self.areas(*edge)).collect::<Vec<_>>();
        for areas in new {
            self.add_area_edge(areas, &mut falls);
        }
        for (area, mut ends) in ends {
            ends.retain(|node| !removed.contains(node));
            while let Some(part) = self.disconnected_part(&mut ends) {
                let is_in_part = |node: &u32| part.binary_search(node).is_ok();
                let around = part.iter().flat_map(|&node| {
                    let node = node as usize;
                    self.next[node].iter().chain(&self.previous[node])
                });
                let around = around.filter(|&&node| self.area(node) == area);
                ends.extend(around);
                ends.retain(|node| !is_in_part(node));
                self.split_off(&part, area, &mut falls);
            }
        }
        let mut emptied: Vec<u32> =
            change.removed_nodes.iter().map(|&node| self.area_of_node[node as usize]).collect();
        emptied.sort_unstable();
        emptied.dedup();
        emptied.retain(|&area| self.members[area as usize].is_empty());
        self.free_nodes(&change.removed_nodes);
        // Adds edges before removing any, so that an area keeps its bits if it is still reachable
        // by another path. Edges that may close a cycle wait until the removals are done, because a
        // removed edge may have been part of that cycle.
        for &[from, to] in &falls {
            let is_new =
                self.area_edges.contains_key(&[from, to]) && !self.reach.has_edge(from, to);
            if is_new && !self.reach.reaches(to, from) {
                self.reach.add_edge(from, to);
            }
        }
        for area in emptied {
            self.reach.remove_area(area);
        }
        for &[from, to] in &falls {
            if !self.area_edges.contains_key(&[from, to]) && self.reach.has_edge(from, to) {
                self.reach.remove_edge(from, to);
            }
        }
        while let Some([from, to]) = falls.pop() {
            if !self.area_edges.contains_key(&[from, to]) || self.reach.has_edge(from, to) {
                continue;
            }
            let cycle = self.reach.between(to, from, MAX_MERGED_AREAS);
            if cycle.len() > MAX_MERGED_AREAS {
                return self.rebuild();
            }
            if cycle.is_empty() {
                self.reach.add_edge(from, to);
            } else {
                self.merge(&cycle, [to, from], &mut falls);
            }
        }
    }

    fn free_nodes(&mut self, nodes: &[u32]) {
        for &node in nodes {
            self.area_of_node[node as usize] = NONE;
            self.free_nodes.push(node);
        }
    }

    /// Recomputes areas and their reach from all nodes and edges.
    fn rebuild(&mut self) {
        let nodes = 0..self.area_of_node.len() as u32;
        let nodes: Vec<u32> =
            nodes.filter(|&node| self.area_of_node[node as usize] != NONE).collect();
        self.members = strongly_connected(
            self.next.len(),
            &nodes,
            |node| &self.next[node as usize],
            |node| Some(node as usize),
        );
        for (area, members) in self.members.iter().enumerate() {
            for &node in members {
                self.area_of_node[node as usize] = area as u32;
            }
        }
        self.area_edges.clear();
        for node in nodes {
            for &to in &self.next[node as usize] {
                let areas = [node, to].map(|node| self.area_of_node[node as usize]);
                if areas[0] != areas[1] {
                    *self.area_edges.entry(areas).or_insert(0) += 1;
                }
            }
        }
        self.reach = AreaReach::new(self.members.len(), self.area_edges.keys().copied());
    }

    /// Splits a part off an area. `part` is sorted. Either no path leads from the part to the rest,
    /// or none from the rest to the part.
    fn split_off(&mut self, part: &[u32], area: u32, falls: &mut Vec<Edge>) {
        let index = |node: u32| part.binary_search(&node).ok();
        for nodes in strongly_connected(part.len(), part, |node| &self.next[node as usize], index) {
            let to = self.add_area();
            self.move_nodes(nodes, area, to, falls);
        }
        let area_of_node = &self.area_of_node;
        self.members[area as usize].retain(|&node| area_of_node[node as usize] == area);
    }

    /// Sorted nodes of an area that have lost all paths to the rest, or from the rest; `None` if
    /// all nodes still reach each other. `ends` are the ends of the removed edges: while these
    /// reach each other, all nodes do.
    fn disconnected_part(&mut self, ends: &mut Vec<u32>) -> Option<Vec<u32>> {
        ends.sort_unstable();
        ends.dedup();
        let [first, ref rest @ ..] = ends[..] else { return None };
        let part = rest.iter().find_map(|&end| {
            self.side_without_path(first, end).or_else(|| self.side_without_path(end, first))
        });
        part.map(|mut part| {
            part.sort_unstable();
            part
        })
    }

    /// Merges `areas` into the one with the most nodes, so that the fewest nodes move. `areas` must
    /// be all areas on paths from the first to the second of `ends`.
    fn merge(&mut self, areas: &[u32], ends: Edge, falls: &mut Vec<Edge>) {
        let Some(&to) = areas.iter().max_by_key(|&&area| self.members[area as usize].len()) else {
            return;
        };
        self.reach.merge(areas, ends, to);
        for &area in areas.iter().filter(|&&area| area != to) {
            let nodes = std::mem::take(&mut self.members[area as usize]);
            self.move_nodes(nodes, area, to, falls);
        }
    }

    /// Moves nodes with their edges from area `from` to area `to`. Appends pairs of areas that gain
    /// their first edge or lose their last one to `falls`.
    fn move_nodes(&mut self, nodes: Vec<u32>, from: u32, to: u32, falls: &mut Vec<Edge>) {
        debug_assert_ne!(from, to);
        for areas in self.area_edges_of(&nodes) {
            self.remove_area_edge(areas, falls);
        }
        for &node in &nodes {
            self.area_of_node[node as usize] = to;
        }
        for areas in self.area_edges_of(&nodes) {
            self.add_area_edge(areas, falls);
        }
        self.members[to as usize].extend(nodes);
    }

    /// Edges of `nodes` that lead from area to area, as pairs of areas.
    fn area_edges_of(&self, nodes: &[u32]) -> Vec<Edge> {
        let edges = nodes.iter().flat_map(|&node| {
            let next = self.next[node as usize].iter().map(move |&other| [node, other]);
            next.chain(self.previous[node as usize].iter().map(move |&other| [other, node]))
        });
        edges.map(|edge| self.areas(edge)).filter(|[from, to]| from != to).collect()
    }

    fn remove_area_edge(&mut self, areas: Edge, falls: &mut Vec<Edge>) {
        if let Some(count) = self.area_edges.get_mut(&areas) {
            *count -= 1;
            if *count == 0 {
                self.area_edges.remove(&areas);
                falls.push(areas);
            }
        }
    }

    fn add_area_edge(&mut self, areas: Edge, falls: &mut Vec<Edge>) {
        if areas[0] != areas[1] {
            let count = self.area_edges.entry(areas).or_insert(0);
            *count += 1;
            if *count == 1 {
                falls.push(areas);
            }
        }
    }

    fn areas(&self, edge: Edge) -> Edge {
        edge.map(|node| self.area_of_node[node as usize])
    }

    /// Searches from both ends for a path between two nodes inside their area. Returns `None` if
    /// there is one. Otherwise returns the nodes of the search that ended first: all nodes that
    /// `from` reaches, or all that reach `to`. The searches alternate, so the cost is twice the
    /// smaller side instead of the larger one.
    fn side_without_path(&mut self, from: u32, to: u32) -> Option<Vec<u32>> {
        if from == to {
            return None;
        }
        if self.mark > u32::MAX - 2 {
            self.marks.fill(0);
            self.mark = 0;
        }
        self.mark += 2;
        let area = self.area_of_node[from as usize];
        let mut sides = [(vec![from], 0, self.mark), (vec![to], 0, self.mark - 1)];
        for (seen, _, mark) in &sides {
            self.marks[seen[0] as usize] = *mark;
        }
        let [forward, backward] = [self.mark, self.mark - 1];
        loop {
            for (seen, at, mark) in &mut sides {
                let Some(&node) = seen.get(*at) else { return Some(std::mem::take(seen)) };
                *at += 1;
                let (edges, other) = if *mark == forward {
                    (&self.next, backward)
                } else {
                    (&self.previous, forward)
                };
                for &to in edges[node as usize]
                    .iter()
                    .filter(|&&to| self.area_of_node[to as usize] == area)
                {
                    if self.marks[to as usize] == other {
                        return None;
                    }
                    if self.marks[to as usize] != *mark {
                        self.marks[to as usize] = *mark;
                        seen.push(to);
                    }
                }
            }
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
        self.reach.reaches(from, to)
    }

    /// Calls `each` with all pairs of different areas where the first reaches the second.
    pub(crate) fn for_each_reach(&self, each: impl FnMut(u32, u32)) {
        self.reach.for_each_reach(each);
    }

    /// Sizes of the graph and its matrix.
    pub fn counts(&self) -> ReachCounts {
        ReachCounts {
            nodes: self.area_of_node.len() - self.free_nodes.len(),
            areas: self.reach.len(),
            rows: self.reach.row_count(),
            columns: self.reach.column_count(),
        }
    }
}

/// Removes one element that equals `value`.
fn remove_one(list: &mut Vec<u32>, value: u32) {
    if let Some(index) = list.iter().position(|&other| other == value) {
        list.swap_remove(index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// For each node, the nodes that a plain search reaches.
    fn searched(edges: &[Edge], nodes: usize) -> Vec<Vec<bool>> {
        let mut next = vec![Vec::new(); nodes];
        for &[from, to] in edges {
            next[from as usize].push(to as usize);
        }
        let search = |from: usize| {
            let mut seen = vec![false; nodes];
            let mut front = vec![from];
            seen[from] = true;
            while let Some(at) = front.pop() {
                front
                    .extend(next[at].iter().filter(|&&to| !std::mem::replace(&mut seen[to], true)));
            }
            seen
        };
        (0..nodes).map(search).collect()
    }

    fn check(graph: &ReachGraph, live: &[u32], edges: &[Edge]) {
        let mut made = graph.clone();
        made.rebuild();
        assert_eq!(graph.counts(), made.counts());
        assert_eq!(graph.counts().nodes, live.len());
        let mut falls: FxHashMap<Edge, u32> = FxHashMap::default();
        for areas in edges.iter().map(|edge| graph.areas(*edge)).filter(|[from, to]| from != to) {
            *falls.entry(areas).or_default() += 1;
        }
        assert_eq!(graph.area_edges, falls);
        let seen = searched(edges, graph.area_of_node.len());
        for &from in live {
            for &to in live {
                let is_seen = seen[from as usize][to as usize];
                for graph in [graph, &made] {
                    let reaches = graph.reaches(graph.area(from), graph.area(to));
                    assert_eq!(reaches, is_seen, "{from} to {to}");
                }
                let is_one = is_seen && seen[to as usize][from as usize];
                assert_eq!(
                    graph.area(from) == graph.area(to),
                    is_one,
                    "area of {from} and of {to}"
                );
            }
        }
    }

    /// Compares random changes with a rebuild and a search. Of 100 edges, `back` lead anywhere,
    /// half of those in both directions; the others lead to lower numbers. Many edges are added at
    /// the start, and again after half of the steps, when all are removed.
    fn change_and_check(seed: u64, nodes: usize, degree: usize, back: usize) {
        let mut random = Random::new(seed);
        let mut draw = move |below| random.index(below);
        let mut graph = ReachGraph::default();
        let mut edges = Vec::<Edge>::new();
        let mut live: Vec<u32> = (0..nodes).map(|_| graph.add_node()).collect();
        for step in 0..600 {
            // Starts near the limit, so that marks often overflow and restart.
            graph.mark = graph.mark.max(u32::MAX - 9);
            let mut change = GraphChange::default();
            for _ in 0..draw(3) + usize::from(step == 300) {
                if live.len() > nodes / 2 {
                    change.removed_nodes.push(live.swap_remove(draw(live.len())));
                }
                if live.len() < nodes {
                    live.push(graph.add_node());
                }
            }
            let is_gone = |edge: &Edge| edge.iter().any(|node| change.removed_nodes.contains(node));
            (change.removed_edges, edges) = edges.into_iter().partition(is_gone);
            let lost = if step == 300 { edges.len() } else { draw(4).min(edges.len()) };
            for _ in 0..lost {
                change.removed_edges.push(edges.swap_remove(draw(edges.len())));
            }
            let most = if step % 300 < 4 { 400 } else { draw(6) };
            for _ in 0..most.min((nodes * degree).saturating_sub(edges.len())) {
                let [a, b] = [0; 2].map(|_| live[draw(live.len())]);
                match draw(100) {
                    _ if a == b => {}
                    number if number >= back => change.added_edges.push([a.max(b), a.min(b)]),
                    number if number % 2 == 0 => change.added_edges.extend([[a, b], [b, a]]),
                    _ => change.added_edges.push([a, b]),
                }
            }
            edges.extend(&change.added_edges);
            graph.change(&change);
            if step % 6 == 0 {
                check(&graph, &live, &edges);
            }
        }
    }

    #[test]
    fn changed_graph_equals_search() {
        for (seed, nodes, degree, back) in [
            (1, 40, 2, 10),
            (2, 30, 1, 30),
            (3, 80, 2, 2),
            (4, 80, 3, 0),
            (5, 6, 4, 50),
            (6, 300, 4, 0),
            (7, 300, 2, 1),
        ] {
            change_and_check(seed, nodes, degree, back);
        }
    }
}
