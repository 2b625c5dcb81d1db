//! The keys and the mouse of the drone.
//!
//! A key starts and ends the flight. The mouse turns the view, or moves an orthographic one; the
//! middle button orbits, with Shift it pans; the wheel zooms.

use crate::game::building::console::GameConsole;
use crate::game::building::drone::flight::{Drone, field_of_view};
use crate::game::building::drone::pose::{Pose, ViewSide};
use crate::game::drawing::culling::state::Culling;
use crate::game::player::TURN;
use crate::game::player::crosshair;
use crate::game::state::builder_mode::BuilderMode;
use crate::game::state::keys::{KeyAction, KeyInput, WheelUse};
use crate::game::state::notices::Notices;
use crate::game::state::player::{DroneView, Player};
use crate::game::state::session::{Edits, OpenMap};
use crate::game::state::settings::Settings;
use bevy::ecs::system::SystemParam;
use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use bevy::window::{CursorGrabMode, CursorOptions, PrimaryWindow};
use glam::DVec3;
use stonerun_engine::voxel::Box3;

/// Distance of the focus if nothing is under the crosshair, in voxels.
const AHEAD: f64 = 24.0;
/// Half the side of the box around the body that is framed without a selection, in voxels.
const AROUND_BODY: i32 = 4;
/// Maximum pitch of the view that frames the body, in radians above the horizon.
const MAX_BODY_PITCH: f32 = -0.5;
/// Speed by keys, per voxel of distance from the focus and second.
const SPEED: f64 = 1.1;
/// Minimum distance that determines the speed, in voxels.
const MIN_SPEED_DISTANCE: f64 = 10.0;
/// Turn by keys, in radians per second.
const KEY_TURN: f32 = 1.4;
/// Factor of the distance per step of the wheel.
const ZOOM: f64 = 0.85;
/// Factor of the distance per second of a held key.
const KEY_ZOOM: f64 = 0.2;
/// Assumed height of a window, in pixels, while there is none.
const WINDOW_HEIGHT: f32 = 720.0;

/// Keys, mouse and settings that the controls read.
#[derive(SystemParam)]
pub(super) struct DroneInput<'w, 's> {
    keys: Res<'w, KeyInput>,
    buttons: Res<'w, ButtonInput<MouseButton>>,
    mouse: Res<'w, AccumulatedMouseMotion>,
    time: Res<'w, Time<Real>>,
    settings: Res<'w, Settings>,
    builder: Res<'w, BuilderMode>,
    window: Option<Single<'w, 's, (&'static Window, &'static CursorOptions), With<PrimaryWindow>>>,
}

/// The world that the drone looks at.
#[derive(SystemParam)]
pub(super) struct ViewedWorld<'w> {
    map: Res<'w, OpenMap>,
    edits: Res<'w, Edits>,
    console: Res<'w, GameConsole>,
}

impl ViewedWorld<'_> {
    /// Distance of the voxel under the crosshair from the eyes.
    fn distance(&self, player: &Player, settings: &Settings) -> Option<f64> {
        let view = self.map.view_distance(settings);
        crosshair::hit(self.edits.world(), &self.map.materials, player, view)
            .map(|hit| hit.distance)
    }

    /// The selected box.
    fn selection(&self) -> Option<Box3> {
        self.console.console.selection().bounds().ok()
    }
}

/// Starts and ends the flight.
pub(super) fn toggle(
    input: DroneInput,
    view: ViewedWorld,
    mut drone: ResMut<Drone>,
    mut player: ResMut<Player>,
    mut culling: ResMut<Culling>,
    mut notices: ResMut<Notices>,
) {
    if !input.keys.just_pressed(KeyAction::Drone) {
        return;
    }
    if player.drone.is_some() {
        player.set_free(false);
        notices.replace_info("Drone", "back in your body");
        return;
    }
    culling.set_frozen(false);
    let distance = view.distance(&player, &input.settings).unwrap_or(AHEAD);
    let pose = Pose::from_eyes(player.walker.eyes(), player.yaw, player.pitch, distance);
    drone.start(pose);
    player.set_free(true);
    player.drone = Some(DroneView { focus: pose.focus, orthographic_height: None, side: None });
    let keyboard = input.settings.keyboard;
    let walking = keyboard.walking();
    let back = keyboard.label(KeyAction::Drone);
    notices.replace_info(
        "Drone",
        format!("{walking} flies, the middle button orbits; {back} returns"),
    );
}

