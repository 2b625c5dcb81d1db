//! Classes of materials for terrain operations: ground, plants, trunks and liquids.

use crate::edit::Mask;
use crate::voxel::{MaterialId, MaterialTable, Matter, Voxel};

/// Endings of the names of trunk materials, in this game and in Minecraft.
const TRUNK_ENDINGS: [&str; 4] = ["_log", "_wood", "_stem", "_hyphae"];
/// Names of trunk materials without such an ending.
const TRUNKS: [&str; 3] = ["cactus", "bamboo", "mangrove_roots"];
/// Parts of the names of tree crown materials.
const CROWNS: [&str; 7] =
    ["leaves", "bud_", "frond_", "wart_block", "shroomlight", "mushroom_block", "azalea"];

/// Materials of a map that terrain operations treat as ground, plants, trunks and liquids.
#[derive(Clone, PartialEq, Debug)]
pub struct GroundMaterials {
    /// Mask of the ground: solid materials except trunks and crowns of trees.
    pub ground: Mask,
    /// Plants and other small things, which move with the ground. Sorted.
    plants: Vec<MaterialId>,
    /// Trunks, which stay in place and are extended down to the ground. Sorted.
    trunks: Vec<MaterialId>,
    /// Liquids, which stay in place and are extended down to the ground. Sorted.
    liquids: Vec<MaterialId>,
}

impl GroundMaterials {
    /// Classifies the materials of a map by matter and name.
    #[must_use]
    pub fn from_materials(materials: &MaterialTable) -> GroundMaterials {
        let [mut ground, mut plants, mut trunks, mut liquids] = [const { Vec::new() }; 4];
        for (id, material) in materials.iter() {
            // Names may look like `minecraft:oak_log[axis=y]`.
            let name = material.name.split('[').next().unwrap_or_default();
            let name = name.rsplit(':').next().unwrap_or_default();
            let is_trunk =
                TRUNKS.contains(&name) || TRUNK_ENDINGS.iter().any(|ending| name.ends_with(ending));
            match material.matter {
                Matter::Plant => plants.push(id),
                Matter::Solid if is_trunk => trunks.push(id),
                Matter::Solid if CROWNS.iter().any(|crown| name.contains(crown)) => {}
                Matter::Solid => ground.push(id),
                Matter::Liquid => liquids.push(id),
                Matter::Gas => {}
            }
        }
        for ids in [&mut plants, &mut trunks, &mut liquids] {
            ids.sort_unstable();
        }
        GroundMaterials { ground: Mask::Materials(ground), plants, trunks, liquids }
    }

    /// Replaces the mask of the ground.
    #[must_use]
    pub fn with_ground(self, ground: Mask) -> GroundMaterials {
        GroundMaterials { ground, ..self }
    }

    /// True for plants.
    pub(super) fn is_plant(&self, voxel: Voxel) -> bool {
        self.plants.binary_search(&voxel.material()).is_ok()
    }

    /// True for liquids.
    pub(super) fn is_liquid(&self, voxel: Voxel) -> bool {
        self.liquids.binary_search(&voxel.material()).is_ok()
    }

    /// True for trunks.
    pub(super) fn is_trunk(&self, voxel: Voxel) -> bool {
        self.trunks.binary_search(&voxel.material()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_and_plants_are_no_ground() {
        let materials = MaterialTable::builtin();
        let terrain = GroundMaterials::from_materials(&materials);
        let of = |name: &str| Voxel::full(materials.find(name).expect(name));
        for (name, kinds) in [
            ("grass", [true, false, false]),
            ("snow", [true, false, false]),
            ("oak_planks", [true, false, false]),
            ("oak_log", [false, false, true]),
            ("cactus", [false, false, true]),
            ("oak_leaves_grown", [false, false, false]),
            ("tall_grass", [false, true, false]),
            ("torch", [false, true, false]),
            ("water", [false, false, false]),
        ] {
            let is_ground = terrain.ground.accepts(of(name)) == Some(true);
            assert_eq!(
                [is_ground, terrain.is_plant(of(name)), terrain.is_trunk(of(name))],
                kinds,
                "{name}"
            );
        }
    }
}
