//! Cones, pyramids, tori, lines and curves compared with their definitions.

use super::*;
use crate::edit::region::{Bend, Cone, Metric, Pyramid, RegionError, Torus};
use crate::voxel::WORLD_LIMIT;

const AREA: Box3 = Box3 { min: IVec3::splat(-48), max: IVec3::splat(50) };

#[test]
fn solids_hold_the_voxels_of_their_definitions() {
    let cone = Cone { base: IVec3::new(-3, -17, 5), radii: [30.0, 21.5], height: 40 };
    let in_cone = |at: IVec3| {
        let from = (at - cone.base).as_dvec3();
        let layer = (40.0 - from.y) / 40.0;
        (0.0..40.0).contains(&from.y)
            && (from.x / 30.5).powi(2) + (from.z / 22.0).powi(2) <= layer * layer + 1e-12
    };
    check(&Region::from_shape(&cone), &voxels(AREA, in_cone));
    for is_hollow in [false, true] {
        let pyramid = Pyramid { base: IVec3::new(4, -3, -6), size: 37, is_hollow };
        let in_pyramid = |at: IVec3| {
            let from = at - pyramid.base;
            let half = 36 - from.y;
            let widest = from.x.abs().max(from.z.abs());
            (0..37).contains(&from.y) && if is_hollow { widest == half } else { widest <= half }
        };
        check(&Region::from_shape(&pyramid), &voxels(AREA, in_pyramid));
    }
    let torus = Torus { centre: IVec3::new(1, 2, 3), major: 33.0, minor: 7.0 };
    let in_torus = |at: IVec3| {
        let from = (at - torus.centre).as_dvec3();
        (from.with_y(0.0).length() - 33.0).powi(2) + from.y * from.y <= 7.5 * 7.5
    };
    check(&Region::from_shape(&torus), &voxels(AREA, in_torus));
    let flat = Cone { base: IVec3::ZERO, radii: [5.0, 5.0], height: 0 };
    assert!(Region::from_shape(&flat).is_empty());
    assert!(
        Region::from_shape(&Pyramid { base: IVec3::ZERO, size: 0, is_hollow: false }).is_empty()
    );
}

#[test]
fn lines_are_balls_along_rounded_points() {
    let points =
        [(-20, 3, 31), (33, -14, -2), (33, 30, 40), (33, 30, 40), (-5, 30, 1)].map(IVec3::from);
    let mut middle = Voxels::new();
    for pair in points.windows(2) {
        let from = pair[0].as_dvec3();
        let by = (pair[1] - pair[0]).as_dvec3();
        let steps = by.abs().max_element();
        let at = |step: i32| from + by * (f64::from(step) / steps.max(1.0));
        middle.extend((0..=steps as i32).map(|step| (at(step) + 0.5).floor().as_ivec3()));
    }
    for radius in [0.0, 1.0, 2.5, 4.0] {
        let near = voxels(Box3 { min: IVec3::splat(-4), max: IVec3::splat(5) }, |at| {
            at.as_dvec3().length() <= radius
        });
        let expected = middle.iter().flat_map(|&at| near.iter().map(move |&by| at + by)).collect();
        check(&Region::polyline(&points, radius).unwrap(), &expected);
    }
    check(&Region::polyline(&points[..1], 0.0).unwrap(), &Voxels::from([points[0]]));
    check(&Region::polyline(&[], 3.0).unwrap(), &Voxels::new());
}

#[test]
fn curve_is_unbroken_and_follows_the_spline() {
    let points =
        [(-40, 0, 0), (-10, 20, 5), (10, -5, 40), (35, 3, -30), (40, 40, 0)].map(IVec3::from);
    let curve = Region::curve(&points, Bend::default(), 0.0).unwrap();
    assert!(points.iter().all(|&point| curve.contains(point)));
    // Catmull-Rom spline in matrix form.
    let node = |index: i32| points[index.clamp(0, 4) as usize].as_dvec3();
    let mut on_spline = Voxels::new();
    for piece in 0..4 {
        let [a, b, c, d] = [-1, 0, 1, 2].map(|step| node(piece + step));
        for step in 0..=20_000 {
            let t = f64::from(step) / 20_000.0;
            let at = 0.5
                * (2.0 * b
                    + (c - a) * t
                    + (2.0 * a - 5.0 * b + 4.0 * c - d) * (t * t)
                    + (3.0 * b - a - 3.0 * c + d) * (t * t * t));
            on_spline.insert((at + 0.5).floor().as_ivec3());
        }
    }
    let found = all(&curve);
    let close = |set: &Voxels, at: IVec3| {
        voxels(Box3 { min: at - 1, max: at + 2 }, |_| true).iter().any(|at| set.contains(at))
    };
    assert!(
        found.iter().all(|&at| close(&on_spline, at))
            && on_spline.iter().all(|&at| close(&found, at))
    );
    let mut reached = Voxels::new();
    let mut queue = vec![points[0]];
    while let Some(at) = queue.pop() {
        if found.contains(&at) && reached.insert(at) {
            queue.extend(voxels(Box3 { min: at - 1, max: at + 2 }, |_| true));
        }
    }
    assert_eq!(reached, found);
    assert_eq!(
        Region::curve(&points, Bend::default(), 3.0).unwrap(),
        curve.grow(3, Metric::Euclidean).unwrap()
    );
    let tight = Region::curve(&points, Bend { tension: 1.0, ..Bend::default() }, 0.0).unwrap();
    let straight = all(&Region::polyline(&points, 0.0).unwrap());
    assert!(all(&tight).iter().all(|&at| close(&straight, at)));
}

#[test]
fn strokes_refuse_what_is_too_large() {
    let far = IVec3::splat(WORLD_LIMIT - 1);
    for radius in [0.0, 5.0] {
        assert_eq!(Region::polyline(&[far, IVec3::ZERO], radius), Err(RegionError::OutsideWorld));
        assert_eq!(Region::polyline(&[far / 2, IVec3::ZERO], radius), Err(RegionError::TooLarge));
        assert_eq!(
            Region::curve(&[far / 2, IVec3::ZERO], Bend::default(), radius),
            Err(RegionError::TooLarge)
        );
    }
    for radius in [f64::NAN, 1e9, f64::INFINITY] {
        assert!(Region::polyline(&[IVec3::ZERO, IVec3::ONE], radius).is_err() || radius.is_nan());
    }
    let huge = Pyramid { base: IVec3::ZERO, size: i32::MAX, is_hollow: false };
    assert_eq!(Region::try_from_shape(&huge), Err(RegionError::TooLarge));
}
