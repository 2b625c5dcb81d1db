//! The outline of the block under the crosshair.

use super::outline_bars::{self, Bar};
use super::outline_boxes::push_box;
use crate::game::state::frame::picture_target::{PictureTarget, not_in_pictures};
use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::player::Player;
use crate::game::state::screens::Screen;
use crate::game::state::session::{Edits, OpenMap};
use bevy::camera::visibility::NoFrustumCulling;
use bevy::mesh::PrimitiveTopology;
use bevy::prelude::*;
use glam::DVec3;
use stonerun_engine::body::picking::pick_height;
use stonerun_engine::voxel::{PartFace, ShapeFaces};
use stonerun_engine::world::{RayHit, ground_outline as ground_polygons, shape_at};

/// Adds the outline.
pub struct OutlinePlugin;

impl Plugin for OutlinePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, spawn)
            .add_systems(PostUpdate, (follow, follow_bars).before(TransformSystems::Propagate));
    }
}

/// The outline of a box.
#[derive(Component)]
struct Outline;

/// The outline of smooth ground, and of shapes that are no single box.
#[derive(Component)]
struct BarOutline;

/// Half the thickness, in voxels, and the linear colour of the outline's bars: a light core in a
/// dark rim, so that it is visible on any ground.
const BARS: [(f32, [f32; 4]); 2] =
    [(0.011, [0.0, 0.0, 0.0, 0.55]), (0.0045, [0.9, 0.9, 0.85, 0.95])];

/// Spawns the outlines, hidden.
fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let material = materials.add(StandardMaterial {
        // White, so that the vertex colours are shown unchanged.
        base_color: Color::WHITE,
        unlit: true,
        alpha_mode: AlphaMode::Blend,
        depth_bias: 10.0,
        ..default()
    });
    let hidden = (Transform::default(), Visibility::Hidden, not_in_pictures());
    commands.spawn((
        Mesh3d(meshes.add(bars())),
        MeshMaterial3d(material.clone()),
        hidden.clone(),
        Outline,
    ));
    // Its mesh is replaced before it is shown.
    commands.spawn((
        Mesh3d(meshes.add(bars())),
        MeshMaterial3d(material),
        hidden,
        NoFrustumCulling,
        BarOutline,
    ));
}

/// The twelve edges of a unit cube as thin boxes. Line primitives are not used, because they are
/// one pixel wide on every screen.
fn bars() -> Mesh {
    let mut positions = Vec::new();
    let mut normals = Vec::new();
    let mut colours = Vec::new();
    // The core comes last, so that it is drawn over the rim.
    for ((half, colour), axis) in BARS.into_iter().flat_map(|bar| [0, 1, 2].map(|axis| (bar, axis)))
    {
        for (a, b) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let mut lo = [0.0; 3];
            let mut hi = [0.0; 3];
            lo[axis] = -half;
            hi[axis] = 1.0 + half;
            for (other, side) in [((axis + 1) % 3, a), ((axis + 2) % 3, b)] {
                lo[other] = side - half;
                hi[other] = side + half;
            }
            push_box(lo, hi, &mut positions, &mut normals);
            colours.resize(positions.len(), colour);
        }
    }
    Mesh::new(PrimitiveTopology::TriangleList, bevy::asset::RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
}

/// The player's target, unless a screen hides it. Pictures show the world without the player's
/// outline.
fn shown_target(screen: Screen, player: &Player, shot: Option<&PictureTarget>) -> Option<RayHit> {
    player.target.filter(|_| screen == Screen::Playing && shot.is_none())
}

/// Moves the outline to the block under the crosshair. Smooth ground and shapes have another one.
fn follow(
    screen: Res<State<Screen>>,
    map: Option<Res<OpenMap>>,
    edits: Option<Res<Edits>>,
    player: Res<Player>,
    origin: Res<RenderOrigin>,
    shot: Option<Res<PictureTarget>>,
    outline: Single<(&mut Transform, &mut Visibility), With<Outline>>,
) {
    let (mut transform, mut visibility) = outline.into_inner();
    let target = shown_target(*screen.get(), &player, shot.as_deref());
    let outlined = map.zip(edits).zip(target).and_then(|((map, edits), hit)| {
        let RayHit { voxel_pos, voxel, .. } = hit;
        if has_bars(&map, &edits, hit) {
            return None;
        }
        let target = map.target_boxes.at(edits.world(), &map.materials, voxel_pos, voxel);
        let target = target.map(|target| (target.low, target.high));
        let whole = || {
            Some((DVec3::ZERO, DVec3::new(1.0, pick_height(&map.materials, hit.voxel, true)?, 1.0)))
        };
        let (low, high) = target.or_else(whole)?;
        Some((hit, low, high))
    });
    let Some((hit, low, high)) = outlined else {
        visibility.set_if_neq(Visibility::Hidden);
        return;
    };
    visibility.set_if_neq(Visibility::Visible);
    let size = (high - low).as_vec3() + 0.004;
    let middle = origin.relative(hit.voxel_pos.as_dvec3()) + ((low + high) * 0.5).as_vec3();
    transform.set_if_neq(Transform::from_translation(middle - size * 0.5).with_scale(size));
}

/// The faces of the shape of boxes that a ray hit.
fn part_faces(map: &OpenMap, edits: &Edits, hit: RayHit) -> Option<&'static [PartFace]> {
    match shape_at(edits.world(), &map.materials, hit.voxel_pos)?.faces {
        ShapeFaces::Parts(faces) => Some(faces),
        _ => None,
    }
}

/// True if a target's outline is made of bars along its edges.
fn has_bars(map: &OpenMap, edits: &Edits, hit: RayHit) -> bool {
    hit.ground_normal.is_some() || part_faces(map, edits, hit).is_some()
}

/// Draws the edges of the smooth ground or of the shape under the crosshair.
fn follow_bars(
    screen: Res<State<Screen>>,
    map: Option<Res<OpenMap>>,
    edits: Option<Res<Edits>>,
    player: Res<Player>,
    origin: Res<RenderOrigin>,
    shot: Option<Res<PictureTarget>>,
    mut meshes: ResMut<Assets<Mesh>>,
    outline: Single<(&mut Mesh3d, &mut Transform, &mut Visibility), With<BarOutline>>,
    mut drawn: Local<Vec<Bar>>,
) {
    let (mut mesh, mut transform, mut visibility) = outline.into_inner();
    let target = shown_target(*screen.get(), &player, shot.as_deref());
    let outlined = map.zip(edits).zip(target).map(|((map, edits), hit)| {
        let of_ground = || {
            let at = hit.voxel_pos;
            outline_bars::edges(&ground_polygons(edits.world(), &*map.materials, at))
        };
        let bars = match hit.ground_normal {
            Some(_) => of_ground(),
            None => {
                part_faces(&map, &edits, hit).map(outline_bars::edges_of_shape).unwrap_or_default()
            }
        };
        (hit.voxel_pos, bars)
    });
    let Some((at, bars)) = outlined.filter(|(_, bars)| !bars.is_empty()) else {
        visibility.set_if_neq(Visibility::Hidden);
        return;
    };
    if *drawn != bars {
        mesh.0 = meshes.add(outline_bars::mesh(&bars, &BARS));
        *drawn = bars;
    }
    visibility.set_if_neq(Visibility::Visible);
    transform.set_if_neq(Transform::from_translation(origin.relative(at.as_dvec3())));
}
