//! The sweep: everything that may be seen from a cell.
//!
//! Beams spread from the cell octant by octant. In an octant lines run forward along all three
//! axes, so a chunk is entered only from the three chunks behind it. The sweep takes chunks in the
//! order of their places, so these three have been left before: all beams into a chunk are joined
//! before it is left, and each chunk is left once. (A walk that marks a chunk at its first visit
//! and continues from there loses the chunks that later paths would reach.)
//!
//! Beams enter a room through one to three of its faces (see [`super::beam`]) and leave it through
//! the rectangle around each portal, the voxels that are open on both sides of a face. Blocks of
//! 2^3 open chunks are crossed in one step. Most open chunks are *complete*: all possible lines
//! from the cell enter them. Where lines leave such a chunk through a whole face, the result is
//! known without computing anything; above land that holds for two of three steps.

mod octant;
mod reached_room;

#[cfg(test)]
mod tests;

use super::beam::Beam;
use super::bitset;
use super::cell::Cell;
use super::face_mask::{FACE_AXES, OpeningRect};
use super::portal_graph::PortalGraph;
use crate::voxel::ChunkPos;
use glam::IVec3;
use octant::{Octant, SweepRegion};
use reached_room::{Beams, END_OF_LIST, ReachedRoom, leaving_through};

/// The rooms and chunks that a cell may see.
#[derive(Clone, Debug, Default)]
pub struct VisibleSet {
    /// One bit per node of the portal graph: lines of sight may enter that room.
    pub nodes: Vec<u64>,
    /// One bit per chunk slot: lines of sight may reach that chunk, perhaps only its surface.
    pub chunks: Vec<u64>,
}

/// Runs sweeps and reuses their memory.
#[derive(Default)]
pub struct Sweeper {
    reached: Vec<ReachedRoom>,
    /// Per block of 2^3 chunks of the octant, and per chunk in it (1 adds x, 2 adds z, 4 adds y):
    /// the index of its first room in `reached`, or [`END_OF_LIST`].
    first_reached: Vec<[u32; 8]>,
    out: VisibleSet,
    /// Number of rooms and blocks that the last sweep crossed.
    pub crossed: usize,
    /// Never takes the shortcut for complete faces. Tests compare both forms.
    #[cfg(test)]
    thorough: bool,
}

impl Sweeper {
    /// Sweeps from a cell of the chunk at `centre` up to `view` chunks away. A `centre` outside the
    /// graph sees nothing.
    pub fn sweep(
        &mut self,
        graph: &PortalGraph,
        centre: ChunkPos,
        cell: &Cell,
        view: i32,
    ) -> &VisibleSet {
        let count = graph.index().len();
        self.out.nodes.clear();
        self.out.nodes.resize(graph.node_count().div_ceil(64), 0);
        self.out.chunks.clear();
        self.out.chunks.resize(count.div_ceil(64), 0);
        self.crossed = 0;
        if graph.index().slot(centre).is_none() {
            return &self.out;
        }
        for octant in 0..8 {
            let signs = IVec3::new(octant & 1, octant >> 1 & 1, octant >> 2) * 2 - 1;
            self.octant(&Octant::new(graph, centre, cell, view, signs));
        }
        &self.out
    }

    fn octant(&mut self, o: &Octant) {
        self.reached.clear();
        self.first_reached.clear();
        self.first_reached.resize(o.blocks.element_product() as usize, [END_OF_LIST; 8]);
        // The cell's own room, without beams.
        self.room(o, IVec3::ZERO, o.source);
        let mut block = 0;
        for y in 0..o.blocks.y {
            for z in 0..o.blocks.z {
                for x in 0..o.blocks.x {
                    if self.first_reached[block] != [END_OF_LIST; 8] {
                        self.block(o, block, IVec3::new(x, y, z) * 2 - o.parity);
                    }
                    block += 1;
                }
            }
        }
    }

    /// Crosses a block of 2^3 chunks: in one step if it is open, else chunk by chunk.
    #[inline]
    fn block(&mut self, o: &Octant, block: usize, at: IVec3) {
        for i in 0..8 {
            // Read in each iteration: an earlier chunk may lead into a later one of the same block.
            let first = self.first_reached[block][i];
            if first != END_OF_LIST {
                let i = i as i32;
                let region = o.region(at + IVec3::new(i & 1, i >> 2, i >> 1 & 1));
                if region.side == 2 {
                    return self.open_block(o, region, first);
                }
                self.chunk(o, region.at, first);
            }
        }
    }

    fn open_block(&mut self, o: &Octant, block: SweepRegion, reached: u32) {
        self.crossed += 1;
        for i in 0..8 {
            let at = block.at + IVec3::new(i & 1, i >> 2, i >> 1 & 1);
            bitset::insert(&mut self.out.chunks, o.chunk(at));
            bitset::insert(&mut self.out.nodes, o.node(at, 0) as usize);
        }
        let beams = self.reached[reached as usize].beams(o, block, true);
        let beams = beams.as_ref().map(|(beams, count)| &beams[..*count]);
        self.leave_block::<0>(o, block, beams);
        self.leave_block::<1>(o, block, beams);
        self.leave_block::<2>(o, block, beams);
    }

