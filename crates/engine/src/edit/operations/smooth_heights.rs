//! Smoothing of column heights by a Gaussian kernel.

/// Weights by distance of a Gaussian with standard deviation 1, as in WorldEdit, in 1/65536. The
/// sum over both sides is exactly 1; weights beyond a distance of 4 would be less than 1/65536.
const WEIGHTS: [i64; 5] = [26_146, 15_858, 3_538, 290, 9];
/// Square of the sum of the weights, because they are applied along two axes.
const ONE: i64 = 1 << 32;

/// Heights of a rectangle of columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Heights {
    /// Columns along x.
    pub width: usize,
    /// Heights, x fastest, then z.
    pub values: Vec<i32>,
}

impl Heights {
    /// Heights after one pass, rounded to whole voxels. As in WorldEdit, columns outside the
    /// rectangle are assumed to have the height of the column that is being smoothed.
    pub fn smoothed(&self) -> Heights {
        let width = self.width;
        let depth = self.values.len() / self.width.max(1);
        let mut rows = vec![0i64; self.values.len()];
        for z in 0..depth {
            for x in 0..width {
                let row = z * width;
                rows[row + x] = weighted(x, width, |x| i64::from(self.values[row + x]));
            }
        }
        let mut values = vec![0; self.values.len()];
        for z in 0..depth {
            for x in 0..width {
                let sum = weighted(z, depth, |z| rows[z * width + x]);
                values[z * width + x] = (sum + ONE / 2).div_euclid(ONE) as i32;
            }
        }
        Heights { width, values }
    }
}

/// Weighted sum around index `at` on an axis with `len` columns.
fn weighted(at: usize, len: usize, value: impl Fn(usize) -> i64) -> i64 {
    let mut sum = WEIGHTS[0] * value(at);
    for (distance, weight) in WEIGHTS.iter().enumerate().skip(1) {
        let low = at.checked_sub(distance).unwrap_or(at);
        let high = if at + distance < len { at + distance } else { at };
        sum += weight * (value(low) + value(high));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn smoothed_heights_equal_the_kernel_in_two_dimensions() {
        let width = 13i64;
        let depth = 9i64;
        let mut random = Random::new(5);
        let heights = Heights {
            width: 13,
            values: (0..width * depth).map(|_| random.below(40) as i32 - 20).collect(),
        };
        let smoothed = heights.smoothed();
        for z in 0..depth {
            for x in 0..width {
                let mut sum = 0;
                let mut weights = 0;
                for dz in -4..=4i64 {
                    for dx in -4..=4i64 {
                        let near_x = if (0..width).contains(&(x + dx)) { x + dx } else { x };
                        let near_z = if (0..depth).contains(&(z + dz)) { z + dz } else { z };
                        let weight = WEIGHTS[dx.unsigned_abs() as usize]
                            * WEIGHTS[dz.unsigned_abs() as usize];
                        sum +=
                            weight * i64::from(heights.values[(near_z * width + near_x) as usize]);
                        weights += weight;
                    }
                }
                assert_eq!(weights, ONE);
                let expected = ((sum as f64 / ONE as f64) + 0.5).floor() as i32;
                assert_eq!(smoothed.values[(z * width + x) as usize], expected, "{x}, {z}");
            }
        }
        let flat = Heights { width: 5, values: vec![-1_000_000_000; 25] };
        assert_eq!(flat.smoothed(), flat);
    }
}
