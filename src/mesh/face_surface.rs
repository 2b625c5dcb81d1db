//! The rules of faces: which are visible, how high, how dark.
//!
//! A voxel is drawn as a box as high as its occupancy, in sixteenths. One rule covers all cases:
//! the part of a face that the neighbour's box covers is omitted if the neighbour is opaque, has
//! the same material, or makes that part itself. Everything else is drawn. So a hidden face may be
//! drawn, but there is never a hole. A voxel that is not loaded covers nothing.
//!
//! Transparent faces are visible from both sides. Where two different materials of the same pass
//! touch (oak and birch leaves, ice and water), only one of them makes the common face, because two
//! faces in one plane flicker.

use super::FaceMaterialId;
use super::face_materials::{DrawPass, FaceMaterials, MeshTraits, VoxelGeometry};
use super::quad::STEPS;
use crate::voxel::{Face, Voxel};

/// Ambient occlusion of a face without shade.
pub(super) const UNSHADED: u8 = 0xFF;

/// All of a face except its position and shade, packed so that comparing takes one instruction.
/// Faces with equal surfaces may merge into one quad.
///
/// | bits | field |
/// |---|---|
/// | 0-15 | face material |
/// | 16-23 | lower edge, in sixteenths above the voxel's bottom |
/// | 24-31 | upper edge; equal to the lower one on up and down faces |
/// | 32-39 | number of the draw pass |
/// | 40 | 1 for liquids |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FaceSurface(u64);

impl FaceSurface {
    /// The face of a material between two heights.
    pub fn new(traits: &MeshTraits, face: Face, low: u8, high: u8) -> FaceSurface {
        FaceSurface(
            u64::from(traits.faces[face as usize])
                | u64::from(low) << 16
                | u64::from(high) << 24
                | (traits.pass as u64) << 32
                | u64::from(traits.liquid) << 40,
        )
    }

    /// The face of a full box in its voxel.
    pub fn full(traits: &MeshTraits, face: Face) -> FaceSurface {
        let (low, high) = match face {
            Face::Up => (STEPS, STEPS),
            Face::Down => (0, 0),
            _ => (0, STEPS),
        };
        FaceSurface::new(traits, face, low, high)
    }

    /// The packed fields.
    pub fn number(self) -> u64 {
        self.0
    }

    /// Face material.
    pub fn material(self) -> FaceMaterialId {
        self.0 as u16
    }

