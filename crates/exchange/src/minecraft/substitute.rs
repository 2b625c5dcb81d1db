//! The Minecraft block that is written for a material.
//!
//! A material that is a block of Minecraft or of a mod, or the equivalent of one, is written as that
//! block. Any other gets a substitute: a built-in material gets a block chosen by hand; a block of
//! another program the vanilla block of the same name, if both are of the same kind; all others the
//! block of the same kind with the nearest colour.

use super::block_mapper::BlockMapper;
use super::substitute_table::{
    GLASS, GLOWING_LIQUIDS, LAMPS, LEAVES, LIQUIDS, PAIRS, PLANTS, SOLID, TORCHES,
};
use super::{appearance, block_names, block_table, block_versions, shaped_block};
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::sync::LazyLock;
use stonerun_engine::mesh::{TextureStrip, srgb_to_linear};
use stonerun_engine::voxel::{Likeness, Material, Matter, Opacity, Shape};

/// Minimum light of a material that becomes a lamp. A dimmer material keeps its colour instead.
const LAMP_LIGHT: u8 = 8;

/// Property that a substitute must share with its material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BlockKind {
    Solid,
    /// See-through blocks other than leaves.
    Glass,
    Leaves,
    /// A full block that emits light.
    Lamp,
    /// Torches, and crossed sheets that emit light.
    Torch,
    Liquid,
    GlowingLiquid,
    Plant,
}

impl BlockKind {
    fn new(material: &Material) -> BlockKind {
        let glows = material.light >= LAMP_LIGHT;
        let is_plant =
            material.matter == Matter::Plant || material.shape.row().likeness == Likeness::Plant;
        match material.opacity {
            _ if material.matter == Matter::Liquid => {
                if glows {
                    BlockKind::GlowingLiquid
                } else {
                    BlockKind::Liquid
                }
            }
            _ if is_plant => {
                if glows {
                    BlockKind::Torch
                } else {
                    BlockKind::Plant
                }
            }
            _ if glows => BlockKind::Lamp,
            _ if material.is_foliage() => BlockKind::Leaves,
            Opacity::CutOut | Opacity::Translucent => BlockKind::Glass,
            Opacity::Opaque => BlockKind::Solid,
        }
    }

    /// The kind of a vanilla block, by its name without `minecraft:`.
    fn from_block(block: &str) -> BlockKind {
        match block {
            "water" => BlockKind::Liquid,
            "lava" => BlockKind::GlowingLiquid,
            _ => BlockKind::new(&appearance::for_block(&format!("minecraft:{block}")).0),
        }
    }

    fn candidates(self) -> &'static [Candidate] {
        &CANDIDATES[self as usize]
    }
}

/// A block that may be written in place of a material.
struct Candidate {
    block: &'static str,
    colour: Oklab,
}

/// The candidates of each kind.
static CANDIDATES: LazyLock<[Vec<Candidate>; 8]> = LazyLock::new(|| {
    // In the order of the variants of `BlockKind`.
    [SOLID, GLASS, LEAVES, LAMPS, TORCHES, LIQUIDS, GLOWING_LIQUIDS, PLANTS].map(|blocks| {
        let colour = |rgb: u32| Oklab::from_srgb([16, 8, 0].map(|shift| (rgb >> shift) as u8));
        blocks.iter().map(|&(rgb, block)| Candidate { block, colour: colour(rgb) }).collect()
    })
});

/// A colour in Ottosson's Oklab: lightness, and two axes whose origin is grey.
#[derive(Clone, Copy, Debug)]
struct Oklab {
    lightness: f32,
    a: f32,
    b: f32,
    /// Distance from grey.
    chroma: f32,
}

impl Oklab {
    fn from_srgb(colour: [u8; 3]) -> Oklab {
        let [r, g, b] = colour.map(srgb_to_linear);
        let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
        let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
        let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
        let lightness = 0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s;
        let a = 1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s;
        let b = 0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s;
        Oklab { lightness, a, b, chroma: a.hypot(b) }
    }

    /// Squared difference of a block's colour from this colour. Hue counts most, and more for vivid
    /// colours; lightness counts least: blocks are duller and darker than colours on a screen, and
    /// pure red has the lightness of orange blocks. A block that is too dull is worse than one that
    /// is too vivid. The weights were tuned until about fifty named colours got the expected
    /// blocks.
    fn difference_of(self, block: Oklab) -> f32 {
        let square = |x: f32| x * x;
        let chroma = square(self.chroma - block.chroma);
        let hue = (square(self.a - block.a) + square(self.b - block.b) - chroma).max(0.0);
        let chroma_weight = if block.chroma < self.chroma { 1.8 } else { 1.2 };
        0.5 * square(self.lightness - block.lightness)
            + chroma_weight * chroma
            + (2.0 + 18.0 * self.chroma) * hue
    }
}

