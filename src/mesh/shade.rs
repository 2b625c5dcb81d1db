//! The shade on the faces of a row: ambient occlusion by the voxels around the one in front.

use super::bit_rows::BitRows;
use super::face_surface::{FaceSurface, ambient_occlusion};
use super::voxel_class::ClassBit;
use super::voxel_rows::LAYER;
use crate::voxel::Face;

/// The shade on the faces of one row.
pub(super) struct Shade {
    /// Words of [`ClassBit::Dark`]. East and west faces use the nine rows around theirs, other faces
    /// the first three: the rows in front.
    words: [u64; 9],
    face: Face,
    /// Bit x: a dark voxel lies around the voxel in front of the face at x.
    shaded: u32,
}

impl Shade {
    pub fn new(bits: &BitRows, face: Face, row: usize) -> Shade {
        let mut words = [0; 9];
        let (front, step) = match face {
            Face::East | Face::West => {
                for (i, word) in words.iter_mut().enumerate() {
                    *word = bits.word(row + i / 3 * LAYER + i % 3 - LAYER - 1, ClassBit::Dark);
                }
                let all = words.iter().fold(0, |all, word| all | word);
                let shaded = if face == Face::East { all >> 2 } else { all } as u32;
                return Shade { words, face, shaded };
            }
            Face::Up => (row + LAYER, 1),
            Face::Down => (row - LAYER, 1),
            Face::South => (row + 1, LAYER),
            Face::North => (row - 1, LAYER),
        };
        for (word, row) in words.iter_mut().zip([front - step, front, front + step]) {
            *word = bits.word(row, ClassBit::Dark);
        }
        let all = words[0] | words[1] | words[2];
        Shade { words, face, shaded: (all | all >> 1 | all >> 2) as u32 }
    }

    /// Ambient occlusion of the face at x.
    pub fn at(&self, x: u32) -> u8 {
        let mut dark = 0;
        match self.face {
            Face::East | Face::West => {
                let bit = if self.face == Face::East { x + 2 } else { x };
                for (i, word) in self.words.iter().enumerate() {
                    dark |= (word >> bit & 1) << i;
                }
            }
            _ => {
                for (v, word) in self.words[..3].iter().enumerate() {
                    dark |= (word >> x & 7) << (3 * v);
                }
            }
        }
        ambient_occlusion(dark as usize)
    }

    /// Splits `segment`, adjacent faces of one surface, by shade, and calls `each` with x, length and
    /// surface of each part. Shaded faces are passed one by one.
    pub fn split(&self, mut segment: u32, surface: FaceSurface, mut each: impl FnMut(u32, u8, FaceSurface)) {
        while segment != 0 {
            let x = segment.trailing_zeros();
            if self.shaded >> x & 1 == 1 {
                each(x, 1, surface.with_ao(self.at(x)));
                segment &= segment - 1;
                continue;
            }
            let len = (!((segment & !self.shaded) >> x)).trailing_zeros().min(32 - x);
            each(x, len as u8, surface);
            segment &= !((u32::MAX >> (32 - len)) << x);
        }
    }
}
