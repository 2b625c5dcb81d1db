//! Rooms: the connected open spaces of a chunk, so that a cave and the hill above it are two rooms.
//!
//! Open voxels that share a face belong to the same room. From inside a room, lines of sight leave
//! the chunk only through the openings of that room in the six faces. `room_labels.rs` finds the
//! rooms; this module keeps their openings and cells.
//!
//! A line that passes exactly along an edge between two voxels sees nothing between them: such a
//! gap has no width.

use super::cell::{Cell, section_of};
use super::face_mask::{FaceMask, FaceRect};
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

/// One room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Bounding rectangle of the room's opening in each face, by [`Face`].
    pub openings: [FaceRect; 6],
    /// Index of the mask of each opening, or [`Room::FULL_MASK`] where the whole face is open.
    masks: [u16; 6],
}

impl Room {
    const FULL_MASK: u16 = u16::MAX;
    /// The room of an open chunk.
    pub const OPEN: Room = Room { openings: [FaceRect::FULL; 6], masks: [Room::FULL_MASK; 6] };
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
            Occluders::Some(_) => {
                Rooms::Mixed(Arc::new(MixedRooms::from_labels(&RoomLabels::from_occluders(occluders))))
            }
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
    /// [`Rooms::cells`], or `None` if the voxel is an occluder. `occluders` must be those that the
    /// rooms were made from.
    #[must_use]
    pub fn cell_at(&self, occluders: &Occluders, at: IVec3) -> Option<usize> {
        match self {
            Rooms::Open => Some(0),
            Rooms::Solid => None,
            Rooms::Mixed(mixed) => {
                let room = RoomLabels::from_occluders(occluders).at(at)?;
                mixed.cells.iter().position(|cell| (cell.section, cell.room) == (section_of(at), room as u8))
            }
        }
    }

    /// The room number of each voxel of the chunk in linear order, [`Rooms::NO_ROOM`] for an
    /// occluder. `occluders` must be those that the rooms were made from.
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
                        rooms[row * SIDE..][usize::from(run.from)..usize::from(run.to)].fill(run.room() as u8);
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
    pub fn portal(&self, face: Face, here: &Room, other: &Rooms, there: &Room) -> FaceRect {
        let opposite = face.opposite() as usize;
        let both = here.openings[face as usize].intersection(&there.openings[opposite]);
        let (a, b) = (here.masks[face as usize], there.masks[opposite]);
        if both.is_empty() || a == Room::FULL_MASK || b == Room::FULL_MASK {
            return both;
        }
        match (self, other) {
            (Rooms::Mixed(x), Rooms::Mixed(y)) => x.masks[usize::from(a)].shared_bounds(&y.masks[usize::from(b)]),
            _ => both,
        }
    }
}

