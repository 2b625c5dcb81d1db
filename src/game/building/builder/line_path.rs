//! Lines, curves and walls along points.

use glam::{DVec3, IVec3};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use stonerun_engine::edit::region::Region;
use stonerun_engine::voxel::Box3;

/// Maximum distance along all points, in voxels. Closing the line may double it.
pub const MAX_LENGTH: f64 = 6000.0;

/// Options of a line, curve or wall along points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct LineOptions {
    /// True for a smooth curve through the points, false for straight lines between them.
    pub is_curve: bool,
    /// True if the last point is joined to the first.
    pub is_closed: bool,
    /// Thickness in voxels, 1 or more.
    pub thickness: i32,
    /// Height in voxels, 1 or more: a wall, from the points upwards.
    pub height: i32,
}

impl Default for LineOptions {
    fn default() -> LineOptions {
        LineOptions { is_curve: true, is_closed: false, thickness: 1, height: 1 }
    }
}

impl LineOptions {
    /// Maximum thickness and height, in voxels.
    pub const MAX_SIZE: i32 = 256;

    /// The options within their limits.
    #[must_use]
    pub fn clamped(self) -> LineOptions {
        let thickness = self.thickness.clamp(1, Self::MAX_SIZE);
        let height = self.height.clamp(1, Self::MAX_SIZE);
        LineOptions { thickness, height, ..self }
    }

    /// True if the distance along all points is longer than [`MAX_LENGTH`].
    #[must_use]
    pub fn is_too_long(points: &[IVec3]) -> bool {
        points.windows(2).map(|pair| pair[0].as_dvec3().distance(pair[1].as_dvec3())).sum::<f64>()
            > MAX_LENGTH
    }

    /// Points along the path, half a voxel apart or less. A curve is a Catmull-Rom spline.
    #[must_use]
    pub fn samples(&self, points: &[IVec3]) -> Vec<DVec3> {
        let points: Vec<DVec3> = points.iter().map(|at| at.as_dvec3()).collect();
        let &[first, .., _] = &points[..] else { return points };
        let is_closed = self.is_closed && points.len() > 2;
        let count = points.len() as i32;
        let at = |number: i32| {
            let number =
                if is_closed { number.rem_euclid(count) } else { number.clamp(0, count - 1) };
            points[number as usize]
        };
        let mut samples = vec![first];
        for part in 0..if is_closed { count } else { count - 1 } {
            let [a, b, c, d] = [-1, 0, 1, 2].map(|step| at(part + step));
            let steps =
                (b.distance(c) * if self.is_curve { 3.0 } else { 2.0 }).ceil().max(1.0) as usize;
            for step in 1..=steps {
                let t = step as f64 / steps as f64;
                samples.push(if self.is_curve {
                    catmull_rom([a, b, c, d], t)
                } else {
                    b.lerp(c, t)
                });
            }
        }
        samples
    }

    /// The voxels of the path.
    #[must_use]
    pub fn region(&self, points: &[IVec3]) -> Region {
        let LineOptions { thickness, height, .. } = self.clamped();
        let below = (thickness - 1) / 2;
        let voxels = self.samples(points).into_iter().map(|at| at.round().as_ivec3());
        let voxels: FxHashSet<IVec3> = voxels.collect();
        voxels.into_iter().fold(Region::default(), |all, at| {
            let min = at - IVec3::new(below, 0, below);
            let size = IVec3::new(thickness, height, thickness);
            all.union(&Region::from_shape(&Box3 { min, max: min + size }))
        })
    }
}

/// A point of a Catmull-Rom spline between the second and the third of four points.
fn catmull_rom([a, b, c, d]: [DVec3; 4], t: f64) -> DVec3 {
    let t2 = t * t;
    let t3 = t * t * t;
    (b * 2.0
        + (c - a) * t
        + (a * 2.0 - b * 5.0 + c * 4.0 - d) * t2
        + (b * 3.0 - a - c * 3.0 + d) * t3)
        * 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> Vec<IVec3> {
        [[0, 5, 0], [20, 5, 3], [33, 9, 30], [-10, 5, 40]].map(IVec3::from_array).to_vec()
    }

    #[test]
    fn paths_go_through_their_points_without_gaps() {
        for is_curve in [false, true] {
            for is_closed in [false, true] {
                let options = LineOptions { is_curve, is_closed, ..LineOptions::default() };
                let region = options.region(&points());
                assert!(points().iter().all(|at| region.contains(*at)), "{options:?}");
                let samples = options.samples(&points());
                for pair in samples.windows(2) {
                    assert!(pair[0].distance(pair[1]) < 1.0, "{options:?}");
                }
                let last = if is_closed { points()[0] } else { points()[3] };
                assert!(samples[samples.len() - 1].distance(last.as_dvec3()) < 1e-9);
                for at in samples {
                    assert!(region.contains(at.round().as_ivec3()), "{options:?} {at}");
                }
            }
        }
    }

    #[test]
    fn longest_line_reaches_its_last_point() {
        let points = [IVec3::ZERO, IVec3::new(3000, 0, 0), IVec3::new(3000, 0, 2999)];
        assert!(!LineOptions::is_too_long(&points));
        assert!(LineOptions::is_too_long(&[points[0], points[1], IVec3::new(3000, 1, 3001)]));
        for is_closed in [false, true] {
            let options = LineOptions { is_closed, ..LineOptions::default() };
            let end = if is_closed { points[0] } else { points[2] };
            assert_eq!(options.samples(&points).last(), Some(&end.as_dvec3()));
        }
    }

    #[test]
    fn wall_has_thickness_and_height_of_its_options() {
        let options = LineOptions { is_curve: false, is_closed: false, thickness: 3, height: 4 };
        let wall = options.region(&[IVec3::ZERO, IVec3::new(10, 0, 0)]);
        assert_eq!(
            wall.bounds(),
            Some(Box3 { min: IVec3::new(-1, 0, -1), max: IVec3::new(12, 4, 2) })
        );
        assert_eq!(wall.volume(), 13 * 4 * 3);
        assert_eq!(options.region(&[IVec3::ZERO]).volume(), 36);
        assert!(options.region(&[]).is_empty());
    }
}
