//! The picture of a clipboard: its voxels seen from above one corner.

use crate::game::pictures::ray_picture::{HALF_HEIGHT, RayMaterials, RayView, draw};
use glam::{DVec3, IVec3};
use image::RgbaImage;
use stonerun_engine::edit::JobProgress;
use stonerun_engine::edit::clipboard::{Clipboard, Transform};
use stonerun_engine::voxel::{Box3, CHUNK_SIDE, MaterialTable, Voxel};
use stonerun_engine::world::{Chunk, World};
use stonerun_exchange::Progress;

/// Longest side that is drawn, in voxels. Larger clipboards are scaled down.
const MAX_SIDE: f64 = 64.0;
/// Yaw of the picture's view, in radians: to the north-west.
const YAW: f32 = 0.6;
/// Pitch of the picture's view, in radians: downwards.
const PITCH: f32 = -0.5;

/// The picture of a clipboard whose voxels have these materials; `None` without voxels, or if
/// `progress` cancels.
#[must_use]
pub fn picture(
    clipboard: &Clipboard,
    materials: &MaterialTable,
    progress: &mut Progress,
) -> Option<RgbaImage> {
    let scale = MAX_SIDE / f64::from(clipboard.size().max_element().max(1));
    let scaled = match Transform::scale(DVec3::splat(scale)) {
        Ok(transform) if scale < 1.0 => {
            clipboard.transformed(&transform, None, &JobProgress::default()).ok()?
        }
        _ => clipboard.clone(),
    };
    let bounds = scaled.grid_bounds();
    if bounds.is_empty() {
        return None;
    }
    let size = bounds.size().as_dvec3();
    // At this distance the bounding sphere of the box fits into the picture's height.
    let distance = (size.length() / 2.0 / HALF_HEIGHT.atan().sin()).max(3.0);
    let far = 4.0 * distance as f32 + 64.0;
    let forward = RayView::new(DVec3::ZERO, YAW, PITCH, far).forward();
    let view =
        RayView::new(bounds.min.as_dvec3() + size / 2.0 - forward * distance, YAW, PITCH, far);
    let materials = RayMaterials::new(materials, false)?;
    draw(&surrounded(&scaled, bounds, view.eyes()), &materials, &view, progress)
}

/// The voxels as a world, with air around them as far as the eyes and one chunk beyond. The air is
/// needed because rays end where nothing is loaded.
fn surrounded(clipboard: &Clipboard, bounds: Box3, eyes: DVec3) -> World {
    let mut world = World::new();
    let eyes = eyes.floor().as_ivec3();
    let all = bounds.around(Box3 { min: eyes, max: eyes + 1 });
    let all =
        Box3 { min: all.min - IVec3::splat(CHUNK_SIDE), max: all.max + IVec3::splat(CHUNK_SIDE) };
    for pos in all.chunks() {
        drop(world.insert(pos, Chunk::uniform(Voxel::AIR)));
    }
    for (pos, chunk) in clipboard.clipped_chunks() {
        drop(world.insert(pos, chunk));
    }
    world
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::edit::region::Region;
    use stonerun_engine::edit::{Mask, VoxelEdit};
    use stonerun_exchange::ignore_progress;

    #[test]
    fn picture_shows_the_voxels_in_its_middle() {
        let materials = MaterialTable::builtin();
        let red = Voxel::full(materials.find("wool_red").expect("a red block"));
        for side in [3, 20, 150] {
            let area = Box3 { min: IVec3::splat(-7), max: IVec3::splat(side - 7) };
            let mut world = World::new();
            for pos in area.chunks() {
                drop(world.insert(pos, Chunk::uniform(red)));
            }
            let progress = JobProgress::default();
            let edit = VoxelEdit::new(&world, 0, &progress);
            let clipboard = edit.copy(&Region::from_shape(&area), &Mask::Any, area.min).unwrap();
            let picture = picture(&clipboard, &materials, &mut ignore_progress).unwrap();
            let middle = picture.get_pixel(128, 72).0;
            let corner = picture.get_pixel(2, 2).0;
            assert!(middle[0] > middle[2], "red: {middle:?}, side {side}");
            assert!(corner[2] > corner[0], "sky: {corner:?}, side {side}");
        }
    }
}
