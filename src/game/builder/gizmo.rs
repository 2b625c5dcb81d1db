//! The gizmo that moves things: three arrows along the axes, and three squares for two axes at once.

use crate::game::builder::handles::snapped;
use crate::game::builder::ray::Ray;
use glam::{DVec3, IVec3};

/// Length of an arrow, as a part of its distance from the eyes.
const LENGTH: f64 = 0.22;
/// Shortest and longest arrow, in voxels.
const LIMITS: (f64, f64) = (1.5, 60.0);
/// Half the thickness of an arrow where it can be grabbed, as a part of its length.
const THICKNESS: f64 = 0.09;
/// Where the squares begin and end, as parts of an arrow's length.
const SQUARE: (f64, f64) = (0.3, 0.55);

/// A part of the gizmo.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GizmoPart {
    /// The arrow along an axis, 0 to 2.
    Arrow(usize),
    /// The square across an axis: it moves along the two others.
    Square(usize),
}

impl GizmoPart {
    /// All parts.
    pub const ALL: [GizmoPart; 6] = [
        GizmoPart::Arrow(0),
        GizmoPart::Arrow(1),
        GizmoPart::Arrow(2),
        GizmoPart::Square(0),
        GizmoPart::Square(1),
        GizmoPart::Square(2),
    ];

    /// The box in which the part can be grabbed, from a gizmo's centre, for arrows of a length.
    #[must_use]
    pub fn grip(self, length: f64) -> (DVec3, DVec3) {
        let half = length * THICKNESS;
        match self {
            GizmoPart::Arrow(axis) => {
                let along = DVec3::AXES[axis];
                let across = (DVec3::ONE - along) * half;
                (along * length * 0.12 - across, along * length + across)
            }
            GizmoPart::Square(axis) => {
                let across = DVec3::AXES[axis];
                let along = DVec3::ONE - across;
                (along * length * SQUARE.0 - across * half * 0.3, along * length * SQUARE.1 + across * half * 0.3)
            }
        }
    }
}

/// Length of the arrows of a gizmo: about the same on the screen at all distances.
#[must_use]
pub fn arrow_length(centre: DVec3, eyes: DVec3) -> f64 {
    (centre.distance(eyes) * LENGTH).clamp(LIMITS.0, LIMITS.1)
}

/// The part that the ray meets first.
#[must_use]
pub fn part_at(centre: DVec3, ray: &Ray) -> Option<GizmoPart> {
    let length = arrow_length(centre, ray.origin);
    let met = |part: GizmoPart| {
        let (low, high) = part.grip(length);
        ray.meets_box(centre + low, centre + high).map(|hit| (hit.distance, part))
    };
    let parts = GizmoPart::ALL.into_iter().filter_map(met);
    parts.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, part)| part)
}

/// A part that is being dragged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GizmoDrag {
    /// The part.
    pub part: GizmoPart,
    centre: DVec3,
    grabbed: DVec3,
}

impl GizmoDrag {
    /// Grabs a part. `None` if the ray is nearly parallel to the way that it moves.
    #[must_use]
    pub fn begin(part: GizmoPart, centre: DVec3, ray: &Ray) -> Option<GizmoDrag> {
        Some(GizmoDrag { part, centre, grabbed: point(part, centre, ray)? })
    }

    /// How far it was dragged, in steps of `snap` voxels.
    #[must_use]
    pub fn offset(&self, ray: &Ray, snap: i32) -> IVec3 {
        let Some(now) = point(self.part, self.centre, ray) else { return IVec3::ZERO };
        let moved = now - self.grabbed;
        IVec3::new(snapped(moved.x, snap), snapped(moved.y, snap), snapped(moved.z, snap))
    }
}

/// Where the ray is on the axis or in the plane of a part.
fn point(part: GizmoPart, centre: DVec3, ray: &Ray) -> Option<DVec3> {
    match part {
        GizmoPart::Arrow(axis) => {
            let mut at = centre;
            at[axis] = ray.along_axis(centre, axis)?;
            Some(at)
        }
        GizmoPart::Square(axis) => {
            let mut at = ray.on_plane(axis, centre[axis])?;
            at[axis] = centre[axis];
            Some(at)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn towards(origin: DVec3, target: DVec3) -> Ray {
        Ray { origin, direction: (target - origin).normalize() }
    }

    #[test]
    fn part_under_the_ray_is_found() {
        let (centre, eyes) = (DVec3::new(10.0, 70.0, -4.0), DVec3::new(22.0, 80.0, 12.0));
        let length = arrow_length(centre, eyes);
        for part in GizmoPart::ALL {
            let (low, high) = part.grip(length);
            let target = centre + (low + high) * 0.5;
            let target =
                if let GizmoPart::Arrow(axis) = part { centre + DVec3::AXES[axis] * length * 0.95 } else { target };
            assert_eq!(part_at(centre, &towards(eyes, target)), Some(part), "{part:?}");
        }
        assert_eq!(part_at(centre, &towards(eyes, centre - DVec3::Y * 3.0 * length)), None);
    }

    #[test]
    fn drag_moves_along_its_axes_only() {
        let (centre, eyes) = (DVec3::new(10.0, 70.0, -4.0), DVec3::new(22.0, 80.0, 12.0));
        let moved = DVec3::new(-5.0, 3.0, -6.0);
        for part in GizmoPart::ALL {
            let ways = match part {
                GizmoPart::Arrow(axis) => DVec3::AXES[axis],
                GizmoPart::Square(axis) => DVec3::ONE - DVec3::AXES[axis],
            };
            let start = centre + ways * 1.5;
            let drag = GizmoDrag::begin(part, centre, &towards(eyes, start)).expect("seen from the side");
            assert_eq!(drag.offset(&towards(eyes, start), 1), IVec3::ZERO);
            let expected = (moved * ways).as_ivec3();
            assert_eq!(drag.offset(&towards(eyes, start + moved * ways), 1), expected, "{part:?}");
            let snapped = drag.offset(&towards(eyes, start + moved * ways), 4);
            assert!(snapped.to_array().iter().all(|c| c % 4 == 0), "{snapped}");
        }
    }
}
