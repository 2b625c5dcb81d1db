//! Moves of a body, read from the world voxel by voxel. Reference for the moves that
//! [`crate::creatures::nav`] derives from runs.

use crate::creatures::nav::{MAX_FALL, NavClass, NavClasses};
use crate::world::World;
use glam::IVec3;
use rustc_hash::FxHashSet;

/// The voxels of a world as a moving body sees them.
#[derive(Clone, Copy)]
pub struct VoxelMoves<'a> {
    /// World that the voxels are read from.
    pub world: &'a World,
    /// Classes of the world's materials.
    pub classes: &'a NavClasses,
}

const SIDES: [IVec3; 4] = [IVec3::X, IVec3::NEG_X, IVec3::Z, IVec3::NEG_Z];

impl VoxelMoves<'_> {
    fn class(&self, at: IVec3) -> NavClass {
        self.classes.class(self.world.get(at))
    }

    fn is_open(&self, at: IVec3) -> bool {
        self.class(at).is_passable()
    }

    /// True if a body fits with its feet at `at`.
    fn fits(&self, at: IVec3) -> bool {
        self.is_open(at) && self.is_open(at + IVec3::Y)
    }

    fn swims(&self, at: IVec3) -> bool {
        self.class(at) == NavClass::Water && self.is_open(at + IVec3::Y)
    }

    fn stands(&self, at: IVec3) -> bool {
        self.class(at) == NavClass::Open
            && self.is_open(at + IVec3::Y)
            && self.class(at - IVec3::Y) == NavClass::Ground
    }

    /// True if a body can stand or swim at `at`.
    #[must_use]
    pub fn is_place(&self, at: IVec3) -> bool {
        self.swims(at) || self.stands(at)
    }

    /// Calls `each` with the target and the cost of each move: 1 for a step or vertical swimming, 2
    /// for a jump, the depth of a fall.
    pub fn for_each_move(&self, at: IVec3, mut each: impl FnMut(IVec3, u32)) {
        let up = IVec3::Y;
        for side in SIDES {
            let next = at + side;
            if self.is_place(next) {
                each(next, 1);
            }
            if self.is_place(next + up) && self.is_open(at + 2 * up) {
                each(next + up, 1);
            }
            if self.fits(next) && self.is_place(next - up) {
                each(next - up, 1);
            }
            if self.fits(next) && !self.is_place(next) {
                for depth in 1..=MAX_FALL {
                    let landing = next - up * depth;
                    if !self.is_open(landing) {
                        break;
                    }
                    if self.is_place(landing) {
                        if depth > 1 {
                            each(landing, depth as u32);
                        }
                        break;
                    }
                }
            }
            self.jump(at, side, &mut each);
        }
        if self.swims(at) {
            for other in [at + up, at - up].into_iter().filter(|&other| self.swims(other)) {
                each(other, 1);
            }
        }
    }

    /// Calls `each` with the jumps to `side` over a gap of one voxel.
    fn jump(&self, at: IVec3, side: IVec3, each: &mut impl FnMut(IVec3, u32)) {
        for dy in -1..=1 {
            let to = at + 2 * side + IVec3::Y * dy;
            let top = at.y.max(to.y);
            let gap = (at + side).with_y(top);
            let is_gap = self.fits(gap) && !self.is_place(gap) && !self.is_place(gap - IVec3::Y);
            let crosses = self.fits(at.with_y(top)) && self.fits(to.with_y(top));
            if is_gap && crosses && self.stands(at) && self.stands(to) {
                each(to, 2);
            }
        }
    }

    /// Places that a body at `from` can get to.
    #[must_use]
    pub fn reachable(&self, from: IVec3) -> FxHashSet<IVec3> {
        let mut seen = FxHashSet::default();
        if !self.is_place(from) {
            return seen;
        }
        seen.insert(from);
        let mut front = vec![from];
        while let Some(at) = front.pop() {
            self.for_each_move(at, |to, _| {
                if seen.insert(to) {
                    front.push(to);
                }
            });
        }
        seen
    }

    /// Places whose cheapest path from `from` costs exactly `cost`.
    #[must_use]
    pub fn at_cost(&self, from: IVec3, cost: u32) -> Vec<IVec3> {
        let mut buckets = vec![Vec::new(); cost as usize + MAX_FALL as usize + 1];
        buckets[0].push(from);
        let mut seen = FxHashSet::default();
        for near in 0..=cost as usize {
            let mut front = std::mem::take(&mut buckets[near]);
            front.retain(|&at| seen.insert(at));
            if near == cost as usize {
                return front;
            }
            for at in front {
                self.for_each_move(at, |to, step| buckets[near + step as usize].push(to));
            }
        }
        Vec::new()
    }
}
