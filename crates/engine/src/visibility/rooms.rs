//! Rooms: the connected open spaces of a chunk, so that a cave and the hill above it are two rooms.
//!
//! Open voxels that share a face belong to the same room. From inside a room, lines of sight leave
//! the chunk only through the openings of that room in the six faces. `room_labels.rs` finds the
//! rooms; this module keeps their openings and cells.
//!
//! A line that passes exactly along an edge between two voxels sees nothing between them: such a
//! gap has no width.

#[cfg(test)]
mod tests;

use super::cell::{Cell, section_of};
use super::face_mask::{FaceMask, OpeningRect};
use super::occluders::Occluders;
use super::room_labels::{OpenRun, ROWS, RoomLabels, SIDE};
use crate::voxel::{CHUNK_VOLUME, Face};
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The rooms of one chunk.
#[derive(Clone, Debug)]
pub enum Rooms {
    /// The whole chunk is one open room and one cell.
    Open,
    /// The chunk has no open voxel.
    Solid,
    /// The chunk has open voxels and occluders.
    Mixed(Arc<MixedRooms>),
}

/// The rooms of a chunk that is neither open nor solid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MixedRooms {
    rooms: Box<[Room]>,
    /// Distinct masks of partly open faces.
    masks: Box<[FaceMask]>,
    /// Ordered by section (x fastest, then z, then y), then by room.
    cells: Box<[Cell]>,
}

/// A room of a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Bounding rectangle of the room's opening in each face, by [`Face`].
    pub(crate) openings: [OpeningRect; 6],
    /// Index of the mask of each opening, or [`Room::FULL_MASK`] where the whole face is open.
    masks: [u16; 6],
}

impl Room {
    const FULL_MASK: u16 = u16::MAX;
    /// The room of an open chunk.
    pub const OPEN: Room = Room { openings: [OpeningRect::FULL; 6], masks: [Room::FULL_MASK; 6] };
}

impl Rooms {
    /// Label of a voxel that belongs to no room.
    pub const NO_ROOM: u8 = u8::MAX;

    /// Finds the rooms between `occluders`.
    #[must_use]
    pub fn from_occluders(occluders: &Occluders) -> Rooms {
        match occluders {
            Occluders::None => Rooms::Open,
            Occluders::All => Rooms::Solid,
            Occluders::Some(_) => Rooms::Mixed(Arc::new(MixedRooms::from_labels(
                &RoomLabels::from_occluders(occluders),
            ))),
        }
    }

    /// All rooms.
    #[must_use]
    pub fn rooms(&self) -> &[Room] {
        match self {
            Rooms::Open => &[Room::OPEN],
            Rooms::Solid => &[],
            Rooms::Mixed(mixed) => &mixed.rooms,
        }
    }

