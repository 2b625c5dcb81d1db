//! Reachability: which cells are within some steps of walking from which.
//!
//! The text's second use of such sets: for obstacle avoidance, "visibility" is "being reachable within a certain distance or time".
//!
//! A place to stand is an open voxel with an open one above it and one that hides below it: a body of two voxels' height on
//! something solid. One walks from a place to one of the four beside it, on the same height or one voxel up or down, if the
//! body fits over both places at the height of the higher one. A *step* leads from a cell to another if some place of the one is
//! beside some place of the other; within a cell one gets everywhere. So a set may hold too much (a cell may be two ledges),
//! never too little. A cell in which nobody can stand reaches nothing and is reached by nobody, and what is not loaded is no place
//! to stand in or on.

use super::{ChunkOcclusion, Matrix};
use crate::voxel::{CHUNK_SIDE, ChunkPos, linear_index, linear_offset, local_coord};
use glam::IVec3;
use rustc_hash::{FxHashMap, FxHashSet};

/// From each cell the cells that are one step away.
#[derive(Clone, Debug)]
pub struct WalkGraph {
    /// By cell, in ascending order; none of a cell in which nobody can stand.
    next: Vec<Option<Vec<u32>>>,
}

/// The places to stand of a chunk: voxel and cell, in ascending order.
type StandingPlaces = Vec<(u16, u32)>;

impl WalkGraph {
    /// Between the cells of some chunks. `numbers` has for each of them the numbers of its cells, in the order of
    /// [`Rooms::cells`](super::Rooms::cells): each number below `cells`, and another one.
    #[must_use]
    pub fn new(
        chunks: &FxHashMap<ChunkPos, ChunkOcclusion>,
        numbers: &FxHashMap<ChunkPos, Vec<u32>>,
        cells: usize,
    ) -> WalkGraph {
        let places: FxHashMap<ChunkPos, StandingPlaces> = chunks
            .iter()
            .filter_map(|(&pos, sight)| Some((pos, places(chunks, pos, sight, numbers.get(&pos)?))))
            .collect();
        let cell_at = |at: IVec3| {
            let all = places.get(&ChunkPos::containing(at))?;
            let voxel = linear_index(at & (CHUNK_SIDE - 1)) as u16;
            all.binary_search_by_key(&voxel, |place| place.0).ok().map(|found| all[found].1)
        };
        let is_open = |at: IVec3| row(chunks, at).is_some_and(|open| open >> local_coord(at.x) & 1 == 1);
        let mut next: Vec<Option<Vec<u32>>> = vec![None; cells];
        let mut steps: FxHashSet<[u32; 2]> = FxHashSet::default();
        for (pos, all) in &places {
            for &(voxel, cell) in all {
                next[cell as usize].get_or_insert_default();
                let at = pos.origin() + linear_offset(usize::from(voxel));
                // The other two sides are those of the places there.
                for beside in [at + IVec3::X, at + IVec3::Z] {
                    let level = cell_at(beside);
                    let up = cell_at(beside + IVec3::Y).filter(|_| is_open(at + IVec3::Y * 2));
                    let down = cell_at(beside - IVec3::Y).filter(|_| is_open(beside + IVec3::Y));
                    let others = [level, up, down].into_iter().flatten().filter(|&other| other != cell);
                    steps.extend(others.flat_map(|other| [[cell, other], [other, cell]]));
                }
            }
        }
        let mut steps: Vec<_> = steps.into_iter().collect();
        steps.sort_unstable();
        for [from, to] in steps {
            next[from as usize].get_or_insert_default().push(to);
        }
        WalkGraph { next }
    }

    /// For each cell a row of those that are at most so many steps away, itself too.
    #[must_use]
    pub fn within(&self, steps: usize) -> Matrix {
        let mut matrix = Matrix::new(self.next.len());
        let (mut front, mut beyond) = (Vec::new(), Vec::new());
        for from in (0..self.next.len()).filter(|&from| self.next[from].is_some()) {
            matrix.set(from, from);
            front.clear();
            front.push(from as u32);
            for _ in 0..steps {
                for &cell in front.iter().flat_map(|&cell| self.next[cell as usize].iter().flatten()) {
                    if !matrix.sees(from, cell as usize) {
                        matrix.set(from, cell as usize);
                        beyond.push(cell);
                    }
                }
                front.clear();
                std::mem::swap(&mut front, &mut beyond);
            }
        }
        matrix
    }
}

