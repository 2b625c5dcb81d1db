//! The inventory (`E`): all blocks of the map. A click, a drag or a number key puts one into the
//! hot bar.

use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::held_shape::{self, FURTHER, RING};
use crate::game::state::keys::{DIGIT_NAMES, KeyAction, KeyInput};
use crate::game::state::notices::Notices;
use crate::game::state::player::{Player, SLOTS};
use crate::game::state::screens::Menu;
use crate::game::state::session::OpenMap;
use crate::game::ui_kit::icons::BlockIcons;
use crate::game::ui_kit::layout::{SLOT, SLOT_GAP};
use crate::game::ui_kit::{material_search, slots, text, theme};
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{
    self, Align, Color32, Id, Key, LayerId, Order, Rect, RichText, Sense, Stroke, StrokeKind, Ui,
    Vec2, pos2, vec2,
};
use stonerun_engine::voxel::{Material, MaterialId, MaterialTable, Matter};

/// State of the inventory's search field.
#[derive(Resource, Default)]
pub struct InventorySearch {
    text: String,
    /// True in the first frame of the inventory: the field takes the focus.
    fresh: bool,
    /// The text whose matches were shown last. A new text scrolls to its first match.
    shown: String,
}

/// Side of a cell, in points.
const CELL: f32 = 46.0;
/// Side of a shape's cell, in points.
const SHAPE: f32 = 26.0;
/// Space between cells, in points.
const GAP: f32 = 4.0;

/// Clears the search when the inventory opens.
pub fn begin(menu: Res<Menu>, mut search: ResMut<InventorySearch>) {
    if *menu == Menu::Inventory {
        *search = InventorySearch { fresh: true, ..InventorySearch::default() };
    }
}

/// The block that Enter takes: the only match of `search`, or the block with exactly this name.
fn wanted(materials: &MaterialTable, search: &str) -> Option<MaterialId> {
    let found = material_search::found(materials, search);
    let same = |id: &&MaterialId| {
        let name = materials.get(**id).map(|material| material.name.replace('_', " "));
        name.is_some_and(|name| name.eq_ignore_ascii_case(search.trim()))
    };
    match found[..] {
        _ if search.trim().is_empty() => None,
        [only] => Some(only),
        _ => found.iter().find(same).copied(),
    }
}

/// Removes typed digits: digits choose slots, and the number pad would type them as well.
fn drop_digits(ctx: &egui::Context) {
    let is_dropped = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    ctx.input_mut(|input| {
        input.events.retain(|event| !matches!(event, egui::Event::Text(text) if is_dropped(text)));
    });
}

/// The slot whose digit was pressed, in the row of digits or on the number pad.
fn slot_by_key(ctx: &egui::Context, keys: &KeyInput) -> Option<usize> {
    let in_row = keys.presses().find_map(|action| match action {
        KeyAction::Slot(slot) => Some(usize::from(slot)),
        _ => None,
    });
    let is_pressed = |input: &egui::InputState, name: &str| {
        Key::from_name(name).is_some_and(|key| input.key_pressed(key))
    };
    in_row
        .or_else(|| ctx.input(|input| DIGIT_NAMES.iter().position(|name| is_pressed(input, name))))
}

/// Draws the inventory and the hot bar beneath it.
pub fn show(
    mut contexts: EguiContexts,
    icons: BlockIcons,
    map: Res<OpenMap>,
    mut player: ResMut<Player>,
    mut search: ResMut<InventorySearch>,
    mut menu: ResMut<Menu>,
    keys: Res<KeyInput>,
    mut notices: ResMut<Notices>,
    mut timings: ResMut<FrameTimings>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    timings.time(FrameStage::Interface, || {
        let materials = &map.materials;
        drop_digits(ctx);
        let typed = search.text.clone();
        let only = wanted(materials, &typed);
        let is_new = std::mem::replace(&mut search.shown, typed.clone()) != typed || search.fresh;
        let body = |ui: &mut Ui| {
            if is_new {
                ui.scroll_to_cursor(Some(Align::TOP));
            }
            cells(ui, &icons, materials, &typed)
        };
        // The search field is in the footer, so it never scrolls away.
        let size = theme::DialogSize { width: 570.0, foot_height: SLOT + SHAPE + 50.0 };
        let CellsResponse { hovered, clicked } =
            theme::dialog(ctx, "Blocks", size, body, |ui, found| {
                ui.horizontal(|ui| {
                    field(ui, &mut search);
                    hint(
                        ui,
                        found.hovered.and_then(|id| materials.get(id)),
                        only.and_then(|id| materials.get(id)),
                    );
                });
                shapes(ui, &icons, &mut player, &map, &mut notices);
                // A shape that was chosen just now is a new material.
                bar(ui, &icons, &mut player, &map.growing.table());
                found
            });
        if let Some(id) = hovered
            && let Some(slot) = slot_by_key(ctx, &keys)
        {
            player.hotbar[slot] = id;
        }
        if let Some(id) = clicked {
            let slot = player.selected;
            player.hotbar[slot] = id;
        }
        if let Some(id) = only.filter(|_| ctx.input(|input| input.key_pressed(Key::Enter))) {
            let slot = player.selected;
            player.hotbar[slot] = id;
            *menu = Menu::None;
        }
        dragged(ctx, &icons, materials);
    });
}

