//! A box of voxels out of a file that says how large it is: schematics, small worlds.
//!
//! It stands with its middle at x = z = 0 and its lowest layer at y = 0, air or not, so that the same box comes to the
//! same place whatever is in it.

use super::chunk_store::{ImportSummary, ImportTarget};
use super::error::FormatError;
use super::voxel_collector::VoxelCollector;
use crate::voxel::{MaterialTable, Voxel};
use glam::{I64Vec3, IVec3};

/// The longest side. Minecraft's schematics count in 16 bits.
const MAX_SIDE: i64 = 1 << 16;
/// The most voxels, air counted.
pub(super) const MAX_VOXELS: i64 = 1 << 28;

/// A box that is being filled. What is not set is air.
pub(super) struct VoxelBox<'a> {
    gather: VoxelCollector<'a>,
    shift: IVec3,
    size: IVec3,
}

impl<'a> VoxelBox<'a> {
    /// An empty box of this size: x (east), y (up), z (south).
    ///
    /// # Errors
    /// A side is not positive or too long, or the box holds too many voxels.
    pub(super) fn new(size: I64Vec3, target: ImportTarget<'a>) -> Result<VoxelBox<'a>, FormatError> {
        let text = format!("{} x {} x {}", size.x, size.y, size.z);
        if size.min_element() < 1 {
            return Err(FormatError::new("size", format!("it is {text} blocks large: there is nothing in it")));
        }
        if size.max_element() > MAX_SIDE || size.element_product() > MAX_VOXELS {
            let most = format!("at most {MAX_SIDE} a side and {MAX_VOXELS} in all are imported");
            return Err(FormatError::new("size", format!("it is {text} blocks large; {most}")));
        }
        let size = size.as_ivec3();
        Ok(VoxelBox { gather: VoxelCollector::new(target), shift: IVec3::new(-size.x / 2, 0, -size.z / 2), size })
    }

    /// The size asked for.
    pub(super) fn size(&self) -> IVec3 {
        self.size
    }

    /// Sets the voxel at `at`, from 0 up to the size; a later one replaces an earlier one, but air takes nothing away. `materials`
    /// has all that was set so far.
    ///
    /// # Errors
    /// It is outside, the voxels lie in too many chunks, or there is no room for them.
    pub(super) fn set(&mut self, at: IVec3, voxel: Voxel, materials: &MaterialTable) -> Result<(), FormatError> {
        if at.cmplt(IVec3::ZERO).any() || at.cmpge(self.size).any() {
            return Err(FormatError::new(
                format!("block ({}, {}, {})", at.x, at.y, at.z),
                "it is outside the size given",
            ));
        }
        self.gather.set(at + self.shift, voxel, materials)
    }

    /// What is known of all that was set, with the materials that it names.
    ///
    /// # Errors
    /// There is nothing but air, or no room for all.
    pub(super) fn finish(self, materials: MaterialTable) -> Result<ImportSummary, FormatError> {
        self.gather.finish(materials)?.ok_or_else(|| FormatError::new("blocks", "there is nothing but air"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::chunk_store::in_memory;
    use super::*;
    use crate::voxel::Box3;

    #[test]
    fn a_box_stands_at_the_middle() {
        let made = in_memory(|target| {
            let materials = MaterialTable::builtin();
            let mut model = VoxelBox::new(I64Vec3::new(5, 40, 2), target)?;
            model.set(IVec3::new(4, 39, 1), Voxel::full(1), &materials)?;
            model.set(IVec3::ZERO, Voxel::AIR, &materials)?;
            for outside in [IVec3::new(5, 0, 0), IVec3::new(0, 0, -1)] {
                assert!(model.set(outside, Voxel::full(1), &materials).is_err());
            }
            model.finish(materials)
        });
        let made = made.unwrap();
        assert_eq!(made.world.get(IVec3::new(2, 39, 0)), Voxel::full(1));
        assert_eq!((made.voxels, made.world.len()), (1, 1));
        assert_eq!(made.bounds, Box3::spanning(IVec3::new(2, 39, 0), IVec3::new(2, 39, 0)));
    }

    #[test]
    fn sizes_that_cannot_be() {
        let empty = |size: I64Vec3| in_memory(|target| VoxelBox::new(size, target)?.finish(MaterialTable::builtin()));
        for size in [[0, 1, 1], [-1, 1, 1], [1, 1 << 17, 1], [1 << 10, 1 << 10, 1 << 9]] {
            assert_eq!(empty(size.into()).unwrap_err().place(), "size");
        }
        assert_eq!(empty(I64Vec3::ONE).unwrap_err().reason(), "there is nothing but air");
    }
}
