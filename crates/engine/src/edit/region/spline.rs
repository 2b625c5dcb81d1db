//! Points on straight lines, and on smooth curves through given points.

use glam::{DVec3, IVec3};

/// Bend of a curve at its points (Kochanek and Bartels). Each parameter is from -1 to 1. The
/// default, with all 0, is a Catmull-Rom spline.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Bend {
    /// Tension: 1 is tight, -1 is round.
    pub(crate) tension: f64,
    /// Bias: above 0 the curve turns after a point, below 0 before it.
    pub bias: f64,
    /// Continuity: values other than 0 make corners.
    pub(crate) continuity: f64,
}

/// Voxels of a straight line, both ends included: one for each step along the longest axis.
pub(super) fn line_voxels(from: IVec3, to: IVec3) -> impl Iterator<Item = IVec3> {
    let start = from.as_i64vec3();
    let by = to.as_i64vec3() - start;
    let steps = by.abs().max_element().max(1);
    let count = if from == to { 0 } else { steps };
    (0..=count).map(move |step| {
        // Rounds half up.
        let along = |by: i64| (2 * step * by + steps).div_euclid(2 * steps);
        IVec3::new(
            (start.x + along(by.x)) as i32,
            (start.y + along(by.y)) as i32,
            (start.z + along(by.z)) as i32,
        )
    })
}

/// Points on a curve through the centres of voxels, both ends included. Neighbouring points are at
/// most about a voxel apart.
pub(super) fn curve_points(points: &[IVec3], bend: Bend) -> Vec<DVec3> {
    let node = |index: usize| points[index.min(points.len() - 1)].as_dvec3();
    let mut curve: Vec<DVec3> = points.first().map(|point| point.as_dvec3()).into_iter().collect();
    for index in 0..points.len().saturating_sub(1) {
        let before = node(index.saturating_sub(1));
        let from = node(index);
        let to = node(index + 1);
        let after = node(index + 2);
        let Bend { tension, bias, continuity } = bend;
        let weight =
            |bias: f64, continuity: f64| (1.0 - tension) * (1.0 + bias) * (1.0 + continuity) / 2.0;
        let leaving =
            weight(bias, continuity) * (from - before) + weight(-bias, -continuity) * (to - from);
        let arriving =
            weight(bias, -continuity) * (to - from) + weight(-bias, continuity) * (after - to);
        let steps = samples(from, to, leaving, arriving);
        curve.extend((1..=steps).map(|step| {
            let t = step as f64 / steps as f64;
            let t2 = t * t;
            let t3 = t * t * t;
            from * (2.0 * t3 - 3.0 * t2 + 1.0)
                + leaving * (t3 - 2.0 * t2 + t)
                + to * (3.0 * t2 - 2.0 * t3)
                + arriving * (t3 - t2)
        }));
    }
    curve
}

/// Number of points for one piece of the curve. The sum bounds the length of the piece from above.
fn samples(from: DVec3, to: DVec3, leaving: DVec3, arriving: DVec3) -> u32 {
    (1.5 * from.distance(to) + leaving.length() + arriving.length()).ceil().max(1.0) as u32
}
