//! Marking the box to export: the keys for its corners, and its outline in the world.

use crate::game::common::frame_order::FrameSet;
use crate::game::common::marked_box::{BoxCorner, MarkedBox};
use crate::game::common::notices::Notices;
use crate::game::common::picture_target::{has_player, not_in_pictures};
use crate::game::common::render_origin::RenderOrigin;
use crate::game::common::screens::{Screen, in_play};
use crate::game::overlay::box_mesh::BoxMesh;
use crate::game::overlay::paint::{Paint, Paints};
use crate::game::player::Player;
use crate::voxel::Box3;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::prelude::*;

/// Keys that mark the corners.
const KEYS: [(KeyCode, BoxCorner); 2] = [(KeyCode::KeyB, BoxCorner::First), (KeyCode::KeyN, BoxCorner::Second)];
/// Sandstone, linear.
const COLOUR: [f32; 4] = [0.75, 0.43, 0.12, 0.9];

/// Adds marking.
pub struct BoxMarksPlugin;

impl Plugin for BoxMarksPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<MarkedBox>()
            .add_systems(OnExit(Screen::Playing), forget)
            .add_systems(Update, mark.run_if(in_play.and_then(has_player)).in_set(FrameSet::Edit))
            .add_systems(PostUpdate, draw.before(TransformSystems::Propagate));
    }
}

/// The outline, and the lowest corner of its box.
#[derive(Component)]
struct Outline(IVec3);

fn forget(mut marked: ResMut<MarkedBox>) {
    *marked = MarkedBox::default();
}

/// Marks a corner at the block under the crosshair or, without a block in reach, at the eyes.
fn mark(
    keys: Res<ButtonInput<KeyCode>>,
    player: Res<Player>,
    mut marked: ResMut<MarkedBox>,
    mut notices: ResMut<Notices>,
) {
    for (_, corner) in KEYS.into_iter().filter(|(key, _)| keys.just_pressed(*key)) {
        let at = player.target.map_or_else(|| player.walker.eyes().floor().as_ivec3(), |hit| hit.voxel_pos);
        marked.mark(corner, at);
        notices.replace_info("Box", describe(&marked));
    }
}

/// What is marked, and what to do next.
fn describe(marked: &MarkedBox) -> String {
    match (marked.area(), marked.outline()) {
        (Some(area), _) => {
            let size = area.size();
            format!("{} x {} x {}, to be exported from the menu", size.x, size.y, size.z)
        }
        (None, Some(_)) => "one corner; B marks the first one, N the opposite one".to_owned(),
        (None, None) => "no corner".to_owned(),
    }
}

/// Draws the outline of the box.
fn draw(
    marked: Res<MarkedBox>,
    origin: Res<RenderOrigin>,
    paints: Res<Paints>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut commands: Commands,
    mut outlines: Query<(Entity, &Outline, &mut Transform)>,
) {
    let place = |min: IVec3| Transform::from_translation(origin.relative(min.as_dvec3()));
    if !marked.is_changed() {
        for (_, outline, mut transform) in &mut outlines {
            transform.set_if_neq(place(outline.0));
        }
        return;
    }
    outlines.iter().for_each(|(entity, ..)| commands.entity(entity).despawn());
    let Some(area) = marked.outline() else { return };
    let Some(mesh) = edges(area) else { return };
    let look = (Mesh3d(meshes.add(mesh)), MeshMaterial3d(paints.get(Paint::Through)));
    let unlit = (NoFrustumCulling, NotShadowCaster, NotShadowReceiver, not_in_pictures());
    commands.spawn((Outline(area.min), look, place(area.min), unlit));
}

/// Bars along the edges of `area`, thicker for large boxes, which are seen from farther away.
fn edges(area: Box3) -> Option<Mesh> {
    let size = area.size().as_vec3();
    let half = (0.012 + size.max_element() * 0.001).min(0.25);
    let mut mesh = BoxMesh::default();
    // Slightly outside, so that the bars do not coincide with faces of blocks.
    mesh.edges(Vec3::splat(-0.003), size + 0.003, half, COLOUR);
    mesh.mesh()
}
