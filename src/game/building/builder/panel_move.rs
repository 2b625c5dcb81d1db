//! The options of moving and pasting in the panel.

use crate::game::building::blueprints::picture;
use crate::game::building::builder::handles::{ANGLE_STEPS, SNAPS};
use crate::game::building::builder::panel::PanelInput;
use crate::game::building::builder::panel_fields::{MAX_DISTANCE, faint, number, three};
use crate::game::state::keys::KeyAction;
use crate::game::ui_kit::thumbnail;
use bevy_egui::egui::{self, DragValue, Ui};
use std::path::PathBuf;
use std::sync::Arc;
use stonerun_engine::edit::clipboard::Clipboard;
use stonerun_exchange::Progress;

/// Width of the clipboard's picture, in points.
const PICTURE: f32 = 160.0;
/// Maximum number of copies in a row.
const MAX_COPIES: u32 = 1000;

impl PanelInput<'_> {
    /// The options of the tool *Move*.
    pub(super) fn shift(&mut self, ui: &mut Ui) {
        if self.selection.area().is_none() {
            let select = self.key(KeyAction::SelectTool);
            return faint(ui, &format!("Select a box first ({select})"));
        }
        let [switch, turn] =
            [KeyAction::MoveOrCopy, KeyAction::Turn].map(|action| self.key(action));
        let [next, flip, apply] =
            [KeyAction::CopyNext, KeyAction::Flip, KeyAction::Apply].map(|action| self.key(action));
        let shift = &mut self.options.shift;
        ui.horizontal(|ui| {
            ui.selectable_value(&mut shift.keeps_original, false, "Move");
            ui.selectable_value(&mut shift.keeps_original, true, "Copy");
            faint(ui, &format!("{switch} · Times"));
            number(ui, &mut shift.times, 1..=MAX_COPIES);
        });
        let placement = &mut self.move_tool.placement;
        three(ui, "By", &mut placement.offset, "");
        let mut degrees = placement.degrees();
        let mut percent = placement.percent();
        three(ui, "Turn", &mut degrees, "°");
        three(ui, "Scale", &mut percent, "%");
        if degrees != placement.degrees() {
            placement.set_degrees(degrees);
        }
        if percent != placement.percent() {
            placement.set_percent(percent);
        }
        ui.horizontal_wrapped(|ui| {
            if ui.button(format!("Turn {turn}")).clicked() {
                placement.turn();
            }
            for (axis, name) in ["Flip X", "Flip Y", "Flip Z"].into_iter().enumerate() {
                if ui.button(name).clicked() {
                    placement.flip(axis);
                }
            }
        });
        self.snap(ui);
        ui.horizontal(|ui| {
            faint(ui, "Turns");
            for step in ANGLE_STEPS {
                let text = egui::RichText::new(format!("{step}°"));
                ui.selectable_value(&mut self.options.angle_step, step, text);
            }
        });
        ui.checkbox(&mut self.options.pastes_air, "Air replaces blocks");
        faint(
            ui,
            &format!(
                "Drag arrows or squares: move · rings: turn\nCubes: scale · Ctrl+wheel: along the view\n\
                 {next}: copy next to it · {flip}: flip along the view\n{apply}: apply"
            ),
        );
    }

    /// The options of the tool *Paste*.
    pub(super) fn paste(&mut self, ui: &mut Ui) {
        let (copied, revision) = self.clipboard.get();
        match copied {
            Some(copied) => {
                self.clipboard_picture(ui, &copied, revision);
                let size = copied.size();
                faint(ui, &format!("{} x {} x {} voxels", size.x, size.y, size.z));
                let tool = &mut *self.paste_tool;
                match &mut tool.fixed {
                    Some(at) => three(ui, "At", at, ""),
                    None => {
                        ui.horizontal(|ui| {
                            faint(ui, "Lift");
                            ui.add(
                                DragValue::new(&mut tool.height)
                                    .range(-MAX_DISTANCE..=MAX_DISTANCE)
                                    .speed(0.15),
                            );
                        });
                    }
                }
                let mut degrees = tool.change.degrees();
                let mut percent = tool.change.percent();
                three(ui, "Turn", &mut degrees, "°");
                three(ui, "Scale", &mut percent, "%");
                tool.change.set_degrees(degrees);
                tool.change.set_percent(percent);
                if ui
                    .add_enabled(!tool.change.is_upright(), egui::Button::new("Turn and scale"))
                    .clicked()
                {
                    let transform = std::mem::take(&mut tool.change).transform();
                    self.clipboard.transform(&mut self.jobs, transform, self.map.growing.clone());
                }
                ui.checkbox(&mut self.options.pastes_air, "Air replaces blocks");
                self.snap(ui);
                let [keep, turn, flip] = [KeyAction::Keep, KeyAction::Turn, KeyAction::Flip]
                    .map(|action| self.key(action));
                let how = if self.paste_tool.fixed.is_some() {
                    format!(
                        "{}: put it down · {keep}: back to the crosshair",
                        self.key(KeyAction::Apply)
                    )
                } else {
                    format!("Left: put it down · {keep}: keep it here")
                };
                faint(ui, &format!("{how}\n{turn}: turn · {flip}: flip · Ctrl+wheel: lift"));
            }
            None => {
                let [copy, cut] = [KeyAction::Copy, KeyAction::Cut].map(|action| self.key(action));
                faint(ui, &format!("Nothing is copied: select a box, then {copy} or {cut}"));
            }
        }
    }

    /// Draws the picture of the clipboard.
    fn clipboard_picture(&mut self, ui: &mut Ui, copied: &Clipboard, revision: u64) {
        let clipboard = copied.clone();
        let table = Arc::clone(&self.map.materials);
        let sketches = &mut self.clipboard_picture.0;
        let picture = sketches.computed(ui.ctx(), (PathBuf::new(), revision), || {
            move |progress: &mut Progress| picture(&clipboard, &table, progress)
        });
        let width = ui.available_width().min(PICTURE);
        thumbnail::show(ui, &self.icons, picture.as_ref(), egui::vec2(width, width * 9.0 / 16.0));
    }

    /// The steps of drags and of the wheel.
    pub(super) fn snap(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            faint(ui, "Steps");
            for snap in SNAPS {
                ui.selectable_value(
                    &mut self.options.snap,
                    snap,
                    egui::RichText::new(snap.to_string()),
                );
            }
        });
    }
}
