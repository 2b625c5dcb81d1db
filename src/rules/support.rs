//! Support: voxels that need a hold within a few steps through their own kind, as leaves need a
//! trunk.
//!
//! The voxels with a hold are found for a whole chunk at once: from what holds, the set grows by one
//! voxel in all 26 directions, as often as there are steps. Chunks that are not loaded hold, so
//! nothing decays because of what cannot be seen.

use super::block_set::{BlockSet, blocks};
use super::chance::Chance;
use super::change::{self, Product};
use super::kinds::Test;
use super::patch::Patch;
use super::rows::{ROWS, Rows};
use super::view::{BlockPos, PlaneView};
use crate::voxel::CHUNK_SIDE;
use glam::IVec3;

/// Voxels that are read around a chunk along z: a block.
const MARGIN: i32 = ROWS as i32;
/// Rows of a layer with its margin.
const ROWS_ALONG_Z: usize = (CHUNK_SIDE + 2 * MARGIN) as usize;

/// A rule of support.
#[derive(Clone, Debug)]
pub(super) struct Support {
    /// Number of the rule.
    pub rule: usize,
    /// What needs a hold.
    pub of: Test,
    /// What holds it.
    pub by: Test,
    /// Most steps to the hold, 1 to 8.
    pub within: i32,
    /// Chance in each step of a voxel without a hold.
    pub chance: Option<Chance>,
    /// What it becomes.
    pub becomes: Product,
}

/// Rows of a chunk and its margin, z fastest, then y. Bit n of a row is the voxel at x = n less the
/// steps of the rule.
type WideRows = Vec<u64>;

impl Support {
    /// Lets voxels of some blocks become what they become without a hold. `draws`: the hash of seed,
    /// step and rule.
    pub fn apply(&self, view: &PlaneView<'_>, set: BlockSet, draws: u64, patch: &mut Patch) {
        let held = self.held(view);
        for number in blocks(set) {
            let at = BlockPos::new(number);
            let block = view.block(0, at);
            let first = self.row(at.y, at.z * MARGIN);
            let is_held = Rows(std::array::from_fn(|row| (held[first + row] >> self.within) as u32));
            let mut found = self.of.find(block) & !is_held;
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

    /// Index of the row at a layer and z.
    fn row(&self, y: i32, z: i32) -> usize {
        (y + self.within) as usize * ROWS_ALONG_Z + (z + MARGIN) as usize
    }

    /// The voxels with a hold.
    fn held(&self, view: &PlaneView<'_>) -> WideRows {
        let layers = (CHUNK_SIDE + 2 * self.within) as usize;
        let [mut through, mut held] = [0, 1].map(|_| vec![0; layers * ROWS_ALONG_Z]);
        for y in -self.within..CHUNK_SIDE + self.within {
            for z in -1..=CHUNK_SIDE / MARGIN {
                let at = BlockPos { y, z };
                let [west, here, east] = [-1, 0, 1].map(|dx| {
                    let (block, is_loaded) = view.block_if_loaded(dx, at);
                    (self.of.find(block) & Rows::splat(is_loaded), self.by.find(block) | Rows::splat(!is_loaded))
                });
                for row in 0..ROWS {
                    let wide = |[west, here, east]: [Rows; 3]| {
                        let [west, here, east] = [west, here, east].map(|rows| u64::from(rows.0[row]));
                        let beyond = u64::MAX >> (64 - CHUNK_SIDE - 2 * self.within);
                        (west >> (CHUNK_SIDE - self.within) | here << self.within | east << (CHUNK_SIDE + self.within))
                            & beyond
                    };
                    let index = self.row(y, z * MARGIN) + row;
                    through[index] = wide([west.0, here.0, east.0]);
                    held[index] = wide([west.1, here.1, east.1]);
                }
            }
        }
        let mut reached = vec![0; held.len()];
        for _ in 0..self.within {
            held = grown(held);
            let mut grows = false;
            for ((reached, held), through) in reached.iter_mut().zip(&mut held).zip(&through) {
                *held = *held & through | *reached;
                grows |= *held != *reached;
                *reached = *held;
            }
            if !grows {
                break;
            }
        }
        reached
    }
}

/// The set grown by one voxel in all 26 directions.
fn grown(mut rows: WideRows) -> WideRows {
    rows.iter_mut().for_each(|row| *row |= *row << 1 | *row >> 1);
    for step in [1, ROWS_ALONG_Z] {
        let before = rows.clone();
        // Rows wrap from the end of a layer to the next one, where the margin is too wide to matter.
        for (row, next) in rows.iter_mut().zip(&before[step..]) {
            *row |= next;
        }
        for (row, previous) in rows[step..].iter_mut().zip(&before) {
            *row |= previous;
        }
    }
    rows
}
