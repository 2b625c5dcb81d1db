//! Materials for blocks without a built-in equivalent: shape, texture and light, derived from the
//! block's name.
//!
//! A block whose states have shapes (`forms`, stairs and slabs) is a cube here, with the texture of
//! the block that it is made of: planks for a fence. A flat block becomes a low cube; a block whose
//! name is in `voxel/shape` gets that shape; a thin block that the player can pass becomes crossed
//! sheets; and every other block becomes a full cube.

use super::{block_table, colours, forms};
use std::sync::LazyLock;
use stonerun_engine::voxel::{Faces, Likeness, Material, MaterialTable, Matter, Opacity, Shape};

/// The built-in materials, whose textures blocks can have.
static BUILTIN: LazyLock<MaterialTable> = LazyLock::new(MaterialTable::builtin);

/// Endings of the names of blocks that are made of another block.
const MADE_OF: [&str; 18] = [
    "_stairs",
    "_slab",
    "_wall",
    "_fence_gate",
    "_fence",
    "_pressure_plate",
    "_button",
    "_trapdoor",
    "_door",
    "_wall_hanging_sign",
    "_hanging_sign",
    "_wall_sign",
    "_sign",
    "_shelf",
    "_chest",
    "_bed",
    "_wall_banner",
    "_banner",
];

/// The built-in material whose textures a block of this name has; `None` if it is made of no block
/// with an equivalent.
fn made_of(short: &str) -> Option<&'static Material> {
    let builtin = |block: &str| {
        let (_, name) = block_table::equivalents().find(|(known, _)| *known == block)?;
        BUILTIN.get(BUILTIN.find(name)?)
    };
    match short {
        "ladder" | "chest" | "trapped_chest" | "sign" | "wall_sign" | "lectern" | "composter" => {
            return builtin("oak_planks");
        }
        "scaffolding" => return builtin("birch_planks"),
        // These shine: their own colours would be white.
        "soul_lantern" => return BUILTIN.get(BUILTIN.find("lamp_cyan")?),
        "lantern" => return BUILTIN.get(BUILTIN.find("lamp")?),
        _ => {}
    }
    let base = MADE_OF.iter().find_map(|end| short.strip_suffix(end))?;
    ["", "s", "_planks", "_block", "_wool"]
        .iter()
        .find_map(|more| builtin(&format!("{base}{more}")))
}

/// True for sheets and bushes with the texture of leaves.
fn is_leafy(short: &str) -> bool {
    ["vine", "azalea", "dripleaf", "lichen"].iter().any(|word| short.ends_with(word))
}

/// Gives a block whose states have shapes the texture of what it is made of.
fn shaped(short: &str, mut material: Material) -> Material {
    if let Some(whole) = made_of(short) {
        (material.faces, material.tint) = (whole.faces.clone(), whole.tint);
    } else if short.ends_with("pane") || short.ends_with("bars") {
        (material.faces, material.opacity) = (Faces::Same("glass".to_owned()), Opacity::CutOut);
    } else if is_leafy(short) {
        (material.faces, material.opacity) =
            (Faces::Same("oak_leaves".to_owned()), Opacity::CutOut);
        material.tint = material.tint.map(|part| 128 + part / 2);
    } else if short == "nether_portal" {
        material.opacity = Opacity::Translucent;
    }
    material
}

/// The occupancy of `n` sixteenths (1 to 16).
const fn sixteenths(n: u8) -> u8 {
    (n as u16 * 16 - 1) as u8
}

/// Endings of the names of flat blocks, and their height in sixteenths.
const LOW_BLOCKS: [(&str, u8); 12] = [
    ("_carpet", 1),
    ("lily_pad", 1),
    ("frogspawn", 1),
    ("repeater", 2),
    ("comparator", 2),
    ("daylight_detector", 6),
    ("campfire", 7),
    ("cake", 8),
    ("sculk_shrieker", 8),
    ("sculk_sensor", 8),
    ("stonecutter", 9),
    ("enchanting_table", 12),
];

