//! Greedy merging of the faces of special boxes: low boxes, transparent boxes, liquids.
//!
//! Each direction has its own merger. It joins adjacent faces of a row into strips, and equal
//! strips of adjacent rows into rectangles, for all slices along the face's normal.

use super::face_rect::FaceRect;
use super::face_surface::FaceSurface;
use crate::voxel::{CHUNK_SIDE, Face};

const SIDE: usize = CHUNK_SIDE as usize;

/// A rectangle of adjacent faces of equal surface.
#[derive(Clone, Copy)]
pub(super) struct MergedFaces {
    pub surface: FaceSurface,
    pub rect: FaceRect,
}

/// Receives finished strips: rectangles of one row.
pub(super) trait StripSink {
    /// Adds a strip. Strips of a slice arrive in linear order.
    fn add(&mut self, strip: MergedFaces);
}

/// Joins the faces of one direction into strips. Reused between chunks to keep its buffers.
pub(super) struct FaceMerger<S = RectMerger> {
    face: Face,
    /// The unfinished strip of each slice.
    strips: [Option<MergedFaces>; SIDE],
    finished: S,
}

impl<S: StripSink + Default> FaceMerger<S> {
    pub fn new(face: Face) -> FaceMerger<S> {
        FaceMerger { face, strips: [None; SIDE], finished: S::default() }
    }
}

impl<S: StripSink> FaceMerger<S> {
    /// Adds the face of one voxel. Voxels must arrive in linear order.
    pub fn add(&mut self, voxel: [u8; 3], surface: FaceSurface) {
        let rect = FaceRect::from_voxel(self.face, voxel);
        let open = &mut self.strips[usize::from(rect.slice)];
        if let Some(strip) = open
            && strip.rect.row == rect.row
            && strip.rect.col + strip.rect.cols == rect.col
            && strip.surface == surface
        {
            strip.rect.cols += 1;
            return;
        }
        if let Some(done) = open.replace(MergedFaces { surface, rect }) {
            self.finished.add(done);
        }
    }

    /// Ends all strips and returns their receiver.
    pub(crate) fn end_strips(&mut self) -> &mut S {
        for strip in &mut self.strips {
            if let Some(done) = strip.take() {
                self.finished.add(done);
            }
        }
        &mut self.finished
    }
}

impl FaceMerger {
    /// Passes every rectangle and its surface to `each`, and is empty afterwards.
    pub fn finish(&mut self, mut each: impl FnMut(FaceSurface, FaceRect)) {
        for patch in self.end_strips().patches.drain(..) {
            each(patch.surface, patch.rect);
        }
    }
}

/// Merges equal strips of adjacent rows.
pub(super) struct RectMerger {
    /// Index of the latest rectangle that starts at a column, by slice and column. Not cleared
    /// between chunks: an index out of range, or of a rectangle that starts elsewhere, is outdated.
    latest: Vec<u32>,
    patches: Vec<MergedFaces>,
}

impl Default for RectMerger {
    fn default() -> RectMerger {
        RectMerger { latest: vec![u32::MAX; SIDE * SIDE], patches: Vec::new() }
    }
}

impl StripSink for RectMerger {
    /// Extends the adjacent rectangle by a strip, or starts a new one.
    fn add(&mut self, strip: MergedFaces) {
        let new = strip.rect;
        let surface = strip.surface;
        let latest = &mut self.latest[usize::from(new.slice) * SIDE + usize::from(new.col)];
        if let Some(patch) = self.patches.get_mut(*latest as usize)
            && (patch.rect.slice, patch.rect.col) == (new.slice, new.col)
            && patch.rect.row + patch.rect.rows == new.row
            && patch.rect.cols == new.cols
            && patch.surface == surface
            && surface.grows_along_v()
        {
            patch.rect.rows += 1;
            return;
        }
        *latest = self.patches.len() as u32;
        self.patches.push(strip);
    }
}

/// Collects strips without merging them.
impl StripSink for Vec<MergedFaces> {
    fn add(&mut self, strip: MergedFaces) {
        self.push(strip);
    }
}
