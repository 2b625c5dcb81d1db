//! Operations that fill selected boxes.

use crate::game::building::builder::materials::existing;
use crate::game::building::builder::roof::{Roof, RoofForm};
use crate::game::building::builder::roof_parts::RoofStairs;
use crate::game::editing::edit_jobs::EditWork;
use glam::IVec3;
use stonerun_engine::edit::operations::{self, ChangedVoxels, GroundMaterials, NaturalGround};
use stonerun_engine::edit::region::Region;
use stonerun_engine::edit::{EditError, MAX_CHUNKS, Mask, Pattern, VoxelEdit};
use stonerun_engine::metrics::thousands;
use stonerun_engine::voxel::{Box3, MaterialTable, Matter, Voxel};

/// Overhang of roofs beyond the walls, in voxels.
const OVERHANG: i32 = 1;

/// An operation on the selection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FillOperation {
    /// Fills everything.
    Set,
    /// Fills all voxels but air.
    Replace,
    /// Fills the four upright sides.
    Walls,
    /// Fills all six sides.
    Faces,
    /// Removes everything but the six sides.
    Hollow,
    /// Builds a roof on top.
    Roof(RoofForm),
    /// Removes everything.
    Clear,
    /// Puts the pattern on top of the ground.
    Overlay,
    /// Makes the ground grass, dirt and stone.
    Naturalize,
    /// Smooths the surface of the ground.
    Smooth,
}

impl FillOperation {
    /// Name of the operation in the history.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FillOperation::Set => "fill",
            FillOperation::Replace => "replace",
            FillOperation::Walls => "walls",
            FillOperation::Faces => "faces",
            FillOperation::Hollow => "hollow",
            FillOperation::Roof(_) => "roof",
            FillOperation::Clear => "clear",
            FillOperation::Overlay => "overlay",
            FillOperation::Naturalize => "naturalize",
            FillOperation::Smooth => "smooth",
        }
    }
}

/// An operation with its boxes, pattern and mask.
#[derive(Clone, Debug)]
pub struct FillJob {
    /// The operation.
    pub operation: FillOperation,
    /// The boxes, which may overlap.
    pub areas: Vec<Box3>,
    /// Pattern to put.
    pub pattern: Pattern,
    /// Mask of the changed voxels. Smoothing treats only ground that it accepts as ground.
    pub mask: Mask,
    /// Ground of the map.
    pub ground: Ground,
    /// Voxels of a roof of stairs; `None` for roofs of whole blocks and for other operations.
    pub stairs: Option<RoofStairs>,
}

/// An operation cannot be carried out.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FillError {
    /// The boxes have this many chunks, which is too many for an edit.
    #[error(
        "the selection is too large: {} chunks of 32 x 32 x 32 voxels, {} are possible",
        thousands(*.0),
        thousands(MAX_CHUNKS)
    )]
    TooLarge(u64),
    /// The map lacks a material of natural ground.
    #[error("the map lacks grass, dirt or stone")]
    MissingGround,
}

/// Materials that terrain operations treat as ground.
#[derive(Clone, PartialEq, Debug)]
pub struct Ground {
    /// Solid materials: neither liquids nor plants.
    pub solid: Mask,
    /// Ground to smooth, and plants and trunks on it.
    pub terrain: GroundMaterials,
    /// Grass, dirt and stone; `None` if the map lacks one of them.
    pub natural: Option<NaturalGround>,
}

impl Ground {
    /// Finds the ground among the materials of a map.
    #[must_use]
    pub fn new(materials: &MaterialTable) -> Ground {
        let solid = Mask::matter(Matter::Solid, materials);
        let terrain = GroundMaterials::from_materials(materials);
        Ground { solid, terrain, natural: NaturalGround::from_materials(materials) }
    }
}

impl FillJob {
    /// The work of the operation.
    ///
    /// # Errors
    /// The boxes are too large, or the map lacks a material.
    pub fn work(self) -> Result<EditWork, FillError> {
        let chunks =
            self.areas.iter().map(|area| area.in_chunks().volume()).fold(0, u64::saturating_add);
        if chunks > MAX_CHUNKS {
            return Err(FillError::TooLarge(chunks));
        }
        if self.operation == FillOperation::Naturalize && self.ground.natural.is_none() {
            return Err(FillError::MissingGround);
        }
        Ok(Box::new(move |edit| Ok(self.carry_out(edit)?.answer())))
    }

