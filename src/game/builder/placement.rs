//! How something is moved, turned and flipped.

use crate::edit::clipboard::Transform;
use crate::voxel::{Box3, Face};
use glam::{DVec3, IVec3};

/// A move, after quarter turns about the vertical axis, after flips. Turns and flips leave the origin
/// voxel in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Placement {
    /// The move, in voxels.
    pub offset: IVec3,
    /// Quarter turns to the left, seen from above: 0 to 3.
    turns: u32,
    /// Flips along x, y and z.
    flips: [bool; 3],
}

impl Placement {
    /// Turns by a quarter to the left, seen from above.
    pub fn turn(&mut self) {
        self.turns = (self.turns + 1) % 4;
    }

    /// Flips along an axis, 0 to 2.
    pub fn flip(&mut self, axis: usize) {
        if axis != 1 {
            // A flip after a turn is a turn the other way after the flip.
            self.turns = (4 - self.turns) % 4;
        }
        self.flips[axis] ^= true;
    }

    /// True if nothing is turned or flipped.
    #[must_use]
    pub fn is_upright(&self) -> bool {
        self.turns == 0 && self.flips == [false; 3]
    }

    /// Turns and flips, without the move.
    #[must_use]
    pub fn transform(&self) -> Transform {
        let faces = [Face::East, Face::Up, Face::South];
        let flips = faces.into_iter().zip(self.flips).filter(|(_, flips)| *flips);
        let flipped = flips.fold(Transform::IDENTITY, |all, (face, _)| all.then(Transform::flip(face)));
        // The axis has a direction, and the angle is a number.
        let turn = Transform::turn(DVec3::Y, f64::from(self.turns) * 90.0).unwrap_or_default();
        flipped.then(turn)
    }

    /// Where an offset from the origin goes, without the move.
    fn turned(&self, offset: IVec3) -> IVec3 {
        let flipped =
            IVec3::from_array([0, 1, 2].map(|axis| if self.flips[axis] { -offset[axis] } else { offset[axis] }));
        (0..self.turns).fold(flipped, |at, _| IVec3::new(at.z, at.y, -at.x))
    }

    /// Where a box goes, with turns and flips around the voxel `origin`. The move is made `times`
    /// times.
    #[must_use]
    pub fn area(&self, area: Box3, origin: IVec3, times: i32) -> Box3 {
        let target = origin + self.offset * times;
        Box3::spanning(target + self.turned(area.min - origin), target + self.turned(area.max - 1 - origin))
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
    use crate::edit::Mask;
    use crate::edit::region::Region;
    use crate::edit::{JobProgress, VoxelEdit};
    use crate::world::World;

    #[test]
    fn boxes_go_where_the_clipboard_goes() {
        let (world, progress) = (World::new(), JobProgress::default());
        let edit = VoxelEdit::new(&world, 0, &progress);
        let area = Box3 { min: IVec3::new(-3, 5, 10), max: IVec3::new(4, 7, 14) };
        let origin = middle(area);
        let copied = edit.copy(&Region::from_shape(&area), &Mask::Any, origin).expect("in memory");
        let mut placement = Placement { offset: IVec3::new(7, -2, 3), ..Placement::default() };
        for step in 0..24 {
            match step % 5 {
                0 | 2 => placement.turn(),
                1 => placement.flip(0),
                3 => placement.flip(2),
                _ => placement.flip(1),
            }
            let turned = copied.transformed(&placement.transform(), None, &progress).expect("small");
            let bounds = turned.bounds();
            let expected =
                Box3 { min: bounds.min + origin + placement.offset, max: bounds.max + origin + placement.offset };
            assert_eq!(placement.area(area, origin, 1), expected, "{placement:?}");
        }
    }

    #[test]
    fn flips_and_turns_undo_each_other() {
        let offset = IVec3::new(1, 2, 3);
        for axis in 0..3 {
            let mut placement = Placement::default();
            placement.turn();
            let turned = placement.turned(offset);
            placement.flip(axis);
            let mut flipped = turned;
            flipped[axis] = -flipped[axis];
            assert_eq!(placement.turned(offset), flipped, "a flip after a turn along {axis}");
            placement.flip(axis);
            (0..3).for_each(|_| placement.turn());
            assert!(placement.is_upright());
        }
    }

    #[test]
    fn middles_are_in_their_box() {
        let area = Box3 { min: IVec3::new(-3, 5, 10), max: IVec3::new(4, 7, 11) };
        assert_eq!((middle(area), foot(area)), (IVec3::new(0, 5, 10), IVec3::new(0, 5, 10)));
    }
}
