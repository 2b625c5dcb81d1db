//! The key card: the keys of the game, shown in a new map.

use crate::game::ui::theme;
use bevy_egui::egui::{Align2, Color32, FontId, Painter, Rect, pos2, vec2};

/// Seconds of play for which a new map shows the keys.
const KEYS: f64 = 60.0;

/// Draws the list of keys in a map played for `played` seconds; fades out at the end of its time.
pub fn paint(painter: &Painter, screen: Rect, played: f64) {
    const LINES: [[&str; 2]; 10] = [
        ["WASD", "walk"],
        ["Space", "jump"],
        ["F", "fly"],
        ["E", "blocks"],
        ["Ctrl+Z", "undo"],
        ["F3", "figures"],
        ["F4", "overlay"],
        ["F5", "freeze"],
        ["F6", "culling"],
        ["Esc", "menu"],
    ];
    if played >= KEYS {
        return;
    }
    let mut painter = painter.clone();
    painter.multiply_opacity(((KEYS - played) / 2.0).clamp(0.0, 1.0) as f32);
    let line = 19.0;
    let size = vec2(122.0, line * LINES.len() as f32 + 14.0);
    let rect = Rect::from_min_size(pos2(screen.left() + 14.0, screen.center().y - size.y / 2.0), size);
    painter.rect_filled(rect, theme::ROUND, Color32::from_black_alpha(165));
    for (i, [key, does]) in LINES.into_iter().enumerate() {
        let y = rect.top() + 7.0 + (i as f32 + 0.5) * line;
        let font = FontId::proportional(theme::SMALL);
        painter.text(pos2(rect.left() + 12.0, y), Align2::LEFT_CENTER, key, font.clone(), theme::ACCENT);
        painter.text(pos2(rect.left() + 60.0, y), Align2::LEFT_CENTER, does, font, theme::TEXT);
    }
}
