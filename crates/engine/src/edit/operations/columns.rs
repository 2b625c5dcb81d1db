//! Surface of a region, column by column: 32 columns of a row at a time, from the top down.

use crate::edit::region::{Region, SIDE};
use crate::edit::search::by_mask::accepted_bits;
use crate::edit::{ChunkBits, ChunkSource, EditError, JobProgress, Mask};
use crate::runs::RunTree;
use crate::voxel::{ChunkPos, Face};
use glam::IVec3;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// One bit per column of a chunk's layer: word z, bit x.
type Layer = [u32; SIDE];

/// Ground in a region. As in WorldEdit, columns are left out if ground lies directly above their
/// highest voxel in the region.
#[derive(Clone, Debug)]
pub(crate) struct GroundLayers {
    /// Highest ground voxel of each column.
    pub top: Region,
    /// Ground at most [`GroundLayers::SOIL`] voxels below the top voxel.
    pub soil: Region,
    /// Ground farther below the top voxel.
    pub deep: Region,
}

/// Chunks of one column of chunks that hold voxels of a region.
pub(super) struct ChunkColumn {
    /// x and z, in chunks.
    pub at: [i32; 2],
    /// y in chunks, descending.
    pub ys: Vec<i32>,
}

/// Groups the chunks of a region by column.
pub(super) fn chunk_columns(region: &Region) -> Vec<ChunkColumn> {
    let mut columns: FxHashMap<[i32; 2], Vec<i32>> = FxHashMap::default();
    for pos in region.chunks() {
        columns.entry([pos.x, pos.z]).or_default().push(pos.y);
    }
    let column = |(at, mut ys): ([i32; 2], Vec<i32>)| {
        ys.sort_unstable_by_key(|&y| std::cmp::Reverse(y));
        ChunkColumn { at, ys }
    };
    columns.into_iter().map(column).collect()
}

/// The layers top, soil and deep of [`GroundLayers`] in one chunk, as run trees.
type LayerTrees = (ChunkPos, [RunTree; 3]);

impl GroundLayers {
    /// Number of soil layers below the top.
    pub const SOIL: usize = 3;

    /// Finds the ground of a region. `ground` is the mask of ground voxels.
    ///
    /// # Errors
    /// A chunk cannot be read, or the job was cancelled.
    pub fn find(
        world: &dyn ChunkSource,
        region: &Region,
        ground: &Mask,
        progress: &JobProgress,
    ) -> Result<GroundLayers, EditError> {
        let found = progress
            .map(&chunk_columns(region), |column| column_layers(world, region, ground, column))?;
        let found: Vec<LayerTrees> = found.into_iter().flatten().collect();
        let [top, soil, deep] = [0, 1, 2].map(|part| {
            Region::from_trees(found.par_iter().map(|(pos, trees)| (*pos, trees[part].clone())))
        });
        Ok(GroundLayers { top, soil, deep })
    }
}

/// State of the columns during a walk downwards.
#[derive(Default)]
struct ColumnWalk {
    /// Columns that have entered the region.
    entered: Layer,
    /// Columns whose top was found, or that have ground directly above the region.
    done: Layer,
    /// Ground in the layer above.
    above: Layer,
    /// Columns whose top lies one, two and three layers above.
    recent: [Layer; GroundLayers::SOIL],
    /// Columns whose top lies more than three layers above.
    deep: Layer,
}

impl ColumnWalk {
    /// Marks all columns with a top as deep, because the walk skips a chunk.
    fn skip_chunk(&mut self) {
        for recent in &mut self.recent {
            for (deep, recent) in self.deep.iter_mut().zip(std::mem::take(recent)) {
                *deep |= recent;
            }
        }
    }

    /// Finds top, soil and deep ground in the next row.
    fn step(&mut self, z: usize, inside: u32, ground: u32) -> [u32; 3] {
        self.done[z] |= inside & !self.entered[z] & self.above[z];
        self.entered[z] |= inside;
        let top = inside & ground & !self.done[z];
        let soil = self.recent.iter().fold(0, |soil, layer| soil | layer[z]);
        let deep = self.deep[z];
        self.done[z] |= top;
        self.above[z] = ground;
        let [first, second, third] = &mut self.recent;
        self.deep[z] |= third[z];
        (third[z], second[z], first[z]) = (second[z], first[z], top);
        [top, soil & inside & ground, deep & inside & ground]
    }
}

/// Finds the ground of a column of chunks, from the top down.
fn column_layers(
    world: &dyn ChunkSource,
    region: &Region,
    ground: &Mask,
    column: &ChunkColumn,
) -> Result<Vec<LayerTrees>, EditError> {
    let ground_of = |pos: ChunkPos| accepted_bits(ground, pos, &world.chunk(pos)?, world);
    let mut walk = ColumnWalk::default();
    let mut chunk_above = None;
    let mut found = Vec::with_capacity(column.ys.len());
    for &y in &column.ys {
        let pos = ChunkPos::new(column.at[0], y, column.at[1]);
        if chunk_above != Some(y + 1) {
            walk.skip_chunk();
            walk.above = ground_of(pos.offset(IVec3::Y))?.face(Face::Down);
        }
        chunk_above = Some(y);
        let inside = region.bits(pos);
        let ground = ground_of(pos)?;
        let mut parts = [(); 3].map(|()| ChunkBits::empty());
        for layer in (0..SIDE).rev() {
            for z in 0..SIDE {
                let row = layer * SIDE + z;
                let words = walk.step(z, inside.rows()[row], ground.rows()[row]);
                for (part, word) in parts.iter_mut().zip(words) {
                    part.rows_mut()[row] = word;
                }
            }
        }
        found.push((pos, parts.map(|part| part.to_tree())));
    }
    Ok(found)
}
