//! Reach sets: which nodes can be reached from which.
//!
//! Nodes that reach each other form an area. An edit adds and removes a few nodes and edges. An area
//! stays whole if the ends of its lost edges still reach each other; otherwise parts are divided from
//! it. A new edge against the direction of falls joins the areas in between.

use super::area_reach::AreaReach;
use super::strong::strongly_connected;
use rustc_hash::{FxHashMap, FxHashSet};

/// Area of a number that no node has.
const NONE: u32 = u32::MAX;
/// Most changed edges, and most joined areas, that do not make everything again.
const MOST_CHANGES: usize = 500;
const MOST_JOINED: usize = 12;

/// An edge from one node to another.
pub(super) type Edge = [u32; 2];

/// The reach of all nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct ReachGraph {
    area_of_node: Vec<u32>,
    /// Ends and starts of the edges of each node, as often as there are edges.
    next: Vec<Vec<u32>>,
    previous: Vec<Vec<u32>>,
    free_nodes: Vec<u32>,
    /// Nodes of each area.
    members: Vec<Vec<u32>>,
    /// Number of edges between two areas.
    falls: FxHashMap<Edge, u32>,
    reach: AreaReach,
    /// Marks of the nodes that a search has seen, and the last mark.
    marks: Vec<u32>,
    mark: u32,
}

/// Size of the reach sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReachCounts {
    /// Ledges and water volumes.
    pub nodes: usize,
    /// Sets of nodes that reach each other.
    pub areas: usize,
    /// Rows of the matrix: areas with falls to several areas.
    pub rows: usize,
    /// Columns of the matrix: areas into which falls from several areas lead.
    pub columns: usize,
}

/// What an edit changes.
#[derive(Clone, Debug, Default)]
pub(super) struct GraphChange {
    /// Nodes that lose all their edges.
    pub removed_nodes: Vec<u32>,
    pub removed_edges: Vec<Edge>,
    pub added_edges: Vec<Edge>,
}

impl GraphChange {
    /// True if nothing changes.
    pub fn is_empty(&self) -> bool {
        self.removed_nodes.is_empty() && self.removed_edges.is_empty() && self.added_edges.is_empty()
    }
}