/// The open voxels of the row along x that a voxel lies in; none where it is not loaded.
fn row(chunks: &FxHashMap<ChunkPos, ChunkOcclusion>, at: IVec3) -> Option<u32> {
    let sight = chunks.get(&ChunkPos::containing(at))?;
    Some(!sight.occluders.row(at.y & (CHUNK_SIDE - 1), at.z & (CHUNK_SIDE - 1)))
}

fn places(
    chunks: &FxHashMap<ChunkPos, ChunkOcclusion>,
    pos: ChunkPos,
    sight: &ChunkOcclusion,
    numbers: &[u32],
) -> StandingPlaces {
    let cells = sight.rooms.cells();
    let mut places = StandingPlaces::new();
    let mut labels = Vec::new();
    for index in 0..CHUNK_SIDE * CHUNK_SIDE {
        let corner = IVec3::new(0, index / CHUNK_SIDE, index % CHUNK_SIDE);
        let at = pos.origin() + corner;
        let [feet, head, ground] = [at, at + IVec3::Y, at - IVec3::Y].map(|at| row(chunks, at));
        let (Some(feet), Some(head), Some(ground)) = (feet, head, ground) else { continue };
        let mut stand = feet & head & !ground;
        if stand != 0 && labels.is_empty() {
            labels = sight.rooms.labels(&sight.occluders);
        }
        while stand != 0 {
            let at = corner + IVec3::X * stand.trailing_zeros() as i32;
            stand &= stand - 1;
            let (voxel, section): (usize, IVec3) = (linear_index(at), at >> 4);
            let section = (section.x | section.z << 1 | section.y << 2) as u8;
            // An open chunk is one cell, whichever section it is.
            let is_here = |cell: &super::Cell| {
                cell.room == labels[voxel] && (cell.section == section || *cell == super::Cell::OPEN)
            };
            if let Some(&cell) = cells.iter().position(is_here).and_then(|cell| numbers.get(cell)) {
                places.push((voxel as u16, cell));
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Voxel, local};
    use crate::world::Chunk;
    use std::collections::VecDeque;

    /// Two chunks along x and two along z, all of whose cells are numbered in order.
    struct TestWorld {
        chunks: FxHashMap<ChunkPos, ChunkOcclusion>,
        numbers: FxHashMap<ChunkPos, Vec<u32>>,
        cells: usize,
    }

    impl TestWorld {
        fn new(solid: impl Fn(IVec3) -> bool) -> TestWorld {
            let mut land = TestWorld { chunks: FxHashMap::default(), numbers: FxHashMap::default(), cells: 0 };
            for i in 0..4 {
                let pos = ChunkPos::new(i % 2, 0, i / 2);
                let voxel =
                    |index| if solid(pos.origin() + linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR };
                let sight = ChunkOcclusion::from_chunk(
                    &Chunk::from_runs((0..32768).map(|index| (1, voxel(index)))),
                    Voxel::is_full,
                );
                let count = sight.rooms.cells().len();
                land.numbers.insert(pos, (land.cells as u32..(land.cells + count) as u32).collect());
                land.cells += count;
                land.chunks.insert(pos, sight);
            }
            land
        }

        fn cell(&self, at: IVec3) -> Option<usize> {
            let pos = ChunkPos::containing(at);
            let sight = self.chunks.get(&pos)?;
            let cell = sight.rooms.cell_at(&sight.occluders, local(at))?;
            Some(self.numbers[&pos][cell] as usize)
        }

        fn is_open(&self, at: IVec3) -> Option<bool> {
            Some(!self.chunks.get(&ChunkPos::containing(at))?.occluders.hides(local(at)))
        }

        fn stands(&self, at: IVec3) -> bool {
            let [feet, head, ground] = [at, at + IVec3::Y, at - IVec3::Y].map(|at| self.is_open(at));
            (feet, head, ground) == (Some(true), Some(true), Some(false))
        }

        /// One step from cell to cell, by looking at all pairs of voxels.
        fn steps(&self) -> Vec<Vec<usize>> {
            let mut steps = vec![Vec::new(); self.cells];
            for pos in self.chunks.keys() {
                for at in (0..32768).map(|index| pos.origin() + linear_offset(index)).filter(|&at| self.stands(at)) {
                    for side in [IVec3::X, IVec3::NEG_X, IVec3::Z, IVec3::NEG_Z] {
                        for up in -1..=1 {
                            let to = at + side + IVec3::Y * up;
                            // The body goes over at the height of the higher floor.
                            let floor = at.y.max(to.y);
                            let fits = [at, to].iter().all(|place| {
                                (floor..floor + 2).all(|y| self.is_open(IVec3::new(place.x, y, place.z)) == Some(true))
                            });
                            if self.stands(to) && fits {
                                steps[self.cell(at).unwrap()].push(self.cell(to).unwrap());
                            }
                        }
                    }
                }
            }
            steps
        }

        /// Checks the sets against a flood of steps; returns how many cells the cell of `from` reaches.
        fn check(&self, from: IVec3, far: usize) -> usize {
            let steps = self.steps();
            let ways = WalkGraph::new(&self.chunks, &self.numbers, self.cells);
            for most in [0, 1, 2, far] {
                let matrix = ways.within(most);
                for cell in 0..self.cells {
                    let stands = !steps[cell].is_empty();
                    let mut reached = vec![None; self.cells];
                    let mut queue = VecDeque::from_iter(stands.then_some(cell));
                    if stands {
                        reached[cell] = Some(0);
                    }
                    while let Some(at) = queue.pop_front() {
                        for &to in &steps[at] {
                            if reached[to].is_none() && reached[at].is_some_and(|n: usize| n < most) {
                                reached[to] = reached[at].map(|n| n + 1);
                                queue.push_back(to);
                            }
                        }
                    }
                    let row: Vec<bool> = (0..self.cells).map(|to| matrix.sees(cell, to)).collect();
                    assert_eq!(
                        row,
                        reached.iter().map(Option::is_some).collect::<Vec<_>>(),
                        "cell {cell}, {most} steps"
                    );
                }
            }
            let row = ways.within(far);
            (0..self.cells).filter(|&to| row.sees(self.cell(from).unwrap(), to)).count()
        }
    }

    #[test]
    fn one_walks_on_floors_and_up_stairs() {
        // A floor, and a wall across it, before the border of two sections, that leaves the floor's last voxel free, or none.
        let wall = |door: bool| move |at: IVec3| at.y < 5 || at.x == 47 && at.y < 30 && !(door && at.z == 63);
        let (open, closed) = (TestWorld::new(wall(true)), TestWorld::new(wall(false)));
        let from = IVec3::new(3, 5, 3);
        assert!(open.check(from, 20) > closed.check(from, 20));
        // Stairs of steps of one voxel, and of two.
        let stairs = |high: i32| move |at: IVec3| at.y <= 4 + (at.x / 8) * high;
        let (low, high) = (TestWorld::new(stairs(1)), TestWorld::new(stairs(2)));
        assert!(low.check(IVec3::new(3, 5, 3), 20) > high.check(IVec3::new(3, 5, 3), 20));
    }

    #[test]
    fn a_low_ceiling_stops_a_step_up() {
        // A step of one voxel at the border of two chunks, below a ceiling that has room for a body on either side of it.
        let under = |above: i32| {
            move |at: IVec3| {
                let floor = if at.x < 32 { 4 } else { 5 };
                let ceiling = if at.x < 32 { above } else { 8 };
                at.y <= floor || at.y >= ceiling
            }
        };
        let from = IVec3::new(3, 5, 3);
        assert!(TestWorld::new(under(8)).check(from, 20) > TestWorld::new(under(7)).check(from, 20));
    }
}
