//! Merging equal faces in two dimensions, as they come out of the walk.
//!
//! The walk goes through a chunk in linear order, so in every slice of every face direction the faces come
//! row by row. Faces side by side in a row become a *strip*; a strip with the same ends and the same surface
//! as the one right before it, one row back, makes that rectangle one row higher. That needs no map of
//! the slice and no second pass over voxels: the work is proportional to strips, that is, to runs.
//!
//! In each direction columns go along the quad's u and rows along its v: slices along the face's normal.

use super::surface::Surface;
use super::vertex::{Quad, STEPS};
use crate::voxel::Face;

const SIDE: usize = 32;

/// Faces next to each other in one row.
#[derive(Clone, Copy)]
struct Strip {
    surface: Surface,
    row: u8,
    col: u8,
    cols: u8,
}

#[derive(Clone, Copy)]
struct Rect {
    surface: Surface,
    slice: u8,
    row: u8,
    col: u8,
    cols: u8,
    rows: u8,
}

/// Merges the faces of one direction.
pub(super) struct Merger {
    face: Face,
    /// The strip that is being made, by slice.
    strips: [Option<Strip>; SIDE],
    /// The latest rectangle that begins at a column, by slice and column; `u32::MAX` for none.
    latest: Vec<u32>,
    rects: Vec<Rect>,
}

impl Merger {
    pub fn new(face: Face) -> Merger {
        Merger { face, strips: [None; SIDE], latest: vec![u32::MAX; SIDE * SIDE], rects: Vec::new() }
    }

    /// Adds the faces of `len` voxels that start at x, y, z and go on along x within the row. Voxels must
    /// come in linear order.
    pub fn add(&mut self, [x, y, z]: [u8; 3], len: u8, surface: Surface) {
        // Along x a row of faces east or west lies across slices; others along x only if the shade allows.
        let step = match self.face {
            Face::East | Face::West => 1,
            _ if surface.grows_along_u() => len,
            _ => 1,
        };
        for x in (x..x + len).step_by(usize::from(step)) {
            match self.face {
                Face::East | Face::West => self.extend(x, y, z, step, surface),
                Face::Up | Face::Down => self.extend(y, z, x, step, surface),
                Face::South | Face::North => self.extend(z, y, x, step, surface),
            }
        }
    }

    fn extend(&mut self, slice: u8, row: u8, col: u8, cols: u8, surface: Surface) {
        let strip = &mut self.strips[usize::from(slice)];
        if let Some(strip) = strip
            && strip.row == row
            && strip.col + strip.cols == col
            && strip.surface == surface
            && surface.grows_along_u()
        {
            strip.cols += cols;
            return;
        }
        if let Some(done) = strip.replace(Strip { surface, row, col, cols }) {
            self.close(slice, done);
        }
    }

    /// Joins a finished strip to the rectangle right before it, or begins a new one.
    fn close(&mut self, slice: u8, strip: Strip) {
        let latest = &mut self.latest[usize::from(slice) * SIDE + usize::from(strip.col)];
        if let Some(rect) = self.rects.get_mut(*latest as usize)
            && rect.row + rect.rows == strip.row
            && rect.cols == strip.cols
            && rect.surface == strip.surface
            && strip.surface.grows_along_v()
        {
            rect.rows += 1;
            return;
        }
        *latest = self.rects.len() as u32;
        let Strip { surface, row, col, cols } = strip;
        self.rects.push(Rect { surface, slice, row, col, cols, rows: 1 });
    }

    /// Hands out all quads, with the surface each was made from.
    pub fn finish(mut self, mut each: impl FnMut(Surface, Quad)) {
        for slice in 0..SIDE {
            if let Some(strip) = self.strips[slice].take() {
                self.close(slice as u8, strip);
            }
        }
        for rect in &self.rects {
            each(rect.surface, rect.quad(self.face));
        }
    }
}

impl Rect {
    fn quad(&self, face: Face) -> Quad {
        let Rect { surface, slice, row, col, cols, rows } = *self;
        let in_sixteenths = |voxel: u8| u16::from(voxel) * u16::from(STEPS) + u16::from(surface.low);
        let upright = u16::from(rows - 1) * u16::from(STEPS) + u16::from(surface.high - surface.low);
        // Faces that look along an axis lie at the far side of their voxel. Up is far by its height already.
        let far = u8::from(matches!(face, Face::East | Face::South));
        let (x, y, z, height) = match face {
            Face::East | Face::West => (slice + far, in_sixteenths(row), col, upright),
            Face::Up | Face::Down => (col, in_sixteenths(slice), row, u16::from(rows)),
            Face::South | Face::North => (col, in_sixteenths(row), slice + far, upright),
        };
        let Surface { look, ao, liquid, .. } = surface;
        Quad { x, z, y, width: cols, face: face as u8, height, ao, liquid, look }
    }
}
