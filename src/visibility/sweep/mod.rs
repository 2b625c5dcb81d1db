//! The sweep: everything that may be seen from a cell.
//!
//! Beam spreads from the cell octant by octant. In an octant lines run forward along all three axes, so a chunk is entered
//! only from the three chunks behind it; taken in the order of their places, those have all been left before: all ways into
//! a chunk are joined before it is left, and each is left once. (A walk that marks a chunk at its first visit and goes on
//! from there forgets the ways that come later.)
//!
//! What is lit is a room, by one to three of its faces; see [`super::light`] for what is known of the lines. A room is left
//! through the rectangle around each portal, the bits that are open on both sides of a face. Blocks of 2^3 open chunks are
//! crossed in one step. Most of what is open is *whole*: lit by all lines that can come there from the cell. Where it is left by a
//! whole face, all is known that there is to know, and nothing is computed: in land two of three steps are such.

mod octant;

use super::beam::{Beam, BeamSlopes, MirroredBox};
use super::bitset;
use super::cell::Cell;
use super::face_mask::{FACE_AXES, FaceRect};
use super::portal_graph::PortalGraph;
use crate::voxel::ChunkPos;
use glam::IVec3;
use octant::{Octant, SweepRegion};

/// What a cell may see.
#[derive(Clone, Debug, Default)]
pub struct VisibleSet {
    /// A bit for each node of the window: lines of sight may come into that room.
    pub nodes: Vec<u64>,
    /// A bit for each chunk of the window: lines of sight may reach it, be it only its rock.
    pub chunks: Vec<u64>,
}

/// A room that lines of sight come into, and the light by the axis of the face that it comes in by.
struct ReachedRoom {
    by: [Beam; 3],
    /// By axis: through how many chunks' whole faces all lines come in that can. These may not be in `by`.
    whole: [u8; 3],
    /// Its number in its chunk.
    room: u8,
    /// The next lit room of the chunk: a place in the list of all, or [`END_OF_LIST`].
    next: u32,
}

const END_OF_LIST: u32 = u32::MAX;

/// Sweeps, one after the other, with memory that is used again.
#[derive(Default)]
pub struct Sweeper {
    lit: Vec<ReachedRoom>,
    /// For each block of 2^3 chunks of an octant, and in it for each chunk (1 more x, 2 more z, 4 more y): the first of its rooms
    /// in `lit`.
    entered: Vec<[u32; 8]>,
    out: VisibleSet,
    /// Rooms and blocks left, in the last sweep.
    pub crossed: usize,
    /// Nothing counts as whole: what the shortcut is held to.
    #[cfg(test)]
    thorough: bool,
}

impl Sweeper {
    /// Sweeps from a cell of the chunk at `centre`, as far as `view` chunks. Nothing is seen from outside the window.
    pub fn sweep(&mut self, window: &PortalGraph, centre: ChunkPos, cell: &Cell, view: i32) -> &VisibleSet {
        let count = window.index().len();
        self.out.nodes.clear();
        self.out.nodes.resize(window.node_count().div_ceil(64), 0);
        self.out.chunks.clear();
        self.out.chunks.resize(count.div_ceil(64), 0);
        self.crossed = 0;
        if window.index().slot(centre).is_none() {
            return &self.out;
        }
        for octant in 0..8 {
            let signs = IVec3::new(octant & 1, octant >> 1 & 1, octant >> 2) * 2 - 1;
            self.octant(&Octant::new(window, centre, cell, view, signs));
        }
        &self.out
    }

    fn octant(&mut self, o: &Octant) {
        self.lit.clear();
        self.entered.clear();
        self.entered.resize(o.blocks.element_product() as usize, [END_OF_LIST; 8]);
        // The cell's own room, without light.
        self.room(o, IVec3::ZERO, o.source);
        let mut block = 0;
        for y in 0..o.blocks.y {
            for z in 0..o.blocks.z {
                for x in 0..o.blocks.x {
                    if self.entered[block] != [END_OF_LIST; 8] {
                        self.block(o, block, IVec3::new(x, y, z) * 2 - o.parity);
                    }
                    block += 1;
                }
            }
        }
    }

    /// Goes through a block of 2^3 chunks, at once where it is open, else chunk by chunk.
    #[inline]
    fn block(&mut self, o: &Octant, block: usize, at: IVec3) {
        for i in 0..8 {
            // From one chunk light may come into another one of the block, farther on.
            let first = self.entered[block][i];
            if first != END_OF_LIST {
                let i = i as i32;
                let part = o.part(at + IVec3::new(i & 1, i >> 2, i >> 1 & 1));
                if part.side == 2 {
                    return self.open_block(o, part, first);
                }
                self.chunk(o, part.at, first);
            }
        }
    }

