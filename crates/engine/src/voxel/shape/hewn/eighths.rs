//! The eighths of a hewn block.

use crate::voxel::Face;
use crate::voxel::shape::turn::Turn;
use serde::{Deserialize, Serialize};

/// The eighths of a hewn block that are filled: bit `x + 2 y + 4 z`, with x, y and z 0 or 1, stands
/// for the eighth of the voxel on that side. At least one eighth is filled, and not all are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct HewnEighths(u8);

/// The eighths of a block have no such bits.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("{0} are no eighths of a hewn block; allowed are 1 to 254")]
pub struct HewnEighthsError(u8);

impl HewnEighths {
    /// Number of different forms.
    pub const COUNT: usize = 254;

    /// Eighths by their bits; `None` for none and for all.
    #[must_use]
    pub const fn new(bits: u8) -> Option<HewnEighths> {
        if bits == 0 || bits == u8::MAX { None } else { Some(HewnEighths(bits)) }
    }

    /// The half of a block on one side: a slab.
    #[must_use]
    pub const fn slab(side: Face) -> HewnEighths {
        HewnEighths(half(side))
    }

    /// The bits of the eighths.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Number of eighths, 1 to 7.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Occupancy of a voxel with these eighths: 32 of 256 parts for each.
    #[must_use]
    pub const fn occupancy(self) -> u8 {
        (32 * self.count() - 1) as u8
    }

    /// Bits of the eighths at a side of the voxel.
    #[must_use]
    pub const fn at_side(self, side: Face) -> u8 {
        self.0 & half(side)
    }

    /// The eighths after a turn of the block.
    #[must_use]
    pub fn turned(self, turn: Turn) -> HewnEighths {
        let half = |bit: u8, high: Face, low: Face| turn.face(if bit == 1 { high } else { low });
        let place = |eighth: u8| {
            let sides = [
                half(eighth & 1, Face::East, Face::West),
                half(eighth >> 1 & 1, Face::Up, Face::Down),
                half(eighth >> 2, Face::South, Face::North),
            ];
            let bit =
                |face: Face| if (face as u8).is_multiple_of(2) { 1 << (face as u8 / 2) } else { 0 };
            sides.map(bit).iter().sum::<u8>()
        };
        let bits = (0..8).filter(|eighth| self.0 >> eighth & 1 == 1).map(|e| 1 << place(e)).sum();
        // A turn keeps the number of eighths, so there are some, and not all.
        HewnEighths::new(bits).unwrap_or(self)
    }

    /// These eighths and `others`; `None` if they have some in common, or fill the block.
    #[must_use]
    pub const fn joined(self, others: HewnEighths) -> Option<HewnEighths> {
        if self.0 & others.0 == 0 { HewnEighths::new(self.0 | others.0) } else { None }
    }

    /// True if the eighths that these leave free are `others`: both make a whole block.
    #[must_use]
    pub const fn completes(self, others: HewnEighths) -> bool {
        self.0 == !others.0
    }

    /// True if the eighths fill a side of the voxel.
    #[must_use]
    pub const fn fills_side(self, side: Face) -> bool {
        self.at_side(side) == half(side)
    }
}

/// Number of sets of eighths, the empty and the full one included.
pub(super) const FORMS: usize = 256;

/// Bits of the four eighths on one side of a voxel.
pub(super) const fn half(side: Face) -> u8 {
    match side {
        Face::East => 0b1010_1010,
        Face::West => 0b0101_0101,
        Face::Up => 0b1100_1100,
        Face::Down => 0b0011_0011,
        Face::South => 0b1111_0000,
        Face::North => 0b0000_1111,
    }
}

impl TryFrom<u8> for HewnEighths {
    type Error = HewnEighthsError;

    fn try_from(bits: u8) -> Result<HewnEighths, HewnEighthsError> {
        HewnEighths::new(bits).ok_or(HewnEighthsError(bits))
    }
}

impl From<HewnEighths> for u8 {
    fn from(eighths: HewnEighths) -> u8 {
        eighths.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;

    /// Offset of an eighth, 0 or 1 along each axis.
    pub(in super::super) fn offset(eighth: u8) -> IVec3 {
        IVec3::new(i32::from(eighth & 1), i32::from(eighth >> 1 & 1), i32::from(eighth >> 2 & 1))
    }

    #[test]
    fn eighths_of_a_side_lie_there() {
        for face in Face::ALL {
            for eighth in 0..8 {
                let is_there = (offset(eighth) * 2 - 1).dot(face.normal()) > 0;
                assert_eq!(half(face) >> eighth & 1 == 1, is_there, "{face:?} {eighth}");
            }
            let slab = HewnEighths::slab(face);
            assert!(slab.fills_side(face) && !slab.fills_side(face.opposite()));
            assert_eq!((slab.at_side(face.opposite()), slab.occupancy()), (0, 127));
        }
    }

    #[test]
    fn empty_and_full_blocks_are_not_hewn() {
        assert_eq!([0, 255].map(HewnEighths::new), [None; 2]);
        let error = HewnEighths::try_from(255).unwrap_err().to_string();
        assert_eq!(error, "255 are no eighths of a hewn block; allowed are 1 to 254");
        assert_eq!((1..=254).filter_map(HewnEighths::new).count(), HewnEighths::COUNT);
        let occupancies = [1, 0b111, 0xFE].map(|bits| HewnEighths::new(bits).unwrap().occupancy());
        assert_eq!(occupancies, [31, 95, 223]);
    }
}
