//! A map in the title screen's list: picture, name and figures. A click opens it; the other actions
//! are in its menu.

use crate::game::ui_kit::icons::BlockIcons;
use crate::game::ui_kit::{text, theme, thumbnail};
use bevy_egui::egui::{
    self, Align, Color32, Key, Layout, Margin, RichText, Sense, Stroke, Ui, UiBuilder, Vec2,
    WidgetText, vec2,
};
use std::path::PathBuf;
use stonerun_engine::save::catalogue::MapEntry;
use stonerun_engine::terrain::TerrainKind;

/// State of renaming a map.
pub struct Renaming {
    /// Path of the map to rename.
    pub path: PathBuf,
    /// Text in the field.
    pub name: String,
    /// Reason why the name is invalid, or why the last attempt failed.
    pub error: Option<String>,
    /// True until the field was shown and has taken the keyboard focus.
    pub fresh: bool,
}

/// Action requested on a card.
pub enum CardAction {
    /// Opens the map.
    Open,
    /// Starts renaming.
    Rename,
    /// Validates the typed name.
    CheckName,
    /// Renames the map to the typed name.
    TakeName,
    /// Cancels renaming: the map keeps its name.
    KeepName,
    /// Opens the list of backups.
    Backups,
    /// Exports the map.
    Export,
    /// Deletes the map, after a confirmation.
    Delete,
}

/// Width of a narrow card, in points.
const NARROW: f32 = 320.0;

/// Size of the picture on a card `width` points wide.
fn picture_size(width: f32) -> Vec2 {
    match width {
        w if w > 560.0 => vec2(192.0, 108.0),
        w if w > NARROW => vec2(144.0, 81.0),
        _ => vec2(64.0, 36.0),
    }
}

/// Appearance of a card.
#[derive(Clone, Copy)]
pub struct CardStyle {
    /// True if the map has backups, so that the menu offers them.
    pub backups: bool,
    /// True if a click opens the map.
    pub clickable: bool,
    /// True for the map that was opened or changed last.
    pub chosen: bool,
}

/// Draws the card of a map.
pub fn show(
    ui: &mut Ui,
    icons: &BlockIcons,
    map: &MapEntry,
    picture: Option<&egui::TextureHandle>,
    renaming: Option<&mut Renaming>,
    CardStyle { backups, clickable, chosen }: CardStyle,
) -> Option<CardAction> {
    let size = picture_size(ui.available_width());
    // Small windows have no room for figures next to the picture. For a frame, a window may even be
    // narrower than the picture.
    let narrow = ui.available_width() <= NARROW;
    let plain = renaming.is_none();
    let builder = UiBuilder::new().id_salt(&map.path).sense(Sense::click());
    let card = ui.scope_builder(builder, |ui| {
        let hovered = ui.response().contains_pointer();
        let frame = egui::Frame::new()
            .fill(if hovered { theme::RAISED_HOVER } else { theme::RAISED })
            .stroke(Stroke::new(
                1.0,
                if hovered || chosen { theme::ACCENT } else { Color32::from_rgb(66, 60, 53) },
            ))
            .corner_radius(theme::ROUND)
            .inner_margin(Margin::same(8));
        let inner = |ui: &mut Ui| {
            thumbnail::show(ui, icons, picture, size);
            let menu_width = if plain { 40.0 } else { 0.0 };
            let room = vec2((ui.available_width() - menu_width).max(0.0), size.y);
            let action = ui.allocate_ui_with_layout(room, Layout::top_down(Align::Min), |ui| {
                ui.set_width(room.x);
                if plain {
                    ui.add_space(((size.y - 42.0) / 2.0).max(0.0));
                }
                words(ui, map, renaming, !narrow)
            });
            let rest = vec2(ui.available_width(), size.y);
            let menu = |ui: &mut Ui| {
                ui.menu_button(dots(), |ui| menu(ui, map.gone, backups)).inner.flatten()
            };
            let asked = if plain {
                ui.allocate_ui_with_layout(rest, Layout::right_to_left(Align::Center), menu).inner
            } else {
                None
            };
            asked.or(action.inner)
        };
        frame
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                let action = ui.horizontal_top(inner).inner;
                if narrow && plain {
                    details(ui, map);
                }
                action
            })
            .inner
    });
    let mut action = card.inner;
    if plain {
        card.response.context_menu(|ui| action = menu(ui, map.gone, backups).or(action.take()));
        let first = if map.gone { CardAction::Backups } else { CardAction::Open };
        action = action.or_else(|| (clickable && card.response.clicked()).then_some(first));
    }
    action
}