    fn open_block(&mut self, o: &Octant, block: SweepRegion, lit: u32) {
        self.crossed += 1;
        for i in 0..8 {
            let at = block.at + IVec3::new(i & 1, i >> 2, i >> 1 & 1);
            bitset::insert(&mut self.out.chunks, o.chunk(at));
            bitset::insert(&mut self.out.nodes, o.node(at, 0) as usize);
        }
        let lights = self.lit[lit as usize].lights(o, block, true);
        let by = lights.as_ref().map(|(lights, count)| &lights[..*count]);
        self.leave_block::<0>(o, block, by);
        self.leave_block::<1>(o, block, by);
        self.leave_block::<2>(o, block, by);
    }

    fn leave_block<const E: usize>(&mut self, o: &Octant, block: SweepRegion, by: Beams) {
        let mut next = block.at;
        next[E] += block.side;
        if !o.is_inside(next) {
            return;
        }
        let beyond = o.part(next);
        if beyond.side == block.side {
            let face = o.face::<E>(block, block.side);
            let light = match by {
                None => Some((Beam::NONE, true)),
                Some(by) => arriving::<E>(by, face).narrowed(o.cell, face),
            };
            if let Some((light, whole)) = light {
                self.enter::<E>(o, beyond, 0, &light, if whole { beyond.faces() } else { 0 });
            }
            return;
        }
        let [u, v] = FACE_AXES[E];
        for i in 0..4 {
            let mut here = block.at;
            here[E] += 1;
            here[u] += i & 1;
            here[v] += i >> 1;
            self.leave::<E>(o, here, 0, by);
        }
    }

    fn chunk(&mut self, o: &Octant, at: IVec3, first: u32) {
        let chunk = o.chunk(at);
        bitset::insert(&mut self.out.chunks, chunk);
        let mut next = first;
        while let Some(lit) = self.lit.get(next as usize) {
            next = lit.next;
            let number = lit.room;
            let is_source = at == IVec3::ZERO && number == o.source;
            let lights =
                if is_source { None } else { lit.lights(o, SweepRegion { at, side: 1 }, o.window.is_open(chunk)) };
            let by = lights.as_ref().map(|(lights, count)| &lights[..*count]);
            bitset::insert(&mut self.out.nodes, o.node(at, number) as usize);
            self.crossed += 1;
            self.leave::<0>(o, at, number, by);
            self.leave::<1>(o, at, number, by);
            self.leave::<2>(o, at, number, by);
        }
    }

    /// Leaves room `number` of a chunk by its face across the axis `E`.
    #[inline]
    fn leave<const E: usize>(&mut self, o: &Octant, at: IVec3, number: u8, by: Beams) {
        let chunk = o.chunk(at);
        let opening = o.window.opening(chunk, usize::from(number), E * 2 + usize::from(o.signs[E] < 0));
        let mut next = at;
        next[E] += 1;
        if opening.is_empty() || !o.is_inside(next) {
            return;
        }
        let arrive = |through| by.map_or_else(|| Beam::through(through), |by| arriving::<E>(by, through));
        let (beyond, part) = (o.chunk(next), o.part(next));
        let (ahead, lower) = if o.signs[E] > 0 { (0, chunk) } else { (1, beyond) };
        let mut lit = false;
        for portal in o.window.portals(lower, E) {
            if portal.rooms[ahead] != number {
                continue;
            }
            let is_face = portal.rect == FaceRect::FULL;
            let light = if by.is_none() && is_face && part.side == 1 && !self.is_thorough() {
                Some((Beam::NONE, true))
            } else {
                let through = o.rectangle::<E>(at, portal.rect);
                arrive(through).narrowed(o.cell, through)
            };
            if let Some((light, whole)) = light {
                self.enter::<E>(o, part, portal.rooms[1 - ahead], &light, u8::from(whole && is_face));
                lit = true;
            }
        }
        // Where no portal leads on, there may be rock to be seen.
        if lit || arrive(o.rectangle::<E>(at, opening)).is_some() {
            bitset::insert(&mut self.out.chunks, beyond);
        }
    }

