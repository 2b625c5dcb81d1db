//! The overlay *cells*: the cell that the player is in, and frames around the chunks of its set that there is something to draw of.
//! Frozen (F5), one flies out and sees what would be drawn, and nothing else.

use crate::game::common::format;
use crate::game::common::overlay_kind::{OverlayKind, ShownOverlay};
use crate::game::common::picture_target::{PictureTarget, not_in_pictures};
use crate::game::common::render_origin::RenderOrigin;
use crate::game::culling::state::{Culling, VisibleSet};
use crate::game::meshing::ChunkMeshes;
use crate::game::overlay::legend::Legend;
use crate::game::overlay::paint::{Paint, Paints};
use crate::game::overlay::ramp;
use crate::game::overlay::sides::Sides;
use crate::game::overlay::source::PAUSE;
use crate::visibility::bitset;
use crate::voxel::{CHUNK_SIDE, ChunkPos};
use bevy::camera::visibility::NoFrustumCulling;
use bevy::color::{ColorToComponents, LinearRgba};
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;

/// The most frames that are drawn, the nearest of all.
const MOST: usize = 1500;
/// How far a frame stands inside its chunk, in voxels.
const INSET: f32 = 0.5;
/// The cell's own colour, linear.
const CELL: [f32; 4] = [1.0, 1.0, 1.0, 0.95];

/// What is drawn, and what it was made from.
#[derive(Resource, Default)]
pub(super) struct Drawn {
    /// The set's revision, how many quads there were, and whether it was frozen.
    of: Option<(Option<u64>, usize, bool)>,
    /// The chunk that places are relative to.
    centre: ChunkPos,
    pub legend: Option<Legend>,
    since: f32,
    frames: Option<Entity>,
}

/// Chunks of the set with something to draw, nearest first.
fn chosen(shown: &VisibleSet, meshes: &ChunkMeshes) -> Vec<IVec3> {
    let centre = shown.cell_id.chunk.as_ivec3();
    let held = bitset::members(&shown.chunks).map(|index| shown.index.position(index));
    let drawn = held.filter(|&pos| meshes.of_chunk(pos).is_some_and(|(quads, _)| quads > 0));
    let mut offsets: Vec<IVec3> = drawn.map(|pos| pos.as_ivec3() - centre).collect();
    offsets.sort_unstable_by_key(|offset| offset.length_squared());
    offsets
}

fn mesh(shown: &VisibleSet, chosen: &[IVec3]) -> Option<Mesh> {
    let mut sides = Sides::default();
    let far = (shown.view * CHUNK_SIDE) as f32;
    for offset in chosen.iter().take(MOST) {
        let min = (*offset * CHUNK_SIDE).as_vec3();
        let distance = (min + CHUNK_SIDE as f32 * 0.5).length();
        let [r, g, b] = LinearRgba::from(ramp::color((distance / far).min(1.0))).to_f32_array_no_alpha();
        // How far the player's chunk is from it: a bar that one may stand before is thin.
        let at_least = ((offset.abs() - 1).max(IVec3::ZERO) * CHUNK_SIDE).as_vec3().length();
        sides.edges(min + INSET, min + CHUNK_SIDE as f32 - INSET, 0.03 + 0.0015 * at_least, [r, g, b, 0.75]);
    }
    let corner = |at: [u8; 3]| Vec3::from_array(at.map(f32::from));
    let cell = shown.cell_id.cell;
    sides.edges(corner(cell.lo) + 0.02, corner(cell.hi) - 0.02, 0.015, CELL);
    sides.mesh()
}

fn legend(culling: &Culling, shown: &VisibleSet, drawn: usize) -> Legend {
    let ticks = [0, shown.view / 2, shown.view];
    let place = |chunks: i32| chunks as f32 / shown.view as f32;
    Legend {
        title: "chunks of your set, by distance",
        ticks: ticks.map(|chunks| (place(chunks), format!("{chunks}"))).into(),
        lines: vec![
            format!("{} in the set", format::counted(bitset::count(&shown.chunks), "chunk")),
            format!("{} of them hold something to draw", format::count(drawn as u64)),
            if culling.is_frozen() {
                "frozen: fly out and look (F5)".into()
            } else {
                "white: your cell. F5 freezes".into()
            },
        ],
    }
}

/// Draws the overlay anew when what it shows has changed, and keeps it in place.
pub(super) fn draw(
    time: Res<Time<Real>>,
    overlay: Res<ShownOverlay>,
    world: (Res<Culling>, Option<Res<ChunkMeshes>>, Res<RenderOrigin>),
    paints: Res<Paints>,
    picture: Option<Res<PictureTarget>>,
    mut drawn: ResMut<Drawn>,
    mut assets: ResMut<Assets<Mesh>>,
    mut commands: Commands,
    mut transforms: Query<&mut Transform>,
) {
    let (culling, meshes, origin) = world;
    let Some(((shown, meshes), OverlayKind::Cells)) = culling.shown().zip(meshes).zip(overlay.0) else {
        if let Some(entity) = std::mem::take(&mut *drawn).frames {
            commands.entity(entity).despawn();
        }
        return;
    };
    drawn.since += time.delta_secs();
    let now = (culling.revision(), meshes.quads, culling.is_frozen());
    let is_due = drawn.of.is_none() || drawn.since >= PAUSE || picture.is_some();
    if drawn.of == Some(now) || !is_due {
        let at = Transform::from_translation(origin.relative(drawn.centre.origin().as_dvec3()));
        if let Some(mut transform) = drawn.frames.and_then(|entity| transforms.get_mut(entity).ok()) {
            transform.set_if_neq(at);
        }
        return;
    }
    if let Some(entity) = drawn.frames.take() {
        commands.entity(entity).despawn();
    }
    let chosen = chosen(shown, &meshes);
    let centre = shown.cell_id.chunk;
    let at = Transform::from_translation(origin.relative(centre.origin().as_dvec3()));
    let frames = mesh(shown, &chosen).map(|mesh| {
        let (mesh, material) = (Mesh3d(assets.add(mesh)), MeshMaterial3d(paints.get(Paint::Frame)));
        commands
            .spawn((mesh, material, at, (NoFrustumCulling, NotShadowCaster, NotShadowReceiver, not_in_pictures())))
            .id()
    });
    let legend = Some(legend(&culling, shown, chosen.len()));
    *drawn = Drawn { of: Some(now), centre, legend, since: 0.0, frames };
}
