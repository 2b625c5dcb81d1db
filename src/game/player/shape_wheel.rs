//! The ring of shapes: while its key is held, a move of the mouse or the wheel points at a shape.
//! Releasing the key gives it to the block in hand. Another key turns placed shapes.

use crate::game::state::held_shape::{self, RING};
use crate::game::state::keys::{KeyAction, KeyInput, WheelUse};
use crate::game::state::notices::Notices;
use crate::game::state::player::Player;
use crate::game::state::session::OpenMap;
use crate::game::ui_kit::icons::BlockIcons;
use crate::game::ui_kit::{ring, theme};
use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{Align2, Color32, FontId, Rect, Stroke, vec2};

/// Radius of the ring, in points.
const RADIUS: f32 = 132.0;
/// Radius of a field, in points.
const FIELD: f32 = 31.0;

/// The ring while it is shown.
#[derive(Resource, Default)]
pub struct ShapeWheel {
    is_open: bool,
    /// Move of the mouse since the ring was opened.
    moved: Vec2,
    /// Number of the shape that is pointed at.
    pointed: usize,
}

/// Run condition: the mouse turns the view, because the ring is not shown.
pub fn is_closed(wheel: Res<ShapeWheel>) -> bool {
    !wheel.is_open
}

/// Opens the ring, and gives the shape to the block in hand.
pub fn choose(
    keys: Res<KeyInput>,
    mouse: Res<AccumulatedMouseMotion>,
    map: Res<OpenMap>,
    mut player: ResMut<Player>,
    mut wheel: ResMut<ShapeWheel>,
    mut notices: ResMut<Notices>,
) {
    if keys.just_pressed(KeyAction::TurnShape) {
        player.shape_turns = (player.shape_turns + 1) % 4;
        let turns = ["as you look", "to the right", "towards you", "to the left"];
        notices
            .replace_info("Shapes", format!("turned {}", turns[usize::from(player.shape_turns)]));
    }
    let held = map.growing.table();
    let held = held.get(player.in_hand());
    let is_shapeable = held.is_some_and(|m| m.is_shapeable() || m.block_of_shape().is_some());
    if keys.just_pressed(KeyAction::ShapeWheel) && !is_shapeable {
        notices.replace_info("Shapes", "only whole solid blocks have other shapes");
    }
    let is_open = is_shapeable && keys.pressed(KeyAction::ShapeWheel);
    if is_open {
        if !wheel.is_open {
            let is_held = |words: &&str| held.is_some_and(|m| held_shape::is_held(m, words));
            wheel.pointed = RING.iter().position(is_held).unwrap_or_default();
            wheel.moved = Vec2::ZERO;
        }
        // At a low frame rate, the key may be down in one frame alone, with all of the move.
        let is_tap = !keys.is_held(KeyAction::ShapeWheel);
        if wheel.is_open || is_tap {
            wheel.moved = (wheel.moved + mouse.delta).clamp_length_max(ring::RADIUS);
        }
        if mouse.delta != Vec2::ZERO
            && let Some(pointed) = ring::pointed_at(wheel.moved, RING.len())
        {
            wheel.pointed = pointed;
        }
        let steps = keys.wheel(WheelUse::Shape);
        if steps != 0 {
            let next = wheel.pointed as i32 - steps;
            wheel.pointed = next.rem_euclid(RING.len() as i32) as usize;
            wheel.moved = Vec2::ZERO;
        }
    } else if wheel.is_open
        && let Err(error) = held_shape::choose(&mut player, &map, RING[wheel.pointed])
    {
        notices.replace_info("Shapes", error);
    }
    wheel.is_open = is_open;
}

/// Closes the ring without a choice. Runs while the hands are not in use.
pub fn close(mut wheel: ResMut<ShapeWheel>) {
    if wheel.is_open {
        wheel.is_open = false;
    }
}

/// Draws the ring.
pub fn show(
    mut contexts: EguiContexts,
    wheel: Res<ShapeWheel>,
    map: Res<OpenMap>,
    player: Res<Player>,
    icons: BlockIcons,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    if !wheel.is_open {
        return;
    }
    let (painter, centre) = ring::painter(ctx, "shape ring");
    painter.circle_filled(centre, RADIUS + FIELD + 8.0, Color32::from_black_alpha(120));
    for (number, words) in RING.into_iter().enumerate() {
        let at = ring::field(centre, RADIUS, number, RING.len());
        let is_pointed = number == wheel.pointed;
        let fill = if is_pointed { theme::RAISED_HOVER } else { theme::RAISED };
        let edge = if is_pointed {
            Stroke::new(2.5, theme::ACCENT)
        } else {
            Stroke::new(1.0, theme::EDGE)
        };
        painter.circle(at, FIELD, fill, edge);
        if let Some(material) = held_shape::shaped(&map.materials, player.in_hand(), words) {
            let rect = Rect::from_center_size(at, vec2(FIELD, FIELD) * 1.25);
            icons.paint(&painter, rect, &material);
        }
    }
    let name = match RING[wheel.pointed] {
        "" => "whole block",
        words => words,
    };
    let font = FontId::proportional(theme::BODY);
    painter.text(centre, Align2::CENTER_CENTER, name, font, theme::TEXT);
}
