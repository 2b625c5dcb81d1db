//! Rooms: the connected open spaces of a chunk, so that a cave and the hill above it are two.
//!
//! A chunk's open voxels that touch face to face make up rooms: whoever is in one sees out of the chunk only through that
//! room's openings in the six faces. The rooms are found as runs: a row's open voxels are a few runs, a run joins those
//! that it overlaps in the row before and in the layer below, and the joined ones are numbered (run-based labelling of
//! connected components, with a union-find forest).
//!
//! A *cell* is what of a room lies in one section of 16^3 voxels: where the player is, as far as visibility goes. Lines of
//! sight start from the cell's box and go through whole rooms: small cells see less, and large rooms are crossed in one
//! step.
//!
//! A line that touches nothing but an edge between two voxels sees nothing there: it has no width.

use super::blockers::Blockers;
use super::face::{FaceMask, FaceRect};
use crate::voxel::{CHUNK_SIDE, CHUNK_VOLUME, Face};
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The most rooms of a chunk that are told apart; with more (dust, sponge) all are taken for one, which sees more,
/// never less.
const MOST: usize = 64;
/// Side of a chunk, in voxels.
const SIDE: usize = CHUNK_SIDE as usize;
/// Rows along x of a chunk.
const ROWS: usize = SIDE * SIDE;

/// The rooms of one chunk.
#[derive(Clone, Debug)]
pub enum Rooms {
    /// The whole chunk is one open room, and one cell.
    Open,
    /// There is none.
    Solid,
    /// There are rooms, and voxels that hide.
    Mixed(Arc<Mixed>),
}

/// The rooms of a chunk that is neither open nor solid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mixed {
    rooms: Box<[Room]>,
    masks: Box<[FaceMask]>,
    /// By section (x fastest, then z, then y), and in each by room.
    cells: Box<[Cell]>,
}

/// One room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// What holds its openings in the chunk's faces, by [`Face`].
    pub openings: [FaceRect; 6],
    /// The number of their mask; [`Room::WHOLE`] where all of the face is open.
    masks: [u16; 6],
}

impl Room {
    const WHOLE: u16 = u16::MAX;
    /// The room of an open chunk.
    pub const OPEN: Room = Room { openings: [FaceRect::FULL; 6], masks: [Room::WHOLE; 6] };
}

/// What of a room lies in a section.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// The number of the room.
    pub room: u8,
    /// The section: 1 more x, 2 more z, 4 more y.
    pub section: u8,
    /// The smallest box that holds it, in the chunk's voxels: from.
    pub lo: [u8; 3],
    /// Up to, not including.
    pub hi: [u8; 3],
}

impl Cell {
    /// The one cell of an open chunk.
    pub const OPEN: Cell = Cell { room: 0, section: 0, lo: [0; 3], hi: [SIDE as u8; 3] };
}

impl Rooms {
    /// The number of no room.
    pub const NONE: u8 = u8::MAX;

    /// The rooms of a chunk.
    #[must_use]
    pub fn of(blockers: &Blockers) -> Rooms {
        match blockers {
            Blockers::None => Rooms::Open,
            Blockers::All => Rooms::Solid,
            Blockers::Some(_) => Rooms::Mixed(Arc::new(Labels::of(blockers).mixed())),
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

    /// All cells.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        match self {
            Rooms::Open => &[Cell::OPEN],
            Rooms::Solid => &[],
            Rooms::Mixed(mixed) => &mixed.cells,
        }
    }

    /// The cell that the voxel at `at` (0 to 31 each) lies in, as an index into [`Rooms::cells`]; none if it is a voxel
    /// that hides. `blockers` are those that the rooms were made from.
    #[must_use]
    pub fn cell_at(&self, blockers: &Blockers, at: IVec3) -> Option<usize> {
        match self {
            Rooms::Open => Some(0),
            Rooms::Solid => None,
            Rooms::Mixed(mixed) => {
                let room = Labels::of(blockers).at(at)?;
                mixed.cells.iter().position(|cell| (cell.section, cell.room) == (section_of(at), room as u8))
            }
        }
    }

    /// The number of the room that each voxel of the chunk lies in, in linear order; [`Rooms::NONE`] for one that hides.
    /// `blockers` are those that the rooms were made from.
    #[must_use]
    pub fn labels(&self, blockers: &Blockers) -> Vec<u8> {
        match self {
            Rooms::Open => vec![0; CHUNK_VOLUME],
            Rooms::Solid => vec![Rooms::NONE; CHUNK_VOLUME],
            Rooms::Mixed(_) => {
                let labels = Labels::of(blockers);
                let mut rooms = vec![Rooms::NONE; CHUNK_VOLUME];
                for row in 0..ROWS {
                    for run in &labels.runs[labels.row(row)] {
                        rooms[row * SIDE..][usize::from(run.from)..usize::from(run.to)].fill(run.parent as u8);
                    }
                }
                rooms
            }
        }
    }

