//! Turns and reflections of shapes.

use super::shape_box::ShapeBox;
use crate::voxel::Face;
use glam::DMat3;
use serde::{Deserialize, Serialize};

/// One of the 48 turns and reflections that map a voxel onto itself.
///
/// Its number is eight times the number of a permutation of the axes, in `Turn::AXES`, plus a bit
/// for each axis (1 x, 2 y, 4 z) that is reflected afterwards. It is part of the map format.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(try_from = "u8", into = "u8")]
pub struct Turn(u8);

/// No turn has this number.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("{0} is no turn; allowed are 0 to 47")]
pub struct TurnError(u8);

impl Turn {
    /// Number of turns and reflections.
    pub const COUNT: u8 = 48;
    /// No turn.
    pub const NONE: Turn = Turn(0);
    /// The axes that become x, y and z, by the number of a permutation.
    const AXES: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

    /// All turns and reflections.
    pub fn all() -> impl Iterator<Item = Turn> {
        (0..Turn::COUNT).map(Turn)
    }

    /// Quarter turns about y, each from north to east.
    #[must_use]
    pub const fn quarters(count: u8) -> Turn {
        // x becomes z, and z becomes -x.
        [Turn::NONE, Turn(8 * 5 + 1), Turn(5), Turn(8 * 5 + 4)][count as usize % 4]
    }

    /// The reflection of one axis: 0 x, 1 y, 2 z.
    #[must_use]
    pub const fn reflection(axis: usize) -> Turn {
        Turn(1 << axis)
    }

    /// The turn by which up becomes `face`. For the four sides, north becomes down.
    #[must_use]
    pub const fn from_up(face: Face) -> Turn {
        // From up to north, with north down; then about y.
        const TO_NORTH: Turn = Turn(8 + 4);
        match face {
            Face::Up => Turn::NONE,
            Face::Down => Turn(6),
            Face::North => TO_NORTH,
            Face::East => TO_NORTH.then(Turn::quarters(1)),
            Face::South => TO_NORTH.then(Turn::quarters(2)),
            Face::West => TO_NORTH.then(Turn::quarters(3)),
        }
    }

    /// The turn nearest to a matrix; `None` if the matrix maps two axes to the same one.
    #[must_use]
    pub fn nearest(matrix: DMat3) -> Option<Turn> {
        let rows = matrix.transpose();
        let strongest = |row: usize| {
            let part = |axis: &usize| rows.col(row)[*axis].abs();
            (0..3).max_by(|a, b| part(a).total_cmp(&part(b)))
        };
        let axes = [strongest(0)?, strongest(1)?, strongest(2)?];
        let number = Turn::AXES.iter().position(|known| *known == axes)?;
        let is_reflected = |row: usize| u8::from(rows.col(row)[axes[row]] < 0.0) << row;
        Some(Turn(8 * number as u8 + is_reflected(0) + is_reflected(1) + is_reflected(2)))
    }

    const fn axes(self) -> [usize; 3] {
        Turn::AXES[(self.0 / 8) as usize]
    }

    const fn reflects(self, axis: usize) -> bool {
        self.0 >> axis & 1 == 1
    }

    /// This turn followed by another one.
    #[must_use]
    pub const fn then(self, next: Turn) -> Turn {
        let mut axes = [0; 3];
        let mut reflected = 0;
        let mut axis = 0;
        while axis < 3 {
            let middle = next.axes()[axis];
            axes[axis] = self.axes()[middle];
            if self.reflects(middle) != next.reflects(axis) {
                reflected |= 1 << axis;
            }
            axis += 1;
        }
        let mut number = 0;
        while number < 6 {
            let known = Turn::AXES[number as usize];
            if known[0] == axes[0] && known[1] == axes[1] && known[2] == axes[2] {
                break;
            }
            number += 1;
        }
        Turn(8 * number + reflected)
    }

