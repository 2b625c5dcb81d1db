//! A map in the title screen's list: picture, name, figures and actions.

use crate::game::ui::icons::BlockIcons;
use crate::game::ui::{text, theme};
use crate::save::catalogue::MapEntry;
use bevy_egui::egui::{
    self, Align, Color32, Key, Layout, Margin, Rect, RichText, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, pos2,
    vec2,
};
use std::path::PathBuf;

/// State of renaming a map.
pub struct Renaming {
    /// The map.
    pub path: PathBuf,
    /// Text in the field.
    pub name: String,
    /// Why the name is invalid, or why the last attempt failed.
    pub error: Option<String>,
    /// True until the field was shown and has taken the keyboard focus.
    pub fresh: bool,
}

/// Action requested on a card.
pub enum CardAction {
    /// Open the map.
    Open,
    /// Start renaming.
    Rename,
    /// Validate the typed name.
    CheckName,
    /// Rename to the typed name.
    TakeName,
    /// Cancel renaming.
    KeepName,
    /// Open the list of backups.
    Backups,
    /// Delete the map, after a confirmation.
    Delete,
}

/// Draws the card of a map, which may have `backups`.
pub fn show(
    ui: &mut Ui,
    icons: &BlockIcons,
    map: &MapEntry,
    backups: bool,
    picture: Option<&egui::TextureHandle>,
    renaming: Option<&mut Renaming>,
) -> Option<CardAction> {
    let wide = ui.available_width() > if backups { 600.0 } else { 500.0 };
    let plain = renaming.is_none();
    let buttons = |ui: &mut Ui| buttons(ui, map.gone, backups);
    let builder = UiBuilder::new().id_salt(&map.path).sense(Sense::click());
    let card = ui.scope_builder(builder, |ui| {
        let hovered = ui.response().contains_pointer();
        let frame = egui::Frame::new()
            .fill(if hovered { theme::RAISED_HOVER } else { theme::RAISED })
            .stroke(Stroke::new(1.0, if hovered { theme::ACCENT } else { Color32::from_rgb(66, 60, 53) }))
            .corner_radius(theme::ROUND)
            .inner_margin(Margin::same(8));
        frame
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                let inner = |ui: &mut Ui| {
                    let size = if wide { vec2(128.0, 72.0) } else { vec2(96.0, 54.0) };
                    thumbnail(ui, icons, picture, size);
                    let buttons_width = if !wide {
                        0.0
                    } else if backups {
                        334.0
                    } else {
                        244.0
                    };
                    let room = vec2(ui.available_width() - buttons_width, 0.0);
                    let action = ui.allocate_ui_with_layout(room, Layout::top_down(Align::Min), |ui| {
                        ui.set_width(room.x);
                        if wide && plain {
                            ui.add_space(12.0);
                        }
                        words(ui, map, renaming)
                    });
                    if wide && plain {
                        let (rest, right) = (vec2(ui.available_width(), size.y), Layout::right_to_left(Align::Center));
                        ui.allocate_ui_with_layout(rest, right, buttons).inner.or(action.inner)
                    } else {
                        action.inner
                    }
                };
                let action = ui.horizontal_top(inner).inner;
                if wide || !plain { action } else { ui.horizontal_wrapped(buttons).inner.or(action) }
            })
            .inner
    });
    let first = if map.gone { CardAction::Backups } else { CardAction::Open };
    card.inner.or_else(|| card.response.double_clicked().then_some(first))
}

/// Draws the map's picture, or stones if it has no picture.
fn thumbnail(ui: &mut Ui, icons: &BlockIcons, picture: Option<&egui::TextureHandle>, size: Vec2) {
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter();
    match picture {
        Some(texture) => {
            egui::Image::new(texture).uv(cover(texture.size_vec2(), size)).corner_radius(4).paint_at(ui, rect);
        }
        None => {
            let (columns, rows) = (4, 2);
            let side = vec2(size.x / columns as f32, size.y / rows as f32);
            for i in 0..columns * rows {
                let corner = rect.min + vec2((i % columns) as f32, (i / columns) as f32) * side;
                let part = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                let texture = if i % 3 == 1 { "mossy_cobblestone" } else { "cobblestone" };
                icons.paint_part(painter, Rect::from_min_size(corner, side), texture, part, Color32::from_gray(120));
            }
        }
    }
    painter.rect_stroke(rect, 4.0, Stroke::new(1.0, theme::EDGE), StrokeKind::Inside);
}

/// The central part of a picture of size `picture` with the aspect ratio of `frame`, in texture
/// coordinates.
fn cover(picture: Vec2, frame: Vec2) -> Rect {
    let scale = (frame.x / picture.x).max(frame.y / picture.y);
    Rect::from_center_size(pos2(0.5, 0.5), frame / (picture * scale))
}

fn words(ui: &mut Ui, map: &MapEntry, renaming: Option<&mut Renaming>) -> Option<CardAction> {
    ui.spacing_mut().item_spacing.y = 3.0;
    let mut action = None;
    if let Some(renaming) = renaming {
        let fresh = std::mem::take(&mut renaming.fresh);
        let field = theme::name_field(ui, &mut renaming.name, "", fresh);
        if field.changed() {
            action = Some(CardAction::CheckName);
        }
        if field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) {
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
    ui.label(RichText::new(figures(map)).small().color(theme::FAINT));
    if let Some(problem) = &map.problem {
        ui.label(RichText::new(problem).small().color(theme::PROBLEM));
    }
    action
}

/// Kind, size and date, as far as known.
fn figures(map: &MapEntry) -> String {
    let mut parts = Vec::new();
    if !map.terrain.is_empty() {
        parts.push(map.terrain.clone());
    }
    parts.push(text::size(map.bytes));
    if map.saved_unix > 0 {
        parts.push(text::date(map.saved_unix));
    }
    parts.join("  ·  ")
}

/// Draws the buttons of a map; fewer if its file is `gone`.
fn buttons(ui: &mut Ui, gone: bool, backups: bool) -> Option<CardAction> {
    let mut all = if gone { vec![] } else { vec![("Open", CardAction::Open), ("Rename", CardAction::Rename)] };
    all.extend(backups.then_some(("Backups", CardAction::Backups)));
    all.push(("Delete", CardAction::Delete));
    if ui.layout().prefer_right_to_left() {
        all.reverse();
    }
    let mut action = None;
    for (name, asks) in all {
        let text = RichText::new(name);
        let text = if name == "Open" { text.color(theme::ACCENT) } else { text };
        if ui.button(text).clicked() {
            action = Some(asks);
        }
    }
    action
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_keeps_its_aspect_ratio() {
        let part = cover(vec2(200.0, 100.0), vec2(64.0, 64.0));
        assert_eq!((part.min, part.max), (pos2(0.25, 0.0), pos2(0.75, 1.0)));
        assert_eq!(cover(vec2(320.0, 180.0), vec2(128.0, 72.0)).size(), vec2(1.0, 1.0));
    }

    #[test]
    fn unknown_figures_are_left_out() {
        let mut map = MapEntry { bytes: 2048, ..MapEntry::default() };
        assert_eq!(figures(&map), "2 KiB");
        (map.saved_unix, map.terrain) = (60, "flat".into());
        assert_eq!(figures(&map), "flat  ·  2 KiB  ·  1970-01-01 00:01");
    }
}
