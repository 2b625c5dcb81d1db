//! Regions: sets of voxels, stored as run trees of two values and combined chunk by chunk.

mod algebra;
mod block;
mod bytes;
mod chunk_access;
pub(in crate::edit) mod chunk_bits;
mod error;
mod from_box;
mod metric;
mod morphology;
mod plan;
mod shape;
mod solids;
mod spline;
mod stroke;
pub(in crate::edit) mod tree_bits;

pub use chunk_bits::ChunkBits;
pub use error::{MAX_CHUNKS, RegionBytesError, RegionError};
pub use metric::Metric;
pub use plan::RegionPlan;
pub(crate) use shape::Prism;
pub use shape::{Cylinder, Ellipsoid, Extent, Shape};
pub use solids::Torus;
pub(crate) use solids::{Cone, Pyramid};
pub use spline::Bend;
pub(in crate::edit) use tree_bits::SIDE;

use crate::runs::{RunBuilder, RunTree};
use crate::voxel::{Box3, CHUNK_VOLUME, ChunkPos, Voxel, linear_index, local};
use glam::IVec3;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use tree_bits::INSIDE;

/// A set of voxels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Region {
    /// Trees of the chunks with at least one voxel of the set.
    chunks: FxHashMap<ChunkPos, RunTree>,
}

impl Region {
    /// Voxels of a shape.
    #[must_use]
    pub fn from_shape(shape: &(impl Shape + ?Sized)) -> Region {
        #[cfg(test)]
        made::note();
        if let Some(area) = shape.as_box() {
            return Region::from_box(area);
        }
        let chunk = |pos: ChunkPos| {
            Some((pos, shape_chunk(shape, pos)))
                .filter(|(_, chunk)| chunk.as_uniform() != Some(Voxel::AIR))
        };
        let chunks: Vec<ChunkPos> = shape.bounds().chunks().collect();
        let chunks: Vec<(ChunkPos, RunTree)> = chunks.into_par_iter().filter_map(chunk).collect();
        Region { chunks: chunks.into_iter().collect() }
    }

    /// Voxels of a shape, unless it is too large.
    ///
    /// # Errors
    /// Fails if the box around the shape has more than [`MAX_CHUNKS`] chunks.
    pub(crate) fn try_from_shape(shape: &impl Shape) -> Result<Region, RegionError> {
        // Checked first, before memory is allocated.
        Region::check_shape(shape)?;
        Ok(Region::from_shape(shape))
    }

    /// Checks that a shape is not too large for a region.
    ///
    /// # Errors
    /// The errors of [`Region::try_from_shape`].
    pub(crate) fn check_shape(shape: &(impl Shape + ?Sized)) -> Result<(), RegionError> {
        let fits = shape.bounds().in_chunks().volume() <= MAX_CHUNKS;
        if fits { Ok(()) } else { Err(RegionError::TooLarge) }
    }

    /// True if the region has voxels in a chunk.
    #[must_use]
    pub(crate) fn has_chunk(&self, pos: ChunkPos) -> bool {
        self.chunks.contains_key(&pos)
    }

    /// Voxels in a chunk, as bits.
    pub(in crate::edit) fn bits(&self, pos: ChunkPos) -> ChunkBits {
        self.chunks.get(&pos).map_or_else(ChunkBits::empty, tree_bits::region_bits)
    }

    /// True if the region has no voxel.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// True if a voxel belongs to the region.
    #[must_use]
    pub fn contains(&self, at: IVec3) -> bool {
        let chunk = self.chunks.get(&ChunkPos::containing(at));
        chunk.is_some_and(|chunk| chunk.get(linear_index(local(at))) == INSIDE)
    }

