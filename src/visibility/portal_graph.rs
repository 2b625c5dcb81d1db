//! The rooms of all chunks in a box: what a sweep goes through.
//!
//! A sweep goes through thousands of rooms, once in each octant, and most of its time it waits for memory. So what it reads of
//! a chunk is kept in few bytes side by side, and of open chunks, which are most, nothing else is read; the portals between
//! two neighbouring chunks are found once, when the second comes, and kept as rectangles.

use super::face_mask::FaceRect;
use super::rooms::{Room, Rooms};
use super::{ChunkOcclusion, OcclusionGrid, ToroidalIndex};
use crate::voxel::{Box3, ChunkPos, Face};
use glam::IVec3;
use std::ops::Range;

/// A room of a window: an index below [`PortalGraph::nodes`].
pub type RoomNode = u32;

/// The rooms of the chunks in a box. Chunks that are not loaded are open.
#[derive(Clone, Debug)]
pub struct PortalGraph {
    occlusion: OcclusionGrid,
    /// By place.
    chunks: Vec<ChunkSummary>,
    /// By node.
    rooms: Vec<Room>,
    portals: Vec<Portal>,
}

/// What a sweep reads of a chunk.
#[derive(Clone, Copy, Debug)]
struct ChunkSummary {
    /// The node of its first room.
    node: RoomNode,
    /// How many rooms it has.
    rooms: u8,
    /// It is open: one room with nothing in it.
    open: bool,
    /// All of its block of 2^3 chunks is open; blocks begin at even places of the world.
    open_block: bool,
    /// For each axis how many portals lead to the next chunk along it: one axis after the other.
    portals: [u16; 3],
    /// The first of them.
    first: u32,
}

impl ChunkSummary {
    /// Of an open chunk among others.
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
}

/// Two rooms on both sides of a face that see each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Portal {
    /// The number of the room in the lower chunk, and of that in the next one along the axis.
    pub rooms: [u8; 2],
    /// What holds all that is open between them.
    pub rect: FaceRect,
}

/// The portals between open chunks, for each axis one: by far the most common ones, kept once.
const OPEN: [Portal; 3] = [Portal { rooms: [0, 0], rect: FaceRect::FULL }; 3];

impl PortalGraph {
    /// A window of the chunks in `bounds` (in chunks; its sides are made even), which `sight` knows, if they are loaded.
    #[must_use]
    pub fn new(bounds: Box3, mut sight: impl FnMut(ChunkPos) -> Option<ChunkOcclusion>) -> PortalGraph {
        let places = ToroidalIndex::new(bounds);
        let count = places.len();
        let mut window = PortalGraph {
            occlusion: OcclusionGrid::new(places),
            chunks: (0..count).map(|index| ChunkSummary { node: index as RoomNode, ..ChunkSummary::OPEN }).collect(),
            rooms: vec![Room::OPEN; count],
            portals: OPEN.to_vec(),
        };
        for index in 0..count {
            let pos = places.position(index);
            window.set_chunk(pos, sight(pos));
        }
        window.compact();
        window
    }

    /// Moves the box: `min` is its lowest corner from now on. `sight` knows the loaded ones of the chunks that were not in it
    /// before; all others stay as they are.
    pub fn move_to(&mut self, min: IVec3, mut sight: impl FnMut(ChunkPos) -> Option<ChunkOcclusion>) {
        let before = *self.index();
        if before.bounds().min == min {
            return;
        }
        self.occlusion.move_to(before.moved_to(min));
        for index in 0..before.len() {
            let pos = self.index().position(index);
            if pos != before.position(index) {
                self.set_chunk(pos, sight(pos));
                self.update_block(pos);
            }
        }
    }

    /// Puts another chunk at `pos`, or none if it is not loaded any more. Its nodes are new ones; the old ones are
    /// never used again. Does nothing for a chunk outside of the window.
    pub fn set_chunk(&mut self, pos: ChunkPos, sight: Option<ChunkOcclusion>) {
        let Some(index) = self.index().slot(pos) else { return };
        let sight = sight.unwrap_or(ChunkOcclusion::OPEN);
        let was_open = matches!(self.occlusion.chunk(index).rooms, Rooms::Open);
        if was_open && matches!(sight.rooms, Rooms::Open) {
            return;
        }
        let rooms = sight.rooms.rooms();
        let ways = &mut self.chunks[index];
        // A chunk has 64 rooms at most.
        (ways.node, ways.rooms) = (self.rooms.len() as RoomNode, rooms.len() as u8);
        ways.open = matches!(sight.rooms, Rooms::Open);
        self.rooms.extend_from_slice(rooms);
        self.occlusion.set(index, sight);
        self.connect(index, 0..3);
        for axis in 0..3 {
            self.connect(self.index().previous(index, axis), axis..axis + 1);
        }
        self.update_block(pos);
    }

