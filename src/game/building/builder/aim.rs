//! The aim in builder mode: along the crosshair or, while the pointer is free, along the pointer;
//! as far as the view distance.

use crate::game::building::builder::ray::Ray;
use crate::game::state::builder_mode::BuilderMode;
use crate::game::state::cutaway::{CutPlane, Cutaway};
use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::player::{Eyes, Player};
use crate::game::state::session::{Edits, OpenMap};
use crate::game::state::settings::Settings;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::{EguiContexts, egui};
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

/// True if the pointer is over an area of the interface now. What egui says of the pointer is as
/// old as its last pass, so a move and a press in one frame would go to the world behind the panel.
fn is_over_area(ctx: &egui::Context, window: &Window) -> bool {
    let Some(at) = window.cursor_position() else { return false };
    let at = at * window.scale_factor() / ctx.pixels_per_point();
    let layer = ctx.layer_id_at(egui::pos2(at.x, at.y));
    layer.is_some_and(|layer| layer.order != egui::Order::Background)
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

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_egui::egui::{Area, Id, RawInput, Rect, vec2};

    /// An interface with an area from 10, 20 to 110, 70 points, as drawn in the last pass.
    fn interface(scale: f32) -> egui::Context {
        let ctx = egui::Context::default();
        ctx.set_pixels_per_point(scale);
        let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(400.0, 300.0)));
        for _ in 0..2 {
            let input = RawInput { screen_rect, ..RawInput::default() };
            let mut output = ctx.run_ui(input, |ui| {
                Area::new(Id::new("panel")).fixed_pos([10.0, 20.0]).show(ui, |ui| {
                    ui.allocate_space(vec2(100.0, 50.0));
                });
            });
            output.textures_delta.clear();
        }
        ctx
    }

    #[test]
    fn pointer_is_over_an_area_that_it_has_just_reached() {
        for scale in [1.0, 2.0] {
            let ctx = interface(scale);
            let is_over = |x: f64, y: f64| {
                let mut window = Window::default();
                let at = bevy::math::DVec2::new(x, y) * f64::from(scale);
                window.set_physical_cursor_position(Some(at));
                is_over_area(&ctx, &window)
            };
            assert!(!ctx.egui_wants_pointer_input(), "egui has not seen the pointer");
            let places = [(60.0, 40.0), (200.0, 40.0), (60.0, 100.0), (5.0, 5.0)];
            assert_eq!(places.map(|(x, y)| is_over(x, y)), [true, false, false, false], "{scale}");
        }
        assert!(!is_over_area(&interface(1.0), &Window::default()), "outside the window");
    }
}
