//! Luanti's names of nodes to voxels.
//!
//! Nodes are made by mods, and a schematic has their names only. Those of Minetest Game (`default:...`) that are what a block of
//! Minecraft's is become what that becomes; all others keep their name, with a colour and form told from its words.
//! How full a node is shows in two kinds of name: slabs, and liquids that flow. What other kinds make of their last byte
//! (`leveled` nodes) is known to the mod alone, and is not read.

use crate::exchange::minecraft::blocks::{Blocks, Properties, State};
use crate::exchange::minecraft::look::look;
use crate::voxel::Voxel;

/// Names longer than this are not read; a map stores each name.
const LONGEST_NAME: usize = 256;

/// Nodes of the mod `default`, and of others by their full names: the block that is the same.
const SAME: &[(&str, &str)] = &[
    ("stone", "stone"),
    ("cobble", "cobblestone"),
    ("mossycobble", "mossy_cobblestone"),
    ("stonebrick", "stone_bricks"),
    ("desert_stone", "red_sandstone"),
    ("sandstone", "sandstone"),
    ("desert_sandstone", "sandstone"),
    ("obsidian", "obsidian"),
    ("dirt", "dirt"),
    ("dry_dirt", "dirt"),
    ("dirt_with_grass", "grass_block"),
    ("dirt_with_rainforest_litter", "podzol"),
    ("dirt_with_coniferous_litter", "podzol"),
    ("sand", "sand"),
    ("silver_sand", "sand"),
    ("desert_sand", "red_sand"),
    ("gravel", "gravel"),
    ("clay", "clay"),
    ("snowblock", "snow_block"),
    ("ice", "ice"),
    ("cave_ice", "ice"),
    ("tree", "oak_log"),
    ("wood", "oak_planks"),
    ("leaves", "oak_leaves"),
    ("bush_leaves", "oak_leaves"),
    ("bush_stem", "oak_log"),
    ("sapling", "oak_sapling"),
    ("jungletree", "jungle_log"),
    ("junglewood", "jungle_planks"),
    ("jungleleaves", "jungle_leaves"),
    ("junglesapling", "jungle_sapling"),
    ("junglegrass", "tall_grass"),
    ("pine_tree", "spruce_log"),
    ("pine_wood", "spruce_planks"),
    ("pine_needles", "spruce_leaves"),
    ("pine_sapling", "spruce_sapling"),
    ("acacia_tree", "acacia_log"),
    ("acacia_wood", "acacia_planks"),
    ("acacia_leaves", "acacia_leaves"),
    ("aspen_tree", "birch_log"),
    ("aspen_wood", "birch_planks"),
    ("aspen_leaves", "birch_leaves"),
    ("stone_with_coal", "coal_ore"),
    ("stone_with_iron", "iron_ore"),
    ("stone_with_copper", "copper_ore"),
    ("stone_with_gold", "gold_ore"),
    ("stone_with_diamond", "diamond_ore"),
    ("coalblock", "coal_block"),
    ("steelblock", "iron_block"),
    ("copperblock", "copper_block"),
    ("goldblock", "gold_block"),
    ("diamondblock", "diamond_block"),
    ("cactus", "cactus"),
    ("papyrus", "sugar_cane"),
    ("dry_shrub", "dead_bush"),
    ("grass_1", "short_grass"),
    ("grass_2", "short_grass"),
    ("grass_3", "short_grass"),
    ("grass_4", "short_grass"),
    ("grass_5", "short_grass"),
    ("fern_1", "fern"),
    ("fern_2", "fern"),
    ("fern_3", "fern"),
    ("bookshelf", "bookshelf"),
    ("brick", "bricks"),
    ("glass", "glass"),
    ("torch", "torch"),
    ("torch_wall", "wall_torch"),
    ("ladder_wood", "ladder"),
    ("chest", "chest"),
    ("furnace", "furnace"),
    ("lava_source", "lava"),
    ("lava_flowing", "lava"),
    ("water_source", "water"),
    ("water_flowing", "water"),
    ("river_water_source", "water"),
    ("river_water_flowing", "water"),
    ("flowers:rose", "poppy"),
    ("flowers:dandelion_yellow", "dandelion"),
    ("flowers:geranium", "cornflower"),
    ("flowers:mushroom_brown", "brown_mushroom"),
    ("farming:straw", "hay_block"),
    ("wool:white", "white_wool"),
    ("wool:red", "red_wool"),
    ("wool:orange", "orange_wool"),
    ("wool:yellow", "yellow_wool"),
    ("wool:green", "lime_wool"),
    ("wool:dark_green", "green_wool"),
    ("wool:blue", "blue_wool"),
    ("wool:violet", "purple_wool"),
    ("wool:black", "black_wool"),
    ("wool:grey", "light_gray_wool"),
    ("wool:dark_grey", "gray_wool"),
    ("wool:brown", "brown_wool"),
    ("wool:cyan", "cyan_wool"),
    ("wool:magenta", "magenta_wool"),
    ("wool:pink", "pink_wool"),
];

/// What a node's last byte says of it.
#[derive(Clone, Copy, Debug)]
enum Rule {
    Nothing,
    /// Which way it is turned: it lies at the bottom, hangs at the top, or stands at a side.
    Slab,
    /// How high it stands.
    Flowing,
}

/// A kind of node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    voxel: Voxel,
    rule: Rule,
}

