//! The visible faces of a voxel, found from its neighbourhood once per fused run.
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
use super::vertex::STEPS;
use crate::runs::moore::Neighbourhood;
use crate::voxel::{Face, MOORE_CENTRE, Voxel, neighbour_index};
use glam::IVec3;

/// Ambient occlusion of a face without shade.
pub(super) const UNSHADED: u8 = 0xFF;
/// Index step to the voxel above in a neighbourhood.
const ABOVE: usize = neighbour_index(IVec3::Y) - MOORE_CENTRE;

/// All of a face except its position. Faces with equal surfaces may merge into one quad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FaceSurface {
    pub material: FaceMaterialId,
    /// Ambient occlusion of the corners, two bits each, numbered as in the vertex format.
    pub ao: u8,
    /// Lower edge, in sixteenths above the voxel's bottom.
    pub low: u8,
    /// Upper edge; equal to `low` on up and down faces.
    pub high: u8,
    pub pass: DrawPass,
    pub liquid: bool,
}

impl FaceSurface {
    /// True if the face can merge along u: its shade must be constant along u, or a wider quad
    /// would interpolate it differently.
    pub fn grows_along_u(self) -> bool {
        self.ao & 0b11_00_11 == self.ao >> 2 & 0b11_00_11
    }

    /// True if the face can merge along v: its shade is constant along v, and an upright face
    /// covers the full height of its voxel.
    pub fn grows_along_v(self) -> bool {
        let full_height = self.low == self.high || (self.low == 0 && self.high == STEPS);
        full_height && self.ao & 0xF == self.ao >> 4
    }
}

/// The drawn height of a voxel, 1 to 16: its fill rounded to sixteenths.
pub(super) fn height(voxel: Voxel) -> u8 {
    ((u16::from(voxel.occupancy()) + 1 + 8) / 16).max(1) as u8
}

/// A neighbourhood and the face materials of its voxels.
pub(super) struct FaceContext<'a> {
    pub materials: &'a FaceMaterials,
    pub voxels: &'a Neighbourhood,
}

impl FaceContext<'_> {
    /// One face of the middle voxel, a cube with these traits; `None` if it is hidden.
    #[inline]
    pub fn surface(&self, traits: &MeshTraits, face: Face) -> Option<FaceSurface> {
        let there = (MOORE_CENTRE as isize + stride(face.normal())) as usize;
        let other = self.voxels[there];
        // Underground, nearly all faces end here.
        if other.is_full() && self.voxels[MOORE_CENTRE].is_full() && self.materials.traits(other.material()).hides {
            return None;
        }
        self.surface_towards(traits, face, there)
    }

    fn surface_towards(&self, traits: &MeshTraits, face: Face, there: usize) -> Option<FaceSurface> {
        let other = self.voxels[there];
        let other_traits = self.materials.traits(other.material());
        let same = other.material() == self.voxels[MOORE_CENTRE].material();
        let rank = |traits: &MeshTraits, voxel: Voxel| (traits.liquid, voxel.material());
        let other_makes_it =
            other_traits.pass == traits.pass && rank(other_traits, other) < rank(traits, self.voxels[MOORE_CENTRE]);
        let covers = other_traits.geometry == VoxelGeometry::Cube && (other_traits.hides || same || other_makes_it);
        let here = self.height_at(MOORE_CENTRE);
        let (low, high) = match face {
            // Any box above rests on this top face and covers it, whatever its height.
            Face::Up if covers && here == STEPS => return None,
            Face::Up => (here, here),
            Face::Down if covers && self.height_at(there) == STEPS => return None,
            Face::Down => (0, 0),
            _ if covers && self.height_at(there) >= here => return None,
            // Behind an opaque neighbour the covered part is invisible, and full faces merge
            // better.
            _ if covers && !other_traits.hides => (self.height_at(there), here),
            _ => (0, here),
        };
        // A lowered top face lies inside the voxel, so the voxels above touch none of its corners.
        let sunken = face == Face::Up && here < STEPS;
        let shaded = !traits.liquid && traits.pass != DrawPass::Translucent && !sunken;
        let ao = if shaded { self.ambient_occlusion(face) } else { UNSHADED };
        Some(FaceSurface {
            material: traits.faces[face as usize],
            ao,
            low,
            high,
            pass: traits.pass,
            liquid: traits.liquid,
        })
    }

    /// The drawn height of the voxel at `index`, in the middle or lower layer. A liquid below the
    /// same liquid is full.
    fn height_at(&self, index: usize) -> u8 {
        let voxel = self.voxels[index];
        let submerged =
            self.voxels[index + ABOVE].material() == voxel.material() && self.materials.traits(voxel.material()).liquid;
        if submerged { STEPS } else { height(voxel) }
    }

    /// Ambient occlusion of a face's corners, from the eight voxels around the voxel in front of it
    /// (0fps, "Ambient occlusion for Minecraft-like worlds"). A block that emits light darkens
    /// nothing.
    fn ambient_occlusion(&self, face: Face) -> u8 {
        let front = MOORE_CENTRE as isize + stride(face.normal());
        let (u, v) = match face {
            Face::East | Face::West => (stride(IVec3::Z), stride(IVec3::Y)),
            Face::Up | Face::Down => (stride(IVec3::X), stride(IVec3::Z)),
            Face::South | Face::North => (stride(IVec3::X), stride(IVec3::Y)),
        };
        let dark = |step: isize| {
            let voxel = self.voxels[(front + step) as usize];
            u8::from(self.materials.traits(voxel.material()).casts_occlusion && height(voxel) == STEPS)
        };
        let (along_u, along_v) = ([dark(-u), dark(u)], [dark(-v), dark(v)]);
        let corners = [dark(-u - v), dark(u - v), dark(v - u), dark(u + v)];
        let mut ao = 0;
        for (corner, diagonal) in corners.into_iter().enumerate() {
            let (a, b) = (along_u[corner & 1], along_v[corner >> 1]);
            let light = if a + b == 2 { 0 } else { 3 - a - b - diagonal };
            ao |= light << (2 * corner);
        }
        ao
    }
}

/// The index step in a neighbourhood for a step in space.
const fn stride(step: IVec3) -> isize {
    neighbour_index(step) as isize - MOORE_CENTRE as isize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn height_is_fill_rounded_to_sixteenths() {
        for occupancy in 0..=255 {
            let voxel = Voxel::new(1, occupancy);
            let exact = (voxel.fill() * 16.0).round().max(1.0);
            assert_eq!(f32::from(height(voxel)), exact, "occupancy {occupancy}");
        }
    }

    #[test]
    fn varying_shade_prevents_merging_along_its_axis() {
        let surface = |ao, low, high| FaceSurface { material: 0, ao, low, high, pass: DrawPass::Opaque, liquid: false };
        // Corners 3, 2, 1, 0 from the left.
        assert!(surface(0b01_01_11_11, 0, 16).grows_along_u());
        assert!(!surface(0b01_01_11_11, 0, 16).grows_along_v());
        assert!(surface(0b01_11_01_11, 0, 16).grows_along_v());
        assert!(!surface(0b01_11_01_11, 0, 16).grows_along_u());
        assert!(!surface(UNSHADED, 0, 9).grows_along_v());
        assert!(!surface(UNSHADED, 4, 16).grows_along_v());
        assert!(surface(UNSHADED, 9, 9).grows_along_v());
    }
}
