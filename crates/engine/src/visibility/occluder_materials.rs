//! The materials of a map, by how their voxels block the view.

use crate::contour::ContourMaterials;
use crate::voxel::{MaterialTable, Voxel};

/// Way in which a material's voxels block the view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OccluderRole {
    /// Not at all.
    None,
    /// Full voxels do.
    Cube,
    /// Voxels of smooth ground that are at least half full do, if all around them are ground or
    /// cubes.
    Ground,
}

/// The occluding materials of a table. Build a new one when the table grows or a surface changes.
#[derive(Clone, Debug, Default)]
pub struct OccluderMaterials {
    roles: Vec<OccluderRole>,
    contour: ContourMaterials,
}

impl OccluderMaterials {
    /// The occluding materials of a table.
    #[must_use]
    pub fn new(table: &MaterialTable) -> OccluderMaterials {
        let contour = ContourMaterials::new(table);
        let role = |id| match (table.is_opaque(id), contour.is_ground(Voxel::full(id))) {
            (false, _) => OccluderRole::None,
            (true, false) => OccluderRole::Cube,
            (true, true) => OccluderRole::Ground,
        };
        OccluderMaterials { roles: table.iter().map(|(id, _)| role(id)).collect(), contour }
    }

    /// True if any material is smooth ground, so that occluders depend on the chunks around.
    #[must_use]
    pub fn any_ground(&self) -> bool {
        self.contour.any_ground()
    }

    /// True if the materials that both tables have block the view in the same way.
    #[must_use]
    pub fn agree_with(&self, other: &OccluderMaterials) -> bool {
        self.roles.iter().zip(&other.roles).all(|(one, other)| one == other)
    }

    /// True for full opaque voxels that are drawn as cubes.
    #[must_use]
    pub fn is_cube(&self, voxel: Voxel) -> bool {
        voxel.is_full() && self.role(voxel) == OccluderRole::Cube
    }

    /// True for voxels that no surface of the ground crosses if all voxels around them are solid,
    /// too: cubes, and opaque smooth ground that is at least half full.
    #[must_use]
    pub fn is_solid(&self, voxel: Voxel) -> bool {
        match self.role(voxel) {
            OccluderRole::None => false,
            OccluderRole::Cube => voxel.is_full(),
            OccluderRole::Ground => self.contour.voxel(voxel).is_inside(),
        }
    }

    /// The role of the voxel's material. Unknown materials are drawn as cubes.
    fn role(&self, voxel: Voxel) -> OccluderRole {
        match self.roles.get(usize::from(voxel.material())) {
            Some(role) => *role,
            None if voxel == Voxel::NOT_LOADED => OccluderRole::None,
            None => OccluderRole::Cube,
        }
    }
}
