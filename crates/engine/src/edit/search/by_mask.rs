//! Regions of voxels that a mask accepts.

use crate::edit::region::Region;
use crate::edit::region::tree_bits::{is_full, region_bits};
use crate::edit::{ChunkBits, ChunkSource, EditError, JobProgress, Mask};
use crate::runs::RunTree;
use crate::voxel::{ChunkPos, MaterialId};
use crate::world::Chunk;

impl Region {
    /// Voxels of `within` that a mask accepts, found on all cores.
    ///
    /// # Errors
    /// Fails if a chunk cannot be read, or if the job was cancelled.
    pub(crate) fn by_mask(
        world: &dyn ChunkSource,
        within: &Region,
        mask: &Mask,
        progress: &JobProgress,
    ) -> Result<Region, EditError> {
        let chunks: Vec<(ChunkPos, &RunTree)> = within.trees().collect();
        let accepted = progress.map(&chunks, |&(pos, tree)| {
            let chunk = world.chunk(pos)?;
            Ok((pos, accepted_tree(mask, pos, &chunk, tree, world)?))
        })?;
        Ok(Region::from_chunks(accepted))
    }

    /// Voxels of `within` that consist of one of `materials`. Air is material 0.
    ///
    /// # Errors
    /// The errors of [`Region::by_mask`].
    pub(crate) fn by_material(
        world: &dyn ChunkSource,
        within: &Region,
        materials: &[MaterialId],
        progress: &JobProgress,
    ) -> Result<Region, EditError> {
        Region::by_mask(world, within, &Mask::Materials(materials.to_vec()), progress)
    }
}

/// Voxels of a chunk that a mask accepts.
pub(in crate::edit) fn accepted_bits(
    mask: &Mask,
    pos: ChunkPos,
    chunk: &Chunk,
    world: &dyn ChunkSource,
) -> Result<ChunkBits, EditError> {
    if mask.is_by_content() {
        return Ok(ChunkBits::from_tree(chunk, |voxel| mask.accepts(voxel) == Some(true)));
    }
    mask.accepted(pos, chunk, world, &ChunkBits::all())
}

/// Voxels of the region's tree `within` that a mask accepts, as a region's tree.
pub(super) fn accepted_tree(
    mask: &Mask,
    pos: ChunkPos,
    chunk: &Chunk,
    within: &RunTree,
    world: &dyn ChunkSource,
) -> Result<RunTree, EditError> {
    let accepted = accepted_bits(mask, pos, chunk, world)?;
    Ok(if is_full(within) { accepted } else { accepted.zip(&region_bits(within), |a, b| a & b) }
        .to_tree())
}
