//! Operations on the surface of a region.

use super::GroundLayers;
use super::material_change::MaterialChange;
use crate::edit::region::Region;
use crate::edit::{EditError, Mask, Pattern, VoxelEdit};
use crate::voxel::{MaterialId, MaterialTable, Voxel};
use glam::IVec3;

/// Puts a pattern on top of the highest ground of each column of a region (`//overlay`): also one
/// voxel above the region. As in WorldEdit, columns with ground directly above the region stay as
/// they are. WorldEdit's ground is everything but air: its overlay covers plants and lakes.
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
    /// Materials that are replaced. Others stay, and count as depth if they lie below the top.
    pub replaced: Vec<MaterialId>,
    /// The top voxel.
    pub top: Voxel,
    /// The three voxels below the top voxel.
    pub soil: Voxel,
    /// The voxels farther below.
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

/// Makes the ground of a region a layer of grass, three of dirt, and stone below (`//naturalize`).
/// As in WorldEdit, only grass, dirt and stone are replaced, depth counts every voxel below the
/// highest of them, and columns with such ground directly above the region stay as they are.
///
/// # Errors
/// Like [`overlay`].
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
/// (`//green`). WorldEdit looks through everything that does not block movement, except liquids.
///
/// # Errors
/// Like [`overlay`].
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

/// Lets snow fall on a region (`//snow`). If the highest matter of a column is water, it becomes
/// ice of the same occupancy; if `ground` accepts it, `layer` is put on top, into air only.
///
/// # Errors
/// Like [`overlay`].
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
    let frozen = edit.apply(&MaterialChange { region: &top, mask: water, material: ice })?;
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
    Ok(removed + edit.apply(&MaterialChange { region, mask: ice, material: water })?)
}
