//! The rival method: the first-visit graph walk that voxel games cull caves with.
//!
//! Minecraft has used it since 2014 (T. Checchi, "The Advanced Cave Culling Algorithm", both
//! parts). Each chunk stores which pairs of its six faces its open space connects, 15 pairs. The
//! walk goes breadth first from the viewer's chunk: it leaves a chunk only through faces that are
//! connected to the face of entry, and never in a direction opposite to one already taken.
//!
//! Each chunk is visited once, so the first path decides how the walk continues, and chunks that
//! only other paths reach are lost. Connected faces are the only criterion, so many chunks remain
//! that no straight line reaches.

use super::bitset;
use super::cell::Cell;
use super::occlusion_grid::OcclusionGrid;
use super::rooms::Room;
use crate::voxel::{ChunkPos, Face};
use crate::world::view::in_reach;
use std::collections::VecDeque;

/// A visited chunk whose neighbours are still to be visited.
struct Visit {
    slot: usize,
    /// Faces through which the walk leaves the chunk, one bit each.
    exits: u8,
    /// Directions taken on the path to the chunk, one bit each.
    taken: u8,
}

/// Returns the chunks that the walk visits from a cell of the chunk at `centre`, up to `view`
/// chunks away, one bit per slot.
#[must_use]
pub fn graph_walk(occlusion: &OcclusionGrid, centre: ChunkPos, cell: &Cell, view: i32) -> Vec<u64> {
    let index = occlusion.index();
    let mut visited = bitset::empty(index.len());
    let mut queue = VecDeque::new();
    if let Some(home) = index.slot(centre) {
        let exits =
            occlusion.chunk(home).rooms.rooms().get(usize::from(cell.room)).map_or(0, open_faces);
        queue.push_back(Visit { slot: home, exits, taken: 0 });
        bitset::insert(&mut visited, home);
    }
    while let Some(Visit { slot, exits, taken }) = queue.pop_front() {
        for face in Face::ALL {
            let opposite = face.opposite() as u8;
            if exits >> face as u8 & 1 == 0 || taken >> opposite & 1 == 1 {
                continue;
            }
            let pos = index.position(slot).offset(face.normal());
            let Some(next) = index.slot(pos) else { continue };
            if in_reach(pos.as_ivec3() - centre.as_ivec3(), view)
                && bitset::insert(&mut visited, next)
            {
                queue.push_back(Visit {
                    slot: next,
                    exits: connected_faces(occlusion, next, opposite),
                    taken: taken | 1 << face as u8,
                });
            }
        }
    }
    visited
}

/// The faces of a chunk that its open space connects to `face`, one bit each.
fn connected_faces(occlusion: &OcclusionGrid, slot: usize, face: u8) -> u8 {
    let faces = occlusion.chunk(slot).rooms.rooms().iter().map(open_faces);
    faces.filter(|faces| faces >> face & 1 == 1).fold(0, |all, faces| all | faces)
}

/// The faces in which a room has an opening, one bit each.
fn open_faces(room: &Room) -> u8 {
    (0..6).filter(|&face| !room.openings[face].is_empty()).fold(0, |all, face| all | 1 << face)
}
