//! Replacing of blocks that keeps the forms of their shapes.

use super::voxel_change::VoxelChange;
use crate::edit::region::Region;
use crate::edit::{EditError, Mask, VoxelEdit};
use crate::voxel::{MaterialId, Voxel};
use rustc_hash::FxHashMap;

/// Replaces the voxels of a region that `mask` accepts: a material of `forms` by the one that
/// `forms` gives it, with the water that it holds, and all others by `others`. Returns the number
/// of changed voxels.
///
/// # Errors
/// A chunk cannot be read, or the job was cancelled.
pub(in crate::edit) fn replace_forms(
    edit: &mut VoxelEdit<'_>,
    region: &Region,
    mask: Mask,
    forms: &FxHashMap<MaterialId, MaterialId>,
    others: Voxel,
) -> Result<u64, EditError> {
    let change = |voxel: Voxel| match forms.get(&voxel.material()) {
        Some(&material) => voxel.with_material(material),
        None => others,
    };
    edit.apply(&VoxelChange { region, mask, change })
}
