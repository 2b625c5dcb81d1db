//! The hot bar's slots, as the HUD and the inventory show them.

use crate::game::player::{Player, SLOTS};
use crate::game::ui::icons::BlockIcons;
use crate::game::ui::theme;
use crate::voxel::{MaterialId, MaterialTable};
use bevy_egui::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, Vec2, pos2, vec2};

/// Side of a slot, in points.
pub const SLOT: f32 = 44.0;
/// Space between two slots, in points.
const GAP: f32 = 4.0;

/// Size of the whole bar, in points.
#[must_use]
pub fn bar_size() -> Vec2 {
    vec2(SLOTS as f32 * (SLOT + GAP) - GAP, SLOT)
}

/// Distance of the bar from the window's edges and from neighbouring elements, in points.
const MARGIN: f32 = 12.0;

/// Position of the bar: bottom centre, moved left as far as necessary where `taken` points at the
/// right are occupied.
#[must_use]
pub fn place(screen: Rect, taken: f32) -> Rect {
    let size = bar_size();
    let left = (screen.center().x - size.x / 2.0).min(screen.right() - taken - size.x - MARGIN);
    let at = pos2(left.max(screen.left() + MARGIN), screen.bottom() - size.y - MARGIN);
    Rect::from_min_size(at, size)
}

/// Rectangles of the slots of a bar with its upper left corner at `at`.
pub fn slots(at: Pos2) -> impl Iterator<Item = Rect> {
    (0..SLOTS).map(move |i| Rect::from_min_size(at + vec2(i as f32 * (SLOT + GAP), 0.0), Vec2::splat(SLOT)))
}

/// Paints a slot or an inventory cell: background, edge, block.
pub fn paint_slot(
    painter: &Painter,
    icons: &BlockIcons,
    rect: Rect,
    look: (Color32, Stroke),
    material: MaterialId,
    materials: &MaterialTable,
) {
    let (fill, edge) = look;
    painter.rect(rect, theme::ROUND, fill, edge, StrokeKind::Inside);
    if material != 0
        && let Some(material) = materials.get(material)
    {
        icons.paint(painter, rect.shrink(rect.width() * 0.13), material);
    }
}

/// Paints the bar with its upper left corner at `at`.
pub fn paint(painter: &Painter, icons: &BlockIcons, at: Pos2, player: &Player, materials: &MaterialTable) {
    for (i, rect) in slots(at).enumerate() {
        let chosen = i == player.selected;
        let look = if chosen {
            (Color32::from_rgba_premultiplied(70, 56, 34, 220), Stroke::new(2.5, theme::ACCENT))
        } else {
            (Color32::from_black_alpha(150), Stroke::new(1.0, Color32::from_rgba_premultiplied(70, 64, 56, 180)))
        };
        paint_slot(painter, icons, rect, look, player.hotbar[i], materials);
        let colour = if chosen { theme::ACCENT } else { theme::FAINT };
        let corner = rect.left_top() + vec2(5.0, 2.0);
        painter.text(corner, Align2::LEFT_TOP, i + 1, FontId::proportional(theme::SMALL), colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_moves_aside_but_stays_on_the_screen() {
        let screen = |width| Rect::from_min_size(Pos2::ZERO, vec2(width, 540.0));
        assert_eq!(place(screen(1280.0), 340.0).center().x, 640.0);
        assert_eq!(place(screen(960.0), 340.0).right(), 960.0 - 340.0 - MARGIN);
        assert_eq!(place(screen(640.0), 340.0).left(), MARGIN);
    }
}