impl Node {
    /// The node of this name.
    ///
    /// # Errors
    /// The name is too long, or there are too many materials.
    pub(super) fn new(name: &str, blocks: &mut Blocks) -> Result<Node, String> {
        if name.is_empty() || name.len() > LONGEST_NAME {
            return Err(format!("a node's name is {} bytes long", name.len()));
        }
        if ["air", "ignore", "vacuum:vacuum"].contains(&name) {
            return Ok(Node { voxel: Voxel::AIR, rule: Rule::Nothing });
        }
        let short = name.strip_prefix("default:").unwrap_or(name);
        let (mod_name, words) = name.split_once(':').unwrap_or(("", name));
        let rule = match words {
            _ if words.starts_with("slab_") || words.ends_with("_slab") => Rule::Slab,
            _ if short.ends_with("water_flowing") || short.ends_with("lava_flowing") => Rule::Flowing,
            _ => Rule::Nothing,
        };
        let state = |name: &str, blocks: &mut Blocks| {
            // Thin snow is a quarter of a node high.
            let properties = Some(Box::new(Properties { layers: Some("2".into()), ..Properties::default() }));
            blocks.state(&State { name: format!("minecraft:{name}").into(), properties })
        };
        let voxel = match SAME.iter().find(|(theirs, _)| *theirs == short) {
            Some((_, same)) => state(same, blocks)?,
            None if short == "snow" => state("snow", blocks)?,
            None => {
                // `stairs:slab_stone` looks as the block stone_slab, `wool:teal` as teal_wool.
                let form = ["slab_", "stair_", "stair_inner_", "stair_outer_"]
                    .iter()
                    .find_map(|form| words.strip_prefix(form));
                let words = form.map(block_of).unwrap_or(words);
                let looks = if mod_name == "wool" { format!("{words}_wool") } else { words.to_owned() };
                let (mut material, occupancy) = look(&format!("minecraft:{looks}"));
                if material.tint == crate::voxel::Material::unknown(&format!("minecraft:{looks}")).tint {
                    material.tint = crate::voxel::Material::unknown(name).tint;
                }
                material.name = name.to_owned();
                Voxel::new(blocks.add(material)?, occupancy)
            }
        };
        Ok(Node { voxel, rule })
    }

    /// Its voxel, with this last byte.
    pub(super) fn voxel(&self, param2: u8) -> Voxel {
        let of = |eighths: u8| Voxel::new(self.voxel.material(), (u16::from(eighths) * 32 - 1) as u8);
        match self.rule {
            // Six axes, four turns each; axis 0 is upright.
            Rule::Slab if param2 & 31 < 4 => of(4),
            // The fourth bit says that it falls.
            Rule::Flowing if param2 & 8 == 0 => of((param2 & 7) + 1),
            _ => self.voxel,
        }
    }
}

/// The block that the words of a stair or slab name: those of `default`, by the table.
fn block_of(words: &str) -> &str {
    SAME.iter().find(|(theirs, _)| *theirs == words).map_or(words, |(_, same)| same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, param2: u8) -> (String, u8, [u8; 3]) {
        let mut blocks = Blocks::new();
        let voxel = Node::new(name, &mut blocks).unwrap().voxel(param2);
        let material = blocks.materials().get(voxel.material()).unwrap();
        (material.name.clone(), voxel.occupancy(), material.tint)
    }

    #[test]
    fn names_become_ours_or_stay() {
        for (name, ours, occupancy) in [
            ("air", "air", 0),
            ("ignore", "air", 0),
            ("default:stone", "stone", 255),
            ("default:dirt_with_grass", "grass", 255),
            ("default:water_source", "water", 255),
            ("default:wood", "oak_planks", 255),
            ("default:tree", "oak_log", 255),
            ("default:glass", "glass", 255),
            ("default:snow", "snow", 63),
            ("default:junglewood", "minecraft:jungle_planks", 255),
            ("wool:violet", "wool_purple", 255),
            ("mymod:stone", "mymod:stone", 255),
            ("default:nyan", "default:nyan", 255),
        ] {
            let (name_is, filled, _) = of(name, 0);
            assert_eq!((&*name_is, filled), (ours, occupancy), "{name}");
        }
        let (stone, unknown) = (of("mymod:diorite", 0).2, of("mymod:gork", 0).2);
        assert_eq!(stone, look("minecraft:diorite").0.tint);
        assert_eq!(unknown, crate::voxel::Material::unknown("mymod:gork").tint);
    }

    #[test]
    fn every_entry_of_the_table_is_a_block() {
        for (theirs, same) in SAME {
            let name = if theirs.contains(':') { (*theirs).to_owned() } else { format!("default:{theirs}") };
            let material = of(&name, 0);
            assert!(!material.0.starts_with("minecraft:") || look(&material.0).0.tint == material.2, "{theirs}");
            assert_ne!(material.2, crate::voxel::Material::unknown(&format!("minecraft:{same}")).tint, "{theirs}");
        }
        let mut names: Vec<_> = SAME.iter().map(|(theirs, _)| theirs).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SAME.len(), "none is twice");
    }

    #[test]
    fn the_last_byte_says_how_full() {
        // Upright in all four turns; upside down; on its side.
        assert_eq!([0, 3, 20, 4, 12].map(|p| of("stairs:slab_stone", p).1), [127, 127, 255, 255, 255]);
        assert_eq!(of("stairs:slab_cobble", 0).2, look("minecraft:cobblestone").0.tint);
        assert_eq!(of("stairs:slab_cobble", 0).0, "stairs:slab_cobble");
        assert_eq!([0, 3, 7, 15].map(|p| of("default:water_flowing", p).1), [31, 127, 255, 255]);
        assert_eq!(of("default:stone", 3).1, 255);
    }

    #[test]
    fn names_that_cannot_be() {
        assert!(Node::new("", &mut Blocks::new()).is_err());
        assert!(Node::new(&"x".repeat(257), &mut Blocks::new()).is_err());
    }
}
