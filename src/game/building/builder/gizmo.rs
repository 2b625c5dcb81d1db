//! The gizmo: three arrows and three squares that move things along one axis and along two, three
//! rings that turn them, and three cubes that scale them.

use crate::game::building::builder::handles::snapped;
use crate::game::building::builder::ray::Ray;
use glam::{DVec2, DVec3, IVec3};

/// Length of an arrow, as a part of its distance from the eyes.
const LENGTH: f64 = 0.22;
/// Minimum and maximum length of an arrow, in voxels.
const LIMITS: (f64, f64) = (1.5, 60.0);
/// Half the thickness of an arrow where it can be grabbed, as a part of its length.
const THICKNESS: f64 = 0.09;
/// Start and end of the squares, as parts of an arrow's length.
const SQUARE: (f64, f64) = (0.3, 0.55);

/// Radius of a ring, and half the width within which it can be grabbed, as parts of an arrow's
/// length.
const RING: (f64, f64) = (1.2, 0.08);
/// Start and end of the cubes, as parts of an arrow's length. They lie opposite the arrows.
const CUBE: (f64, f64) = (-0.62, -0.46);
/// Steps of a scale, in percent.
const PERCENT_STEP: f64 = 5.0;

/// A part of the gizmo.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GizmoPart {
    /// The arrow along an axis, 0 to 2.
    Arrow(usize),
    /// The square across an axis: it moves along the two others.
    Square(usize),
    /// The ring around an axis: it turns about the axis.
    Ring(usize),
    /// The cube on an axis: it scales along the axis.
    Cube(usize),
}

impl GizmoPart {
    /// All parts of the gizmo.
    pub const ALL: [GizmoPart; 12] = [
        GizmoPart::Arrow(0),
        GizmoPart::Arrow(1),
        GizmoPart::Arrow(2),
        GizmoPart::Square(0),
        GizmoPart::Square(1),
        GizmoPart::Square(2),
        GizmoPart::Ring(0),
        GizmoPart::Ring(1),
        GizmoPart::Ring(2),
        GizmoPart::Cube(0),
        GizmoPart::Cube(1),
        GizmoPart::Cube(2),
    ];

    /// Axis of the part, 0 to 2.
    #[must_use]
    pub fn axis(self) -> usize {
        match self {
            GizmoPart::Arrow(axis)
            | GizmoPart::Square(axis)
            | GizmoPart::Ring(axis)
            | GizmoPart::Cube(axis) => axis,
        }
    }

    /// The box in which the part can be grabbed, relative to the gizmo's centre, for arrows of a
    /// length. For a ring, the box around it.
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
                (
                    along * length * SQUARE.0 - across * half * 0.3,
                    along * length * SQUARE.1 + across * half * 0.3,
                )
            }
            GizmoPart::Ring(axis) => {
                let around = (DVec3::ONE - DVec3::AXES[axis]) * ring_radius(length);
                (-around, around)
            }
            GizmoPart::Cube(axis) => {
                let along = DVec3::AXES[axis];
                let across = (DVec3::ONE - along) * length * (CUBE.1 - CUBE.0) / 2.0;
                (along * length * CUBE.0 - across, along * length * CUBE.1 + across)
            }
        }
    }
}

/// Length of the arrows of a gizmo, about the same on the screen at all distances.
#[must_use]
pub fn arrow_length(centre: DVec3, ray: &Ray) -> f64 {
    (ray.apparent_distance(centre) * LENGTH).clamp(LIMITS.0, LIMITS.1)
}

/// Radius of the rings of a gizmo with arrows of a length.
#[must_use]
pub fn ring_radius(length: f64) -> f64 {
    length * RING.0
}

