//! Block states to voxels: which material, and how full.
//!
//! A block with a counterpart among the game's own materials becomes that; every other one becomes a material named
//! after it. Of a block's properties only those are read that say how much of the voxel is filled, and whether grass is
//! under snow; which way a stair faces has no place in a voxel.
//!
//! Two decisions. An upper slab becomes a full voxel: a half one would lie at the voxel's bottom, and open a gap
//! where there is none. And what grows or stands under water as crossed sheets (kelp, coral) becomes water: as a plant it
//! would be a hole in the sea.

use super::{look, names, numeric};
use crate::voxel::{Material, MaterialId, MaterialTable, Matter, Voxel};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::borrow::Cow;

/// Names longer than this are not read; a map stores each name.
pub(in crate::exchange) const LONGEST_NAME: usize = 256;

/// Blocks that are nothing, seen from outside the game's code.
const AIR: [&str; 7] = ["air", "cave_air", "void_air", "structure_void", "light", "barrier", "moving_piston"];

/// Ours, and the blocks that are that.
const COUNTERPARTS: &[(&str, &[&str])] = &[
    ("stone", &["stone", "infested_stone"]),
    ("deepstone", &["deepslate", "infested_deepslate"]),
    ("granite", &["granite"]),
    ("basalt", &["basalt", "smooth_basalt"]),
    ("sandstone", &["sandstone"]),
    ("dirt", &["dirt"]),
    ("grass", &["grass_block"]),
    ("sand", &["sand", "suspicious_sand"]),
    ("red_sand", &["red_sand"]),
    ("gravel", &["gravel", "suspicious_gravel"]),
    ("clay", &["clay"]),
    ("snow", &["snow", "snow_block", "powder_snow"]),
    ("ice", &["ice", "frosted_ice"]),
    ("water", &["water", "bubble_column", "kelp", "kelp_plant", "seagrass", "tall_seagrass"]),
    ("lava", &["lava"]),
    ("coal_ore", &["coal_ore"]),
    ("iron_ore", &["iron_ore"]),
    ("copper_ore", &["copper_ore"]),
    ("gold_ore", &["gold_ore"]),
    ("oak_log", &["oak_log", "oak_wood"]),
    ("oak_leaves", &["oak_leaves"]),
    ("pine_log", &["spruce_log", "spruce_wood"]),
    ("pine_leaves", &["spruce_leaves"]),
    ("birch_log", &["birch_log", "birch_wood"]),
    ("birch_leaves", &["birch_leaves"]),
    ("cactus", &["cactus"]),
    ("tall_grass", &["grass", "short_grass", "tall_grass", "fern", "large_fern"]),
    ("flower_red", &["poppy"]),
    ("flower_yellow", &["dandelion"]),
    ("flower_blue", &["cornflower"]),
    ("dead_bush", &["dead_bush"]),
    ("mushroom", &["brown_mushroom"]),
    ("reeds", &["sugar_cane"]),
    ("cobblestone", &["cobblestone", "infested_cobblestone"]),
    ("mossy_cobblestone", &["mossy_cobblestone"]),
    ("stone_bricks", &["stone_bricks", "infested_stone_bricks"]),
    ("bricks", &["bricks"]),
    ("oak_planks", &["oak_planks"]),
    ("pine_planks", &["spruce_planks"]),
    ("birch_planks", &["birch_planks"]),
    ("glass", &["glass"]),
    ("obsidian", &["obsidian"]),
    ("thatch", &["hay_block"]),
    ("bookshelf", &["bookshelf"]),
    ("iron_block", &["iron_block"]),
    ("gold_block", &["gold_block"]),
    ("wool_white", &["white_wool"]),
    ("wool_red", &["red_wool"]),
    ("wool_orange", &["orange_wool"]),
    ("wool_yellow", &["yellow_wool"]),
    ("wool_green", &["green_wool"]),
    ("wool_blue", &["blue_wool"]),
    ("wool_purple", &["purple_wool"]),
    ("wool_black", &["black_wool"]),
];

/// The block that a material of ours is the counterpart of, without `minecraft:`; the first, where there are several.
pub(super) fn counterpart(material: &str) -> Option<&'static str> {
    match material {
        // Under snow it is the same block with another property.
        "snowy_grass" => Some("grass_block"),
        _ => COUNTERPARTS.iter().find(|(ours, _)| *ours == material).map(|(_, theirs)| theirs[0]),
    }
}

