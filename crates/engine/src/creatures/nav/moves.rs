//! Moves from place to place, coded as a byte, and places, coded as four bytes.

use super::MAX_FALL;
use super::chunk_nav::{ChunkNav, NO_SLOT};
use super::class::NavClass;
use super::navigation::Navigation;
use crate::voxel::{CHUNK_SIDE, ChunkPos, linear_index, linear_offset, local, neighbour_index};
use glam::IVec3;

/// The four horizontal directions. The number of a side is its index.
pub(super) const SIDES: [IVec3; 4] = [IVec3::X, IVec3::NEG_X, IVec3::Z, IVec3::NEG_Z];

/// Code of the first fall among the moves to a side. Before it are the steps with a rise of -1, 0
/// and 1.
const FIRST_FALL: u8 = 3;
/// Code of the first jump among the moves to a side.
const FIRST_JUMP: u8 = FIRST_FALL + MAX_FALL as u8 - 1;
/// Number of moves to a side. The codes of the four sides follow each other.
const KINDS: u8 = FIRST_JUMP + 3;
/// Code of swimming up, after the codes of all sides.
const SWIM_UP: u8 = 4 * KINDS;
/// Code of swimming down.
const SWIM_DOWN: u8 = SWIM_UP + 1;

/// A move between two places, coded as a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::creatures) struct MoveCode(pub(super) u8);

impl MoveCode {
    /// Step to a side with a rise of `dy`: -1, 0 or 1.
    #[inline(always)]
    const fn step(side: usize, dy: i32) -> MoveCode {
        MoveCode(side as u8 * KINDS + (dy + 1) as u8)
    }

    /// Fall of 2 to [`MAX_FALL`] voxels to a side.
    #[inline(always)]
    const fn fall(side: usize, depth: i32) -> MoveCode {
        MoveCode(side as u8 * KINDS + FIRST_FALL + (depth - 2) as u8)
    }

    /// Jump over a gap of one voxel with a rise of `dy`: -1, 0 or 1.
    #[inline(always)]
    const fn jump(side: usize, dy: i32) -> MoveCode {
        MoveCode(side as u8 * KINDS + FIRST_JUMP + (dy + 1) as u8)
    }

    /// Offset from the start to the target.
    pub fn offset(self) -> IVec3 {
        if self.0 >= SWIM_UP {
            return if self.0 == SWIM_UP { IVec3::Y } else { IVec3::NEG_Y };
        }
        let side = SIDES[usize::from(self.0 / KINDS)];
        let kind = self.0 % KINDS;
        match kind {
            FIRST_JUMP.. => side * 2 + IVec3::Y * (i32::from(kind - FIRST_JUMP) - 1),
            FIRST_FALL.. => side - IVec3::Y * (i32::from(kind - FIRST_FALL) + 2),
            _ => side + IVec3::Y * (i32::from(kind) - 1),
        }
    }

    /// Cost of the move: 1 for a step or vertical swimming, 2 for a jump, the depth of a fall.
    pub fn cost(self) -> u32 {
        match self.0 % KINDS {
            _ if self.0 >= SWIM_UP => 1,
            FIRST_JUMP.. => 2,
            kind if kind >= FIRST_FALL => u32::from(kind - FIRST_FALL) + 2,
            _ => 1,
        }
    }
}

/// A voxel of a loaded chunk, coded as the chunk's slot and the linear index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::creatures) struct PlaceKey(pub(super) u32);

impl PlaceKey {
    const INDEX_BITS: u32 = 15;

    fn new(slot: u32, at: IVec3) -> PlaceKey {
        PlaceKey(slot << Self::INDEX_BITS | linear_index(at) as u32)
    }

    /// Slot of the chunk.
    pub fn slot(self) -> u32 {
        self.0 >> Self::INDEX_BITS
    }

    /// Position in its chunk.
    pub fn local(self) -> IVec3 {
        linear_offset(self.0 as usize & ((1 << Self::INDEX_BITS) - 1))
    }
}

/// A chunk with its neighbours, for looking up moves. Positions are in the coordinates of the
/// chunk.
struct NavNeighbourhood<'a> {
    nav: &'a Navigation,
    chunk: &'a ChunkNav,
    slot: u32,
}

impl<'a> NavNeighbourhood<'a> {
    /// Chunk that contains a voxel, and its slot. The voxel may lie in a neighbour.
    #[inline(always)]
    fn chunk(&self, at: IVec3) -> Option<(&'a ChunkNav, u32)> {
        if (at.x | at.y | at.z) & !(CHUNK_SIDE - 1) == 0 {
            return Some((self.chunk, self.slot));
        }
        let by = IVec3::new(
            at.x.div_euclid(CHUNK_SIDE),
            at.y.div_euclid(CHUNK_SIDE),
            at.z.div_euclid(CHUNK_SIDE),
        );
        let slot = self.chunk.around[neighbour_index(by)];
        if slot == NO_SLOT { None } else { Some((self.nav.chunk(slot)?, slot)) }
    }

    #[inline(always)]
    fn class(&self, at: IVec3) -> NavClass {
        let Some((chunk, _)) = self.chunk(at) else { return NavClass::Hazard };
        let at = local(at);
        chunk.classes.class((at.z + CHUNK_SIDE * at.y) as usize, at.x as u32)
    }

    #[inline(always)]
    fn is_open(&self, at: IVec3) -> bool {
        self.class(at).is_passable()
    }

    #[inline(always)]
    fn is_place(&self, at: IVec3) -> bool {
        let Some((chunk, _)) = self.chunk(at) else { return false };
        let at = local(at);
        let places = chunk.places.as_ref();
        places.is_some_and(|places| {
            places.row((at.z + CHUNK_SIDE * at.y) as usize).places >> at.x & 1 == 1
        })
    }

