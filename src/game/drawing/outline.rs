//! The outline of the block under the crosshair.

use crate::game::state::frame::picture_target::{PictureTarget, not_in_pictures};
use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::player::Player;
use crate::game::state::screens::Screen;
use crate::game::state::session::OpenMap;
use bevy::mesh::PrimitiveTopology;
use bevy::prelude::*;
use glam::DVec3;
use stonerun_engine::body::picking::pick_height;

/// Adds the outline.
pub struct OutlinePlugin;

impl Plugin for OutlinePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, spawn)
            .add_systems(PostUpdate, follow.before(TransformSystems::Propagate));
    }
}

#[derive(Component)]
struct Outline;

/// Half the thickness, in voxels, and the linear colour of the outline's bars: a light core in a
/// dark rim, so that it is visible on any ground.
const BARS: [(f32, [f32; 4]); 2] =
    [(0.011, [0.0, 0.0, 0.0, 0.55]), (0.0045, [0.9, 0.9, 0.85, 0.95])];

/// Spawns the outline, hidden.
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
    commands.spawn((
        Mesh3d(meshes.add(bars())),
        MeshMaterial3d(material),
        Transform::default(),
        Visibility::Hidden,
        not_in_pictures(),
        Outline,
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

/// Adds the twelve triangles of a box, seen from outside.
fn push_box(
    lo: [f32; 3],
    hi: [f32; 3],
    positions: &mut Vec<[f32; 3]>,
    normals: &mut Vec<[f32; 3]>,
) {
    for axis in 0..3 {
        for far in [false, true] {
            let mut normal = [0.0; 3];
            normal[axis] = if far { 1.0 } else { -1.0 };
            let corners = if far { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
            for corner in corners {
                let (u, v) = [(false, false), (true, false), (true, true), (false, true)][corner];
                let mut at = if far { hi } else { lo };
                at[(axis + 1) % 3] = if u { hi } else { lo }[(axis + 1) % 3];
                at[(axis + 2) % 3] = if v { hi } else { lo }[(axis + 2) % 3];
                positions.push(at);
                normals.push(normal);
            }
        }
    }
}

/// Moves the outline to the block under the crosshair.
fn follow(
    screen: Res<State<Screen>>,
    map: Option<Res<OpenMap>>,
    player: Res<Player>,
    origin: Res<RenderOrigin>,
    shot: Option<Res<PictureTarget>>,
    outline: Single<(&mut Transform, &mut Visibility), With<Outline>>,
) {
    let (mut transform, mut visibility) = outline.into_inner();
    // Pictures show the world without the player's outline.
    let target = player.target.filter(|_| *screen.get() == Screen::Playing && shot.is_none());
    let outlined = map.zip(target).and_then(|(map, hit)| {
        let target = map.target_boxes.of(hit.voxel).map(|target| (target.low, target.high));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn box_triangles_face_outwards() {
        let mut positions = Vec::new();
        let mut normals = Vec::new();
        push_box([0.0; 3], [1.0, 2.0, 3.0], &mut positions, &mut normals);
        for (triangle, normal) in positions.chunks(3).zip(normals.chunks(3)) {
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::from_array(triangle[i]));
            assert!((b - a).cross(c - a).dot(Vec3::from_array(normal[0])) > 0.0);
        }
    }
}
