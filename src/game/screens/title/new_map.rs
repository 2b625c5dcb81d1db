//! The dialog for a new map: name, seed, kind of terrain, style of the ground.

use crate::game::state::requests::Request;
use crate::game::ui_kit::{text, theme};
use bevy_egui::egui::{self, Margin, RichText, Sense, Stroke, Ui, UiBuilder};
use std::path::{Path, PathBuf};
use stonerun_engine::save::SaveError;
use stonerun_engine::save::catalogue::{self, MapEntry, short_name};
use stonerun_engine::terrain::{GroundStyle, TerrainKind, seed};

/// State of the dialog.
pub struct NewMap {
    name: String,
    seed: String,
    kind: TerrainKind,
    ground: GroundStyle,
    /// True until the name field was shown and has taken the keyboard focus.
    fresh: bool,
}

/// Outcome of a frame of the dialog.
pub enum NewMapDecision {
    /// The dialog is still open.
    None,
    /// Cancelled.
    Cancel,
    /// Creates this map.
    Create(Request),
}

impl NewMap {
    /// A dialog with an unused name.
    #[must_use]
    pub fn new(maps: &[MapEntry]) -> NewMap {
        NewMap {
            name: text::free_name(maps.iter().map(|m| m.name.as_str())),
            seed: String::new(),
            kind: TerrainKind::Continents,
            ground: GroundStyle::Blocks,
            fresh: true,
        }
    }

    /// Draws the dialog.
    pub fn show(
        &mut self,
        ctx: &egui::Context,
        folder: &Path,
        maps: &[MapEntry],
    ) -> NewMapDecision {
        let target = target(folder, &self.name, maps);
        let problem = target.as_ref().err().map(ToString::to_string);
        // The key or click that opened the form must not confirm it.
        let first = self.fresh;
        let name = &mut self.name;
        let seed = &mut self.seed;
        let kind = &mut self.kind;
        let ground = &mut self.ground;
        let fresh = &mut self.fresh;
        let body = |ui: &mut Ui| {
            fields(ui, name, seed, fresh);
            choices(ui, kind, ground);
        };
        let (create, cancel) = theme::dialog(
            ctx,
            "New map",
            theme::DialogSize { width: 500.0, foot_height: theme::button_height(ctx) },
            body,
            |ui, ()| {
                theme::buttons(ui, |ui| {
                    let create = ui
                        .add_enabled_ui(problem.is_none(), |ui| {
                            theme::primary(ui, "Create", 120.0).clicked()
                        })
                        .inner;
                    let cancel = theme::button(ui, "Cancel", 100.0).clicked();
                    if let Some(problem) = &problem {
                        ui.add(
                            egui::Label::new(RichText::new(problem).color(theme::PROBLEM)).wrap(),
                        );
                    }
                    (create, cancel)
                })
            },
        );
        let (enter, escape) =
            ctx.input(|i| (i.key_pressed(egui::Key::Enter), i.key_pressed(egui::Key::Escape)));
        match target {
            _ if cancel || escape => NewMapDecision::Cancel,
            Ok(path) if create || (enter && !first) => {
                let seed = seed::from_text(&self.seed).unwrap_or_else(seed::random);
                let seed_word = seed::word(&self.seed).unwrap_or_default().to_owned();
                let NewMap { kind, ground, .. } = *self;
                NewMapDecision::Create(Request::Create { path, seed, seed_word, kind, ground })
            }
            _ => NewMapDecision::None,
        }
    }
}

/// Reason why a map cannot have a name.
#[derive(thiserror::Error, Debug)]
pub enum NameError {
    /// The name is empty.
    #[error("The map needs a name")]
    Empty,
    /// The name is not a valid file name.
    #[error(transparent)]
    Invalid(#[from] SaveError),
    /// The name belongs to another map.
    #[error("A map \"{0}\" already exists")]
    Taken(String),
}

/// The file of a new map called `name`, with spaces at the ends removed.
///
/// # Errors
/// The name is empty, invalid, or taken.
pub fn target(folder: &Path, name: &str, maps: &[MapEntry]) -> Result<PathBuf, NameError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    let path = catalogue::path_of(folder, name)?;
    // Case is ignored, because some file systems do not distinguish "Home" and "home".
    let taken = maps.iter().find(|m| m.name.to_lowercase() == name.to_lowercase());
    if path.exists() || taken.is_some() {
        return Err(NameError::Taken(short_name(taken.map_or(name, |map| &map.name))));
    }
    Ok(path)
}

fn label(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).color(theme::FAINT));
}

fn fields(ui: &mut Ui, name: &mut String, seed: &mut String, fresh: &mut bool) {
    label(ui, "Name");
    theme::name_field(ui, name, "", std::mem::take(fresh));
    ui.add_space(4.0);
    label(ui, "Seed");
    theme::name_field(ui, seed, "a number or any word; empty: random", false);
    ui.add_space(4.0);
}

fn choices(ui: &mut Ui, kind: &mut TerrainKind, ground: &mut GroundStyle) {
    label(ui, "Kind");
    for each in TerrainKind::ALL.into_iter().chain([TerrainKind::Void]) {
        if choice(ui, each.name(), each.describe(), *kind == each) {
            *kind = each;
        }
    }
    ui.add_space(4.0);
    label(ui, "Ground");
    ui.horizontal(|ui| {
        for each in GroundStyle::ALL {
            let text = text::title_case(each.name());
            if ui.radio(*ground == each, text).on_hover_text(each.describe()).clicked() {
                *ground = each;
            }
        }
    });
}

/// Draws a kind of terrain; true if it was clicked.
fn choice(ui: &mut Ui, name: &str, description: &str, chosen: bool) -> bool {
    let builder = UiBuilder::new().id_salt(name).sense(Sense::click());
    let row = ui.scope_builder(builder, |ui| {
        let hovered = ui.response().hovered();
        let edge = if chosen { theme::ACCENT } else { theme::EDGE };
        egui::Frame::new()
            .fill(if hovered { theme::RAISED_HOVER } else { theme::RAISED })
            .stroke(Stroke::new(1.0, edge))
            .corner_radius(theme::ROUND)
            .inner_margin(Margin::symmetric(10, 5))
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.horizontal(|ui| {
                    let dot = ui.radio(chosen, "").clicked();
                    ui.vertical(|ui| {
                        ui.spacing_mut().item_spacing.y = 1.0;
                        let name = RichText::new(text::title_case(name));
                        ui.label(if chosen { name.color(theme::ACCENT) } else { name });
                        ui.label(RichText::new(description).small().color(theme::FAINT));
                    });
                    dot
                })
                .inner
            })
            .inner
    });
    row.inner || row.response.clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_must_be_present_and_unused_in_any_case() {
        let folder = tempfile::tempdir().expect("folder");
        std::fs::write(folder.path().join("Home.stonerun"), b"").expect("file");
        let maps = catalogue::list(folder.path()).expect("list");
        let of = |name: &str| target(folder.path(), name, &maps).map_err(|error| error.to_string());
        assert_eq!(of("Cave"), Ok(folder.path().join("Cave.stonerun")));
        assert!(of("Home").is_err_and(|e| e.contains("already")));
        assert!(of("hOME").is_err_and(|e| e.contains("already")));
        for blank in ["", "  "] {
            assert!(of(blank).is_err_and(|e| e.contains("needs a name")));
        }
        assert_eq!(of("  Cave 2 "), Ok(folder.path().join("Cave 2.stonerun")));
        assert!(of(" home ").is_err_and(|e| e.contains("already")));
        assert!(of("a/b").is_err());
    }
}