    /// Voxels in a chunk, as ranges of linear order.
    pub fn ranges(&self, pos: ChunkPos) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let runs = self.chunks.get(&pos).into_iter().flat_map(RunTree::runs);
        runs.filter(|run| run.voxel == INSIDE).map(|run| run.start as usize..run.end() as usize)
    }

    /// True if all voxels of the chunk belong to the region.
    #[must_use]
    pub(crate) fn holds_chunk(&self, pos: ChunkPos) -> bool {
        self.chunks.get(&pos).is_some_and(|chunk| chunk.as_uniform() == Some(INSIDE))
    }

    /// Chunks with voxels of the region, in no particular order.
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = ChunkPos> + '_ {
        self.chunks.keys().copied()
    }

    /// Chunks with voxels of the region, sorted by position.
    #[must_use]
    pub(crate) fn sorted_chunks(&self) -> Vec<ChunkPos> {
        // Sorts single integers, which are compared without branches and thus faster than three
        // coordinates.
        let ordered = |coordinate: i32| u128::from(coordinate as u32 ^ 1 << 31);
        let key = |pos: ChunkPos| ordered(pos.x) << 64 | ordered(pos.y) << 32 | ordered(pos.z);
        let mut keys: Vec<u128> = self.chunks().map(key).collect();
        keys.sort_unstable();
        let coordinate = |key: u128, shift: u32| ((key >> shift) as u32 ^ 1 << 31) as i32;
        let pos =
            |key: u128| ChunkPos::new(coordinate(key, 64), coordinate(key, 32), coordinate(key, 0));
        keys.into_iter().map(pos).collect()
    }

    /// Number of voxels.
    #[must_use]
    pub fn volume(&self) -> u64 {
        self.chunks.keys().flat_map(|&pos| self.ranges(pos)).map(|range| range.len() as u64).sum()
    }

    /// Bytes of the region's table and of its trees.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let heap: usize = self.chunks.values().map(RunTree::heap_bytes).sum();
        self.chunks.capacity() * size_of::<(ChunkPos, RunTree)>() + heap
    }

    /// Smallest box around all voxels; `None` if the region is empty.
    #[must_use]
    pub fn bounds(&self) -> Option<Box3> {
        let bounds = |pos| {
            if self.holds_chunk(pos) {
                Some(pos.bounds())
            } else {
                Box3::around_ranges(pos, self.ranges(pos))
            }
        };
        let mut parts: Vec<ChunkPos> = self.chunks().collect();
        let (low, high) = parts.iter().fold((IVec3::MAX, IVec3::MIN), |(low, high), pos| {
            (low.min(pos.as_ivec3()), high.max(pos.as_ivec3()))
        });
        // Only the outermost chunks touch the sides of the box, because each chunk has a voxel of
        // the region.
        parts.retain(|pos| (pos.as_ivec3().cmpeq(low) | pos.as_ivec3().cmpeq(high)).any());
        match parts.len() {
            0..64 => parts.into_iter().filter_map(bounds).reduce(Box3::around),
            _ => parts.into_par_iter().filter_map(bounds).reduce_with(Box3::around),
        }
    }
}

/// Voxels of a shape in a chunk, as bits.
pub(in crate::edit) fn shape_bits(shape: &(impl Shape + ?Sized), pos: ChunkPos) -> ChunkBits {
    tree_bits::region_bits(&shape_chunk(shape, pos))
}

/// Voxels of a shape in a chunk, as a tree.
fn shape_chunk(shape: &(impl Shape + ?Sized), pos: ChunkPos) -> RunTree {
    match shape.extent(pos.bounds()) {
        Extent::Nothing => RunTree::uniform(Voxel::AIR),
        Extent::All => RunTree::uniform(INSIDE),
        Extent::Part => part(shape, pos),
    }
}

/// Voxels of a shape in a chunk, row by row.
fn part(shape: &(impl Shape + ?Sized), pos: ChunkPos) -> RunTree {
    let bounds = pos.bounds();
    let mut builder = RunBuilder::new();
    let within = bounds.intersection(shape.bounds());
    for y in within.min.y..within.max.y {
        for z in within.min.z..within.max.z {
            let row = linear_index(IVec3::new(0, y - bounds.min.y, z - bounds.min.z));
            shape.row(y, z, &mut |xs| {
                let first = xs.start.max(bounds.min.x);
                let end = xs.end.min(bounds.max.x);
                if first < end {
                    let start = row + (first - bounds.min.x) as usize;
                    builder.push((start - builder.position()) as u32, Voxel::AIR);
                    builder.push((end - first) as u32, INSIDE);
                }
            });
        }
    }
    builder.push((CHUNK_VOLUME - builder.position()) as u32, Voxel::AIR);
    builder.finish()
}

/// Counter of the regions made on this thread, for tests that check which thread makes them.
#[cfg(test)]
pub(in crate::edit) mod made {
    use std::cell::Cell;

    thread_local!(static COUNT: Cell<u64> = const { Cell::new(0) });

    /// Counts one region.
    pub(super) fn note() {
        COUNT.set(COUNT.get() + 1);
    }

    /// Number of regions counted so far.
    pub(in crate::edit) fn count() -> u64 {
        COUNT.get()
    }
}

#[cfg(test)]
pub(in crate::edit) mod tests;
