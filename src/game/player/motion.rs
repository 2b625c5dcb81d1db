//! Movement by keys and mouse; the camera follows the eyes.

use crate::body::walking::{Intent, Walker};
use crate::game::builder::mode::BuilderMode;
use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::common::keys::{CONTROL, held};
use crate::game::common::notices::Notices;
use crate::game::common::render_origin::RenderOrigin;
use crate::game::common::settings::Settings;
use crate::game::common::wheel_steps::WheelSteps;
use crate::game::day::DAY_KEY;
use crate::game::overlay::CUT_KEY;
use crate::game::player::{CAREFUL_KEYS, Eyes, Player, SLOTS, lens};
use crate::game::session::{Edits, OpenMap, WorkCounters};
use crate::metrics::{VoxelOps, VoxelTask};
use bevy::input::mouse::{AccumulatedMouseMotion, AccumulatedMouseScroll};
use bevy::prelude::*;
use glam::{DVec2, DVec3};

/// Turn for one count of the mouse at sensitivity 1, in radians (0.12 degrees).
pub const TURN: f32 = 0.002_094;
/// Longest time between two presses of the jump key that switch flying, in seconds.
const DOUBLE_TAP: f32 = 0.3;
/// Speed of the free camera, in metres per second.
const FREE_SPEED: f64 = 20.0;
/// Factor of the flying speed in builder mode.
const BUILDER_FACTOR: f64 = 2.0;
/// Factor of the flying speed while the key for careful work is held.
const SLOW_FACTOR: f64 = 0.25;

/// Keys with which the drone uses the digits.
const DRONE_DIGIT_KEYS: [KeyCode; 4] = [KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::KeyK, KeyCode::KeyJ];

/// Turns the view with the mouse.
pub fn look(mouse: Res<AccumulatedMouseMotion>, settings: Res<Settings>, mut player: ResMut<Player>) {
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
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time<Real>>,
    settings: Res<Settings>,
    (map, edits, builder): (Res<OpenMap>, Res<Edits>, Res<BuilderMode>),
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
    if keys.just_pressed(KeyCode::Space) && !free {
        if last_jump.is_some_and(|then| now - then < DOUBLE_TAP) {
            player.walker.flying = !player.walker.flying;
            *last_jump = None;
        } else {
            *last_jump = Some(now);
        }
    }
    if keys.just_pressed(KeyCode::KeyF) && !free {
        player.walker.flying = !player.walker.flying;
    }
    let axis = |plus: [KeyCode; 2], minus: [KeyCode; 2]| {
        f64::from(i8::from(keys.any_pressed(plus)) - i8::from(keys.any_pressed(minus)))
    };
    let ahead = axis([KeyCode::KeyW, KeyCode::ArrowUp], [KeyCode::KeyS, KeyCode::ArrowDown]);
    let right = axis([KeyCode::KeyD, KeyCode::ArrowRight], [KeyCode::KeyA, KeyCode::ArrowLeft]);
    let (sin, cos) = f64::from(player.yaw).sin_cos();
    let intent = Intent {
        along: DVec2::new(-sin * ahead + cos * right, -cos * ahead - sin * right).clamp_length_max(1.0),
        up: keys.pressed(KeyCode::Space),
        // Ctrl+C copies in builder mode.
        down: keys.pressed(KeyCode::ShiftLeft)
            || keys.pressed(KeyCode::KeyC) && !(builder.is_on && keys.pressed(KeyCode::ControlLeft)),
        sprint: keys.any_pressed([KeyCode::ControlLeft, KeyCode::KeyR]),
        flying_factor: settings.flying_speed.factor()
            * if keys.any_pressed(CAREFUL_KEYS) { SLOW_FACTOR } else { 1.0 }
            * if builder.is_on { BUILDER_FACTOR } else { 1.0 },
    };
    if free {
        let up = f64::from(i8::from(intent.up) - i8::from(intent.down));
        let speed = FREE_SPEED * intent.flying_factor * if intent.sprint { 3.0 } else { 1.0 };
        player.walker.position += DVec3::new(intent.along.x, up, intent.along.y) * speed * time.delta_secs_f64();
        return;
    }
    timings.time(FrameStage::Player, || {
        let reads = player.walker.advance(edits.world(), &map.materials, intent, time.delta_secs_f64());
        work.add(VoxelTask::Collision, VoxelOps::reads(reads));
    });
    if !player.walker.flying && edits.is_below_everything(player.walker.position.y) {
        player.walker = Walker { flying: true, ..Walker::at(DVec3::from_array(map.header.spawn)) };
        notices.info("You fell out of the world. You are back at the spawn point, flying.");
    }
}

/// Selects the slot in hand by number keys and mouse wheel. With the key for careful work, the wheel
/// changes the flying speed, which is a setting; with the day's key, it sets the time instead, and with
/// the cutaway's it moves the cut. The
/// drone has other uses for the wheel, and for digits with other keys.
pub fn choose_slot(
    keys: Res<ButtonInput<KeyCode>>,
    wheel: Res<AccumulatedMouseScroll>,
    builder: Res<BuilderMode>,
    mut player: ResMut<Player>,
    mut settings: ResMut<Settings>,
    mut notices: ResMut<Notices>,
    mut steps: Local<WheelSteps>,
) {
    const DIGITS: [KeyCode; SLOTS] = [
        KeyCode::Digit1,
        KeyCode::Digit2,
        KeyCode::Digit3,
        KeyCode::Digit4,
        KeyCode::Digit5,
        KeyCode::Digit6,
        KeyCode::Digit7,
        KeyCode::Digit8,
        KeyCode::Digit9,
    ];
    let with_other_keys = player.drone.is_some() && (held(&keys, DRONE_DIGIT_KEYS));
    for (slot, key) in DIGITS.into_iter().enumerate() {
        if keys.just_pressed(key) && !with_other_keys {
            player.selected = slot;
        }
    }
    let steps = steps.take(&wheel);
    // With Ctrl, the wheel belongs to the tools of the builder mode.
    let is_tools = builder.is_on && (builder.interface_has_pointer || held(&keys, CONTROL));
    if steps == 0 || keys.any_pressed([DAY_KEY, CUT_KEY]) || player.drone.is_some() || is_tools {
        return;
    }
    if keys.any_pressed(CAREFUL_KEYS) {
        settings.flying_speed = settings.flying_speed.faster(steps);
        let speed = settings.flying_speed.metres_per_second();
        notices.replace_info("Flying speed", format!("{speed:.1} m/s"));
    } else {
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
        let wanted =
            Transform::from_translation(origin.relative(player.walker.eyes())).with_rotation(player.rotation());
        transform.set_if_neq(wanted);
        let height = player.drone.and_then(|drone| drone.orthographic_height).map(|height| height as f32);
        lens::set(&mut projection, settings.field_of_view.to_radians(), height);
    }
}
