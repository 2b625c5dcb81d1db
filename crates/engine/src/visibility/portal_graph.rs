//! The rooms of all chunks in a box and the portals between them: the graph that a sweep crosses.
//!
//! A sweep visits thousands of rooms, once per octant, and mostly waits for memory. So it reads
//! little data of each chunk, stored contiguously, and for open chunks, the majority, nothing else.
//! The portals between two adjacent chunks are found once, when the second chunk is set, and kept
//! as rectangles.

use super::chunk_occlusion::ChunkOcclusion;
use super::face_mask::OpeningRect;
use super::occlusion_grid::OcclusionGrid;
use super::rooms::{Room, Rooms};
use super::toroidal_index::ToroidalIndex;
use crate::voxel::{Box3, ChunkPos, Face};
use glam::IVec3;
use std::ops::Range;

/// A room of the graph: an index below [`PortalGraph::node_count`].
pub type RoomNode = u32;

/// The rooms of the chunks in a box. Chunks that are not loaded count as open.
#[derive(Clone, Debug)]
pub struct PortalGraph {
    occlusion: OcclusionGrid,
    /// Chunk summaries, indexed by slot.
    chunks: Vec<ChunkSummary>,
    /// Rooms, indexed by node.
    rooms: Vec<Room>,
    portals: Vec<Portal>,
    /// Number of entries of `rooms` that belong to a chunk.
    used_rooms: usize,
    /// Number of entries of `portals` that belong to a chunk, or to all open chunks.
    used_portals: usize,
}

/// The data that a sweep reads of a chunk.
#[derive(Clone, Copy, Debug)]
struct ChunkSummary {
    /// Node of the first room.
    node: RoomNode,
    /// Number of rooms.
    rooms: u8,
    /// True if the chunk is one room without occluders.
    open: bool,
    /// True if all chunks of the chunk's block of 2^3 chunks are open. Blocks begin at even world
    /// positions.
    open_block: bool,
    /// Per axis, the number of portals to the next chunk. They are stored axis after axis.
    portals: [u16; 3],
    /// Index of the first portal.
    first: u32,
}

impl ChunkSummary {
    /// An open chunk among open chunks.
    const OPEN: ChunkSummary =
        ChunkSummary { node: 0, rooms: 1, open: true, open_block: true, portals: [1; 3], first: 0 };

    fn nodes(&self) -> Range<RoomNode> {
        self.node..self.node + RoomNode::from(self.rooms)
    }

    fn portals(&self, axis: usize) -> Range<usize> {
        let [x, y, _] = self.portals;
        let first = self.first as usize + usize::from([0, x, x + y][axis]);
        first..first + usize::from(self.portals[axis])
    }

    fn all_portals(&self) -> Range<usize> {
        self.portals(0).start..self.portals(2).end
    }

    /// Number of portals that no other chunk shares.
    fn own_portals(&self) -> usize {
        if self.first > 0 { self.all_portals().len() } else { 0 }
    }
}

/// The opening between two rooms on both sides of a face.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Portal {
    /// Number of the room in the lower chunk, and of the room in the next chunk along the axis.
    pub rooms: [u8; 2],
    /// Smallest rectangle around the voxels that are open on both sides.
    pub rect: OpeningRect,
}

/// The portals between open chunks, one per axis. They are by far the most common, so all chunks
/// share them.
const OPEN: [Portal; 3] = [Portal { rooms: [0, 0], rect: OpeningRect::FULL }; 3];

impl PortalGraph {
    /// Builds the graph of the chunks in `bounds` (in chunks; its sides are rounded up to even
    /// numbers). `occlusion` returns `None` for a chunk that is not loaded.
    #[must_use]
    pub fn new(
        bounds: Box3,
        mut occlusion: impl FnMut(ChunkPos) -> Option<ChunkOcclusion>,
    ) -> PortalGraph {
        let index = ToroidalIndex::new(bounds);
        let count = index.len();
        let mut graph = PortalGraph {
            occlusion: OcclusionGrid::new(index),
            chunks: (0..count)
                .map(|slot| ChunkSummary { node: slot as RoomNode, ..ChunkSummary::OPEN })
                .collect(),
            rooms: vec![Room::OPEN; count],
            portals: OPEN.to_vec(),
            used_rooms: count,
            used_portals: OPEN.len(),
        };
        let chunks = (0..count)
            .map(|slot| (slot, occlusion(index.position(slot)).unwrap_or(ChunkOcclusion::OPEN)));
        graph.set_chunks(chunks.collect());
        graph.compact();
        graph
    }

