//! Access to the chunks of a region, for operations on whole chunks.

use super::{INSIDE, Region};
use crate::runs::RunTree;
use crate::voxel::{ChunkPos, Voxel};
use rustc_hash::FxHashMap;

impl Region {
    /// Value of voxels that belong to the region in the trees of [`Region::chunk`]; all other
    /// voxels are air.
    pub(in crate::edit) const INSIDE: Voxel = INSIDE;

    /// Region from trees of [`Region::INSIDE`] and air. Trees of air alone are left out.
    pub(in crate::edit) fn from_chunks(
        chunks: impl IntoIterator<Item = (ChunkPos, RunTree)>,
    ) -> Region {
        let has_voxels = |(_, chunk): &(ChunkPos, RunTree)| chunk.as_uniform() != Some(Voxel::AIR);
        let given = chunks.into_iter();
        let mut chunks = FxHashMap::default();
        chunks.reserve(given.size_hint().0);
        chunks.extend(given.filter(has_voxels));
        Region { chunks }
    }

    /// Chunks with voxels of the region, as trees of [`Region::INSIDE`] and air, in no particular
    /// order.
    pub(in crate::edit) fn trees(&self) -> impl ExactSizeIterator<Item = (ChunkPos, &RunTree)> {
        self.chunks.iter().map(|(&pos, tree)| (pos, tree))
    }

    /// Tree of the chunk at `pos`, of [`Region::INSIDE`] and air; `None` if the chunk has no voxel
    /// of the region.
    pub(in crate::edit) fn chunk(&self, pos: ChunkPos) -> Option<&RunTree> {
        self.chunks.get(&pos)
    }
}
