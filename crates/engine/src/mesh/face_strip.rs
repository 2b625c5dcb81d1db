//! Strips: the stretches of faces that are merged into quads.

use super::face_rect::FaceRect;
use super::merge::MergedFaces;
use crate::voxel::Face;
use glam::IVec3;

/// Adjacent faces of one direction that look alike, in one row of their plane: along x, or along z
/// for east and west faces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FaceStrip {
    /// Direction of the faces.
    pub face: Face,
    /// The voxel of the first face, in its chunk.
    pub first: IVec3,
    /// Number of faces.
    pub len: i32,
    /// Packed properties of the faces except their position: material, heights, draw pass.
    pub surface: u64,
}

impl FaceStrip {
    pub(super) fn new(strip: MergedFaces) -> FaceStrip {
        let FaceRect { face, slice, row, col, cols, .. } = strip.rect;
        let [slice, row, col] = [slice, row, col].map(i32::from);
        let first = match face {
            Face::East | Face::West => IVec3::new(slice, row, col),
            Face::Up | Face::Down => IVec3::new(col, slice, row),
            Face::South | Face::North => IVec3::new(col, row, slice),
        };
        FaceStrip { face, first, len: cols.into(), surface: strip.surface.number() }
    }

    /// Step from one face to the next.
    #[must_use]
    pub fn step(&self) -> IVec3 {
        if matches!(self.face, Face::East | Face::West) { IVec3::Z } else { IVec3::X }
    }

    /// The voxels of the faces.
    pub fn voxels(&self) -> impl Iterator<Item = IVec3> + use<> {
        let FaceStrip { first, len, .. } = *self;
        let step = self.step();
        (0..len).map(move |i| first + step * i)
    }
}
