//! Spreads the levels of one channel through a chunk, 32 voxels at a time.
//!
//! *Plane* k has the bits of all voxels whose level is at least k. A voxel has a level of at least
//! k if it has more, emits it, or lies next to one with k and its own loss more. So each plane
//! follows from the next higher ones by shifts, and every level is visited once: no queue is
//! needed.

use super::light_traits::MAX_LOSS;
use crate::runs::bit_rows::{LAYER, SIDE, Words, boxed};
use crate::voxel::MAX_LIGHT;

/// Levels above 0.
pub(super) const LEVELS: usize = MAX_LIGHT as usize;
/// Planes, counted from 0, with empty ones above the highest level.
const PLANES: usize = LEVELS + 1 + MAX_LOSS;

/// Voxels by the levels that light loses in a step into them. Voxels around the chunk have no bits:
/// they give light but do not conduct it, because the light of their own chunks is known.
pub(super) struct LossRows {
    /// Bits of loss 1, 2 and 3.
    pub words: Box<[Words; MAX_LOSS]>,
    /// True if the chunk has voxels of loss 1, 2 and 3.
    pub any: [bool; MAX_LOSS],
}

impl Default for LossRows {
    fn default() -> LossRows {
        LossRows { words: boxed([[0; LAYER]; LAYER]), any: [false; MAX_LOSS] }
    }
}

/// The planes of one channel. Reused to keep its buffer.
pub(super) struct LevelPlanes {
    planes: Box<[Words; PLANES]>,
}

impl Default for LevelPlanes {
    fn default() -> LevelPlanes {
        LevelPlanes { planes: boxed([[0; LAYER]; LAYER]) }
    }
}

impl LevelPlanes {
    /// Planes without light.
    pub fn clear(&mut self) {
        self.planes.as_flattened_mut().fill([0; LAYER]);
    }

    /// The planes of levels 1 to 15, for voxels that emit light or lie around the chunk.
    pub fn sources_mut(&mut self) -> &mut [Words] {
        &mut self.planes[1..=LEVELS]
    }

    /// Lets the sun's full level fall through voxels of loss 1.
    pub fn fall(&mut self, loss: &LossRows) {
        let (full, open) = (&mut self.planes[LEVELS], &loss.words[0]);
        for y in (1..=SIDE).rev() {
            for z in 1..=SIDE {
                full[y][z] |= full[y + 1][z] & open[y][z];
            }
        }
    }

    /// Spreads all levels.
    pub fn spread(&mut self, loss: &LossRows) {
        for level in (1..LEVELS).rev() {
            let (lower, higher) = self.planes.split_at_mut(level + 1);
            let plane = &mut lower[level];
            for (words, above) in plane.as_flattened_mut().iter_mut().zip(higher[0].as_flattened()) {
                *words |= above;
            }
            for (lost, conducts) in loss.words.iter().enumerate().filter(|(lost, _)| loss.any[*lost]) {
                spread_from(&higher[lost], conducts, plane);
            }
        }
    }

    /// Bit n of the level of the voxels of a row, for n from 0 to 3.
    pub fn level_bits(&self, y: usize, z: usize) -> [u32; 4] {
        // Bit n changes at each multiple of 2^n, so it is the parity of the planes of these levels.
        let plane = |level: usize| (self.planes[level][y + 1][z + 1] >> 1) as u32;
        std::array::from_fn(|bit| {
            let step = 1 << bit;
            (step..=LEVELS).step_by(step).fold(0, |bits, level| bits ^ plane(level))
        })
    }
}

/// The planes of levels 1 to 15 of a row whose levels have these bits, lowest first.
pub(super) fn planes_of_bits(bits: [u32; 4]) -> [u32; LEVELS] {
    std::array::from_fn(|i| {
        let level = i + 1;
        // Greater, and equal so far, from the highest bit down.
        let (mut greater, mut equal) = (0, u32::MAX);
        for bit in (0..4).rev() {
            if level >> bit & 1 == 1 {
                equal &= bits[bit];
            } else {
                greater |= equal & bits[bit];
                equal &= !bits[bit];
            }
        }
        greater | equal
    })
}

/// Adds the voxels of `conducts` next to one of `from` to `plane`.
fn spread_from(from: &Words, conducts: &Words, plane: &mut Words) {
    for y in 1..=SIDE {
        for z in 1..=SIDE {
            let row = from[y][z];
            let near = row << 1 | row >> 1 | from[y][z - 1] | from[y][z + 1] | from[y - 1][z] | from[y + 1][z];
            plane[y][z] |= near & conducts[y][z];
        }
    }
}
