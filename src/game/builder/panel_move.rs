//! The options of moving and pasting in the panel.

use crate::game::builder::handles::SNAPS;
use crate::game::builder::panel::{PanelInput, faint, number};
use bevy_egui::egui::{self, DragValue, Ui};

/// Most copies in a row.
const MOST_TIMES: u32 = 1000;

impl PanelInput<'_> {
    /// The options of the tool *Move*.
    pub(super) fn shift(&mut self, ui: &mut Ui) {
        if self.selection.area().is_none() {
            return faint(ui, "Select a box first (Z)");
        }
        let shift = &mut self.options.shift;
        ui.horizontal(|ui| {
            ui.selectable_value(&mut shift.keeps_original, false, "Move");
            ui.selectable_value(&mut shift.keeps_original, true, "Copy");
            faint(ui, "M · Times");
            number(ui, &mut shift.times, 1..=MOST_TIMES);
        });
        let placement = &mut self.move_tool.placement;
        ui.horizontal(|ui| {
            faint(ui, "By");
            for axis in 0..3 {
                ui.add_sized([52.0, 20.0], DragValue::new(&mut placement.offset[axis]).speed(0.15));
            }
        });
        ui.horizontal_wrapped(|ui| {
            if ui.button("Turn R").clicked() {
                placement.turn();
            }
            for (axis, name) in ["Flip X", "Flip Y", "Flip Z"].into_iter().enumerate() {
                if ui.button(name).clicked() {
                    placement.flip(axis);
                }
            }
        });
        self.snap(ui);
        ui.checkbox(&mut self.options.pastes_air, "Air replaces blocks");
        faint(
            ui,
            "Drag arrows or squares · Ctrl+wheel: along the view\nU: copy next to it · H: flip along the view\nEnter: apply",
        );
    }

    /// The options of the tool *Paste*.
    pub(super) fn paste(&mut self, ui: &mut Ui) {
        match self.clipboard.get().0 {
            Some(copied) => {
                let size = copied.size();
                faint(ui, &format!("{} x {} x {} voxels", size.x, size.y, size.z));
                ui.horizontal(|ui| {
                    faint(ui, "Lift");
                    ui.add(DragValue::new(&mut self.paste_tool.height).speed(0.15));
                });
                ui.checkbox(&mut self.options.pastes_air, "Air replaces blocks");
                self.snap(ui);
                faint(ui, "Left: put it down · R: turn · H: flip\nCtrl+wheel: lift");
            }
            None => faint(ui, "Nothing is copied: select a box, then Ctrl+C or Ctrl+X"),
        }
    }

    /// The steps of drags and of the wheel.
    pub(super) fn snap(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            faint(ui, "Steps");
            for snap in SNAPS {
                ui.selectable_value(&mut self.options.snap, snap, egui::RichText::new(snap.to_string()));
            }
        });
    }
}
