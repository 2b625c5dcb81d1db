//! The scroll position of the list of maps, and the map that was chosen last.
//!
//! egui forgets the scroll position when the list is not drawn, and a map that was played moves to
//! another place in the list.

use bevy_egui::egui::{Rect, ScrollArea, Ui, pos2};
use std::path::{Path, PathBuf};

/// Scroll position and chosen map of the list.
#[derive(Default)]
pub struct ListPlace {
    /// Scroll offset of the list, in points.
    offset: f32,
    chosen: Option<PathBuf>,
    /// True from when the list was filled again until it is drawn.
    is_due: bool,
}

impl ListPlace {
    /// Restores the scroll position when the list is drawn next.
    pub fn restore(&mut self) {
        self.is_due = true;
    }

    /// Marks a map as chosen last.
    pub fn choose(&mut self, map: &Path) {
        self.chosen = Some(map.to_owned());
    }

    /// True for the map that was chosen last.
    #[must_use]
    pub fn is_chosen(&self, map: &Path) -> bool {
        self.chosen.as_deref() == Some(map)
    }

    /// Draws the list in an area that can be scrolled.
    pub fn show(&mut self, ui: &mut Ui, list: impl FnOnce(&mut Ui, &ListPlace)) {
        let mut area = ScrollArea::vertical().id_salt("maps").auto_shrink([false, false]);
        if self.is_due {
            area = area.vertical_scroll_offset(self.offset);
        }
        let output = area.show(ui, |ui| list(ui, self));
        self.offset = output.state.offset.y;
        self.is_due = false;
    }

    /// Records that a map was just drawn; `top` is its upper edge. If the list was filled again,
    /// scrolls the chosen map into view.
    pub fn note(&self, ui: &Ui, map: &Path, top: f32) {
        if self.is_due && self.is_chosen(map) {
            let x = ui.max_rect().x_range();
            let bottom = ui.cursor().top();
            ui.scroll_to_rect(Rect::from_min_max(pos2(x.min, top), pos2(x.max, bottom)), None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_egui::egui::{CentralPanel, Context, RawInput, Sense, vec2};

    /// Draws a list of 40 maps, 50 points high each, in 300 points.
    fn frame(ctx: &Context, place: &mut ListPlace, maps: &[PathBuf]) {
        let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 300.0));
        let input = RawInput { screen_rect: Some(screen), ..RawInput::default() };
        let mut output = ctx.run_ui(input, |ui| {
            CentralPanel::default().show(ui, |ui| {
                place.show(ui, |ui, place| {
                    for map in maps {
                        let top = ui.cursor().top();
                        ui.allocate_exact_size(vec2(100.0, 50.0), Sense::hover());
                        place.note(ui, map, top);
                    }
                });
            });
        });
        // egui panics if texture deltas are dropped without being applied.
        output.textures_delta.clear();
    }

    #[test]
    fn list_goes_back_to_its_place_and_to_the_chosen_map() {
        let maps: Vec<PathBuf> =
            (0..40).map(|number| format!("{number}.stonerun").into()).collect();
        let mut place = ListPlace { offset: 700.0, ..ListPlace::default() };
        place.restore();
        // A new egui context remembers no scroll position.
        let ctx = Context::default();
        for _ in 0..3 {
            frame(&ctx, &mut place, &maps);
        }
        assert_eq!(place.offset, 700.0);
        // The chosen map is at the top of the list.
        place.choose(&maps[0]);
        place.restore();
        for _ in 0..60 {
            frame(&ctx, &mut place, &maps);
        }
        assert!(place.offset < 50.0 && place.is_chosen(&maps[0]), "{}", place.offset);
    }
}
