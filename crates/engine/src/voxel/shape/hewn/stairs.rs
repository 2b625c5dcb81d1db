//! The forms of stairs.

use super::eighths::{HewnEighths, half};
use crate::voxel::Face;

/// Corner of a flight of stairs, seen by someone who climbs it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StairCorner {
    /// No corner.
    #[default]
    Straight,
    /// An inner corner: the step turns forward on the left.
    InnerLeft,
    /// An inner corner on the right.
    InnerRight,
    /// An outer corner: only the left half of the step is left.
    OuterLeft,
    /// An outer corner on the right.
    OuterRight,
}

impl StairCorner {
    /// All corners, none first.
    pub const ALL: [StairCorner; 5] = [
        StairCorner::Straight,
        StairCorner::InnerLeft,
        StairCorner::InnerRight,
        StairCorner::OuterLeft,
        StairCorner::OuterRight,
    ];

    /// The corner as a word: `inner_left`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            StairCorner::Straight => "straight",
            StairCorner::InnerLeft => "inner_left",
            StairCorner::InnerRight => "inner_right",
            StairCorner::OuterLeft => "outer_left",
            StairCorner::OuterRight => "outer_right",
        }
    }

    /// The corner with this name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<StairCorner> {
        StairCorner::ALL.into_iter().find(|corner| corner.word() == word)
    }
}

/// Stairs: half a block, and a step on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stairs {
    /// Horizontal direction in which they rise.
    pub rises_to: Face,
    /// True for stairs under a ceiling, whose step hangs from the upper half.
    pub is_hanging: bool,
    /// The corner.
    pub corner: StairCorner,
}

impl Stairs {
    /// The eighths of the stairs. Upright directions count as north.
    #[must_use]
    pub const fn eighths(self) -> HewnEighths {
        let [ahead, left] = match self.rises_to {
            Face::East => [Face::East, Face::North],
            Face::West => [Face::West, Face::South],
            Face::South => [Face::South, Face::East],
            _ => [Face::North, Face::West],
        };
        let [ahead, left, right] = [half(ahead), half(left), half(left.opposite())];
        let step = match self.corner {
            StairCorner::Straight => ahead,
            StairCorner::InnerLeft => ahead | left,
            StairCorner::InnerRight => ahead | right,
            StairCorner::OuterLeft => ahead & left,
            StairCorner::OuterRight => ahead & right,
        };
        let base = half(if self.is_hanging { Face::Up } else { Face::Down });
        // A half with a part of the other half is neither empty nor full.
        match HewnEighths::new(base | step) {
            Some(eighths) => eighths,
            None => unreachable!(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stairs_rise_to_their_side_and_turn_to_theirs() {
        let eighths =
            |rises_to, is_hanging, corner| Stairs { rises_to, is_hanging, corner }.eighths().bits();
        use StairCorner::{InnerLeft, InnerRight, OuterLeft, OuterRight, Straight};
        // Eighths x + 2 y + 4 z. North is -z, so a climber who goes north has the west on the left.
        assert_eq!(eighths(Face::North, false, Straight), 0b0011_1111);
        assert_eq!(eighths(Face::North, false, OuterLeft), 0b0011_0111);
        assert_eq!(eighths(Face::North, false, OuterRight), 0b0011_1011);
        assert_eq!(eighths(Face::North, false, InnerLeft), 0b0111_1111);
        assert_eq!(eighths(Face::North, false, InnerRight), 0b1011_1111);
        assert_eq!(eighths(Face::North, true, Straight), 0b1100_1111);
        assert_eq!(eighths(Face::East, false, Straight), 0b1011_1011);
        // A quarter turn of the climber turns all forms.
        for corner in [Straight, InnerLeft, InnerRight, OuterLeft, OuterRight] {
            for is_hanging in [false, true] {
                let around = [Face::North, Face::East, Face::South, Face::West];
                for (i, face) in around.into_iter().enumerate() {
                    let next = around[(i + 1) % 4];
                    let turned = turned(eighths(face, is_hanging, corner));
                    assert_eq!(turned, eighths(next, is_hanging, corner), "{face:?} {corner:?}");
                }
            }
        }
    }

    /// Eighths after a quarter turn clockwise seen from above: north goes to the east.
    fn turned(bits: u8) -> u8 {
        (0..8u8).filter(|eighth| bits >> eighth & 1 == 1).fold(0, |turned, eighth| {
            let [x, y, z] = [eighth & 1, eighth >> 1 & 1, eighth >> 2];
            turned | 1 << ((1 - z) + 2 * y + 4 * x)
        })
    }
}
