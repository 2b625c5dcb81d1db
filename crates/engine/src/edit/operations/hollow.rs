//! Hollowing of matter.

use crate::edit::region::{Metric, Region};
use crate::edit::{EditError, Mask, Pattern, Spread, VoxelEdit};

/// Fills the inside of the matter in a region with a pattern and keeps a shell (`//hollow`).
///
/// As in WorldEdit, the outside consists of the voxels that `matter` rejects and that are connected
/// with the edge of the region. Voxels more than `thickness` steps (across faces) away from the
/// outside are filled, closed caves included. Unlike in WorldEdit, everything around the region is
/// also outside, so a completely solid region keeps a shell. Values of `thickness` below 1 count as
/// 1.
///
/// # Errors
/// A chunk cannot be read, or the job was cancelled.
pub fn hollow(
    edit: &mut VoxelEdit<'_>,
    region: &Region,
    matter: &Mask,
    thickness: u32,
    pattern: &Pattern,
) -> Result<u64, EditError> {
    let open = Mask::Not(Box::new(matter.clone()));
    let outside =
        Region::flooded(edit, &region.boundary(), &open, region, Spread::ALL, edit.progress())?;
    let inside = region.difference(&outside).shrink(thickness.max(1), Metric::Manhattan)?;
    edit.fill(&inside, &Mask::Any, pattern)
}
