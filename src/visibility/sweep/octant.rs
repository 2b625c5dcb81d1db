//! The geometry of an octant: which way is ahead, where its chunks and blocks are, and their faces.

use super::super::beam::MirroredBox;
use super::super::cell::Cell;
use super::super::face_mask::{FACE_AXES, FaceRect};
use super::super::portal_graph::{PortalGraph, RoomNode};
use crate::voxel::{CHUNK_SIDE, ChunkPos};
use crate::world::view::{in_reach, vertical_reach};
use glam::{IVec3, Vec3A};

/// What stays the same while one octant is swept. BeamSlopes and boxes in it are mirrored, so that all goes forward: the place
/// (1, 2, 3) is one chunk ahead of the cell's along x, two along y and three along z, whichever way ahead is.
pub struct Octant<'a> {
    pub window: &'a PortalGraph,
    /// The directions ahead: 1 or -1.
    pub signs: IVec3,
    /// The parts of a chunk's place in the window, by its steps along each axis.
    ahead: Vec<[u32; 3]>,
    /// The last places that are in the window and in view.
    last: IVec3,
    /// Blocks of 2^3 chunks begin at even places, or at odd ones where this is 1.
    pub parity: IVec3,
    /// Blocks along each axis.
    pub blocks: IVec3,
    /// Relative to the corner of the cell's chunk.
    pub cell: MirroredBox,
    view: i32,
    /// The number of the cell's room in its chunk.
    pub source: u8,
}

/// A part of the world that light goes through in one step.
#[derive(Clone, Copy)]
pub struct SweepRegion {
    /// The place of its nearest chunk.
    pub at: IVec3,
    /// Chunks along its side, 1 or 2.
    pub side: i32,
}

impl SweepRegion {
    /// How many chunks' faces one of its own is.
    #[inline]
    pub fn faces(self) -> u8 {
        (self.side * self.side) as u8
    }
}

impl<'a> Octant<'a> {
    pub fn new(window: &'a PortalGraph, centre: ChunkPos, cell: &Cell, view: i32, signs: IVec3) -> Octant<'a> {
        let (bounds, at) = (window.index().bounds(), centre.as_ivec3());
        let corner = |at: [u8; 3]| Vec3A::from_array(at.map(f32::from));
        let (ahead, behind) = (bounds.max - 1 - at, at - bounds.min);
        let last =
            IVec3::select(signs.cmpgt(IVec3::ZERO), ahead, behind).min(IVec3::new(view, vertical_reach(view), view));
        let parity = IVec3::select(signs.cmpgt(IVec3::ZERO), at, at + 1) & 1;
        Octant {
            window,
            signs,
            // Blocks may begin behind the last place.
            ahead: window.index().slot_terms(centre, signs, last.max_element() + 2).collect(),
            last,
            parity,
            blocks: (last + parity) / 2 + 1,
            cell: MirroredBox { lo: corner(cell.lo), hi: corner(cell.hi) }.mirrored(signs.as_vec3a()),
            view,
            source: cell.room,
        }
    }

    #[inline]
    pub fn chunk(&self, at: IVec3) -> usize {
        let [x, y, z] = [at.x, at.y, at.z].map(|steps| &self.ahead[steps as usize]);
        (x[0] + y[1] + z[2]) as usize
    }

    #[inline]
    pub fn node(&self, at: IVec3, number: u8) -> RoomNode {
        self.window.nodes_of(self.chunk(at)).start + RoomNode::from(number)
    }

    /// True if a place that is not behind the cell is in the window and in view.
    #[inline]
    pub fn is_inside(&self, at: IVec3) -> bool {
        at.cmple(self.last).all() && in_reach(at, self.view)
    }

    /// The part of the world that a place belongs to: an open block that lies wholly ahead, in view, and does not hold the
    /// cell, or its chunk alone.
    #[inline]
    pub fn part(&self, at: IVec3) -> SweepRegion {
        let first = at - ((at + self.parity) & 1);
        let is_block = self.window.is_in_open_block(self.chunk(at))
            && first.cmpge(IVec3::ZERO).all()
            && first != IVec3::ZERO
            && self.is_inside(first + 1);
        if is_block { SweepRegion { at: first, side: 2 } } else { SweepRegion { at, side: 1 } }
    }

    /// A part of the face through which lines leave the chunk at a place.
    #[inline]
    pub fn rectangle<const E: usize>(&self, at: IVec3, part: FaceRect) -> MirroredBox {
        let [u, v] = FACE_AXES[E];
        let (mut lo, mut hi) = ([0; 3], [0; 3]);
        (lo[u], lo[v], hi[u], hi[v]) = (part.from[0], part.from[1], part.to[0], part.to[1]);
        if self.signs[E] > 0 {
            (lo[E], hi[E]) = (CHUNK_SIDE as u8, CHUNK_SIDE as u8);
        }
        let (origin, signs) = ((at * CHUNK_SIDE).as_vec3a(), self.signs.as_vec3a());
        let corner = |at: [u8; 3]| Vec3A::from_array(at.map(f32::from));
        let span = MirroredBox { lo: corner(lo), hi: corner(hi) }.mirrored(signs);
        MirroredBox { lo: span.lo + origin, hi: span.hi + origin }
    }

    /// The face of a part of the world, so many chunks on from its nearest one along the axis `E`.
    #[inline]
    pub fn face<const E: usize>(&self, part: SweepRegion, on: i32) -> MirroredBox {
        // A chunk behind its corner lies on the other side of it.
        let corner = part.at - (1 - self.signs) / 2;
        let (mut lo, mut hi) = ((corner * CHUNK_SIDE).as_vec3a(), ((corner + part.side) * CHUNK_SIDE).as_vec3a());
        lo[E] = ((corner[E] + on) * CHUNK_SIDE) as f32;
        hi[E] = lo[E];
        MirroredBox { lo, hi }
    }
}
