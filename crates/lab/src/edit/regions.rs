//! Selection of connected matter, and set operations on large regions.

use super::flat_box::FlatBox;
use super::{EditInput, EditMeasurement, MeasureError, Rounds};
use glam::{DVec3, IVec3};
use rayon::prelude::*;
use stonerun_engine::edit::region::{Ellipsoid, Region};
use stonerun_engine::edit::{JobProgress, Mask};
use stonerun_engine::voxel::Voxel;

/// Number of words that one task of the rival combines.
const WORDS: usize = 4096;

/// Measures all rows: in each round first ours, then the rival.
pub(super) fn measure(
    input: &EditInput,
    rounds: usize,
    progress: &mut dyn FnMut(f32),
) -> Result<Vec<EditMeasurement>, MeasureError> {
    let flat = FlatBox::new(&input.world, input.area);
    let within = Region::from_shape(&input.area);
    let start = input.area.min;
    let mask = Mask::Not(Box::new(Mask::Materials(vec![Voxel::AIR.material()])));
    let mut ours = Rounds::default();
    let mut rival = Rounds::default();
    let mut region = Region::default();
    let mut bits = Vec::new();
    for round in 0..rounds {
        let job = JobProgress::default();
        region = ours.time(|| Region::connected(&input.world, start, &mask, &within, &job))?;
        bits = rival.time(|| flat.connected_matter());
        progress((round + 1) as f32 / rounds as f32 * 0.7);
    }
    let what = format!("connected matter, {} voxels", region.volume());
    let mut rows = vec![EditMeasurement::time(what, &ours, &rival, flat.is_set(&bits, &region))];

    let half = input.area.size().x / 2;
    let ball =
        Ellipsoid { centre: input.area.min + half, radii: DVec3::splat(f64::from(half - 1)) };
    let ball = Region::from_shape(&ball);
    let other = flat.bits_of(&ball);
    let bench = Booleans { flat: &flat, regions: [&region, &ball], bits: [&bits, &other], rounds };
    rows.push(bench.measure("union of two regions", |a, b| a.clone().union(b), |a, b| a | b));
    progress(0.8);
    rows.push(bench.measure("intersection of two regions", Region::intersection, |a, b| a & b));
    progress(0.9);
    rows.push(bench.measure("difference of two regions", Region::difference, |a, b| a & !b));
    progress(1.0);
    Ok(rows)
}

/// Operands of union, intersection and difference: two regions, and for the rival the same voxels
/// as bit sets.
struct Booleans<'a> {
    flat: &'a FlatBox,
    regions: [&'a Region; 2],
    bits: [&'a [u64]; 2],
    rounds: usize,
}

impl Booleans<'_> {
    fn measure(
        &self,
        workload: &str,
        join: impl Fn(&Region, &Region) -> Region,
        join_bits: impl Fn(u64, u64) -> u64 + Sync,
    ) -> EditMeasurement {
        let mut ours = Rounds::default();
        let mut rival = Rounds::default();
        let mut equal = true;
        let mut joined = vec![1; self.bits[0].len()];
        for _ in 0..self.rounds {
            let result = ours.time(|| join(self.regions[0], self.regions[1]));
            rival.time(|| {
                let pairs = self.bits[0].par_chunks(WORDS).zip(self.bits[1].par_chunks(WORDS));
                joined.par_chunks_mut(WORDS).zip(pairs).for_each(|(to, (a, b))| {
                    for (to, (&a, &b)) in to.iter_mut().zip(a.iter().zip(b)) {
                        *to = join_bits(a, b);
                    }
                });
            });
            equal &= self.flat.is_set(&joined, &result);
        }
        EditMeasurement::time(workload, &ours, &rival, equal)
    }
}

impl FlatBox {
    /// True if the voxel at an index is matter and its bit is not set.
    fn is_free(&self, bits: &[u64], at: usize) -> bool {
        self.voxels[at] != 0 && bits[at / 64] >> (at % 64) & 1 == 0
    }

    /// The matter that is connected with the first voxel, as one bit per voxel, found by a flood
    /// fill of whole rows along x.
    fn connected_matter(&self) -> Vec<u64> {
        let side = self.side;
        let mut bits = vec![0u64; self.voxels.len().div_ceil(64)];
        let mut open = vec![0usize];
        while let Some(seed) = open.pop() {
            if !self.is_free(&bits, seed) {
                continue;
            }
            let row = seed / side * side;
            let mut first = seed;
            let mut end = seed + 1;
            while first > row && self.is_free(&bits, first - 1) {
                first -= 1;
            }
            while end < row + side && self.is_free(&bits, end) {
                end += 1;
            }
            for at in first..end {
                bits[at / 64] |= 1 << (at % 64);
            }
            let y = row / side / side;
            let z = row / side % side;
            let plane = side * side;
            let rows = [
                (z > 0).then(|| -(side as isize)),
                (z + 1 < side).then_some(side as isize),
                (y > 0).then(|| -(plane as isize)),
                (y + 1 < side).then_some(plane as isize),
            ];
            for by in rows.into_iter().flatten() {
                let mut was_free = false;
                for at in (first..end).map(|at| at.wrapping_add_signed(by)) {
                    let free = self.is_free(&bits, at);
                    if free && !was_free {
                        open.push(at);
                    }
                    was_free = free;
                }
            }
        }
        bits
    }

    /// A region as one bit per voxel.
    fn bits_of(&self, region: &Region) -> Vec<u64> {
        let mut bits = vec![0u64; self.voxels.len().div_ceil(64)];
        self.for_each_in(region, |at| bits[at / 64] |= 1 << (at % 64));
        bits
    }

    /// True if a region consists of the voxels of these bits.
    fn is_set(&self, bits: &[u64], region: &Region) -> bool {
        self.bits_of(region) == bits
    }

    /// Calls `each` with the index of each voxel of a region, which must lie in the box.
    fn for_each_in(&self, region: &Region, mut each: impl FnMut(usize)) {
        for pos in region.chunks() {
            let origin = pos.origin() - self.area.min;
            for range in region.ranges(pos) {
                for index in range {
                    let offset: IVec3 = origin + stonerun_engine::voxel::linear_offset(index);
                    each(self.row(offset, 1).start);
                }
            }
        }
    }
}
