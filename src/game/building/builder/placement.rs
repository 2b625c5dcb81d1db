//! The placement of a box by a tool: moved, turned, scaled and flipped.

use glam::{DVec3, IVec3};
use std::ops::RangeInclusive;
use stonerun_engine::edit::clipboard::Transform;
use stonerun_engine::voxel::{Box3, Face};

/// Possible scales, in percent.
pub const PERCENT: RangeInclusive<i32> = 10..=1000;

/// Placement of the selected box or the clipboard: flips, then a scale, then turns about x, y and
/// z, then a move. All but the move keep the origin voxel in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoxPlacement {
    /// The move, in voxels.
    pub offset: IVec3,
    /// Turns about x, y and z in degrees, counterclockwise as seen from the tip of the axis: -179
    /// to 180.
    degrees: IVec3,
    /// Scale along x, y and z, in percent.
    percent: IVec3,
    /// Flips along x, y and z.
    flips: [bool; 3],
}

impl Default for BoxPlacement {
    fn default() -> BoxPlacement {
        BoxPlacement {
            offset: IVec3::ZERO,
            degrees: IVec3::ZERO,
            percent: IVec3::splat(100),
            flips: [false; 3],
        }
    }
}

impl BoxPlacement {
    /// Turns by a quarter counterclockwise, seen from above.
    pub fn turn(&mut self) {
        self.set_degrees(self.degrees + IVec3::Y * 90);
    }

    /// Turns about x, y and z in degrees.
    #[must_use]
    pub fn degrees(&self) -> IVec3 {
        self.degrees
    }

    /// Sets the turns about x, y and z, in degrees.
    pub fn set_degrees(&mut self, degrees: IVec3) {
        self.degrees =
            IVec3::from_array(degrees.to_array().map(|turn| 180 - (180 - turn).rem_euclid(360)));
    }

    /// Scale along x, y and z, in percent.
    #[must_use]
    pub fn percent(&self) -> IVec3 {
        self.percent
    }

    /// Sets the scale along x, y and z, in percent, within [`PERCENT`].
    pub fn set_percent(&mut self, percent: IVec3) {
        self.percent = percent.clamp(IVec3::splat(*PERCENT.start()), IVec3::splat(*PERCENT.end()));
    }

    /// Flips along an axis, 0 to 2.
    pub fn flip(&mut self, axis: usize) {
        // Turning about another axis and then flipping equals flipping and then turning the other
        // way.
        let turned =
            IVec3::from_array([0, 1, 2].map(|other| {
                if other == axis { self.degrees[other] } else { -self.degrees[other] }
            }));
        self.set_degrees(turned);
        self.flips[axis] ^= true;
    }

    /// True if nothing is turned, scaled or flipped.
    #[must_use]
    pub fn is_upright(&self) -> bool {
        *self == BoxPlacement { offset: self.offset, ..BoxPlacement::default() }
    }

    /// The transform without the move.
    #[must_use]
    pub fn transform(&self) -> Transform {
        let faces = [Face::East, Face::Up, Face::South];
        let flips = faces.into_iter().zip(self.flips).filter(|(_, flips)| *flips);
        let flipped =
            flips.fold(Transform::IDENTITY, |all, (face, _)| all.then(Transform::flip(face)));
        // The factors are in range, the axes have a direction, and the angles are numbers.
        let scaled =
            flipped.then(Transform::scale(self.percent.as_dvec3() / 100.0).unwrap_or_default());
        let mut turned = scaled;
        for axis in 0..3 {
            let turn = Transform::turn(DVec3::AXES[axis], f64::from(self.degrees[axis]));
            turned = turned.then(turn.unwrap_or_default());
        }
        turned
    }

    /// The bounds of a box after the transform around the voxel `origin` and `times` moves.
    #[must_use]
    pub fn area(&self, area: Box3, origin: IVec3, times: i32) -> Box3 {
        // Rounding errors of sines must not add a voxel.
        const ROUNDING: f64 = 1e-6;
        let transform = self.transform();
        let mut low = DVec3::INFINITY;
        let mut high = DVec3::NEG_INFINITY;
        for corner in 0..8 {
            let at = [0, 1, 2]
                .map(|axis| if corner >> axis & 1 == 0 { area.min[axis] } else { area.max[axis] });
            let at = transform.point((IVec3::from_array(at) - origin).as_dvec3());
            low = low.min(at);
            high = high.max(at);
        }
        let target = origin + self.offset * times;
        let min = (low + ROUNDING).floor().as_ivec3();
        let max = (high - ROUNDING).ceil().as_ivec3();
        Box3 { min: target + min, max: target + max.max(min + 1) }
    }
}