/// Textures for crossed sheets, each with the endings of the names of blocks that use it.
const SHEETS: &[(&str, &[&str])] = &[
    (
        "flower_red",
        &[
            "poppy",
            "red_tulip",
            "rose_bush",
            "wither_rose",
            "torchflower",
            "open_eyeblossom",
            "cactus_flower",
        ],
    ),
    ("flower_yellow", &["dandelion", "sunflower", "orange_tulip", "wildflowers", "spore_blossom"]),
    (
        "flower_blue",
        &[
            "cornflower",
            "blue_orchid",
            "allium",
            "azure_bluet",
            "lilac",
            "peony",
            "white_tulip",
            "pink_tulip",
            "oxeye_daisy",
            "lily_of_the_valley",
            "pitcher_plant",
            "closed_eyeblossom",
            "pink_petals",
        ],
    ),
    ("mushroom", &["brown_mushroom", "red_mushroom", "_fungus"]),
    (
        "dead_bush",
        &[
            "dead_bush",
            "_sapling",
            "_propagule",
            "bush",
            "azalea",
            "cobweb",
            "_coral",
            "_coral_fan",
            "_wall_fan",
        ],
    ),
    (
        "reeds",
        &[
            "ladder",
            "lever",
            "chain",
            "lantern",
            "_rod",
            "sign",
            "_button",
            "_banner",
            "tripwire_hook",
            "sugar_cane",
            "rope",
            "bamboo",
            "scaffolding",
            "pointed_dripstone",
            "candle",
            "amethyst_cluster",
            "_bud",
            "_stem",
            "sea_pickle",
            "turtle_egg",
            "flower_pot",
        ],
    ),
    (
        "tall_grass",
        &[
            "grass",
            "fern",
            "vine",
            "vines",
            "vines_plant",
            "_roots",
            "_sprouts",
            "wheat",
            "carrots",
            "potatoes",
            "beetroots",
            "nether_wart",
            "cocoa",
            "_dripleaf",
            "big_dripleaf_stem",
            "_lichen",
            "sculk_vein",
            "_hanging_moss",
            "leaf_litter",
            "resin_clump",
            "_crop",
        ],
    ),
    ("flower_red", &["fire"]),
];

/// Names of full blocks that would match [`SHEETS`].
const NOT_SHEETS: [&str; 9] = [
    "crimson_stem",
    "warped_stem",
    "mushroom_stem",
    "mangrove_roots",
    "sea_lantern",
    "jack_o_lantern",
    "muddy_mangrove_roots",
    "stripped_crimson_stem",
    "stripped_warped_stem",
];

/// Emitted light (1 to 15), each with the names of blocks that emit it. Blocks that can be switched
/// on and off count as on, except furnaces.
const LIGHT: &[(u8, &[&str])] = &[
    (
        15,
        &[
            "glowstone",
            "sea_lantern",
            "jack_o_lantern",
            "lantern",
            "shroomlight",
            "beacon",
            "fire",
            "campfire",
            "conduit",
            "end_portal",
            "end_gateway",
            "ochre_froglight",
            "verdant_froglight",
            "pearlescent_froglight",
            "lava_cauldron",
        ],
    ),
    (14, &["torch", "wall_torch", "copper_torch", "copper_wall_torch", "end_rod"]),
    (11, &["nether_portal"]),
    (
        10,
        &[
            "soul_torch",
            "soul_wall_torch",
            "soul_lantern",
            "soul_fire",
            "soul_campfire",
            "crying_obsidian",
        ],
    ),
    (
        7,
        &[
            "redstone_torch",
            "redstone_wall_torch",
            "ender_chest",
            "enchanting_table",
            "glow_lichen",
        ],
    ),
    (6, &["sculk_catalyst"]),
    (5, &["amethyst_cluster"]),
    (4, &["large_amethyst_bud"]),
    (3, &["magma_block"]),
    (2, &["medium_amethyst_bud", "firefly_bush"]),
    (1, &["brewing_stand", "small_amethyst_bud", "dragon_egg", "end_portal_frame", "sculk_sensor"]),
];

