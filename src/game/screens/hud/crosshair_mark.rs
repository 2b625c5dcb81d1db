//! Draws the crosshair.

use crate::game::state::settings::crosshair_style::CrosshairStyle;
use bevy_egui::egui::{Color32, Painter, Pos2, Rect, Stroke, vec2};

/// Draws the crosshair at `at`: light on dark, visible on any background.
pub fn paint(painter: &Painter, at: Pos2, style: CrosshairStyle) {
    for (grow, colour) in
        [(1.0, Color32::from_black_alpha(150)), (0.0, Color32::from_white_alpha(230))]
    {
        match style {
            CrosshairStyle::Cross => {
                for size in [vec2(16.0, 2.0), vec2(2.0, 16.0)] {
                    painter.rect_filled(Rect::from_center_size(at, size).expand(grow), 0.0, colour);
                }
            }
            CrosshairStyle::Dot => _ = painter.circle_filled(at, 2.5 + grow, colour),
            CrosshairStyle::Ring => {
                painter.circle_stroke(at, 7.0, Stroke::new(1.5 + 2.0 * grow, colour));
                painter.circle_filled(at, 1.2 + grow, colour);
            }
            CrosshairStyle::Off => {}
        }
    }
}