/// Moves the drone by keys, mouse and wheel.
pub(super) fn steer(
    input: DroneInput,
    view: ViewedWorld,
    player: Res<Player>,
    mut drone: ResMut<Drone>,
    mut notices: ResMut<Notices>,
) {
    if player.drone.is_none() {
        return;
    }
    turn(&input, &view, &player, &mut drone);
    travel(&input, &mut drone);
    let zoomed = if input.keys.control() { 0 } else { input.keys.wheel(WheelUse::Zoom) };
    let by_keys = input.keys.axis(KeyAction::ZoomOut, KeyAction::ZoomIn);
    let seconds = input.time.delta_secs_f64();
    drone.glide(|pose| pose.zoom(ZOOM.powi(zoomed) * KEY_ZOOM.powf(-f64::from(by_keys) * seconds)));
    choose_side(&input, &mut drone, &mut notices);
    if input.keys.just_pressed(KeyAction::Frame) {
        let body = player.body().voxel();
        let around = Box3 { min: body - AROUND_BODY, max: body + AROUND_BODY };
        let selection = view.selection();
        drone.glide(|pose| {
            if selection.is_none() && !pose.orthographic {
                // In a level view, the ground would hide the body.
                pose.pitch = pose.pitch.min(MAX_BODY_PITCH);
            }
            pose.frame(selection.unwrap_or(around), field_of_view(&input.settings));
        });
    }
    bookmark(&input, &mut drone, &mut notices);
}

impl DroneInput<'_, '_> {
    /// True if the middle button is held over the world.
    fn holds_middle(&self) -> bool {
        self.buttons.pressed(MouseButton::Middle)
            && !(self.builder.is_on && self.builder.interface_has_pointer)
    }

    /// True while the mouse turns the view: the pointer is locked, and the tool wheel is closed.
    fn mouse_turns_view(&self) -> bool {
        let is_locked =
            self.window.as_ref().is_some_and(|window| window.1.grab_mode == CursorGrabMode::Locked);
        is_locked && !(self.builder.is_on && self.builder.is_wheel_open)
    }
}

/// Turns, orbits or pans by mouse and arrow keys.
fn turn(input: &DroneInput, view: &ViewedWorld, player: &Player, drone: &mut Drone) {
    let orbits = input.holds_middle();
    if orbits
        && input.buttons.just_pressed(MouseButton::Middle)
        && view.selection().is_none()
        && let Some(distance) = view.distance(player, &input.settings)
    {
        // The rays of an orthographic view start at the player's eyes, not at the pose's, so the
        // distance is converted.
        let at = player.walker.eyes() + player.direction() * distance;
        drone.change(|pose| pose.focus_at((at - pose.eyes()).dot(pose.direction())));
    }
    let selection = view.selection().map(|area| (area.min.as_dvec3() + area.max.as_dvec3()) / 2.0);
    let pivot = |pose: &Pose| selection.unwrap_or(pose.focus);
    let mouse = input.mouse.delta;
    let turned = mouse * TURN * input.settings.mouse_sensitivity;
    let up = if input.settings.invert_mouse { turned.y } else { -turned.y };
    let turned = Vec2::new(-turned.x, up);
    // Size of a pixel in the plane through the focus, in voxels.
    let pixel = |pose: &Pose| {
        let height =
            input.window.as_ref().map_or(WINDOW_HEIGHT, |window| window.0.height().max(1.0));
        pose.height(field_of_view(&input.settings)) / f64::from(height)
    };
    if mouse != Vec2::ZERO {
        drone.change(|pose| {
            let moved = mouse.as_dvec2() * pixel(pose);
            match (orbits, input.keys.shift()) {
                // The view's plane follows the pointer, so the focus moves against it.
                (true, true) => pose.pan(-moved.x, moved.y),
                (true, false) => pose.orbit(pivot(pose), turned * 2.0),
                // A free pointer does not turn the view.
                (false, _) if !input.mouse_turns_view() => {}
                (false, _) if pose.orthographic => pose.pan(moved.x, -moved.y),
                (false, _) => pose.look(turned),
            }
        });
    }
    let [left, up] = [
        input.keys.axis(KeyAction::OrbitLeft, KeyAction::OrbitRight),
        input.keys.axis(KeyAction::OrbitUp, KeyAction::OrbitDown),
    ];
    if left != 0.0 || up != 0.0 {
        let turn = Vec2::new(-left, -up) * KEY_TURN * input.time.delta_secs();
        drone.change(|pose| pose.orbit(pivot(pose), turn));
    }
}

