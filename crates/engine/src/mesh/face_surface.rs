//! The rules of faces: their visibility, height and shade.
//!
//! A voxel is drawn as a box as high as its occupancy, in sixteenths. One rule covers all cases:
//! the part of a face that the neighbour's box covers is omitted if the neighbour is opaque, has
//! the same material, or makes that part itself. Everything else is drawn. So a hidden face may be
//! drawn, but there is never a hole. A voxel that is not loaded covers nothing.
//!
//! Liquid that lies on a low box of other matter is drawn down to it: it fills the rest of the
//! voxel, whose box is then *soaked*. Otherwise lava would hang above thin layers. Voxels with
//! liquid of their own are soaked, too.
//!
//! Ground has no faces. It hides faces of liquids only, so all faces of a cube next to it are
//! drawn.
//!
//! Transparent faces are visible from both sides. Where two different materials of the same pass
//! touch (oak and birch leaves, ice and water), only one of them makes the common face, because two
//! faces in one plane flicker.

use super::FaceMaterialId;
use super::face_materials::{DrawPass, FaceMaterials, MeshTraits, VoxelGeometry};
use super::quad::STEPS;
use crate::voxel::{Face, MaterialId, Voxel};

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
/// | 41-44 | a bit for each [`HalvedSide`](super::quad::HalvedSide) |
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

    /// The same face with these sides halved, the bits of [`HalvedSide`](super::quad::HalvedSide).
    /// There must be no face of the same kind beyond them, so that they never lie within a merged
    /// face.
    pub(crate) fn with_halved_sides(self, sides: u8) -> FaceSurface {
        FaceSurface(self.0 | u64::from(sides) << 41)
    }

    /// The bits of [`HalvedSide`](super::quad::HalvedSide).
    pub fn halved_sides(self) -> u8 {
        (self.0 >> 41 & 0xF) as u8
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
        DrawPass::ALL[(self.0 >> 32 & 3) as usize]
    }

    /// True for liquids.
    pub fn liquid(self) -> bool {
        self.0 >> 40 & 1 == 1
    }

    /// True if voxels around the voxel in front can darken the face's corners. A lowered top face
    /// lies inside its voxel, so these voxels do not touch it.
    pub(crate) fn takes_shade(self, face: Face) -> bool {
        !self.liquid()
            && self.pass() != DrawPass::Translucent
            && !(face == Face::Up && self.high() < STEPS)
    }

    /// True if the face can merge along v: an upright face must cover the full height of its voxel.
    pub(crate) fn grows_along_v(self) -> bool {
        self.low() == self.high() || (self.low() == 0 && self.high() == STEPS)
    }
}

/// The drawn height of a voxel, 1 to 16: its fill rounded to sixteenths. Wires are flat.
pub(super) fn height(traits: &MeshTraits, voxel: Voxel) -> u8 {
    if traits.is_wire && voxel.occupancy() < u8::MAX {
        return 1;
    }
    height_of(u16::from(voxel.occupancy()) + 1)
}

/// Height in sixteenths, 1 to 16, of 1 to 256 parts of a voxel.
pub(super) fn height_of(parts: u16) -> u8 {
    ((parts + 8) / 16).max(1) as u8
}

/// A voxel and the one above it, which decides how high a liquid or a wire is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stacked {
    pub voxel: Voxel,
    pub above: Voxel,
}

impl Stacked {
    /// The drawn height. A liquid below the same liquid is full, and so is a wire below a wire.
    pub(super) fn height(self, materials: &FaceMaterials) -> u8 {
        let material = self.voxel.material();
        let traits = materials.traits(material);
        let is_covered = traits.stacks() && self.above.material() == material
            || traits.liquid && materials.liquid_at_bottom(self.above) == Some(material);
        if is_covered { STEPS } else { height(traits, self.voxel) }
    }

