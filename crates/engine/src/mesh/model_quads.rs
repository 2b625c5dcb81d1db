//! Quads of voxels that are no boxes: crossed sheets and torches. They never merge.

use super::face_materials::{MeshTraits, VoxelGeometry};
use super::face_rect::FaceRect;
use super::face_surface::{FaceSurface, height};
use super::quad::{PackedQuad, Quad, SHEET, STEPS};
use crate::voxel::{Face, Voxel};

/// The faces of a torch. Nothing hides them, and the bottom is never seen.
const TORCH_FACES: [Face; 5] = [Face::East, Face::West, Face::Up, Face::South, Face::North];

/// Adds the quads of the voxel at `at` in its chunk.
pub(super) fn add(voxel: Voxel, traits: &MeshTraits, at: [u8; 3], quads: &mut Vec<PackedQuad>) {
    match traits.geometry {
        VoxelGeometry::Cross => quads.extend([0, 1].map(|sheet| self::sheet(voxel, traits, at, sheet).pack())),
        VoxelGeometry::Torch => quads.extend(TORCH_FACES.map(|face| {
            // A whole face: what draws it moves the corners.
            FaceRect::from_voxel(face, at).quad(FaceSurface::full(traits, face), false).pack()
        })),
        VoxelGeometry::Nothing | VoxelGeometry::Cube => {}
    }
}

/// One sheet of a cross.
fn sheet(voxel: Voxel, traits: &MeshTraits, [x, y, z]: [u8; 3], sheet: u8) -> Quad {
    Quad {
        x,
        z,
        y: u16::from(y) * u16::from(STEPS),
        width: 1,
        face: SHEET + sheet,
        height: u16::from(height(traits, voxel)),
        shaded: false,
        liquid: traits.liquid,
        material: traits.faces[Face::East as usize],
    }
}
