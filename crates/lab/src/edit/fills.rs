//! Fill of a box of terrain, its undo and redo, and replacement of a voxel by another.

use super::flat_box::FlatBox;
use super::{EditInput, EditMeasurement, MeasureError, Rounds, fill};
use crate::input::VoxelId;
use stonerun_engine::edit::region::Region;
use stonerun_engine::edit::{EditableWorld, Mask};
use stonerun_engine::voxel::Voxel;

/// Measures all rows: in each round first ours, then the rival.
pub(super) fn measure(
    input: &EditInput,
    rounds: usize,
    progress: &mut dyn FnMut(f32),
) -> Result<Vec<EditMeasurement>, MeasureError> {
    let mut bench = Bench {
        input,
        flat: FlatBox::new(&input.world, input.area),
        undo: vec![1; input.area.volume() as usize],
        world: input.editable(),
    };
    let mut rows = Vec::new();
    for (number, (what, id)) in
        [("a new material", input.unused), ("its own rock", input.common)].into_iter().enumerate()
    {
        rows.extend(bench.fill(what, id, rounds)?);
        progress((number + 1) as f32 / 3.0);
    }
    rows.push(bench.replace(rounds)?);
    progress(1.0);
    Ok(rows)
}

/// The same terrain in an open map and as a flat array.
struct Bench<'a> {
    input: &'a EditInput,
    flat: FlatBox,
    /// Undo of the rival: a copy of the box.
    undo: Vec<VoxelId>,
    world: EditableWorld,
}

impl Bench<'_> {
    /// True if the world and the rival's box have the same voxels.
    fn is_equal(&self) -> bool {
        self.flat.equals(self.world.world())
    }

    /// Measures fill, undo and redo.
    fn fill(
        &mut self,
        what: &str,
        id: VoxelId,
        rounds: usize,
    ) -> Result<[EditMeasurement; 3], MeasureError> {
        let (mut ours, mut rival): ([Rounds; 3], [Rounds; 3]) = Default::default();
        let mut equal = [true; 3];
        for _ in 0..rounds {
            ours[0].time(|| {
                let region = Region::from_shape(&self.input.area);
                fill(&mut self.world, region, Mask::Any, Voxel::full(id))
            })?;
            rival[0].time(|| self.flat.fill(&mut self.undo, id));
            equal[0] &= self.is_equal();
            ours[1].time(|| self.world.undo(|_| Ok(None)))?;
            rival[1].time(|| self.flat.restore(&self.undo));
            equal[1] &= self.is_equal();
            ours[2].time(|| self.world.redo(|_| Ok(None)))?;
            rival[2].time(|| self.flat.refill(id));
            equal[2] &= self.is_equal();
            self.world.undo(|_| Ok(None))?;
            self.flat.restore(&self.undo);
        }
        let row = |i: usize, verb: &str| {
            EditMeasurement::time(format!("{verb} with {what}"), &ours[i], &rival[i], equal[i])
        };
        Ok([row(0, "fill"), row(1, "undo of a fill"), row(2, "redo of a fill")])
    }

    /// Measures the replacement of the most frequent material. The rival keeps no undo.
    fn replace(&mut self, rounds: usize) -> Result<EditMeasurement, MeasureError> {
        let mut ours = Rounds::default();
        let mut rival = Rounds::default();
        let mut equal = true;
        let from = self.input.common;
        let to = self.input.unused;
        for _ in 0..rounds {
            ours.time(|| {
                let region = Region::from_shape(&self.input.area);
                fill(&mut self.world, region, Mask::Materials(vec![from]), Voxel::full(to))
            })?;
            rival.time(|| self.flat.replace(from, to));
            equal &= self.is_equal();
            self.world.undo(|_| Ok(None))?;
            self.flat.replace(to, from);
            equal &= self.is_equal();
        }
        Ok(EditMeasurement::time("replace rock", &ours, &rival, equal))
    }
}
