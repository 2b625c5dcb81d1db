//! Hollowing out matter.

use crate::edit::region::{Metric, Region};
use crate::edit::{EditError, Mask, Pattern, Spread, VoxelEdit};

/// Puts a pattern into the inside of the matter in a region, and keeps a shell (`//hollow`).
///
/// As in WorldEdit, the outside consists of the voxels that `matter` does not accept and that are
/// connected to the edge of the region. Voxels that are more than `thickness` steps across faces
/// away from the outside are filled, closed caves included. Unlike in WorldEdit, everything around
/// the region is outside too, so a region that is solid throughout keeps a shell. `thickness` is at
/// least 1.
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
