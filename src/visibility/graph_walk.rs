//! The rival: the first-visit graph walk that voxel games cull caves with.
//!
//! Minecraft's since 2014 (T. Checchi, "The Advanced Cave Culling Algorithm", both parts). For each chunk it knows which of its
//! six faces are joined through its open space, 15 pairs. From the viewer's chunk it goes breadth first to the neighbours: out
//! of a face only if that is joined with the face it came in by, and never in a direction whose opposite it has taken. Each
//! chunk is visited once: the way that came first decides how it goes on. What other ways would have led to is lost; and as
//! joined faces are all it asks about, much that no straight line reaches is kept.

use crate::visibility::{Cell, Room, Sights, bits};
use crate::voxel::{ChunkPos, Face};
use crate::world::view::in_reach;
use std::collections::VecDeque;

/// A chunk to go on from.
struct Step {
    chunk: usize,
    /// The faces, a bit each, that it is left by.
    out: u8,
    /// The directions taken on the way.
    taken: u8,
}

/// The chunks that the walk visits from a cell of the chunk at `centre`, as far as `view` chunks: a bit for each place.
#[must_use]
pub fn graph_walk(sights: &Sights, centre: ChunkPos, cell: &Cell, view: i32) -> Vec<u64> {
    let places = sights.places();
    let mut visited = bits::none(places.len());
    let mut queue = VecDeque::new();
    if let Some(home) = places.index(centre) {
        let out = sights.chunk(home).rooms.rooms().get(usize::from(cell.room)).map_or(0, faces_of);
        queue.push_back(Step { chunk: home, out, taken: 0 });
        bits::put(&mut visited, home);
    }
    while let Some(Step { chunk, out, taken }) = queue.pop_front() {
        for face in Face::ALL {
            let opposite = face as u8 ^ 1;
            if out >> face as u8 & 1 == 0 || taken >> opposite & 1 == 1 {
                continue;
            }
            let pos = places.position(chunk).offset(face.normal());
            let Some(next) = places.index(pos) else { continue };
            if in_reach(pos.as_ivec3() - centre.as_ivec3(), view) && bits::put(&mut visited, next) {
                queue.push_back(Step {
                    chunk: next,
                    out: joined(sights, next, opposite),
                    taken: taken | 1 << face as u8,
                });
            }
        }
    }
    visited
}

/// The faces of a chunk that are joined with one of them.
fn joined(sights: &Sights, chunk: usize, face: u8) -> u8 {
    let faces = sights.chunk(chunk).rooms.rooms().iter().map(faces_of);
    faces.filter(|faces| faces >> face & 1 == 1).fold(0, |all, faces| all | faces)
}

fn faces_of(room: &Room) -> u8 {
    (0..6).filter(|&face| !room.openings[face].is_empty()).fold(0, |all, face| all | 1 << face)
}
