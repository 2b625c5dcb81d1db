//! Growing, shrinking, hollowing and moving of regions.
//!
//! Growing ORs rows of 32 voxels, shifted by all offsets within the distance. Shrinking grows the
//! complement. Chunks that are full, or whose neighbourhood is empty or full, are not computed.

use super::block::Block;
use super::metric::MAX_REACH;
use super::tree_bits::{SIDE, is_full};
use super::{MAX_CHUNKS, Metric, Region, RegionError};
use crate::edit::ChunkBits;
use crate::runs::RunTree;
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, WORLD_LIMIT};
use glam::{I64Vec3, IVec3};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

impl Region {
    /// Voxels of the world within a distance of the region.
    ///
    /// # Errors
    /// Fails if the region and the chunks around it are too many, or if a Euclidean distance
    /// exceeds 32 voxels.
    pub fn grow(&self, distance: u32, metric: Metric) -> Result<Region, RegionError> {
        check_radius(distance, metric)?;
        let mut grown = self.clone();
        for reach in metric.passes(distance) {
            if grown.is_empty() {
                break;
            }
            let reached: FxHashSet<ChunkPos> =
                grown.chunks().flat_map(ChunkPos::moore_neighbourhood).collect();
            let reached: Vec<ChunkPos> = reached.into_iter().filter(|pos| pos.in_world()).collect();
            // Checked first, before memory is allocated.
            if reached.len() as u64 > MAX_CHUNKS {
                return Err(RegionError::TooLarge);
            }
            let chunk = |pos| (pos, grown.grown_chunk(pos, reach, metric));
            grown = Region::from_trees(reached.into_par_iter().map(chunk));
        }
        Ok(grown)
    }

    /// Voxels that are farther than `distance` from every voxel outside the region.
    ///
    /// # Errors
    /// Fails if a Euclidean distance exceeds 32 voxels.
    pub fn shrink(&self, distance: u32, metric: Metric) -> Result<Region, RegionError> {
        check_radius(distance, metric)?;
        let mut shrunk = self.clone();
        for reach in metric.passes(distance) {
            if shrunk.is_empty() {
                break;
            }
            let chunk =
                |(&pos, _): (&ChunkPos, &RunTree)| (pos, shrunk.shrunk_chunk(pos, reach, metric));
            shrunk = Region::from_trees(shrunk.chunks.par_iter().map(chunk));
        }
        Ok(shrunk)
    }

    /// Shell of the region: its voxels within `thickness` of a voxel outside.
    ///
    /// # Errors
    /// The errors of [`Region::shrink`].
    pub fn hollow(&self, thickness: u32, metric: Metric) -> Result<Region, RegionError> {
        Ok(self.difference(&self.shrink(thickness, metric)?))
    }

    /// Voxels that share a face with a voxel outside the region.
    #[must_use]
    pub(crate) fn boundary(&self) -> Region {
        self.edge(Metric::Manhattan)
    }

    /// Voxels that share an upright face with a voxel outside the region: walls without floors and
    /// ceilings.
    #[must_use]
    pub fn walls(&self) -> Region {
        self.edge(Metric::Horizontal)
    }

    /// The region moved by an offset.
    ///
    /// # Errors
    /// Fails if a voxel would leave the world.
    pub fn translate(&self, by: IVec3) -> Result<Region, RegionError> {
        let Some(Box3 { min, max }) = self.bounds() else { return Ok(Region::default()) };
        let by_wide = by.as_i64vec3();
        let limit = I64Vec3::splat(i64::from(WORLD_LIMIT));
        if (min.as_i64vec3() + by_wide).cmplt(-limit).any()
            || (max.as_i64vec3() + by_wide).cmpgt(limit).any()
        {
            return Err(RegionError::OutsideWorld);
        }
        if (by % CHUNK_SIDE).abs().max_element() == 0 {
            let moved =
                |(pos, tree): (&ChunkPos, &RunTree)| (pos.offset(by / CHUNK_SIDE), tree.clone());
            return Ok(Region { chunks: self.chunks.iter().map(moved).collect() });
        }
        let targets = |pos: ChunkPos| {
            let Box3 { min, max } = pos.bounds();
            Box3 { min: min + by, max: max + by }.chunks()
        };
        let targets: FxHashSet<ChunkPos> =
            self.chunks().flat_map(targets).filter(|pos| pos.in_world()).collect();
        let targets: Vec<ChunkPos> = targets.into_iter().collect();
        Ok(Region::from_trees(
            targets.into_par_iter().map(|pos| (pos, self.moved_bits(pos, by).to_tree())),
        ))
    }