/// The voxel in the middle of a box.
#[must_use]
pub fn middle(area: Box3) -> IVec3 {
    area.min + (area.size() - 1) / 2
}

/// The voxel in the middle of the lowest layer of a box.
#[must_use]
pub fn foot(area: Box3) -> IVec3 {
    middle(area).with_y(area.min.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::edit::Mask;
    use stonerun_engine::edit::region::Region;
    use stonerun_engine::edit::{JobProgress, VoxelEdit};
    use stonerun_engine::world::World;

    #[test]
    fn area_after_flips_and_quarter_turns_equals_clipboard_bounds() {
        let world = World::new();
        let progress = JobProgress::default();
        let edit = VoxelEdit::new(&world, 0, &progress);
        let area = Box3 { min: IVec3::new(-3, 5, 10), max: IVec3::new(4, 7, 14) };
        let origin = middle(area);
        let copied = edit.copy(&Region::from_shape(&area), &Mask::Any, origin).expect("in memory");
        let mut placement =
            BoxPlacement { offset: IVec3::new(7, -2, 3), ..BoxPlacement::default() };
        for step in 0..24 {
            match step % 5 {
                0 | 2 => placement.turn(),
                1 => placement.flip(0),
                3 => placement.flip(2),
                _ => placement.flip(1),
            }
            let turned =
                copied.transformed(&placement.transform(), None, &progress).expect("small");
            let bounds = turned.bounds();
            let expected = Box3 {
                min: bounds.min + origin + placement.offset,
                max: bounds.max + origin + placement.offset,
            };
            assert_eq!(placement.area(area, origin, 1), expected, "{placement:?}");
        }
    }

    #[test]
    fn area_after_turn_or_scale_is_at_most_two_voxels_larger_than_clipboard() {
        let world = World::new();
        let progress = JobProgress::default();
        let edit = VoxelEdit::new(&world, 0, &progress);
        let area = Box3 { min: IVec3::new(-30, 5, 10), max: IVec3::new(14, 27, 34) };
        let origin = middle(area);
        let copied = edit.copy(&Region::from_shape(&area), &Mask::Any, origin).expect("in memory");
        for (degrees, percent) in
            [([0, 30, 0], [100; 3]), ([45, 0, 0], [100; 3]), ([0, 0, 0], [150, 50, 200])]
        {
            let mut placement = BoxPlacement::default();
            placement.set_degrees(degrees.into());
            placement.set_percent(percent.into());
            let turned = copied
                .transformed(&placement.transform(), None, &progress)
                .expect("small")
                .bounds();
            let around = placement.area(area, origin, 1);
            let min = turned.min + origin - around.min;
            let max = around.max - turned.max - origin;
            assert!(min.min_element() >= 0 && max.min_element() >= 0, "{placement:?}: {min} {max}");
            assert!(min.max_element() <= 2 && max.max_element() <= 2, "{placement:?}: {min} {max}");
        }
    }

    #[test]
    fn flip_follows_earlier_turns_and_twice_restores() {
        let corner = DVec3::new(1.0, 2.0, 3.0);
        for axis in 0..3 {
            let mut placement = BoxPlacement::default();
            placement.set_degrees(IVec3::new(10, 90, -50));
            let face = [Face::East, Face::Up, Face::South][axis];
            let expected = placement.transform().then(Transform::flip(face)).point(corner);
            placement.flip(axis);
            assert!(
                placement.transform().point(corner).distance(expected) < 1e-9,
                "a flip after turns along {axis}"
            );
            placement.flip(axis);
            placement.set_degrees(placement.degrees() - IVec3::new(10, 90, -50));
            assert!(placement.is_upright());
        }
        let mut placement = BoxPlacement::default();
        for _ in 0..5 {
            placement.turn();
        }
        assert_eq!(placement.degrees(), IVec3::Y * 90);
        placement.set_degrees(IVec3::new(-180, 540, 181));
        assert_eq!(placement.degrees(), IVec3::new(180, 180, -179));
    }

    #[test]
    fn middle_and_foot_are_in_their_box() {
        let area = Box3 { min: IVec3::new(-3, 5, 10), max: IVec3::new(4, 7, 11) };
        assert_eq!((middle(area), foot(area)), (IVec3::new(0, 5, 10), IVec3::new(0, 5, 10)));
    }
}
