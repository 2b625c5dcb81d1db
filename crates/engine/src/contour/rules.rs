//! Readers of the contour: how voxels count, and how materials shape it.

use super::materials::ContourMaterials;
use super::voxel::ContourVoxel;
use crate::voxel::{MaterialId, MaterialTable, SurfaceRule, Voxel};

/// A source of contour voxels and surface rules.
///
/// [`ContourMaterials`] answers fastest, for whole chunks. A [`MaterialTable`] needs no second
/// table, for rays and bodies, which read few voxels.
pub trait ContourRules {
    /// True if any material is ground. If not, there is no surface anywhere.
    fn any_ground(&self) -> bool;
    /// The voxel as the contour sees it.
    fn contour_voxel(&self, voxel: Voxel) -> ContourVoxel;
    /// The rule of a material; `Cube` for all that is no ground.
    fn surface_rule(&self, material: MaterialId) -> SurfaceRule;
}

impl ContourRules for ContourMaterials {
    fn any_ground(&self) -> bool {
        self.any_ground()
    }

    #[inline]
    fn contour_voxel(&self, voxel: Voxel) -> ContourVoxel {
        self.voxel(voxel)
    }

    #[inline]
    fn surface_rule(&self, material: MaterialId) -> SurfaceRule {
        self.rule(material)
    }
}

impl ContourRules for MaterialTable {
    fn any_ground(&self) -> bool {
        self.has_smooth()
    }

    #[inline]
    fn contour_voxel(&self, voxel: Voxel) -> ContourVoxel {
        ContourVoxel::new(voxel, self.get(voxel.material()))
    }

    #[inline]
    fn surface_rule(&self, material: MaterialId) -> SurfaceRule {
        self.get(material)
            .filter(|material| material.is_smooth())
            .map_or(SurfaceRule::Cube, |m| m.surface)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Material, Matter};

    #[test]
    fn table_answers_as_the_contour_materials_made_from_it() {
        let mut table = MaterialTable::builtin();
        assert!(!ContourRules::any_ground(&table));
        for (name, surface, matter) in [
            ("hill", SurfaceRule::Smooth, Matter::Solid),
            ("scree", SurfaceRule::Rough(40), Matter::Solid),
            ("mist", SurfaceRule::Smooth, Matter::Gas),
        ] {
            table.add(Material { surface, matter, ..Material::plain(name, [9; 3]) }).unwrap();
        }
        let materials = ContourMaterials::new(&table);
        assert!(ContourRules::any_ground(&table) && materials.any_ground());
        for id in 0..table.len() as MaterialId + 2 {
            assert_eq!(table.surface_rule(id), materials.rule(id));
            for voxel in [0, 80, 127, 255].map(|occupancy| Voxel::new(id, occupancy)) {
                assert_eq!(table.contour_voxel(voxel), materials.voxel(voxel), "{voxel:?}");
            }
        }
        assert_eq!(table.contour_voxel(Voxel::NOT_LOADED), ContourVoxel::EMPTY);
    }

    #[test]
    fn changed_surface_makes_and_ends_ground() {
        let mut table = MaterialTable::builtin();
        let dirt = table.find("dirt").unwrap();
        table.set_surface(dirt, SurfaceRule::Smooth).unwrap();
        assert!(ContourRules::any_ground(&table));
        table.set_surface(dirt, SurfaceRule::Cube).unwrap();
        assert!(!ContourRules::any_ground(&table));
    }
}
