//! The walk graph compared with a search over all pairs of voxels.

use super::*;
use crate::voxel::{Voxel, local};
use crate::world::Chunk;
use std::collections::VecDeque;

/// Two chunks along x and two along z, with all cells numbered in order.
struct TestWorld {
    chunks: FxHashMap<ChunkPos, ChunkOcclusion>,
    numbers: FxHashMap<ChunkPos, Vec<u32>>,
    cells: usize,
}

impl TestWorld {
    fn new(solid: impl Fn(IVec3) -> bool) -> TestWorld {
        let mut world =
            TestWorld { chunks: FxHashMap::default(), numbers: FxHashMap::default(), cells: 0 };
        for i in 0..4 {
            let pos = ChunkPos::new(i % 2, 0, i / 2);
            let voxel = |index| {
                if solid(pos.origin() + linear_offset(index)) { Voxel::full(1) } else { Voxel::AIR }
            };
            let chunk = ChunkOcclusion::from_chunk(
                &Chunk::from_runs((0..32768).map(|index| (1, voxel(index)))),
                Voxel::is_full,
            );
            let count = chunk.rooms.cells().len();
            world.numbers.insert(pos, (world.cells as u32..(world.cells + count) as u32).collect());
            world.cells += count;
            world.chunks.insert(pos, chunk);
        }
        world
    }

    fn cell(&self, at: IVec3) -> Option<usize> {
        let pos = ChunkPos::containing(at);
        let chunk = self.chunks.get(&pos)?;
        let cell = chunk.rooms.cell_at(&chunk.occluders, local(at))?;
        Some(self.numbers[&pos][cell] as usize)
    }

    fn is_open(&self, at: IVec3) -> Option<bool> {
        Some(!self.chunks.get(&ChunkPos::containing(at))?.occluders.hides(local(at)))
    }

    fn stands(&self, at: IVec3) -> bool {
        let [feet, head, ground] = [at, at + IVec3::Y, at - IVec3::Y].map(|at| self.is_open(at));
        (feet, head, ground) == (Some(true), Some(true), Some(false))
    }

    /// The steps between cells, found by comparing all pairs of voxels.
    fn steps(&self) -> Vec<Vec<usize>> {
        let mut steps = vec![Vec::new(); self.cells];
        for pos in self.chunks.keys() {
            for at in (0..32768)
                .map(|index| pos.origin() + linear_offset(index))
                .filter(|&at| self.stands(at))
            {
                for side in [IVec3::X, IVec3::NEG_X, IVec3::Z, IVec3::NEG_Z] {
                    for up in -1..=1 {
                        let to = at + side + IVec3::Y * up;
                        // The body crosses at the height of the higher floor.
                        let floor = at.y.max(to.y);
                        let fits = [at, to].iter().all(|place| {
                            (floor..floor + 2).all(|y| {
                                self.is_open(IVec3::new(place.x, y, place.z)) == Some(true)
                            })
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

    /// Compares the sets with a flood fill over steps. Returns the number of cells that the cell of
    /// `from` reaches.
    fn check(&self, from: IVec3, far: usize) -> usize {
        let steps = self.steps();
        let graph = WalkGraph::new(&self.chunks, &self.numbers, self.cells);
        for most in [0, 1, 2, far] {
            let matrix = graph.within(most);
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
        let row = graph.within(far);
        (0..self.cells).filter(|&to| row.sees(self.cell(from).unwrap(), to)).count()
    }
}

#[test]
fn walk_graph_follows_floors_doors_and_stairs() {
    // A floor with a wall before a section border, with and without a gap at the end of the wall.
    let wall =
        |door: bool| move |at: IVec3| at.y < 5 || at.x == 47 && at.y < 30 && !(door && at.z == 63);
    let open = TestWorld::new(wall(true));
    let closed = TestWorld::new(wall(false));
    let from = IVec3::new(3, 5, 3);
    assert!(open.check(from, 20) > closed.check(from, 20));
    // Stairs with steps of one voxel, and of two.
    let stairs = |high: i32| move |at: IVec3| at.y <= 4 + (at.x / 8) * high;
    let low = TestWorld::new(stairs(1));
    let high = TestWorld::new(stairs(2));
    assert!(low.check(IVec3::new(3, 5, 3), 20) > high.check(IVec3::new(3, 5, 3), 20));
}

#[test]
fn low_ceiling_blocks_step_up() {
    // A step of one voxel at a chunk border, below a ceiling that leaves room for a body on each
    // side.
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