    /// Part of an adjacent voxel's face towards this one that this voxel covers. `material` and
    /// `traits` describe the adjacent voxel, or the liquid in it.
    pub(super) fn covered(
        self,
        materials: &FaceMaterials,
        face: Face,
        material: MaterialId,
        traits: &MeshTraits,
    ) -> Cover {
        let other = materials.traits(self.voxel.material());
        // Where a liquid ends at ground, only its top is visible above the surface.
        let is_shore = traits.liquid && materials.contour().voxel(self.voxel).is_inside();
        if is_shore && other.geometry == VoxelGeometry::Ground {
            return Cover { height: Some(STEPS), is_opaque: true };
        }
        if traits.liquid
            && let Some(soaking) = self.soaking(materials)
            && soaking.material == material
            // Below a box with liquid on it, the box decides.
            && (face != Face::Up || soaking.low == 0)
        {
            return Cover { height: Some(soaking.high), is_opaque: false };
        }
        // States of one block look alike, such as leaves near their log and far from it.
        let is_alike = !traits.liquid && other.pass == traits.pass && other.faces == traits.faces;
        let same = self.voxel.material() == material || is_alike;
        let rank = |traits: &MeshTraits, material: MaterialId| (traits.liquid, material);
        let makes_it = other.pass == traits.pass
            && rank(other, self.voxel.material()) < rank(traits, material);
        let covers = other.geometry == VoxelGeometry::Cube && (other.hides || same || makes_it);
        Cover { height: covers.then(|| self.height(materials)), is_opaque: other.hides }
    }
}

/// Part of a face that the voxel in front covers.
#[derive(Clone, Copy)]
pub(super) struct Cover {
    /// Height of the covered part in sixteenths from the bottom of the face; `None` if the voxel
    /// covers no part at any height.
    pub height: Option<u8>,
    /// True if the covering box is opaque.
    is_opaque: bool,
}

/// One face of the cube `here`, towards `there`; `None` if it is hidden.
pub(super) fn surface(
    materials: &FaceMaterials,
    face: Face,
    here: Stacked,
    there: Stacked,
) -> Option<FaceSurface> {
    let traits = materials.voxel_traits(here.voxel);
    let material = here.voxel.material();
    let cover = there.covered(materials, face, material, traits);
    let height = here.height(materials);
    let (low, high) = match (face, cover.height) {
        // Any box above rests on this top face and covers it, even a low one.
        (Face::Up, Some(_)) if height == STEPS => return None,
        (Face::Up, _) => (height, height),
        (Face::Down, Some(STEPS)) => return None,
        (Face::Down, _) => (0, 0),
        (_, Some(covered)) if covered >= height => return None,
        // Behind an opaque neighbour the covered part is invisible, and full faces merge better.
        (_, Some(covered)) if !cover.is_opaque => (covered, height),
        _ => (0, height),
    };
    Some(FaceSurface::new(traits, face, low, high))
}

/// Ambient occlusion of a face's corners (0fps, "Ambient occlusion for Minecraft-like worlds") by
/// the nine voxels in front of it: bit u + 3 v of `dark` is set if the voxel at u and v, both from
/// 0 to 2, darkens corners.
pub(super) fn ambient_occlusion(dark: usize) -> u8 {
    OCCLUSION[dark]
}

const OCCLUSION: [u8; 512] = {
    let mut table = [0; 512];
    let mut dark = 0;
    while dark < 512 {
        let mut corner = 0;
        while corner < 4 {
            let u = 2 * (corner & 1);
            let v = 2 * (corner >> 1);
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
        let stone = *FaceMaterials::new(&MaterialTable::builtin()).traits(1);
        for occupancy in 0..=255 {
            let voxel = Voxel::new(1, occupancy);
            let exact = (voxel.fill() * 16.0).round().max(1.0);
            assert_eq!(f32::from(height(&stone, voxel)), exact, "occupancy {occupancy}");
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
        assert_eq!(
            [(0, 16), (0, 9), (4, 16), (9, 9)].map(|(low, high)| grows(low, high)),
            [true, false, false, true]
        );
    }
}
