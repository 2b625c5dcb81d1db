//! The sweep: everything that may be seen from a cell.
//!
//! Light spreads from the cell octant by octant. In an octant lines run forward along all three axes, so a chunk is entered
//! only from the three chunks behind it; taken in the order of their places, those have all been left before: all ways into
//! a chunk are joined before it is left, and each is left once. (A walk that marks a chunk at its first visit and goes on
//! from there forgets the ways that come later.)
//!
//! What is lit is a room, by one to three of its faces; see [`super::light`] for what is known of the lines. A room is left
//! through the rectangle around each portal, the bits that are open on both sides of a face. Blocks of 2^3 open chunks are
//! crossed in one step.

use super::face::{FaceRect, PLANE};
use super::light::{Light, Span, Steps};
use super::rooms::Cell;
use super::window::{Node, Window};
use crate::voxel::{CHUNK_SIDE, ChunkPos};
use crate::world::view::in_reach;
use glam::{IVec3, Vec3A};

/// What a cell may see.
#[derive(Clone, Debug, Default)]
pub struct VisibleSet {
    /// A bit for each node of the window: lines of sight may come into that room.
    pub nodes: Vec<u64>,
    /// A bit for each chunk of the window: lines of sight may reach it, be it only its rock.
    pub chunks: Vec<u64>,
}

/// A room that lines of sight come into, and the light by the axis of the face that it comes in by.
struct Lit {
    node: Node,
    by: [Light; 3],
}

/// Sweeps, one after the other, with memory that is used again.
#[derive(Default)]
pub struct Sweeper {
    /// For each node its place in `lit`, if `lit` says so too.
    places: Vec<u32>,
    lit: Vec<Lit>,
    /// For each chunk the last pass in which light came into it.
    passes: Vec<u32>,
    pass: u32,
    out: VisibleSet,
    /// Rooms and blocks left, in the last sweep.
    pub left: usize,
}

/// What stays the same while one octant is swept. Steps and boxes in it are mirrored, so that all goes forward: the place
/// (1, 2, 3) is one chunk ahead of the cell's along x, two along y and three along z, whichever way ahead is.
struct Octant<'a> {
    window: &'a Window,
    /// The directions ahead: 1 or -1.
    signs: IVec3,
    /// The parts of a chunk's place in the window, by its steps along each axis.
    ahead: Vec<[u32; 3]>,
    /// The last places that are in the window and in view.
    last: IVec3,
    /// Blocks of 2^3 chunks begin at even places, or at odd ones where this is 1.
    parity: IVec3,
    /// Relative to the corner of the cell's chunk.
    cell: Span,
    view: i32,
    source: Node,
}

/// A part of the world that light goes through in one step.
#[derive(Clone, Copy)]
struct Part {
    /// The place of its nearest chunk.
    at: IVec3,
    /// Chunks along its side, 1 or 2.
    side: i32,
}

fn set(bits: &mut [u64], index: usize) {
    bits[index / 64] |= 1 << (index % 64);
}

impl Sweeper {
    /// Sweeps from a cell of the chunk at `centre`, as far as `view` chunks. Nothing is seen from outside the window.
    pub fn sweep(&mut self, window: &Window, centre: ChunkPos, cell: &Cell, view: i32) -> &VisibleSet {
        self.places.resize(window.nodes(), 0);
        let count = window.places().len();
        self.passes.resize(count, 0);
        self.out.nodes.clear();
        self.out.nodes.resize(window.nodes().div_ceil(64), 0);
        self.out.chunks.clear();
        self.out.chunks.resize(count.div_ceil(64), 0);
        self.left = 0;
        let Some(home) = window.places().index(centre) else { return &self.out };
        for octant in 0..8 {
            let signs = IVec3::new(octant & 1, octant >> 1 & 1, octant >> 2) * 2 - 1;
            self.passes[home] = self.pass + 1;
            self.octant(&Octant::new(window, centre, home, cell, view, signs));
        }
        &self.out
    }

    fn octant(&mut self, o: &Octant) {
        self.pass += 1;
        self.lit.clear();
        for y in (-o.parity.y..=o.last.y).step_by(2) {
            for z in (-o.parity.z..=o.last.z).step_by(2) {
                for x in (-o.parity.x..=o.last.x).step_by(2) {
                    self.block(o, IVec3::new(x, y, z));
                }
            }
        }
    }

    /// Goes through a block of 2^3 chunks, at once where it is open, else chunk by chunk.
    #[inline]
    fn block(&mut self, o: &Octant, at: IVec3) {
        let block = o.part(at.max(IVec3::ZERO));
        if block.side == 2 {
            if self.passes[o.chunk(at)] == self.pass {
                self.open_block(o, block);
            }
            return;
        }
        for i in 0..8 {
            let at = at + IVec3::new(i & 1, i >> 2, i >> 1 & 1);
            if at.cmpge(IVec3::ZERO).all() && at.cmple(o.last).all() && self.passes[o.chunk(at)] == self.pass {
                self.chunk(o, at);
            }
        }
    }

