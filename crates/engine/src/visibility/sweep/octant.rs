//! Geometry of an octant: the forward directions, and where its chunks, blocks and faces are.

use crate::visibility::beam::MirroredBox;
use crate::visibility::cell::Cell;
use crate::visibility::face_mask::{FACE_AXES, OpeningRect};
use crate::visibility::portal_graph::{PortalGraph, RoomNode};
use crate::voxel::{CHUNK_SIDE, ChunkPos};
use crate::world::view::{in_reach, vertical_reach};
use glam::{IVec3, Vec3A};

/// Constants of the sweep of one octant. Steps and boxes are mirrored, so that all directions are
/// forward: for any signs, the place (1, 2, 3) is one chunk ahead of the cell's chunk along x, two
/// along y and three along z.
pub(crate) struct Octant<'a> {
    pub graph: &'a PortalGraph,
    /// Forward direction on each axis: 1 or -1.
    pub signs: IVec3,
    /// Terms of a chunk's slot, by its steps along each axis.
    slot_terms: Vec<[u32; 3]>,
    /// Last place on each axis that is in the graph and in view.
    last: IVec3,
    /// Blocks of 2^3 chunks begin at even places, or at odd ones where this is 1.
    pub parity: IVec3,
    /// Number of blocks along each axis.
    pub blocks: IVec3,
    /// Box of the cell, mirrored, relative to the corner of its chunk.
    pub cell: MirroredBox,
    view: i32,
    /// Number of the cell's room in its chunk.
    pub source: u8,
}

/// The chunks that beams cross in one step: one chunk, or a block of 2^3 open chunks.
#[derive(Clone, Copy)]
pub(crate) struct SweepRegion {
    /// Place of the region's nearest chunk.
    pub at: IVec3,
    /// Side, in chunks: 1 or 2.
    pub side: i32,
}

impl SweepRegion {
    /// Number of chunk faces in a face of the region.
    #[inline]
    pub fn faces(self) -> u8 {
        (self.side * self.side) as u8
    }
}

impl<'a> Octant<'a> {
    pub fn new(
        graph: &'a PortalGraph,
        centre: ChunkPos,
        cell: &Cell,
        view: i32,
        signs: IVec3,
    ) -> Octant<'a> {
        let bounds = graph.index().bounds();
        let at = centre.as_ivec3();
        let corner = |at: [u8; 3]| Vec3A::from_array(at.map(f32::from));
        let ahead = bounds.max - 1 - at;
        let behind = at - bounds.min;
        let last = IVec3::select(signs.cmpgt(IVec3::ZERO), ahead, behind).min(IVec3::new(
            view,
            vertical_reach(view),
            view,
        ));
        let parity = IVec3::select(signs.cmpgt(IVec3::ZERO), at, at + 1) & 1;
        Octant {
            graph,
            signs,
            // The last block may extend beyond the last place.
            slot_terms: graph.index().slot_terms(centre, signs, last.max_element() + 2).collect(),
            last,
            parity,
            blocks: (last + parity) / 2 + 1,
            cell: MirroredBox { lo: corner(cell.lo), hi: corner(cell.hi) }
                .mirrored(signs.as_vec3a()),
            view,
            source: cell.room,
        }
    }

    /// Slot of the chunk at a place.
    #[inline]
    pub fn chunk(&self, at: IVec3) -> usize {
        let [x, y, z] = [at.x, at.y, at.z].map(|steps| &self.slot_terms[steps as usize]);
        (x[0] + y[1] + z[2]) as usize
    }

    /// Node of room `number` of the chunk at a place.
    #[inline]
    pub fn node(&self, at: IVec3, number: u8) -> RoomNode {
        self.graph.nodes_of(self.chunk(at)).start + RoomNode::from(number)
    }

    /// True if a place is in the graph and in view. The place must not be behind the cell.
    #[inline]
    pub fn is_inside(&self, at: IVec3) -> bool {
        at.cmple(self.last).all() && in_reach(at, self.view)
    }

    /// The region of a place: its open block if the block lies wholly ahead, in view, and does not
    /// contain the cell; else its chunk alone.
    #[inline]
    pub fn region(&self, at: IVec3) -> SweepRegion {
        let first = at - ((at + self.parity) & 1);
        let is_block = self.graph.is_in_open_block(self.chunk(at))
            && first.cmpge(IVec3::ZERO).all()
            && first != IVec3::ZERO
            && self.is_inside(first + 1);
        if is_block { SweepRegion { at: first, side: 2 } } else { SweepRegion { at, side: 1 } }
    }

    /// A rectangle of the forward face across `E` of the chunk at a place.
    #[inline]
    pub fn rectangle<const E: usize>(&self, at: IVec3, rect: OpeningRect) -> MirroredBox {
        let [u, v] = FACE_AXES[E];
        let mut lo = [0; 3];
        let mut hi = [0; 3];
        lo[u] = rect.from[0];
        lo[v] = rect.from[1];
        hi[u] = rect.to[0];
        hi[v] = rect.to[1];
        if self.signs[E] > 0 {
            lo[E] = CHUNK_SIDE as u8;
            hi[E] = CHUNK_SIDE as u8;
        }
        let origin = (at * CHUNK_SIDE).as_vec3a();
        let signs = self.signs.as_vec3a();
        let corner = |at: [u8; 3]| Vec3A::from_array(at.map(f32::from));
        let bounds = MirroredBox { lo: corner(lo), hi: corner(hi) }.mirrored(signs);
        MirroredBox { lo: bounds.lo + origin, hi: bounds.hi + origin }
    }

    /// The face of a region, `steps` chunks ahead of its nearest face across the axis `E`.
    #[inline]
    pub fn face<const E: usize>(&self, region: SweepRegion, steps: i32) -> MirroredBox {
        // In a mirrored direction a chunk lies before its corner.
        let corner = region.at - (1 - self.signs) / 2;
        let mut lo = (corner * CHUNK_SIDE).as_vec3a();
        let mut hi = ((corner + region.side) * CHUNK_SIDE).as_vec3a();
        lo[E] = ((corner[E] + steps) * CHUNK_SIDE) as f32;
        hi[E] = lo[E];
        MirroredBox { lo, hi }
    }
}