    /// All cells, ordered by section and then by room.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        match self {
            Rooms::Open => &[Cell::OPEN],
            Rooms::Solid => &[],
            Rooms::Mixed(mixed) => &mixed.cells,
        }
    }

    /// The cell that contains the voxel at `at` (0 to 31 on each axis), as an index into
    /// [`Rooms::cells`], or `None` if the voxel is an occluder. `occluders` must be the occluders
    /// that the rooms were made from.
    #[must_use]
    pub fn cell_at(&self, occluders: &Occluders, at: IVec3) -> Option<usize> {
        match self {
            Rooms::Open => Some(0),
            Rooms::Solid => None,
            Rooms::Mixed(mixed) => {
                let room = RoomLabels::from_occluders(occluders).at(at)?;
                mixed
                    .cells
                    .iter()
                    .position(|cell| (cell.section, cell.room) == (section_of(at), room as u8))
            }
        }
    }

    /// The room number of each voxel of the chunk in linear order, [`Rooms::NO_ROOM`] for an
    /// occluder. `occluders` must be the occluders that the rooms were made from.
    #[must_use]
    pub fn labels(&self, occluders: &Occluders) -> Vec<u8> {
        match self {
            Rooms::Open => vec![0; CHUNK_VOLUME],
            Rooms::Solid => vec![Rooms::NO_ROOM; CHUNK_VOLUME],
            Rooms::Mixed(_) => {
                let labels = RoomLabels::from_occluders(occluders);
                let mut rooms = vec![Rooms::NO_ROOM; CHUNK_VOLUME];
                for row in 0..ROWS {
                    for run in labels.runs(row) {
                        rooms[row * SIDE..][usize::from(run.from)..usize::from(run.to)]
                            .fill(run.room() as u8);
                    }
                }
                rooms
            }
        }
    }

    /// The portal through `face` between room `here` of this chunk and room `there` of the adjacent
    /// chunk `other`: the smallest rectangle around the voxels that are open on both sides.
    #[must_use]
    #[inline]
    pub fn portal(&self, face: Face, here: &Room, other: &Rooms, there: &Room) -> OpeningRect {
        let opposite = face.opposite() as usize;
        let both = here.openings[face as usize].intersection(&there.openings[opposite]);
        let a = here.masks[face as usize];
        let b = there.masks[opposite];
        if both.is_empty() || a == Room::FULL_MASK || b == Room::FULL_MASK {
            return both;
        }
        match (self, other) {
            (Rooms::Mixed(x), Rooms::Mixed(y)) => {
                x.masks[usize::from(a)].shared_bounds(&y.masks[usize::from(b)])
            }
            _ => both,
        }
    }
}

impl MixedRooms {
    fn from_labels(labels: &RoomLabels) -> MixedRooms {
        let mut faces = vec![[FaceMask::EMPTY; 6]; labels.count()];
        let mut cells = vec![None; labels.count() * 8];
        for row in 0..ROWS {
            let y = row / SIDE;
            let z = row % SIDE;
            for run in labels.runs(row) {
                grow_cells(run, y as u8, z as u8, labels.count(), &mut cells);
                let faces = &mut faces[run.room()];
                let bits = ((1u64 << run.to) - (1u64 << run.from)) as u32;
                for (at_border, face, v, bits) in [
                    (run.to == SIDE as u8, Face::East, y, 1 << z),
                    (run.from == 0, Face::West, y, 1 << z),
                    (y == SIDE - 1, Face::Up, z, bits),
                    (y == 0, Face::Down, z, bits),
                    (z == SIDE - 1, Face::South, y, bits),
                    (z == 0, Face::North, y, bits),
                ] {
                    if at_border {
                        faces[face as usize].open(v, bits);
                    }
                }
            }
        }
        let mut masks = Vec::new();
        let mut mask_indices = FxHashMap::default();
        let rooms = faces.iter().map(|faces| Room {
            openings: faces.map(|mask| mask.bounds()),
            masks: faces.map(|mask| {
                if mask.is_full() {
                    return Room::FULL_MASK;
                }
                *mask_indices.entry(mask).or_insert_with(|| {
                    masks.push(mask);
                    masks.len() as u16 - 1
                })
            }),
        });
        let rooms = rooms.collect();
        MixedRooms { rooms, masks: masks.into(), cells: cells.into_iter().flatten().collect() }
    }
}

/// Grows the cells that a run lies in: one, or two if the run crosses the middle of the chunk.
/// `cells` has an entry for each of the `room_count` rooms in each section.
fn grow_cells(run: &OpenRun, y: u8, z: u8, room_count: usize, cells: &mut [Option<Cell>]) {
    for (from, to) in [(run.from, run.to.min(16)), (run.from.max(16), run.to)] {
        if from >= to {
            continue;
        }
        let section = section_of(IVec3::new(i32::from(from), i32::from(y), i32::from(z)));
        let lo = [from, y, z];
        let hi = [to, y + 1, z + 1];
        let new = Cell { room: run.room() as u8, section, lo, hi };
        let cell = cells[usize::from(section) * room_count + run.room()].get_or_insert(new);
        for axis in 0..3 {
            cell.lo[axis] = cell.lo[axis].min(lo[axis]);
            cell.hi[axis] = cell.hi[axis].max(hi[axis]);
        }
    }
}