    /// The smallest rectangle that holds all that is open between room `here`, through its face `face`, and room `there`
    /// of the chunk `other` on the other side.
    #[must_use]
    #[inline]
    pub fn portal(&self, face: Face, here: &Room, other: &Rooms, there: &Room) -> FaceRect {
        let opposite = face as usize ^ 1;
        let both = here.openings[face as usize].and(&there.openings[opposite]);
        let (a, b) = (here.masks[face as usize], there.masks[opposite]);
        if both.is_empty() || a == Room::WHOLE || b == Room::WHOLE {
            return both;
        }
        match (self, other) {
            (Rooms::Mixed(x), Rooms::Mixed(y)) => x.masks[usize::from(a)].shared(&y.masks[usize::from(b)]),
            _ => both,
        }
    }
}

/// The section of a chunk that a voxel (0 to 31 each) lies in.
fn section_of(at: IVec3) -> u8 {
    let s: IVec3 = at >> 4;
    (s.x | s.z << 1 | s.y << 2) as u8
}

/// A run of open voxels of one row: `from..to` along x.
#[derive(Clone, Copy)]
struct OpenRun {
    from: u8,
    to: u8,
    /// A run that it is joined with; itself if it stands for all of them. Afterwards the number of the room.
    parent: u16,
}

/// The open runs of a chunk, row by row (z, then y), and which of them belong together.
struct Labels {
    runs: Vec<OpenRun>,
    /// Where each row's runs begin, and where the last one's end.
    rows: Box<[u16; ROWS + 1]>,
    count: usize,
}

impl Labels {
    fn of(blockers: &Blockers) -> Labels {
        let mut labels = Labels { runs: Vec::with_capacity(2048), rows: Box::new([0; ROWS + 1]), count: 0 };
        for row in 0..ROWS {
            let (y, z) = (row / SIDE, row % SIDE);
            let mut open = !blockers.row(y as i32, z as i32);
            while open != 0 {
                let from = open.trailing_zeros();
                let to = from + (!(open >> from)).trailing_zeros().min(32 - from);
                let parent = labels.runs.len() as u16;
                labels.runs.push(OpenRun { from: from as u8, to: to as u8, parent });
                open &= u32::MAX.checked_shl(to).unwrap_or(0);
            }
            labels.rows[row + 1] = labels.runs.len() as u16;
            if z > 0 {
                labels.join(row, row - 1);
            }
            if y > 0 {
                labels.join(row, row - SIDE);
            }
        }
        labels.number();
        labels
    }

    fn row(&self, row: usize) -> Range<usize> {
        usize::from(self.rows[row])..usize::from(self.rows[row + 1])
    }

    /// Joins the runs of two rows that lie side by side.
    fn join(&mut self, row: usize, other: usize) {
        let (mut a, mut b) = (self.row(row), self.row(other));
        while !a.is_empty() && !b.is_empty() {
            let (here, there) = (self.runs[a.start], self.runs[b.start]);
            if here.from < there.to && there.from < here.to {
                let (x, y) = (self.root(a.start), self.root(b.start));
                // The lower one stands for both, so that a run's parent is never behind it.
                self.runs[x.max(y)].parent = x.min(y) as u16;
            }
            if here.to <= there.to { a.start += 1 } else { b.start += 1 }
        }
    }

    fn root(&mut self, mut run: usize) -> usize {
        while usize::from(self.runs[run].parent) != run {
            let parent = usize::from(self.runs[run].parent);
            self.runs[run].parent = self.runs[parent].parent;
            run = parent;
        }
        run
    }

    /// Puts the number of its room in the place of each run's parent.
    fn number(&mut self) {
        for run in 0..self.runs.len() {
            let parent = usize::from(self.runs[run].parent);
            self.runs[run].parent = if parent == run {
                self.count += 1;
                self.count as u16 - 1
            } else {
                // An earlier run, which has its number by now.
                self.runs[parent].parent
            };
        }
        if self.count > MOST {
            self.runs.iter_mut().for_each(|run| run.parent = 0);
            self.count = 1;
        }
    }

