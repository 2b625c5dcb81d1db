//! The clipboard: copied voxels that can be turned, scaled and pasted anywhere.
//!
//! A [`Clipboard`] keeps copied chunks unchanged, as shared handles on the same chunk grid, with
//! the region of the voxels that belong to it. So copying costs no memory per voxel, and pasting a
//! complete chunk onto the chunk grid costs no time per voxel. Off the grid, each pasted chunk is
//! assembled from up to eight chunks (`shifted`).
//!
//! A transformed clipboard keeps its `Source`, the copied voxels. A sequence of turns, flips and
//! scales of any length therefore looks up each voxel once, and turning back restores the copied
//! voxels exactly.

mod coded_chunk;
mod dense_chunk;
mod materials;
mod orientation;
mod row_run;
mod shifted;
mod transform;
mod transformed;
mod turned_materials;

pub(in crate::edit) use shifted::ClipboardPart;
pub use transform::{Transform, TransformError};

use super::region::Region;
use crate::runs::Run;
use crate::voxel::{Box3, ChunkPos, Voxel, WORLD_LIMIT, linear_index, local};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Copied voxels. Clones share them.
///
/// Positions come in two forms. *Offsets* are relative to the origin: the voxel at offset `o` is
/// pasted at the target plus `o`. *Grid positions* are positions in the stored chunks, such as the
/// origin.
#[derive(Clone, Debug)]
pub struct Clipboard(Arc<Content>);

#[derive(Debug)]
struct Content {
    /// Chunks with voxels of the region. Chunks that are air may be missing. Voxels outside the
    /// region are undefined.
    chunks: FxHashMap<ChunkPos, Chunk>,
    /// Voxels that belong to the clipboard, as grid positions.
    region: Region,
    /// Grid position of the voxel that a paste puts at its target, within the world's limits. May
    /// lie outside the region.
    origin: IVec3,
    /// Smallest box around the region, as grid positions; an empty box at the origin if the region
    /// is empty.
    bounds: Box3,
    /// Source of a transformed clipboard; `None` for a copy.
    source: Option<Source>,
}

/// Copied clipboard from which another one was transformed.
#[derive(Clone, Debug)]
struct Source {
    /// The copied clipboard, which has no source itself.
    original: Clipboard,
    /// All transforms since the copy, combined.
    transform: Transform,
}

impl Source {
    /// Source of `clipboard` after another `transform`.
    fn followed_by(clipboard: &Clipboard, transform: Transform) -> Source {
        match &clipboard.0.source {
            Some(Source { original, transform: before }) => Source {
                original: original.clone(),
                transform: before.then(transform).without_rounding(),
            },
            None => Source { original: clipboard.clone(), transform },
        }
    }
}

impl Clipboard {
    /// Clipboard of the voxels of `chunks` that lie in `region`. Chunks of the region that are
    /// missing count as air; chunks outside the world are left out. `origin` is the voxel that a
    /// paste puts at its target. All three are grid positions.
    #[must_use]
    pub fn new(
        chunks: impl IntoIterator<Item = (ChunkPos, Chunk)>,
        region: Region,
        origin: IVec3,
    ) -> Clipboard {
        Clipboard::from_source(chunks, region, origin, None)
    }

    /// Clipboard like [`Clipboard::new`], of voxels that were transformed from a source.
    fn from_source(
        chunks: impl IntoIterator<Item = (ChunkPos, Chunk)>,
        region: Region,
        origin: IVec3,
        source: Option<Source>,
    ) -> Clipboard {
        let origin = origin.clamp(IVec3::splat(-WORLD_LIMIT), IVec3::splat(WORLD_LIMIT - 1));
        let is_in_world = region.chunks().all(ChunkPos::in_world);
        let region = if is_in_world {
            region
        } else {
            let inside = region.chunks().filter(|pos| pos.in_world());
            Region::from_chunks(inside.filter_map(|pos| Some((pos, region.chunk(pos)?.clone()))))
        };
        let bounds = region.bounds().unwrap_or(Box3 { min: origin, max: origin });
        let belongs = |(pos, chunk): &(ChunkPos, Chunk)| {
            chunk.as_uniform() != Some(Voxel::AIR) && region.chunk(*pos).is_some()
        };
        let given = chunks.into_iter();
        let mut chunks = FxHashMap::default();
        chunks.reserve(given.size_hint().0);
        chunks.extend(given.filter(belongs));
        Clipboard(Arc::new(Content { chunks, region, origin, bounds, source }))
    }