/// Draws the search field. It takes the focus when the inventory opens, and keeps it after Enter.
fn field(ui: &mut Ui, search: &mut InventorySearch) {
    let width = (ui.available_width() * 0.4).min(180.0);
    let field = egui::TextEdit::singleline(&mut search.text)
        .hint_text("Search")
        .desired_width(width)
        .margin(egui::Margin::symmetric(8, 5));
    let field = ui.add(field);
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if std::mem::take(&mut search.fresh) || entered {
        field.request_focus();
    }
}

/// Draws the block under the pointer, or the action of Enter or the mouse.
fn hint(ui: &mut Ui, hovered: Option<&Material>, only: Option<&Material>) {
    let (name, more) = match (hovered, only) {
        (Some(material), _) => (Some(text::block_name(material)), kind(material)),
        (None, Some(material)) => (Some(text::block_name(material)), "Enter takes it".to_owned()),
        (None, None) => (
            None,
            "Click, drag, or press 1 to 9 over a block. Enter takes a single result".to_owned(),
        ),
    };
    if let Some(name) = name {
        ui.label(RichText::new(name).size(theme::LARGE).color(theme::ACCENT));
    }
    ui.add(egui::Label::new(RichText::new(more).color(theme::FAINT)).truncate());
}

/// Properties of a material.
fn kind(material: &Material) -> String {
    let of_matter = match material.matter {
        Matter::Gas => "Gas",
        Matter::Solid => "Solid",
        Matter::Liquid => "Liquid",
        Matter::Plant => "Plant",
    };
    let mut words = material.shape.row().label.unwrap_or(of_matter).to_owned();
    if material.is_smooth() {
        words.push_str(&format!(", {}", material.surface));
    }
    if material.light > 0 {
        words.push_str(&format!(", light {}", material.light));
    }
    words
}

/// Cells of the inventory that the pointer is on.
struct CellsResponse {
    hovered: Option<MaterialId>,
    clicked: Option<MaterialId>,
}

/// Draws the cells of all matching materials.
fn cells(
    ui: &mut Ui,
    icons: &BlockIcons,
    materials: &MaterialTable,
    search: &str,
) -> CellsResponse {
    let mut hovered = None;
    let mut clicked = None;
    let found = material_search::found(materials, search);
    if found.is_empty() {
        ui.label(RichText::new("No block matches").color(theme::FAINT));
    }
    ui.spacing_mut().item_spacing = Vec2::splat(GAP);
    let columns = (((ui.available_width() + GAP) / (CELL + GAP)) as usize).max(1);
    // Always reserves the height of all blocks, so that the search field does not move while
    // typing.
    let all = material_search::found(materials, "").len();
    ui.set_min_height(all.div_ceil(columns) as f32 * (CELL + GAP) - GAP);
    for row in found.chunks(columns) {
        ui.horizontal(|ui| {
            for &id in row {
                let (rect, response) =
                    ui.allocate_exact_size(Vec2::splat(CELL), Sense::click_and_drag());
                if !ui.is_rect_visible(rect) {
                    continue;
                }
                let look = if response.hovered() {
                    hovered = Some(id);
                    (theme::RAISED_HOVER, Stroke::new(1.5, theme::ACCENT))
                } else {
                    (theme::RAISED, Stroke::new(1.0, Color32::from_rgb(66, 60, 53)))
                };
                slots::paint_slot(ui.painter(), icons, rect, look, id, materials);
                if response.clicked() {
                    clicked = Some(id);
                }
                response.dnd_set_drag_payload(id);
            }
        });
    }
    CellsResponse { hovered, clicked }
}

