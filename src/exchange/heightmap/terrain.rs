//! Heights to a land: how high its blocks are, and what grows where.
//!
//! Steep ground is bare rock, low ground by the sea and under it is sand. On what is high enough to be mountains, grass
//! becomes dry with the height and ends under snow; lower lands are green all over.

use super::columns::{GroundProfile, TerrainColumn};
use super::grid::HeightGrid;
use super::options::{BOTTOM, DEFAULT_MAX_HEIGHT, HeightmapOptions, METRES_PER_BLOCK};
use crate::exchange::minecraft::liquid::SURFACE_OCCUPANCY;
use crate::exchange::{FormatError, ImportSummary, ImportTarget, Progress, report};
use crate::voxel::{CHUNK_SIDE, ChunkPos, MaterialTable, Voxel, chunk_coord};
use glam::IVec3;

/// The highest land that is made, in blocks.
const HIGHEST: f64 = 4096.0;

/// Rise over run from which on ground is bare: 35 degrees.
const STEEP: f32 = 0.7;
/// From so many blocks on a land has mountains.
const MOUNTAINS: f64 = 128.0;
/// Parts of the height where grass gets dry, and where snow lies.
const DRY: f32 = 0.5;
const SNOW: f32 = 0.7;
/// Blocks above the sea up to which there is sand.
const BEACH: i32 = 1;
/// Voxels of soil on what is not steep.
const SOIL: i32 = 3;

/// A land that can be built.
pub(super) struct Terrain {
    grid: HeightGrid,
    lowest: f32,
    highest: f32,
    /// Metres of height a block.
    metres: f64,
    /// Whether there is a sea; then it is at y = 0.
    sea: bool,
    kinds: SurfaceVoxels,
    materials: MaterialTable,
}

/// Full voxels of the materials used.
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
    /// The land of a grid in which every cell has a height.
    ///
    /// # Errors
    /// It would be too high.
    pub(super) fn new(grid: HeightGrid, options: HeightmapOptions) -> Result<Terrain, FormatError> {
        let lowest = grid.heights.iter().copied().fold(f32::INFINITY, f32::min);
        let highest = grid.heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let range = f64::from(highest) - f64::from(lowest);
        let usual = || (range / f64::from(DEFAULT_MAX_HEIGHT)).ceil().max(1.0);
        let (least, most) = (*METRES_PER_BLOCK.start(), *METRES_PER_BLOCK.end());
        let metres = options.metres_per_block.map_or_else(usual, |metres| metres.clamp(least, most));
        if range / metres > HIGHEST {
            let blocks = (range / metres).round();
            let reason = format!(
                "the land would be {blocks} blocks high; at most {HIGHEST} are made: a block needs more metres"
            );
            return Err(FormatError::new("heights", reason));
        }
        let materials = MaterialTable::builtin();
        let kind = |name: &str| materials.find(name).map(Voxel::full);
        let kinds = || {
            Some(SurfaceVoxels {
                stone: kind("stone")?,
                dirt: kind("dirt")?,
                grass: kind("grass")?,
                dry_grass: kind("dry_grass")?,
                sand: kind("sand")?,
                snow: kind("snow")?,
                water: kind("water")?,
            })
        };
        let kinds = kinds().ok_or_else(|| FormatError::new("materials", "the game has no stone, soil or water"))?;
        let sea = grid.sea_level && lowest <= 0.0;
        Ok(Terrain { grid, lowest, highest, metres, sea, kinds, materials })
    }

    /// Height of the lowest voxel over the ground of a cell.
    fn top(&self, height: f32) -> i32 {
        let blocks = |metres: f64| (metres / self.metres).floor() as i32;
        match self.sea {
            // All of the sea has water.
            true if height <= 0.0 => blocks(f64::from(height)).min(-1),
            true => blocks(f64::from(height)),
            false => BOTTOM + blocks(f64::from(height) - f64::from(self.lowest)),
        }
    }

    /// Rise over run at a cell. Where nobody knows how wide a cell is, it is as wide as a block is high.
    fn slope(&self, x: usize, z: usize) -> f32 {
        let HeightGrid { width, depth, ref heights, cell, .. } = self.grid;
        let height = |x: usize, z: usize| heights[z * width + x];
        let (west, east) = (x.saturating_sub(1), (x + 1).min(width - 1));
        let (north, south) = (z.saturating_sub(1), (z + 1).min(depth - 1));
        let rise = |from: f32, to: f32, cells: usize| (to - from) / cells.max(1) as f32;
        let (along, across) = (
            rise(height(west, z), height(east, z), east - west),
            rise(height(x, north), height(x, south), south - north),
        );
        along.hypot(across) / cell.unwrap_or(self.metres as f32)
    }

    fn column(&self, x: usize, z: usize) -> TerrainColumn {
        let height = self.grid.heights[z * self.grid.width + x];
        let (top, range) = (self.top(height), self.highest - self.lowest);
        let mountains = f64::from(range) / self.metres >= MOUNTAINS;
        let part = if mountains { (height - self.lowest) / range } else { 0.0 };
        let SurfaceVoxels { stone, dirt, grass, dry_grass, sand, snow, .. } = self.kinds;
        let (surface, under) = match part {
            _ if self.sea && top <= BEACH => (sand, sand),
            SNOW.. => (snow, stone),
            DRY.. => (dry_grass, dirt),
            _ => (grass, dirt),
        };
        let soil = if self.slope(x, z) > STEEP { 0 } else { SOIL };
        TerrainColumn { top, soil, surface, under }
    }

    /// Makes the chunks, a column of them at a time.
    ///
    /// # Errors
    /// There is no room for them, or it was cancelled.
    pub(super) fn import(
        self,
        mut target: ImportTarget,
        progress: &mut Progress,
    ) -> Result<ImportSummary, FormatError> {
        let HeightGrid { width, depth, .. } = self.grid;
        let bottom = self.top(self.lowest) - BOTTOM;
        let water = self.kinds.water;
        let ground = GroundProfile {
            rock: self.kinds.stone,
            water,
            surface: Voxel::new(water.material(), SURFACE_OCCUPANCY),
            bottom,
            sea: if self.sea { 0 } else { bottom },
        };
        // Whole chunks, so that the middle comes near 0.
        let shift = IVec3::new(-(width as i32 / 64), 0, -(depth as i32 / 64));
        let side = CHUNK_SIDE as usize;
        let (chunks_x, chunks_z) = (width.div_ceil(side), depth.div_ceil(side));
        for z in 0..chunks_z {
            report(progress, z as f32 / chunks_z as f32)?;
            for x in 0..chunks_x {
                let columns = std::array::from_fn(|i| {
                    let (x, z) = (x * side + i % side, z * side + i / side);
                    (x < width && z < depth).then(|| self.column(x, z))
                });
                let ceiling = columns.iter().flatten().map(|column| ground.ceiling(column)).max().unwrap_or(bottom);
                for y in chunk_coord(bottom)..=chunk_coord(ceiling - 1) {
                    let pos = ChunkPos::new(x as i32, y, z as i32).offset(shift);
                    target.put(pos, ground.chunk(&columns, y * CHUNK_SIDE), 0, &self.materials)?;
                }
            }
        }
        report(progress, 1.0)?;
        // The ground under the lowest height is matter.
        target.finish(self.materials).ok_or_else(|| FormatError::new("heights", "there is no land"))
    }
}
