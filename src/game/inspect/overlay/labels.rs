//! Text at positions of the world.

use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::player::Eyes;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, pos2, vec2};
use glam::DVec3;

/// Projects positions of the world onto the screen.
#[derive(SystemParam)]
pub(super) struct WorldToScreen<'w, 's> {
    eyes: Single<'w, 's, (&'static Camera, &'static GlobalTransform), With<Eyes>>,
    origin: Res<'w, RenderOrigin>,
}

impl WorldToScreen<'_, '_> {
    /// Point of `screen`, in points, that shows a position; `None` behind the eye. The point may
    /// lie outside the screen.
    pub(super) fn point(&self, at: DVec3, screen: Rect) -> Option<Pos2> {
        let (camera, transform) = *self.eyes;
        let ndc = camera
            .world_to_ndc(transform, self.origin.relative(at))
            .filter(|ndc| ndc.z > 0.0 && ndc.z < 1.0)?;
        let part = ndc.truncate() * Vec2::new(0.5, -0.5) + 0.5;
        Some(pos2(screen.left() + part.x * screen.width(), screen.top() + part.y * screen.height()))
    }
}

/// Draws a line of text, `size` points high, in white with a black shadow, which is readable on any
/// ground.
pub(super) fn draw_line(painter: &Painter, at: Pos2, anchor: Align2, words: &str, size: f32) {
    let font = FontId::monospace(size);
    painter.text(at + vec2(1.0, 1.0), anchor, words, font.clone(), Color32::BLACK);
    painter.text(at, anchor, words, font, Color32::WHITE);
}