/// An entry of a section's palette.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "PascalCase")]
pub(in crate::exchange) struct State<'a> {
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// In a box: most have none, and a hostile palette has a million entries.
    pub properties: Option<Box<Properties>>,
}

/// The properties that matter to a voxel, as the file spells them. A `Box<str>` is smaller than a `String`: a hostile file
/// has hundreds of thousands of these, all empty.
#[derive(Deserialize, Default, Debug)]
pub(in crate::exchange) struct Properties {
    /// Of slabs: `bottom`, `top` or `double`.
    pub r#type: Option<Box<str>>,
    /// Of snow: 1 to 8.
    pub layers: Option<Box<str>>,
    /// Of liquids: 0 for a spring, 1 to 7 the further from it, 8 and more falling.
    pub level: Option<Box<str>>,
    /// Of grass: `true` under snow.
    pub snowy: Option<Box<str>>,
    /// Of what can be under water: `true` if it is.
    pub waterlogged: Option<Box<str>>,
}

impl Properties {
    /// The property of this name, if it is one that matters.
    pub(in crate::exchange) fn named(&mut self, name: &str) -> Option<&mut Option<Box<str>>> {
        match name {
            "type" => Some(&mut self.r#type),
            "layers" => Some(&mut self.layers),
            "level" => Some(&mut self.level),
            "snowy" => Some(&mut self.snowy),
            "waterlogged" => Some(&mut self.waterlogged),
            _ => None,
        }
    }
}

/// How a block's properties become its occupancy.
#[derive(Clone, Copy, Debug)]
enum Rule {
    Fixed(u8),
    Slab,
    Layers,
    Liquid,
    /// Under snow it is this material.
    Snowy(MaterialId),
    /// Under water it is this material.
    Plant(MaterialId),
}

/// The voxels of block states met so far, and the materials they need.
pub(in crate::exchange) struct Blocks {
    materials: MaterialTable,
    known: FxHashMap<String, (MaterialId, Rule)>,
    counterparts: FxHashMap<&'static str, &'static str>,
    /// By `id << 4 | data`.
    numbered: FxHashMap<u16, Voxel>,
}

/// True for the full names of blocks that are air to us.
pub(in crate::exchange) fn is_air(name: &str) -> bool {
    name.strip_prefix("minecraft:").is_some_and(|short| AIR.contains(&short))
}

impl Blocks {
    pub(in crate::exchange) fn new() -> Blocks {
        let counterparts = COUNTERPARTS.iter().flat_map(|(ours, theirs)| theirs.iter().map(|name| (*name, *ours)));
        Blocks {
            materials: MaterialTable::builtin(),
            known: FxHashMap::default(),
            counterparts: counterparts.collect(),
            numbered: FxHashMap::default(),
        }
    }

