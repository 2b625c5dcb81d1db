//! The rooms of all chunks in a box: what a sweep goes through.
//!
//! A sweep goes through thousands of rooms, once each. What it reads of them lies close together: the portals between two
//! neighbouring chunks are found once, when the second comes, and kept as rectangles.

use super::Sight;
use super::face::FaceRect;
use super::rooms::{Room, Rooms};
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, Face};
use glam::IVec3;
use std::ops::Range;

/// A room of a window: an index below [`Window::nodes`].
pub type Node = u32;

/// The rooms of the chunks in a box. Chunks that are not loaded are open.
#[derive(Clone, Debug)]
pub struct Window {
    /// In chunks.
    bounds: Box3,
    size: IVec3,
    /// By chunk, x fastest, then z, then y.
    chunks: Vec<Sight>,
    /// The nodes of each chunk's rooms.
    nodes: Vec<Range<Node>>,
    /// By node.
    rooms: Vec<Room>,
    /// For each chunk and axis where the portals are that lead to the next chunk along that axis.
    faces: Vec<Range<u32>>,
    portals: Vec<Portal>,
    /// For each chunk whether all of its block of 2^3 chunks is open; blocks begin at even places of the world.
    open_blocks: Vec<bool>,
}

/// Two rooms on both sides of a face that see each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Portal {
    /// The number of the room in the lower chunk, and of that in the next one along the axis.
    pub rooms: [u8; 2],
    /// What holds all that is open between them.
    pub rect: FaceRect,
}

/// The portal between two open chunks: by far the most common one, kept once.
const OPEN: Portal = Portal { rooms: [0, 0], rect: FaceRect::FULL };

impl Window {
    /// A window of the chunks in `bounds` (in chunks), which `sight` knows, if they are loaded.
    #[must_use]
    pub fn new(bounds: Box3, mut sight: impl FnMut(ChunkPos) -> Option<Sight>) -> Window {
        let count = bounds.volume() as usize;
        let mut window = Window {
            bounds,
            size: bounds.size(),
            chunks: Vec::with_capacity(count),
            nodes: Vec::with_capacity(count),
            rooms: Vec::with_capacity(count * 2),
            faces: vec![0..0; count * 3],
            portals: vec![OPEN],
            open_blocks: vec![false; count],
        };
        for y in bounds.min.y..bounds.max.y {
            for z in bounds.min.z..bounds.max.z {
                for x in bounds.min.x..bounds.max.x {
                    let sight = sight(ChunkPos::new(x, y, z)).unwrap_or(Sight::OPEN);
                    let nodes = window.append(&sight.rooms);
                    window.nodes.push(nodes);
                    window.chunks.push(sight);
                }
            }
        }
        for index in 0..count {
            for axis in 0..3 {
                window.connect(index, axis);
            }
            window.open_blocks[index] = window.in_open_block(index);
        }
        window
    }

    /// Puts another chunk at `pos`, or none if it is not loaded any more. Its nodes are new ones; the old ones are
    /// never used again. Does nothing for a chunk outside of the window.
    pub fn set(&mut self, pos: ChunkPos, sight: Option<Sight>) {
        let Some(index) = self.index(pos) else { return };
        let sight = sight.unwrap_or(Sight::OPEN);
        self.nodes[index] = self.append(&sight.rooms);
        self.chunks[index] = sight;
        for axis in 0..3 {
            self.connect(index, axis);
            let mut before = pos.as_ivec3();
            before[axis] -= 1;
            if let Some(before) = self.index(ChunkPos::new(before.x, before.y, before.z)) {
                self.connect(before, axis);
            }
        }
        let is_open = self.in_open_block(index);
        let corner = pos.as_ivec3() & !1;
        for pos in (Box3 { min: corner * CHUNK_SIDE, max: (corner + 2) * CHUNK_SIDE }).chunks() {
            if let Some(index) = self.index(pos) {
                self.open_blocks[index] = is_open;
            }
        }
    }

    /// The part of the nodes and portals that [`Window::set`] has left unused: above a half it is worth making a new window.
    #[must_use]
    pub fn waste(&self) -> f64 {
        let used: usize = self.nodes.iter().map(Range::len).sum();
        1.0 - used as f64 / self.rooms.len().max(1) as f64
    }

    fn in_open_block(&self, index: usize) -> bool {
        let corner = self.position(index).as_ivec3() & !1;
        let block = Box3 { min: corner, max: corner + 2 };
        self.bounds.intersection(block) == block
            && (0..8).all(|i| {
                let at = corner + IVec3::new(i & 1, i >> 1 & 1, i >> 2);
                let index = self.index(ChunkPos::new(at.x, at.y, at.z));
                index.is_some_and(|index| matches!(self.chunks[index].rooms, Rooms::Open))
            })
    }

    /// True if the chunk at a place, and all others of its block of 2^3 chunks, are open.
    #[inline]
    pub(super) fn is_in_open_block(&self, index: usize) -> bool {
        self.open_blocks[index]
    }