/// The part that the ray meets first.
#[must_use]
pub fn part_at(centre: DVec3, ray: &Ray) -> Option<GizmoPart> {
    let length = arrow_length(centre, ray);
    let met = |part: GizmoPart| {
        if let GizmoPart::Ring(axis) = part {
            let at = ray.on_plane(axis, centre[axis])?;
            let is_near = (at.distance(centre) / length - RING.0).abs() < RING.1;
            return is_near.then(|| (at.distance(ray.origin), part));
        }
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
    /// Grabs a part. `None` if the ray is nearly parallel to the direction in which the part moves.
    #[must_use]
    pub fn begin(part: GizmoPart, centre: DVec3, ray: &Ray) -> Option<GizmoDrag> {
        Some(GizmoDrag { part, centre, grabbed: point(part, centre, ray)? })
    }

    /// Turn of the dragged ring about its axis, in steps of `snap` degrees.
    #[must_use]
    pub fn degrees(&self, ray: &Ray, snap: i32) -> i32 {
        let Some(now) = point(self.part, self.centre, ray) else { return 0 };
        let axis = self.part.axis();
        let across = |at: DVec3| {
            DVec2::new(at[(axis + 1) % 3], at[(axis + 2) % 3])
                - DVec2::new(self.centre[(axis + 1) % 3], self.centre[(axis + 2) % 3])
        };
        snapped(across(self.grabbed).angle_to(across(now)).to_degrees(), snap)
    }

    /// Scale in percent after the drag, of a part that had `percent` before.
    #[must_use]
    pub fn percent(&self, ray: &Ray, percent: i32) -> i32 {
        let Some(now) = point(self.part, self.centre, ray) else { return percent };
        let axis = self.part.axis();
        let factor = (now[axis] - self.centre[axis]) / (self.grabbed[axis] - self.centre[axis]);
        ((f64::from(percent) * factor / PERCENT_STEP).round() * PERCENT_STEP) as i32
    }

    /// Distance of the drag, in steps of `snap` voxels.
    #[must_use]
    pub fn offset(&self, ray: &Ray, snap: i32) -> IVec3 {
        let Some(now) = point(self.part, self.centre, ray) else { return IVec3::ZERO };
        let moved = now - self.grabbed;
        IVec3::new(snapped(moved.x, snap), snapped(moved.y, snap), snapped(moved.z, snap))
    }
}

/// The point of the ray on the axis or in the plane of a part.
fn point(part: GizmoPart, centre: DVec3, ray: &Ray) -> Option<DVec3> {
    match part {
        GizmoPart::Arrow(axis) | GizmoPart::Cube(axis) => {
            let mut at = centre;
            at[axis] = ray.along_axis(centre, axis)?;
            Some(at)
        }
        GizmoPart::Square(axis) | GizmoPart::Ring(axis) => {
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
        Ray::new(origin, (target - origin).normalize())
    }

    #[test]
    fn part_under_the_ray_is_found() {
        let centre = DVec3::new(10.0, 70.0, -4.0);
        let eyes = DVec3::new(22.0, 80.0, 12.0);
        let length = arrow_length(centre, &towards(eyes, centre));
        for part in GizmoPart::ALL {
            // Each part is hidden from some sides.
            let eyes = if matches!(part, GizmoPart::Cube(_)) { centre * 2.0 - eyes } else { eyes };
            let (low, high) = part.grip(length);
            let target = centre + (low + high) * 0.5;
            let target = match part {
                GizmoPart::Arrow(axis) => centre + DVec3::AXES[axis] * length * 0.95,
                // Rings cross in the view.
                GizmoPart::Ring(_) => continue,
                _ => target,
            };
            assert_eq!(part_at(centre, &towards(eyes, target)), Some(part), "{part:?}");
        }
        // On the side that is turned to the eyes, a ring is in front of the others.
        let near = DVec3::new(0.3, 0.0, 1.0).normalize() * ring_radius(length);
        assert_eq!(part_at(centre, &towards(eyes, centre + near)), Some(GizmoPart::Ring(1)));
        assert_eq!(part_at(centre, &towards(eyes, centre - DVec3::Y * 3.0 * length)), None);
    }

    #[test]
    fn drag_moves_along_its_axes_only() {
        let centre = DVec3::new(10.0, 70.0, -4.0);
        let eyes = DVec3::new(22.0, 80.0, 12.0);
        let moved = DVec3::new(-5.0, 3.0, -6.0);
        for part in &GizmoPart::ALL[..6] {
            let part = *part;
            let ways = match part {
                GizmoPart::Arrow(axis) => DVec3::AXES[axis],
                _ => DVec3::ONE - DVec3::AXES[part.axis()],
            };
            let start = centre + ways * 1.5;
            let drag =
                GizmoDrag::begin(part, centre, &towards(eyes, start)).expect("seen from the side");
            assert_eq!(drag.offset(&towards(eyes, start), 1), IVec3::ZERO);
            let expected = (moved * ways).as_ivec3();
            assert_eq!(drag.offset(&towards(eyes, start + moved * ways), 1), expected, "{part:?}");
            let snapped = drag.offset(&towards(eyes, start + moved * ways), 4);
            assert!(snapped.to_array().iter().all(|c| c % 4 == 0), "{snapped}");
        }
    }

    #[test]
    fn dragged_rings_turn_and_dragged_cubes_scale() {
        let centre = DVec3::new(10.0, 70.0, -4.0);
        let eyes = DVec3::new(22.0, 80.0, 12.0);
        for axis in 0..3 {
            let [u, v] = [DVec3::AXES[(axis + 1) % 3], DVec3::AXES[(axis + 2) % 3]];
            let on_ring = |degrees: f64| {
                let (sine, cosine) = degrees.to_radians().sin_cos();
                towards(eyes, centre + (u * cosine + v * sine) * 3.0)
            };
            let drag = GizmoDrag::begin(GizmoPart::Ring(axis), centre, &on_ring(20.0))
                .expect("seen from the side");
            let turned =
                [20.0, 57.0, -70.0, 330.0].map(|degrees| drag.degrees(&on_ring(degrees), 15));
            assert_eq!(turned, [0, 30, -90, -45]);
            assert_eq!(drag.degrees(&on_ring(57.0), 1), 37);
            let on_axis = |at: f64| towards(eyes, centre - DVec3::AXES[axis] * at);
            let drag = GizmoDrag::begin(GizmoPart::Cube(axis), centre, &on_axis(2.0))
                .expect("seen from the side");
            assert_eq!(
                [2.0, 3.0, 1.0, 4.41].map(|at| drag.percent(&on_axis(at), 100)),
                [100, 150, 50, 220]
            );
            assert_eq!(drag.percent(&on_axis(3.0), 200), 300);
        }
    }
}
