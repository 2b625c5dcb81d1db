//! The palette: blocks to put into the pattern, by search, category and recent use.

use crate::game::ui_kit::icons::BlockIcons;
use crate::game::ui_kit::{material_search, slots, text, theme};
use bevy::prelude::Resource;
use bevy_egui::egui::{Color32, RichText, ScrollArea, Sense, Stroke, Ui, Vec2};
use stonerun_engine::voxel::{Material, MaterialId, MaterialTable, Matter};
use strum::{IntoStaticStr, VariantArray};

/// Side of a cell, in points.
const CELL: f32 = 30.0;
/// Maximum number of recent blocks: one row.
const MAX_RECENT: usize = 6;

/// A category of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, VariantArray, IntoStaticStr)]
pub enum Category {
    /// Blocks of every kind.
    #[default]
    All,
    /// Solid blocks that do not shine.
    Solid,
    /// Blocks that shine.
    Light,
    /// Plants.
    Plant,
    /// Liquids.
    Liquid,
}

impl Category {
    /// Name in the panel.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    fn holds(self, material: &Material) -> bool {
        match self {
            Category::All => true,
            Category::Light => material.light > 0,
            Category::Solid => material.matter == Matter::Solid && material.light == 0,
            Category::Plant => material.matter == Matter::Plant && material.light == 0,
            Category::Liquid => material.matter == Matter::Liquid,
        }
    }
}

/// State of the palette.
#[derive(Resource, Default)]
pub struct Palette {
    category: Category,
    /// Blocks that were taken last, the latest first.
    recent: Vec<MaterialId>,
}

impl Palette {
    /// Puts a block first among the recent ones.
    pub fn note(&mut self, material: MaterialId) {
        self.recent.retain(|&recent| recent != material);
        self.recent.insert(0, material);
        self.recent.truncate(MAX_RECENT);
    }

    /// Forgets the recent blocks: materials have other numbers in another map.
    pub fn forget(&mut self) {
        self.recent.clear();
    }

    /// Draws the palette. A click puts a block in place of the last word of `pattern`.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        icons: &BlockIcons,
        materials: &MaterialTable,
        pattern: &mut String,
    ) {
        let mut taken = None;
        if !self.recent.is_empty() {
            ui.label(RichText::new("Recent").small().color(theme::FAINT));
            taken = cells(ui, icons, materials, &self.recent);
        }
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for &category in Category::VARIANTS {
                let name = category.name();
                ui.selectable_value(&mut self.category, category, RichText::new(name).small());
            }
        });
        let word = last_word(pattern);
        // A word that names a block is no search.
        let search = if materials.find(word).is_some() { "" } else { word };
        let all = material_search::found(materials, search).into_iter();
        let found: Vec<MaterialId> = all
            .filter(|&id| materials.get(id).is_some_and(|material| self.category.holds(material)))
            .collect();
        let scroll = ScrollArea::vertical()
            .id_salt("palette")
            .max_height(4.0 * (CELL + 3.0))
            .auto_shrink([false, true]);
        taken = scroll.show(ui, |ui| cells(ui, icons, materials, &found)).inner.or(taken);
        if let Some(material) = taken.and_then(|id| materials.get(id)) {
            let start = pattern.len() - last_word(pattern).len();
            pattern.truncate(start);
            pattern.push_str(&material.name);
        }
        if let Some(id) = taken {
            self.note(id);
        }
    }
}

/// The word of a pattern that is being typed: after the last separator.
fn last_word(pattern: &str) -> &str {
    let start = pattern.rfind([',', '%', '&', '(', '[', ' ']).map_or(0, |at| at + 1);
    &pattern[start..]
}

/// Draws blocks in rows. Returns the one that was clicked.
fn cells(
    ui: &mut Ui,
    icons: &BlockIcons,
    materials: &MaterialTable,
    all: &[MaterialId],
) -> Option<MaterialId> {
    let mut clicked = None;
    ui.spacing_mut().item_spacing = Vec2::splat(3.0);
    let columns = (((ui.available_width() + 3.0) / (CELL + 3.0)) as usize).max(1);
    for row in all.chunks(columns) {
        ui.horizontal(|ui| {
            for &id in row {
                let (rect, response) = ui.allocate_exact_size(Vec2::splat(CELL), Sense::click());
                let look = if response.hovered() {
                    (theme::RAISED_HOVER, Stroke::new(1.5, theme::ACCENT))
                } else {
                    (theme::RAISED, Stroke::new(1.0, Color32::from_rgb(66, 60, 53)))
                };
                slots::paint_slot(ui.painter(), icons, rect, look, id, materials);
                if response.clicked() {
                    clicked = Some(id);
                }
                if let Some(material) = materials.get(id) {
                    response.on_hover_text(text::block_name(material));
                }
            }
        });
    }
    clicked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_word_begins_after_the_last_separator() {
        for (pattern, word) in
            [("", ""), ("sto", "sto"), ("50%stone,di", "di"), ("50%sto", "sto"), ("stone,", "")]
        {
            assert_eq!(last_word(pattern), word);
        }
    }

    #[test]
    fn recent_blocks_are_kept_once_the_latest_first() {
        let mut palette = Palette::default();
        for id in [1, 2, 3, 1, 4, 5, 6, 7] {
            palette.note(id);
        }
        assert_eq!(palette.recent, [7, 6, 5, 4, 1, 3]);
    }

    #[test]
    fn categories_hold_every_block() {
        let materials = MaterialTable::builtin();
        for (_, material) in materials.iter().skip(1) {
            let kinds = Category::VARIANTS
                .iter()
                .skip(1)
                .filter(|category| category.holds(material))
                .count();
            assert!(kinds >= 1 || material.matter == Matter::Gas, "{}", material.name);
        }
    }
}
