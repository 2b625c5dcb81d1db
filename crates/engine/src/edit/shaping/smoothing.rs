//! The box filter that smooths surfaces, made steep again.

use super::fill_window::{FillWindow, Row, STRIDE, index_of};
use crate::voxel::CHUNK_SIDE;
use std::ops::Range;

/// Fixed point of the division by the area of the box.
const SHIFT: u32 = 18;

/// Smoothed fills of some layers of a chunk and one voxel around it.
pub(super) struct SmoothedFills {
    layers: Range<i32>,
    rows: Vec<Row>,
}

impl SmoothedFills {
    /// Smooths layers, from -1 to 32 at most, with a box that covers 1 or 2 voxels to each side.
    pub fn new(window: &FillWindow, layers: Range<i32>, reach: i32) -> SmoothedFills {
        match reach {
            1 => SmoothedFills::with_side::<3>(window, layers),
            _ => SmoothedFills::with_side::<5>(window, layers),
        }
    }

    /// Smooths with a box of side `N`, 3 or 5.
    fn with_side<const N: i32>(window: &FillWindow, layers: Range<i32>) -> SmoothedFills {
        let reach = N / 2;
        let zs = -1..CHUNK_SIDE + 1;
        // Sums of N x N fills along x and z, less the sum of as many half full voxels.
        let mut sums = Vec::with_capacity(layers.len() * zs.len());
        for y in layers.start - reach..layers.end + reach {
            let along_x: Vec<Row> = (zs.start - reach..zs.end + reach)
                .map(|z| sum_along_x::<N>(window.row(y, z)))
                .collect();
            for z in 0..zs.len() {
                let mut sum = [-128 * (N * N) as i16; STRIDE];
                for row in &along_x[z..z + N as usize] {
                    add(&mut sum, row);
                }
                sums.push(sum);
            }
        }
        let mut rows = Vec::with_capacity(sums.len());
        for layer in 0..layers.len() {
            for z in 0..zs.len() {
                let mut sum = [0; STRIDE];
                for y in 0..N as usize {
                    add(&mut sum, &sums[(layer + y) * zs.len() + z]);
                }
                rows.push(steep::<N>(&sum));
            }
        }
        SmoothedFills { layers, rows }
    }

    /// True if smoothing changes no voxel of a row.
    pub fn keeps(&self, [y, z]: [i32; 2], before: &Row) -> bool {
        let covered = index_of(-1)..=index_of(CHUNK_SIDE);
        self.row([y, z])[covered.clone()] == before[covered]
    }

    fn row(&self, [y, z]: [i32; 2]) -> &Row {
        &self.rows[((y - self.layers.start) * (CHUNK_SIDE + 2) + z + 1) as usize]
    }

    /// Row between the fills before the pass and the smoothed ones, by the weights.
    pub fn blended(&self, [y, z]: [i32; 2], before: &Row, weights: &Row) -> Row {
        let smoothed = self.row([y, z]);
        let mut after = [0; STRIDE];
        for i in 0..STRIDE {
            let difference = i32::from(smoothed[i] - before[i]);
            // Rounded away from 0, so that every pass moves on.
            let part = (difference.abs() * i32::from(weights[i]) + 255) >> 8;
            after[i] = before[i] + (difference.signum() * part) as i16;
        }
        after
    }
}

/// Sums of `N` fills along x around each voxel of a row, but for two at both ends.
fn sum_along_x<const N: i32>(row: &Row) -> Row {
    let reach = (N / 2) as usize;
    let mut fills = *row;
    for fill in &mut fills {
        *fill = (*fill).max(0);
    }
    let mut sums = [0; STRIDE];
    for i in 2..STRIDE - 2 {
        let mut sum = 0;
        for fill in &fills[i - reach..=i + reach] {
            sum += fill;
        }
        sums[i] = sum;
    }
    sums
}

fn add(sum: &mut Row, row: &Row) {
    for i in 0..STRIDE {
        sum[i] += row[i];
    }
}

/// Smoothed fills from sums of the fills of `N^3` voxels, less half of a full sum.
fn steep<const N: i32>(sums: &Row) -> Row {
    let area = (N * N) as i16;
    let limit = 129 * area;
    let inverse = (1 << SHIFT) / area as u32 + 1;
    let mut fills = [0; STRIDE];
    for i in 0..STRIDE {
        // Beyond these limits, the fill is 0 or 256 anyway.
        let sum = sums[i].clamp(-limit, limit);
        // Not negative, so that the product with the inverse divides exactly. Numbers of 16 bits,
        // of which a register holds the most.
        let above = (sum + limit + area / 2) as u16;
        let high = ((u32::from(above) * inverse) >> 16) as u16;
        let quotient = (high >> (SHIFT - 16)) as i16;
        fills[i] = (quotient - 1).clamp(0, 256);
    }
    fills
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steep_divides_and_rounds_exactly() {
        for area in [9, 25] {
            for sum in i32::from(i16::MIN)..=i32::from(i16::MAX) {
                let steep = if area == 9 {
                    steep::<3>(&[sum as i16; STRIDE])
                } else {
                    steep::<5>(&[sum as i16; STRIDE])
                };
                let expected = 128 + (sum + area / 2).div_euclid(area);
                assert_eq!(i32::from(steep[7]), expected.clamp(0, 256), "{sum} / {area}");
            }
        }
    }
}
