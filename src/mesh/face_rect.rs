//! A rectangle of unit faces in one slice of the chunk.

use super::bit_rows::BitRows;
use super::face_surface::FaceSurface;
use super::quad::{Quad, STEPS};
use super::row_layout::row_number;
use super::voxel_class::ClassBit;
use crate::voxel::Face;

/// A rectangle of unit faces. Slices lie along the face's normal; see [`FaceRect::from_voxel`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FaceRect {
    pub face: Face,
    pub slice: u8,
    /// First row and number of rows.
    pub row: u8,
    pub rows: u8,
    /// First column and number of columns.
    pub col: u8,
    pub cols: u8,
}

impl FaceRect {
    /// The face of one voxel. Rows of east, west, south and north faces are along y, of up and down
    /// faces along z. Columns of east and west faces are along z, of other faces along x.
    pub fn from_voxel(face: Face, [x, y, z]: [u8; 3]) -> FaceRect {
        let (slice, row, col) = match face {
            Face::East | Face::West => (x, y, z),
            Face::Up | Face::Down => (y, z, x),
            Face::South | Face::North => (z, y, x),
        };
        FaceRect { face, slice, row, rows: 1, col, cols: 1 }
    }

    /// The quad that covers the rectangle, with the same surface everywhere.
    pub fn quad(&self, surface: FaceSurface, shaded: bool) -> Quad {
        let FaceRect { face, slice, row, rows, col, cols } = *self;
        let in_sixteenths = |voxel: u8| u16::from(voxel) * u16::from(STEPS) + u16::from(surface.low());
        let upright = u16::from(rows - 1) * u16::from(STEPS) + u16::from(surface.high() - surface.low());
        // Faces along a positive axis lie at the far side of the voxel. Up faces include their
        // height.
        let far = u8::from(matches!(face, Face::East | Face::South));
        let (x, y, z, height) = match face {
            Face::East | Face::West => (slice + far, in_sixteenths(row), col, upright),
            Face::Up | Face::Down => (col, in_sixteenths(slice), row, u16::from(rows)),
            Face::South | Face::North => (col, in_sixteenths(row), slice + far, upright),
        };
        let (liquid, material) = (surface.liquid(), surface.material());
        Quad { x, z, y, width: cols, face: face as u8, height, shaded, liquid, material }
    }

    /// False if no voxel in front of the rectangle, or next to one in front, darkens its corners.
    /// Large rectangles along z are not searched: most are shaded.
    pub fn is_shaded(&self, bits: &BitRows) -> bool {
        let slice = i32::from(self.slice);
        let rows = i32::from(self.row) - 1..=i32::from(self.row + self.rows);
        let along_x = (u64::MAX >> (62 - self.cols)) << self.col;
        let is_dark = |y: i32, z: i32, mask: u64| bits.word(row_number(y, z), ClassBit::Dark) & mask != 0;
        let columns = i32::from(self.col) - 1..=i32::from(self.col + self.cols);
        match self.face {
            Face::Up => rows.into_iter().any(|z| is_dark(slice + 1, z, along_x)),
            Face::Down => rows.into_iter().any(|z| is_dark(slice - 1, z, along_x)),
            Face::South => rows.into_iter().any(|y| is_dark(y, slice + 1, along_x)),
            Face::North => rows.into_iter().any(|y| is_dark(y, slice - 1, along_x)),
            Face::East | Face::West => {
                let x = if self.face == Face::East { self.slice + 2 } else { self.slice };
                let is_large = u32::from(self.rows) * u32::from(self.cols) > 64;
                is_large || rows.into_iter().any(|y| columns.clone().any(|z| is_dark(y, z, 1 << x)))
            }
        }
    }
}
