//! One column of ground, before any voxel is written.

use super::land_sample::Biome;
use super::palette::TerrainPalette;
use crate::voxel::Voxel;

/// Occupancy of the top layer of water: 14/16, slightly below the shore.
pub(super) const WATER_LEVEL: u8 = 223;

/// Height of the lowest voxel above the sea.
pub(super) const SEA_LEVEL: i32 = 0;

/// Fluid between the ground and [`TerrainColumn::fluid_top`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fluid {
    None,
    Water,
    FrozenWater,
    Lava,
}

/// Surfaces of a column of smooth ground.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SmoothColumn {
    /// Height of the ground.
    pub(super) height: f32,
    /// Depth of a voxel per voxel of height below the ground, along the axis nearest to the normal:
    /// 1 on slopes up to 45 degrees.
    pub(super) flatness: f32,
    /// Height that no cave reaches, outside of cave mouths.
    pub(super) cave_ceiling: f32,
    /// Distance to the edge of the cave mouth around the column; negative outside.
    pub(super) mouth: f32,
}

impl SmoothColumn {
    /// Depth of the voxel at height `y` below the ground.
    #[inline]
    pub(super) fn depth(&self, y: i32) -> f32 {
        (self.height - (y as f32 + 0.5)) * self.flatness
    }

    /// Distance of the voxel at height `y` to the places where no cave is allowed; positive where
    /// caves are allowed.
    #[inline]
    pub(super) fn cave_room(&self, y: i32) -> f32 {
        (self.cave_ceiling - (y as f32 + 0.5)).max(self.mouth)
    }
}

/// One column of ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct TerrainColumn {
    /// Height of the ground, rounded down: in blocks the lowest voxel above the ground.
    pub(super) top: i32,
    /// Height of the lowest voxel above the ground that has no ground: in blocks, `top`.
    pub(super) free: i32,
    /// Surfaces of smooth ground.
    pub(super) smooth: SmoothColumn,
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

impl TerrainColumn {
    /// Height of the lowest voxel of what stands on the ground: in smooth ground the voxel nearest
    /// to the surface.
    pub(super) fn stand(&self, p: &TerrainPalette) -> i32 {
        if p.fractions.is_some() { (self.smooth.height + 0.5).floor() as i32 } else { self.top }
    }

    /// Ground at `height`, which fills a part of its voxel, with the water around it.
    pub(super) fn wet(&self, ground: Voxel, height: i32) -> Voxel {
        // The sea next to a steep shore reaches ground of columns that end above it. Ground next to
        // ice is wet, too, because open water next to it would flow there.
        match height + 1 {
            _ if self.fluid == Fluid::Lava => ground,
            SEA_LEVEL => at_water_level(ground),
            ..SEA_LEVEL => ground.with_liquid(u8::MAX),
            _ => ground,
        }
    }

    /// The voxel at `height`, above the ground.
    pub(super) fn above(&self, p: &TerrainPalette, height: i32) -> Voxel {
        if height == self.free && !self.cover.is_air() {
            let is_layer = p.fractions.is_some() && p.is_solid(self.cover);
            return if is_layer { self.wet(self.cover, height) } else { self.cover };
        }
        if height >= self.fluid_top {
            return Voxel::AIR;
        }
        let surface = height == self.fluid_top - 1;
        match self.fluid {
            Fluid::None => Voxel::AIR,
            Fluid::FrozenWater if surface => p.ice,
            Fluid::Water if surface => Voxel::new(p.water.material(), WATER_LEVEL),
            Fluid::Water | Fluid::FrozenWater => p.water,
            Fluid::Lava => p.lava,
        }
    }
}

/// Ground in the top layer of water, with the water that stands above it.
pub(super) fn at_water_level(ground: Voxel) -> Voxel {
    with_water_up_to(ground, u16::from(WATER_LEVEL) + 1)
}

/// Ground with water up to `level`, in 256ths of a voxel.
pub(super) fn with_water_up_to(ground: Voxel, level: u16) -> Voxel {
    // Ground has at least one part, and no level is above 256.
    ground.with_liquid(level.saturating_sub(ground.dry().parts()) as u8)
}

/// Index of the column at `x`, `z` (each 0..32) in a tile.
pub(super) fn column_index(x: i32, z: i32) -> usize {
    (x | z << 5) as usize
}
