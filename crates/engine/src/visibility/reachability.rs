//! Reachability: the cells within a number of walking steps of each cell.
//!
//! The visibility text's second use of such sets: for obstacle avoidance, "visibility" means "being
//! reachable within a certain distance or time".
//!
//! A standing place is an open voxel with an open voxel above and an occluder below: a body two
//! voxels high on solid ground. From a place, a body walks to one of the four adjacent columns, at
//! the same height or one voxel up or down, if it fits over both places at the height of the higher
//! one. A *step* connects two cells if a place of one is adjacent to a place of the other; all
//! places of one cell count as connected. So a set may contain too much (a cell may be two ledges),
//! never too little. A cell without standing places reaches nothing and is never reached. Chunks
//! that are not loaded offer neither ground nor room to stand.

#[cfg(test)]
mod tests;

use super::cell::{Cell, section_of};
use super::chunk_occlusion::ChunkOcclusion;
use super::matrix::Matrix;
use crate::bits::set_bits;
use crate::voxel::{CHUNK_SIDE, ChunkPos, linear_index, linear_offset, local, local_coord};
use glam::IVec3;
use rustc_hash::{FxHashMap, FxHashSet};

/// Graph of the steps by which a walking body gets from cell to cell.
#[derive(Clone, Debug)]
pub struct WalkGraph {
    /// Per cell, the cells one step away in ascending order; `None` for a cell without standing
    /// places.
    next: Vec<Option<Vec<u32>>>,
}

/// The standing places of a chunk: voxel and cell, in ascending order of voxels.
type StandingPlaces = Vec<(u16, u32)>;

impl WalkGraph {
    /// Finds the steps between the cells of some chunks. `numbers` holds, for each chunk, the
    /// numbers of its cells in the order of [`Rooms::cells`](super::Rooms::cells). Numbers must be
    /// distinct and below `cells`.
    #[must_use]
    pub fn new(
        chunks: &FxHashMap<ChunkPos, ChunkOcclusion>,
        numbers: &FxHashMap<ChunkPos, Vec<u32>>,
        cells: usize,
    ) -> WalkGraph {
        let places: FxHashMap<ChunkPos, StandingPlaces> = chunks
            .iter()
            .filter_map(|(&pos, chunk)| {
                Some((pos, standing_places(chunks, pos, chunk, numbers.get(&pos)?)))
            })
            .collect();
        let cell_at = |at: IVec3| {
            let all = places.get(&ChunkPos::containing(at))?;
            let voxel = linear_index(local(at)) as u16;
            all.binary_search_by_key(&voxel, |place| place.0).ok().map(|found| all[found].1)
        };
        let is_open =
            |at: IVec3| open_row(chunks, at).is_some_and(|open| open >> local_coord(at.x) & 1 == 1);
        let mut next: Vec<Option<Vec<u32>>> = vec![None; cells];
        let mut steps: FxHashSet<[u32; 2]> = FxHashSet::default();
        for (pos, all) in &places {
            for &(voxel, cell) in all {
                next[cell as usize].get_or_insert_default();
                let at = pos.origin() + linear_offset(usize::from(voxel));
                // Steps to the other two sides are found from the places there.
                for side in [at + IVec3::X, at + IVec3::Z] {
                    let level = cell_at(side);
                    let up = cell_at(side + IVec3::Y).filter(|_| is_open(at + IVec3::Y * 2));
                    let down = cell_at(side - IVec3::Y).filter(|_| is_open(side + IVec3::Y));
                    let others =
                        [level, up, down].into_iter().flatten().filter(|&other| other != cell);
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

    /// The matrix of cells at most `steps` steps away. Each cell with standing places reaches
    /// itself.
    #[must_use]
    pub fn within(&self, steps: usize) -> Matrix {
        let mut matrix = Matrix::new(self.next.len());
        let mut front = Vec::new();
        let mut beyond = Vec::new();
        for from in (0..self.next.len()).filter(|&from| self.next[from].is_some()) {
            matrix.set(from, from);
            front.clear();
            front.push(from as u32);
            for _ in 0..steps {
                for &cell in
                    front.iter().flat_map(|&cell| self.next[cell as usize].iter().flatten())
                {
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

/// The open voxels of the row along x that contains a voxel; `None` if its chunk is not loaded.
fn open_row(chunks: &FxHashMap<ChunkPos, ChunkOcclusion>, at: IVec3) -> Option<u32> {
    let chunk = chunks.get(&ChunkPos::containing(at))?;
    Some(!chunk.occluders.row(local_coord(at.y), local_coord(at.z)))
}

/// Finds the standing places of the chunk at `pos`.
fn standing_places(
    chunks: &FxHashMap<ChunkPos, ChunkOcclusion>,
    pos: ChunkPos,
    chunk: &ChunkOcclusion,
    numbers: &[u32],
) -> StandingPlaces {
    let cells = chunk.rooms.cells();
    let mut places = StandingPlaces::new();
    let mut labels = Vec::new();
    for index in 0..CHUNK_SIDE * CHUNK_SIDE {
        let corner = IVec3::new(0, index / CHUNK_SIDE, index % CHUNK_SIDE);
        let at = pos.origin() + corner;
        let [feet, head, ground] =
            [at, at + IVec3::Y, at - IVec3::Y].map(|at| open_row(chunks, at));
        let (Some(feet), Some(head), Some(ground)) = (feet, head, ground) else { continue };
        let stand = feet & head & !ground;
        if stand != 0 && labels.is_empty() {
            labels = chunk.rooms.labels(&chunk.occluders);
        }
        for x in set_bits(stand) {
            let at = corner + IVec3::X * x as i32;
            let voxel = linear_index(at);
            let section = section_of(at);
            // An open chunk is one cell that spans all sections.
            let is_here = |cell: &Cell| {
                cell.room == labels[voxel] && (cell.section == section || *cell == Cell::OPEN)
            };
            if let Some(&cell) = cells.iter().position(is_here).and_then(|cell| numbers.get(cell)) {
                places.push((voxel as u16, cell));
            }
        }
    }
    places
}