/// The block that is written for a material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WrittenBlock {
    /// Name without `minecraft:`, or the full name of a mod's block.
    pub block: Cow<'static, str>,
    /// Properties in brackets, for shapes of blocks; `None` if they follow from the material.
    pub state: Option<String>,
    /// True if the block only resembles the material.
    pub is_substitute: bool,
}

impl WrittenBlock {
    /// True for blocks of mods.
    pub(crate) fn is_foreign(&self) -> bool {
        self.block.contains(':')
    }
}

/// Chooses blocks for materials.
#[derive(Default)]
pub(crate) struct BlockChooser {
    /// Textures, decoded for the first material that needs its mean colour.
    textures: OnceCell<Option<TextureStrip>>,
    /// Reads states back, to find the one that has a shape.
    reader: RefCell<Option<BlockMapper>>,
}

impl BlockChooser {
    /// The block for a material.
    pub(crate) fn block_for(&self, material: &Material) -> WrittenBlock {
        if let Some(written) = self.shaped(material) {
            return written;
        }
        let exact =
            |block: Cow<'static, str>| WrittenBlock { block, state: None, is_substitute: false };
        let name = material.placed_state().unwrap_or(&material.name);
        let name = block_names::without_state(name);
        if let Some(block) = block_table::block_for_material(name) {
            return exact(block.into());
        }
        let is_vanilla = |block: &str| block_versions::first_data_version(block).is_some();
        match name.strip_prefix("minecraft:") {
            Some(block) if is_vanilla(block) => exact(block.to_owned().into()),
            _ if block_names::mod_of(name).is_some() => exact(name.to_owned().into()),
            _ => {
                WrittenBlock { block: self.substitute(material), state: None, is_substitute: true }
            }
        }
    }

    /// The block for a shape of a block; `None` for other materials, and for shapes that Minecraft
    /// does not have at all.
    fn shaped(&self, material: &Material) -> Option<WrittenBlock> {
        material.block_of_shape()?;
        let whole = material.reshaped(Shape::Cube)?;
        let family = shaped_block::written_family(material.shape)?;
        let base = self.block_for(&whole);
        let own = shaped_block::name(family, &base.block);
        let is_own = own.is_some() && !base.is_substitute;
        let block = own
            .or_else(|| shaped_block::usual_name(family).map(str::to_owned))
            .or_else(|| self.nearest_with(family, &whole))?;
        let mut reader = self.reader.borrow_mut();
        let reader = reader.get_or_insert_with(BlockMapper::new);
        let found = shaped_block::state(reader, block, family, material.shape);
        let joins = material.shape.row().joined.is_some();
        Some(WrittenBlock {
            block: found.block.into(),
            state: Some(found.state),
            is_substitute: !is_own || !found.has_shape && !joins,
        })
    }

    /// The block of a family of shapes with the colour nearest to a block's.
    fn nearest_with(&self, family: &str, whole: &Material) -> Option<String> {
        let colour = Oklab::from_srgb(self.colour(whole));
        let shaped = BlockKind::Solid.candidates().iter().filter_map(|candidate| {
            let name = shaped_block::name(family, candidate.block)?;
            Some((colour.difference_of(candidate.colour), name))
        });
        shaped.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
    }

