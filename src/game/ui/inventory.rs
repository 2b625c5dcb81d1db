//! The inventory (`E`): all blocks of the map. A click, a drag or a number key puts one into the
//! hot bar.

use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::common::screens::Menu;
use crate::game::player::{Player, SLOTS};
use crate::game::session::OpenMap;
use crate::game::ui::icons::BlockIcons;
use crate::game::ui::{hotbar, text, theme};
use crate::voxel::{MaterialId, MaterialTable, Matter};
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{self, Color32, Id, Key, LayerId, Order, Rect, RichText, Sense, Stroke, Ui, Vec2, vec2};

/// Text in the search field.
#[derive(Resource, Default)]
pub struct Search(String);

/// The keys of the slots.
const DIGITS: [Key; SLOTS] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];
/// Side of a cell, in points.
const CELL: f32 = 46.0;
/// Space between cells, in points.
const GAP: f32 = 4.0;

/// Clears the search when the inventory opens.
pub fn begin(menu: Res<Menu>, mut search: ResMut<Search>) {
    if *menu == Menu::Inventory {
        search.0.clear();
    }
}

/// True if the material's name contains every word of `search`.
fn matches(name: &str, search: &str) -> bool {
    let name = name.replace('_', " ").to_lowercase();
    search.to_lowercase().replace('_', " ").split_whitespace().all(|word| name.contains(word))
}

/// Draws the inventory and the hot bar beneath it.
pub fn show(
    mut contexts: EguiContexts,
    icons: BlockIcons,
    map: Res<OpenMap>,
    mut player: ResMut<Player>,
    mut search: ResMut<Search>,
    mut timings: ResMut<FrameTimings>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    timings.time(FrameStage::Interface, || {
        let materials = &map.materials;
        let wanted = search.0.clone();
        let body = |ui: &mut Ui| cells(ui, &icons, materials, &wanted);
        // The search field is in the footer, so it never scrolls away.
        let (hovered, clicked) =
            theme::dialog(ctx, "Blocks", (570.0, hotbar::SLOT + 42.0), body, |ui, (hovered, clicked)| {
                ui.horizontal(|ui| {
                    let field = egui::TextEdit::singleline(&mut search.0)
                        .hint_text("Search")
                        .desired_width(180.0)
                        .margin(egui::Margin::symmetric(8, 5));
                    ui.add(field);
                    match hovered.and_then(|id| materials.get(id)) {
                        Some(material) => {
                            ui.label(
                                RichText::new(text::title_case(&material.name)).size(theme::LARGE).color(theme::ACCENT),
                            );
                            ui.label(RichText::new(kind(material)).color(theme::FAINT));
                        }
                        None => {
                            ui.label(RichText::new("click, drag, or press 1 to 9 over a block").color(theme::FAINT));
                        }
                    }
                });
                bar(ui, &icons, &mut player, materials);
                (hovered, clicked)
            });
        let typing = ctx.egui_wants_keyboard_input();
        if let Some(id) = hovered
            && !typing
            && let Some(slot) = ctx.input(|i| DIGITS.iter().position(|&key| i.key_pressed(key)))
        {
            player.hotbar[slot] = id;
        }
        if let Some(id) = clicked {
            let slot = player.selected;
            player.hotbar[slot] = id;
        }
        dragged(ctx, &icons, materials);
    });
}

/// Properties of a material, for its tooltip.
fn kind(material: &crate::voxel::Material) -> String {
    let matter = match material.matter {
        Matter::Gas => "gas",
        Matter::Solid => "solid",
        Matter::Liquid => "liquid",
        Matter::Plant => "plant",
    };
    if material.light > 0 { format!("{matter}, light {}", material.light) } else { matter.to_owned() }
}

/// Draws the cells of all matching materials; returns the one under the pointer and the one
/// clicked.
fn cells(
    ui: &mut Ui,
    icons: &BlockIcons,
    materials: &MaterialTable,
    search: &str,
) -> (Option<MaterialId>, Option<MaterialId>) {
    let (mut hovered, mut clicked) = (None, None);
    let found: Vec<MaterialId> =
        materials.iter().skip(1).filter(|(_, m)| matches(&m.name, search)).map(|(id, _)| id).collect();
    if found.is_empty() {
        ui.label(RichText::new("no block matches").color(theme::FAINT));
    }
    ui.spacing_mut().item_spacing = Vec2::splat(GAP);
    let columns = (((ui.available_width() + GAP) / (CELL + GAP)) as usize).max(1);
    // Always as high as all blocks need, so the search field does not jump while typing.
    ui.set_min_height((materials.len() - 1).div_ceil(columns) as f32 * (CELL + GAP) - GAP);
    for row in found.chunks(columns) {
        ui.horizontal(|ui| {
            for &id in row {
                let (rect, response) = ui.allocate_exact_size(Vec2::splat(CELL), Sense::click_and_drag());
                if !ui.is_rect_visible(rect) {
                    continue;
                }
                let look = if response.hovered() {
                    hovered = Some(id);
                    (theme::RAISED_HOVER, Stroke::new(1.5, theme::ACCENT))
                } else {
                    (theme::RAISED, Stroke::new(1.0, Color32::from_rgb(66, 60, 53)))
                };
                hotbar::paint_slot(ui.painter(), icons, rect, look, id, materials);
                if response.clicked() {
                    clicked = Some(id);
                }
                response.dnd_set_drag_payload(id);
            }
        });
    }
    (hovered, clicked)
}

/// Draws the hot bar: a click selects a slot, a right click empties it, a block can be dropped on
/// it.
fn bar(ui: &mut Ui, icons: &BlockIcons, player: &mut Player, materials: &MaterialTable) {
    let size = hotbar::bar_size();
    let (space, _) = ui.allocate_exact_size(vec2(ui.available_width(), size.y), Sense::hover());
    let at = space.center() - size / 2.0;
    hotbar::paint(ui.painter(), icons, at, player, materials);
    for (slot, rect) in hotbar::slots(at).enumerate() {
        let response = ui.interact(rect, ui.id().with(("slot", slot)), Sense::click());
        if response.clicked() {
            player.selected = slot;
        }
        if response.secondary_clicked() {
            player.hotbar[slot] = 0;
        }
        if let Some(id) = response.dnd_release_payload::<MaterialId>() {
            player.hotbar[slot] = *id;
        }
    }
}

/// Draws the dragged block under the pointer.
fn dragged(ctx: &egui::Context, icons: &BlockIcons, materials: &MaterialTable) {
    let Some(id) = egui::DragAndDrop::payload::<MaterialId>(ctx) else { return };
    if let (Some(pointer), Some(material)) = (ctx.pointer_interact_pos(), materials.get(*id)) {
        let painter = ctx.layer_painter(LayerId::new(Order::Tooltip, Id::new("dragged block")));
        icons.paint(&painter, Rect::from_center_size(pointer, Vec2::splat(CELL * 0.8)), material);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_matches_words_in_any_order_and_case() {
        assert!(matches("mossy_cobblestone", ""));
        assert!(matches("mossy_cobblestone", "cobble MOSSY"));
        assert!(matches("oak_log", "oak_l"));
        assert!(!matches("oak_log", "oak planks"));
    }
}
