//! Removal and levelling of connected liquids.

use super::box_near;
use super::voxel_change::VoxelChange;
use crate::edit::region::{Ellipsoid, Region};
use crate::edit::{EditError, Mask, Pattern, Spread, VoxelEdit};
use crate::voxel::{Box3, MaterialId, Voxel, WORLD_LIMIT};
use glam::{DVec3, IVec3};

/// Removes liquid inside a ball around `origin` (`//drain`): the liquid in the 3 x 3 x 3 voxels
/// around `origin`, and everything connected with it across faces. Wet voxels on the way become
/// dry.
///
/// # Errors
/// The ball is too large, a chunk cannot be read, or the job was cancelled.
pub fn drain(
    edit: &mut VoxelEdit<'_>,
    origin: IVec3,
    radius: f64,
    liquids: &Mask,
) -> Result<u64, EditError> {
    let ball = Region::try_from_shape(&Ellipsoid { centre: origin, radii: DVec3::splat(radius) })?;
    let seeds = Region::from_shape(&box_near(origin, 1));
    let passable = Mask::AnyOf(vec![liquids.clone(), Mask::Wet]);
    let drained = Region::flooded(edit, &seeds, &passable, &ball, Spread::ALL, edit.progress())?;
    let removed = edit.fill(&drained, liquids, &Pattern::Voxel(Voxel::AIR))?;
    let dried = VoxelChange { region: &drained, mask: Mask::Wet, change: Voxel::dry };
    Ok(removed + edit.apply(&dried)?)
}

/// Fills a lake up to the level of `origin` (`//fixwater`, `//fixlava`). The liquid spreads from
/// its voxels among the 3 x 3 x 3 around `origin`, through air and the liquid itself, sideways and
/// down but never up, inside a ball and not above `origin`. All reached voxels become full. If
/// `wets`, it spreads through wet voxels, too, and fills what their matter leaves free.
///
/// # Errors
/// The errors of [`drain`].
pub(crate) fn fix_liquid(
    edit: &mut VoxelEdit<'_>,
    origin: IVec3,
    radius: f64,
    liquid: MaterialId,
    wets: bool,
) -> Result<u64, EditError> {
    let ball = Region::try_from_shape(&Ellipsoid { centre: origin, radii: DVec3::splat(radius) })?;
    let within = layers_of(&ball, i32::MIN, origin.y);
    let near = Region::from_shape(&box_near(origin, 1));
    let seeds = Region::by_material(edit, &near, &[liquid], edit.progress())?;
    let open = Mask::Materials(vec![Voxel::AIR.material(), liquid]);
    let passable = if wets { Mask::AnyOf(vec![open.clone(), Mask::Wet]) } else { open.clone() };
    let lake = Region::flooded(edit, &seeds, &passable, &within, Spread::FALLING, edit.progress())?;
    let filled = edit.fill(&lake, &open, &Pattern::Voxel(Voxel::full(liquid)))?;
    let filled_up = |voxel: Voxel| voxel.with_liquid(u8::MAX);
    Ok(filled + edit.apply(&VoxelChange { region: &lake, mask: Mask::Wet, change: filled_up })?)
}

/// Voxels of a region in the layers from `lowest` to `highest`, both included.
pub(super) fn layers_of(region: &Region, lowest: i32, highest: i32) -> Region {
    let Some(bounds) = region.bounds() else { return Region::default() };
    let low = lowest.max(-WORLD_LIMIT);
    let end = highest.min(WORLD_LIMIT - 1) + 1;
    let slab = Box3 { min: bounds.min.with_y(low), max: bounds.max.with_y(end) };
    region.intersection(&Region::from_shape(&slab.intersection(bounds)))
}
