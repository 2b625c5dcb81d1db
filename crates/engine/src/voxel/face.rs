//! The six faces of a voxel.

use crate::variants;
use glam::IVec3;
use strum::VariantArray;

/// One of the six faces of a voxel, numbered 0 to 5 in this order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, VariantArray)]
#[repr(u8)]
pub enum Face {
    /// +x
    East = 0,
    /// -x
    West = 1,
    /// +y
    Up = 2,
    /// -y
    Down = 3,
    /// +z
    South = 4,
    /// -z
    North = 5,
}

impl Face {
    /// All six faces, by number.
    pub const ALL: [Face; 6] = variants::all();

    /// The four faces at the sides, from north to east.
    pub const SIDES: [Face; 4] = [Face::North, Face::East, Face::South, Face::West];

    /// Names of the faces, by number, as directions of the world.
    const WORDS: [&str; 6] = ["east", "west", "up", "down", "south", "north"];

    /// Direction to which the face points, as a word: `north`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        Face::WORDS[self as usize]
    }

    /// The face that points to the direction with this name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Face> {
        let number = Face::WORDS.iter().position(|known| *known == word)?;
        Some(Face::ALL[number])
    }

    /// True for the four faces at the sides.
    #[must_use]
    pub const fn is_side(self) -> bool {
        !matches!(self, Face::Up | Face::Down)
    }

    /// Unit vector out of the face.
    #[must_use]
    pub const fn normal(self) -> IVec3 {
        match self {
            Face::East => IVec3::X,
            Face::West => IVec3::NEG_X,
            Face::Up => IVec3::Y,
            Face::Down => IVec3::NEG_Y,
            Face::South => IVec3::Z,
            Face::North => IVec3::NEG_Z,
        }
    }

    /// Unit vectors along the axes u and v of rectangles on the face: along z and y on the east and
    /// west, x and z above and below, x and y on the south and north.
    #[must_use]
    pub const fn axes(self) -> (IVec3, IVec3) {
        match self {
            Face::East | Face::West => (IVec3::Z, IVec3::Y),
            Face::Up | Face::Down => (IVec3::X, IVec3::Z),
            Face::South | Face::North => (IVec3::X, IVec3::Y),
        }
    }

    /// Face on the other side of the voxel. Its number differs in the lowest bit only.
    #[must_use]
    #[inline]
    pub const fn opposite(self) -> Face {
        Face::ALL[self as usize ^ 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_face_has_the_negated_normal() {
        for face in Face::ALL {
            assert_eq!(face.opposite().normal(), -face.normal());
            assert_eq!(face.opposite().opposite(), face);
        }
    }
}