    fn open_block(&mut self, o: &Octant, block: Part) {
        let node = o.node(block.at, 0);
        let Some(place) = self.place(node) else { return };
        self.left += 1;
        for i in 0..8 {
            let at = block.at + IVec3::new(i & 1, i >> 2, i >> 1 & 1);
            set(&mut self.out.chunks, o.chunk(at));
            set(&mut self.out.nodes, o.node(at, 0) as usize);
        }
        let (by, count) = o.lights(&self.lit[place].by);
        let by = &by[..count];
        self.leave_block::<0>(o, block, by);
        self.leave_block::<1>(o, block, by);
        self.leave_block::<2>(o, block, by);
    }

    fn leave_block<const E: usize>(&mut self, o: &Octant, block: Part, by: &[(Light, Steps)]) {
        let mut next = block.at;
        next[E] += 2;
        if !o.is_inside(next) {
            return;
        }
        if o.part(next).side == 2 {
            let whole = o.block_face::<E>(block.at);
            if let Some(light) = arriving::<E>(by, whole).narrowed(o.cell) {
                self.enter::<E>(o, next, 0, &light);
            }
            return;
        }
        let [u, v] = PLANE[E];
        for i in 0..4 {
            let mut here = block.at;
            here[E] += 1;
            here[u] += i & 1;
            here[v] += i >> 1;
            self.leave::<E>(o, here, 0, false, by);
        }
    }

    fn chunk(&mut self, o: &Octant, at: IVec3) {
        let chunk = o.chunk(at);
        set(&mut self.out.chunks, chunk);
        for (number, node) in o.window.nodes_of(chunk).enumerate() {
            let place = self.place(node);
            let is_source = node == o.source;
            let (by, count) = match place {
                Some(place) => o.lights(&self.lit[place].by),
                None if is_source => o.lights(&[Light::NONE; 3]),
                None => continue,
            };
            set(&mut self.out.nodes, node as usize);
            self.left += 1;
            let by = &by[..count];
            self.leave::<0>(o, at, number, is_source, by);
            self.leave::<1>(o, at, number, is_source, by);
            self.leave::<2>(o, at, number, is_source, by);
        }
    }

    /// The place in `lit` of a room that light came into.
    #[inline]
    fn place(&self, node: Node) -> Option<usize> {
        let place = self.places[node as usize] as usize;
        (self.lit.get(place)?.node == node).then_some(place)
    }

    /// Leaves room `number` of a chunk by its face across the axis `E`.
    #[inline]
    fn leave<const E: usize>(&mut self, o: &Octant, at: IVec3, number: usize, is_source: bool, by: &[(Light, Steps)]) {
        let chunk = o.chunk(at);
        let room = o.window.room(o.window.nodes_of(chunk).start + number as Node);
        let opening = room.openings[E * 2 + usize::from(o.signs[E] < 0)];
        let mut next = at;
        next[E] += 1;
        if opening.is_empty() || !o.is_inside(next) {
            return;
        }
        let arrive = |rect| {
            let through = o.rectangle::<E>(at, rect);
            if is_source { Light::through(through) } else { arriving::<E>(by, through) }
        };
        let beyond = o.chunk(next);
        let (ahead, lower) = if o.signs[E] > 0 { (0, chunk) } else { (1, beyond) };
        let mut lit = false;
        for portal in o.window.portals(lower, E) {
            if usize::from(portal.rooms[ahead]) == number
                && let Some(light) = arrive(portal.rect).narrowed(o.cell)
            {
                self.enter::<E>(o, next, portal.rooms[1 - ahead], &light);
                lit = true;
            }
        }
        // Where no portal leads on, there may be rock to be seen.
        if lit || arrive(opening).is_some() {
            set(&mut self.out.chunks, beyond);
        }
    }

    #[inline]
    fn enter<const E: usize>(&mut self, o: &Octant, at: IVec3, number: u8, light: &Light) {
        let at = o.part(at).at;
        self.passes[o.chunk(at)] = self.pass;
        let node = o.node(at, number);
        let place = self.place(node).unwrap_or_else(|| {
            self.places[node as usize] = self.lit.len() as u32;
            self.lit.push(Lit { node, by: [Light::NONE; 3] });
            self.lit.len() - 1
        });
        self.lit[place].by[E].join(light);
    }
}

/// All light that is in a room, where it leaves through `opening`.
#[inline]
fn arriving<const E: usize>(by: &[(Light, Steps)], opening: Span) -> Light {
    let mut all = Light::NONE;
    for (light, steps) in by {
        if let Some(light) = light.carried::<E>(steps, opening) {
            all.join(&light);
        }
    }
    all
}

