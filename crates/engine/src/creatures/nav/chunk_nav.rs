//! Navigation data of a chunk: classes, places, links and edges.

use super::class::NavClass;
use super::class_rows::ClassRows;
use super::graph::Edge;
use super::links::{PlaceLink, PlaceLinks};
use super::padded_rows::PaddedRows;
use super::place_rows::{Majority, PlacePart, PlaceRows, join, row_and_x};
use crate::runs::bit_rows::SIDE;
use crate::voxel::{Box3, ChunkPos, MOORE_CENTRE, MOORE_LEN, neighbour_index};
use glam::IVec3;

/// Marks a chunk that is not loaded in place of its slot.
pub(super) const NO_SLOT: u32 = u32::MAX;

/// An edge between a node of a chunk and a node of the same chunk or of a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct NodeEdge {
    /// Node at the start of the edge, in the chunk that stores it.
    pub from: u16,
    /// Chunk of the edge's end, as an index in the Moore neighbourhood.
    pub chunk: u8,
    /// Node at the end of the edge, in the other chunk.
    pub to: u16,
}

/// Edges that leave the nodes of a chunk, sorted and unique.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct NodeEdges {
    /// Edges in both directions. Only a spanning forest is kept, because further edges would not
    /// change reach.
    pub(crate) both_ways: Vec<NodeEdge>,
    /// Falls, which lead in one direction.
    pub falls: Vec<NodeEdge>,
}

/// Navigation data of a chunk.
pub(super) struct ChunkNav {
    pub pos: ChunkPos,
    /// Slots of the chunks of the Moore neighbourhood, the chunk's own included.
    pub around: [u32; MOORE_LEN],
    pub classes: ClassRows,
    /// `None` if the chunk has no places.
    pub places: Option<PlaceRows>,
    pub(crate) links: PlaceLinks,
    /// Number of each node of the chunk in the graph of all chunks. A node that keeps most of its
    /// places keeps its number, so that an edit changes few nodes of the graph.
    pub(crate) graph_nodes: Box<[u32]>,
    /// Edges of the chunk's nodes in the graph of all chunks, sorted.
    pub(crate) graph_edges: Vec<Edge>,
    /// Revision of navigation at which the chunk's places or moves last changed. May be later than
    /// the actual change, because changed voxels do not always change moves.
    pub(crate) changed_at: u64,
    /// Revision of navigation at which the chunk's places last changed.
    pub(crate) places_changed_at: u64,
    /// Box of the rows that the next update must recompute, in chunk coordinates.
    pub stale: Option<Box3>,
}

impl ChunkNav {
    /// Data of a chunk that was loaded at `revision`, before its places are derived.
    pub fn new(
        pos: ChunkPos,
        around: [u32; MOORE_LEN],
        classes: ClassRows,
        revision: u64,
    ) -> ChunkNav {
        ChunkNav {
            pos,
            around,
            classes,
            places: None,
            links: PlaceLinks::default(),
            graph_nodes: Box::default(),
            graph_edges: Vec::new(),
            changed_at: revision,
            places_changed_at: revision,
            stale: None,
        }
    }

    /// For each node of `new`, the graph number to take over from the old node that had most of its
    /// places; `None` if there is no such old node. No number occurs twice.
    pub(crate) fn similar_nodes(&self, new: Option<&PlaceRows>) -> Vec<Option<u32>> {
        let Some(new) = new else { return Vec::new() };
        let mut similar = vec![None; new.nodes.into()];
        let Some(old) = &self.places else { return similar };
        // For each old node, the new node in which it has the largest majority, and the weight of
        // that majority.
        let mut best = vec![(0u16, 0u32); old.nodes.into()];
        for Majority { old_node, new_node, weight } in old.majorities(new) {
            let best = &mut best[usize::from(old_node)];
            if weight > best.1 {
                *best = (new_node, weight);
            }
        }
        for (&number, (node, weight)) in self.graph_nodes.iter().zip(best) {
            if weight > 0 {
                similar[usize::from(node)] = Some(number);
            }
        }
        similar
    }
}

/// Changes of a chunk that follow from its classes.
#[derive(Default)]
pub(super) struct Derived {
    /// New places, if they have changed.
    pub places: Option<NewPlaces>,
    /// New links, if they have changed.
    pub(crate) links: Option<PlaceLinks>,
}

