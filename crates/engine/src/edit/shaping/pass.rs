//! A pass of a tool that moves the surface, as an operation on chunks.

use super::approach::{Approach, Target};
use super::area::PreparedArea;
use super::dust;
use super::fill_window::{ChunksAround, FillWindow, HALO, index_of};
use super::kernel::{Kernel, NewFills};
use super::level_noise::LevelNoise;
use super::new_matter::MatterSource;
use super::plane::ShapingPlane;
use super::smoothing::SmoothedFills;
use super::tool::{Shaping, ShapingTool};
use super::weights::ChunkWeights;
use crate::edit::{ChunkSource, EditError, Operation};
use crate::voxel::{CHUNK_SIDE, ChunkPos, MaterialId, Voxel, linear_index};
use crate::world::Chunk;
use glam::IVec3;
use std::ops::Range;

/// A pass of a tool that moves the surface.
pub(super) struct SurfacePass<'a> {
    pub shaping: &'a Shaping,
    pub area: &'a PreparedArea,
    /// Material of new matter that has no ground near it.
    pub fallback: MaterialId,
}

impl Operation for SurfacePass<'_> {
    fn chunks(&self) -> Vec<ChunkPos> {
        self.area.chunks()
    }

    fn apply(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError> {
        let Shaping { tool, ignores_liquids, materials, .. } = self.shaping;
        let around = ChunksAround::read(pos, chunk, world, materials, *ignores_liquids)?;
        if tool.needs_surface() && around.one_fill().is_some() {
            return Ok(chunk.clone());
        }
        let window = FillWindow::read(&around, HALO, materials, *ignores_liquids);
        let layers = if tool.needs_surface() {
            window.layers_near_changes(tool.reach())
        } else {
            NewFills::AROUND
        };
        if layers.is_empty() {
            return Ok(chunk.clone());
        }
        let Some(kernel) = self.kernel(&window, layers.clone()) else { return Ok(chunk.clone()) };
        let weights = ChunkWeights::new(self.area, pos);
        let mut after = NewFills::unchanged(&window);
        for y in layers.clone() {
            for z in NewFills::AROUND {
                if !kernel.may_change(&window, [y, z]) {
                    continue;
                }
                if let Some(weights) = weights.row(y, z) {
                    *after.row_mut(y, z) = kernel.row(&window, pos.origin(), [y, z], &weights);
                }
            }
        }
        dust::clear(&window, &mut after, layers.clone());
        Ok(self.with_fills(pos, &around, &window, &after, layers))
    }
}

impl SurfacePass<'_> {
    /// Kernel of the tool; `None` for tools that do not move the surface by a kernel.
    fn kernel(&self, window: &FillWindow, layers: Range<i32>) -> Option<Kernel<'_>> {
        let approach = |target| Kernel::Approach(Approach { target, area: self.area });
        Some(match &self.shaping.tool {
            ShapingTool::Smooth { .. } => {
                let reach = self.shaping.tool.reach();
                Kernel::Smooth(SmoothedFills::new(window, layers, reach))
            }
            ShapingTool::Grow => Kernel::Grow,
            ShapingTool::Shrink => Kernel::Shrink,
            ShapingTool::Sculpt { normal, pushes } => {
                let normal = ShapingPlane::direction(*normal);
                Kernel::Sculpt { normal, pushes: *pushes }
            }
            ShapingTool::Roughen { scale, seed } => {
                Kernel::Roughen(LevelNoise { scale: *scale, seed: *seed })
            }
            ShapingTool::Add => approach(Target::Add),
            ShapingTool::Erode => approach(Target::Erode),
            ShapingTool::Flatten { plane, side } => approach(Target::Flatten(*plane, *side)),
            ShapingTool::Slope { points } => approach(Target::Slope(*points)),
            ShapingTool::Paint { .. } | ShapingTool::Weather | ShapingTool::Melt => return None,
        })
    }

    /// The chunk with its fills after the pass.
    fn with_fills(
        &self,
        pos: ChunkPos,
        around: &ChunksAround,
        window: &FillWindow,
        after: &NewFills,
        layers: Range<i32>,
    ) -> Chunk {
        let source =
            MatterSource { shaping: self.shaping, around, window, fallback: self.fallback };
        let mut changes = Vec::new();
        let mut layer = [Voxel::AIR; (CHUNK_SIDE * CHUNK_SIDE) as usize];
        let covered = index_of(0)..index_of(CHUNK_SIDE);
        // Dust is cleared in the layers next to changed ones, too.
        for y in (layers.start - 1).max(0)..(layers.end + 1).min(CHUNK_SIDE) {
            let mut is_read = false;
            for z in 0..CHUNK_SIDE {
                let before = &window.row(y, z)[covered.clone()];
                let after = &after.row(y, z)[covered.clone()];
                if before == after {
                    continue;
                }
                let row = linear_index(IVec3::new(0, y, z));
                if !is_read {
                    read_layer(around.middle(), y, &mut layer);
                    is_read = true;
                }
                let voxels = &layer[(z * CHUNK_SIDE) as usize..][..CHUNK_SIDE as usize];
                for x in 0..CHUNK_SIDE as usize {
                    if before[x] == after[x] {
                        continue;
                    }
                    let ground = if before[x] > 0 || after[x] == 0 {
                        voxels[x].material()
                    } else {
                        source.material(pos, IVec3::new(x as i32, y, z))
                    };
                    // Only voxels that are not fixed change, and their fill is never negative.
                    let fill = after[x].unsigned_abs();
                    let voxel = self.shaping.materials.reshaped(voxels[x], ground, fill);
                    changes.push((row + x..row + x + 1, voxel));
                }
            }
        }
        if changes.is_empty() {
            return around.middle().clone();
        }
        let mut chunk = around.middle().clone();
        chunk.set_ranges(changes);
        chunk
    }
}

/// Reads a layer of a chunk, x fastest, then z.
fn read_layer(chunk: &Chunk, y: i32, layer: &mut [Voxel; (CHUNK_SIDE * CHUNK_SIDE) as usize]) {
    let start = linear_index(IVec3::new(0, y, 0));
    for run in chunk.runs_in(start..start + layer.len()) {
        layer[run.start as usize - start..run.end() as usize - start].fill(run.voxel);
    }
}
