//! The tool wheel: while its key is held, a move of the mouse points at a tool. Releasing the key
//! takes the tool in hand.

use crate::game::state::builder_mode::{BuilderMode, Tool};
use crate::game::state::keys::{KeyAction, KeyInput};
use crate::game::state::settings::Settings;
use crate::game::ui_kit::{ring, theme};
use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{Align2, Color32, FontId, Stroke, vec2};

/// Radius of a tool's field, in points.
const FIELD: f32 = 34.0;

/// Move of the mouse since the wheel was opened.
#[derive(Resource, Default)]
pub struct ToolWheel(Vec2);

/// The tool in the direction of a move; `None` near the middle.
fn pointed_at(way: Vec2) -> Option<Tool> {
    Tool::ALL.get(ring::pointed_at(way, Tool::ALL.len())?).copied()
}

/// Opens the wheel, and takes the tool.
pub fn choose(
    keys: Res<KeyInput>,
    mouse: Res<AccumulatedMouseMotion>,
    mut mode: ResMut<BuilderMode>,
    mut wheel: ResMut<ToolWheel>,
) {
    let is_open = mode.is_on && !mode.pointer_is_free && keys.pressed(KeyAction::ToolWheel);
    if is_open {
        // At a low frame rate, the key may be down in one frame alone, with all of the move.
        let is_tap = !keys.is_held(KeyAction::ToolWheel);
        let before = if mode.is_wheel_open { wheel.0 } else { Vec2::ZERO };
        let moved = if mode.is_wheel_open || is_tap { mouse.delta } else { Vec2::ZERO };
        wheel.0 = (before + moved).clamp_length_max(ring::RADIUS);
    } else if mode.is_wheel_open && mode.is_on {
        mode.tool = pointed_at(wheel.0).unwrap_or(mode.tool);
    }
    if mode.is_wheel_open != is_open {
        mode.is_wheel_open = is_open;
    }
}

/// Draws the wheel.
pub fn show(
    mut contexts: EguiContexts,
    mode: Res<BuilderMode>,
    wheel: Res<ToolWheel>,
    settings: Res<Settings>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    if !mode.is_wheel_open {
        return;
    }
    let (painter, centre) = ring::painter(ctx, "tool wheel");
    let pointed = pointed_at(wheel.0).unwrap_or(mode.tool);
    painter.circle_filled(centre, ring::RADIUS + FIELD + 8.0, Color32::from_black_alpha(120));
    for (number, &tool) in Tool::ALL.iter().enumerate() {
        let at = ring::field(centre, ring::RADIUS, number, Tool::ALL.len());
        let (fill, text) = if tool == pointed {
            (theme::ACCENT, Color32::BLACK)
        } else {
            (theme::RAISED, theme::TEXT)
        };
        painter.circle(at, FIELD, fill, Stroke::new(1.0, theme::EDGE));
        painter.text(
            at,
            Align2::CENTER_CENTER,
            tool.name(),
            FontId::proportional(theme::BODY),
            text,
        );
        let key = settings.keyboard.label(tool.action());
        let below = at + vec2(0.0, FIELD * 0.55);
        painter.text(below, Align2::CENTER_CENTER, key, FontId::proportional(theme::SMALL), text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_that_is_down_for_one_frame_takes_the_tool_of_the_move() {
        let mut keys = KeyInput::default();
        keys.press_action(KeyAction::ToolWheel);
        keys.release_action(KeyAction::ToolWheel);
        let mut app = App::new();
        app.insert_resource(keys)
            .insert_resource(AccumulatedMouseMotion { delta: Vec2::new(50.0, -16.0) })
            .insert_resource(BuilderMode { is_on: true, ..BuilderMode::default() })
            .init_resource::<ToolWheel>()
            .add_systems(Update, choose);
        app.update();
        app.world_mut().resource_mut::<KeyInput>().next_frame();
        app.insert_resource(AccumulatedMouseMotion::default());
        app.update();
        let mode = app.world().resource::<BuilderMode>();
        assert_eq!((mode.tool, mode.is_wheel_open), (Tool::Brush, false));
    }
}
