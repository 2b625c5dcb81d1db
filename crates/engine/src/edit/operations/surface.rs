//! Operations on the surface of a region.

use super::GroundLayers;
use super::voxel_change::VoxelChange;
use crate::edit::region::Region;
use crate::edit::{EditError, Mask, Pattern, VoxelEdit};
use crate::voxel::{MaterialId, MaterialTable, Voxel};
use glam::IVec3;

/// Puts a pattern on top of the highest ground voxel of each column of a region, possibly one voxel
/// above the region (`//overlay`). As in WorldEdit, columns with ground directly above the region
/// stay unchanged. Unlike here, everything except air is ground in WorldEdit, so its overlay covers
/// plants and lakes.
///
/// # Errors
/// A chunk cannot be read, or the job was cancelled.
pub fn overlay(
    edit: &mut VoxelEdit<'_>,
    region: &Region,
    ground: &Mask,
    pattern: &Pattern,
) -> Result<u64, EditError> {
    let top = GroundLayers::find(edit, region, ground, edit.progress())?.top;
    edit.fill(&top.translate(IVec3::Y)?, &Mask::Any, pattern)
}

/// Materials of [`naturalize`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NaturalGround {
    /// Materials that are replaced. Other voxels below the top stay, but count as depth.
    pub replaced: Vec<MaterialId>,
    /// Voxel for the top of each column.
    pub top: Voxel,
    /// Voxel for the three layers below the top.
    pub soil: Voxel,
    /// Voxel for everything farther below.
    pub rock: Voxel,
}

impl NaturalGround {
    /// Grass, dirt and stone, as in WorldEdit; `None` if the map lacks one of them.
    #[must_use]
    pub fn from_materials(materials: &MaterialTable) -> Option<NaturalGround> {
        let grass = materials.find("grass")?;
        let dirt = materials.find("dirt")?;
        let stone = materials.find("stone")?;
        let [top, soil, rock] = [grass, dirt, stone].map(Voxel::full);
        Some(NaturalGround { replaced: vec![grass, dirt, stone], top, soil, rock })
    }
}

/// Turns the ground of a region into a layer of grass, three layers of dirt, and stone below
/// (`//naturalize`). As in WorldEdit, only grass, dirt and stone are replaced, every voxel below
/// the highest of them counts as depth, and columns with such ground directly above the region stay
/// unchanged.
///
/// # Errors
/// The errors of [`overlay`].
pub fn naturalize(
    edit: &mut VoxelEdit<'_>,
    region: &Region,
    ground: &NaturalGround,
) -> Result<u64, EditError> {
    let mask = Mask::Materials(ground.replaced.clone());
    let layers = GroundLayers::find(edit, region, &mask, edit.progress())?;
    let parts = [(layers.top, ground.top), (layers.soil, ground.soil), (layers.deep, ground.rock)];
    let mut fill =
        |(part, voxel): (Region, Voxel)| edit.fill(&part, &Mask::Any, &Pattern::Voxel(voxel));
    parts.into_iter().try_fold(0, |voxels, part| Ok(voxels + fill(part)?))
}

/// Replaces dirt by grass where it is the highest voxel of a column that `ground` accepts
/// (`//green`). WorldEdit ignores everything above it that does not block movement, except liquids.
///
/// # Errors
/// The errors of [`overlay`].
pub fn green(
    edit: &mut VoxelEdit<'_>,
    region: &Region,
    ground: &Mask,
    dirt: MaterialId,
    grass: Voxel,
) -> Result<u64, EditError> {
    let top = GroundLayers::find(edit, region, ground, edit.progress())?.top;
    edit.fill(&top, &Mask::Materials(vec![dirt]), &Pattern::Voxel(grass))
}

/// Lets snow fall on a region (`//snow`). If the highest voxel of a column other than air is water,
/// it becomes ice of the same occupancy. If `ground` accepts the highest voxel, `layer` is put on
/// top of it, unless something other than air is there.
///
/// # Errors
/// The errors of [`overlay`].
pub fn snow(
    edit: &mut VoxelEdit<'_>,
    region: &Region,
    ground: &Mask,
    layer: Voxel,
    water: MaterialId,
    ice: MaterialId,
) -> Result<u64, EditError> {
    let air = Mask::Materials(vec![Voxel::AIR.material()]);
    let matter = Mask::Not(Box::new(air.clone()));
    let top = GroundLayers::find(edit, region, &matter, edit.progress())?.top;
    let covered = Region::by_mask(edit, &top, ground, edit.progress())?.translate(IVec3::Y)?;
    let water = Mask::Materials(vec![water]);
    let frozen = edit.apply(&VoxelChange {
        region: &top,
        mask: water,
        change: |voxel: Voxel| voxel.with_material(ice),
    })?;
    Ok(frozen + edit.fill(&covered, &air, &Pattern::Voxel(layer))?)
}

/// Lets a region thaw (`//thaw`): voxels that `snow` accepts are removed, and voxels that `ice`
/// accepts become water of the same occupancy.
///
/// # Errors
/// A chunk cannot be read, or the job was cancelled.
pub(crate) fn thaw(
    edit: &mut VoxelEdit<'_>,
    region: &Region,
    snow: &Mask,
    ice: Mask,
    water: MaterialId,
) -> Result<u64, EditError> {
    let removed = edit.fill(region, snow, &Pattern::Voxel(Voxel::AIR))?;
    // Thin ice holds water, which it joins: together at most a full voxel.
    let melted = |voxel: Voxel| Voxel::new(water, (voxel.parts() - 1) as u8);
    Ok(removed + edit.apply(&VoxelChange { region, mask: ice, change: melted })?)
}
