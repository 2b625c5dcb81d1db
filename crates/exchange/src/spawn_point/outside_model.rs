//! Viewpoints outside a model, from which all of it is in view.

use super::chunks::chunks_of;
use crate::chunk_store::{ChunkStore, ImportSummary};
use crate::error::FormatError;
use glam::{DQuat, DVec3, EulerRot};
use std::f64::consts::TAU;
use stonerun_engine::voxel::Box3;
use stonerun_engine::world::LazyWorld;
use stonerun_engine::world::viewpoint::{Viewpoint, feet_below};
use stonerun_engine::world::vista::rate_model;

/// Number of directions from which a model is viewed.
const DIRECTIONS: i32 = 16;
/// Downward pitches of the views, in radians.
const PITCHES: [f64; 2] = [0.25, 0.5];
/// Maximum distance from the middle of a model, in voxels. The default view distance shows the
/// middle from there, however large the model is.
const MAX_DISTANCE: f64 = 220.0;
/// Slope of the sight lines to the sides of the picture, with a margin, for the default field of
/// view of 75 degrees in a window of 4:3.
const SIDE_SLOPE: f64 = 0.9;
/// Slope of the sight lines to the top and the bottom of the picture, for the same window as
/// [`SIDE_SLOPE`].
const TOP_SLOPE: f64 = 0.68;

/// The best view of all of a model, from outside.
pub(super) fn outside_model(
    store: &mut dyn ChunkStore,
    summary: &ImportSummary,
) -> Result<Viewpoint, FormatError> {
    let mut failed = None;
    let mut world = LazyWorld::new(chunks_of(store, &mut failed));
    let mut best = (f64::NEG_INFINITY, Viewpoint::level(DVec3::ZERO));
    for (direction, down) in (0..DIRECTIONS).flat_map(|d| PITCHES.map(move |down| (d, down))) {
        let yaw = f64::from(direction) / f64::from(DIRECTIONS) * TAU;
        let pitch = -down;
        let eyes = fitting_eyes(summary.bounds, yaw, pitch);
        let score = rate_model(&mut world, &summary.materials, eyes, yaw, pitch);
        if score > best.0 {
            best =
                (score, Viewpoint { feet: feet_below(eyes), yaw: yaw as f32, pitch: pitch as f32 });
        }
    }
    drop(world);
    failed.map_or(Ok(best.1), Err)
}

/// The nearest point that looks at the middle of a box and has all of the box in view.
fn fitting_eyes(bounds: Box3, yaw: f64, pitch: f64) -> DVec3 {
    let rotation = DQuat::from_euler(EulerRot::YXZ, yaw, pitch, 0.0);
    let [right, up, forward] = [DVec3::X, DVec3::Y, DVec3::NEG_Z].map(|axis| rotation * axis);
    let min = bounds.min.as_dvec3();
    let max = bounds.max.as_dvec3();
    let middle = (min + max) * 0.5;
    let corners = (0..8).map(|i| {
        let part = |bit: i32| if i & bit == 0 { 0.0 } else { 1.0 };
        min + (max - min) * DVec3::new(part(1), part(2), part(4)) - middle
    });
    let distance = corners.fold(0.0, |distance: f64, corner| {
        let needed = (corner.dot(right).abs() / SIDE_SLOPE).max(corner.dot(up).abs() / TOP_SLOPE);
        distance.max(needed - corner.dot(forward))
    });
    middle - forward * distance.min(MAX_DISTANCE)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{header, terrain};
    use super::*;
    use crate::chunk_store::MemoryStore;
    use glam::IVec3;
    use stonerun_engine::save::Header;
    use stonerun_engine::voxel::{MaterialTable, Voxel};
    use stonerun_engine::world::Chunk;

    /// Steepest slopes of the sight lines to the corners of a box, sideways and upwards; `None` if
    /// a corner is behind the player.
    fn slopes(header: &Header, bounds: Box3) -> Option<[f64; 2]> {
        let view = header.player.viewpoint();
        let back =
            DQuat::from_euler(EulerRot::YXZ, view.yaw.into(), view.pitch.into(), 0.0).inverse();
        let eyes = view.eyes();
        let mut most = [0.0_f64; 2];
        for i in 0..8 {
            let corner = IVec3::new(i & 1, i >> 1 & 1, i >> 2);
            let corner = bounds.min + bounds.size() * corner;
            let seen = back * (corner.as_dvec3() - eyes);
            if seen.z >= 0.0 {
                return None;
            }
            most = [most[0].max((seen.x / seen.z).abs()), most[1].max((seen.y / seen.z).abs())];
        }
        Some(most)
    }

    #[test]
    fn model_fills_the_view() {
        // Slopes to the edges of the picture, without a margin, for 75 degrees in a window of 4:3.
        let [side, top] = [1.02, 0.767];
        let materials = MaterialTable::builtin();
        let stone = Voxel::full(materials.find("stone").unwrap());
        for (min, size) in [
            (IVec3::ZERO, IVec3::ONE),
            (IVec3::new(-5, 40, 90), IVec3::new(10, 3, 2)),
            (IVec3::new(-50, -9, 0), IVec3::new(60, 100, 20)),
            (IVec3::new(0, 5, 0), IVec3::new(4, 90, 3)),
        ] {
            let bounds = Box3 { min, max: min + size };
            let mut store = MemoryStore::with_limit(usize::MAX);
            for pos in bounds.chunks() {
                store.put(pos, Chunk::uniform(Voxel::AIR), &materials).unwrap();
            }
            // The model has three bars along the axes from one corner.
            for axis in [IVec3::X, IVec3::Y, IVec3::Z] {
                store.world.fill(Box3 { min, max: min + 1 + axis * (size - 1) }, stone);
            }
            let summary = ImportSummary { bounds, voxels: 1, ..terrain(64).1 };
            let header = header(&mut (store, summary));
            let [x, y] = slopes(&header, bounds).expect("the model is in front");
            assert!(x < side && y < top, "{bounds:?}: all of the model is in view: {x} {y}");
            assert!(x > 0.8 * side || y > 0.8 * top, "{bounds:?}: the model is large: {x} {y}");
        }
    }

    #[test]
    fn sparse_wide_import_is_seen_from_outside() {
        let (store, summary) = terrain(96);
        // A few long bars have too few voxels for terrain.
        let bounds = summary.bounds;
        let header = header(&mut (store, ImportSummary { voxels: 300, ..summary }));
        assert!(
            slopes(&header, bounds).is_some() && header.player.pitch < 0.0,
            "{:?}",
            header.spawn
        );
        assert!(!bounds.contains(DVec3::from_array(header.spawn).floor().as_ivec3()));
    }
}
