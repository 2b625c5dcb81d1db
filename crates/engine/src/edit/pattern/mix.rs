//! Patterns that choose voxels at random by weight.

use crate::edit::position_noise::unit;
use crate::voxel::Voxel;
use glam::IVec3;

/// Voxels that are chosen at random by weight. The choice depends on seed and position alone.
#[derive(Clone, PartialEq, Debug)]
pub struct Mix {
    /// Voxels with their cumulative weights, 0 to 1.
    parts: Vec<(f64, Voxel)>,
    seed: u64,
}

/// The weights of a mix are invalid.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("the weights of a mix must be positive numbers")]
pub struct MixError;

impl MixError {
    /// Checks the weights and returns their sum.
    pub(super) fn check(weighted: &[(f64, Voxel)]) -> Result<f64, MixError> {
        let sum: f64 = weighted.iter().map(|(weight, _)| weight).sum();
        let is_bad = |(weight, _): &(f64, Voxel)| weight.is_nan() || *weight <= 0.0;
        if weighted.is_empty() || !sum.is_finite() || weighted.iter().any(is_bad) {
            Err(MixError)
        } else {
            Ok(sum)
        }
    }
}

impl Mix {
    /// Mix of voxels with the given weights.
    ///
    /// # Errors
    /// Fails if `weighted` is empty, or if a weight is not a positive, finite number.
    pub fn new(weighted: &[(f64, Voxel)], seed: u64) -> Result<Mix, MixError> {
        let sum = MixError::check(weighted)?;
        let mut upto = 0.0;
        let part = |&(weight, voxel): &(f64, Voxel)| {
            upto += weight / sum;
            (upto, voxel)
        };
        Ok(Mix { parts: weighted.iter().map(part).collect(), seed })
    }

    /// Voxels of the mix.
    pub(super) fn voxels(&self) -> impl Iterator<Item = Voxel> + '_ {
        self.parts.iter().map(|&(_, voxel)| voxel)
    }

    pub(super) fn at(&self, at: IVec3) -> Voxel {
        let chance = unit(self.seed, at);
        let part = self.parts.iter().find(|(upto, _)| chance < *upto);
        // Rounding errors may leave the last sum a little below 1.
        part.or(self.parts.last()).map_or(Voxel::AIR, |&(_, voxel)| voxel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Pattern;

    #[test]
    fn mix_has_the_parts_of_its_weights_everywhere() {
        let [a, b, c] = [1, 2, 3].map(Voxel::full);
        let mix = Pattern::Mix(Mix::new(&[(1.0, a), (2.0, b), (5.0, c)], 7).unwrap());
        let place = |i: i32| IVec3::new(i % 100, i / 100 % 40, i / 4000);
        let counted = |voxel| (0..80_000).filter(|&i| mix.at(place(i)) == voxel).count();
        for (voxel, expected) in [(a, 10_000), (b, 20_000), (c, 50_000)] {
            assert!(counted(voxel).abs_diff(expected) < 500, "{}", counted(voxel));
        }
        // Choices at neighbouring positions are independent.
        for step in [IVec3::X, IVec3::Y, IVec3::Z] {
            let equal =
                (0..80_000).filter(|&i| mix.at(place(i)) == mix.at(place(i) + step)).count();
            let expected = 80_000.0 * (1.0 + 4.0 + 25.0) / 64.0;
            assert!((equal as f64 - expected).abs() < 700.0, "{equal} along {step}");
        }
        let other = Pattern::Mix(Mix::new(&[(1.0, a), (1.0, b)], 8).unwrap());
        let same = Pattern::Mix(Mix::new(&[(3.0, a), (3.0, b)], 8).unwrap());
        assert!((0..1000).all(|i| other.at(place(i)) == same.at(place(i))));
    }

    #[test]
    fn weights_must_be_positive() {
        let stone = Voxel::full(1);
        for bad in [
            &[][..],
            &[(0.0, stone)],
            &[(1.0, stone), (-1.0, stone)],
            &[(f64::NAN, stone)],
            &[(f64::INFINITY, stone)],
        ] {
            assert_eq!(Mix::new(bad, 0), Err(MixError), "{bad:?}");
        }
    }
}
