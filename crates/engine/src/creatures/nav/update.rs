//! Updates of navigation after chunks have changed.

use super::chunk_nav::{Derived, NewPlaces, NodeEdge, derive, resolve};
use super::graph::{Edge, GraphChange};
use super::links::PlaceLink;
use super::navigation::Navigation;
use super::place_rows::PlaceRows;
use crate::voxel::MOORE_LEN;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

/// Amount of work that an update did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NavUpdate {
    /// Chunks whose places were recomputed.
    pub chunks: usize,
    /// True if edges changed or nodes were removed, so that the graph was updated.
    pub reach: bool,
}

/// Kind of change of a chunk in an update.
enum Changed {
    Nothing,
    /// Links changed, but no places.
    Links,
    /// Places changed, and possibly links.
    Places {
        old_places: Option<PlaceRows>,
        old_nodes: Box<[u32]>,
    },
}

impl Navigation {
    /// Recomputes places and links of all chunks reported as changed, and updates the graph.
    pub fn update(&mut self) -> NavUpdate {
        let mut stale = std::mem::take(&mut self.stale);
        stale.retain(|&slot| self.chunk(slot).is_some_and(|chunk| chunk.stale.is_some()));
        let mut change = std::mem::take(&mut self.graph_change);
        let mut to_resolve: Vec<u32> = Vec::new();
        let mut changes = !change.removed_nodes.is_empty();
        let revision = self.revision + 1;
        for &slot in &stale {
            let changed = self.derive(slot, &mut change);
            let is_changed = !matches!(changed, Changed::Nothing);
            let Some(chunk) = &mut self.chunks[slot as usize] else { continue };
            // Moves may have changed even if links have not, because one link stands for several
            // moves between two rows.
            if is_changed || chunk.places.is_some() {
                chunk.changed_at = revision;
                changes = true;
            }
            if matches!(changed, Changed::Places { .. }) {
                chunk.places_changed_at = revision;
            }
            if is_changed {
                to_resolve.push(slot);
            }
            let Some(chunk) = self.chunk(slot) else { continue };
            let Changed::Places { old_places, old_nodes } = changed else { continue };
            let has_moved = |link: &PlaceLink| {
                let node = |places: &Option<PlaceRows>, nodes: &[u32]| {
                    Some(nodes[usize::from(places.as_ref()?.node(link.row.into(), link.x.into())?)])
                };
                node(&old_places, &old_nodes) != node(&chunk.places, &chunk.graph_nodes)
            };
            to_resolve.extend(chunk.around.iter().enumerate().filter_map(|(index, &other)| {
                let mut links = self.chunk(other)?.links.that_enter(MOORE_LEN - 1 - index);
                links.any(has_moved).then_some(other)
            }));
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

    /// Recomputes the places, nodes and links of a chunk, and reports what changed.
    fn derive(&mut self, slot: u32, change: &mut GraphChange) -> Changed {
        let Some(chunk) = &self.chunks[slot as usize] else { return Changed::Nothing };
        let classes =
            chunk.around.map(|slot| Some(&self.chunks.get(slot as usize)?.as_ref()?.classes));
        let derived = chunk.stale.map(|area| {
            derive(&mut self.padded, &classes, area, chunk.places.as_ref(), &chunk.links)
        });
        let Some(chunk) = &mut self.chunks[slot as usize] else { return Changed::Nothing };
        chunk.stale = None;
        let Derived { places, links } = derived.unwrap_or_default();
        let has_other_links = links.is_some();
        if let Some(links) = links {
            chunk.links = links;
        }
        let Some(NewPlaces(places)) = places else {
            return if has_other_links { Changed::Links } else { Changed::Nothing };
        };
        let similar = chunk.similar_nodes(places.as_ref());
        let kept: FxHashSet<u32> = similar.iter().flatten().copied().collect();
        change.removed_nodes.extend(chunk.graph_nodes.iter().filter(|&node| !kept.contains(node)));
        let nodes =
            similar.into_iter().map(|node| node.unwrap_or_else(|| self.graph.add_node())).collect();
        let old_places = std::mem::replace(&mut chunk.places, places);
        Changed::Places { old_places, old_nodes: std::mem::replace(&mut chunk.graph_nodes, nodes) }
    }

    /// Resolves the links of a chunk to graph edges, and appends the differences to `change`.
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
        let both_ways =
            edges.both_ways.iter().filter_map(in_graph).flat_map(|[a, b]| [[a, b], [b, a]]);
        let mut graph_edges: Vec<Edge> =
            both_ways.chain(edges.falls.iter().filter_map(in_graph)).collect();
        graph_edges.sort_unstable();
        differences(&chunk.graph_edges, &graph_edges, change);
        if let Some(chunk) = &mut self.chunks[slot as usize] {
            chunk.graph_edges = graph_edges;
        }
    }
}

/// Appends the differences between two sorted lists of edges to `change`.
fn differences(old: &[Edge], new: &[Edge], change: &mut GraphChange) {
    let mut old = old.iter().peekable();
    let mut new = new.iter().peekable();
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
