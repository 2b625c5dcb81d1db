//! Liquid in voxels of other matter: the liquid of a voxel's third channel, and liquid that lies on
//! a low box and is drawn down to it.
//!
//! Boxes stand at the bottom of their voxel and the liquid on them. Ground and models leave the
//! liquid the whole voxel, up to the height that it has together with the matter.

use super::face_materials::{FaceMaterials, VoxelGeometry};
use super::face_surface::{FaceSurface, Stacked, height_of};
use super::quad::STEPS;
use crate::voxel::{Face, MaterialId, Voxel};

/// Liquid in a voxel of other matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Soaking {
    /// The liquid's material.
    pub material: MaterialId,
    /// Its lower edge, in sixteenths above the voxel's bottom.
    pub low: u8,
    /// Its upper edge, above the lower one.
    pub high: u8,
}

impl FaceMaterials {
    /// The liquid that touches the bottom of a voxel: a liquid's own, or the water of wet ground
    /// and models.
    pub(super) fn liquid_at_bottom(&self, voxel: Voxel) -> Option<MaterialId> {
        let traits = self.traits(voxel.material());
        if traits.liquid {
            return Some(voxel.material());
        }
        let is_box = traits.geometry == VoxelGeometry::Cube;
        self.water().filter(|_| voxel.is_wet() && !is_box)
    }

    /// True if the voxel fills the same liquid or wire below it.
    pub(super) fn fills_below(&self, voxel: Voxel) -> bool {
        self.traits(voxel.material()).stacks() || self.liquid_at_bottom(voxel).is_some()
    }
}

impl Stacked {
    /// The liquid in the voxel; `None` if it has none, is a liquid itself, or if no sixteenth of it
    /// is visible.
    pub(super) fn soaking(self, materials: &FaceMaterials) -> Option<Soaking> {
        let traits = materials.traits(self.voxel.material());
        let low = match traits.geometry {
            VoxelGeometry::Nothing => return None,
            _ if traits.liquid => return None,
            VoxelGeometry::Cube => self.height(materials),
            VoxelGeometry::Ground | VoxelGeometry::Model => 0,
        };
        let above = materials.liquid_at_bottom(self.above);
        if let Some(material) = materials.water().filter(|_| self.voxel.is_wet()) {
            let is_covered = above == Some(material);
            let high = if is_covered { STEPS } else { height_of(self.voxel.parts()) };
            if low < high {
                return Some(Soaking { material, low, high });
            }
        }
        let is_low_box = traits.geometry == VoxelGeometry::Cube && low < STEPS;
        let material = above.filter(|_| is_low_box)?;
        Some(Soaking { material, low, high: STEPS })
    }
}

/// Face of the liquid in the voxel `here`, towards `there`; `None` if it is hidden or there is no
/// such liquid.
pub(super) fn soaking_surface(
    materials: &FaceMaterials,
    face: Face,
    here: Stacked,
    there: Stacked,
) -> Option<FaceSurface> {
    let Soaking { material, low, high } = here.soaking(materials)?;
    let traits = materials.traits(material);
    if face == Face::Up {
        return top(materials, material, high, there);
    }
    let covered = there.covered(materials, face, material, traits).height.unwrap_or(0);
    if face == Face::Down {
        return (low == 0 && covered < STEPS).then(|| FaceSurface::new(traits, face, 0, 0));
    }
    // Of two liquids, one makes the face between them.
    if there.soaking(materials).is_some_and(|other| {
        let is_same_pass = materials.traits(other.material).pass == traits.pass;
        is_same_pass && other.material < material
    }) {
        return None;
    }
    let low = low.max(covered);
    (low < high).then(|| FaceSurface::new(traits, face, low, high))
}

/// Top face of a liquid at `high` sixteenths; `None` if the voxel above hides it.
pub(super) fn top(
    materials: &FaceMaterials,
    liquid: MaterialId,
    high: u8,
    above: Stacked,
) -> Option<FaceSurface> {
    let traits = materials.traits(liquid);
    let is_covered = above.covered(materials, Face::Up, liquid, traits).height.is_some();
    (high < STEPS || !is_covered).then(|| FaceSurface::new(traits, Face::Up, high, high))
}
