//! Rings of fields around the crosshair, of which a move of the mouse points at one.

use bevy::math::Vec2;
use bevy_egui::egui::{self, Pos2, vec2};

/// Radius of a ring, in points.
pub const RADIUS: f32 = 96.0;
/// Minimum move of the mouse that points at a field, in pixels.
const THRESHOLD: f32 = 18.0;

/// Number of the field in the direction of a move, of `count` fields clockwise from the top; `None`
/// near the middle.
#[must_use]
pub fn pointed_at(way: Vec2, count: usize) -> Option<usize> {
    if way.length() < THRESHOLD {
        return None;
    }
    let turn = way.x.atan2(-way.y).rem_euclid(std::f32::consts::TAU) / std::f32::consts::TAU;
    Some((turn * count as f32).round() as usize % count)
}

/// Middle of a field of a ring with this radius.
#[must_use]
pub fn field(centre: Pos2, radius: f32, number: usize, count: usize) -> Pos2 {
    let (sine, cosine) = (number as f32 / count as f32 * std::f32::consts::TAU).sin_cos();
    centre + radius * vec2(sine, -cosine)
}

/// A painter in front of everything in the window, and the middle of the window.
#[must_use]
pub fn painter(ctx: &egui::Context, name: &'static str) -> (egui::Painter, Pos2) {
    let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::new(name));
    (ctx.layer_painter(layer), ctx.viewport_rect().center())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_moves_point() {
        for count in [6, 12] {
            assert_eq!(pointed_at(Vec2::new(3.0, 3.0), count), None);
            for number in 0..count {
                let at = field(Pos2::ZERO, 50.0, number, count);
                for off in [-0.2, 0.0, 0.2] {
                    let way = Vec2::new(at.x, at.y).rotate(Vec2::from_angle(off));
                    assert_eq!(pointed_at(way, count), Some(number), "{number} {off}");
                }
            }
        }
    }
}
