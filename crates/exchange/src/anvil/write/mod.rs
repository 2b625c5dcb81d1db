//! Exports of Minecraft's region files, in the format of 1.18 and later.
//!
//! The blocks keep their heights. They also keep their place if the target is named as Minecraft
//! names regions, `r.X.Z.mca`: a box that reaches over several regions then has several files next
//! to each other, of which the target is one. A file of any other name has no place in a world, so
//! its blocks are moved by whole Minecraft chunks to where the file begins; they must fit into one
//! region.
//!
//! Written are the Minecraft chunks of the map's chunks with matter. Minecraft generates all others
//! when it comes to them.

mod chunk_blocks;
mod chunk_content;
mod region_output;
mod region_plan;

use crate::minecraft::joined_sides::{SideFinder, VoxelCounts};
use crate::minecraft::state_palette::StatePalette;
use crate::progress::{Progress, report};
use crate::scene::{OutputFiles, Scene, WriterError, WriterReport};
use chunk_blocks::ChunkBlocks;
use chunk_content::ChunkContent;
use glam::IVec2;
use region_output::RegionOutput;
use region_plan::{PlannedRegion, RegionPlan};
use std::io::{Seek, Write};
use std::ops::Range;
use stonerun_engine::voxel::linear_offset;

/// Data version of Minecraft 1.18, the first with this layout of chunks.
const OLDEST_DATA_VERSION: i32 = 2860;
/// Heights that a dimension of Minecraft can have, in blocks.
const HEIGHTS: Range<i32> = -2032..2032;
/// Heights of Minecraft's own overworld.
const OVERWORLD: Range<i32> = -64..320;
/// Blocks on each side of a Minecraft chunk.
const CHUNK_BLOCKS: i32 = 16;
/// Share of the progress for counting voxels; the rest is for writing.
const COUNTING: f32 = 0.3;

/// Writes the region files of `scene`.
///
/// # Errors
/// The blocks are too high, too low, too far apart or at another place than the target's name says,
/// a file cannot be written, or `progress` cancels.
pub(crate) fn write(
    scene: &Scene,
    output: &mut OutputFiles,
    progress: &mut Progress,
) -> Result<WriterReport, WriterError> {
    let heights = scene.matter.min.y..scene.matter.max.y;
    if !is_within(&heights, &HEIGHTS) {
        let limit = format!("a world of Minecraft has blocks from {}", text(&HEIGHTS));
        return Err(WriterError::Unfit(format!("blocks from {}: {limit}", text(&heights))));
    }
    let plan = RegionPlan::new(output.target(), scene).map_err(WriterError::Unfit)?;
    let sides = SideFinder::new(&scene.world, &scene.materials, scene.bounds);
    let counts = count_voxels(scene, &sides, &mut |done| progress(COUNTING * done))?;
    let palette = StatePalette::new(&scene.materials, &counts, OLDEST_DATA_VERSION)?;
    let chunks = RegionChunks {
        offset: plan.offset,
        blocks: ChunkBlocks::new(&scene.world, &sides, &palette),
        content: ChunkContent::new(&palette, &heights),
        total: plan.regions.iter().map(|region| region.chunks.len()).sum(),
    };
    let mut progress = |done| progress(COUNTING + (1.0 - COUNTING) * done);
    let mut done = 0;
    for region in &plan.regions {
        match &region.sibling {
            None => output.write_target(|out| chunks.write(region, out, done, &mut progress))?,
            Some(name) => output
                .write_sibling_with(name, |out| chunks.write(region, out, done, &mut progress))?,
        }
        done += region.chunks.len();
    }
    let warnings = too_high(&heights).into_iter().chain(moved(&plan)).collect();
    Ok(WriterReport { losses: palette.losses, warnings, ..WriterReport::default() })
}

/// The warning about blocks beyond the heights of Minecraft's own overworld.
fn too_high(heights: &Range<i32>) -> Option<String> {
    let [all, own] = [text(heights), text(&OVERWORLD)];
    let warning =
        || format!("blocks from {all}: without a data pack, Minecraft keeps those from {own}");
    (!is_within(heights, &OVERWORLD)).then(warning)
}

/// The warning about blocks that a file without a place moves to its beginning.
fn moved(plan: &RegionPlan) -> Option<String> {
    let blocks = plan.offset * CHUNK_BLOCKS;
    let warning = || {
        format!(
            "the blocks are moved by {} along x and {} along z, to where the file begins; a name \
             such as r.0.0.mca keeps them at their place",
            blocks.x, blocks.y
        )
    };
    (blocks != IVec2::ZERO).then(warning)
}

fn is_within(heights: &Range<i32>, limits: &Range<i32>) -> bool {
    heights.start >= limits.start && heights.end <= limits.end
}

/// Heights for people, both ends included.
fn text(heights: &Range<i32>) -> String {
    format!("y = {} to {}", heights.start, heights.end - 1)
}

/// Number of blocks of each kind.
fn count_voxels(
    scene: &Scene,
    sides: &SideFinder,
    progress: &mut Progress,
) -> Result<VoxelCounts, WriterError> {
    let mut counts = VoxelCounts::new();
    let positions = scene.positions();
    for (done, &pos) in positions.iter().enumerate() {
        let runs = scene.world.chunk(pos).into_iter().flat_map(|chunk| chunk.runs());
        for run in runs {
            let at = |i: u32| pos.origin() + linear_offset((run.start + i) as usize);
            sides.split_run(run.voxel, run.len, at, |len, voxel| counts.add(len, voxel));
        }
        report(progress, (done + 1) as f32 / positions.len() as f32)?;
    }
    Ok(counts)
}

/// The Minecraft chunks to write.
struct RegionChunks<'a> {
    /// Offset from the map's Minecraft chunks to the file's.
    offset: IVec2,
    blocks: ChunkBlocks<'a>,
    content: ChunkContent<'a>,
    /// Number of chunks of all regions.
    total: usize,
}

impl RegionChunks<'_> {
    /// Writes the file of a region, after the `done` chunks of others.
    fn write(
        &self,
        region: &PlannedRegion,
        out: &mut (impl Write + Seek),
        done: usize,
        progress: &mut Progress,
    ) -> Result<(), WriterError> {
        let mut file = RegionOutput::begin(out)?;
        for (done, &chunk) in (done + 1..).zip(&region.chunks) {
            let place = chunk + self.offset;
            let nbt = self.content.nbt(place, |y| self.blocks.section(chunk, y))?;
            file.chunk(place, &nbt)?;
            report(progress, done as f32 / self.total as f32)?;
        }
        Ok(file.finish()?)
    }
}
