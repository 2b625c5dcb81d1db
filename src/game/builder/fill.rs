//! Operations that fill selected boxes.

use crate::edit::region::Region;
use crate::edit::{EditError, MAX_CHUNKS, Mask, Pattern, VoxelEdit};
use crate::game::builder::materials::existing;
use crate::game::builder::roof::{Roof, RoofForm};
use crate::game::edit_jobs::EditWork;
use crate::metrics::thousands;
use crate::voxel::{Box3, Voxel};
use glam::IVec3;

/// An operation on the selection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FillOperation {
    /// Fills everything.
    Set,
    /// Fills what is not air.
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
}

impl FillOperation {
    /// Its name in the history.
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
        }
    }
}

/// An operation with all that it needs.
#[derive(Clone, Debug)]
pub struct FillJob {
    /// The operation.
    pub operation: FillOperation,
    /// The boxes, which may overlap.
    pub areas: Vec<Box3>,
    /// What is put.
    pub pattern: Pattern,
    /// Where.
    pub mask: Mask,
}

impl FillJob {
    /// The work of the operation.
    ///
    /// # Errors
    /// The boxes are too large, in one line.
    pub fn work(self) -> Result<EditWork, String> {
        let chunks = self.areas.iter().map(|area| area.in_chunks().volume()).fold(0, u64::saturating_add);
        if chunks > MAX_CHUNKS {
            return Err(format!(
                "the selection is too large: {} chunks of 32 x 32 x 32 voxels, {} are possible",
                thousands(chunks),
                thousands(MAX_CHUNKS)
            ));
        }
        Ok(Box::new(move |edit| {
            let voxels = self.carry_out(edit)?;
            Ok(format!("{} voxels changed", thousands(voxels)))
        }))
    }

    /// Carries the operation out. Returns the number of voxels that changed.
    ///
    /// # Errors
    /// Like [`VoxelEdit::fill`].
    pub fn carry_out(&self, edit: &mut VoxelEdit<'_>) -> Result<u64, EditError> {
        let each = |part: &dyn Fn(Box3) -> Region| {
            self.areas.iter().fold(Region::default(), |all, &area| all.union(&part(area)))
        };
        let whole = |area: Box3| Region::from_shape(&area);
        let shell = |by: IVec3| move |area: Box3| whole(area).difference(&interior(area, by));
        let air = Pattern::Voxel(Voxel::AIR);
        match self.operation {
            FillOperation::Set => edit.fill(&each(&whole), &self.mask, &self.pattern),
            FillOperation::Replace => {
                let mask = Mask::All(vec![existing(), self.mask.clone()]);
                edit.fill(&each(&whole), &mask, &self.pattern)
            }
            FillOperation::Walls => edit.fill(&each(&shell(IVec3::new(1, 0, 1))), &self.mask, &self.pattern),
            FillOperation::Faces => edit.fill(&each(&shell(IVec3::ONE)), &self.mask, &self.pattern),
            FillOperation::Hollow => edit.fill(&each(&|area| interior(area, IVec3::ONE)), &self.mask, &air),
            FillOperation::Roof(form) => {
                let roof = |below| Region::from_shape(&Roof { below, form, overhang: 1 });
                edit.fill(&each(&roof), &self.mask, &self.pattern)
            }
            FillOperation::Clear => edit.fill(&each(&whole), &self.mask, &air),
        }
    }
}

/// The box without its sides.
fn interior(area: Box3, by: IVec3) -> Region {
    let inner = Box3 { min: area.min + by, max: area.max - by };
    if inner.is_empty() { Region::default() } else { Region::from_shape(&inner) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::JobProgress;
    use crate::world::World;

    const STONE: Voxel = Voxel::full(1);
    const PUT: Voxel = Voxel::full(2);

    /// A world with stone up to height 4.
    fn ground() -> World {
        let mut world = World::new();
        let area = Box3 { min: IVec3::new(-32, -32, -32), max: IVec3::splat(32) };
        area.chunks().for_each(|pos| drop(world.insert(pos, crate::world::Chunk::uniform(Voxel::AIR))));
        world.fill(Box3 { max: area.max.with_y(5), ..area }, STONE);
        world
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
                let job = FillJob { operation, areas: areas.clone(), pattern: Pattern::Voxel(PUT), mask: mask.clone() };
                let changed = job.carry_out(&mut edit).expect("the world is in memory");
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
                                (Some(area), FillOperation::Walls) if is_outer(area, at, &[0, 2]) => PUT,
                                (Some(area), FillOperation::Faces) if is_outer(area, at, &[0, 1, 2]) => PUT,
                                (Some(area), FillOperation::Hollow) if !is_outer(area, at, &[0, 1, 2]) => Voxel::AIR,
                                _ => before,
                            };
                            let after = if mask.accepts(before) == Some(true) { after } else { before };
                            expected_changed += u64::from(after != before);
                            assert_eq!(edit.voxel(at).expect("loaded"), after, "{operation:?} {mask:?} {at}");
                        }
                    }
                }
                assert_eq!(changed, expected_changed, "{operation:?}");
            }
        }
    }

    #[test]
    fn too_large_selection_is_refused() {
        let all = Box3 { min: IVec3::splat(-9000), max: IVec3::splat(9000) };
        let job =
            FillJob { operation: FillOperation::Set, areas: vec![all], pattern: Pattern::Voxel(PUT), mask: Mask::Any };
        assert!(job.work().is_err_and(|reason| reason.starts_with("the selection is too large")));
    }
}
