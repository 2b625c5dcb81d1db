//! Masks: conditions for the voxels that an operation may change.
//!
//! - `evaluate`: evaluation for the voxels of a chunk, row by row, with the chunks around it.
//! - `slope`: slope of the surface.
//! - `shape`: voxels of a shape.
//! - `lines`: voxels of lines.

mod evaluate;
mod lines;
mod shape;
mod slope;

use super::position_noise::CloudNoise;
use super::region::Region;
use crate::voxel::{Box3, Face, MaterialId, MaterialTable, Matter, Voxel};
use glam::IVec3;
use std::ops::Range;
use std::sync::Arc;

pub use lines::LinesMask;
pub use shape::ShapeMask;

/// Condition that decides which voxels may be changed.
///
/// Some masks depend only on the content of a voxel, others on its position or its neighbours.
/// [`Mask::ranges`] evaluates any mask for the voxels of a chunk.
#[derive(Clone, PartialEq, Debug)]
pub enum Mask {
    /// Every voxel.
    Any,
    /// Voxels of these materials, with any occupancy. Air is material 0.
    Materials(Vec<MaterialId>),
    /// Voxels with one of these materials and occupancies, and the liquid of a wet one; a dry one
    /// stands for any liquid.
    Voxels(Vec<Voxel>),
    /// Voxels with liquid in what their matter leaves free.
    Wet,
    /// Completely filled voxels.
    Full,
    /// Voxels that the mask rejects.
    Not(Box<Mask>),
    /// Voxels that every mask accepts.
    All(Vec<Mask>),
    /// Voxels that at least one mask accepts.
    AnyOf(Vec<Mask>),
    /// Voxels with a neighbour that a mask accepts.
    Neighbour {
        /// Faces across which neighbours are looked at.
        faces: Vec<Face>,
        /// Mask of the neighbours.
        mask: Box<Mask>,
    },
    /// Voxels in a range of y.
    Heights(Range<i32>),
    /// Voxels of a box.
    Inside(Box3),
    /// Voxels of a region.
    Region(Arc<Region>),
    /// Voxels of a region that is moved by an offset.
    Moved {
        /// The region.
        region: Arc<Region>,
        /// The offset.
        by: IVec3,
    },
    /// Voxels of a shape.
    Shape(ShapeMask),
    /// Voxels of lines.
    Lines(LinesMask),
    /// Share of all voxels, chosen at random by position.
    Share {
        /// The share, 0 to 1.
        share: f64,
        /// Seed of the choice.
        seed: u64,
    },
    /// Voxels where a smooth noise field has a value within a range.
    Noise {
        /// The field.
        noise: CloudNoise,
        /// Lower limit, included, and upper limit, excluded.
        values: [f64; 2],
    },
    /// Voxels where the slope of the surface is within a range.
    Slope {
        /// Lower and upper limit in degrees, both included: 0 is a floor, 90 a wall, 180 a ceiling.
        degrees: [f64; 2],
        /// Mask of the ground that the surface bounds.
        ground: Box<Mask>,
    },
}

impl Mask {
    /// Mask of air.
    #[must_use]
    pub fn air() -> Mask {
        Mask::Materials(vec![0])
    }

    /// Mask of everything except air.
    #[must_use]
    pub fn existing() -> Mask {
        Mask::inverse(Mask::air())
    }

    /// Mask of the materials of one kind of matter.
    #[must_use]
    pub fn matter(matter: Matter, materials: &MaterialTable) -> Mask {
        let of_kind = materials.iter().filter(|(_, material)| material.matter == matter);
        Mask::Materials(of_kind.map(|(id, _)| id).collect())
    }

    /// Mask of everything except air that has a visible face: the voxel in front of the face is not
    /// full, or its material is not opaque.
    #[must_use]
    pub(crate) fn exposed(materials: &MaterialTable) -> Mask {
        let opaque =
            materials.iter().map(|(id, _)| id).filter(|&id| materials.is_opaque(id)).collect();
        let hides = Mask::All(vec![Mask::Materials(opaque), Mask::Full]);
        Mask::All(vec![Mask::existing(), Mask::near(Mask::inverse(hides))])
    }

    /// Mask of a share of the voxels, in clouds of about `scale` voxels. `shares` are the lower and
    /// upper limits of the noise values, each as a share (0 to 1) of all values.
    #[must_use]
    pub fn clouds(seed: u32, scale: f64, shares: [f64; 2]) -> Mask {
        let noise = CloudNoise::new(seed, scale);
        let values = noise.thresholds(shares);
        Mask::Noise { noise, values: [values[0], values[1]] }
    }

    /// Mask of the voxels directly above a voxel that a mask accepts.
    #[must_use]
    pub fn above(mask: Mask) -> Mask {
        Mask::Neighbour { faces: vec![Face::Down], mask: Box::new(mask) }
    }

    /// Mask of the voxels directly below a voxel that a mask accepts.
    #[must_use]
    pub fn below(mask: Mask) -> Mask {
        Mask::Neighbour { faces: vec![Face::Up], mask: Box::new(mask) }
    }

    /// Mask of the voxels that share a face with a voxel that a mask accepts.
    #[must_use]
    pub fn near(mask: Mask) -> Mask {
        Mask::Neighbour { faces: Face::ALL.to_vec(), mask: Box::new(mask) }
    }

    /// Mask of the voxels that a mask rejects.
    #[must_use]
    pub fn inverse(mask: Mask) -> Mask {
        Mask::Not(Box::new(mask))
    }

    /// Mask of the voxels that both masks accept.
    #[must_use]
    pub fn and(self, other: Mask) -> Mask {
        match (self, other) {
            (Mask::Any, mask) | (mask, Mask::Any) => mask,
            (Mask::All(mut masks), other) => {
                masks.push(other);
                Mask::All(masks)
            }
            (mask, other) => Mask::All(vec![mask, other]),
        }
    }

    /// True if the mask accepts voxels with this content, false if it rejects them; `None` if that
    /// depends on position or neighbours.
    #[must_use]
    pub fn accepts(&self, voxel: Voxel) -> Option<bool> {
        match self {
            Mask::Any => Some(true),
            Mask::Materials(materials) => Some(materials.contains(&voxel.material())),
            Mask::Voxels(voxels) => Some(voxels.contains(&voxel) || voxels.contains(&voxel.dry())),
            Mask::Wet => Some(voxel.is_wet()),
            Mask::Full => Some(voxel.is_full()),
            Mask::Not(mask) => mask.accepts(voxel).map(|accepts| !accepts),
            Mask::All(masks) => {
                masks.iter().try_fold(true, |all, mask| Some(all & mask.accepts(voxel)?))
            }
            Mask::AnyOf(masks) => {
                masks.iter().try_fold(false, |any, mask| Some(any | mask.accepts(voxel)?))
            }
            _ => None,
        }
    }

    /// True if the mask depends on content alone, so that [`Mask::accepts`] always decides.
    #[must_use]
    pub(crate) fn is_by_content(&self) -> bool {
        self.accepts(Voxel::AIR).is_some()
    }
}

#[cfg(test)]
mod tests;
