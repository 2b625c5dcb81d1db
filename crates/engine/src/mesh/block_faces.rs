//! Faces of full opaque blocks, as bits in slices along their normal, and their greedy merging.
//!
//! A rectangle starts at the first face that is left. It grows along the row while the next faces
//! have the same material, then row by row. Materials are compared only where the faces continue.

use super::face_rect::FaceRect;
use super::run_rows::RunRows;
use crate::bits::set_bits;
use crate::runs::bit_rows::{AREA, SIDE, boxed};
use crate::voxel::{Face, transpose};

/// The faces of a chunk's full opaque blocks. Empty between chunks.
pub(super) struct BlockFaces {
    /// Bit `col` of word `row + 32 slice` of each direction.
    words: Box<[[u32; AREA]; 6]>,
    /// East faces in the lower and west faces in the upper half: bit x of word z. The rows of an
    /// even layer come first, then the rows of the layer above it.
    layers: [u64; 2 * SIDE],
}

impl Default for BlockFaces {
    fn default() -> BlockFaces {
        BlockFaces { words: boxed([0; AREA]), layers: [0; 2 * SIDE] }
    }
}

impl BlockFaces {
    /// Adds the faces of a layer of the chunk: bit x of word z of each direction, indexed by
    /// [`Face`]. Layers must arrive in order.
    pub(crate) fn add_layer(&mut self, y: usize, faces: &[[u32; SIDE]; 6]) {
        let [east, west, up, down, south, north] = faces;
        let both =
            east.iter().zip(west).map(|(&east, &west)| u64::from(east) | u64::from(west) << 32);
        self.layers[y % 2 * SIDE..][..SIDE]
            .iter_mut()
            .zip(both)
            .for_each(|(row, both)| *row = both);
        if y % 2 == 1 {
            self.end_two_layers(y);
        }
        for (face, rows) in [(Face::Up, up), (Face::Down, down)] {
            self.words[face as usize][y * SIDE..][..SIDE].copy_from_slice(rows);
        }
        for (face, rows) in [(Face::South, south), (Face::North, north)] {
            if *rows != [0; SIDE] {
                let words = self.words[face as usize][y..].iter_mut().step_by(SIDE);
                words.zip(rows).for_each(|(word, row)| *word = *row);
            }
        }
    }

    /// Ends the layers `y` - 1 and `y`: transposes their east and west faces, so that bits run
    /// along z.
    fn end_two_layers(&mut self, y: usize) {
        if self.layers == [0; 2 * SIDE] {
            return;
        }
        transpose(&mut self.layers);
        for (face, rows) in
            [Face::East, Face::West].into_iter().zip(self.layers.as_chunks::<SIDE>().0)
        {
            let words = &mut self.words[face as usize];
            for (slice, row) in rows.iter().enumerate() {
                words[slice * SIDE + y - 1] = *row as u32;
                words[slice * SIDE + y] = (*row >> 32) as u32;
            }
        }
    }

    /// Merges the faces of one direction and passes the rectangles to `each` with the palette index
    /// of their first voxel. Faces merge if the face materials of their palette entries are equal.
    pub fn merge(
        &mut self,
        face: Face,
        voxels: &RunRows,
        face_materials: &[u16],
        mut each: impl FnMut(FaceRect, usize),
    ) {
        let comparison = Comparison { face, voxels, face_materials };
        for slice in 0..SIDE {
            let words = &mut self.words[face as usize].as_chunks_mut::<SIDE>().0[slice];
            let used = words
                .iter()
                .zip(0..)
                .fold(0u32, |used, (&word, row)| used | u32::from(word != 0) << row);
            for row in set_bits(used) {
                let row = row as usize;
                while words[row] != 0 {
                    let Strip { col, cols, code } = comparison.first_strip(words[row], slice, row);
                    let face_material = face_materials[code];
                    let mask = columns(col, cols);
                    words[row] &= !mask;
                    let mut end = row + 1;
                    while end < SIDE
                        && words[end] & mask == mask
                        && comparison.equal_cols(face_material, slice, end, col, cols) == cols
                    {
                        words[end] &= !mask;
                        end += 1;
                    }
                    let (col, cols, row, rows) =
                        (col as u8, cols as u8, row as u8, (end - row) as u8);
                    each(FaceRect { face, slice: slice as u8, row, rows, col, cols }, code);
                }
            }
        }
    }