/// True if `name` is `word` or ends with it as a separate word. A `word` that begins with `_`
/// always counts as separate.
fn ends_with_word(name: &str, word: &str) -> bool {
    name.strip_suffix(word)
        .is_some_and(|rest| rest.is_empty() || word.starts_with('_') || rest.ends_with(['_', ':']))
}

/// The material for the block with this full name, and the occupancy of its voxels. The material
/// has the name of the block.
pub(crate) fn for_block(name: &str) -> (Material, u8) {
    let short = name.strip_prefix("minecraft:").unwrap_or(name);
    let mut material = Material::plain(name, colours::block_colour(name));
    material.light =
        LIGHT.iter().find(|(_, names)| names.contains(&short)).map_or(0, |&(light, _)| light);
    let is_hewn = short.ends_with("_stairs") || short.ends_with("_slab");
    if is_hewn || forms::rule_for(name).is_some() {
        return (shaped(short, material), 255);
    }
    let texture =
        |material: &mut Material, texture: &str| material.faces = Faces::Same(texture.to_owned());
    if let Some(&(_, sixteenths_high)) =
        LOW_BLOCKS.iter().find(|(word, _)| ends_with_word(short, word))
    {
        return (material, sixteenths(sixteenths_high));
    }
    // The parameter of the shape, such as the mount of a torch, is not read.
    let named = |shape: &Shape| {
        shape.row().minecraft_endings.iter().any(|word| ends_with_word(short, word))
    };
    if let Some(shape) = Shape::ALL.into_iter().find(named) {
        material.shape = shape;
        if shape.row().likeness == Likeness::Plant {
            material.opacity = Opacity::CutOut;
            material.matter = Matter::Plant;
        }
        if shape.torch_mount().is_some() {
            texture(&mut material, torch_texture(short));
            material.tint = [255; 3];
        }
        return (material, 255);
    }
    let sheet =
        SHEETS.iter().find(|(_, words)| words.iter().any(|word| ends_with_word(short, word)));
    // A potted cactus has no sheet of its own.
    let sheet = sheet.map(|(sheet, _)| *sheet).or(short.starts_with("potted_").then_some("reeds"));
    if let Some(sheet) = sheet.filter(|_| !NOT_SHEETS.contains(&short)) {
        texture(&mut material, sheet);
        // These textures have their own colours, which a tint would turn brown.
        if sheet.starts_with("flower") || sheet == "mushroom" {
            material.tint = [255; 3];
        }
        (material.opacity, material.matter, material.shape) =
            (Opacity::CutOut, Matter::Plant, Shape::Cross);
        return (material, 255);
    }
    if ends_with_word(short, "leaves") {
        texture(&mut material, "oak_leaves");
        // The texture is green already; half of the tint is enough to distinguish species.
        material.tint = material.tint.map(|part| 128 + part / 2);
        material.opacity = Opacity::CutOut;
    } else if ends_with_word(short, "wool") {
        texture(&mut material, "wool");
    } else if ends_with_word(short, "glass_pane") || ends_with_word(short, "iron_bars") {
        texture(&mut material, "glass");
        material.opacity = Opacity::CutOut;
    } else if ["glass", "ice", "slime_block", "honey_block", "nether_portal"]
        .iter()
        .any(|word| ends_with_word(short, word))
        && !["packed_ice", "blue_ice"].contains(&short)
    {
        material.opacity = Opacity::Translucent;
    }
    (material, 255)
}