    fn substitute(&self, material: &Material) -> Cow<'static, str> {
        if let Some((_, block)) = PAIRS
            .iter()
            .find(|(name, _)| *name == material.placed_state().unwrap_or(&material.name))
        {
            return (*block).into();
        }
        let kind = BlockKind::new(material);
        let namesake = material.name.split_once(':').map(|(_, path)| path);
        let is_alike = |block: &&str| {
            block_versions::first_data_version(block) == Some(block_versions::OLDEST_DATA_VERSION)
                && BlockKind::from_block(block) == kind
        };
        if let Some(block) = namesake.filter(is_alike) {
            return block.to_owned().into();
        }
        let colour = Oklab::from_srgb(self.colour(material));
        let candidates =
            kind.candidates().iter().map(|c| (colour.difference_of(c.colour), c.block));
        // No table of candidates is empty.
        candidates.min_by(|a, b| a.0.total_cmp(&b.0)).map_or("stone", |(_, block)| block).into()
    }

    /// Mean colour of a material.
    fn colour(&self, material: &Material) -> [u8; 3] {
        let textures = self.textures.get_or_init(|| TextureStrip::embedded().ok());
        textures.as_ref().map_or(material.tint, |textures| textures.colour_of(material))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::{MaterialTable, Shape};

    fn written(material: &Material) -> (String, bool) {
        let WrittenBlock { block, is_substitute, .. } = BlockChooser::default().block_for(material);
        (block.into_owned(), is_substitute)
    }

    #[test]
    fn candidates_are_old_unique_blocks_of_their_kind() {
        for (index, candidates) in CANDIDATES.iter().enumerate() {
            let mut names: Vec<_> = candidates.iter().map(|candidate| candidate.block).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), candidates.len(), "a block is listed twice");
            for block in names {
                let version = block_versions::first_data_version(block);
                assert_eq!(version, Some(block_versions::OLDEST_DATA_VERSION), "{block}");
                assert!(index > 1 || BlockKind::from_block(block) as usize == index, "{block}");
            }
        }
        for (name, block) in PAIRS {
            assert!(MaterialTable::builtin().find(name).is_some(), "{name}");
            assert!(block_versions::first_data_version(block).is_some(), "{block}");
        }
    }

    #[test]
    fn builtin_materials_have_chosen_blocks() {
        for (_, material) in MaterialTable::builtin().iter().skip(1) {
            let name = material.placed_state().unwrap_or(&material.name);
            let is_chosen = PAIRS.iter().any(|(other, _)| *other == name);
            assert_eq!(written(material).1, is_chosen, "{}", material.name);
        }
    }

    #[test]
    fn name_decides_before_colour() {
        for (name, block, is_substitute) in [
            ("stone", "stone", false),
            ("marble", "calcite", true),
            ("minecraft:diorite", "diorite", false),
            ("minecraft:cherry_planks", "cherry_planks", false),
            ("minecraft:grass_path", "grass_path", false),
            ("mymod:diorite", "mymod:diorite", false),
            ("mymod:a/b.c-d_2[facing=north]", "mymod:a/b.c-d_2", false),
            ("mcl_core:diorite", "diorite", true),
        ] {
            let material = Material::plain(name, [0, 0, 255]);
            assert_eq!(written(&material), (block.to_owned(), is_substitute), "{name}");
        }
        // Names that are not in Minecraft, are newer than the oldest version, or are of another
        // kind.
        for name in [
            "minecraft:air",
            "minecraft:id_256",
            "minecraft:Loud",
            "mcl_trees:cherry_planks",
            "default:poppy",
            "IC2:blockMachine",
            "vox:blue",
            "classic:rope",
            "mymod:",
            ":x",
        ] {
            assert_eq!(
                written(&Material::plain(name, [0, 0, 255])),
                ("blue_wool".to_owned(), true),
                "{name}"
            );
        }
    }

    #[test]
    fn colour_keeps_hue_and_saturation() {
        for (colour, blocks) in [
            ([255, 0, 0], "red_concrete red_wool"),
            ([200, 0, 0], "red_concrete red_wool"),
            ([0, 255, 0], "lime_concrete lime_wool emerald_block"),
            ([0, 0, 255], "blue_concrete blue_wool"),
            ([255, 255, 0], "yellow_concrete yellow_wool gold_block"),
            ([255, 128, 0], "orange_concrete orange_wool"),
            ([255, 0, 255], "magenta_concrete magenta_wool"),
            ([0, 255, 255], "diamond_block"),
            ([255, 255, 255], "snow_block"),
            ([0, 0, 0], "black_concrete"),
            ([128, 128, 128], "stone andesite"),
            ([64, 64, 64], "gray_wool netherite_block polished_deepslate gray_concrete"),
            ([0, 0, 96], "blue_concrete"),
            ([96, 48, 16], "brown_concrete brown_wool"),
            ([255, 192, 203], "pink_wool"),
            ([241, 194, 125], "sandstone"),
            ([135, 206, 235], "light_blue_wool"),
        ] {
            let (block, is_substitute) = written(&Material::plain("vox:x", colour));
            assert!(
                is_substitute && blocks.split(' ').any(|one| one == block),
                "{colour:?}: {block}"
            );
        }
    }

    #[test]
    fn kind_decides_before_colour() {
        let plain = Material::plain("a", [250, 0, 0]);
        let leaves = stonerun_engine::voxel::Faces::Same("oak_leaves".to_owned());
        for (material, block) in [
            (Material { opacity: Opacity::Translucent, ..plain.clone() }, "red_stained_glass"),
            (Material { opacity: Opacity::CutOut, ..plain.clone() }, "red_stained_glass"),
            (Material { matter: Matter::Liquid, ..plain.clone() }, "water"),
            (Material { matter: Matter::Liquid, light: 15, ..plain.clone() }, "lava"),
            (Material { shape: Shape::Cross, matter: Matter::Plant, ..plain.clone() }, "red_tulip"),
            (Material { shape: Shape::Cross, light: 14, ..plain.clone() }, "redstone_torch"),
            (Material { light: 15, ..plain.clone() }, "shroomlight"),
            (Material { light: 1, ..plain.clone() }, "red_wool"),
            (
                Material {
                    opacity: Opacity::CutOut,
                    faces: leaves,
                    tint: [255; 3],
                    ..plain.clone()
                },
                "oak_leaves",
            ),
        ] {
            assert_eq!(written(&material).0, block, "{material:?}");
        }
    }
}