    /// Drops the nodes and portals that are no longer used. Those that are get new numbers, so no [`VisibleSet`] of
    /// nodes outlives this; sets of chunks do.
    ///
    /// [`VisibleSet`]: super::VisibleSet
    pub fn compact(&mut self) {
        let mut rooms = Vec::with_capacity(self.chunks.iter().map(|ways| usize::from(ways.rooms)).sum());
        let mut portals = OPEN.to_vec();
        for ways in &mut self.chunks {
            let nodes = ways.nodes();
            ways.node = rooms.len() as RoomNode;
            rooms.extend_from_slice(&self.rooms[nodes.start as usize..nodes.end as usize]);
            if ways.first > 0 {
                let own = ways.all_portals();
                ways.first = portals.len() as u32;
                portals.extend_from_slice(&self.portals[own]);
            }
        }
        (self.rooms, self.portals) = (rooms, portals);
    }

    /// The part of the nodes and portals that [`PortalGraph::set`] has left unused: above a half it is worth to
    /// [`PortalGraph::compact`] them.
    #[must_use]
    pub fn unused_fraction(&self) -> f64 {
        let used = |all: &mut dyn Iterator<Item = usize>, of: usize| 1.0 - all.sum::<usize>() as f64 / of.max(1) as f64;
        let rooms = used(&mut self.chunks.iter().map(|ways| usize::from(ways.rooms)), self.rooms.len());
        let own = self.chunks.iter().filter(|ways| ways.first > 0).map(|ways| ways.all_portals().len());
        rooms.max(used(&mut own.chain([OPEN.len()]), self.portals.len()))
    }

