//! Parts of a voxel's sides that a shape fills.

use super::part_face::{PartFace, axis_numbers};
use super::shape_box::ShapeBox;

/// Part of a side of a voxel: a row of bits along u for each sixteenth along v, in the axes of
/// [`Face::axes`](crate::voxel::Face::axes).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideCover([u16; ShapeBox::GRID as usize]);

impl SideCover {
    /// Nothing.
    pub const NONE: SideCover = SideCover([0; 16]);
    /// The whole side.
    pub const WHOLE: SideCover = SideCover([u16::MAX; 16]);

    /// The covered parts of the six sides, by [`Face`]. Faces within the voxel and sheets cover
    /// nothing.
    pub(super) const fn of(faces: &[PartFace]) -> [SideCover; 6] {
        let mut covers = [SideCover::NONE; 6];
        let mut index = 0;
        while index < faces.len() {
            let face = faces[index];
            if face.is_at_side() && !face.is_sheet {
                let cover = &mut covers[face.face as usize];
                let [bits, first] = [face.bits(), face.first_row()];
                let mut row = 0;
                while row < face.size[1] as usize {
                    cover.0[first as usize + row] |= bits;
                    row += 1;
                }
            }
            index += 1;
        }
        covers
    }

    /// True if the whole face is covered.
    #[must_use]
    pub fn hides(&self, face: &PartFace) -> bool {
        let [bits, first] = [face.bits(), face.first_row()].map(usize::from);
        let rows = &self.0[first..first + usize::from(face.size[1])];
        rows.iter().all(|row| usize::from(*row) & bits == bits)
    }
}

impl PartFace {
    /// Bits of the covered sixteenths along u.
    const fn bits(&self) -> u16 {
        let [u, _] = axis_numbers(self.face);
        (((1u32 << self.size[0]) - 1) << self.low[u]) as u16
    }

    /// First covered sixteenth along v.
    const fn first_row(&self) -> u16 {
        let [_, v] = axis_numbers(self.face);
        self.low[v] as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Face;

    #[test]
    fn faces_are_hidden_where_all_is_covered() {
        let face = |low: [u8; 3], size| PartFace { face: Face::East, low, size, is_sheet: false };
        let whole = face([16, 0, 0], [16, 16]);
        let post = face([16, 0, 6], [4, 16]);
        let inside = PartFace { low: [10, 0, 6], ..post };
        let sheet = PartFace { is_sheet: true, ..whole };
        let [east, west, ..] = SideCover::of(&[whole]);
        assert_eq!([east, west], [SideCover::WHOLE, SideCover::NONE]);
        assert_eq!(SideCover::of(&[inside, sheet]), [SideCover::NONE; 6]);
        let [cover, ..] = SideCover::of(&[post, face([16, 2, 10], [6, 3])]);
        assert!(cover.hides(&post) && !cover.hides(&whole));
        // Across both.
        assert!(cover.hides(&face([16, 2, 7], [9, 3])));
        assert!(!cover.hides(&face([16, 2, 7], [9, 4])));
        assert!(!cover.hides(&face([16, 2, 5], [9, 3])));
    }
}
