//! Copying and pasting of a box of terrain: once turned and off the chunk grid, once unchanged on
//! the grid.

use super::flat_box::FlatBox;
use super::{EditInput, EditMeasurement, MeasureError, Rounds};
use glam::{DVec3, IVec3};
use stonerun_engine::edit::clipboard::Transform;
use stonerun_engine::edit::operations::{self, PasteOptions};
use stonerun_engine::edit::region::Region;
use stonerun_engine::edit::{EditableWorld, JobProgress, Mask, VoxelEdit};
use stonerun_engine::voxel::{Box3, CHUNK_SIDE};

/// Side of a box of about 10^8 voxels whose faces cut chunks.
const SIDE: i32 = 464;
/// Side of a box of about 10^8 voxels that consists of whole chunks.
const ALIGNED_SIDE: i32 = 480;
/// Offset of the turned box's paste from the lowest corner of the terrain.
const OFF_GRID: IVec3 = IVec3::new(7, 5, 11);

/// Measures all rows: in each round first ours, then the rival.
pub(super) fn measure(
    input: &EditInput,
    rounds: usize,
    progress: &mut dyn FnMut(f32),
) -> Result<Vec<EditMeasurement>, MeasureError> {
    let side = input.area.size().x;
    let corner = input.area.min;
    let whole = ALIGNED_SIDE.min(side - CHUNK_SIDE);
    let turned =
        PasteWorkload { side: SIDE.min(side - 48), to: corner + OFF_GRID, is_turned: true };
    let aligned = PasteWorkload { side: whole, to: corner + CHUNK_SIDE, is_turned: false };
    let mut flat = FlatBox::new(&input.world, input.area);
    let original = flat.voxels.clone();
    let mut world = input.editable();
    let mut rows = Vec::new();
    let mut bytes = 0;
    for (number, (workload, paste)) in
        [("copy, turn, paste off the grid", turned), ("copy, paste on the grid", aligned)]
            .into_iter()
            .enumerate()
    {
        let source = Box3 { min: corner, max: corner + paste.side };
        let mut ours = Rounds::default();
        let mut rival = Rounds::default();
        let mut equal = true;
        let mut clipboard = vec![1; source.volume() as usize];
        for round in 0..rounds {
            bytes = ours.time(|| paste.ours(&mut world, source))?;
            rival.time(|| {
                flat.copy(source, &mut clipboard);
                if paste.is_turned {
                    flat.paste_turned(&clipboard, paste.side as usize, paste.to);
                } else {
                    flat.paste(&clipboard, paste.side as usize, paste.to);
                }
            });
            equal &= flat.equals(world.world());
            world.undo(|_| Ok(None))?;
            flat.restore(&original);
            progress((number as f32 + (round + 1) as f32 / rounds as f32) / 2.0);
        }
        rows.push(EditMeasurement::time(workload, &ours, &rival, equal));
    }
    let equal = rows.iter().all(|row: &EditMeasurement| row.equal);
    let flat_bytes = 2 * (whole as u64).pow(3);
    rows.push(EditMeasurement::memory("clipboard of terrain, bytes", bytes, flat_bytes, equal));
    Ok(rows)
}

/// The copied and pasted cube, which begins at the lowest corner of the terrain.
struct PasteWorkload {
    /// Side of the cube.
    side: i32,
    /// Lowest corner of the pasted cube.
    to: IVec3,
    /// True if the pasted cube is turned by 90 degrees about +y.
    is_turned: bool,
}

impl PasteWorkload {
    /// Carries out the workload as one committed step. Returns the size of the clipboard, in bytes.
    fn ours(&self, world: &mut EditableWorld, source: Box3) -> Result<u64, MeasureError> {
        let progress = JobProgress::default();
        let snapshot = world.world().clone();
        let mut edit = VoxelEdit::new(&snapshot, world.revision(), &progress);
        let mut clipboard = edit.copy(&Region::from_shape(&source), &Mask::Any, source.min)?;
        if self.is_turned {
            let turn = Transform::turn(DVec3::Y, 90.0).expect("a turn about an axis of length 1");
            clipboard = clipboard.transformed(&turn, None, &progress)?;
        }
        let target = self.to - clipboard.bounds().min;
        edit.carry_out(&operations::Paste::new(
            clipboard.clone(),
            [target],
            PasteOptions::default(),
        )?)?;
        let bytes = clipboard.bytes() as u64;
        world.commit(edit.finish("paste"), |_| Ok(None))?;
        Ok(bytes)
    }
}
