//! Size of the undo of an edit: ours, as packed by the history, and FastAsyncWorldEdit's.

use super::fawe_history::{FaweHistory, SECTION};
use super::flat_box::FlatBox;
use super::{EditInput, EditMeasurement, MeasureError, fill};
use crate::input::Random;
use glam::IVec3;
use std::ops::Range;
use stonerun_engine::edit::region::{Region, Shape};
use stonerun_engine::edit::{EditableWorld, Mask};
use stonerun_engine::history::{Direction, History};
use stonerun_engine::voxel::{Box3, Voxel};
use stonerun_engine::world::{Chunk, World};

/// Maximum side of the box, in voxels. The sizes of larger boxes follow in proportion.
const MAX_SIDE: i32 = 512;
/// Side of the box in which single voxels are scattered.
const SCATTERED_SIDE: i32 = 256;

/// Measures all rows.
pub(super) fn measure(
    input: &EditInput,
    progress: &mut dyn FnMut(f32),
) -> Result<Vec<EditMeasurement>, MeasureError> {
    let area = input.middle(MAX_SIDE);
    let mut uniform = World::new();
    for pos in area.chunks() {
        uniform.insert(pos, Chunk::uniform(Voxel::full(input.common)));
    }
    let scattered = Scattered { area: input.middle(SCATTERED_SIDE) };
    let voxel = Voxel::full(input.unused);
    let mut rows = vec![bytes("undo of filled terrain, bytes", &input.world, &area, area, voxel)?];
    progress(0.4);
    rows.push(bytes("undo of a filled uniform box, bytes", &uniform, &area, area, voxel)?);
    progress(0.8);
    rows.push(bytes(
        "undo of 10% scattered voxels, bytes",
        &input.world,
        &scattered,
        scattered.area,
        voxel,
    )?);
    progress(1.0);
    Ok(rows)
}

/// Sizes of the undo of filling a shape in the box `area`.
fn bytes(
    workload: &str,
    before: &World,
    shape: &impl Shape,
    area: Box3,
    voxel: Voxel,
) -> Result<EditMeasurement, MeasureError> {
    let mut world = EditableWorld::new(History::new(usize::MAX));
    for pos in area.chunks() {
        world.load_chunk(pos, before.chunk(pos).cloned().unwrap_or(Chunk::uniform(Voxel::AIR)));
    }
    fill(&mut world, Region::from_shape(shape), Mask::Any, voxel)?;
    let step = world.history().next_step(Direction::Undo);
    let packed = step.and_then(|step| step.step().pack());
    let ours = packed.map_or(0, |body| body.bytes.len() as u64);
    let [old, new] = [before, world.world()].map(|world| FlatBox::new(world, area));
    let rival = fawe_bytes(area, &old, &new);
    world.undo(|_| Ok(None))?;
    Ok(EditMeasurement::memory(workload, ours, rival, old.equals(world.world())))
}

/// Size of the change from `old` to `new` in FastAsyncWorldEdit's history, in bytes.
fn fawe_bytes(area: Box3, old: &FlatBox, new: &FlatBox) -> u64 {
    let mut history = FaweHistory::new(area.min);
    let sections = area.size() / SECTION;
    for z in 0..sections.z {
        for x in 0..sections.x {
            for y in 0..sections.y {
                let min = IVec3::new(x, y, z) * SECTION;
                for row in 0..SECTION * SECTION {
                    let at = min + IVec3::new(0, row / SECTION, row % SECTION);
                    let range = old.row(at, SECTION as usize);
                    let pairs = old.voxels[range.clone()].iter().zip(&new.voxels[range]);
                    for (x, (&before, &after)) in
                        (0..).zip(pairs).filter(|(_, (before, after))| before != after)
                    {
                        history.add(area.min + at + IVec3::X * x, before, after);
                    }
                }
            }
        }
    }
    history.finish()
}

/// A random tenth of the voxels of a box.
struct Scattered {
    area: Box3,
}

impl Shape for Scattered {
    fn bounds(&self) -> Box3 {
        self.area
    }

    fn row(&self, y: i32, z: i32, each: &mut dyn FnMut(Range<i32>)) {
        if !(self.area.min.y..self.area.max.y).contains(&y)
            || !(self.area.min.z..self.area.max.z).contains(&z)
        {
            return;
        }
        let mut random = Random::new((y as u64) << 32 | u64::from(z as u32));
        for x in (self.area.min.x..self.area.max.x).filter(|_| random.draw().is_multiple_of(10)) {
            each(x..x + 1);
        }
    }
}
