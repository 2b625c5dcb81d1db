//! Planes of one bit per voxel of a chunk, and the lines of 32 voxels at its sides.

use super::light_traits::DIMMINGS;
use crate::runs::bit_rows::{AREA, SIDE};
use crate::voxel::Face;

/// A bit for each voxel of a chunk: a word per row, by z and then y, with x along the bits.
pub(super) type Plane = [u32; AREA];
/// The levels of one channel in a layer: bit n of each voxel's level in the rows n.
pub(super) type LayerLevels = [[u32; SIDE]; 4];
/// The levels of one channel, by layer, so that all bits of a row lie close together in memory.
pub(super) type LevelBits = [LayerLevels; SIDE];
/// Levels of 32 voxels: bit n of each in word n.
pub(super) type LineLevels = [u32; 4];
/// Voxels of each dimming, by its number; `None` if no voxel has it.
pub(super) type DimmingPlanes<'a> = [Option<&'a Plane>; DIMMINGS];

/// The rows of a layer of a plane.
#[inline]
pub(super) fn layer(plane: &Plane, y: usize) -> &[u32; SIDE] {
    &plane.as_chunks().0[y]
}

/// A line of 32 voxels of a chunk at one of its sides. Line n holds the voxels with z = n at the
/// upper and lower sides, and with y = n at the other sides.
#[derive(Clone, Copy)]
pub(super) enum SideLine {
    /// The row with this number, by z and then y.
    Row(usize),
    /// The voxels with these x and y, in the order of z.
    Column(usize, usize),
}

impl SideLine {
    pub fn new(face: Face, number: usize) -> SideLine {
        let last = SIDE - 1;
        match face {
            Face::Up => SideLine::Row(last * SIDE + number),
            Face::Down => SideLine::Row(number),
            Face::South => SideLine::Row(number * SIDE + last),
            Face::North => SideLine::Row(number * SIDE),
            Face::East => SideLine::Column(last, number),
            Face::West => SideLine::Column(0, number),
        }
    }

    /// The levels of the line.
    pub fn levels(self, bits: &LevelBits) -> LineLevels {
        match self {
            SideLine::Row(row) => bits[row / SIDE].each_ref().map(|rows| rows[row % SIDE]),
            SideLine::Column(x, y) => bits[y].each_ref().map(|rows| column(rows, x)),
        }
    }

    /// Linear index of the voxel at `along` in the line.
    pub fn voxel(self, along: usize) -> usize {
        match self {
            SideLine::Row(row) => row * SIDE + along,
            SideLine::Column(x, y) => y * AREA + along * SIDE + x,
        }
    }

    /// The bits of the line in a plane.
    pub fn read(self, plane: &Plane) -> u32 {
        match self {
            SideLine::Row(row) => plane[row],
            SideLine::Column(x, y) => column(layer(plane, y), x),
        }
    }
}

/// Bit x of each row of a layer, as bit z.
#[inline(never)]
pub(super) fn column(rows: &[u32; SIDE], x: usize) -> u32 {
    rows.iter().rev().fold(0, |bits, row| bits << 1 | row >> x & 1)
}

/// Takes the voxels of one level out of `left`, and returns them with their level. `None` once no
/// voxel is left.
pub(super) fn take_level(left: &mut u32, levels: LineLevels) -> Option<(usize, u32)> {
    if *left == 0 {
        return None;
    }
    let first = left.trailing_zeros();
    let mut equal = *left;
    let mut level = 0;
    for (bit, word) in levels.into_iter().enumerate() {
        let set = word >> first & 1;
        level |= (set as usize) << bit;
        equal &= if set == 1 { word } else { !word };
    }
    *left &= !equal;
    Some((level, equal))
}

/// Voxels whose levels exceed the levels `others` of the adjacent voxels by at least two. Only
/// these brighten the adjacent voxels, because a step costs a level.
pub(super) fn exceeding(levels: LineLevels, others: LineLevels) -> u32 {
    // Subtracts 1 from `levels`, bit by bit: a bit flips if all lower bits were 0.
    let mut borrow = u32::MAX;
    let mut greater = 0;
    for (word, other) in levels.into_iter().zip(others) {
        let less = word ^ borrow;
        borrow &= !word;
        greater = less & !other | !(less ^ other) & greater;
    }
    // Level 0 gives no light: minus 1 it has wrapped to 15.
    greater & !borrow
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(level: impl Fn(u32) -> u32) -> LineLevels {
        std::array::from_fn(|bit| (0..32).fold(0, |word, x| word | (level(x) >> bit & 1) << x))
    }

    #[test]
    fn columns_are_read() {
        let rows: [u32; SIDE] = std::array::from_fn(|z| (z as u32 + 1).wrapping_mul(0x9E37_79B9));
        for x in [0, 1, 17, 31] {
            let bits = column(&rows, x);
            for (z, row) in rows.iter().enumerate() {
                assert_eq!(bits >> z & 1, row >> x & 1);
            }
        }
    }

    #[test]
    fn levels_exceed_others_by_two() {
        for other in 0..16 {
            let bits = exceeding(words(|x| x % 16), words(|_| other));
            for x in 0..32 {
                assert_eq!(bits >> x & 1 == 1, x % 16 > other + 1, "{x} {other}");
            }
        }
    }
}