    /// Moves the box so that `min` is its lowest corner. `occlusion` is asked for the chunks that
    /// enter the box and returns `None` for a chunk that is not loaded. Other chunks are not
    /// touched.
    pub fn move_to(
        &mut self,
        min: IVec3,
        mut occlusion: impl FnMut(ChunkPos) -> Option<ChunkOcclusion>,
    ) {
        let before = *self.index();
        if before.bounds().min == min {
            return;
        }
        self.occlusion.move_to(before.moved_to(min));
        let after = *self.index();
        let entering: Vec<usize> = (0..before.len())
            .filter(|&slot| after.position(slot) != before.position(slot))
            .collect();
        let chunks = entering
            .iter()
            .map(|&slot| (slot, occlusion(after.position(slot)).unwrap_or(ChunkOcclusion::OPEN)));
        self.set_chunks(chunks.collect());
        for slot in entering {
            self.update_block(after.position(slot));
        }
    }

    /// Replaces the chunk at `pos`; `None` if it is no longer loaded. The chunk gets new nodes, and
    /// its old nodes are never reused. Ignores chunks outside the box.
    pub fn set_chunk(&mut self, pos: ChunkPos, occlusion: Option<ChunkOcclusion>) {
        let Some(slot) = self.index().slot(pos) else { return };
        self.set_chunks(vec![(slot, occlusion.unwrap_or(ChunkOcclusion::OPEN))]);
    }

    /// Replaces the chunks in several slots, as [`PortalGraph::set_chunk`] does one by one, but
    /// finds the portals between them only once they all are replaced.
    pub(crate) fn set_chunks(&mut self, mut chunks: Vec<(usize, ChunkOcclusion)>) {
        let is_open =
            |graph: &PortalGraph, slot| matches!(graph.occlusion.chunk(slot).rooms, Rooms::Open);
        chunks.retain(|(slot, occlusion)| {
            !is_open(self, *slot) || !matches!(occlusion.rooms, Rooms::Open)
        });
        let slots: Vec<usize> = chunks.iter().map(|(slot, _)| *slot).collect();
        for (slot, occlusion) in chunks {
            self.set_rooms(slot, occlusion);
        }
        for slot in slots {
            self.connect(slot);
        }
    }

    /// Finds the portals of the chunk in a slot, and updates its block.
    fn connect(&mut self, slot: usize) {
        self.find_portals(slot, 0..3);
        for axis in 0..3 {
            self.find_portals(self.index().previous(slot, axis), axis..axis + 1);
        }
        self.update_block(self.index().position(slot));
    }

    /// Replaces the occlusion of the chunk in a slot, which must be connected afterwards.
    fn set_rooms(&mut self, slot: usize, occlusion: ChunkOcclusion) {
        let rooms = occlusion.rooms.rooms();
        let summary = &mut self.chunks[slot];
        self.used_rooms += rooms.len();
        self.used_rooms -= usize::from(summary.rooms);
        // A chunk has at most 64 rooms.
        summary.node = self.rooms.len() as RoomNode;
        summary.rooms = rooms.len() as u8;
        summary.open = matches!(occlusion.rooms, Rooms::Open);
        self.rooms.extend_from_slice(rooms);
        self.occlusion.set(slot, occlusion);
    }

    /// Drops unused nodes and portals. The remaining nodes get new numbers, so the nodes of a
    /// [`VisibleSet`] become invalid. Sets of chunks stay valid.
    ///
    /// [`VisibleSet`]: super::VisibleSet
    pub fn compact(&mut self) {
        let mut rooms = Vec::with_capacity(self.used_rooms);
        let mut portals = Vec::with_capacity(self.used_portals);
        portals.extend_from_slice(&OPEN);
        for chunk in &mut self.chunks {
            let nodes = chunk.nodes();
            chunk.node = rooms.len() as RoomNode;
            rooms.extend_from_slice(&self.rooms[nodes.start as usize..nodes.end as usize]);
            if chunk.first > 0 {
                let own = chunk.all_portals();
                chunk.first = portals.len() as u32;
                portals.extend_from_slice(&self.portals[own]);
            }
        }
        self.rooms = rooms;
        self.portals = portals;
    }