impl ReachGraph {
    /// Adds a node without edges; returns its number.
    pub fn add_node(&mut self) -> u32 {
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

    /// Removes and adds nodes and edges.
    pub fn change(&mut self, change: &GraphChange) {
        for [from, to] in &change.removed_edges {
            remove_one(&mut self.next[*from as usize], *to);
            remove_one(&mut self.previous[*to as usize], *from);
        }
        for [from, to] in &change.added_edges {
            self.next[*from as usize].push(*to);
            self.previous[*to as usize].push(*from);
        }
        if change.removed_edges.len() + change.added_edges.len() > MOST_CHANGES {
            change.removed_nodes.iter().for_each(|&node| self.free_node(node));
            return self.make_all();
        }
        let removed: FxHashSet<u32> = change.removed_nodes.iter().copied().collect();
        let mut ends: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut falls: Vec<Edge> = Vec::new();
        for edge in &change.removed_edges {
            let areas = self.areas(*edge);
            if areas[0] == areas[1] {
                ends.entry(areas[0]).or_default().extend(edge);
            } else {
                self.count_out(areas, &mut falls);
            }
        }
        for &node in &change.removed_nodes {
            remove_one(&mut self.members[self.area_of_node[node as usize] as usize], node);
        }
        let new = change.added_edges.iter().map(|edge| self.areas(*edge)).collect::<Vec<_>>();
        for areas in new {
            self.count_in(areas, &mut falls);
        }
        for (area, mut ends) in ends {
            ends.retain(|node| !removed.contains(node));
            while let Some(part) = self.part_without_way(&mut ends) {
                let is_in_part = |node: &u32| part.binary_search(node).is_ok();
                let around = part.iter().flat_map(|&node| {
                    let node = node as usize;
                    self.next[node].iter().chain(&self.previous[node])
                });
                let around = around.filter(|&&node| self.area(node) == area);
                ends.extend(around);
                ends.retain(|node| !is_in_part(node));
                self.divide(&part, area, &mut falls);
            }
        }
        let mut emptied: Vec<u32> = change.removed_nodes.iter().map(|&node| self.area_of_node[node as usize]).collect();
        emptied.sort_unstable();
        emptied.dedup();
        emptied.retain(|&area| self.members[area as usize].is_empty());
        change.removed_nodes.iter().for_each(|&node| self.free_node(node));
        // New falls first: what an area reaches by another way then is not lost. Those that lead back
        // have to wait, because only falls that are left make circles.
        for &[from, to] in &falls {
            let is_new = self.falls.contains_key(&[from, to]) && !self.reach.has_fall(from, to);
            if is_new && !self.reach.reaches(to, from) {
                self.reach.insert(from, to);
            }
        }
        emptied.into_iter().for_each(|area| self.reach.remove_area(area));
        for &[from, to] in &falls {
            if !self.falls.contains_key(&[from, to]) && self.reach.has_fall(from, to) {
                self.reach.remove(from, to);
            }
        }
        while let Some([from, to]) = falls.pop() {
            if !self.falls.contains_key(&[from, to]) || self.reach.has_fall(from, to) {
                continue;
            }
            let joined = self.reach.between(to, from, MOST_JOINED);
            if joined.len() > MOST_JOINED {
                return self.make_all();
            }
            if joined.is_empty() {
                self.reach.insert(from, to);
            } else {
                self.join(&joined, (to, from), &mut falls);
            }
        }
    }

    fn free_node(&mut self, node: u32) {
        self.area_of_node[node as usize] = NONE;
        self.free_nodes.push(node);
    }

    /// Makes areas and their reach from all nodes and edges.
    fn make_all(&mut self) {
        let nodes = 0..self.area_of_node.len() as u32;
        let nodes: Vec<u32> = nodes.filter(|&node| self.area_of_node[node as usize] != NONE).collect();
        self.members =
            strongly_connected(self.next.len(), &nodes, |node| &self.next[node as usize], |node| Some(node as usize));
        for (area, members) in self.members.iter().enumerate() {
            members.iter().for_each(|&node| self.area_of_node[node as usize] = area as u32);
        }
        self.falls.clear();
        for node in nodes {
            for &to in &self.next[node as usize] {
                let areas = [node, to].map(|node| self.area_of_node[node as usize]);
                if areas[0] != areas[1] {
                    *self.falls.entry(areas).or_insert(0) += 1;
                }
            }
        }
        self.reach = AreaReach::new(self.members.len(), self.falls.keys().copied());
    }

    /// Divides a part from an area. `part` is sorted, and there is no way from it to the rest, or
    /// none from the rest to it.
    fn divide(&mut self, part: &[u32], area: u32, falls: &mut Vec<Edge>) {
        let index = |node: u32| part.binary_search(&node).ok();
        for nodes in strongly_connected(part.len(), part, |node| &self.next[node as usize], index) {
            let to = self.add_area();
            self.move_nodes(nodes, area, to, falls);
        }
        let area_of_node = &self.area_of_node;
        self.members[area as usize].retain(|&node| area_of_node[node as usize] == area);
    }

    /// A part of an area of which the lost edges had these ends, sorted, without a way to or from
    /// the rest; `None` if all nodes of the area reach each other.
    fn part_without_way(&mut self, ends: &mut Vec<u32>) -> Option<Vec<u32>> {
        ends.sort_unstable();
        ends.dedup();
        let [first, ref rest @ ..] = ends[..] else { return None };
        let part = rest.iter().find_map(|&end| self.seen_without(first, end).or_else(|| self.seen_without(end, first)));
        part.map(|mut part| {
            part.sort_unstable();
            part
        })
    }

    /// Joins areas, all those on the ways from the first to the last of `ends`, to the one of them
    /// with most nodes.
    fn join(&mut self, areas: &[u32], ends: (u32, u32), falls: &mut Vec<Edge>) {
        let Some(&to) = areas.iter().max_by_key(|&&area| self.members[area as usize].len()) else { return };
        self.reach.join(areas, ends, to);
        for &area in areas.iter().filter(|&&area| area != to) {
            let nodes = std::mem::take(&mut self.members[area as usize]);
            self.move_nodes(nodes, area, to, falls);
        }
    }

    /// Moves nodes from one area to another, and with them their edges. Pairs of areas between
    /// which the first edge leads, or none, are added to `falls`.
    fn move_nodes(&mut self, nodes: Vec<u32>, from: u32, to: u32, falls: &mut Vec<Edge>) {
        let edges = |graph: &ReachGraph| -> Vec<Edge> {
            let of_node = |&node: &u32| {
                let next = graph.next[node as usize].iter().map(move |&other| [node, other]);
                next.chain(graph.previous[node as usize].iter().map(move |&other| [other, node]))
            };
            let areas = nodes.iter().flat_map(of_node).map(|edge| graph.areas(edge));
            areas.filter(|[from, to]| from != to).collect()
        };
        for areas in edges(self) {
            self.count_out(areas, falls);
        }
        nodes.iter().for_each(|&node| self.area_of_node[node as usize] = to);
        for areas in edges(self) {
            self.count_in(areas, falls);
        }
        debug_assert_ne!(from, to);
        self.members[to as usize].extend(nodes);
    }

    fn count_out(&mut self, areas: Edge, falls: &mut Vec<Edge>) {
        if let Some(count) = self.falls.get_mut(&areas) {
            *count -= 1;
            if *count == 0 {
                self.falls.remove(&areas);
                falls.push(areas);
            }
        }
    }

    fn count_in(&mut self, areas: Edge, falls: &mut Vec<Edge>) {
        if areas[0] != areas[1] {
            let count = self.falls.entry(areas).or_insert(0);
            *count += 1;
            if *count == 1 {
                falls.push(areas);
            }
        }
    }

    fn areas(&self, edge: Edge) -> Edge {
        edge.map(|node| self.area_of_node[node as usize])
    }

    /// Searches from both ends for a way between two nodes of an area, inside it. Without one, all
    /// nodes on the side that was searched first: those that are reached from `from`, or from which
    /// `to` is reached.
    fn seen_without(&mut self, from: u32, to: u32) -> Option<Vec<u32>> {
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
        sides.iter().for_each(|(seen, _, mark)| self.marks[seen[0] as usize] = *mark);
        let [forward, backward] = [self.mark, self.mark - 1];
        loop {
            for (seen, at, mark) in &mut sides {
                let Some(&node) = seen.get(*at) else { return Some(std::mem::take(seen)) };
                *at += 1;
                let (edges, other) = if *mark == forward { (&self.next, backward) } else { (&self.previous, forward) };
                for &to in edges[node as usize].iter().filter(|&&to| self.area_of_node[to as usize] == area) {
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

    /// Calls `each` with the pairs of different areas of which the first reaches the second.
    pub fn for_each_reach(&self, each: impl FnMut(u32, u32)) {
        self.reach.for_each_reach(each);
    }

    /// Size of the sets.
    pub fn counts(&self) -> ReachCounts {
        let [rows, columns] = self.reach.size();
        let nodes = self.area_of_node.len() - self.free_nodes.len();
        ReachCounts { nodes, areas: self.reach.len(), rows, columns }
    }
}

/// Removes one of the elements of this value.
fn remove_one(list: &mut Vec<u32>, value: u32) {
    if let Some(index) = list.iter().position(|&other| other == value) {
        list.swap_remove(index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// For each node, the nodes that a search finds.
    fn searched(edges: &[Edge], nodes: usize) -> Vec<Vec<bool>> {
        let mut next = vec![Vec::new(); nodes];
        edges.iter().for_each(|&[from, to]| next[from as usize].push(to as usize));
        let search = |from: usize| {
            let (mut seen, mut front) = (vec![false; nodes], vec![from]);
            seen[from] = true;
            while let Some(at) = front.pop() {
                front.extend(next[at].iter().filter(|&&to| !std::mem::replace(&mut seen[to], true)));
            }
            seen
        };
        (0..nodes).map(search).collect()
    }

    fn check(graph: &ReachGraph, live: &[u32], edges: &[Edge]) {
        let mut made = graph.clone();
        made.make_all();
        assert_eq!(graph.counts(), made.counts());
        assert_eq!(graph.counts().nodes, live.len());
        let mut falls: FxHashMap<Edge, u32> = FxHashMap::default();
        for areas in edges.iter().map(|edge| graph.areas(*edge)).filter(|[from, to]| from != to) {
            *falls.entry(areas).or_default() += 1;
        }
        assert_eq!(graph.falls, falls);
        let seen = searched(edges, graph.area_of_node.len());
        for &from in live {
            for &to in live {
                let is_seen = seen[from as usize][to as usize];
                for graph in [graph, &made] {
                    let reaches = graph.reaches(graph.area(from), graph.area(to));
                    assert_eq!(reaches, is_seen, "{from} to {to}");
                }
                let is_one = is_seen && seen[to as usize][from as usize];
                assert_eq!(graph.area(from) == graph.area(to), is_one, "area of {from} and of {to}");
            }
        }
    }

    /// Adds and removes nodes and edges. Of 100 edges, `back` lead anywhere, and half of them back
    /// too; the others lead to lower numbers. Many edges are added at first and after half of the
    /// steps, when all are removed.
    fn change_and_check(seed: u64, nodes: usize, degree: usize, back: usize) {
        let mut random = Random::new(seed);
        let mut draw = move |below| random.index(below);
        let (mut graph, mut edges) = (ReachGraph::default(), Vec::<Edge>::new());
        let mut live: Vec<u32> = (0..nodes).map(|_| graph.add_node()).collect();
        for step in 0..600 {
            // Marks often begin again.
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
