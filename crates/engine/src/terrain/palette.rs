//! The materials of the generator, looked up by name once.
//!
//! A map's table may lack some of them. Rock replaces missing ground; air replaces missing plants
//! and liquids, because a sea of stone is worse than no sea.

use super::fractions::Fractions;
use crate::voxel::{MaterialTable, Matter, Voxel};

/// Class of a ground voxel for [`PlacementRule`](super::feature_overlay::PlacementRule)s.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PlacementClass {
    /// Air and plants.
    Open,
    /// Rock, which ores may replace.
    Rock,
    /// Everything else.
    Other,
}

macro_rules! palette {
    (ground: $($ground:ident)*; soft: $($soft:ident)*;) => {
        /// A full voxel of each material, and properties of every material of the table.
        pub(super) struct TerrainPalette {
            $(pub(super) $ground: Voxel,)*
            $(pub(super) $soft: Voxel,)*
            /// Fractions of smooth ground; `None` for blocks.
            pub(super) fractions: Option<Fractions>,
            classes: Vec<PlacementClass>,
            solid: Vec<bool>,
        }

        impl TerrainPalette {
            /// Looks up all names in `table`.
            pub(super) fn new(
                table: &MaterialTable,
                fractions: Option<Fractions>,
            ) -> TerrainPalette {
                let first_solid = table.iter().find(|(_, m)| m.is_solid()).map_or(0, |(id, _)| id);
                let stone = table.find("stone").unwrap_or(first_solid);
                let ground = |name: &str| Voxel::full(table.find(name).unwrap_or(stone));
                let soft = |name: &str| Voxel::full(table.find(name).unwrap_or(0));
                let mut palette = TerrainPalette {
                    $($ground: ground(stringify!($ground)),)*
                    $($soft: soft(stringify!($soft)),)*
                    fractions,
                    classes: table
                        .iter()
                        .map(|(_, m)| if matches!(m.matter, Matter::Gas | Matter::Plant) { PlacementClass::Open } else { PlacementClass::Other })
                        .collect(),
                    solid: table.iter().map(|(_, m)| m.is_solid()).collect(),
                };
                if table.find("red_sandstone").is_none() {
                    palette.red_sandstone = palette.sandstone;
                }
                // Tables without grown leaves get the leaves that players place, which never decay.
                for (leaves, name) in [
                    (&mut palette.oak_leaves, "oak_leaves_grown"),
                    (&mut palette.pine_leaves, "pine_leaves_grown"),
                    (&mut palette.birch_leaves, "birch_leaves_grown"),
                    (&mut palette.palm_leaves, "palm_leaves_grown"),
                ] {
                    *leaves = table.find(name).map_or(*leaves, Voxel::full);
                }
                for rock in [palette.stone, palette.deepstone, palette.granite, palette.basalt, palette.marble] {
                    if !rock.is_air() {
                        palette.classes[usize::from(rock.material())] = PlacementClass::Rock;
                    }
                }
                palette
            }
        }
    };
}

palette! {
    ground: stone deepstone granite basalt sandstone red_sandstone marble dirt grass snowy_grass dry_grass sand red_sand gravel
        clay snow ice coal_ore iron_ore copper_ore gold_ore crystal_ore oak_log oak_leaves pine_log pine_leaves
        birch_log birch_leaves palm_log palm_leaves cactus obsidian mossy_cobblestone crystal_block;
    soft: water lava tall_grass flower_red flower_yellow flower_blue dead_bush mushroom reeds glow_mushroom;
}

impl TerrainPalette {
    /// The class of `voxel`.
    pub(super) fn class(&self, voxel: Voxel) -> PlacementClass {
        self.classes[usize::from(voxel.material())]
    }

    /// Replaces powder that would not stay where it lies by rock of the same colour and occupancy.
    /// Returns other voxels unchanged.
    pub(super) fn firm(&self, voxel: Voxel) -> Voxel {
        let rocks = [
            (self.sand, self.sandstone),
            (self.red_sand, self.red_sandstone),
            (self.gravel, self.stone),
            (self.snow, self.stone),
        ];
        let rock = rocks.into_iter().find(|(powder, _)| powder.material() == voxel.material());
        rock.map_or(voxel, |(_, rock)| voxel.with_material(rock.material()))
    }

    /// True if `voxel` is solid.
    pub(super) fn is_solid(&self, voxel: Voxel) -> bool {
        self.solid[usize::from(voxel.material())]
    }
}