    /// Beam comes into a room, `whole` if it is all that can through the whole faces of so many chunks.
    #[inline]
    fn enter<const E: usize>(&mut self, o: &Octant, part: SweepRegion, number: u8, light: &Beam, whole: u8) {
        let (place, whole) = (self.room(o, part.at, number), if self.is_thorough() { 0 } else { whole });
        let lit = &mut self.lit[place];
        lit.whole[E] = lit.whole[E].saturating_add(whole);
        if lit.whole[E] < part.faces() {
            lit.by[E].join(light);
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

    /// The place in `lit` of a room; it comes there if it was not there before.
    #[inline]
    fn room(&mut self, o: &Octant, at: IVec3, number: u8) -> usize {
        let from = at + o.parity;
        let (block, part): (IVec3, IVec3) = (from >> 1, from & 1);
        let block = (block.y * o.blocks.z + block.z) * o.blocks.x + block.x;
        let first = &mut self.entered[block as usize][(part.x | part.z << 1 | part.y << 2) as usize];
        let mut place = *first;
        while let Some(lit) = self.lit.get(place as usize) {
            if lit.room == number {
                return place as usize;
            }
            place = lit.next;
        }
        let new = self.lit.len();
        self.lit.push(ReachedRoom { by: [Beam::NONE; 3], whole: [0; 3], room: number, next: *first });
        *first = new as u32;
        new
    }
}

/// The lights in a part of the world; none where all lines go on that come from the cell.
type Beams<'a> = Option<&'a [(Beam, BeamSlopes)]>;

impl ReachedRoom {
    /// The lights in a part of the world that is `open` or not, and how many there are.
    #[inline]
    fn lights(&self, o: &Octant, part: SweepRegion, open: bool) -> Option<([(Beam, BeamSlopes); 3], usize)> {
        let is_whole = |axis: usize| self.whole[axis] >= part.faces();
        // Along an axis along which it is level with the cell, no line comes in.
        if open && (0..3).all(|axis| is_whole(axis) || part.at[axis] == 0) {
            return None;
        }
        let (mut out, mut count) = ([(Beam::NONE, BeamSlopes::NONE); 3], 0);
        for axis in 0..3 {
            let light = if is_whole(axis) {
                let face = match axis {
                    0 => o.face::<0>(part, 0),
                    1 => o.face::<1>(part, 0),
                    _ => o.face::<2>(part, 0),
                };
                let Some((light, _)) = Beam::through(face).narrowed(o.cell, face) else { continue };
                light
            } else {
                self.by[axis]
            };
            if light.is_some() {
                out[count] = (light, light.steps());
                count += 1;
            }
        }
        Some((out, count))
    }
}

/// All light that is in a room, where it leaves through `opening`.
#[inline]
fn arriving<const E: usize>(by: &[(Beam, BeamSlopes)], opening: MirroredBox) -> Beam {
    let mut all = Beam::NONE;
    for (light, steps) in by {
        if let Some(light) = light.carried::<E>(steps, opening) {
            all.join(&light);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visibility::ChunkOcclusion;
    use crate::voxel::{Box3, Voxel, linear_offset, local};
    use crate::world::Chunk;

    /// The chunks of a box of 4^3 that a sweep from a voxel finds.
    fn swept(full: impl Fn(IVec3) -> bool, from: IVec3, view: i32) -> Vec<IVec3> {
        let bounds = Box3 { min: IVec3::ZERO, max: IVec3::splat(4) };
        let sight = |pos: ChunkPos| {
            let voxel = |index| if full(pos.origin() + linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR };
            ChunkOcclusion::from_chunk(&Chunk::from_runs((0..32768).map(|index| (1, voxel(index)))), Voxel::is_full)
        };
        let window = PortalGraph::new(bounds, |pos| Some(sight(pos)));
        let centre = ChunkPos::containing(from);
        let cell = sight(centre).cell_at(local(from)).expect("an open voxel");
        let mut sweeper = Sweeper::default();
        let set = sweeper.sweep(&window, centre, &cell, view);
        (0..64)
            .filter(|index| set.chunks[0] >> index & 1 == 1)
            .map(|index| window.index().position(index).as_ivec3())
            .collect()
    }

    #[test]
    fn in_the_open_all_is_seen() {
        assert_eq!(swept(|_| false, IVec3::splat(40), 8).len(), 64);
        assert_eq!(swept(|_| false, IVec3::splat(3), 2).len(), 4 * (9 - 1), "a quarter of a flat circle, four high");
    }

    #[test]
    fn behind_a_wall_and_around_a_corner_nothing_is() {
        let wall = swept(|at| at.x == 70, IVec3::splat(40), 8);
        assert!(wall.len() == 48 && wall.iter().all(|at| at.x < 3), "{wall:?}");
        // A corridor that turns: what lies farther than its corner lets one look is not seen.
        let corridor = |at: IVec3| {
            let straight = (2..10).contains(&at.y) && (2..10).contains(&at.z) && at.x < 106;
            let turned = (2..10).contains(&at.y) && (98..106).contains(&at.x) && at.z >= 2;
            !(straight || turned)
        };
        let seen = swept(corridor, IVec3::new(3, 5, 5), 8);
        assert!(seen.contains(&IVec3::new(3, 0, 0)) && !seen.contains(&IVec3::new(3, 0, 2)), "{seen:?}");
        assert!(swept(corridor, IVec3::new(100, 5, 5), 8).contains(&IVec3::new(3, 0, 3)));
    }

    /// Land with hills, shafts into the ground and tunnels, so that a sweep meets open blocks, whole faces and narrow ways.
    fn land() -> PortalGraph {
        const SIDE: i32 = 9 * 32;
        let mut random = crate::visibility::test_random::TestRandom::new(11);
        let mut below = |n: i32| ((random.draw() >> 33) % n as u64) as i32;
        let hills: [[i32; 4]; 24] = std::array::from_fn(|_| [below(SIDE), below(SIDE), 8 + below(60), 8 + below(60)]);
        let shafts: [[i32; 3]; 40] = std::array::from_fn(|_| [below(SIDE), below(SIDE), 2 + below(9)]);
        let away = |at: IVec3, x: i32, z: i32| IVec3::new((at.x - x).abs(), 0, (at.z - z).abs());
        // Of each column its height, and whether it is a shaft.
        let column = |i: i32| {
            let at = IVec3::new(i % SIDE, 0, i / SIDE);
            let rises = hills.iter().map(|&[x, z, wide, up]| up - away(at, x, z).element_sum() * up / wide);
            let is_shaft = shafts.iter().any(|&[x, z, wide]| away(at, x, z).max_element() < wide);
            (70 + rises.fold(0, i32::max), is_shaft)
        };
        let columns: Vec<(i32, bool)> = (0..SIDE * SIDE).map(column).collect();
        PortalGraph::new(Box3 { min: IVec3::ZERO, max: IVec3::new(9, 7, 9) }, |pos| {
            // Its sides are made even.
            let at_most = SIDE - 1;
            let voxel = |index| {
                let at = pos.origin() + linear_offset(index);
                let (top, is_shaft) = columns[(at.z.min(at_most) * SIDE + at.x.min(at_most)) as usize];
                let is_tunnel = (24..30).contains(&at.y) && (at.x / 12 + at.z / 12) % 3 == 0;
                let open = at.y >= top || is_shaft && at.y > 20 || is_tunnel;
                (1, if open { Voxel::AIR } else { Voxel::full(1) })
            };
            Some(ChunkOcclusion::from_chunk(&Chunk::from_runs((0..32768).map(voxel)), Voxel::is_full))
        })
    }

    #[test]
    fn whole_light_is_all_that_comes() {
        let window = land();
        let (mut quick, mut thorough) = (Sweeper::default(), Sweeper { thorough: true, ..Sweeper::default() });
        let (mut found, mut expected) = (0, 0);
        for place in 0..window.index().len() {
            let pos = window.index().position(place);
            for cell in window.occlusion().chunk(place).rooms.cells() {
                let (all, least) = (quick.sweep(&window, pos, cell, 8), thorough.sweep(&window, pos, cell, 8));
                assert_eq!(bitset::count_beyond(&least.chunks, &all.chunks), 0, "{pos:?}, {cell:?}");
                found += bitset::count(&all.chunks);
                expected += bitset::count(&least.chunks);
            }
        }
        assert!(found <= expected + expected / 100, "{found} beside {expected}");
    }

    #[test]
    fn ways_that_come_together_are_joined() {
        // Two tunnels lead from the cell's hall into another one, whose back wall has a hole.
        let tunnels = |hole: IVec3| {
            move |at: IVec3| {
                let tunnel = at.z < 4 && ((0..4).contains(&at.y) || (12..16).contains(&at.y));
                let end = (at.y, at.z) == (hole.y, hole.z);
                match at.x {
                    ..32 | 64..90 => at.y >= 32,
                    32..64 => !tunnel,
                    _ => !end,
                }
            }
        };
        let sees_through = |hole| swept(tunnels(hole), IVec3::new(3, 3, 3), 8).contains(&IVec3::new(3, 0, 0));
        assert!(sees_through(IVec3::new(0, 1, 1)), "behind the lower one");
        assert!(sees_through(IVec3::new(0, 14, 1)), "behind the upper one");
        assert!(!sees_through(IVec3::new(0, 14, 20)), "far to the side");
    }
}