/// The texture of a torch, by the name of its block without `minecraft:`.
fn torch_texture(short: &str) -> &'static str {
    let has = |wanted: &[&str]| short.split(['_', ':']).any(|word| wanted.contains(&word));
    match () {
        () if has(&["soul", "blue"]) => "blue_torch",
        () if has(&["red", "redstone"]) => "red_torch",
        () => "torch",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::TorchMount;

    #[test]
    fn name_decides_shape_and_occupancy() {
        let form = |name: &str| {
            let (m, occupancy) = for_block(&format!("minecraft:{name}"));
            (m.matter, m.shape, m.opacity, occupancy)
        };
        let cube = (Matter::Solid, Shape::Cube, Opacity::Opaque, 255);
        let sheets = (Matter::Plant, Shape::Cross, Opacity::CutOut, 255);
        for name in [
            "diorite",
            "oak_stairs",
            "oak_fence",
            "oak_door",
            "soul_lantern",
            "stone_button",
            "wall_sign",
            "oak_hanging_sign",
            "potted_poppy",
            "powered_rail",
            "oak_trapdoor",
            "warped_stem",
            "packed_ice",
            "moss_block",
            "mangrove_roots",
        ] {
            assert_eq!(form(name), cube, "{name}");
        }
        for name in ["red_tulip", "birch_sapling", "cave_vines_plant", "fern", "cactus_flower"] {
            assert_eq!(form(name), sheets, "{name}");
        }
        for (name, occupancy) in
            [("red_carpet", 15), ("repeater", 31), ("candle_cake", 127), ("stonecutter", 143)]
        {
            assert_eq!(
                form(name),
                (Matter::Solid, Shape::Cube, Opacity::Opaque, occupancy),
                "{name}"
            );
        }
        let torch = (Matter::Plant, Shape::Torch(TorchMount::Floor), Opacity::CutOut, 255);
        assert_eq!(["copper_torch", "mod:iron_wall_torch"].map(form), [torch; 2]);
        assert_eq!(form("torchflower"), sheets);
        for (name, texture) in [
            ("copper_torch", "torch"),
            ("colored_torch", "torch"),
            ("powered_wall_torch", "torch"),
            ("mod:bluestone_torch", "torch"),
            ("mod:blue_torch", "blue_torch"),
            ("soul_lava_torch", "blue_torch"),
            ("mod:red_torch", "red_torch"),
            ("mod:redstone_wall_torch", "red_torch"),
        ] {
            let faces = for_block(&format!("minecraft:{name}")).0.faces;
            assert_eq!(faces, Faces::Same(texture.to_owned()), "{name}");
        }
        for name in ["red_stained_glass", "tinted_glass", "slime_block"] {
            assert_eq!(form(name).2, Opacity::Translucent, "{name}");
        }
        assert_eq!(form("jungle_leaves"), (Matter::Solid, Shape::Cube, Opacity::CutOut, 255));
        assert_eq!(form("glass_pane").2, Opacity::CutOut);
        for (name, texture) in [
            ("oak_fence", "oak_planks"),
            ("spruce_trapdoor", "pine_planks"),
            ("stone_brick_wall", "stone_bricks"),
            ("brick_stairs", "bricks"),
            ("iron_door", "iron_block"),
            ("red_bed", "wool"),
            ("vine", "oak_leaves"),
            ("jungle_fence", "plain"),
            ("diorite_wall", "plain"),
        ] {
            let faces = for_block(&format!("minecraft:{name}")).0.faces;
            assert_eq!(faces, Faces::Same(texture.to_owned()), "{name}");
        }
    }

    #[test]
    fn name_decides_light() {
        for (name, light) in [
            ("glowstone", 15),
            ("lava_cauldron", 15),
            ("soul_wall_torch", 10),
            ("redstone_torch", 7),
            ("redstone_wall_torch", 7),
            ("ender_chest", 7),
            ("enchanting_table", 7),
            ("glow_lichen", 7),
            ("amethyst_cluster", 5),
            ("brewing_stand", 1),
            ("cauldron", 0),
            ("furnace", 0),
        ] {
            assert_eq!(for_block(&format!("minecraft:{name}")).0.light, light, "{name}");
        }
        let mut names: Vec<_> = LIGHT.iter().flat_map(|(_, names)| *names).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "a name is listed twice");
    }
}
