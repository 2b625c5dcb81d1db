//! Patterns of clouds, which choose a voxel by the value of a smooth noise field.

use super::MixError;
use crate::edit::position_noise::CloudNoise;
use crate::voxel::Voxel;
use glam::IVec3;

/// Voxels in clouds. Clouds of one voxel border on clouds of its neighbours in the list.
#[derive(Clone, PartialEq, Debug)]
pub struct Clouds {
    noise: CloudNoise,
    /// Voxels with the upper limits of their noise values, excluded.
    parts: Vec<(f64, Voxel)>,
}

impl Clouds {
    /// Clouds of about `scale` voxels. Each voxel gets a share of the space in proportion to its
    /// weight.
    ///
    /// # Errors
    /// Fails if `weighted` is empty, or if a weight is not a positive, finite number.
    pub fn new(weighted: &[(f64, Voxel)], scale: f64, seed: u32) -> Result<Clouds, MixError> {
        let noise = CloudNoise::new(seed, scale);
        let sum = MixError::check(weighted)?;
        let mut share = 0.0;
        let shares = weighted.iter().map(|(weight, _)| {
            share += weight / sum;
            share
        });
        let thresholds = noise.thresholds(shares);
        Ok(Clouds {
            noise,
            parts: thresholds.into_iter().zip(weighted.iter().map(|&(_, voxel)| voxel)).collect(),
        })
    }

    /// Voxels of the clouds.
    pub(super) fn voxels(&self) -> impl Iterator<Item = Voxel> + '_ {
        self.parts.iter().map(|&(_, voxel)| voxel)
    }

    pub(super) fn at(&self, at: IVec3) -> Voxel {
        let value = self.noise.at(at);
        let part = self.parts.iter().find(|(below, _)| value < *below);
        // Rounding errors may leave the last threshold finite, so that no threshold is above the
        // value.
        part.or(self.parts.last()).map_or(Voxel::AIR, |&(_, voxel)| voxel)
    }
}