impl<'a> Octant<'a> {
    fn new(window: &'a Window, centre: ChunkPos, home: usize, cell: &Cell, view: i32, signs: IVec3) -> Octant<'a> {
        let (bounds, at) = (window.places().bounds(), centre.as_ivec3());
        let corner = |at: [u8; 3]| Vec3A::from_array(at.map(f32::from));
        let (ahead, behind) = (bounds.max - 1 - at, at - bounds.min);
        let last = IVec3::select(signs.cmpgt(IVec3::ZERO), ahead, behind).min(IVec3::splat(view));
        Octant {
            window,
            signs,
            // Blocks may begin behind the last place.
            ahead: window.places().ahead(centre, signs, last.max_element() + 2).collect(),
            last,
            parity: IVec3::select(signs.cmpgt(IVec3::ZERO), at, at + 1) & 1,
            cell: Span { lo: corner(cell.lo), hi: corner(cell.hi) }.mirrored(signs.as_vec3a()),
            view,
            source: window.nodes_of(home).start + Node::from(cell.room),
        }
    }

    #[inline]
    fn chunk(&self, at: IVec3) -> usize {
        let [x, y, z] = [at.x, at.y, at.z].map(|steps| &self.ahead[steps as usize]);
        (x[0] + y[1] + z[2]) as usize
    }

    #[inline]
    fn node(&self, at: IVec3, number: u8) -> Node {
        self.window.nodes_of(self.chunk(at)).start + Node::from(number)
    }

    /// True if a place that is not behind the cell is in the window and in view.
    #[inline]
    fn is_inside(&self, at: IVec3) -> bool {
        at.cmple(self.last).all() && in_reach(at, self.view)
    }

    /// The part of the world that a place belongs to: an open block that lies wholly ahead, in view, and does not hold the
    /// cell, or its chunk alone.
    #[inline]
    fn part(&self, at: IVec3) -> Part {
        let first = at - ((at + self.parity) & 1);
        let is_block = first.cmpge(IVec3::ZERO).all()
            && first != IVec3::ZERO
            && self.is_inside(first + 1)
            && self.window.is_in_open_block(self.chunk(at));
        if is_block { Part { at: first, side: 2 } } else { Part { at, side: 1 } }
    }

    /// The lights that there are, with their steps.
    #[inline]
    fn lights(&self, by: &[Light; 3]) -> ([(Light, Steps); 3], usize) {
        let mut out = [(Light::NONE, Steps::NONE); 3];
        let mut count = 0;
        for light in by.iter().filter(|light| light.is_some()) {
            out[count] = (*light, light.steps());
            count += 1;
        }
        (out, count)
    }

    /// A part of the face through which lines leave the chunk at a place.
    #[inline]
    fn rectangle<const E: usize>(&self, at: IVec3, part: FaceRect) -> Span {
        let [u, v] = PLANE[E];
        let (mut lo, mut hi) = ([0; 3], [0; 3]);
        (lo[u], lo[v], hi[u], hi[v]) = (part.from[0], part.from[1], part.to[0], part.to[1]);
        if self.signs[E] > 0 {
            (lo[E], hi[E]) = (CHUNK_SIDE as u8, CHUNK_SIDE as u8);
        }
        let (origin, signs) = ((at * CHUNK_SIDE).as_vec3a(), self.signs.as_vec3a());
        let corner = |at: [u8; 3]| Vec3A::from_array(at.map(f32::from));
        let span = Span { lo: corner(lo), hi: corner(hi) }.mirrored(signs);
        Span { lo: span.lo + origin, hi: span.hi + origin }
    }

    /// The face through which lines leave the block at a place.
    #[inline]
    fn block_face<const E: usize>(&self, at: IVec3) -> Span {
        // A chunk behind its corner lies on the other side of it.
        let lo = at - (1 - self.signs) / 2;
        let (mut lo, hi) = ((lo * CHUNK_SIDE).as_vec3a(), ((lo + 2) * CHUNK_SIDE).as_vec3a());
        lo[E] = hi[E];
        Span { lo, hi }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visibility::Sight;
    use crate::voxel::{Box3, Voxel, linear_offset};
    use crate::world::Chunk;

    /// The chunks of a box of 4^3 that a sweep from a voxel finds.
    fn swept(full: impl Fn(IVec3) -> bool, from: IVec3, view: i32) -> Vec<IVec3> {
        let bounds = Box3 { min: IVec3::ZERO, max: IVec3::splat(4) };
        let sight = |pos: ChunkPos| {
            let voxel = |index| if full(pos.origin() + linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR };
            Sight::of(&Chunk::from_runs((0..32768).map(|index| (1, voxel(index)))), Voxel::is_full)
        };
        let window = Window::new(bounds, |pos| Some(sight(pos)));
        let centre = ChunkPos::containing(from);
        let cell = sight(centre).cell_at(from & 31).expect("an open voxel");
        let mut sweeper = Sweeper::default();
        let set = sweeper.sweep(&window, centre, &cell, view);
        (0..64)
            .filter(|index| set.chunks[0] >> index & 1 == 1)
            .map(|index| window.places().position(index).as_ivec3())
            .collect()
    }

    #[test]
    fn in_the_open_all_is_seen() {
        assert_eq!(swept(|_| false, IVec3::splat(40), 8).len(), 64);
        assert_eq!(swept(|_| false, IVec3::splat(3), 2).len(), 3 * 9 - 3, "a quarter of a flat circle, three high");
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