    /// The voxel of a block state.
    ///
    /// # Errors
    /// The name is too long, or there are too many materials.
    pub(in crate::exchange) fn state(&mut self, state: &State) -> Result<Voxel, String> {
        let (material, rule) = self.kind(&state.name)?;
        let none = Properties::default();
        let Properties { r#type, layers, level, snowy, waterlogged } = state.properties.as_deref().unwrap_or(&none);
        let number = |text: &Option<Box<str>>| text.as_ref().and_then(|t| t.parse::<u8>().ok());
        Ok(match rule {
            Rule::Fixed(occupancy) => Voxel::new(material, occupancy),
            Rule::Slab if r#type.as_deref() == Some("bottom") => Voxel::new(material, eighths(4)),
            Rule::Slab => Voxel::full(material),
            Rule::Layers => Voxel::new(material, eighths(number(layers).unwrap_or(1).clamp(1, 8))),
            Rule::Liquid => match number(level) {
                Some(level @ 1..=7) => Voxel::new(material, eighths(8 - level)),
                _ => Voxel::full(material),
            },
            Rule::Snowy(under_snow) => {
                Voxel::full(if snowy.as_deref() == Some("true") { under_snow } else { material })
            }
            Rule::Plant(water) => Voxel::full(if waterlogged.as_deref() == Some("true") { water } else { material }),
        })
    }

    /// The voxel of a block before 1.13: its number (0 to 4095) and four bits of data.
    ///
    /// # Errors
    /// There are too many materials.
    pub(in crate::exchange) fn numbered(&mut self, id: u16, data: u8) -> Result<Voxel, String> {
        let key = id << 4 | u16::from(data & 15);
        if let Some(&voxel) = self.numbered.get(&key) {
            return Ok(voxel);
        }
        let slab = if data & 8 == 0 && !numeric::is_double_slab(id) { "bottom" } else { "top" };
        let properties = Some(Box::new(Properties {
            r#type: Some(slab.into()),
            layers: Some((data % 8 + 1).to_string().into()),
            level: Some(data.to_string().into()),
            ..Properties::default()
        }));
        let voxel = self.state(&State { name: numeric::name(id, data).into(), properties })?;
        self.numbered.insert(key, voxel);
        Ok(voxel)
    }

    fn kind(&mut self, name: &str) -> Result<(MaterialId, Rule), String> {
        if let Some(&kind) = self.known.get(name) {
            return Ok(kind);
        }
        let kind = self.new_kind(name)?;
        self.known.insert(name.to_owned(), kind);
        Ok(kind)
    }

    fn new_kind(&mut self, name: &str) -> Result<(MaterialId, Rule), String> {
        let own = names::material_of(name);
        let length = own.as_deref().unwrap_or(name).len();
        if length == 0 || length > LONGEST_NAME {
            return Err(format!("a block's name is {length} bytes long"));
        }
        if let Some(own) = own {
            let material = Material::unknown(&own);
            return Ok((self.materials.add(material).map_err(|e| e.to_string())?, Rule::Fixed(255)));
        }
        if is_air(name) {
            return Ok((0, Rule::Fixed(0)));
        }
        let short = name.strip_prefix("minecraft:");
        let own = short.and_then(|short| self.counterparts.get(short)).and_then(|own| self.materials.find(own));
        let (material, occupancy) = match own {
            Some(own) => (own, 255),
            None => {
                let (material, occupancy) = look::look(name);
                (self.add(material)?, occupancy)
            }
        };
        let rule = match short {
            Some("water" | "lava") => Rule::Liquid,
            Some("snow") => Rule::Layers,
            Some("grass_block") => self.materials.find("snowy_grass").map_or(Rule::Fixed(255), Rule::Snowy),
            _ if name.ends_with("_slab") => Rule::Slab,
            _ if self.materials.get(material).is_some_and(|m| m.matter == Matter::Plant) => {
                self.materials.find("water").map_or(Rule::Fixed(occupancy), Rule::Plant)
            }
            _ => Rule::Fixed(occupancy),
        };
        Ok((material, rule))
    }

    /// The material for a block that a file describes itself.
    ///
    /// # Errors
    /// There are too many materials.
    pub(in crate::exchange) fn add(&mut self, material: Material) -> Result<MaterialId, String> {
        self.materials.add(material).map_err(|e| e.to_string())
    }

    /// The materials, the game's own first.
    pub(in crate::exchange) fn materials(&self) -> &MaterialTable {
        &self.materials
    }

    pub(in crate::exchange) fn into_materials(self) -> MaterialTable {
        self.materials
    }
}

/// The occupancy that is `n` eighths (1 to 8).
const fn eighths(n: u8) -> u8 {
    (n as u16 * 32 - 1) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn voxel(blocks: &mut Blocks, name: &str, properties: Properties) -> (String, u8) {
        let voxel = blocks.state(&State { name: name.into(), properties: Some(Box::new(properties)) }).unwrap();
        (blocks.materials().get(voxel.material()).unwrap().name.clone(), voxel.occupancy())
    }

    fn of(name: &str, properties: Properties) -> (String, u8) {
        voxel(&mut Blocks::new(), name, properties)
    }

    fn some(text: &str) -> Option<Box<str>> {
        Some(text.into())
    }

    #[test]
    fn every_counterpart_is_a_material_and_none_is_there_twice() {
        let blocks = Blocks::new();
        for (ours, _) in COUNTERPARTS {
            assert!(blocks.materials().find(ours).is_some(), "{ours}");
        }
        assert_eq!(blocks.counterparts.len(), COUNTERPARTS.iter().map(|(_, theirs)| theirs.len()).sum::<usize>());
    }

    #[test]
    fn blocks_become_ours_or_keep_their_name() {
        for (name, expected) in [
            ("minecraft:stone", ("stone", 255)),
            ("minecraft:spruce_log", ("pine_log", 255)),
            ("minecraft:cave_air", ("air", 0)),
            ("minecraft:kelp", ("water", 255)),
            ("minecraft:diorite", ("minecraft:diorite", 255)),
            ("mod:stone", ("mod:stone", 255)),
            ("stone", ("stone", 255)),
            ("minecraft:oak_trapdoor", ("minecraft:oak_trapdoor", 47)),
        ] {
            assert_eq!(of(name, Properties::default()), (expected.0.to_owned(), expected.1), "{name}");
        }
    }

    #[test]
    fn properties_say_how_full_it_is() {
        let slab = |kind: &str| of("minecraft:oak_slab", Properties { r#type: some(kind), ..Properties::default() }).1;
        assert_eq!(["bottom", "top", "double", "?"].map(slab), [127, 255, 255, 255]);
        let snow = |n: &str| of("minecraft:snow", Properties { layers: some(n), ..Properties::default() });
        assert_eq!(["1", "4", "8", "0", "99", "x"].map(|n| snow(n).1), [31, 127, 255, 31, 255, 31]);
        let water = |n: &str| of("minecraft:water", Properties { level: some(n), ..Properties::default() });
        assert_eq!(["0", "1", "7", "8", "15", "x"].map(|n| water(n).1), [255, 223, 31, 255, 255, 255]);
        let grass =
            |snowy: &str| of("minecraft:grass_block", Properties { snowy: some(snowy), ..Properties::default() });
        assert_eq!((grass("true").0, grass("false").0), ("snowy_grass".to_owned(), "grass".to_owned()));
        let wet = |name: &str, wet: &str| of(name, Properties { waterlogged: some(wet), ..Properties::default() });
        for name in ["tube_coral", "dead_fire_coral_wall_fan", "sea_pickle", "glow_lichen", "lantern"] {
            let name = format!("minecraft:{name}");
            assert_eq!((wet(&name, "true"), wet(&name, "false")), (("water".to_owned(), 255), (name.clone(), 255)));
        }
        assert_eq!(wet("minecraft:oak_fence", "true"), ("minecraft:oak_fence".to_owned(), 255), "it fills its voxel");
        // A chest has a type too.
        let chest = of("minecraft:chest", Properties { r#type: some("bottom"), ..Properties::default() });
        assert_eq!(chest, ("minecraft:chest".to_owned(), 255));
    }

    #[test]
    fn numbers_and_data() {
        let mut blocks = Blocks::new();
        for (id, data, expected) in [
            (0, 0, ("air", 0)),
            (1, 0, ("stone", 255)),
            (1, 3, ("minecraft:diorite", 255)),
            (9, 0, ("water", 255)),
            (8, 3, ("water", 159)),
            (44, 3, ("minecraft:cobblestone_slab", 127)),
            (44, 11, ("minecraft:cobblestone_slab", 255)),
            (43, 3, ("minecraft:cobblestone_slab", 255)),
            (78, 1, ("snow", 63)),
            (80, 0, ("snow", 255)),
            (1234, 5, ("minecraft:id_1234", 255)),
        ] {
            for _ in 0..2 {
                let voxel = blocks.numbered(id, data).unwrap();
                let name = blocks.materials().get(voxel.material()).unwrap().name.as_str();
                assert_eq!((name, voxel.occupancy()), expected, "{id}:{data}");
            }
        }
    }

    #[test]
    fn too_much_is_refused() {
        let mut blocks = Blocks::new();
        let mut state = |name: String| blocks.state(&State { name: name.into(), properties: None });
        assert_eq!(state("x".repeat(257)), Err("a block's name is 257 bytes long".to_owned()));
        assert_eq!(state(String::new()), Err("a block's name is 0 bytes long".to_owned()));
        let refused = (0..70_000).find_map(|i| state(format!("mod:{i}")).err());
        assert_eq!(refused.unwrap(), "more than 65535 materials");
        assert!(state("mod:0".to_owned()).is_ok(), "what is known stays known");
    }
}
