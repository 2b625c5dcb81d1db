//! Faces of shapes that are made of boxes and sheets.

use super::shape_box::ShapeBox;
use crate::voxel::Face;

/// A rectangle of a shape that is made of boxes and sheets. Lengths are in sixteenths of a voxel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartFace {
    /// Direction of the face.
    pub face: Face,
    /// Lowest corner, from the voxel's lowest corner.
    pub low: [u8; 3],
    /// Size along the axes u and v of [`Face::axes`], 1 to 16.
    pub size: [u8; 2],
    /// True for one of the two faces of a sheet.
    pub is_sheet: bool,
}

impl PartFace {
    /// A face of a box. `ShapeBox::low` and `ShapeBox::high` differ along both axes of the face.
    pub(super) const fn of_box(one: ShapeBox, face: Face) -> PartFace {
        let [u, v] = axis_numbers(face);
        let axis = face as usize / 2;
        let mut low = one.low;
        if (face as usize).is_multiple_of(2) {
            low[axis] = one.high[axis];
        }
        let size = [one.high[u] - one.low[u], one.high[v] - one.low[v]];
        PartFace { face, low, size, is_sheet: one.low[axis] == one.high[axis] }
    }

    /// True if the face lies at a side of the voxel.
    #[must_use]
    pub const fn is_at_side(self) -> bool {
        let at = self.low[self.face as usize / 2];
        at == if (self.face as usize).is_multiple_of(2) { ShapeBox::GRID } else { 0 }
    }
}

/// Numbers of the axes u and v of a face.
pub(super) const fn axis_numbers(face: Face) -> [usize; 2] {
    match face {
        Face::East | Face::West => [2, 1],
        Face::Up | Face::Down => [0, 2],
        Face::South | Face::North => [0, 1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_the_numbers_of_their_vectors() {
        for face in Face::ALL {
            let (u, v) = face.axes();
            let [a, b] = axis_numbers(face);
            assert_eq!((u[a], v[b]), (1, 1), "{face:?}");
        }
    }
}
