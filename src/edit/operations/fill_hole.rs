//! Filling holes in the ground.

use super::liquids::layers_of;
use crate::edit::region::{Ellipsoid, Region, Spread};
use crate::edit::{EditError, Mask, Pattern, VoxelEdit};
use crate::voxel::{Box3, Voxel};
use glam::{DVec3, IVec3};

/// Fills a hole downwards (`//fill`): the air of the layer of `origin` that is connected with it
/// inside a ball, and below each of these voxels straight down to the first that is not air. `depth`
/// is the number of layers, that of `origin` included.
///
/// # Errors
/// The ball is too large, a chunk cannot be read, or the job was cancelled.
pub fn fill_hole(
    edit: &mut VoxelEdit<'_>,
    origin: IVec3,
    radius: f64,
    depth: u32,
    pattern: &Pattern,
) -> Result<u64, EditError> {
    let within = hole(origin, radius, depth)?;
    let start = Region::from_shape(&Box3::spanning(origin, origin));
    let mouth = Region::flooded(edit, &start, &air(), &within, Spread::FLAT, edit.progress())?;
    let filled = Region::flooded(edit, &mouth, &air(), &within, Spread::DOWN, edit.progress())?;
    edit.fill(&filled, &Mask::Any, pattern)
}

/// Fills a hole with its caves (`//fillr`): the air connected with `origin` by faces inside a ball,
/// not above `origin`. `depth` as in [`fill_hole`].
///
/// # Errors
/// Like [`fill_hole`].
pub fn fill_hole_recursively(
    edit: &mut VoxelEdit<'_>,
    origin: IVec3,
    radius: f64,
    depth: u32,
    pattern: &Pattern,
) -> Result<u64, EditError> {
    let filled = Region::connected(edit, origin, &air(), &hole(origin, radius, depth)?, edit.progress())?;
    edit.fill(&filled, &Mask::Any, pattern)
}

fn air() -> Mask {
    Mask::Materials(vec![Voxel::AIR.material()])
}

/// The voxels of a ball from the layer of its centre downwards, `depth` layers.
fn hole(centre: IVec3, radius: f64, depth: u32) -> Result<Region, EditError> {
    let ball = Region::try_from_shape(&Ellipsoid { centre, radii: DVec3::splat(radius) })?;
    Ok(layers_of(&ball, centre.y.saturating_sub_unsigned(depth).saturating_add(1), centre.y))
}
