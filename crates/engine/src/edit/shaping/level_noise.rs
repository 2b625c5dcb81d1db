//! Smooth noise in whole numbers, and surfaces made rough by it.

use super::fill_window::{FillWindow, Row, STRIDE, index_of};
use super::surface_moves::{grown, shrunk};
use crate::edit::position_noise::position_hash;
use crate::voxel::CHUNK_SIDE;
use glam::IVec3;

/// Noise of positions: hashes of the corners of a lattice, and values between them by distance.
pub(super) struct LevelNoise {
    /// Side of the cells of the lattice, in voxels.
    pub scale: u8,
    pub seed: u64,
}

impl LevelNoise {
    /// Value at a voxel, -256 to 256.
    pub fn at(&self, at: IVec3) -> i32 {
        let scale = i32::from(self.scale.max(1));
        let cell = at.div_euclid(IVec3::splat(scale));
        let inside = at - cell * scale;
        let mut sum = 0;
        for corner in 0..8 {
            let corner = IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2);
            let hash = position_hash(self.seed, cell + corner);
            let value = (hash >> 32) as i64 % 513 - 256;
            let near = corner * inside + (1 - corner) * (scale - inside);
            sum += value * near.as_i64vec3().element_product();
        }
        (sum / i64::from(scale).pow(3)) as i32
    }

    /// Fills grown or shrunk by the noise times the weights.
    pub fn roughened(
        &self,
        window: &FillWindow,
        origin: IVec3,
        [y, z]: [i32; 2],
        weights: &Row,
    ) -> Row {
        let before = window.row(y, z);
        let largest = grown(window, [y, z], weights);
        let smallest = shrunk(window, [y, z], weights);
        let mut growth = [0; STRIDE];
        let mut shrinkage = [0; STRIDE];
        for x in -1..=CHUNK_SIDE {
            let i = index_of(x);
            // The noise is only needed where it could change the fill.
            if largest[i] != before[i] || smallest[i] != before[i] {
                let by = self.at(origin + IVec3::new(x, y, z)) * i32::from(weights[i]) / 256;
                growth[i] = by.max(0) as i16;
                shrinkage[i] = (-by).max(0) as i16;
            }
        }
        let larger = grown(window, [y, z], &growth);
        let smaller = shrunk(window, [y, z], &shrinkage);
        let mut after = *before;
        for i in 0..STRIDE {
            if growth[i] > 0 {
                after[i] = larger[i];
            } else if shrinkage[i] > 0 {
                after[i] = smaller[i];
            }
        }
        after
    }
}
