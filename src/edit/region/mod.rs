//! Regions: any set of voxels, kept as run trees with two values and combined run by run.

mod shape;

pub use shape::{Cylinder, Ellipsoid, Extent, Prism, Shape};

use crate::runs::{RunBuilder, RunTree};
use crate::voxel::{Box3, CHUNK_VOLUME, ChunkPos, Voxel, linear_index, local};
use glam::IVec3;
use rustc_hash::FxHashMap;

/// The value of voxels in a region; the others are air.
const INSIDE: Voxel = Voxel::full(1);

/// A set of voxels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Region {
    /// Chunks with at least one voxel of the set.
    chunks: FxHashMap<ChunkPos, RunTree>,
}

impl Region {
    /// The voxels of a shape.
    #[must_use]
    pub fn from_shape(shape: &impl Shape) -> Region {
        let chunk = |pos: ChunkPos| match shape.extent(pos.bounds()) {
            Extent::Nothing => None,
            Extent::All => Some((pos, RunTree::uniform(INSIDE))),
            Extent::Part => Some((pos, part(shape, pos))).filter(|(_, chunk)| chunk.as_uniform() != Some(Voxel::AIR)),
        };
        Region { chunks: shape.bounds().chunks().filter_map(chunk).collect() }
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

    /// The ranges of a chunk's voxels, in linear order, that belong to the region.
    pub fn ranges(&self, pos: ChunkPos) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let runs = self.chunks.get(&pos).into_iter().flat_map(RunTree::runs);
        runs.filter(|run| run.voxel == INSIDE).map(|run| run.start as usize..run.end() as usize)
    }

    /// True if all voxels of a chunk belong to the region.
    #[must_use]
    pub fn holds_chunk(&self, pos: ChunkPos) -> bool {
        self.chunks.get(&pos).is_some_and(|chunk| chunk.as_uniform() == Some(INSIDE))
    }

    /// Chunks with voxels of the region, in no particular order.
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = ChunkPos> + '_ {
        self.chunks.keys().copied()
    }

    /// Chunks with voxels of the region, sorted by position.
    #[must_use]
    pub fn sorted_chunks(&self) -> Vec<ChunkPos> {
        let mut chunks: Vec<ChunkPos> = self.chunks().collect();
        chunks.sort_unstable();
        chunks
    }

    /// Number of voxels.
    #[must_use]
    pub fn volume(&self) -> u64 {
        self.chunks.keys().flat_map(|&pos| self.ranges(pos)).map(|range| range.len() as u64).sum()
    }

    /// Bytes of the region: its table, and the heap of its chunks.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let heap: usize = self.chunks.values().map(RunTree::heap_bytes).sum();
        self.chunks.capacity() * size_of::<(ChunkPos, RunTree)>() + heap
    }

    /// The smallest box with all voxels; `None` without any.
    #[must_use]
    pub fn bounds(&self) -> Option<Box3> {
        let boxes = self.chunks.keys().filter_map(|&pos| Box3::around_ranges(pos, self.ranges(pos)));
        boxes.reduce(Box3::around)
    }

    /// The voxels of either region.
    #[must_use]
    pub fn union(mut self, other: &Region) -> Region {
        for (&pos, theirs) in &other.chunks {
            let ours = self.chunks.entry(pos).or_insert_with(|| theirs.clone());
            *ours = ours.zip(theirs, |a, b| if a == INSIDE { a } else { b });
        }
        self
    }

    /// The voxels of both regions.
    #[must_use]
    pub fn intersection(&self, other: &Region) -> Region {
        self.combined(other, |_| None, |a, b| if a == b { a } else { Voxel::AIR })
    }

    /// The voxels of this region that the other has not.
    #[must_use]
    pub fn difference(&self, other: &Region) -> Region {
        self.combined(other, |ours| Some(ours.clone()), |a, b| if b == INSIDE { Voxel::AIR } else { a })
    }

    /// This region's chunks joined with the other's; `alone` is what becomes of those that the other
    /// has not.
    fn combined(
        &self,
        other: &Region,
        alone: impl Fn(&RunTree) -> Option<RunTree>,
        join: impl Fn(Voxel, Voxel) -> Voxel,
    ) -> Region {
        let chunk = |(&pos, ours): (&ChunkPos, &RunTree)| {
            let joined = match other.chunks.get(&pos) {
                Some(theirs) => Some(ours.zip(theirs, &join)),
                None => alone(ours),
            };
            Some((pos, joined.filter(|chunk| chunk.as_uniform() != Some(Voxel::AIR))?))
        };
        Region { chunks: self.chunks.iter().filter_map(chunk).collect() }
    }
}

/// The part of a shape in a chunk.
fn part(shape: &impl Shape, pos: ChunkPos) -> RunTree {
    let (bounds, mut builder) = (pos.bounds(), RunBuilder::new());
    let within = bounds.intersection(shape.bounds());
    for y in within.min.y..within.max.y {
        for z in within.min.z..within.max.z {
            let row = linear_index(IVec3::new(0, y - bounds.min.y, z - bounds.min.z));
            shape.row(y, z, &mut |xs| {
                let (first, end) = (xs.start.max(bounds.min.x), xs.end.min(bounds.max.x));
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

#[cfg(test)]
mod tests;
