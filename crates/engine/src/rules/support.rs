//! Support: voxels that need a hold within a few steps through their own kind, as leaves need a
//! trunk.
//!
//! The voxels with a hold are found for a whole chunk at once: starting at the holds, the set grows
//! by one voxel in all 26 directions per step. Chunks that are not loaded count as holds, so that
//! leaves at the edge of the loaded world do not decay.

use super::block_set::{BlockSet, blocks};
use super::chance::Chance;
use super::change;
use super::kinds::Test;
use super::patch::PhasePatch;
use super::product::Product;
use super::rows::{ROWS, Rows};
use super::view::{BlockPos, PlaneView};
use crate::voxel::CHUNK_SIDE;
use glam::IVec3;

/// Width of the margin that is read around a chunk along z, in voxels: one block.
const MARGIN: i32 = ROWS as i32;
/// Number of rows in a layer with its margin.
const ROWS_ALONG_Z: usize = (CHUNK_SIDE + 2 * MARGIN) as usize;

/// A rule of support.
#[derive(Clone, Debug)]
pub(super) struct Support {
    /// Number of the rule.
    pub rule: usize,
    /// Test for the voxels that need a hold.
    pub of: Test,
    /// Test for the holds.
    pub by: Test,
    /// Maximum number of steps to the hold, 1 to 8.
    pub within: i32,
    /// Chance in each step that a voxel without a hold changes.
    pub chance: Option<Chance>,
    /// Kind that a voxel without a hold becomes.
    pub becomes: Product,
}

/// Rows of a chunk and its margin, z fastest, then y. Bit n of a row is the voxel at x = n -
/// `within`.
type WideRows = Vec<u64>;

/// The rows of a range of layers of a chunk, with its margin along x and z. Both ends are included.
struct Layers {
    low: i32,
    high: i32,
    rows: WideRows,
}

impl Layers {
    fn new(low: i32, high: i32) -> Layers {
        Layers { low, high, rows: vec![0; (high - low + 1) as usize * ROWS_ALONG_Z] }
    }

    /// Index of the row at a layer and z.
    fn row(&self, y: i32, z: i32) -> usize {
        (y - self.low) as usize * ROWS_ALONG_Z + (z + MARGIN) as usize
    }

    /// Fills a layer. `find` returns the eight rows of a block in the chunk at an offset along x
    /// (-1, 0 or 1).
    fn fill(&mut self, y: i32, within: i32, find: impl Fn(i32, BlockPos) -> Rows) {
        let beyond = u64::MAX >> (64 - CHUNK_SIDE - 2 * within);
        for z in -1..=CHUNK_SIDE / MARGIN {
            let [west, here, east] = [-1, 0, 1].map(|dx| find(dx, BlockPos { y, z }));
            let first = self.row(y, z * MARGIN);
            for row in 0..ROWS {
                let [west, here, east] = [west, here, east].map(|rows| u64::from(rows.0[row]));
                let wide =
                    west >> (CHUNK_SIDE - within) | here << within | east << (CHUNK_SIDE + within);
                self.rows[first + row] = wide & beyond;
            }
        }
    }

    /// True if a layer, or one next to it, has a voxel.
    fn is_near(&self, y: i32) -> bool {
        let layers = (y - 1).max(self.low)..=(y + 1).min(self.high);
        let first = self.row(*layers.start(), -MARGIN);
        let end = self.row(*layers.end(), -MARGIN) + ROWS_ALONG_Z;
        self.rows[first..end].iter().any(|&row| row != 0)
    }
}

impl Support {
    /// Changes the voxels without a hold in some blocks. `draws` is the hash of seed, step and
    /// rule.
    pub fn apply(&self, view: &PlaneView<'_>, set: BlockSet, draws: u64, patch: &mut PhasePatch) {
        let needy: Vec<(usize, Rows)> = blocks(set)
            .map(|number| {
                let block = view.block(0, BlockPos::new(number));
                let allowed = self.becomes.allowed(view.code_bits, block);
                (number, self.of.find(block) & allowed)
            })
            .filter(|(_, voxels)| !voxels.is_empty())
            .collect();
        // Blocks ascend, so their layers do too.
        let (Some(first), Some(last)) = (needy.first(), needy.last()) else { return };
        let held = self.held(view, BlockPos::new(first.0).y, BlockPos::new(last.0).y);
        for (number, voxels) in needy {
            let at = BlockPos::new(number);
            let block = view.block(0, at);
            let first = held.row(at.y, at.z * MARGIN);
            let is_held =
                Rows(std::array::from_fn(|row| (held.rows[first + row] >> self.within) as u32));
            let mut found = voxels & !is_held;
            if let Some(chance) = self.chance.filter(|_| !found.is_empty()) {
                let origin = view.pos().origin() + IVec3::new(0, at.y, at.z * MARGIN);
                found = change::drawn(found, chance, draws, origin, number, patch);
            }
            if found.is_empty() {
                continue;
            }
            patch.count(self.rule, found.count(), change::matter(view, block, found));
            let mut after = block.to_vec();
            self.becomes.put(found, view.code_bits, &mut after);
            patch.push(number, block, after.len(), |plane| after[plane]);
        }
    }

    /// The voxels with a hold in the layers from `low` to `high`. The result also contains `within`
    /// layers below and above, which are incomplete.
    fn held(&self, view: &PlaneView<'_>, low: i32, high: i32) -> Layers {
        let low = low - self.within;
        let high = high + self.within;
        let [mut through, mut held] = [0, 1].map(|_| Layers::new(low, high));
        for y in low..=high {
            through.fill(y, self.within, |dx, at| {
                let (block, is_loaded) = view.block_if_loaded(dx, at);
                if is_loaded { self.of.find(block) } else { Rows::NONE }
            });
        }
        // Skips layers far from any voxel that needs a hold: the majority.
        for y in (low..=high).filter(|&y| through.is_near(y)) {
            held.fill(y, self.within, |dx, at| {
                let (block, is_loaded) = view.block_if_loaded(dx, at);
                if is_loaded { self.by.find(block) } else { Rows::ALL }
            });
        }
        let mut reached = vec![0; held.rows.len()];
        for _ in 0..self.within {
            held.rows = grown(held.rows);
            let mut grows = false;
            for ((reached, held), through) in
                reached.iter_mut().zip(&mut held.rows).zip(&through.rows)
            {
                *held = *held & through | *reached;
                grows |= *held != *reached;
                *reached = *held;
            }
            if !grows {
                break;
            }
        }
        held
    }
}

/// The set grown by one voxel in all 26 directions.
fn grown(mut rows: WideRows) -> WideRows {
    for row in &mut rows {
        *row |= *row << 1 | *row >> 1;
    }
    for step in [1, ROWS_ALONG_Z] {
        let before = rows.clone();
        // Rows wrap from the end of a layer to the next one, where the margin is too wide to
        // matter.
        for (row, next) in rows.iter_mut().zip(&before[step..]) {
            *row |= next;
        }
        for (row, previous) in rows[step..].iter_mut().zip(&before) {
            *row |= previous;
        }
    }
    rows
}
