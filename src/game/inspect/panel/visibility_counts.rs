//! Figures of the page *Visibility*: chunks in the set, in view and drawn, and the cost of each
//! culling mode.

use crate::game::drawing::chunk_drawing::{ChunkScene, DrawCounters};
use crate::game::drawing::culling::state::{Culling, CullingMode, ShownSet};
use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::inspect::panel::part_of_all::PartOfAll;
use crate::game::inspect::panel::row_bytes::{RowBytes, RowOrder};
use crate::game::state::frame::render_origin::RenderOrigin;
use bevy::camera::primitives::{Aabb, Frustum};
use bevy::math::Affine3A;
use bevy::prelude::*;
use stonerun_engine::visibility::bitset;
use stonerun_engine::voxel::CHUNK_SIDE;

/// Identity of the drawn world and the point of view. Figures of different scenes must not be
/// compared.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ViewScene {
    camera: GlobalTransform,
    meshes: u64,
    set: Option<u64>,
}

/// Chunks, quads and time of a frame.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DrawStats {
    /// The scene of the frame.
    pub scene: ViewScene,
    /// Chunks drawn.
    pub chunks: u64,
    /// Quads drawn.
    pub quads: u64,
    /// Milliseconds per frame, smoothed.
    pub ms: f64,
}

/// The counted figures, updated while the page is shown.
#[derive(Resource, Default)]
pub struct VisibilityCounts {
    /// Number of chunks in the set, of all chunks within the view distance.
    pub chunks: PartOfAll,
    /// Numbers of chunks with quads: all, in the set, in the frustum, in both.
    pub meshes: [u64; 4],
    /// Bytes of the set as a row of bits, in each codec.
    pub row: RowBytes,
    /// Figures of each mode from when it was last in use, in the order of [`CullingMode::ALL`].
    pub modes: [Option<DrawStats>; 4],
    /// The current scene.
    pub scene: ViewScene,
    order: Option<RowOrder>,
    /// Mode, and revision of the set, for which the figures were counted.
    of: Option<(CullingMode, u64)>,
    frames: u32,
}

/// Number of frames left out after a switch of the mode, while chunks appear and disappear.
const WARM_UP: u32 = 2;

/// Counts while the page is shown.
pub fn count(
    culling: Res<Culling>,
    time: Res<Time<Real>>,
    mut counted: ResMut<VisibilityCounts>,
    meshes: Res<ChunkMeshes>,
    scene: Res<ChunkScene>,
    origin: Res<RenderOrigin>,
    cameras: Query<(&Frustum, &GlobalTransform), With<Camera3d>>,
) {
    let counted = &mut *counted;
    let Some((frustum, camera)) = cameras.iter().next() else { return };
    counted.meshes = [0; 4];
    for pos in meshes.drawn() {
        let corner = (pos.origin() - origin.0).as_vec3();
        let bounds = Aabb::from_min_max(corner, corner + Vec3::splat(CHUNK_SIDE as f32));
        let in_frustum = frustum.intersects_obb(&bounds, &Affine3A::IDENTITY, true, false);
        let in_set = culling.shown().is_none_or(|shown| shown.holds(pos));
        for (count, is_so) in
            counted.meshes.iter_mut().zip([true, in_set, in_frustum, in_set && in_frustum])
        {
            *count += u64::from(is_so);
        }
    }
    let [chunks, quads] = [&scene.counters.chunks, &scene.counters.quads].map(DrawCounters::get);
    let drawn = DrawStats { chunks, quads, ..DrawStats::default() };
    counted.scene =
        ViewScene { camera: *camera, meshes: counted.meshes[0], set: culling.revision() };
    // While culling is frozen, the drawn chunks belong to another position than the camera's.
    if !culling.is_frozen() {
        note(counted, culling.mode, drawn, time.delta_secs_f64() * 1000.0);
    }
    let now = culling.revision().map(|revision| (culling.mode, revision));
    if counted.of != now {
        counted.of = now;
        if let Some(shown) = culling.shown() {
            measure(counted, shown);
        }
    }
}

/// Records the figures of a mode.
fn note(counted: &mut VisibilityCounts, mode: CullingMode, drawn: DrawStats, ms: f64) {
    let changed = counted.of.is_none_or(|(before, _)| before != mode);
    counted.frames = if changed { 0 } else { counted.frames.saturating_add(1) };
    if counted.frames < WARM_UP {
        return;
    }
    let place = CullingMode::ALL.iter().position(|each| *each == mode).unwrap_or(0);
    let before =
        counted.modes[place].filter(|_| counted.frames > WARM_UP).map_or(ms, |drawn| drawn.ms);
    counted.modes[place] =
        Some(DrawStats { scene: counted.scene, ms: before + (ms - before) * 0.1, ..drawn });
}

fn measure(counted: &mut VisibilityCounts, shown: &ShownSet) {
    let order = counted
        .order
        .take()
        .filter(|order| order.fits(shown))
        .unwrap_or_else(|| RowOrder::new(shown));
    counted.chunks = PartOfAll { part: bitset::count(&shown.chunks), all: order.chunks() as u64 };
    counted.row = order.bytes(shown);
    counted.order = Some(order);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_belong_to_the_view_they_were_counted_in() {
        let mut counted = VisibilityCounts::default();
        let drawn = DrawStats { chunks: 7, ..DrawStats::default() };
        let frames = |counted: &mut VisibilityCounts, mode, count| {
            for _ in 0..count {
                note(counted, mode, drawn, 2.0);
                counted.of = Some((mode, 1));
            }
        };
        frames(&mut counted, CullingMode::Frustum, WARM_UP);
        assert_eq!(counted.modes, [None; 4], "frames right after a switch must not count");
        frames(&mut counted, CullingMode::Frustum, 1);
        let [none, frustum, ..] = counted.modes;
        assert_eq!((none, frustum.map(|drawn| (drawn.chunks, drawn.ms))), (None, Some((7, 2.0))));
        counted.scene = ViewScene { meshes: 9, ..counted.scene };
        frames(&mut counted, CullingMode::Pvs, WARM_UP + 1);
        let [_, frustum, _, pvs] =
            counted.modes.map(|drawn| drawn.map(|drawn| drawn.scene == counted.scene));
        assert_eq!((frustum, pvs), (Some(false), Some(true)));
    }
}