    /// Carries the operation out. Returns the number of changed voxels.
    ///
    /// # Errors
    /// Returns the errors of [`VoxelEdit::fill`].
    pub fn carry_out(&self, edit: &mut VoxelEdit<'_>) -> Result<ChangedVoxels, EditError> {
        let region = self.region();
        let air = Pattern::Voxel(Voxel::AIR);
        let changed = match self.operation {
            FillOperation::Roof(form) if self.stairs.is_some() => self.stairs_roof(form, edit),
            FillOperation::Set
            | FillOperation::Walls
            | FillOperation::Faces
            | FillOperation::Roof(_) => edit.fill(&region, &self.mask, &self.pattern),
            FillOperation::Replace => {
                let mask = Mask::All(vec![existing(), self.mask.clone()]);
                edit.fill(&region, &mask, &self.pattern)
            }
            FillOperation::Hollow | FillOperation::Clear => edit.fill(&region, &self.mask, &air),
            FillOperation::Overlay => {
                edit.set_mask(self.mask.clone());
                operations::overlay(edit, &region, &self.ground.solid, &self.pattern)
            }
            FillOperation::Naturalize => match &self.ground.natural {
                Some(natural) => {
                    edit.set_mask(self.mask.clone());
                    operations::naturalize(edit, &region, natural)
                }
                None => Ok(0),
            },
            FillOperation::Smooth => {
                let ground = self.ground.terrain.ground.clone().and(self.mask.clone());
                let terrain = self.ground.terrain.clone().with_ground(ground);
                return operations::smooth(edit, &region, &terrain, 1);
            }
        };
        changed.map(ChangedVoxels::from)
    }

    /// Builds a roof of stairs.
    fn stairs_roof(&self, form: RoofForm, edit: &mut VoxelEdit<'_>) -> Result<u64, EditError> {
        let mut changed = 0;
        for &below in &self.areas {
            let roof = Roof { below, form, overhang: OVERHANG };
            for (region, voxel) in self.stairs.iter().flat_map(|stairs| stairs.regions(roof)) {
                changed += edit.fill(&region, &self.mask, &Pattern::Voxel(voxel))?;
            }
        }
        Ok(changed)
    }

    /// The voxels on which the operation works.
    fn region(&self) -> Region {
        let mut region = Region::default();
        for &area in &self.areas {
            region = region.union(&self.part(area));
        }
        region
    }

    /// The voxels of a box on which the operation works.
    fn part(&self, area: Box3) -> Region {
        match self.operation {
            FillOperation::Walls => shell(area, IVec3::new(1, 0, 1)),
            FillOperation::Faces => shell(area, IVec3::ONE),
            FillOperation::Hollow => interior(area, IVec3::ONE),
            FillOperation::Roof(form) => {
                Region::from_shape(&Roof { below: area, form, overhang: OVERHANG })
            }
            FillOperation::Set
            | FillOperation::Replace
            | FillOperation::Clear
            | FillOperation::Overlay
            | FillOperation::Naturalize
            | FillOperation::Smooth => Region::from_shape(&area),
        }
    }
}

/// The sides of the box, of thickness `by` along each axis.
fn shell(area: Box3, by: IVec3) -> Region {
    Region::from_shape(&area).difference(&interior(area, by))
}

