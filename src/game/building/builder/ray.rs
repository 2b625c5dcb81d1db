//! The ray along which the player points, and its intersections with axes, planes and boxes.

use glam::DVec3;
use stonerun_engine::voxel::Face;

/// A ray in voxels of the world.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ray {
    /// Start of the ray.
    pub origin: DVec3,
    /// Direction, of unit length.
    pub direction: DVec3,
    /// Distance at which a perspective view shows everything as large as this orthographic view
    /// does; `None` for a perspective view.
    pub parallel: Option<f64>,
}

/// Squared sine of the angle below which a ray counts as parallel to an axis.
const PARALLEL: f64 = 1e-3;

/// Intersection of a ray with a box.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BoxHit {
    /// Distance from the ray's origin, in voxels.
    pub distance: f64,
    /// Face that the ray enters through or, if it starts inside, leaves through.
    pub face: Face,
}

impl Ray {
    /// A ray of a perspective view.
    #[must_use]
    pub const fn new(origin: DVec3, direction: DVec3) -> Ray {
        Ray { origin, direction, parallel: None }
    }

    /// The distance that decides how large something at `at` is on the screen.
    #[must_use]
    pub fn apparent_distance(&self, at: DVec3) -> f64 {
        self.parallel.unwrap_or_else(|| self.origin.distance(at))
    }

    /// The point at a distance from the origin.
    #[must_use]
    pub fn at(&self, distance: f64) -> DVec3 {
        self.origin + self.direction * distance
    }

    /// Coordinate, along `axis`, of the point nearest to the ray on the line through `point` along
    /// this axis. `None` if the ray is nearly parallel to the axis, or the point is behind its
    /// origin.
    #[must_use]
    pub fn along_axis(&self, point: DVec3, axis: usize) -> Option<f64> {
        let line = DVec3::AXES[axis];
        let cosine = self.direction.dot(line);
        let sine2 = 1.0 - cosine * cosine;
        if sine2 < PARALLEL {
            return None;
        }
        let to_point = point - self.origin;
        let along_ray = (to_point.dot(self.direction) - to_point.dot(line) * cosine) / sine2;
        (along_ray > 0.0).then(|| self.at(along_ray).dot(line))
    }

    /// The point in the plane across `axis` at a coordinate. `None` if the ray does not reach it.
    #[must_use]
    pub fn on_plane(&self, axis: usize, coordinate: f64) -> Option<DVec3> {
        let slope = self.direction[axis];
        if slope * slope < PARALLEL * PARALLEL {
            return None;
        }
        let distance = (coordinate - self.origin[axis]) / slope;
        (distance > 0.0).then(|| self.at(distance))
    }

    /// The first intersection of the ray with the box from `low` to `high`.
    #[must_use]
    pub fn meets_box(&self, low: DVec3, high: DVec3) -> Option<BoxHit> {
        let mut entry = BoxHit { distance: f64::NEG_INFINITY, face: Face::Up };
        let mut exit = BoxHit { distance: f64::INFINITY, face: Face::Up };
        for axis in 0..3 {
            let start = self.origin[axis];
            let slope = self.direction[axis];
            if slope == 0.0 {
                if start < low[axis] || start > high[axis] {
                    return None;
                }
                continue;
            }
            // Faces of an axis: the positive one has the even number.
            let faces = [Face::ALL[2 * axis + 1], Face::ALL[2 * axis]];
            let mut ends =
                [(low[axis] - start) / slope, (high[axis] - start) / slope].into_iter().zip(faces);
            let (Some(mut near), Some(mut far)) = (ends.next(), ends.next()) else { continue };
            if near.0 > far.0 {
                std::mem::swap(&mut near, &mut far);
            }
            if near.0 > entry.distance {
                entry = BoxHit { distance: near.0, face: near.1 };
            }
            if far.0 < exit.distance {
                exit = BoxHit { distance: far.0, face: far.1 };
            }
        }
        if entry.distance > exit.distance || exit.distance < 0.0 {
            None
        } else if entry.distance >= 0.0 {
            Some(entry)
        } else {
            Some(exit)
        }
    }
}

/// Axis of a face, 0 to 2, and whether it looks along the axis.
#[must_use]
pub fn axis_of(face: Face) -> (usize, bool) {
    (face as usize / 2, (face as usize).is_multiple_of(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ray(origin: [f64; 3], direction: [f64; 3]) -> Ray {
        Ray::new(DVec3::from_array(origin), DVec3::from_array(direction).normalize())
    }

    #[test]
    fn nearest_point_on_an_axis_has_the_smallest_distance() {
        let ray = ray([3.0, 9.0, -7.0], [0.2, -0.8, 0.6]);
        for axis in 0..3 {
            let point = DVec3::new(5.0, -2.0, 4.0);
            let found = ray.along_axis(point, axis).expect("ahead");
            let gap = |coordinate: f64| {
                let mut at = point;
                at[axis] = coordinate;
                let along = (at - ray.origin).dot(ray.direction);
                ray.at(along).distance(at)
            };
            assert!(
                gap(found) <= gap(found + 0.01) && gap(found) <= gap(found - 0.01),
                "axis {axis}"
            );
        }
        assert_eq!(
            super::tests::ray([0.0; 3], [1.0, 0.0, 0.0]).along_axis(DVec3::Y, 0),
            None,
            "parallel"
        );
    }

    #[test]
    fn plane_is_met_only_ahead_of_the_origin() {
        let ray = ray([0.0, 10.0, 0.0], [1.0, -1.0, 0.0]);
        assert!(ray.on_plane(1, 4.0).expect("below").distance(DVec3::new(6.0, 4.0, 0.0)) < 1e-9);
        assert_eq!((ray.on_plane(1, 11.0), ray.on_plane(2, 1.0)), (None, None));
    }

    #[test]
    fn box_is_met_at_its_visible_face_or_left_from_inside() {
        let low = DVec3::ZERO;
        let high = DVec3::new(2.0, 4.0, 6.0);
        let hit = |origin, direction| {
            ray(origin, direction).meets_box(low, high).map(|hit| (hit.face, hit.distance))
        };
        assert_eq!(hit([1.0, 9.0, 1.0], [0.0, -1.0, 0.0]), Some((Face::Up, 5.0)));
        assert_eq!(hit([1.0, -2.0, 1.0], [0.0, 1.0, 0.0]), Some((Face::Down, 2.0)));
        assert_eq!(hit([-3.0, 1.0, 1.0], [1.0, 0.0, 0.0]), Some((Face::West, 3.0)));
        assert_eq!(
            hit([1.0, 1.0, 1.0], [0.0, 0.0, 1.0]),
            Some((Face::South, 5.0)),
            "from inside: where it leaves"
        );
        assert_eq!(hit([5.0, 1.0, 1.0], [0.0, 0.0, 1.0]), None);
        assert_eq!(hit([1.0, 1.0, 9.0], [0.0, 0.0, 1.0]), None, "behind");
    }

    #[test]
    fn axis_of_face_agrees_with_its_normal() {
        for face in Face::ALL {
            let (axis, is_positive) = axis_of(face);
            let mut normal = glam::IVec3::ZERO;
            normal[axis] = if is_positive { 1 } else { -1 };
            assert_eq!(face.normal(), normal);
        }
    }
}