    /// Notes whether the block of 2^3 chunks that a chunk belongs to is open.
    fn update_block(&mut self, pos: ChunkPos) {
        let corner = pos.as_ivec3() & !1;
        let places = *self.index();
        // Where the box ends in the middle of a block, its other chunks are not known.
        let block = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| {
            let at = corner + IVec3::new(i & 1, i >> 1 & 1, i >> 2);
            places.slot(ChunkPos::new(at.x, at.y, at.z))
        });
        let is_open = |index: usize| matches!(self.occlusion.chunk(index).rooms, Rooms::Open);
        let all_open = block.iter().all(|index| index.is_none_or(is_open));
        block.into_iter().flatten().for_each(|index| self.chunks[index].open_block = all_open);
    }

    /// True if the chunk at a place, and all others of its block of 2^3 chunks, are open.
    #[inline]
    pub(super) fn is_in_open_block(&self, index: usize) -> bool {
        self.chunks[index].open_block
    }

    /// Finds the portals from the chunk at `index` to the next ones along some axes; those along others stay. (Those between the
    /// box's last layer and its first are not used: no sweep leaves the box.)
    fn connect(&mut self, index: usize, axes: Range<usize>) {
        let (sights, first) = (&self.occlusion, self.portals.len());
        let here = &sights.chunk(index).rooms;
        let next = [0, 1, 2].map(|axis| &sights.chunk(sights.index().next(index, axis)).rooms);
        let before = self.chunks[index];
        let ways = &mut self.chunks[index];
        if ways.open && next.iter().all(|there| matches!(there, Rooms::Open)) {
            (ways.portals, ways.first) = (ChunkSummary::OPEN.portals, ChunkSummary::OPEN.first);
            return;
        }
        for (axis, there) in next.into_iter().enumerate() {
            if !axes.contains(&axis) {
                self.portals.extend_from_within(before.portals(axis));
                continue;
            }
            let found = self.portals.len();
            for (i, room) in here.rooms().iter().enumerate() {
                for (j, other) in there.rooms().iter().enumerate() {
                    let rect = here.portal(Face::ALL[axis * 2], room, there, other);
                    if !rect.is_empty() {
                        self.portals.push(Portal { rooms: [i as u8, j as u8], rect });
                    }
                }
            }
            // There are 64 times 64 at most.
            ways.portals[axis] = (self.portals.len() - found) as u16;
        }
        ways.first = first as u32;
    }

    /// What is known of its chunks.
    #[must_use]
    #[inline]
    pub fn occlusion(&self) -> &OcclusionGrid {
        &self.occlusion
    }

    /// Where its chunks are.
    #[must_use]
    #[inline]
    pub fn index(&self) -> &ToroidalIndex {
        self.occlusion.index()
    }

    /// One more than the greatest node.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.rooms.len()
    }

    /// The nodes of the rooms of the chunk at a place, in their order.
    #[must_use]
    #[inline]
    pub fn nodes_of(&self, index: usize) -> Range<RoomNode> {
        self.chunks[index].nodes()
    }

    /// The portals from the chunk at a place to the next one along `axis`.
    #[inline]
    pub(super) fn portals(&self, index: usize, axis: usize) -> &[Portal] {
        &self.portals[self.chunks[index].portals(axis)]
    }

    /// True if the chunk at a place is open: one room, and nothing in it.
    #[inline]
    pub(super) fn is_open(&self, index: usize) -> bool {
        self.chunks[index].open
    }

    /// What holds the opening of a room of the chunk at a place in a face.
    #[inline]
    pub(super) fn opening(&self, index: usize, number: usize, face: usize) -> FaceRect {
        let ways = &self.chunks[index];
        if ways.open { FaceRect::FULL } else { self.rooms[ways.node as usize + number].openings[face] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Voxel;
    use crate::world::Chunk;
    use rustc_hash::FxHashMap;

    fn sight(runs: &[(u32, bool)]) -> ChunkOcclusion {
        let chunk = Chunk::from_runs(runs.iter().map(|&(n, full)| (n, if full { Voxel::full(1) } else { Voxel::AIR })));
        ChunkOcclusion::from_chunk(&chunk, Voxel::is_full)
    }

    #[test]
    fn what_is_set_is_as_if_it_had_always_been() {
        let floors = [(8192, false), (1024, true), (8192, false), (1024, true), (14336, false)];
        let half = [(16384, true), (16384, false)];
        let kinds = [sight(&[(32768, false)]), sight(&[(32768, true)]), sight(&half), sight(&floors)];
        assert_eq!(kinds[3].rooms.rooms().len(), 3);
        let bounds = Box3 { min: IVec3::new(-3, -2, -1), max: IVec3::new(3, 4, 5) };
        let mut random = crate::visibility::test_random::TestRandom::new(3);
        let mut now: FxHashMap<ChunkPos, ChunkOcclusion> = FxHashMap::default();
        let mut window = PortalGraph::new(bounds, |_| None);
        for step in 0..900 {
            let mut below = |n: u64| ((random.draw() >> 33) % n) as i32;
            // Chunks come and go outside of the window too.
            let at = window.index().bounds().min + IVec3::new(below(8), below(8), below(8)) - 1;
            let pos = ChunkPos::new(at.x, at.y, at.z);
            match kinds.get(below(5) as usize) {
                Some(kind) => now.insert(pos, kind.clone()),
                None => now.remove(&pos),
            };
            window.set_chunk(pos, now.get(&pos).cloned());
            if step % 50 == 49 {
                let by = IVec3::new(below(5), below(3), below(5)) - IVec3::new(2, 1, 2);
                window.move_to(window.index().bounds().min + by, |pos| now.get(&pos).cloned());
            }
            if step % 300 == 100 {
                window.compact();
                assert_eq!(window.unused_fraction(), 0.0);
            }
        }
        assert!(window.unused_fraction() > 0.5);
        let fresh = PortalGraph::new(window.index().bounds(), |pos| now.get(&pos).cloned());
        let bounds = window.index().bounds();
        for index in 0..window.index().len() {
            let pos = window.index().position(index).as_ivec3();
            assert_eq!(window.nodes_of(index).len(), fresh.nodes_of(index).len());
            for (a, b) in window.nodes_of(index).zip(fresh.nodes_of(index)) {
                assert_eq!(window.rooms[a as usize], fresh.rooms[b as usize]);
            }
            for axis in 0..3 {
                assert_eq!(window.portals(index, axis), fresh.portals(index, axis), "chunk {pos}, axis {axis}");
            }
            let block = Box3 { min: pos & !1, max: (pos & !1) + 2 };
            if bounds.intersection(block) == block {
                assert_eq!(window.is_in_open_block(index), fresh.is_in_open_block(index), "chunk {pos}");
            }
        }
    }
}
