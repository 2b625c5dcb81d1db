//! Builds terrain from heights: each column's height in blocks, and its surface.
//!
//! Steep ground is bare rock; low ground at and below the sea is sand. On mountains grass becomes
//! dry with height and gives way to snow. Lower terrain is green throughout.

use super::columns::{GroundProfile, HeightmapColumn};
use super::grid::HeightGrid;
use super::options::{BOTTOM, DEFAULT_MAX_HEIGHT, HeightmapOptions, METRES_PER_BLOCK};
use crate::minecraft::liquid::SURFACE_OCCUPANCY;
use crate::{FormatError, ImportSummary, ImportTarget, Progress, report};
use glam::IVec3;
use stonerun_engine::voxel::{CHUNK_SIDE, ChunkPos, MaterialTable, Voxel, chunk_coord};

/// Height limit for terrain, in blocks.
const MAX_HEIGHT: f64 = 4096.0;

/// Slope (rise over run) above which ground is bare: 35 degrees.
const STEEP_SLOPE: f32 = 0.7;
/// Range of heights from which terrain counts as mountains, in blocks.
const MOUNTAIN_HEIGHT: f64 = 128.0;
/// Fraction of the range of heights from which grass is dry.
const DRY_FROM: f32 = 0.5;
/// Fraction of the range of heights from which there is snow.
const SNOW_FROM: f32 = 0.7;
/// Highest sand above the sea, in blocks.
const BEACH_HEIGHT: i32 = 1;
/// Soil on ground that is not steep, in voxels.
const SOIL_DEPTH: i32 = 3;

/// Terrain whose voxels have not been built yet.
pub(super) struct Terrain {
    grid: HeightGrid,
    /// Lowest height in metres.
    lowest: f32,
    /// Highest height in metres.
    highest: f32,
    metres_per_block: f64,
    /// True if there is a sea, at y = 0.
    has_sea: bool,
    voxels: SurfaceVoxels,
    materials: MaterialTable,
}

/// Full voxels of the materials that terrain uses.
struct SurfaceVoxels {
    stone: Voxel,
    dirt: Voxel,
    grass: Voxel,
    dry_grass: Voxel,
    sand: Voxel,
    snow: Voxel,
    water: Voxel,
}

impl Terrain {
    /// The terrain of a grid in which every cell has a height.
    ///
    /// # Errors
    /// The terrain would be too high.
    pub(super) fn new(grid: HeightGrid, options: HeightmapOptions) -> Result<Terrain, FormatError> {
        let lowest = grid.heights.iter().copied().fold(f32::INFINITY, f32::min);
        let highest = grid.heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let range = f64::from(highest) - f64::from(lowest);
        let default = || (range / f64::from(DEFAULT_MAX_HEIGHT)).ceil().max(1.0);
        let min = *METRES_PER_BLOCK.start();
        let max = *METRES_PER_BLOCK.end();
        let metres_per_block =
            options.metres_per_block.map_or_else(default, |metres| metres.clamp(min, max));
        if range / metres_per_block > MAX_HEIGHT {
            let blocks = (range / metres_per_block).round();
            let reason = format!(
                "the terrain would be {blocks} blocks high; at most {MAX_HEIGHT} are possible: choose more metres per block"
            );
            return Err(FormatError::new("heights", reason));
        }
        let materials = MaterialTable::builtin();
        let full = |name: &str| materials.find(name).map(Voxel::full);
        let voxels = || {
            Some(SurfaceVoxels {
                stone: full("stone")?,
                dirt: full("dirt")?,
                grass: full("grass")?,
                dry_grass: full("dry_grass")?,
                sand: full("sand")?,
                snow: full("snow")?,
                water: full("water")?,
            })
        };
        let voxels = voxels()
            .ok_or_else(|| FormatError::new("materials", "the game has no stone, soil or water"))?;
        let has_sea = grid.has_sea_level && lowest <= 0.0;
        Ok(Terrain { grid, lowest, highest, metres_per_block, has_sea, voxels, materials })
    }