    fn leave_block<const E: usize>(&mut self, o: &Octant, block: SweepRegion, beams: Beams) {
        let mut next = block.at;
        next[E] += block.side;
        if !o.is_inside(next) {
            return;
        }
        let beyond = o.region(next);
        if beyond.side == block.side {
            let face = o.face::<E>(block, block.side);
            let entering = match beams {
                None => Some((Beam::EMPTY, true)),
                Some(beams) => leaving_through::<E>(beams, face).limited_to(o.cell, face),
            };
            if let Some((beam, complete)) = entering {
                self.enter::<E>(o, beyond, 0, &beam, if complete { beyond.faces() } else { 0 });
            }
            return;
        }
        let [u, v] = FACE_AXES[E];
        for i in 0..4 {
            let mut here = block.at;
            here[E] += 1;
            here[u] += i & 1;
            here[v] += i >> 1;
            self.leave::<E>(o, here, 0, beams);
        }
    }

    fn chunk(&mut self, o: &Octant, at: IVec3, first: u32) {
        let slot = o.chunk(at);
        bitset::insert(&mut self.out.chunks, slot);
        let mut next = first;
        while let Some(room) = self.reached.get(next as usize) {
            next = room.next;
            let number = room.number;
            let is_source = at == IVec3::ZERO && number == o.source;
            let beams = if is_source {
                None
            } else {
                room.beams(o, SweepRegion { at, side: 1 }, o.graph.is_open(slot))
            };
            let beams = beams.as_ref().map(|(beams, count)| &beams[..*count]);
            bitset::insert(&mut self.out.nodes, o.node(at, number) as usize);
            self.crossed += 1;
            self.leave::<0>(o, at, number, beams);
            self.leave::<1>(o, at, number, beams);
            self.leave::<2>(o, at, number, beams);
        }
    }

    /// Leaves room `number` of a chunk through its forward face across the axis `E`.
    #[inline]
    fn leave<const E: usize>(&mut self, o: &Octant, at: IVec3, number: u8, beams: Beams) {
        let slot = o.chunk(at);
        let opening =
            o.graph.opening(slot, usize::from(number), E * 2 + usize::from(o.signs[E] < 0));
        let mut next = at;
        next[E] += 1;
        if opening.is_empty() || !o.is_inside(next) {
            return;
        }
        let arrive = |through| {
            beams.map_or_else(
                || Beam::through(through),
                |beams| leaving_through::<E>(beams, through),
            )
        };
        let beyond = o.chunk(next);
        let region = o.region(next);
        let (ahead, lower) = if o.signs[E] > 0 { (0, slot) } else { (1, beyond) };
        let mut entered = false;
        for portal in o.graph.portals(lower, E) {
            if portal.rooms[ahead] != number {
                continue;
            }
            let is_face = portal.rect == OpeningRect::FULL;
            let entering = if beams.is_none() && is_face && region.side == 1 && !self.is_thorough()
            {
                Some((Beam::EMPTY, true))
            } else {
                let through = o.rectangle::<E>(at, portal.rect);
                arrive(through).limited_to(o.cell, through)
            };
            if let Some((beam, complete)) = entering {
                self.enter::<E>(
                    o,
                    region,
                    portal.rooms[1 - ahead],
                    &beam,
                    u8::from(complete && is_face),
                );
                entered = true;
            }
        }
        // Where no portal leads on, the surface of the next chunk may still be visible.
        if entered || !arrive(o.rectangle::<E>(at, opening)).is_empty() {
            bitset::insert(&mut self.out.chunks, beyond);
        }
    }

    /// Adds a beam to a room. `complete_faces` is the number of whole chunk faces through which the
    /// beam contains all possible lines.
    #[inline]
    fn enter<const E: usize>(
        &mut self,
        o: &Octant,
        region: SweepRegion,
        number: u8,
        beam: &Beam,
        complete_faces: u8,
    ) {
        let index = self.room(o, region.at, number);
        let complete_faces = if self.is_thorough() { 0 } else { complete_faces };
        let room = &mut self.reached[index];
        room.complete_faces[E] = room.complete_faces[E].saturating_add(complete_faces);
        if room.complete_faces[E] < region.faces() {
            room.beams[E].join(beam);
        }
    }

    #[cfg(test)]
    fn is_thorough(&self) -> bool {
        self.thorough
    }

    #[cfg(not(test))]
    fn is_thorough(&self) -> bool {
        false
    }

    /// Index of a room in `reached`; adds the room if it is absent.
    #[inline]
    fn room(&mut self, o: &Octant, at: IVec3, number: u8) -> usize {
        let from = at + o.parity;
        let (block, part): (IVec3, IVec3) = (from >> 1, from & 1);
        let block = (block.y * o.blocks.z + block.z) * o.blocks.x + block.x;
        let first =
            &mut self.first_reached[block as usize][(part.x | part.z << 1 | part.y << 2) as usize];
        let mut index = *first;
        while let Some(room) = self.reached.get(index as usize) {
            if room.number == number {
                return index as usize;
            }
            index = room.next;
        }
        let new = self.reached.len();
        self.reached.push(ReachedRoom {
            beams: [Beam::EMPTY; 3],
            complete_faces: [0; 3],
            number,
            next: *first,
        });
        *first = new as u32;
        new
    }
}