    /// The box in a voxel after the turn.
    #[must_use]
    pub const fn shape_box(self, before: ShapeBox) -> ShapeBox {
        let mut after = before;
        let mut axis = 0;
        while axis < 3 {
            let from = self.axes()[axis];
            let [low, high] = [before.low[from], before.high[from]];
            if self.reflects(axis) {
                after.low[axis] = ShapeBox::GRID - high;
                after.high[axis] = ShapeBox::GRID - low;
            } else {
                after.low[axis] = low;
                after.high[axis] = high;
            }
            axis += 1;
        }
        after
    }

    /// The direction of a face after the turn.
    #[must_use]
    pub const fn face(self, before: Face) -> Face {
        let axis = before as usize / 2;
        let mut after = 0;
        while self.axes()[after] != axis {
            after += 1;
        }
        let is_negative = (before as usize % 2 == 1) != self.reflects(after);
        Face::ALL[2 * after + is_negative as usize]
    }
}

impl TryFrom<u8> for Turn {
    type Error = TurnError;

    fn try_from(number: u8) -> Result<Turn, TurnError> {
        if number < Turn::COUNT { Ok(Turn(number)) } else { Err(TurnError(number)) }
    }
}

impl From<Turn> for u8 {
    fn from(turn: Turn) -> u8 {
        turn.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A box that no turn but none maps to itself.
    const BOX: ShapeBox = ShapeBox { low: [1, 3, 6], high: [2, 7, 8] };

    #[test]
    fn turns_are_different_and_closed() {
        let boxes: BTreeSet<_> =
            Turn::all().map(|turn| turn.shape_box(BOX)).map(|one| (one.low, one.high)).collect();
        assert_eq!(boxes.len(), 48);
        for first in Turn::all() {
            for second in Turn::all() {
                let both = first.then(second);
                assert_eq!(both.shape_box(BOX), second.shape_box(first.shape_box(BOX)));
                for face in Face::ALL {
                    assert_eq!(both.face(face), second.face(first.face(face)));
                }
            }
        }
        assert_eq!(
            Turn::try_from(48).unwrap_err().to_string(),
            "48 is no turn; allowed are 0 to 47"
        );
    }

    #[test]
    fn boxes_turn_with_their_faces() {
        for turn in Turn::all() {
            for face in Face::ALL {
                // A layer at one side of the voxel.
                let mut layer = ShapeBox { low: [0; 3], high: [16; 3] };
                let axis = face as usize / 2;
                if (face as usize).is_multiple_of(2) {
                    layer.low[axis] = 15;
                } else {
                    layer.high[axis] = 1;
                }
                let turned = turn.shape_box(layer);
                let after = turn.face(face);
                let axis = after as usize / 2;
                let is_low = turned.high[axis] == 1;
                assert_eq!(is_low, after as usize % 2 == 1, "{turn:?} {face:?}");
                assert_eq!(turned.high[axis] - turned.low[axis], 1);
            }
        }
    }

    #[test]
    fn quarters_go_from_north_to_east_and_up_goes_where_it_is_sent() {
        let around = [Face::North, Face::East, Face::South, Face::West];
        for count in 0..4u8 {
            let turn = Turn::quarters(count);
            assert_eq!(turn.face(Face::North), around[usize::from(count)]);
            assert_eq!(turn.face(Face::Up), Face::Up);
            assert_eq!(turn.then(Turn::quarters(4 - count)), Turn::NONE);
        }
        for face in Face::ALL {
            let turn = Turn::from_up(face);
            assert_eq!(turn.face(Face::Up), face);
            if face.normal().y == 0 {
                assert_eq!(turn.face(Face::North), Face::Down);
            }
        }
        assert_eq!(Turn::reflection(2).face(Face::North), Face::South);
    }

    #[test]
    fn matrices_have_their_nearest_turn() {
        for turn in Turn::all() {
            let column = |face: Face| turn.face(face).normal().as_dvec3() * 3.0;
            let matrix =
                DMat3::from_cols(column(Face::East), column(Face::Up), column(Face::South));
            assert_eq!(Turn::nearest(matrix * DMat3::from_rotation_y(0.3)), Some(turn));
        }
        assert_eq!(Turn::nearest(DMat3::ZERO), None);
    }
}