    /// Lower edge, in sixteenths above the voxel's bottom.
    pub fn low(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// Upper edge, in sixteenths above the voxel's bottom.
    pub fn high(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// The list of the mesh that gets the face.
    pub fn pass(self) -> DrawPass {
        const ALL: [DrawPass; 3] = [DrawPass::Opaque, DrawPass::CutOut, DrawPass::Translucent];
        ALL[(self.0 >> 32 & 3) as usize]
    }

    /// True for liquids.
    pub fn liquid(self) -> bool {
        self.0 >> 40 & 1 == 1
    }

    /// True if the voxels around the one in front darken its corners. A lowered top face lies
    /// inside its voxel, so these voxels do not touch it.
    pub fn takes_shade(self, face: Face) -> bool {
        !self.liquid() && self.pass() != DrawPass::Translucent && !(face == Face::Up && self.high() < STEPS)
    }

    /// True if the face can merge along v: an upright face must cover the full height of its voxel.
    pub fn grows_along_v(self) -> bool {
        self.low() == self.high() || (self.low() == 0 && self.high() == STEPS)
    }
}

/// The drawn height of a voxel, 1 to 16: its fill rounded to sixteenths.
pub(super) fn height(voxel: Voxel) -> u8 {
    ((u16::from(voxel.occupancy()) + 1 + 8) / 16).max(1) as u8
}

/// A voxel and the one above it. Above decides how high a liquid is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stacked {
    pub voxel: Voxel,
    pub above: Voxel,
}

impl Stacked {
    /// The drawn height. A liquid below the same liquid is full.
    fn height(self, materials: &FaceMaterials) -> u8 {
        let material = self.voxel.material();
        let submerged = self.above.material() == material && materials.traits(material).liquid;
        if submerged { STEPS } else { height(self.voxel) }
    }
}

/// One face of the cube `here`, towards `there`; `None` if it is hidden.
pub(super) fn surface(materials: &FaceMaterials, face: Face, here: Stacked, there: Stacked) -> Option<FaceSurface> {
    let (traits, other) = (materials.traits(here.voxel.material()), materials.traits(there.voxel.material()));
    let same = there.voxel.material() == here.voxel.material();
    let rank = |traits: &MeshTraits, voxel: Voxel| (traits.liquid, voxel.material());
    let other_makes_it = other.pass == traits.pass && rank(other, there.voxel) < rank(traits, here.voxel);
    let covers = other.geometry == VoxelGeometry::Cube && (other.hides || same || other_makes_it);
    let height = here.height(materials);
    let (low, high) = match face {
        // Any box above rests on this top face and covers it, whatever its height.
        Face::Up if covers && height == STEPS => return None,
        Face::Up => (height, height),
        Face::Down if covers && there.height(materials) == STEPS => return None,
        Face::Down => (0, 0),
        _ if covers && there.height(materials) >= height => return None,
        // Behind an opaque neighbour the covered part is invisible, and full faces merge better.
        _ if covers && !other.hides => (there.height(materials), height),
        _ => (0, height),
    };
    Some(FaceSurface::new(traits, face, low, high))
}

/// Ambient occlusion of a face's corners (0fps, "Ambient occlusion for Minecraft-like worlds") by
/// the nine voxels in front of it: bit u + 3 v is set if the voxel there, both from 0 to 2, darkens
/// its corners.
pub(super) fn ambient_occlusion(dark: usize) -> u8 {
    OCCLUSION[dark]
}

const OCCLUSION: [u8; 512] = {
    let mut table = [0; 512];
    let mut dark = 0;
    while dark < 512 {
        let mut corner = 0;
        while corner < 4 {
            let (u, v) = (2 * (corner & 1), 2 * (corner >> 1));
            let along_u = (dark >> (u + 3) & 1) as u8;
            let along_v = (dark >> (1 + 3 * v) & 1) as u8;
            let diagonal = (dark >> (u + 3 * v) & 1) as u8;
            let light = if along_u + along_v == 2 { 0 } else { 3 - along_u - along_v - diagonal };
            table[dark] |= light << (2 * corner);
            corner += 1;
        }
        dark += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::MaterialTable;

    #[test]
    fn height_is_fill_rounded_to_sixteenths() {
        for occupancy in 0..=255 {
            let voxel = Voxel::new(1, occupancy);
            let exact = (voxel.fill() * 16.0).round().max(1.0);
            assert_eq!(f32::from(height(voxel)), exact, "occupancy {occupancy}");
        }
    }

    #[test]
    fn surface_keeps_all_fields() {
        let face_materials = FaceMaterials::new(&MaterialTable::builtin());
        for (id, _) in MaterialTable::builtin().iter() {
            let traits = face_materials.traits(id);
            for face in Face::ALL {
                let surface = FaceSurface::new(traits, face, 3, 16);
                assert_eq!(surface.material(), traits.faces[face as usize]);
                assert_eq!((surface.low(), surface.high()), (3, 16));
                assert_eq!((surface.pass(), surface.liquid()), (traits.pass, traits.liquid));
            }
        }
    }

    #[test]
    fn only_full_and_level_faces_merge_along_v() {
        let stone = *FaceMaterials::new(&MaterialTable::builtin()).traits(1);
        let grows = |low, high| FaceSurface::new(&stone, Face::East, low, high).grows_along_v();
        assert_eq!([(0, 16), (0, 9), (4, 16), (9, 9)].map(|(low, high)| grows(low, high)), [true, false, false, true]);
    }
}