    /// The fraction of nodes or of portals, whichever is greater, that [`PortalGraph::set_chunk`]
    /// has left unused. Above one half [`PortalGraph::compact`] is worth its cost.
    #[must_use]
    pub(crate) fn unused_fraction(&self) -> f64 {
        let unused = |used: usize, all: usize| 1.0 - used as f64 / all.max(1) as f64;
        unused(self.used_rooms, self.rooms.len()).max(unused(self.used_portals, self.portals.len()))
    }

    /// Updates whether the block of 2^3 chunks around a chunk is open.
    fn update_block(&mut self, pos: ChunkPos) {
        let corner = pos.as_ivec3() & !1;
        let index = *self.index();
        // Chunks of the block outside the box are unknown and do not count.
        let block = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| {
            let at = corner + IVec3::new(i & 1, i >> 1 & 1, i >> 2);
            index.slot(ChunkPos::new(at.x, at.y, at.z))
        });
        let is_open = |slot: usize| matches!(self.occlusion.chunk(slot).rooms, Rooms::Open);
        let all_open = block.iter().all(|slot| slot.is_none_or(is_open));
        for slot in block.into_iter().flatten() {
            self.chunks[slot].open_block = all_open;
        }
    }

    /// True if the chunk in a slot and all others of its block of 2^3 chunks are open.
    #[inline]
    pub(super) fn is_in_open_block(&self, slot: usize) -> bool {
        self.chunks[slot].open_block
    }

    /// Finds the portals from the chunk in a slot to the next chunks along `axes`, and keeps the
    /// portals along other axes. (Portals between the last layer of the box and the first are never
    /// used: no sweep leaves the box.)
    fn find_portals(&mut self, slot: usize, axes: Range<usize>) {
        let occlusion = &self.occlusion;
        let first = self.portals.len();
        let here = &occlusion.chunk(slot).rooms;
        let next = [0, 1, 2].map(|axis| &occlusion.chunk(occlusion.index().next(slot, axis)).rooms);
        let before = self.chunks[slot];
        self.used_portals -= before.own_portals();
        let summary = &mut self.chunks[slot];
        if summary.open && next.iter().all(|there| matches!(there, Rooms::Open)) {
            summary.portals = ChunkSummary::OPEN.portals;
            summary.first = ChunkSummary::OPEN.first;
            return;
        }
        for (axis, there) in next.into_iter().enumerate() {
            if !axes.contains(&axis) {
                self.portals.extend_from_within(before.portals(axis));
                continue;
            }
            let start = self.portals.len();
            for (i, room) in here.rooms().iter().enumerate() {
                for (j, other) in there.rooms().iter().enumerate() {
                    let rect = here.portal(Face::ALL[axis * 2], room, there, other);
                    if !rect.is_empty() {
                        self.portals.push(Portal { rooms: [i as u8, j as u8], rect });
                    }
                }
            }
            // There are at most 64 * 64 portals.
            summary.portals[axis] = (self.portals.len() - start) as u16;
        }
        summary.first = first as u32;
        self.used_portals += self.portals.len() - first;
    }

    /// Occlusion of the chunks in the box.
    #[must_use]
    #[inline]
    pub fn occlusion(&self) -> &OcclusionGrid {
        &self.occlusion
    }

    /// Maps chunks to slots.
    #[must_use]
    #[inline]
    pub fn index(&self) -> &ToroidalIndex {
        self.occlusion.index()
    }

    /// Upper bound of nodes: one more than the greatest.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.rooms.len()
    }

    /// Nodes of the rooms of the chunk in a slot, in the order of the rooms.
    #[must_use]
    #[inline]
    pub fn nodes_of(&self, slot: usize) -> Range<RoomNode> {
        self.chunks[slot].nodes()
    }

    /// Portals from the chunk in a slot to the next chunk along `axis`.
    #[inline]
    pub(super) fn portals(&self, slot: usize, axis: usize) -> &[Portal] {
        &self.portals[self.chunks[slot].portals(axis)]
    }

    /// True if the chunk in a slot is one room without occluders.
    #[inline]
    pub(super) fn is_open(&self, slot: usize) -> bool {
        self.chunks[slot].open
    }

    /// Bounding rectangle of a room's opening in a face of the chunk in a slot.
    #[inline]
    pub(super) fn opening(&self, slot: usize, room: usize, face: usize) -> OpeningRect {
        let chunk = &self.chunks[slot];
        if chunk.open {
            OpeningRect::FULL
        } else {
            self.rooms[chunk.node as usize + room].openings[face]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::voxel::Voxel;
    use crate::world::Chunk;
    use rustc_hash::FxHashMap;

    fn occlusion(runs: &[(u32, bool)]) -> ChunkOcclusion {
        let chunk = Chunk::from_runs(
            runs.iter().map(|&(n, full)| (n, if full { Voxel::full(1) } else { Voxel::AIR })),
        );
        ChunkOcclusion::from_chunk(&chunk, Voxel::is_full)
    }

    #[test]
    fn updated_graph_equals_graph_built_from_scratch() {
        let floors = [(8192, false), (1024, true), (8192, false), (1024, true), (14336, false)];
        let half = [(16384, true), (16384, false)];
        let variants = [
            occlusion(&[(32768, false)]),
            occlusion(&[(32768, true)]),
            occlusion(&half),
            occlusion(&floors),
        ];
        assert_eq!(variants[3].rooms.rooms().len(), 3);
        let bounds = Box3 { min: IVec3::new(-3, -2, -1), max: IVec3::new(3, 4, 5) };
        let mut random = Random::new(3);
        let mut world: FxHashMap<ChunkPos, ChunkOcclusion> = FxHashMap::default();
        let mut graph = PortalGraph::new(bounds, |_| None);
        for step in 0..900 {
            let mut below = |n| random.below(n) as i32;
            // Positions outside the box occur too.
            let at = graph.index().bounds().min + IVec3::new(below(8), below(8), below(8)) - 1;
            let pos = ChunkPos::new(at.x, at.y, at.z);
            match variants.get(below(5) as usize) {
                Some(variant) => world.insert(pos, variant.clone()),
                None => world.remove(&pos),
            };
            graph.set_chunk(pos, world.get(&pos).cloned());
            if step % 40 == 39 {
                let opened = [0, 1, 2, 3]
                    .map(|i| graph.index().bounds().min + IVec3::new(i & 1, i >> 1, below(4)));
                let opened = opened.map(|at| ChunkPos::new(at.x, at.y, at.z));
                let slots = opened.map(|pos| graph.index().slot(pos).unwrap());
                graph.set_chunks(slots.map(|slot| (slot, ChunkOcclusion::OPEN)).to_vec());
                for pos in &opened {
                    drop(world.remove(pos));
                }
            }
            if step % 50 == 49 {
                let by = IVec3::new(below(5), below(3), below(5)) - IVec3::new(2, 1, 2);
                graph.move_to(graph.index().bounds().min + by, |pos| world.get(&pos).cloned());
            }
            if step % 300 == 100 {
                let used = (graph.used_rooms, graph.used_portals);
                graph.compact();
                assert_eq!((graph.rooms.len(), graph.portals.len()), used);
                assert_eq!(graph.unused_fraction(), 0.0);
            }
        }
        assert!(graph.unused_fraction() > 0.5);
        let fresh = PortalGraph::new(graph.index().bounds(), |pos| world.get(&pos).cloned());
        let bounds = graph.index().bounds();
        for slot in 0..graph.index().len() {
            let pos = graph.index().position(slot).as_ivec3();
            assert_eq!(graph.nodes_of(slot).len(), fresh.nodes_of(slot).len());
            for (a, b) in graph.nodes_of(slot).zip(fresh.nodes_of(slot)) {
                assert_eq!(graph.rooms[a as usize], fresh.rooms[b as usize]);
            }
            for axis in 0..3 {
                assert_eq!(
                    graph.portals(slot, axis),
                    fresh.portals(slot, axis),
                    "chunk {pos}, axis {axis}"
                );
            }
            let block = Box3 { min: pos & !1, max: (pos & !1) + 2 };
            if bounds.intersection(block) == block {
                assert_eq!(
                    graph.is_in_open_block(slot),
                    fresh.is_in_open_block(slot),
                    "chunk {pos}"
                );
            }
        }
    }
}
