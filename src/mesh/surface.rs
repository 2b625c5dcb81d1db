//! Which faces a voxel shows, told from its neighbourhood alone: asked once per fused run.
//!
//! A voxel is drawn as a box as high as its occupancy, in sixteenths. One rule runs through all cases:
//! a face, or the part of it, that the neighbour's box covers is left out if the neighbour is opaque, or of
//! the same material, or if the neighbour makes that part itself; all else is made. So there may be a face
//! nobody sees, and never a hole. What is not loaded covers nothing.
//!
//! Faces one can see through are drawn from both sides. Where two unlike ones of a layer touch (oak leaves
//! and birch leaves, ice and water) only one of the two makes the face between them: both, drawn in one
//! plane, would flicker.

use super::LookId;
use super::looks::{Form, Kind, Layer, Looks};
use super::vertex::STEPS;
use crate::runs::moore::Neighbourhood;
use crate::voxel::{Face, MOORE_CENTRE, Voxel, neighbour_index};
use glam::IVec3;

/// No shade at any corner.
pub(super) const UNSHADED: u8 = 0xFF;
/// One voxel up in a neighbourhood.
const ABOVE: usize = neighbour_index(IVec3::Y) - MOORE_CENTRE;

/// All there is to a face but its place: faces with equal surfaces may become one quad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Surface {
    pub look: LookId,
    /// Ambient occlusion of the corners, two bits each, numbered as in the vertex format.
    pub ao: u8,
    /// Where in the voxel it begins, in sixteenths from the voxel's bottom.
    pub low: u8,
    /// Where it ends; equal to `low` on faces up and down.
    pub high: u8,
    pub layer: Layer,
    pub liquid: bool,
}

impl Surface {
    /// True if it may grow along u: the shade of a wider quad is the same at every voxel corner only if
    /// the shade does not change along u.
    pub fn grows_along_u(self) -> bool {
        self.ao & 0b11_00_11 == self.ao >> 2 & 0b11_00_11
    }

    /// True if it may grow along v: the shade does not change along v, and an upright face is as high as its
    /// voxel (a lower one would leave a gap, or grow over one).
    pub fn grows_along_v(self) -> bool {
        let whole = self.low == self.high || (self.low == 0 && self.high == STEPS);
        whole && self.ao & 0xF == self.ao >> 4
    }
}

/// The height at which a voxel of this occupancy is drawn, 1 to 16: its fill rounded to sixteenths.
pub(super) fn height(voxel: Voxel) -> u8 {
    ((u16::from(voxel.occupancy()) + 1 + 8) / 16).max(1) as u8
}

/// A neighbourhood and the looks to read it with.
pub(super) struct Around<'a> {
    pub looks: &'a Looks,
    pub voxels: &'a Neighbourhood,
}

impl Around<'_> {
    /// The face of the middle voxel, a cube of this kind, or none if it is hidden.
    #[inline]
    pub fn surface(&self, kind: &Kind, face: Face) -> Option<Surface> {
        let there = (MOORE_CENTRE as isize + stride(face.normal())) as usize;
        let other = self.voxels[there];
        // Most faces of most runs end here, deep in the ground.
        if other.is_full() && self.voxels[MOORE_CENTRE].is_full() && self.looks.kind(other.material()).hides {
            return None;
        }
        self.surface_towards(kind, face, there)
    }

    fn surface_towards(&self, kind: &Kind, face: Face, there: usize) -> Option<Surface> {
        let other = self.voxels[there];
        let other_kind = self.looks.kind(other.material());
        let same = other.material() == self.voxels[MOORE_CENTRE].material();
        let rank = |kind: &Kind, voxel: Voxel| (kind.liquid, voxel.material());
        let other_makes_it =
            other_kind.layer == kind.layer && rank(other_kind, other) < rank(kind, self.voxels[MOORE_CENTRE]);
        let covers = other_kind.form == Form::Cube && (other_kind.hides || same || other_makes_it);
        let here = self.height_at(MOORE_CENTRE);
        let (low, high) = match face {
            // Any box above stands on this one's roof and covers it, however low it is.
            Face::Up if covers && here == STEPS => return None,
            Face::Up => (here, here),
            Face::Down if covers && self.height_at(there) == STEPS => return None,
            Face::Down => (0, 0),
            _ if covers && self.height_at(there) >= here => return None,
            // Behind an opaque neighbour the covered part is not seen, and whole faces merge better.
            _ if covers && !other_kind.hides => (self.height_at(there), here),
            _ => (0, here),
        };
        // A lower roof lies inside the voxel: the voxels above stand around no corner of it.
        let sunken = face == Face::Up && here < STEPS;
        let shaded = !kind.liquid && kind.layer != Layer::Translucent && !sunken;
        let ao = if shaded { self.ambient_occlusion(face) } else { UNSHADED };
        Some(Surface { look: kind.faces[face as usize], ao, low, high, layer: kind.layer, liquid: kind.liquid })
    }

    /// The drawn height of the voxel at `place` in the middle or lower layer: a liquid with more of it above
    /// is full.
    fn height_at(&self, place: usize) -> u8 {
        let voxel = self.voxels[place];
        let submerged =
            self.voxels[place + ABOVE].material() == voxel.material() && self.looks.kind(voxel.material()).liquid;
        if submerged { STEPS } else { height(voxel) }
    }

    /// The shade of a face's corners, from the eight voxels around the one in front of it (0fps, "Ambient
    /// occlusion for Minecraft-like worlds").
    fn ambient_occlusion(&self, face: Face) -> u8 {
        let front = MOORE_CENTRE as isize + stride(face.normal());
        let (u, v) = match face {
            Face::East | Face::West => (stride(IVec3::Z), stride(IVec3::Y)),
            Face::Up | Face::Down => (stride(IVec3::X), stride(IVec3::Z)),
            Face::South | Face::North => (stride(IVec3::X), stride(IVec3::Y)),
        };
        let dark = |step: isize| {
            let voxel = self.voxels[(front + step) as usize];
            u8::from(self.looks.kind(voxel.material()).hides && height(voxel) == STEPS)
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

/// The step in a neighbourhood that goes with a step in space.
const fn stride(step: IVec3) -> isize {
    neighbour_index(step) as isize - MOORE_CENTRE as isize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_fills_in_sixteenths() {
        for occupancy in 0..=255 {
            let voxel = Voxel::new(1, occupancy);
            let exact = (voxel.fill() * 16.0).round().max(1.0);
            assert_eq!(f32::from(height(voxel)), exact, "occupancy {occupancy}");
        }
    }

    #[test]
    fn shade_that_changes_stops_growth_that_way() {
        let surface = |ao, low, high| Surface { look: 0, ao, low, high, layer: Layer::Opaque, liquid: false };
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