impl MixedRooms {
    fn from_labels(labels: &RoomLabels) -> MixedRooms {
        let mut faces = vec![[FaceMask::EMPTY; 6]; labels.count()];
        let mut cells = vec![None; labels.count() * 8];
        for row in 0..ROWS {
            let (y, z) = (row / SIDE, row % SIDE);
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
            masks: faces.map(|mask| match mask.is_full() {
                true => Room::FULL_MASK,
                false => *mask_indices.entry(mask).or_insert_with(|| {
                    masks.push(mask);
                    masks.len() as u16 - 1
                }),
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
        let (lo, hi) = ([from, y, z], [to, y + 1, z + 1]);
        let new = Cell { room: run.room() as u8, section, lo, hi };
        let cell = cells[usize::from(section) * room_count + run.room()].get_or_insert(new);
        for axis in 0..3 {
            cell.lo[axis] = cell.lo[axis].min(lo[axis]);
            cell.hi[axis] = cell.hi[axis].max(hi[axis]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visibility::room_labels::MAX_ROOMS;
    use crate::voxel::{Voxel, linear_index, linear_offset};
    use crate::world::Chunk;

    fn occluders(full: impl Fn(IVec3) -> bool) -> Occluders {
        let voxel = |index| if full(linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR };
        Occluders::from_chunk(&Chunk::from_runs((0..CHUNK_VOLUME).map(|index| (1, voxel(index)))), Voxel::is_full)
    }

    /// The room of each voxel, by flooding.
    fn flooded(full: &impl Fn(IVec3) -> bool) -> (Vec<Option<usize>>, usize) {
        let mut rooms = vec![None; CHUNK_VOLUME];
        let mut count = 0;
        for index in 0..CHUNK_VOLUME {
            let mut stack = vec![linear_offset(index)];
            if full(stack[0]) || rooms[index].is_some() {
                continue;
            }
            while let Some(at) = stack.pop() {
                let inside = at.cmpge(IVec3::ZERO).all() && at.cmplt(IVec3::splat(32)).all();
                if inside && !full(at) && rooms[linear_index(at)].is_none() {
                    rooms[linear_index(at)] = Some(count);
                    stack.extend(Face::ALL.map(|face| at + face.normal()));
                }
            }
            count += 1;
        }
        (rooms, count)
    }

    fn check(full: impl Fn(IVec3) -> bool) -> usize {
        let occluders = occluders(&full);
        let rooms = Rooms::from_occluders(&occluders);
        let (expected, count) = flooded(&full);
        if count > MAX_ROOMS {
            assert_eq!(rooms.rooms().len(), 1);
            return count;
        }
        assert_eq!(rooms.rooms().len(), count);
        let mut bounds = vec![(IVec3::MAX, IVec3::MIN); rooms.cells().len()];
        let mut openings = vec![[FaceMask::EMPTY; 6]; count];
        let (labels, all) = (RoomLabels::from_occluders(&occluders), rooms.labels(&occluders));
        for (index, expected) in expected.iter().enumerate() {
            let at = linear_offset(index);
            assert_eq!(labels.at(at), *expected, "{at}");
            assert_eq!(all[index], expected.map_or(Rooms::NO_ROOM, |room| room as u8), "{at}");
            let is_here = |cell: &Cell| (cell.section, Some(usize::from(cell.room))) == (section_of(at), *expected);
            let cell = rooms.cells().iter().position(is_here);
            if index % 997 == 0 {
                assert_eq!(rooms.cell_at(&occluders, at), cell, "{at}");
            }
            let (Some(cell), Some(room)) = (cell, *expected) else { continue };
            bounds[cell] = (bounds[cell].0.min(at), bounds[cell].1.max(at + 1));
            let planes = [(0, at.z, at.y), (1, at.x, at.z), (2, at.x, at.y)];
            for (axis, u, v) in planes {
                for (border, face) in [(31, axis * 2), (0, axis * 2 + 1)] {
                    if at[axis] == border {
                        openings[room][face].open(v as usize, 1 << u);
                    }
                }
            }
        }
        for (cell, (lo, hi)) in rooms.cells().iter().zip(bounds) {
            assert_eq!((IVec3::from(cell.lo.map(i32::from)), IVec3::from(cell.hi.map(i32::from))), (lo, hi));
        }
        for (room, openings) in rooms.rooms().iter().zip(openings) {
            assert_eq!(room.openings, openings.map(|mask| mask.bounds()));
        }
        count
    }

    #[test]
    fn rooms_are_what_flooding_finds() {
        // Walls a voxel thick; a spiral; a comb whose teeth join late; hills; dust.
        assert_eq!(check(|at| at.x == 10 || at.y == 16), 4);
        assert_eq!(check(|at| at.y > 0 && at.x % 2 == 1), 1);
        assert_eq!(check(|at| at.y < 31 && (at.x + at.z) % 2 == 1), 1);
        assert_eq!(check(|at| at.z % 8 == 7 && (at.x != 3 || at.y != 30)), 1);
        assert_eq!(check(|at| at.z % 8 == 7 && (at.x != 3 || at.y != 30 || at.z == 15)), 2);
        check(|at| at.y < 10 + (at.x * 7 % 13) - (at.z * 5 % 11) || at.y > 25);
        for threshold in [300, 700, 900] {
            let hash = |at: IVec3| (at.x * 7919 + at.y * 104_729 + at.z * 1_299_709).wrapping_mul(374_761_393) >> 11;
            let count = check(|at| hash(at).rem_euclid(1000) < threshold);
            assert!(count > 0);
        }
        check(|at| at != IVec3::new(4, 5, 6) && at != IVec3::new(31, 31, 31));
    }

    #[test]
    fn portals_are_open_on_both_sides() {
        let floor = Rooms::from_occluders(&occluders(|at| at.y < 10));
        let hole = Rooms::from_occluders(&occluders(|at| !(8..12).contains(&at.y) || at.z != 20));
        let portal = floor.portal(Face::East, &floor.rooms()[0], &hole, &hole.rooms()[0]);
        assert_eq!(portal, FaceRect { from: [20, 10], to: [21, 12] });
        let back = hole.portal(Face::West, &hole.rooms()[0], &floor, &floor.rooms()[0]);
        assert_eq!(back, portal);
        assert!(floor.portal(Face::Down, &floor.rooms()[0], &Rooms::Open, &Room::OPEN).is_empty());
        assert_eq!(floor.portal(Face::Up, &floor.rooms()[0], &Rooms::Open, &Room::OPEN), FaceRect::FULL);
    }
}