    /// Grid position of the voxel that a paste puts at its target.
    #[must_use]
    pub fn origin(&self) -> IVec3 {
        self.0.origin
    }

    /// Voxels that belong to the clipboard, as grid positions.
    #[must_use]
    pub fn region(&self) -> &Region {
        &self.0.region
    }

    /// Smallest box around the voxels, as grid positions; an empty box at the origin if there are
    /// none.
    #[must_use]
    pub fn grid_bounds(&self) -> Box3 {
        self.0.bounds
    }

    /// Smallest box around the voxels, as offsets from the origin; empty if there are none.
    #[must_use]
    pub fn bounds(&self) -> Box3 {
        let Content { origin, bounds, .. } = *self.0;
        Box3 { min: bounds.min.saturating_sub(origin), max: bounds.max.saturating_sub(origin) }
    }

    /// Sides of the smallest box around the voxels.
    #[must_use]
    pub fn size(&self) -> IVec3 {
        self.0.bounds.size()
    }

    /// Number of voxels, air included.
    #[must_use]
    pub fn volume(&self) -> u64 {
        self.0.region.volume()
    }

    /// True if the clipboard contains no voxels.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.region.is_empty()
    }

    /// Bytes of the tables and of all chunks, the source's included. Some of the chunks may be
    /// shared with the world.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let heap: usize = self.0.chunks.values().map(Chunk::heap_bytes).sum();
        let source = self.0.source.as_ref().map_or(0, |source| source.original.bytes());
        self.0.chunks.capacity() * size_of::<(ChunkPos, Chunk)>()
            + heap
            + self.0.region.bytes()
            + source
    }

    /// Voxel at an offset from the origin; `None` if it does not belong to the clipboard.
    #[must_use]
    pub fn voxel(&self, offset: IVec3) -> Option<Voxel> {
        self.grid_voxel(self.0.origin.checked_add(offset)?)
    }

    /// Voxel at a grid position; `None` if it does not belong to the clipboard.
    fn grid_voxel(&self, at: IVec3) -> Option<Voxel> {
        let pos = ChunkPos::containing(at);
        let index = linear_index(local(at));
        self.0.region.chunk(pos).filter(|inside| inside.get(index) == Region::INSIDE)?;
        Some(self.chunk(pos).get(index))
    }

    /// Stored chunk at `pos`. Its voxels outside the region are undefined.
    fn chunk(&self, pos: ChunkPos) -> Chunk {
        self.0.chunks.get(&pos).cloned().unwrap_or(Chunk::uniform(Voxel::AIR))
    }

    /// Calls `each` with the runs of the clipboard's voxels, in the order of chunk positions: the
    /// grid position of the chunk, and a run of its linear order.
    pub(crate) fn for_each_run(&self, mut each: impl FnMut(ChunkPos, Run)) {
        for pos in self.0.region.sorted_chunks() {
            let chunk = self.chunk(pos);
            for range in self.0.region.ranges(pos) {
                // `for_each` walks a run table in one loop; `next` would search for each run.
                chunk.runs_in(range).for_each(|run| each(pos, run));
            }
        }
    }

    /// Voxels of the runs of each chunk, without their places.
    pub(crate) fn runs_by_chunk(&self) -> impl Iterator<Item = impl Iterator<Item = Voxel>> {
        self.0.region.sorted_chunks().into_iter().map(|pos| {
            let chunk = self.chunk(pos);
            let ranges = self.0.region.ranges(pos);
            ranges.into_iter().flat_map(move |range| {
                chunk.runs_in(range).map(|run| run.voxel).collect::<Vec<_>>()
            })
        })
    }

    /// Chunks sorted by grid position. Voxels that do not belong to the clipboard are air.
    pub fn clipped_chunks(&self) -> impl Iterator<Item = (ChunkPos, Chunk)> + '_ {
        self.0.region.sorted_chunks().into_iter().map(|pos| (pos, self.clipped_chunk(pos)))
    }

    fn clipped_chunk(&self, pos: ChunkPos) -> Chunk {
        let chunk = self.chunk(pos);
        let region = &self.0.region;
        if region.holds_chunk(pos) || chunk.as_uniform() == Some(Voxel::AIR) {
            return chunk;
        }
        let mut clipped = Chunk::uniform(Voxel::AIR);
        let runs = region.ranges(pos).flat_map(|range| chunk.runs_in(range));
        clipped.set_ranges(runs.map(|run| (run.start as usize..run.end() as usize, run.voxel)));
        clipped
    }
}

#[cfg(test)]
mod tests;
