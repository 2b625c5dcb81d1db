//! Merges equal faces in two dimensions, in linear order.
//!
//! The finder visits a chunk in linear order, so the faces of every slice of every direction arrive
//! row by row. Adjacent faces of a row form a *strip*. A strip with the same ends and surface as a
//! rectangle that ends one row before extends that rectangle by one row. This needs no bitmap of
//! the slice and no second pass over voxels: the work is proportional to the number of strips.
//!
//! In each direction, columns run along the quad's u, rows along its v, and slices along the face's
//! normal.

use super::face_surface::FaceSurface;
use super::vertex::{Quad, STEPS};
use crate::voxel::{CHUNK_SIDE, Face};

const SIDE: usize = CHUNK_SIDE as usize;

/// Adjacent faces of one row.
#[derive(Clone, Copy)]
struct Strip {
    surface: FaceSurface,
    row: u8,
    col: u8,
    cols: u8,
}

/// Strips of adjacent rows.
#[derive(Clone, Copy)]
struct Rect {
    strip: Strip,
    slice: u8,
    /// Number of rows; `strip` is the first.
    rows: u8,
}

/// Merges the faces of one direction.
pub(super) struct FaceMerger {
    face: Face,
    /// The unfinished strip of each slice.
    strips: [Option<Strip>; SIDE],
    /// Index of the latest rectangle that starts at a column, by slice and column; `u32::MAX`
    /// without one.
    latest: Vec<u32>,
    rects: Vec<Rect>,
}

impl FaceMerger {
    pub fn new(face: Face) -> FaceMerger {
        FaceMerger { face, strips: [None; SIDE], latest: vec![u32::MAX; SIDE * SIDE], rects: Vec::new() }
    }

    /// Adds the faces of `len` voxels of a row, starting at x, y, z. Voxels must arrive in linear
    /// order.
    pub fn add(&mut self, [x, y, z]: [u8; 3], len: u8, surface: FaceSurface) {
        // A row of east or west faces crosses slices. Other faces join only if the shade allows it.
        let step = match self.face {
            Face::East | Face::West => 1,
            _ if surface.grows_along_u() => len,
            _ => 1,
        };
        for x in (x..x + len).step_by(usize::from(step)) {
            let (slice, row, col) = match self.face {
                Face::East | Face::West => (x, y, z),
                Face::Up | Face::Down => (y, z, x),
                Face::South | Face::North => (z, y, x),
            };
            self.extend(slice, Strip { surface, row, col, cols: step });
        }
    }

    /// Joins `next` to the unfinished strip of its slice, or finishes that one.
    fn extend(&mut self, slice: u8, next: Strip) {
        let open = &mut self.strips[usize::from(slice)];
        if let Some(strip) = open
            && strip.row == next.row
            && strip.col + strip.cols == next.col
            && strip.surface == next.surface
            && next.surface.grows_along_u()
        {
            strip.cols += next.cols;
            return;
        }
        if let Some(done) = open.replace(next) {
            self.close(slice, done);
        }
    }

    /// Extends the adjacent rectangle by a finished strip, or starts a new rectangle.
    fn close(&mut self, slice: u8, strip: Strip) {
        let latest = &mut self.latest[usize::from(slice) * SIDE + usize::from(strip.col)];
        if let Some(rect) = self.rects.get_mut(*latest as usize)
            && rect.strip.row + rect.rows == strip.row
            && rect.strip.cols == strip.cols
            && rect.strip.surface == strip.surface
            && strip.surface.grows_along_v()
        {
            rect.rows += 1;
            return;
        }
        *latest = self.rects.len() as u32;
        self.rects.push(Rect { strip, slice, rows: 1 });
    }

    /// Passes every quad and its surface to `each`.
    pub fn finish(mut self, mut each: impl FnMut(FaceSurface, Quad)) {
        for slice in 0..SIDE {
            if let Some(strip) = self.strips[slice].take() {
                self.close(slice as u8, strip);
            }
        }
        for rect in &self.rects {
            each(rect.strip.surface, rect.quad(self.face));
        }
    }
}

impl Rect {
    fn quad(&self, face: Face) -> Quad {
        let Rect { strip: Strip { surface, row, col, cols }, slice, rows } = *self;
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
        let (ao, liquid, material) = (surface.ao(), surface.liquid(), surface.material());
        Quad { x, z, y, width: cols, face: face as u8, height, ao, liquid, material }
    }
}