    /// The number of the room at `at`; none if that voxel hides.
    fn at(&self, at: IVec3) -> Option<usize> {
        let row = self.row((at.y * CHUNK_SIDE + at.z) as usize);
        let run = self.runs[row].iter().find(|run| (i32::from(run.from)..i32::from(run.to)).contains(&at.x))?;
        Some(usize::from(run.parent))
    }

    fn mixed(&self) -> Mixed {
        let mut faces = vec![[FaceMask::EMPTY; 6]; self.count];
        let mut cells = vec![None; self.count * 8];
        for row in 0..ROWS {
            let (y, z) = (row / SIDE, row % SIDE);
            for run in &self.runs[self.row(row)] {
                let room = usize::from(run.parent);
                self.note_cells(run, y as u8, z as u8, &mut cells);
                let faces = &mut faces[room];
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
        let mut numbers = FxHashMap::default();
        let rooms = faces.iter().map(|faces| Room {
            openings: faces.map(|mask| mask.bounds()),
            masks: faces.map(|mask| match mask.is_full() {
                true => Room::WHOLE,
                false => *numbers.entry(mask).or_insert_with(|| {
                    masks.push(mask);
                    masks.len() as u16 - 1
                }),
            }),
        });
        let rooms = rooms.collect();
        Mixed { rooms, masks: masks.into(), cells: cells.into_iter().flatten().collect() }
    }

    /// Grows the cells that a run lies in: one, or two where it goes over the middle.
    fn note_cells(&self, run: &OpenRun, y: u8, z: u8, cells: &mut [Option<Cell>]) {
        let room = run.parent as u8;
        for (from, to) in [(run.from, run.to.min(16)), (run.from.max(16), run.to)] {
            if from >= to {
                continue;
            }
            let section = section_of(IVec3::new(i32::from(from), i32::from(y), i32::from(z)));
            let (lo, hi) = ([from, y, z], [to, y + 1, z + 1]);
            let cell = cells[usize::from(section) * self.count + usize::from(room)].get_or_insert(Cell {
                room,
                section,
                lo,
                hi,
            });
            for axis in 0..3 {
                cell.lo[axis] = cell.lo[axis].min(lo[axis]);
                cell.hi[axis] = cell.hi[axis].max(hi[axis]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Voxel, linear_index, linear_offset};
    use crate::world::Chunk;

    fn blockers(full: impl Fn(IVec3) -> bool) -> Blockers {
        let voxel = |index| if full(linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR };
        Blockers::of(&Chunk::from_runs((0..CHUNK_VOLUME).map(|index| (1, voxel(index)))), Voxel::is_full)
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
        let blockers = blockers(&full);
        let rooms = Rooms::of(&blockers);
        let (expected, count) = flooded(&full);
        if count > MOST {
            assert_eq!(rooms.rooms().len(), 1);
            return count;
        }
        assert_eq!(rooms.rooms().len(), count);
        let mut bounds = vec![(IVec3::MAX, IVec3::MIN); rooms.cells().len()];
        let mut openings = vec![[FaceMask::EMPTY; 6]; count];
        let (labels, all) = (Labels::of(&blockers), rooms.labels(&blockers));
        for (index, expected) in expected.iter().enumerate() {
            let at = linear_offset(index);
            assert_eq!(labels.at(at), *expected, "{at}");
            assert_eq!(all[index], expected.map_or(Rooms::NONE, |room| room as u8), "{at}");
            let is_here = |cell: &Cell| (cell.section, Some(usize::from(cell.room))) == (section_of(at), *expected);
            let cell = rooms.cells().iter().position(is_here);
            if index % 997 == 0 {
                assert_eq!(rooms.cell_at(&blockers, at), cell, "{at}");
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
        let floor = Rooms::of(&blockers(|at| at.y < 10));
        let hole = Rooms::of(&blockers(|at| !(8..12).contains(&at.y) || at.z != 20));
        let portal = floor.portal(Face::East, &floor.rooms()[0], &hole, &hole.rooms()[0]);
        assert_eq!(portal, FaceRect { from: [20, 10], to: [21, 12] });
        let back = hole.portal(Face::West, &hole.rooms()[0], &floor, &floor.rooms()[0]);
        assert_eq!(back, portal);
        assert!(floor.portal(Face::Down, &floor.rooms()[0], &Rooms::Open, &Room::OPEN).is_empty());
        assert_eq!(floor.portal(Face::Up, &floor.rooms()[0], &Rooms::Open, &Room::OPEN), FaceRect::FULL);
    }
}