    /// Voxels in the chunk at `pos` after moving the region by `by`.
    pub(in crate::edit) fn moved_bits(&self, pos: ChunkPos, by: IVec3) -> ChunkBits {
        let Box3 { min, max } = pos.bounds();
        // Saturated positions lie outside the world, where there are no voxels.
        let block =
            Block::read(self, Box3 { min: min.saturating_sub(by), max: max.saturating_sub(by) });
        let mut bits = ChunkBits::empty();
        for (word, row) in bits.rows_mut().iter_mut().zip(block.rows) {
            *word = row as u32;
        }
        bits
    }

    /// Voxels within one step of a voxel outside the region.
    fn edge(&self, metric: Metric) -> Region {
        let chunk = |(&pos, tree): (&ChunkPos, &RunTree)| {
            let inner = self.shrunk_chunk(pos, 1, metric);
            (pos, super::algebra::join(tree, &inner, |whole, inner| whole & !inner))
        };
        Region::from_trees(self.chunks.par_iter().map(chunk))
    }

    /// Chunk of the region grown by `reach`, at most 32.
    fn grown_chunk(&self, pos: ChunkPos, reach: u32, metric: Metric) -> RunTree {
        match self.chunks.get(&pos) {
            Some(tree) if is_full(tree) => tree.clone(),
            _ => dilate(&self.padded(pos, reach, metric), reach, metric).to_tree(),
        }
    }

    /// Chunk of the region shrunk by `reach`, at most 32.
    fn shrunk_chunk(&self, pos: ChunkPos, reach: u32, metric: Metric) -> RunTree {
        let is_full = |pos: ChunkPos| self.chunks.get(&pos).is_some_and(is_full);
        if pos.moore_neighbourhood().all(is_full) {
            return self.chunks[&pos].clone();
        }
        let mut outside = self.padded(pos, reach, metric);
        for row in &mut outside.rows {
            *row = !*row;
        }
        let mut bits = dilate(&outside, reach, metric);
        for word in bits.rows_mut().iter_mut() {
            *word = !*word;
        }
        bits.to_tree()
    }

    /// Voxels of a chunk and of the margin that a pass reads.
    fn padded(&self, pos: ChunkPos, reach: u32, metric: Metric) -> Block {
        let pad = padding(reach, metric);
        let Box3 { min, max } = pos.bounds();
        Block::read(self, Box3 { min: min - pad, max: max + pad })
    }
}

fn check_radius(distance: u32, metric: Metric) -> Result<(), RegionError> {
    let is_ball = metric == Metric::Euclidean;
    if is_ball && distance > MAX_REACH { Err(RegionError::Radius) } else { Ok(()) }
}

/// Width of the margin that a pass reads, in voxels per axis.
fn padding(reach: u32, metric: Metric) -> IVec3 {
    let reach = reach as i32;
    IVec3::new(reach, if metric == Metric::Horizontal { 0 } else { reach }, reach)
}

/// Voxels of the block's middle chunk that lie within `reach` of a set bit.
fn dilate(block: &Block, reach: u32, metric: Metric) -> ChunkBits {
    let mut bits = ChunkBits::empty();
    let IVec3 { x: reach, y: reach_y, .. } = padding(reach, metric);
    // Rows of the block, each bit spread by `half` voxels to both sides.
    let mut spread = block.rows.clone();
    if spread.iter().all(|&row| row == 0) {
        return bits;
    }
    let mut middle = vec![0; spread.len()];
    for half in 0..=reach {
        if half > 0 {
            for row in &mut spread {
                *row |= *row << 1 | *row >> 1;
            }
        }
        for (word, row) in middle.iter_mut().zip(&spread) {
            *word = (row >> reach) as u32;
        }
        for dy in -reach_y..=reach_y {
            for dz in (-reach..=reach).filter(|&dz| metric.half_width(reach, dy, dz) == Some(half))
            {
                for (y, layer) in bits.rows_mut().chunks_exact_mut(SIDE).enumerate() {
                    let row = (y + (reach_y + dy) as usize) * block.depth + (reach + dz) as usize;
                    for (word, near) in layer.iter_mut().zip(&middle[row..row + SIDE]) {
                        *word |= near;
                    }
                }
            }
        }
    }
    bits
}