/// The box without its sides.
fn interior(area: Box3, by: IVec3) -> Region {
    let inner = Box3 { min: area.min + by, max: area.max - by };
    if inner.is_empty() { Region::default() } else { Region::from_shape(&inner) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::edit::JobProgress;
    use stonerun_engine::world::World;

    const STONE: Voxel = Voxel::full(1);
    const PUT: Voxel = Voxel::full(2);

    /// A world with stone up to height 4.
    fn ground() -> World {
        let mut world = World::new();
        let area = Box3 { min: IVec3::new(-32, -32, -32), max: IVec3::splat(32) };
        for pos in area.chunks() {
            drop(world.insert(pos, stonerun_engine::world::Chunk::uniform(Voxel::AIR)));
        }
        world.fill(Box3 { max: area.max.with_y(5), ..area }, STONE);
        world
    }

    fn job(operation: FillOperation, areas: Vec<Box3>, mask: Mask) -> FillJob {
        let ground = Ground::new(&MaterialTable::builtin());
        FillJob { operation, areas, pattern: Pattern::Voxel(PUT), mask, ground, stairs: None }
    }

    #[test]
    fn ground_operations_change_the_surface_where_the_mask_accepts_it() {
        let mut world = ground();
        world.set(IVec3::new(2, 5, 2), STONE);
        let materials = MaterialTable::builtin();
        let [grass, dirt] =
            ["grass", "dirt"].map(|name| Voxel::full(materials.find(name).expect("built in")));
        let area = Box3 { min: IVec3::new(-3, 0, -3), max: IVec3::new(6, 9, 6) };
        for (operation, expected) in [
            (FillOperation::Overlay, [STONE, STONE, PUT, STONE, PUT]),
            (FillOperation::Naturalize, [dirt, grass, Voxel::AIR, grass, Voxel::AIR]),
            (FillOperation::Smooth, [STONE, STONE, Voxel::AIR, Voxel::AIR, Voxel::AIR]),
        ] {
            let progress = JobProgress::default();
            let mut edit = VoxelEdit::new(&world, 0, &progress);
            assert!(
                job(operation, vec![area], Mask::Any)
                    .carry_out(&mut edit)
                    .expect("in memory")
                    .voxels
                    > 0
            );
            let found = [[0, 3, 0], [0, 4, 0], [0, 5, 0], [2, 5, 2], [2, 6, 2]];
            let found = found.map(|at| edit.voxel(IVec3::from_array(at)).expect("in memory"));
            assert_eq!(found, expected, "{operation:?}");
        }
        // The mask restricts them like all others.
        for operation in [FillOperation::Overlay, FillOperation::Naturalize, FillOperation::Smooth]
        {
            let progress = JobProgress::default();
            let mut edit = VoxelEdit::new(&world, 0, &progress);
            let nothing = job(operation, vec![area], Mask::Materials(vec![9]));
            assert_eq!(nothing.carry_out(&mut edit).expect("in memory").voxels, 0, "{operation:?}");
        }
    }

    #[test]
    fn operations_equal_a_test_of_each_voxel() {
        let world = ground();
        let areas = vec![
            Box3 { min: IVec3::new(-6, 2, -4), max: IVec3::new(3, 9, 4) },
            Box3 { min: IVec3::new(10, 3, -4), max: IVec3::new(11, 9, 6) },
        ];
        let is_outer = |area: Box3, at: IVec3, axes: &[usize]| {
            axes.iter().any(|&axis| at[axis] == area.min[axis] || at[axis] == area.max[axis] - 1)
        };
        for mask in [Mask::Any, Mask::Materials(vec![1])] {
            for operation in [
                FillOperation::Set,
                FillOperation::Replace,
                FillOperation::Walls,
                FillOperation::Faces,
                FillOperation::Hollow,
                FillOperation::Clear,
            ] {
                let progress = JobProgress::default();
                let mut edit = VoxelEdit::new(&world, 0, &progress);
                let job = job(operation, areas.clone(), mask.clone());
                let changed = job.carry_out(&mut edit).expect("the world is in memory").voxels;
                let mut expected_changed = 0;
                for y in 0..12 {
                    for z in -8..8 {
                        for x in -8..14 {
                            let at = IVec3::new(x, y, z);
                            let before = world.get(at);
                            let area = areas.iter().copied().find(|area| area.contains(at));
                            let after = match (area, operation) {
                                (Some(_), FillOperation::Set) => PUT,
                                (Some(_), FillOperation::Clear) => Voxel::AIR,
                                (Some(_), FillOperation::Replace) if !before.is_air() => PUT,
                                (Some(area), FillOperation::Walls)
                                    if is_outer(area, at, &[0, 2]) =>
                                {
                                    PUT
                                }
                                (Some(area), FillOperation::Faces)
                                    if is_outer(area, at, &[0, 1, 2]) =>
                                {
                                    PUT
                                }
                                (Some(area), FillOperation::Hollow)
                                    if !is_outer(area, at, &[0, 1, 2]) =>
                                {
                                    Voxel::AIR
                                }
                                _ => before,
                            };
                            let after =
                                if mask.accepts(before) == Some(true) { after } else { before };
                            expected_changed += u64::from(after != before);
                            assert_eq!(
                                edit.voxel(at).expect("loaded"),
                                after,
                                "{operation:?} {mask:?} {at}"
                            );
                        }
                    }
                }
                assert_eq!(changed, expected_changed, "{operation:?}");
            }
        }
    }

    #[test]
    fn too_large_selection_and_missing_materials_are_refused() {
        let all = Box3 { min: IVec3::splat(-9000), max: IVec3::splat(9000) };
        let large = job(FillOperation::Set, vec![all], Mask::Any);
        assert!(
            large
                .work()
                .is_err_and(|error| error.to_string().starts_with("the selection is too large"))
        );
        let mut poor = job(
            FillOperation::Naturalize,
            vec![Box3::spanning(IVec3::ZERO, IVec3::ONE)],
            Mask::Any,
        );
        poor.ground.natural = None;
        assert_eq!(poor.work().err(), Some(FillError::MissingGround));
    }
}