/// Draws the shapes that the block in hand can have. A click gives it one.
fn shapes(
    ui: &mut Ui,
    icons: &BlockIcons,
    player: &mut Player,
    map: &OpenMap,
    notices: &mut Notices,
) {
    if map.read_only.is_some() {
        return;
    }
    let materials = map.growing.table();
    let held = materials.get(player.in_hand());
    let count = RING.len() + FURTHER.len();
    let side = ((ui.available_width() + 2.0) / count as f32 - 2.0).min(SHAPE);
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), SHAPE), Sense::hover());
    let left = row.center().x - (count as f32 * (side + 2.0) - 2.0) / 2.0;
    let mut chosen = None;
    for (number, words) in RING.into_iter().chain(FURTHER).enumerate() {
        let Some(shaped) = held_shape::shaped(&materials, player.in_hand(), words) else {
            continue;
        };
        let at = pos2(left + number as f32 * (side + 2.0), row.top());
        let rect = Rect::from_min_size(at, Vec2::splat(side));
        let response = ui.interact(rect, ui.id().with(("shape", number)), Sense::click());
        let is_held = held.is_some_and(|held| held_shape::is_held(held, words));
        let (fill, edge) = match (response.hovered(), is_held) {
            (_, true) => (theme::RAISED_HOVER, Stroke::new(2.0, theme::ACCENT)),
            (true, false) => (theme::RAISED_HOVER, Stroke::new(1.0, theme::ACCENT)),
            (false, false) => (theme::RAISED, Stroke::new(1.0, theme::EDGE)),
        };
        ui.painter().rect(rect, theme::ROUND, fill, edge, StrokeKind::Inside);
        icons.paint(ui.painter(), rect.shrink(side * 0.12), &shaped);
        if response.clicked() {
            chosen = Some(words);
        }
        response.on_hover_text(text::block_name(&shaped));
    }
    if let Some(words) = chosen
        && let Err(error) = held_shape::choose(player, map, words)
    {
        notices.replace_info("Shapes", error);
    }
}

/// Draws the hot bar: a click selects a slot, a right click empties it, a block can be dropped on
/// it.
fn bar(ui: &mut Ui, icons: &BlockIcons, player: &mut Player, materials: &MaterialTable) {
    let count = SLOTS as f32;
    let side = ((ui.available_width() + SLOT_GAP) / count - SLOT_GAP).min(SLOT);
    let (space, _) = ui.allocate_exact_size(vec2(ui.available_width(), side), Sense::hover());
    let bar =
        Rect::from_center_size(space.center(), vec2(count * (side + SLOT_GAP) - SLOT_GAP, side));
    slots::paint(ui.painter(), icons, bar, player, materials);
    for (slot, rect) in slots::slots(bar).enumerate() {
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
    use stonerun_engine::voxel::SurfaceRule;

    #[test]
    fn kind_names_a_surface_that_is_no_cube() {
        let mut materials = MaterialTable::builtin();
        let mut words = |name: &str, surface| {
            let id = materials.find(name).unwrap();
            materials.set_surface(id, surface).unwrap();
            kind(materials.get(id).unwrap())
        };
        assert_eq!(words("stone", SurfaceRule::Cube), "Solid");
        assert_eq!(words("stone", SurfaceRule::Facet), "Solid, facet");
        assert_eq!(words("lamp", SurfaceRule::Rough(40)), "Solid, rough 40, light 14");
        assert_eq!(words("water", SurfaceRule::Cube), "Liquid");
    }

    #[test]
    fn enter_takes_the_only_match_or_the_exact_name() {
        let materials = MaterialTable::builtin();
        let name = |search: &str| {
            wanted(&materials, search)
                .and_then(|id| materials.get(id))
                .map(|material| material.name.clone())
        };
        assert_eq!(name("mossy cobble").as_deref(), Some("mossy_cobblestone"));
        assert_eq!(name("torch").as_deref(), Some("torch"));
        assert_eq!(name("stone").as_deref(), Some("stone"), "several match, one has this name");
        assert_eq!(
            [name(""), name("  "), name("oak"), name("no such block")],
            [const { None::<String> }; 4]
        );
    }
}
