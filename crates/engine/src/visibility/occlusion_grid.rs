//! The occlusion of all chunks in a box, with cheap snapshots: a background job keeps its snapshot
//! while the player digs.

use super::chunk_occlusion::ChunkOcclusion;
use super::occluders::Occluders;
use super::toroidal_index::ToroidalIndex;
use crate::voxel::{ChunkPos, local};
use glam::IVec3;
use std::sync::Arc;

/// Number of chunks in a page, the unit that a change copies while a clone exists.
const PAGE: usize = 64;

/// The occlusion of the chunks in a box. Cheap to clone; clones do not see later changes.
#[derive(Clone, Debug)]
pub struct OcclusionGrid {
    index: ToroidalIndex,
    /// Occlusion of the chunks, indexed by slot, in pages of [`PAGE`] chunks.
    pages: Vec<Arc<[ChunkOcclusion; PAGE]>>,
}

impl OcclusionGrid {
    /// A grid of open chunks.
    pub(super) fn new(index: ToroidalIndex) -> OcclusionGrid {
        let open = Arc::new([const { ChunkOcclusion::OPEN }; PAGE]);
        OcclusionGrid { index, pages: vec![open; index.len().div_ceil(PAGE)] }
    }

    /// Maps chunks to slots.
    #[must_use]
    #[inline]
    pub fn index(&self) -> &ToroidalIndex {
        &self.index
    }

    pub(super) fn move_to(&mut self, index: ToroidalIndex) {
        self.index = index;
    }

    pub(super) fn set(&mut self, slot: usize, occlusion: ChunkOcclusion) {
        Arc::make_mut(&mut self.pages[slot / PAGE])[slot % PAGE] = occlusion;
    }

    /// Occlusion of the chunk in a slot.
    #[must_use]
    #[inline]
    pub fn chunk(&self, slot: usize) -> &ChunkOcclusion {
        &self.pages[slot / PAGE][slot % PAGE]
    }

    /// Occluders of a chunk. A chunk outside the box has none.
    #[must_use]
    pub fn occluders(&self, pos: ChunkPos) -> &Occluders {
        self.index.slot(pos).map_or(&Occluders::None, |slot| &self.chunk(slot).occluders)
    }

    /// True if the voxel at the world position `at` is an occluder. Voxels outside the box are not.
    #[must_use]
    pub fn hides(&self, at: IVec3) -> bool {
        self.occluders(ChunkPos::containing(at)).hides(local(at))
    }
}