    /// Finds the portals from the chunk at `index` to the next one along `axis`.
    fn connect(&mut self, index: usize, axis: usize) {
        let mut next = self.position(index).as_ivec3();
        next[axis] += 1;
        if next[axis] >= self.bounds.max[axis] {
            return;
        }
        let next = index + self.strides()[axis] as usize;
        let (here, there) = (&self.chunks[index].rooms, &self.chunks[next].rooms);
        let first = self.portals.len();
        match (here, there) {
            (Rooms::Open, Rooms::Open) => {
                self.faces[index * 3 + axis] = 0..1;
                return;
            }
            (Rooms::Solid, _) | (_, Rooms::Solid) => (),
            _ => {
                for (i, room) in here.rooms().iter().enumerate() {
                    for (j, other) in there.rooms().iter().enumerate() {
                        let rect = here.portal(Face::ALL[axis * 2], room, there, other);
                        if !rect.is_empty() {
                            self.portals.push(Portal { rooms: [i as u8, j as u8], rect });
                        }
                    }
                }
            }
        }
        self.faces[index * 3 + axis] = first as u32..self.portals.len() as u32;
    }

    fn append(&mut self, rooms: &Rooms) -> Range<Node> {
        let first = self.rooms.len() as Node;
        self.rooms.extend_from_slice(rooms.rooms());
        first..self.rooms.len() as Node
    }

    /// Its chunks, in chunks.
    #[must_use]
    pub fn bounds(&self) -> Box3 {
        self.bounds
    }

    /// One more than the greatest node.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.rooms.len()
    }

    /// Chunks in the box.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// True if the box is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The place of a chunk among those of the box (x fastest, then z, then y); none if it is outside.
    #[must_use]
    pub fn index(&self, pos: ChunkPos) -> Option<usize> {
        let at = pos.as_ivec3() - self.bounds.min;
        let inside = self.bounds.contains(pos.as_ivec3());
        inside.then(|| ((at.y * self.size.z + at.z) * self.size.x + at.x) as usize)
    }

    /// The chunk at this place.
    #[must_use]
    pub fn position(&self, index: usize) -> ChunkPos {
        let (i, size) = (index as i32, self.size);
        let at = self.bounds.min + IVec3::new(i % size.x, i / size.x / size.z, i / size.x % size.z);
        ChunkPos::new(at.x, at.y, at.z)
    }

    /// How far the places of neighbouring chunks are apart, by axis.
    pub(super) fn strides(&self) -> [isize; 3] {
        [1, (self.size.x * self.size.z) as isize, self.size.x as isize]
    }

    /// What is known of the chunk at a place.
    #[must_use]
    #[inline]
    pub fn chunk(&self, index: usize) -> &Sight {
        &self.chunks[index]
    }

    /// True if the voxel at `at`, in the world, hides what is behind it. Outside of the window none does.
    #[must_use]
    #[inline]
    pub fn hides(&self, at: IVec3) -> bool {
        let pos = ChunkPos::containing(at);
        self.index(pos).is_some_and(|index| self.chunks[index].blockers.hides(at & (CHUNK_SIDE - 1)))
    }

    /// The nodes of the rooms of the chunk at a place, in their order.
    #[must_use]
    #[inline]
    pub fn nodes_of(&self, index: usize) -> Range<Node> {
        self.nodes[index].clone()
    }

    /// The portals from the chunk at a place to the next one along `axis`.
    #[inline]
    pub(super) fn portals(&self, index: usize, axis: usize) -> &[Portal] {
        let Range { start, end } = self.faces[index * 3 + axis];
        &self.portals[start as usize..end as usize]
    }

    #[inline]
    pub(super) fn room(&self, node: Node) -> &Room {
        &self.rooms[node as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Voxel;
    use crate::world::Chunk;

    fn sight(runs: &[(u32, bool)]) -> Sight {
        let chunk = Chunk::from_runs(runs.iter().map(|&(n, full)| (n, if full { Voxel::full(1) } else { Voxel::AIR })));
        Sight::of(&chunk, Voxel::is_full)
    }

    #[test]
    fn what_is_set_is_as_if_it_had_always_been() {
        let kinds = [sight(&[(32768, false)]), sight(&[(32768, true)]), sight(&[(16384, true), (16384, false)])];
        let bounds = Box3 { min: IVec3::new(-3, -2, -1), max: IVec3::new(2, 3, 4) };
        let mut random = crate::lab::input::Random::new(3);
        let mut now: Vec<Option<Sight>> = vec![None; bounds.volume() as usize];
        let mut window = Window::new(bounds, |_| None);
        for _ in 0..400 {
            let index = (random.draw() >> 33) as usize % now.len();
            let kind = (random.draw() >> 33) as usize % 4;
            now[index] = kinds.get(kind).cloned();
            window.set(window.position(index), now[index].clone());
        }
        let mut all = now.iter();
        let fresh = Window::new(bounds, |_| all.next().cloned().flatten());
        assert_eq!(window.open_blocks, fresh.open_blocks);
        for index in 0..window.len() {
            assert_eq!(window.nodes_of(index).len(), fresh.nodes_of(index).len());
            for (a, b) in window.nodes_of(index).zip(fresh.nodes_of(index)) {
                assert_eq!(window.room(a), fresh.room(b));
            }
            for axis in 0..3 {
                assert_eq!(window.portals(index, axis), fresh.portals(index, axis), "chunk {index}, axis {axis}");
            }
        }
        assert!(window.waste() > 0.5 && fresh.waste() == 0.0);
    }
}
