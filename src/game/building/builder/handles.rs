//! Handles on the faces of the selected box: finding the one that is pointed at, and dragging it.

use crate::game::building::builder::ray::{Ray, axis_of};
use glam::{DVec3, IVec3};
use stonerun_engine::voxel::{Box3, Face, WORLD_LIMIT};

/// Steps of drags that the panel offers, in voxels.
pub const SNAPS: [i32; 4] = [1, 4, 8, 16];
/// Steps of turns that the panel offers, in degrees.
pub const ANGLE_STEPS: [i32; 4] = [1, 15, 45, 90];
/// Half the side of a handle, as a part of its distance from the eyes.
const SIZE: f64 = 0.018;
/// Minimum and maximum of half the side of a handle, in voxels.
const LIMITS: (f64, f64) = (0.15, 6.0);

/// Half the side of a handle, in voxels: about the same on the screen at all distances.
#[must_use]
pub fn handle_half(at: DVec3, ray: &Ray) -> f64 {
    (ray.apparent_distance(at) * SIZE).clamp(LIMITS.0, LIMITS.1)
}

/// The middle of a face.
#[must_use]
pub fn face_middle(area: Box3, face: Face) -> DVec3 {
    let (axis, is_positive) = axis_of(face);
    let mut middle = (area.min.as_dvec3() + area.max.as_dvec3()) / 2.0;
    middle[axis] = f64::from(if is_positive { area.max[axis] } else { area.min[axis] });
    middle
}

/// The handle that the ray meets first.
#[must_use]
pub fn handle_at(area: Box3, ray: &Ray) -> Option<Face> {
    let met = |face: Face| {
        let middle = face_middle(area, face);
        let half = DVec3::splat(handle_half(middle, ray) * 1.3);
        ray.meets_box(middle - half, middle + half).map(|hit| (hit.distance, face))
    };
    let handles = Face::ALL.into_iter().filter_map(met);
    handles.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, face)| face)
}

/// The box with one face moved outwards by a number of voxels, or inwards if it is negative. At
/// least one voxel remains, and the box stays in the world.
#[must_use]
pub fn move_face(area: Box3, face: Face, steps: i32) -> Box3 {
    let (axis, is_positive) = axis_of(face);
    let mut min = area.min;
    let mut max = area.max;
    if is_positive {
        max[axis] = max[axis].saturating_add(steps).clamp(min[axis] + 1, WORLD_LIMIT);
    } else {
        min[axis] = min[axis].saturating_sub(steps).clamp(-WORLD_LIMIT, max[axis] - 1);
    }
    Box3 { min, max }
}

/// A face that is being dragged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FaceDrag {
    /// The face.
    pub face: Face,
    /// The box before the drag.
    before: Box3,
    /// Coordinate along the axis at which the face was grabbed.
    grabbed: f64,
}

impl FaceDrag {
    /// Grabs a face. `None` if the ray is nearly parallel to the direction in which it moves.
    #[must_use]
    pub fn begin(area: Box3, face: Face, ray: &Ray) -> Option<FaceDrag> {
        let (axis, _) = axis_of(face);
        let grabbed = ray.along_axis(face_middle(area, face), axis)?;
        Some(FaceDrag { face, before: area, grabbed })
    }

    /// The box with the face dragged to the ray, in steps of `snap` voxels.
    #[must_use]
    pub fn area(&self, ray: &Ray, snap: i32) -> Box3 {
        let (axis, is_positive) = axis_of(self.face);
        let Some(now) = ray.along_axis(face_middle(self.before, self.face), axis) else {
            return self.before;
        };
        let moved = snapped(now - self.grabbed, snap);
        move_face(self.before, self.face, if is_positive { moved } else { -moved })
    }
}

/// A distance in voxels, rounded to a multiple of `snap`.
#[must_use]
pub fn snapped(distance: f64, snap: i32) -> i32 {
    let snap = f64::from(snap.max(1));
    ((distance / snap).round() * snap) as i32
}

/// A box with a size, from its lowest corner, at least one voxel along each axis.
#[must_use]
pub fn with_size(min: IVec3, size: IVec3) -> Box3 {
    let min = min.clamp(IVec3::splat(-WORLD_LIMIT), IVec3::splat(WORLD_LIMIT - 1));
    Box3 { min, max: min.saturating_add(size.max(IVec3::ONE)).min(IVec3::splat(WORLD_LIMIT)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area() -> Box3 {
        Box3 { min: IVec3::new(-4, 10, 20), max: IVec3::new(4, 14, 30) }
    }

    fn towards(origin: DVec3, target: DVec3) -> Ray {
        Ray::new(origin, (target - origin).normalize())
    }

    #[test]
    fn handle_under_the_ray_is_the_nearest() {
        let eyes = DVec3::new(0.5, 40.0, 0.0);
        for face in [Face::Up, Face::North, Face::East] {
            assert_eq!(
                handle_at(area(), &towards(eyes, face_middle(area(), face))),
                Some(face),
                "{face:?}"
            );
        }
        let above = DVec3::new(0.0, 40.0, 25.0);
        assert_eq!(
            handle_at(area(), &towards(above, face_middle(area(), Face::Down))),
            Some(Face::Up)
        );
        assert_eq!(handle_at(area(), &towards(eyes, DVec3::new(99.0, 0.0, 0.0))), None);
    }

    #[test]
    fn dragged_face_follows_the_ray_and_the_others_stay() {
        let eyes = DVec3::new(-30.0, 20.0, 3.0);
        for face in Face::ALL {
            let (axis, is_positive) = axis_of(face);
            let start = face_middle(area(), face);
            let drag =
                FaceDrag::begin(area(), face, &towards(eyes, start)).expect("seen from the side");
            assert_eq!(drag.area(&towards(eyes, start), 1), area());
            for outwards in [3, 7, -2] {
                let along = if is_positive { outwards } else { -outwards };
                let target = start + DVec3::AXES[axis] * f64::from(along);
                let dragged = drag.area(&towards(eyes, target), 1);
                assert_eq!(dragged, move_face(area(), face, outwards), "{face:?} by {outwards}");
                assert_eq!(dragged.size()[axis], area().size()[axis] + outwards);
            }
            let far = start + DVec3::AXES[axis] * if is_positive { 9.0 } else { -9.0 };
            assert_eq!(
                drag.area(&towards(eyes, far), 4),
                move_face(area(), face, 8),
                "in steps of four"
            );
        }
    }

    #[test]
    fn moved_face_leaves_one_voxel_and_stays_in_the_world() {
        for face in Face::ALL {
            let (axis, _) = axis_of(face);
            let thin = move_face(area(), face, -99);
            assert_eq!(
                (thin.size()[axis], thin.volume()),
                (1, area().volume() / area().size()[axis] as u64)
            );
            let wide = move_face(area(), face, i32::MAX);
            assert!(
                wide.max.max_element() <= WORLD_LIMIT && wide.min.min_element() >= -WORLD_LIMIT
            );
        }
    }

    #[test]
    fn distances_are_rounded_to_multiples_of_the_snap() {
        assert_eq!(
            [snapped(2.4, 1), snapped(-2.6, 1), snapped(5.9, 4), snapped(6.1, 4), snapped(3.0, 0)],
            [2, -3, 4, 8, 3]
        );
        assert_eq!(with_size(IVec3::ONE, IVec3::new(0, -5, 9)).size(), IVec3::new(1, 1, 9));
    }
}
