//! What is ground, and what stands on it.

use crate::edit::Mask;
use crate::voxel::{MaterialId, MaterialTable, Matter, Voxel};

/// Endings of the names of trunks, in this game and in Minecraft.
const TRUNKS: [&str; 7] = ["_log", "_wood", "_stem", "_hyphae", "cactus", "bamboo", "mangrove_roots"];
/// Parts of the names of crowns.
const CROWNS: [&str; 7] = ["leaves", "bud_", "frond_", "wart_block", "shroomlight", "mushroom_block", "azalea"];

/// What is ground, and what stands on it and follows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Terrain {
    /// The ground: neither liquids nor plants, and no trees.
    pub ground: Mask,
    /// Plants and other small things, which stay on the ground. Sorted.
    plants: Vec<MaterialId>,
    /// Trunks, which stay where they are and reach down to the ground. Sorted.
    trunks: Vec<MaterialId>,
}

impl Terrain {
    /// The terrain of a map with these materials.
    #[must_use]
    pub fn from_materials(materials: &MaterialTable) -> Terrain {
        let (mut ground, mut plants, mut trunks) = (Vec::new(), Vec::new(), Vec::new());
        for (id, material) in materials.iter() {
            // `minecraft:oak_log[axis=y]`.
            let name = material.name.split('[').next().unwrap_or_default();
            match material.matter {
                Matter::Plant => plants.push(id),
                Matter::Solid if TRUNKS.iter().any(|trunk| name.ends_with(trunk)) => trunks.push(id),
                Matter::Solid if CROWNS.iter().any(|crown| name.contains(crown)) => {}
                Matter::Solid => ground.push(id),
                Matter::Gas | Matter::Liquid => {}
            }
        }
        [&mut plants, &mut trunks].into_iter().for_each(|ids| ids.sort_unstable());
        Terrain { ground: Mask::Materials(ground), plants, trunks }
    }

    /// The same with other ground.
    #[must_use]
    pub fn with_ground(self, ground: Mask) -> Terrain {
        Terrain { ground, ..self }
    }

    /// True for what stays on the ground.
    pub(super) fn is_plant(&self, voxel: Voxel) -> bool {
        self.plants.binary_search(&voxel.material()).is_ok()
    }

    /// True for what reaches down to the ground.
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
        let terrain = Terrain::from_materials(&materials);
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
            assert_eq!([is_ground, terrain.is_plant(of(name)), terrain.is_trunk(of(name))], kinds, "{name}");
        }
    }
}
