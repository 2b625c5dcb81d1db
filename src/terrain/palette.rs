//! The voxels the generator builds with, looked up by name once.
//!
//! A map may come with a table that lacks some of the game's materials. Then rock stands in for missing
//! ground, and air for missing plants and liquids: a world of stone is still a world, a sea of stone is not.

use crate::voxel::{MaterialTable, Matter, Voxel};

/// What a feature finds where it wants to grow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Air and plants: anything may take its place.
    Open,
    /// Rock: ores may take its place.
    Rock,
    /// The rest.
    Other,
}

macro_rules! palette {
    (ground: $($ground:ident)*; soft: $($soft:ident)*;) => {
        /// One full voxel of each material, and what each material of the table counts as.
        pub(super) struct Palette {
            $(pub(super) $ground: Voxel,)*
            $(pub(super) $soft: Voxel,)*
            classes: Vec<Class>,
            solid: Vec<bool>,
        }

        impl Palette {
            /// Looks all names up in `table`.
            pub(super) fn new(table: &MaterialTable) -> Palette {
                let first_solid = table.iter().find(|(_, m)| m.is_solid()).map_or(0, |(id, _)| id);
                let stone = table.find("stone").unwrap_or(first_solid);
                let ground = |name: &str| Voxel::full(table.find(name).unwrap_or(stone));
                let soft = |name: &str| Voxel::full(table.find(name).unwrap_or(0));
                let mut palette = Palette {
                    $($ground: ground(stringify!($ground)),)*
                    $($soft: soft(stringify!($soft)),)*
                    classes: table
                        .iter()
                        .map(|(_, m)| if matches!(m.matter, Matter::Gas | Matter::Plant) { Class::Open } else { Class::Other })
                        .collect(),
                    solid: table.iter().map(|(_, m)| m.is_solid()).collect(),
                };
                for rock in [palette.stone, palette.deepstone, palette.granite, palette.basalt, palette.marble] {
                    if !rock.is_air() {
                        palette.classes[usize::from(rock.material())] = Class::Rock;
                    }
                }
                palette
            }
        }
    };
}

palette! {
    ground: stone deepstone granite basalt sandstone marble dirt grass snowy_grass dry_grass sand red_sand gravel
        clay snow ice coal_ore iron_ore copper_ore gold_ore crystal_ore oak_log oak_leaves pine_log pine_leaves
        birch_log birch_leaves palm_log palm_leaves cactus obsidian mossy_cobblestone crystal_block;
    soft: water lava tall_grass flower_red flower_yellow flower_blue dead_bush mushroom reeds glow_mushroom;
}

impl Palette {
    /// What `voxel` counts as.
    pub(super) fn class(&self, voxel: Voxel) -> Class {
        self.classes[usize::from(voxel.material())]
    }

    /// True if one can stand on `voxel`.
    pub(super) fn is_solid(&self, voxel: Voxel) -> bool {
        self.solid[usize::from(voxel.material())]
    }
}
