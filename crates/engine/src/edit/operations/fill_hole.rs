//! Filling of holes in the ground.

use super::liquids::layers_of;
use crate::edit::region::{Ellipsoid, Region};
use crate::edit::{EditError, Mask, Pattern, Spread, VoxelEdit};
use crate::voxel::Box3;
use glam::{DVec3, IVec3};

/// Fills a hole inside a ball around `origin`. First finds the air that is connected with `origin`
/// in its layer, then the air that `spread` reaches from there, but not above `origin`.
/// [`Spread::DOWN`] goes straight down to the first voxel that is not air (`//fill`);
/// [`Spread::ALL`] fills caves as well (`//fillr`). `depth` is the number of layers, `origin`'s
/// layer included.
///
/// # Errors
/// The ball is too large, a chunk cannot be read, or the job was cancelled.
pub(crate) fn fill_hole(
    edit: &mut VoxelEdit<'_>,
    origin: IVec3,
    radius: f64,
    depth: u32,
    spread: Spread,
    pattern: &Pattern,
) -> Result<u64, EditError> {
    let ball = Region::try_from_shape(&Ellipsoid { centre: origin, radii: DVec3::splat(radius) })?;
    let within =
        layers_of(&ball, origin.y.saturating_sub_unsigned(depth).saturating_add(1), origin.y);
    let mut filled = Region::from_shape(&Box3::spanning(origin, origin));
    for spread in [Spread::FLAT, spread] {
        filled = Region::flooded(edit, &filled, &Mask::air(), &within, spread, edit.progress())?;
    }
    edit.fill(&filled, &Mask::Any, pattern)
}
