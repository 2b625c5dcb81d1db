//! A box of voxels of a stated size, for schematics and small worlds.
//!
//! The middle of the box is at x = z = 0 and its lowest layer at y = 0, even if that is air, so the
//! position does not depend on the content.

use super::chunk_store::{ImportSummary, ImportTarget};
use super::error::FormatError;
use super::minecraft::block_mapper::BlockMapper;
use super::voxel_collector::VoxelCollector;
use glam::{I64Vec3, IVec3};
use stonerun_engine::voxel::{MaterialTable, Voxel};

/// Longest side, in voxels. Minecraft's schematics store sizes in 16 bits.
const MAX_SIDE: i64 = 1 << 16;
/// Maximum number of voxels, including air.
pub(super) const MAX_VOXELS: i64 = 1 << 28;

/// A box that is being filled. Voxels that are not set stay air.
pub(super) struct VoxelBox<'a> {
    collector: VoxelCollector<'a>,
    shift: IVec3,
    size: IVec3,
}

impl<'a> VoxelBox<'a> {
    /// An empty box of `size`: x (east), y (up), z (south).
    ///
    /// # Errors
    /// A side is not positive or too long, or the box has too many voxels.
    pub(super) fn new(
        size: I64Vec3,
        target: ImportTarget<'a>,
    ) -> Result<VoxelBox<'a>, FormatError> {
        let text = format!("{} x {} x {}", size.x, size.y, size.z);
        if size.min_element() < 1 {
            return Err(FormatError::new(
                "size",
                format!("it is {text} blocks large: there is nothing in it"),
            ));
        }
        if size.max_element() > MAX_SIDE || size.element_product() > MAX_VOXELS {
            let limit = format!("at most {MAX_SIDE} per side and {MAX_VOXELS} in all are imported");
            return Err(FormatError::new("size", format!("it is {text} blocks large; {limit}")));
        }
        let size = size.as_ivec3();
        Ok(VoxelBox {
            collector: VoxelCollector::new(target),
            shift: IVec3::new(-size.x / 2, 0, -size.z / 2),
            size,
        })
    }

    /// Size in voxels.
    pub(super) fn size(&self) -> IVec3 {
        self.size
    }

    /// Sets the voxel at `at`, relative to the lowest corner. A later voxel replaces an earlier
    /// one, but air replaces nothing. `materials` must contain the materials of all voxels set so
    /// far.
    ///
    /// # Errors
    /// The position is outside the box, the voxels lie in too many chunks, or there is no room for
    /// them.
    pub(super) fn set(
        &mut self,
        at: IVec3,
        voxel: Voxel,
        materials: &MaterialTable,
    ) -> Result<(), FormatError> {
        if at.cmplt(IVec3::ZERO).any() || at.cmpge(self.size).any() {
            return Err(FormatError::new(
                format!("block ({}, {}, {})", at.x, at.y, at.z),
                "it is outside the size given",
            ));
        }
        self.collector.set(at + self.shift, voxel, materials)
    }

    /// Stores the remaining chunks, and returns the summary with the parts of `blocks` that were
    /// not read. The error of an empty box names the blocks that are invisible.
    ///
    /// # Errors
    /// The box holds only air, or the chunks cannot be stored.
    pub(super) fn finish_blocks(self, blocks: BlockMapper) -> Result<ImportSummary, FormatError> {
        /// Maximum number of names in the error.
        const MAX_NAMES: usize = 5;
        let invisible = blocks.invisible_blocks();
        let reason = match invisible.len() {
            0 => "there is nothing but air".to_owned(),
            _ => {
                let names =
                    invisible.iter().take(MAX_NAMES).copied().collect::<Vec<_>>().join(", ");
                format!("there is nothing but air and blocks that cannot be seen ({names})")
            }
        };
        let unread = blocks.unread.clone();
        let summary = self.collector.finish(blocks.into_materials())?;
        let mut summary = summary.ok_or_else(|| FormatError::new("blocks", reason))?;
        summary.report_unread(&unread);
        Ok(summary)
    }
}

#[cfg(test)]
mod tests {
    use super::super::chunk_store::in_memory;
    use super::*;
    use stonerun_engine::voxel::Box3;

    #[test]
    fn box_is_centred_whatever_it_contains() {
        let imported = in_memory(|target| {
            let materials = MaterialTable::builtin();
            let mut voxels = VoxelBox::new(I64Vec3::new(5, 40, 2), target)?;
            voxels.set(IVec3::new(4, 39, 1), Voxel::full(1), &materials)?;
            voxels.set(IVec3::ZERO, Voxel::AIR, &materials)?;
            for outside in [IVec3::new(5, 0, 0), IVec3::new(0, 0, -1)] {
                assert!(voxels.set(outside, Voxel::full(1), &materials).is_err());
            }
            voxels.finish_blocks(BlockMapper::new())
        });
        let imported = imported.unwrap();
        assert_eq!(imported.world.get(IVec3::new(2, 39, 0)), Voxel::full(1));
        assert_eq!((imported.voxels, imported.world.len()), (1, 1));
        assert_eq!(imported.bounds, Box3::spanning(IVec3::new(2, 39, 0), IVec3::new(2, 39, 0)));
    }

    #[test]
    fn box_of_impossible_size_is_refused() {
        let empty = |size: I64Vec3| {
            in_memory(|target| VoxelBox::new(size, target)?.finish_blocks(BlockMapper::new()))
        };
        for size in [[0, 1, 1], [-1, 1, 1], [1, 1 << 17, 1], [1 << 10, 1 << 10, 1 << 9]] {
            assert_eq!(empty(size.into()).unwrap_err().place(), "size");
        }
        assert_eq!(empty(I64Vec3::ONE).unwrap_err().reason(), "there is nothing but air");
    }
}