    #[inline(always)]
    fn fits(&self, at: IVec3) -> bool {
        self.is_open(at) && self.is_open(at + IVec3::Y)
    }

    fn is_stand(&self, at: IVec3) -> bool {
        self.is_place(at) && self.class(at) == NavClass::Open
    }

    fn key(&self, at: IVec3) -> Option<PlaceKey> {
        let (_, slot) = self.chunk(at)?;
        Some(PlaceKey::new(slot, local(at)))
    }
}

impl Navigation {
    /// Key of the place at `at`; `None` where there is no place.
    pub(in crate::creatures) fn place_key(&self, at: IVec3) -> Option<PlaceKey> {
        if !self.is_place(at) {
            return None;
        }
        Some(PlaceKey::new(self.slot(ChunkPos::containing(at))?, local(at)))
    }

    /// Position of a place in the world.
    pub(in crate::creatures) fn position(&self, key: PlaceKey) -> IVec3 {
        let origin = self.chunk(key.slot()).map_or(IVec3::ZERO, |chunk| chunk.pos.origin());
        origin + key.local()
    }

    /// Calls `each` with the moves that start at a place, and their targets.
    #[inline]
    pub(in crate::creatures) fn for_each_move(
        &self,
        from: PlaceKey,
        mut each: impl FnMut(MoveCode, PlaceKey),
    ) {
        let Some(chunk) = self.chunk(from.slot()) else { return };
        let around = NavNeighbourhood { nav: self, chunk, slot: from.slot() };
        let at = from.local();
        let up = IVec3::Y;
        let mut found = |code: MoveCode, to: IVec3| {
            if let Some(key) = around.key(to) {
                each(code, key);
            }
        };
        let has_room = around.is_open(at + 2 * up);
        for (number, side) in SIDES.into_iter().enumerate() {
            let next = at + side;
            let level = around.is_place(next);
            if level {
                found(MoveCode::step(number, 0), next);
            }
            let above = around.is_place(next + up);
            if above && has_room {
                found(MoveCode::step(number, 1), next + up);
            }
            // A standing place has ground below it, so no move leads further down; below water
            // there may be another place.
            if level && around.class(next) == NavClass::Open {
                continue;
            }
            let fits = level || around.fits(next);
            let below = fits && around.is_place(next - up);
            if below {
                found(MoveCode::step(number, -1), next - up);
            }
            if fits && !level && !below {
                for depth in 1..=MAX_FALL {
                    let landing = next - up * depth;
                    if !around.is_open(landing) {
                        break;
                    }
                    if around.is_place(landing) {
                        found(MoveCode::fall(number, depth), landing);
                        break;
                    }
                }
            }
            if level {
                continue;
            }
            let to = at + 2 * side;
            let crosses = |to: IVec3| around.is_stand(to) && around.is_stand(at);
            if fits && !below {
                if crosses(to) {
                    found(MoveCode::jump(number, 0), to);
                }
                if crosses(to - up) && around.is_open(to + up) {
                    found(MoveCode::jump(number, -1), to - up);
                }
            }
            if has_room && !above && crosses(to + up) && around.fits(next + up) {
                found(MoveCode::jump(number, 1), to + up);
            }
        }
        if around.class(at) == NavClass::Water {
            for (code, to) in [(SWIM_UP, at + up), (SWIM_DOWN, at - up)] {
                if around.class(to) == NavClass::Water && around.is_place(to) {
                    found(MoveCode(code), to);
                }
            }
        }
    }

    /// Calls `each` with the moves that lead to a place, and their starts.
    pub(super) fn for_each_move_to(&self, to: PlaceKey, mut each: impl FnMut(MoveCode, PlaceKey)) {
        // All moves except falls work in both directions.
        self.for_each_move(to, |code, from| {
            if let Some(back) = code.reversed() {
                each(back, from);
            }
        });
        let Some(chunk) = self.chunk(to.slot()) else { return };
        let around = NavNeighbourhood { nav: self, chunk, slot: to.slot() };
        for depth in 1..=MAX_FALL {
            let above = to.local() + IVec3::Y * depth;
            if !around.is_open(above) || around.is_place(above) {
                break;
            }
            if depth == 1 || !around.is_open(above + IVec3::Y) {
                continue;
            }
            for (number, side) in SIDES.into_iter().enumerate() {
                if around.is_place(above - side)
                    && let Some(key) = around.key(above - side)
                {
                    each(MoveCode::fall(number, depth), key);
                }
            }
        }
    }
}

impl MoveCode {
    /// True for jumps.
    pub(crate) fn is_jump(self) -> bool {
        self.0 < SWIM_UP && self.0 % KINDS >= FIRST_JUMP
    }

    /// Move with this offset; `None` if there is none.
    pub(crate) fn from_offset(by: IVec3) -> Option<MoveCode> {
        (0..=SWIM_DOWN).map(MoveCode).find(|code| code.offset() == by)
    }

    /// Move in the opposite direction; `None` for falls.
    fn reversed(self) -> Option<MoveCode> {
        match self.0 {
            SWIM_UP => Some(MoveCode(SWIM_DOWN)),
            SWIM_DOWN => Some(MoveCode(SWIM_UP)),
            _ => {
                let side = usize::from(self.0 / KINDS) ^ 1;
                let kind = self.0 % KINDS;
                match kind {
                    FIRST_JUMP.. => Some(MoveCode::jump(side, 1 - i32::from(kind - FIRST_JUMP))),
                    FIRST_FALL.. => None,
                    _ => Some(MoveCode::step(side, 1 - i32::from(kind))),
                }
            }
        }
    }
}