    /// Passes the strips of one direction to `each`, with the palette index of their first voxel,
    /// and removes their faces. [`BlockFaces::merge`] starts rectangles with the same strips,
    /// unless rectangles from earlier rows have taken parts of them.
    pub(crate) fn take_strips(
        &mut self,
        face: Face,
        voxels: &RunRows,
        face_materials: &[u16],
        mut each: impl FnMut(FaceRect, usize),
    ) {
        let comparison = Comparison { face, voxels, face_materials };
        for (number, word) in self.words[face as usize].iter_mut().enumerate() {
            let slice = number / SIDE;
            let row = number % SIDE;
            while *word != 0 {
                let Strip { col, cols, code } = comparison.first_strip(*word, slice, row);
                *word &= !columns(col, cols);
                let col = col as u8;
                let cols = cols as u8;
                let row = row as u8;
                let slice = slice as u8;
                each(FaceRect { face, slice, row, rows: 1, col, cols }, code);
            }
        }
    }
}

/// Adjacent faces of a row with one face material.
struct Strip {
    col: u32,
    cols: u32,
    /// Palette index of the first voxel.
    code: usize,
}

/// The bits of `cols` columns from `col` on. `cols` must not be 0.
#[inline(always)]
fn columns(col: u32, cols: u32) -> u32 {
    (u32::MAX >> (SIDE as u32 - cols)) << col
}

/// Compares the face materials of voxels along a direction's columns.
struct Comparison<'a> {
    face: Face,
    voxels: &'a RunRows,
    face_materials: &'a [u16],
}

impl Comparison<'_> {
    /// Linear index of the voxel in a slice.
    fn index(&self, slice: usize, row: usize, col: usize) -> usize {
        match self.face {
            Face::East | Face::West => slice + SIDE * col + AREA * row,
            Face::Up | Face::Down => col + SIDE * row + AREA * slice,
            Face::South | Face::North => col + SIDE * slice + AREA * row,
        }
    }

    fn material_at(&self, index: usize) -> u16 {
        self.face_materials[self.voxels.code(index)]
    }

    /// The strip that begins at the first face of a row. `faces` must not be empty.
    #[inline(always)]
    fn first_strip(&self, faces: u32, slice: usize, row: usize) -> Strip {
        let col = faces.trailing_zeros();
        let len = (!(faces >> col)).trailing_zeros().min(SIDE as u32 - col);
        let code = self.voxels.code(self.index(slice, row, col as usize));
        let cols = self.equal_cols(self.face_materials[code], slice, row, col, len);
        Strip { col, cols, code }
    }

    /// The number of adjacent voxels with this face material from `col` on, at most `len`.
    fn equal_cols(&self, face_material: u16, slice: usize, row: usize, col: u32, len: u32) -> u32 {
        let first = self.index(slice, row, col as usize);
        if matches!(self.face, Face::East | Face::West) {
            let differs = |i: &u32| self.material_at(first + SIDE * *i as usize) != face_material;
            return (0..len).find(differs).unwrap_or(len);
        }
        if self.material_at(first) != face_material {
            return 0;
        }
        // Materials change only where a run starts.
        let starts = self.voxels.starts(first / SIDE) & (u32::MAX << col & !(1 << col));
        let starts = starts & (u32::MAX >> (SIDE as u32 - len)) << col;
        for start in set_bits(starts) {
            if self.material_at(first + (start - col) as usize) != face_material {
                return start - col;
            }
        }
        len
    }
}
