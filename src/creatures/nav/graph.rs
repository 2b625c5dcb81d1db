//! Reach sets: which nodes can be reached from which, as one bit per pair of areas.
//!
//! Nodes that reach each other form an area. Falls lead from area to area without a way back, so
//! the areas form a graph without cycles. Most areas have no falls, or all their falls lead to one
//! area: a treetop to the meadow. What they reach is what that area reaches. So the matrix has a
//! row only for areas with falls to several areas, and a column only for areas into which falls
//! from several lead.
//!
//! Source: van Waveren, "1. Introduction": a matrix of bits that say what is reachable from a cell.

/// No area.
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

/// Where falls lead from an area, and from where they lead into it.
#[derive(Clone, Copy, Debug)]
struct Area {
    next: Ways,
    previous: Ways,
}

/// The areas on one side of falls.
#[derive(Clone, Copy, Debug)]
enum Ways {
    None,
    /// One area.
    One(u32),
    /// Several: its row or column in the matrix.
    Many(u32),
}

impl Ways {
    /// With one more area; the areas of one side come sorted.
    fn with(self, area: u32) -> Ways {
        match self {
            Ways::None => Ways::One(area),
            Ways::One(known) if known == area => self,
            _ => Ways::Many(NONE),
        }
    }
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

impl ReachGraph {
    /// The reach among `nodes` nodes that are connected in both directions by `both_ways`, and in
    /// one by `falls`.
    pub fn new(
        nodes: usize,
        both_ways: impl Iterator<Item = [u32; 2]>,
        falls: impl Iterator<Item = [u32; 2]>,
    ) -> ReachGraph {
        let (mut area_of_node, groups) = groups(nodes, both_ways);
        let falls: Vec<[u32; 2]> =
            falls.map(|pair| pair.map(|node| area_of_node[node as usize])).filter(|[from, to]| from != to).collect();
        let (area_of_group, areas) = strongly_connected(groups, &sorted(groups, &falls));
        area_of_node.iter_mut().for_each(|group| *group = area_of_group[*group as usize]);
        let falls: Vec<[u32; 2]> = falls
            .into_iter()
            .map(|pair| pair.map(|group| area_of_group[group as usize]))
            .filter(|[from, to]| from != to)
            .collect();
        let nowhere = Area { next: Ways::None, previous: Ways::None };
        let mut graph = ReachGraph { area_of_node, areas: vec![nowhere; areas], bits: Vec::new(), words: 0 };
        graph.close(&sorted(areas, &falls));
        graph
    }

    /// Fills the matrix. Falls are sorted, and lead to areas of lower numbers.
    fn close(&mut self, falls: &[[u32; 2]]) {
        for [from, to] in falls {
            let (next, previous) = (self.areas[*from as usize].next, self.areas[*to as usize].previous);
            self.areas[*from as usize].next = next.with(*to);
            self.areas[*to as usize].previous = previous.with(*from);
        }
        let (mut rows, mut columns) = (0, 0);
        for area in &mut self.areas {
            for (ways, count) in [(&mut area.next, &mut rows), (&mut area.previous, &mut columns)] {
                if let Ways::Many(number) = ways {
                    *number = *count;
                    *count += 1;
                }
            }
        }
        self.words = (columns as usize).div_ceil(64);
        self.bits = vec![0; self.words * rows as usize];
        for set in falls.chunk_by(|a, b| a[0] == b[0]) {
            let Ways::Many(row) = self.areas[set[0][0] as usize].next else { continue };
            let (done, new) = self.bits.split_at_mut(row as usize * self.words);
            let new = &mut new[..self.words];
            for [_, to] in set {
                let mut at = *to;
                loop {
                    let area = self.areas[at as usize];
                    if let Ways::Many(column) = area.previous {
                        new[column as usize / 64] |= 1 << (column % 64);
                    }
                    match area.next {
                        Ways::None => break,
                        Ways::One(next) => at = next,
                        Ways::Many(row) => {
                            let row = &done[row as usize * self.words..][..self.words];
                            new.iter_mut().zip(row).for_each(|(word, more)| *word |= more);
                            break;
                        }
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
    pub fn reaches(&self, mut from: u32, mut to: u32) -> bool {
        let column = loop {
            if from == to {
                return true;
            }
            match self.areas[to as usize].previous {
                Ways::None => return false,
                Ways::One(previous) => to = previous,
                Ways::Many(column) => break column,
            }
        };
        loop {
            match self.areas[from as usize].next {
                Ways::None => return false,
                Ways::One(next) => from = next,
                Ways::Many(row) => {
                    let word = self.bits[row as usize * self.words + column as usize / 64];
                    return word >> (column % 64) & 1 == 1;
                }
            }
            if from == to {
                return true;
            }
        }
    }

    /// Calls `each` with the pairs of different areas of which the first reaches the second.
    pub fn for_each_reach(&self, mut each: impl FnMut(u32, u32)) {
        let areas = 0..self.areas.len() as u32;
        let targets: Vec<u32> =
            areas.clone().filter(|&area| !matches!(self.areas[area as usize].previous, Ways::None)).collect();
        for from in areas.filter(|&area| !matches!(self.areas[area as usize].next, Ways::None)) {
            targets.iter().filter(|&&to| to != from && self.reaches(from, to)).for_each(|&to| each(from, to));
        }
    }

    /// Size of the sets.
    pub fn counts(&self) -> ReachCounts {
        let many =
            |ways: fn(&Area) -> Ways| self.areas.iter().filter(|&area| matches!(ways(area), Ways::Many(_))).count();
        ReachCounts {
            nodes: self.area_of_node.len(),
            areas: self.areas.len(),
            rows: many(|area| area.next),
            columns: many(|area| area.previous),
        }
    }
}

/// Falls sorted by both areas, each once. `areas` is the number of areas.
fn sorted(areas: usize, falls: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut ends = vec![0u32; areas];
    falls.iter().for_each(|[from, _]| ends[*from as usize] += 1);
    let mut sum = 0;
    for end in &mut ends {
        (*end, sum) = (sum, sum + *end);
    }
    let mut all = vec![[0; 2]; falls.len()];
    for fall in falls {
        let place = &mut ends[fall[0] as usize];
        all[*place as usize] = *fall;
        *place += 1;
    }
    let mut start = 0;
    for end in ends {
        let end = end as usize;
        if end > start + 1 {
            all[start..end].sort_unstable();
        }
        start = end;
    }
    all.dedup();
    all
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
