//! Noise for masks and patterns: numbers that depend on position and seed alone.

use glam::{DVec3, IVec3};
use noise::{NoiseFn, Perlin};
use std::sync::Arc;

/// Number of positions at which a field is sampled to find thresholds.
const SAMPLES: usize = 4096;

/// White noise: a number from 0 to 1, exclusive, that is independent between positions.
pub(super) fn unit(seed: u64, at: IVec3) -> f64 {
    (position_hash(seed, at) >> 11) as f64 / (1u64 << 53) as f64
}

/// Hash of a position; its high bits are independent between positions.
pub(super) fn position_hash(seed: u64, at: IVec3) -> u64 {
    let mut n = seed;
    for coordinate in at.to_array() {
        n = (n ^ u64::from(coordinate as u32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        n ^= n >> 29;
    }
    n = n.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    n ^ n >> 32
}

/// Perlin noise: a smooth field with features of about `scale` voxels.
#[derive(Clone, Debug)]
pub struct CloudNoise {
    source: Arc<Perlin>,
    seed: u32,
    scale: f64,
}

impl PartialEq for CloudNoise {
    fn eq(&self, other: &CloudNoise) -> bool {
        (self.seed, self.scale) == (other.seed, other.scale)
    }
}

impl CloudNoise {
    /// Field with features of about `scale` voxels, at least 1.
    #[must_use]
    pub fn new(seed: u32, scale: f64) -> CloudNoise {
        CloudNoise { source: Arc::new(Perlin::new(seed)), seed, scale: scale.max(1.0) }
    }

    /// Value at the middle of a voxel, about -1 to 1.
    #[must_use]
    pub fn at(&self, at: IVec3) -> f64 {
        // The middle of the voxel, because Perlin noise is 0 at whole numbers.
        self.source.get(((at.as_dvec3() + 0.5) / self.scale).to_array())
    }

    /// Estimates the values below which the given shares of all voxels lie. Shares of 0 or less
    /// give negative infinity, shares of 1 or more positive infinity.
    #[must_use]
    pub(crate) fn thresholds(&self, shares: impl IntoIterator<Item = f64>) -> Vec<f64> {
        // Irrational steps, so that the samples do not repeat positions in the cells of the noise
        // lattice.
        let sample = |i: usize| {
            self.source.get((DVec3::new(0.618_034, 0.754_878, 0.819_173) * i as f64).to_array())
        };
        let mut samples: Vec<f64> = (0..SAMPLES).map(sample).collect();
        samples.sort_unstable_by(f64::total_cmp);
        let threshold = |share: f64| match share {
            share if share <= 0.0 => f64::NEG_INFINITY,
            share if share >= 1.0 => f64::INFINITY,
            share => samples[(share * SAMPLES as f64) as usize],
        };
        shares.into_iter().map(threshold).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_divide_space_by_shares() {
        let noise = CloudNoise::new(3, 9.0);
        let thresholds = noise.thresholds([0.0, 0.1, 0.5, 0.75, 1.0]);
        let place = |i: i32| IVec3::new(i % 97 - 50, i / 97 % 89 - 40, i / 97 / 89);
        for (threshold, share) in thresholds.into_iter().zip([0.0, 0.1, 0.5, 0.75, 1.0]) {
            let below =
                (0..200_000).filter(|&i| noise.at(place(i)) < threshold).count() as f64 / 200_000.0;
            assert!((below - share).abs() < 0.03, "{below} instead of {share}");
        }
        // The field is smooth: neighbours differ little.
        let steps = (0..1000).map(|i| (noise.at(place(i)) - noise.at(place(i) + IVec3::Y)).abs());
        assert!(steps.fold(0.0, f64::max) < 0.4);
    }
}
