//! Movement by keys and mouse; the camera follows the eyes.

use crate::game::drawing::lens;
use crate::game::state::builder_mode::BuilderMode;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::keys::{KeyAction, KeyInput, WheelUse};
use crate::game::state::notices::Notices;
use crate::game::state::player::{Eyes, Player, SLOTS};
use crate::game::state::session::{Edits, OpenMap, WorkCounters};
use crate::game::state::settings::Settings;
use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use glam::{DVec2, DVec3};
use stonerun_engine::body::walking::{Intent, Walker};
use stonerun_engine::metrics::{VoxelOps, VoxelTask};

/// Turn for one count of the mouse at sensitivity 1, in radians (0.12 degrees).
pub const TURN: f32 = 0.002_094;
/// Maximum time between two presses of the jump key that switch flying on or off, in seconds.
const DOUBLE_TAP: f32 = 0.3;
/// Speed of the free camera, in metres per second.
const FREE_SPEED: f64 = 20.0;
/// Factor of the flying speed in builder mode.
const BUILDER_FACTOR: f64 = 2.0;
/// Factor of the flying speed while the key for careful work is held.
const SLOW_FACTOR: f64 = 0.25;

/// Turns the view with the mouse.
pub fn look(
    mouse: Res<AccumulatedMouseMotion>,
    settings: Res<Settings>,
    mut player: ResMut<Player>,
) {
    if mouse.delta == Vec2::ZERO || player.drone.is_some() {
        return;
    }
    let turn = mouse.delta * TURN * settings.mouse_sensitivity;
    player.yaw = (player.yaw - turn.x).rem_euclid(std::f32::consts::TAU);
    let up = if settings.invert_mouse { turn.y } else { -turn.y };
    player.pitch = (player.pitch + up).clamp(-1.553, 1.553);
}

/// Moves the body, or the free camera while it is active.
pub fn walk(
    keys: Res<KeyInput>,
    time: Res<Time<Real>>,
    settings: Res<Settings>,
    map: Res<OpenMap>,
    edits: Res<Edits>,
    builder: Res<BuilderMode>,
    mut work: ResMut<WorkCounters>,
    mut player: ResMut<Player>,
    mut timings: ResMut<FrameTimings>,
    mut notices: ResMut<Notices>,
    mut last_jump: Local<Option<f32>>,
) {
    if player.drone.is_some() {
        return;
    }
    let free = player.is_free();
    let now = time.elapsed_secs();
    if keys.just_pressed(KeyAction::Up) && !free {
        if last_jump.is_some_and(|then| now - then < DOUBLE_TAP) {
            player.walker.flying = !player.walker.flying;
            *last_jump = None;
        } else {
            *last_jump = Some(now);
        }
    }
    if keys.just_pressed(KeyAction::Fly) {
        player.walker.flying = !player.walker.flying;
    }
    let ahead = f64::from(keys.axis(KeyAction::Ahead, KeyAction::Back));
    let right = f64::from(keys.axis(KeyAction::Right, KeyAction::Left));
    let (sin, cos) = f64::from(player.yaw).sin_cos();
    let intent = Intent {
        along: DVec2::new(-sin * ahead + cos * right, -cos * ahead - sin * right)
            .clamp_length_max(1.0),
        up: keys.pressed(KeyAction::Up),
        down: keys.goes_down(),
        sprint: keys.pressed(KeyAction::Sprint),
        flying_factor: settings.flying_speed.factor()
            * if keys.pressed(KeyAction::Careful) { SLOW_FACTOR } else { 1.0 }
            * if builder.is_on { BUILDER_FACTOR } else { 1.0 },
    };
    if free {
        let up = f64::from(i8::from(intent.up) - i8::from(intent.down));
        let speed = FREE_SPEED * intent.flying_factor * if intent.sprint { 3.0 } else { 1.0 };
        player.walker.position +=
            DVec3::new(intent.along.x, up, intent.along.y) * speed * time.delta_secs_f64();
        return;
    }
    timings.time(FrameStage::Player, || {
        let reads =
            player.walker.advance(edits.world(), &map.materials, intent, time.delta_secs_f64());
        work.add(VoxelTask::Collision, VoxelOps::reads(reads));
    });
    if !player.walker.flying && edits.is_below_everything(player.walker.position.y) {
        player.walker = Walker { flying: true, ..Walker::at(DVec3::from_array(map.header.spawn)) };
        notices.info("You fell out of the world. You are back at the spawn point, flying.");
    }
}

/// Selects the slot in hand by number keys and mouse wheel. With the key for careful work, the
/// wheel changes the flying speed, which is a setting.
pub fn choose_slot(
    keys: Res<KeyInput>,
    mut player: ResMut<Player>,
    mut settings: ResMut<Settings>,
    mut notices: ResMut<Notices>,
) {
    for action in keys.presses() {
        if let KeyAction::Slot(slot) = action {
            player.selected = usize::from(slot).min(SLOTS - 1);
        }
    }
    let speed_steps = keys.wheel(WheelUse::FlyingSpeed);
    if speed_steps != 0 {
        settings.flying_speed = settings.flying_speed.faster(speed_steps);
        let speed = settings.flying_speed.metres_per_second();
        notices.replace_info("Flying speed", format!("{speed:.1} m/s"));
    }
    let steps = keys.wheel(WheelUse::Slot);
    if steps != 0 {
        player.selected = (player.selected as i32 - steps).rem_euclid(SLOTS as i32) as usize;
    }
}

/// Moves the camera to the eyes.
pub fn follow(
    player: Res<Player>,
    origin: Res<RenderOrigin>,
    settings: Res<Settings>,
    mut cameras: Query<(&mut Transform, &mut Projection), With<Eyes>>,
) {
    for (mut transform, mut projection) in &mut cameras {
        let wanted = Transform::from_translation(origin.relative(player.walker.eyes()))
            .with_rotation(player.rotation());
        transform.set_if_neq(wanted);
        let height =
            player.drone.and_then(|drone| drone.orthographic_height).map(|height| height as f32);
        lens::set(&mut projection, settings.field_of_view.to_radians(), height);
    }
}
