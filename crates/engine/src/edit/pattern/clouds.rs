//! Patterns of clouds: several voxels by the value of a smooth field.

use super::MixError;
use crate::edit::position_noise::CloudNoise;
use crate::voxel::Voxel;
use glam::IVec3;

/// Voxels in clouds. Each borders on the next one in the list.
#[derive(Clone, PartialEq, Debug)]
pub struct Clouds {
    noise: CloudNoise,
    /// The voxels, each with the upper threshold of its values of the field.
    parts: Vec<(f64, Voxel)>,
}

impl Clouds {
    /// Clouds of about `scale` voxels. Each voxel gets a share of space by its weight.
    ///
    /// # Errors
    /// `weighted` is empty, or a weight is not a positive, finite number.
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

    pub(super) fn at(&self, at: IVec3) -> Voxel {
        let value = self.noise.at(at);
        let part = self.parts.iter().find(|(below, _)| value < *below);
        // Rounding of the shares may leave the last threshold finite.
        part.or(self.parts.last()).map_or(Voxel::AIR, |&(_, voxel)| voxel)
    }
}
