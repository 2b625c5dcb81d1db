//! The voxels in and around a chunk that darken corners, for ambient occlusion per fragment.
//!
//! Space is divided into bricks of 4 x 4 x 4 voxels, 9 along each axis; brick (0, 0, 0) begins at
//! the voxel (-1, -1, -1). Only mixed bricks, with dark and other voxels, are stored. Layout in
//! 32-bit words:
//!
//! ```text
//! 81 row words   row of bricks by + 9 bz:
//!                bits 0-8    bit bx: the brick is mixed
//!                bits 9-17   bit bx: all its voxels are dark
//!                bits 18-31  mixed bricks in the rows before
//! 2 words        per mixed brick: bit x + 4 z + 16 y of the 64 is set if the voxel is dark
//! ```
//!
//! Nothing is stored for a chunk without shaded quads and without smooth ground around it.

use super::bit_rows::BitRows;
use super::face_surface::ambient_occlusion;
use super::voxel_class::ClassBit;
use crate::bits::set_bits;
use crate::runs::bit_rows::row_number;
use crate::voxel::{CHUNK_SIDE, Face};
use glam::IVec3;

/// Number of bricks along an axis.
const BRICKS: usize = 9;
/// Number of row words.
const ROWS: usize = BRICKS * BRICKS;
/// Bits of all voxels in a row of bricks.
const FULL: u64 = (1 << (4 * BRICKS)) - 1;
/// The lowest bit of each brick in a row.
const FIRST_BITS: u64 = FULL / 0xF;

/// The dark voxels in a chunk and next to it; see the module documentation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DarkBricks {
    words: Vec<u32>,
}

impl DarkBricks {
    /// Collects the dark voxels of a chunk that has been read.
    pub(super) fn new(bits: &BitRows) -> DarkBricks {
        let mut words = vec![0; ROWS];
        for bz in 0..BRICKS {
            for by in 0..BRICKS {
                push_row(bits, by, bz, &mut words);
            }
        }
        DarkBricks { words }
    }

    /// The words for the GPU; empty if neither quads nor a surface of ground are shaded.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// True if the voxel darkens corners next to it. Coordinates are from -1 to 32.
    #[must_use]
    pub(crate) fn is_dark(&self, at: IVec3) -> bool {
        let at = (at + 1).as_usizevec3();
        let [bx, by, bz] = (at / 4).to_array();
        let Some(&row) = self.words.get(by + BRICKS * bz) else { return false };
        if row >> bx & 1 == 0 {
            return row >> (BRICKS + bx) & 1 == 1;
        }
        let brick = (row >> (2 * BRICKS)) + (row & ((1 << bx) - 1)).count_ones();
        let inside = at % 4;
        let bit = inside.x + 4 * inside.z + 16 * inside.y;
        self.words[ROWS + 2 * brick as usize + bit / 32] >> (bit % 32) & 1 == 1
    }

    /// Ambient occlusion of the corners of a voxel's face, two bits each: 0 darkest, 3 none.
    /// Corners have the numbers of [`Quad::vertices`](super::Quad::vertices).
    #[must_use]
    pub fn corners(&self, face: Face, voxel: IVec3) -> u8 {
        let (u, v) = face.axes();
        let front = voxel + face.normal();
        let mut dark = 0;
        for i in 0..9 {
            let at = front + u * (i % 3 - 1) + v * (i / 3 - 1);
            dark |= usize::from(self.is_dark(at)) << i;
        }
        ambient_occlusion(dark)
    }
}

/// Appends a row of bricks: sets its row word and adds its mixed bricks.
fn push_row(bits: &BitRows, by: usize, bz: usize, words: &mut Vec<u32>) {
    // The last bricks reach beyond the voxels around the chunk, and repeat the outermost ones
    // there.
    let row = |y: usize, z: usize| {
        let coordinate =
            |brick: usize, inside: usize| ((4 * brick + inside) as i32 - 1).min(CHUNK_SIDE);
        let word = bits.word(row_number(coordinate(by, y), coordinate(bz, z)), ClassBit::Dark);
        word | ((word >> 33 & 1) * (0b11 << 34))
    };
    let rows: [[u64; 4]; 4] = std::array::from_fn(|y| std::array::from_fn(|z| row(y, z)));
    let (any, all) =
        rows.as_flattened().iter().fold((0, FULL), |(any, all), row| (any | row, all & row));
    let mut mixed = 0;
    let mut solid = 0;
    if any != 0 {
        // Bit 4 bx is set if any, or all, of the brick's four columns are.
        let any = (any | any >> 1 | any >> 2 | any >> 3) & FIRST_BITS;
        let all = (all & all >> 1 & all >> 2 & all >> 3) & FIRST_BITS;
        for bx in 0..BRICKS {
            let any = (any >> (4 * bx)) as u32 & 1;
            let all = (all >> (4 * bx)) as u32 & 1;
            mixed |= (any & !all) << bx;
            solid |= all << bx;
        }
    }
    let before = ((words.len() - ROWS) / 2) as u32;
    words[by + BRICKS * bz] = mixed | solid << BRICKS | before << (2 * BRICKS);
    for bx in set_bits(mixed) {
        let nibble = |i: usize| (rows[i / 4][i % 4] >> (4 * bx) & 0xF) << (4 * i);
        let brick = (0..16).fold(0, |brick, i| brick | nibble(i));
        words.extend([brick as u32, (brick >> 32) as u32]);
    }
}
