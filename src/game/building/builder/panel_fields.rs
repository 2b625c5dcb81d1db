//! Labels and numbers of the builder's panel.

use crate::game::ui_kit::theme;
use bevy_egui::egui::{self, DragValue, RichText, Ui};
use glam::IVec3;
use std::ops::RangeInclusive;

/// Maximum coordinate or distance in a field, in voxels. It leaves room for a thousand copies at
/// that distance.
pub(super) const MAX_DISTANCE: i32 = 1 << 20;

/// Draws a small, faint text.
pub(super) fn faint(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).small().color(theme::FAINT));
}

/// Draws a number. Returns true if it was changed.
pub(super) fn number<N: egui::emath::Numeric>(
    ui: &mut Ui,
    value: &mut N,
    range: RangeInclusive<N>,
) -> bool {
    ui.add(DragValue::new(value).range(range).speed(0.15)).changed()
}

/// Draws three numbers, for x, y and z.
pub(super) fn three(ui: &mut Ui, name: &str, values: &mut IVec3, unit: &str) {
    ui.horizontal(|ui| {
        ui.scope(|ui| {
            ui.set_width(34.0);
            faint(ui, name);
        });
        for axis in 0..3 {
            let number = DragValue::new(&mut values[axis])
                .range(-MAX_DISTANCE..=MAX_DISTANCE)
                .clamp_existing_to_range(false);
            ui.add_sized([52.0, 20.0], number.suffix(unit).speed(0.15));
        }
    });
}