    /// Height of the lowest voxel above the ground of a cell.
    fn top(&self, height: f32) -> i32 {
        let blocks = |metres: f64| (metres / self.metres_per_block).floor() as i32;
        if !self.has_sea {
            return BOTTOM + blocks(f64::from(height) - f64::from(self.lowest));
        }
        let top = blocks(f64::from(height));
        // Every cell at or below sea level has at least one block of water.
        if height <= 0.0 { top.min(-1) } else { top }
    }

    /// Slope (rise over run) at a cell. If the width of a cell is unknown, it counts as the height
    /// of a block.
    fn slope(&self, x: usize, z: usize) -> f32 {
        let HeightGrid { width, depth, ref heights, cell_metres, .. } = self.grid;
        let height = |x: usize, z: usize| heights[z * width + x];
        let west = x.saturating_sub(1);
        let east = (x + 1).min(width - 1);
        let north = z.saturating_sub(1);
        let south = (z + 1).min(depth - 1);
        let along = (height(east, z) - height(west, z)) / (east - west).max(1) as f32;
        let across = (height(x, south) - height(x, north)) / (south - north).max(1) as f32;
        along.hypot(across) / cell_metres.unwrap_or(self.metres_per_block as f32)
    }

    /// The column of the cell at `x`, `z`.
    fn column(&self, x: usize, z: usize) -> HeightmapColumn {
        let height = self.grid.heights[z * self.grid.width + x];
        let top = self.top(height);
        let range = self.highest - self.lowest;
        let is_mountainous = f64::from(range) / self.metres_per_block >= MOUNTAIN_HEIGHT;
        let fraction = if is_mountainous { (height - self.lowest) / range } else { 0.0 };
        let SurfaceVoxels { stone, dirt, grass, dry_grass, sand, snow, .. } = self.voxels;
        let (surface, subsoil) = match fraction {
            _ if self.has_sea && top <= BEACH_HEIGHT => (sand, sand),
            SNOW_FROM.. => (snow, stone),
            DRY_FROM.. => (dry_grass, dirt),
            _ => (grass, dirt),
        };
        let soil = if self.slope(x, z) > STEEP_SLOPE { 0 } else { SOIL_DEPTH };
        HeightmapColumn { top, soil, surface, subsoil }
    }

    /// Builds the chunks, one column of chunks at a time.
    ///
    /// # Errors
    /// The chunks cannot be stored, or `progress` cancels.
    pub(super) fn import(
        self,
        mut target: ImportTarget,
        progress: &mut Progress,
    ) -> Result<ImportSummary, FormatError> {
        let HeightGrid { width, depth, .. } = self.grid;
        let bottom = self.top(self.lowest) - BOTTOM;
        let water = self.voxels.water;
        let profile = GroundProfile {
            rock: self.voxels.stone,
            water,
            water_surface: Voxel::new(water.material(), SURFACE_OCCUPANCY),
            bottom,
            sea_level: if self.has_sea { 0 } else { bottom },
        };
        // Whole chunks, so the middle of the terrain is only near 0.
        let shift = IVec3::new(-(width as i32 / 64), 0, -(depth as i32 / 64));
        let side = CHUNK_SIDE as usize;
        let chunks_x = width.div_ceil(side);
        let chunks_z = depth.div_ceil(side);
        for z in 0..chunks_z {
            report(progress, z as f32 / chunks_z as f32)?;
            for x in 0..chunks_x {
                let columns = std::array::from_fn(|i| {
                    let x = x * side + i % side;
                    let z = z * side + i / side;
                    (x < width && z < depth).then(|| self.column(x, z))
                });
                let ceiling = columns
                    .iter()
                    .flatten()
                    .map(|column| profile.ceiling(column))
                    .max()
                    .unwrap_or(bottom);
                for y in chunk_coord(bottom)..=chunk_coord(ceiling - 1) {
                    let pos = ChunkPos::new(x as i32, y, z as i32).offset(shift);
                    target.put(pos, profile.chunk(&columns, y * CHUNK_SIDE), 0, &self.materials)?;
                }
            }
        }
        report(progress, 1.0)?;
        // Never empty: the ground reaches below the lowest height.
        target
            .finish(self.materials)
            .ok_or_else(|| FormatError::new("heights", "there is no terrain"))
    }
}