/// Places of a chunk; `None` if it has none. A type of its own, because `Option<Option<_>>` would
/// be unclear.
pub(super) struct NewPlaces(pub Option<PlaceRows>);

/// Derives the places and links of the middle chunk of `chunks`. Rows outside `area` keep their old
/// places and links.
pub(super) fn derive(
    padded: &mut PaddedRows,
    chunks: &[Option<&ClassRows>; MOORE_LEN],
    area: Box3,
    old_places: Option<&PlaceRows>,
    old_links: &PlaceLinks,
) -> Derived {
    if has_no_places(chunks) {
        return match old_places {
            Some(_) => {
                Derived { places: Some(NewPlaces(None)), links: Some(PlaceLinks::default()) }
            }
            None => Derived::default(),
        };
    }
    padded.read(chunks, area);
    let places = PlacePart::new(padded, area);
    let links = PlaceLinks::new(padded, area);
    let same_places = places.is_as_in(old_places, area);
    let same_links = links.are_as_in(old_links, area);
    Derived {
        places: (!same_places).then(|| NewPlaces(PlaceRows::with(old_places, area, places))),
        links: (!same_links).then(|| old_links.with(area, links)),
    }
}

/// True if the classes of `chunks` show at once that the middle chunk has no places. A shortcut for
/// sky and solid ground, which make up most chunks.
fn has_no_places(chunks: &[Option<&ClassRows>; MOORE_LEN]) -> bool {
    match chunks[MOORE_CENTRE] {
        None | Some(ClassRows::Uniform(NavClass::Ground | NavClass::Hazard)) => true,
        Some(ClassRows::Uniform(NavClass::Open)) => {
            // Bodies in the lowest layer may stand on the chunk below.
            chunks[neighbour_index(IVec3::NEG_Y)].is_none_or(|below| {
                let top = SIDE * (SIDE - 1)..SIDE * SIDE;
                top.map(|row| below.row(row)).all(|[low, high]| low | high == u32::MAX)
            })
        }
        _ => false,
    }
}

/// Resolves links to edges between nodes. `node_at` returns the node of a link's target.
pub(super) fn resolve(
    places: Option<&PlaceRows>,
    links: &PlaceLinks,
    node_at: impl Fn(PlaceLink) -> Option<u16>,
) -> NodeEdges {
    let Some(places) = places else { return NodeEdges::default() };
    let edges = |links: &[PlaceLink]| {
        let edge = |link: &PlaceLink| {
            let (row, x) = row_and_x(link.from);
            let from = places.node(row, x)?;
            let to = node_at(*link)?;
            let is_loop = usize::from(link.chunk) == MOORE_CENTRE && from == to;
            (!is_loop).then_some(NodeEdge { from, chunk: link.chunk, to })
        };
        let mut edges: Vec<NodeEdge> = links.iter().filter_map(edge).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    };
    let mut edges = NodeEdges { both_ways: edges(&links.both_ways), falls: edges(&links.falls) };
    drop_redundant(&mut edges.both_ways, places.nodes.into());
    edges
}

/// Keeps a spanning forest: drops edges between nodes that are already connected.
fn drop_redundant(edges: &mut Vec<NodeEdge>, nodes: usize) {
    let key = |edge: &NodeEdge| (edge.chunk, edge.to);
    let mut others: Vec<(u8, u16)> =
        edges.iter().filter(|edge| !edge.is_inside()).map(key).collect();
    others.sort_unstable();
    others.dedup();
    // Fits in a `u16`: at most 16 nodes in each of the chunk's 1024 columns, and fewer in the
    // margins of its neighbours.
    let mut parents: Vec<u16> = (0..(nodes + others.len()) as u16).collect();
    edges.retain(|edge| {
        let to = match others.binary_search(&key(edge)) {
            Ok(other) if !edge.is_inside() => nodes + other,
            _ => edge.to.into(),
        };
        join(&mut parents, edge.from.into(), to)
    });
}

impl NodeEdge {
    /// True if both nodes lie in the chunk itself.
    fn is_inside(&self) -> bool {
        usize::from(self.chunk) == MOORE_CENTRE
    }
}
