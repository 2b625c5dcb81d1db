//! A rectangle of unit faces in one slice of the chunk.

use super::face_surface::FaceSurface;
use super::quad::{Quad, QuadGrid, STEPS};
use crate::runs::bit_rows::{LAYER, Words};
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
    pub(crate) fn from_voxel(face: Face, [x, y, z]: [u8; 3]) -> FaceRect {
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
        let in_sixteenths =
            |voxel: u8| i16::from(voxel) * i16::from(STEPS) + i16::from(surface.low());
        let upright =
            u16::from(rows - 1) * u16::from(STEPS) + u16::from(surface.high() - surface.low());
        // East and south faces lie at the far side of the voxel. For up faces, `surface.low()`
        // already includes the height.
        let far = u8::from(matches!(face, Face::East | Face::South));
        let (x, y, z, height) = match face {
            Face::East | Face::West => (slice + far, in_sixteenths(row), col, upright),
            Face::Up | Face::Down => (col, in_sixteenths(slice), row, u16::from(rows)),
            Face::South | Face::North => (col, in_sixteenths(row), slice + far, upright),
        };
        let liquid = surface.liquid();
        let material = surface.material();
        let halved_sides = surface.halved_sides();
        Quad {
            grid: QuadGrid::Voxels,
            x: x.into(),
            z: z.into(),
            y,
            width: cols,
            face: face as u8,
            height,
            shaded,
            liquid,
            halved_sides,
            material,
        }
    }

    /// False only if no voxel in front of the rectangle, or next to one in front, darkens its
    /// corners. `dark` marks the voxels that darken corners. Small rectangles, and large east and
    /// west ones, count as shaded without a search: most are.
    pub(crate) fn is_shaded(&self, dark: &Words) -> bool {
        const SMALL: usize = 8;
        const LARGE: usize = 64;
        let FaceRect { face, slice, row, rows, col, cols } = *self;
        let [slice, row, rows, col, cols] = [slice, row, rows, col, cols].map(usize::from);
        let area = rows * cols;
        if area < SMALL {
            return true;
        }
        let along_x = (u64::MAX >> (62 - cols)) << col;
        // First layer, number of layers, first row and number of rows to search. Layers and rows
        // are numbered from -1.
        let (layer, layers, first, count, mask) = match face {
            Face::Up => (slice + 2, 1, row, rows + 2, along_x),
            Face::Down => (slice, 1, row, rows + 2, along_x),
            Face::South => (row, rows + 2, slice + 2, 1, along_x),
            Face::North => (row, rows + 2, slice, 1, along_x),
            Face::East | Face::West if area > LARGE => return true,
            Face::East => (row, rows + 2, col, cols + 2, 1 << (slice + 2)),
            Face::West => (row, rows + 2, col, cols + 2, 1 << slice),
        };
        // No early exits: their branches are unpredictable.
        let any = |words: &[u64; LAYER]| {
            words[first..first + count].iter().fold(0, |any, word| any | word)
        };
        dark[layer..layer + layers].iter().fold(0, |all, words| all | any(words)) & mask != 0
    }
}