/// The label of the button that opens a card's menu.
fn dots() -> WidgetText {
    RichText::new("...").size(theme::LARGE).strong().into()
}

/// Draws the name and the details, or the field for a new name.
fn words(
    ui: &mut Ui,
    map: &MapEntry,
    renaming: Option<&mut Renaming>,
    with_details: bool,
) -> Option<CardAction> {
    ui.spacing_mut().item_spacing.y = 3.0;
    let mut action = None;
    if let Some(renaming) = renaming {
        let fresh = std::mem::take(&mut renaming.fresh);
        let field = theme::name_field(ui, &mut renaming.name, "", fresh);
        if field.is_changed {
            action = Some(CardAction::CheckName);
        }
        if field.is_entered {
            action = Some(CardAction::TakeName);
        } else if ui.input(|i| i.key_pressed(Key::Escape)) {
            action = Some(CardAction::KeepName);
        }
        if let Some(error) = &renaming.error {
            ui.label(RichText::new(error).small().color(theme::PROBLEM));
        }
        ui.horizontal(|ui| {
            let take = ui.add_enabled(renaming.error.is_none(), egui::Button::new("Rename"));
            if take.clicked() {
                action = Some(CardAction::TakeName);
            }
            if ui.button("Cancel").clicked() {
                action = Some(CardAction::KeepName);
            }
        });
        return action;
    }
    ui.add(egui::Label::new(RichText::new(&map.name).size(theme::LARGE)).truncate());
    if with_details {
        details(ui, map);
    }
    action
}

/// Draws the figures of a map, and its problem if it has one.
fn details(ui: &mut Ui, map: &MapEntry) {
    ui.add(egui::Label::new(RichText::new(figures(map)).small().color(theme::FAINT)).truncate());
    if let Some(problem) = &map.problem {
        ui.label(RichText::new(problem).small().color(theme::PROBLEM));
    }
}

/// Kind, size and date, as far as known.
fn figures(map: &MapEntry) -> String {
    let mut parts = Vec::new();
    if !map.terrain.is_empty() {
        parts.push(map.terrain.clone());
    }
    // The terrain of a void does not depend on the seed.
    if !map.seed_word.is_empty() && map.terrain != TerrainKind::Void.name() {
        parts.push(format!("seed {}", map.seed_word));
    }
    parts.push(text::size(map.bytes));
    if map.saved_unix > 0 {
        parts.push(text::date(map.saved_unix));
    }
    if map.read_only && !map.gone {
        parts.push("read-only".to_owned());
    }
    parts.join("  ·  ")
}

/// The rows of a card's menu; fewer if the map's file is `gone`.
fn menu(ui: &mut Ui, gone: bool, backups: bool) -> Option<CardAction> {
    ui.set_min_width(130.0);
    let mut rows = vec![];
    if !gone {
        rows.extend([
            ("Open", CardAction::Open),
            ("Rename", CardAction::Rename),
            ("Export...", CardAction::Export),
        ]);
    }
    rows.extend(backups.then_some(("Backups", CardAction::Backups)));
    rows.push(("Delete", CardAction::Delete));
    let mut action = None;
    for (name, asks) in rows {
        if ui.button(name).clicked() {
            action = Some(asks);
        }
    }
    action
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_figures_are_left_out() {
        let mut map = MapEntry { bytes: 2048, ..MapEntry::default() };
        assert_eq!(figures(&map), "2 KiB");
        map.saved_unix = 60;
        map.terrain = "flat".into();
        assert_eq!(figures(&map), format!("flat  ·  2 KiB  ·  {}", text::date(60)));
        map.seed_word = "granite".into();
        assert!(figures(&map).starts_with("flat  ·  seed granite  ·  "));
        map.read_only = true;
        assert!(figures(&map).ends_with("  ·  read-only"));
    }
}
