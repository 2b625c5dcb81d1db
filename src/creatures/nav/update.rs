//! Makes answers correct after chunks have changed.

use super::chunk_nav::{ChunkChange, NodeEdge, derive, resolve};
use super::graph::{Edge, GraphChange};
use super::navigation::Navigation;
use crate::voxel::MOORE_LEN;
use std::cmp::Ordering;

/// What an update has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NavUpdate {
    /// Chunks whose places were derived.
    pub chunks: usize,
    /// True if nodes or edges have changed, so that reach sets were updated.
    pub reach: bool,
}

impl Navigation {
    /// Derives what was reported as changed.
    pub fn update(&mut self) -> NavUpdate {
        let mut stale = std::mem::take(&mut self.stale);
        stale.retain(|&slot| self.chunk(slot).is_some_and(|chunk| chunk.stale.is_some()));
        let mut change = std::mem::take(&mut self.graph_change);
        let mut to_resolve: Vec<u32> = Vec::new();
        let mut changes = !change.removed_nodes.is_empty();
        for &slot in &stale {
            let derived = self.derive(slot, &mut change);
            let Some(chunk) = self.chunk(slot) else { continue };
            // Moves between its places may have changed that no link shows.
            changes |= derived.places || chunk.places.is_some();
            if derived.places || derived.links {
                to_resolve.push(slot);
            }
            if derived.places {
                to_resolve.extend(chunk.around.iter().enumerate().filter_map(|(index, &other)| {
                    let links = &self.chunk(other)?.links;
                    links.lead_into(MOORE_LEN - 1 - index).then_some(other)
                }));
            }
        }
        to_resolve.sort_unstable();
        to_resolve.dedup();
        for slot in to_resolve {
            self.resolve(slot, &mut change);
        }
        let reach = !change.is_empty();
        if reach {
            self.graph.change(&change);
        }
        self.revision += u64::from(changes || reach);
        NavUpdate { chunks: stale.len(), reach }
    }

    /// Derives the places, nodes and links of a chunk.
    fn derive(&mut self, slot: u32, change: &mut GraphChange) -> ChunkChange {
        let nothing = ChunkChange { places: false, links: false };
        let derived = {
            let Some(chunk) = self.chunks[slot as usize].as_ref() else { return nothing };
            let Some(area) = chunk.stale else { return nothing };
            let classes = chunk.around.map(|slot| Some(&self.chunks.get(slot as usize)?.as_ref()?.classes));
            derive(&mut self.window, &classes, area, (chunk.places.as_ref(), &chunk.links))
        };
        let Some(chunk) = self.chunks[slot as usize].as_mut() else { return nothing };
        chunk.stale = None;
        let nodes = chunk.similar_nodes(derived.as_ref().map(|(places, _)| places));
        let changed = chunk.replace(derived);
        if changed.places {
            let known = std::mem::take(&mut chunk.graph_nodes);
            change.removed_nodes.extend(known.iter().filter(|&&node| !nodes.contains(&Some(node))));
            chunk.graph_nodes = nodes.into_iter().map(|node| node.unwrap_or_else(|| self.graph.add_node())).collect();
        }
        changed
    }

    /// Finds the edges of a chunk from its links.
    fn resolve(&mut self, slot: u32, change: &mut GraphChange) {
        let Some(chunk) = self.chunk(slot) else { return };
        let edges = resolve(chunk.places.as_ref(), &chunk.links, |link| {
            let to = self.chunk(chunk.around[usize::from(link.chunk)])?;
            to.places.as_ref()?.node(link.row.into(), link.x.into())
        });
        let in_graph = |edge: &NodeEdge| -> Option<Edge> {
            let to = self.chunk(chunk.around[usize::from(edge.chunk)])?;
            Some([chunk.graph_nodes[usize::from(edge.from)], to.graph_nodes[usize::from(edge.to)]])
        };
        let both_ways = edges.both_ways.iter().filter_map(in_graph).flat_map(|[a, b]| [[a, b], [b, a]]);
        let mut graph_edges: Vec<Edge> = both_ways.chain(edges.falls.iter().filter_map(in_graph)).collect();
        graph_edges.sort_unstable();
        differences(&chunk.graph_edges, &graph_edges, change);
        if let Some(chunk) = &mut self.chunks[slot as usize] {
            (chunk.edges, chunk.graph_edges) = (edges, graph_edges);
        }
    }
}

/// Adds what differs between sorted edges.
fn differences(old: &[Edge], new: &[Edge], change: &mut GraphChange) {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => old.cmp(new),
        };
        if order.is_le() {
            let edge = old.next();
            change.removed_edges.extend(edge.filter(|_| order.is_lt()));
        }
        if order.is_ge() {
            let edge = new.next();
            change.added_edges.extend(edge.filter(|_| order.is_gt()));
        }
    }
}
