//! The hot bar's slots, as the HUD and the inventory show them.

use crate::game::state::player::{Player, SLOTS};
use crate::game::ui_kit::icons::BlockIcons;
use crate::game::ui_kit::layout::SLOT_GAP;
use crate::game::ui_kit::theme;
use bevy_egui::egui::{Align2, Color32, FontId, Painter, Rect, Stroke, StrokeKind, Vec2, vec2};
use stonerun_engine::voxel::{MaterialId, MaterialTable};

/// Rectangles of the slots of a bar.
pub fn slots(bar: Rect) -> impl Iterator<Item = Rect> {
    let step = (bar.width() + SLOT_GAP) / SLOTS as f32;
    let size = Vec2::splat(step - SLOT_GAP);
    (0..SLOTS).map(move |i| Rect::from_min_size(bar.min + vec2(i as f32 * step, 0.0), size))
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

/// Paints the bar.
pub fn paint(
    painter: &Painter,
    icons: &BlockIcons,
    bar: Rect,
    player: &Player,
    materials: &MaterialTable,
) {
    for (i, rect) in slots(bar).enumerate() {
        let chosen = i == player.selected;
        let look = if chosen {
            (Color32::from_rgba_premultiplied(70, 56, 34, 220), Stroke::new(2.5, theme::ACCENT))
        } else {
            (
                Color32::from_black_alpha(150),
                Stroke::new(1.0, Color32::from_rgba_premultiplied(70, 64, 56, 180)),
            )
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
    use bevy_egui::egui::pos2;

    #[test]
    fn slots_fill_the_bar() {
        let bar = Rect::from_min_size(pos2(8.0, 250.0), vec2(384.0, 39.0));
        let slots: Vec<Rect> = slots(bar).collect();
        assert_eq!((slots.len(), slots[0].min, slots[8].right()), (SLOTS, bar.min, bar.right()));
        assert!(slots.windows(2).all(|pair| pair[1].left() - pair[0].right() == SLOT_GAP));
    }
}
