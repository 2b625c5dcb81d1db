//! The aim in builder mode: along the crosshair or, while the pointer is free, along the pointer;
//! as far as the view distance.

use crate::game::building::builder::ray::Ray;
use crate::game::state::builder_mode::BuilderMode;
use crate::game::state::cutaway::{CutPlane, Cutaway};
use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::keys::is_over_area;
use crate::game::state::player::{Eyes, Player};
use crate::game::state::session::{Edits, OpenMap};
use crate::game::state::settings::Settings;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::EguiContexts;
use stonerun_engine::body::picking::{self, PickRules};
use stonerun_engine::voxel::{CHUNK_SIDE, Face, Voxel};
use stonerun_engine::world::RayHit;

/// Distance at which the standard field of view is one voxel high.
const DISTANCE_OF_HEIGHT: f64 = 0.65;

/// Ray along which the player points, and the voxel that it meets.
#[derive(Resource, Clone, Copy, Default, Debug)]
pub struct Aim {
    /// The ray; `None` while the pointer is outside the window.
    pub ray: Option<Ray>,
    /// The voxel that the ray meets.
    pub hit: Option<RayHit>,
}

impl Aim {
    /// The voxel that is pointed at, and its face.
    #[must_use]
    pub fn voxel(&self) -> Option<(IVec3, Face)> {
        let hit = self.hit?;
        Some((hit.voxel_pos, hit.face.unwrap_or(Face::Up)))
    }

    /// The voxel in front of the face that is pointed at.
    #[must_use]
    pub fn voxel_in_front(&self) -> Option<(IVec3, Face)> {
        self.voxel().map(|(at, face)| (at + face.normal(), face))
    }
}

/// Updates the aim.
pub fn update(
    mut contexts: EguiContexts,
    mut mode: ResMut<BuilderMode>,
    settings: Res<Settings>,
    map: Res<OpenMap>,
    edits: Res<Edits>,
    origin: Res<RenderOrigin>,
    player: Res<Player>,
    cutaway: Res<Cutaway>,
    cameras: Query<(&Camera, &GlobalTransform), With<Eyes>>,
    window: Option<Single<&Window, With<PrimaryWindow>>>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut aim: ResMut<Aim>,
) {
    *aim = Aim::default();
    let Ok((camera, transform)) = cameras.single() else { return };
    let Some(size) = camera.logical_viewport_size() else { return };
    let window = window.as_deref().copied();
    let at = if mode.pointer_is_free {
        window.and_then(Window::cursor_position)
    } else {
        Some(size / 2.0)
    };
    let is_pressed = buttons.get_just_pressed().next().is_some();
    let over = mode.pointer_is_free
        && contexts.ctx_mut().is_ok_and(|ctx| {
            ctx.egui_wants_pointer_input()
                || is_pressed && window.is_some_and(|window| is_over_area(ctx, window))
        });
    if mode.interface_has_pointer != over {
        mode.interface_has_pointer = over;
    }
    let Some(Ok(ray)) = at.map(|at| camera.viewport_to_world(transform, at)) else { return };
    let ray = Ray {
        origin: ray.origin.as_dvec3() + origin.0.as_dvec3(),
        direction: ray.direction.as_vec3().as_dvec3().normalize(),
        parallel: player
            .drone
            .and_then(|drone| drone.orthographic_height)
            .map(|height| height * DISTANCE_OF_HEIGHT),
    };
    // Chunks are loaded around the point that the drone looks at.
    let to_focus = player.drone.map_or(0.0, |drone| player.walker.eyes().distance(drone.focus));
    let reach = f64::from(map.view_distance(&settings) * CHUNK_SIDE) + to_focus;
    // The ray passes through the parts of the world that are cut away.
    let shown = cutaway.shown.map(CutPlane::shown_box);
    let rules =
        PickRules { reach, targets: Some(&map.target_boxes), shown, ..PickRules::default() };
    let hit = picking::pick_by(rules, edits.world(), &map.materials, ray.origin, ray.direction).hit;
    aim.hit = hit.filter(|hit| hit.voxel != Voxel::NOT_LOADED);
    aim.ray = Some(ray);
}