/// Flies by keys.
fn travel(input: &DroneInput, drone: &mut Drone) {
    let keys = &input.keys;
    let ahead = keys.axis(KeyAction::Ahead, KeyAction::Back);
    let right = keys.axis(KeyAction::Right, KeyAction::Left);
    // Shift with the middle button pans, so it does not also move down.
    let is_dragging = input.holds_middle() && keys.shift();
    let up = f32::from(
        i8::from(keys.pressed(KeyAction::Up)) - i8::from(keys.goes_down() && !is_dragging),
    );
    let moved = DVec3::new(ahead.into(), right.into(), up.into()).clamp_length_max(1.0);
    if moved == DVec3::ZERO {
        return;
    }
    let sprint = if keys.pressed(KeyAction::Sprint) { 3.0 } else { 1.0 };
    let slow = if keys.pressed(KeyAction::Careful) { 0.25 } else { 1.0 };
    let seconds = input.time.delta_secs_f64();
    drone.glide(|pose| {
        let speed = pose.distance.max(MIN_SPEED_DISTANCE) * SPEED * sprint * slow;
        let DVec3 { x, y, z } = moved * speed * seconds;
        pose.travel(x, y, z);
    });
}

/// Shows a side of the world in an orthographic view, or returns to perspective.
fn choose_side(input: &DroneInput, drone: &mut Drone, notices: &mut Notices) {
    const SIDES: [ViewSide; 3] = [ViewSide::Front, ViewSide::Right, ViewSide::Top];
    for action in input.keys.presses() {
        let (side, is_opposite) = match action {
            KeyAction::Side(number) => (number, false),
            KeyAction::OppositeSide(number) => (number, true),
            _ => continue,
        };
        let Some(&side) = SIDES.get(usize::from(side)) else { continue };
        let side = if is_opposite { side.opposite() } else { side };
        drone.glide(|pose| pose.look_from(side));
        notices.replace_info("Drone", format!("{} view, without perspective", side.name()));
    }
    if input.keys.just_pressed(KeyAction::Perspective) {
        drone.glide(|pose| pose.orthographic = !pose.orthographic);
        let is_flat = drone.wanted().is_some_and(|pose| pose.orthographic);
        notices.replace_info("Drone", if is_flat { "without perspective" } else { "perspective" });
    }
}

/// Keeps a pose under a number, or flies to one.
fn bookmark(input: &DroneInput, drone: &mut Drone, notices: &mut Notices) {
    let keyboard = input.settings.keyboard;
    for action in input.keys.presses() {
        match action {
            KeyAction::KeepViewAs(index) => {
                let Some(pose) = drone.wanted() else { continue };
                drone.bookmarks.set(index.into(), pose);
                let number = index + 1;
                let key = keyboard.label(KeyAction::ReturnToView);
                let how = format!("hold {key} and press {number} to return to it");
                notices.replace_info("Drone", format!("view {number} kept; {how}"));
            }
            KeyAction::ReturnTo(index) => match drone.bookmarks.get(index.into()) {
                Some(kept) => drone.glide(|pose| *pose = kept),
                None => {
                    let number = index + 1;
                    let key = keyboard.label(KeyAction::KeepView);
                    let how = format!("hold {key} and press {number} to keep one");
                    notices.replace_info("Drone", format!("no view {number}; {how}"));
                }
            },
            _ => {}
        }
    }
}

/// Forgets the kept poses of the closed map.
pub(super) fn forget(mut drone: ResMut<Drone>) {
    *drone = Drone::default();
}
