//! Block numbers of Classic.

use crate::minecraft::block_error::BlockError;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::block_state::{BlockProperties, BlockState};
use stonerun_engine::voxel::Voxel;

/// Names of Classic's 50 blocks and of the 16 blocks of the clients' "custom blocks" extension. The
/// namespace `classic` holds cloth colours that no later version has.
const NAMES: [&str; 66] = [
    "minecraft:air",
    "minecraft:stone",
    "minecraft:grass_block",
    "minecraft:dirt",
    "minecraft:cobblestone",
    "minecraft:oak_planks",
    "minecraft:oak_sapling",
    "minecraft:bedrock",
    "minecraft:water",
    "minecraft:water",
    "minecraft:lava",
    "minecraft:lava",
    "minecraft:sand",
    "minecraft:gravel",
    "minecraft:gold_ore",
    "minecraft:iron_ore",
    "minecraft:coal_ore",
    "minecraft:oak_log",
    "minecraft:oak_leaves",
    "minecraft:sponge",
    "minecraft:glass",
    "minecraft:red_wool",
    "minecraft:orange_wool",
    "minecraft:yellow_wool",
    "minecraft:lime_wool",
    "minecraft:green_wool",
    "classic:teal_wool",
    "classic:aqua_wool",
    "minecraft:cyan_wool",
    "minecraft:blue_wool",
    "classic:indigo_wool",
    "minecraft:purple_wool",
    "minecraft:magenta_wool",
    "minecraft:pink_wool",
    "minecraft:black_wool",
    "minecraft:gray_wool",
    "minecraft:white_wool",
    "minecraft:dandelion",
    "minecraft:poppy",
    "minecraft:brown_mushroom",
    "minecraft:red_mushroom",
    "minecraft:gold_block",
    "minecraft:iron_block",
    "minecraft:smooth_stone",
    "minecraft:smooth_stone_slab",
    "minecraft:bricks",
    "minecraft:tnt",
    "minecraft:bookshelf",
    "minecraft:mossy_cobblestone",
    "minecraft:obsidian",
    "minecraft:cobblestone_slab",
    "classic:rope",
    "minecraft:sandstone",
    "minecraft:snow",
    "minecraft:fire",
    "classic:light_pink_wool",
    "classic:forest_green_wool",
    "minecraft:brown_wool",
    "classic:deep_blue_wool",
    "classic:turquoise_wool",
    "minecraft:ice",
    "classic:ceramic_tile",
    "minecraft:magma_block",
    "minecraft:quartz_pillar",
    "classic:crate",
    "minecraft:stone_bricks",
];

/// The voxel of the block with this number; `None` if neither Classic nor the extension has it.
///
/// # Errors
/// The number of materials exceeds its limit.
pub(super) fn voxel(blocks: &mut BlockMapper, id: u16) -> Result<Option<Voxel>, BlockError> {
    let Some(&name) = NAMES.get(usize::from(id)) else { return Ok(None) };
    // Snow is a quarter of a block high.
    let is_snow = name == "minecraft:snow";
    let properties = is_snow.then(|| Box::new(BlockProperties::new([("layers", "2")])));
    blocks.voxel_for_state(&BlockState { name: name.into(), properties }).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_has_a_coloured_voxel() {
        let mut blocks = BlockMapper::new();
        let mut material_of = |id: u16| {
            let voxel = voxel(&mut blocks, id).unwrap()?;
            Some((blocks.materials().get(voxel.material()).unwrap().clone(), voxel.occupancy()))
        };
        for (id, name, occupancy) in [
            (0, "air", 0),
            (1, "stone", 255),
            (2, "grass", 255),
            (8, "water", 255),
            (11, "lava", 255),
            (28, "minecraft:cyan_wool", 255),
            (36, "wool_white", 255),
            (44, "minecraft:smooth_stone_slab", 127),
            (49, "obsidian", 255),
            (50, "minecraft:cobblestone_slab", 127),
            (53, "snow", 63),
            (65, "stone_bricks", 255),
        ] {
            let (material, filled) = material_of(id).unwrap();
            assert_eq!((&*material.name, filled), (name, occupancy), "{id}");
        }
        assert!(material_of(66).is_none());
        // The tables have a colour for every name.
        for id in 1..66 {
            let (material, _) = material_of(id).unwrap();
            assert_ne!(
                material.tint,
                stonerun_engine::voxel::Material::unknown(&material.name).tint,
                "{}",
                material.name
            );
        }
    }
}
