//! One column of ground, before any voxel is written.

use super::land_sample::Biome;
use crate::voxel::Voxel;

/// Fluid between the ground and [`TerrainColumn::fluid_top`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fluid {
    None,
    Water,
    FrozenWater,
    Lava,
}

/// One column of ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct TerrainColumn {
    /// Height of the lowest voxel above the ground.
    pub(super) top: i32,
    /// Height that no cave reaches.
    pub(super) cave_ceiling: i32,
    /// Height of the lowest voxel above the fluid.
    pub(super) fluid_top: i32,
    pub(super) fluid: Fluid,
    pub(super) biome: Biome,
    /// True if the rock has bands of colour.
    pub(super) banded: bool,
    /// True if caves may open to the sky here, so nothing grows.
    pub(super) cave_mouth: bool,
    /// Depth of the soil in voxels; 0 is bare rock.
    pub(super) soil_depth: i32,
    /// The highest voxel of the soil.
    pub(super) top_soil: Voxel,
    /// The other voxels of the soil.
    pub(super) subsoil: Voxel,
    /// Voxel on the ground: a plant, a layer of snow or sand, or air.
    pub(super) cover: Voxel,
}

/// Index of the column at `x`, `z` (each 0..32) in a tile.
pub(super) fn column_index(x: i32, z: i32) -> usize {
    (x | z << 5) as usize
}
