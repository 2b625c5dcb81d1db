//! The options of the tool *Shape* in the panel.

use crate::game::building::builder::brush_shape::BrushForm;
use crate::game::building::builder::panel::PanelInput;
use crate::game::building::builder::panel_fields::{faint, number};
use crate::game::building::builder::shape_options::{
    FALLOFF, MAX_HEIGHT, RADIUS, SHAPE_STRENGTH, ShapeOperation, ShapeOptions,
};
use bevy_egui::egui::{self, DragValue, Ui};
use stonerun_engine::edit::shaping::BrushShape;
use strum::VariantArray;

impl PanelInput<'_> {
    /// The options of the tool *Shape*.
    pub(super) fn shape(&mut self, ui: &mut Ui) {
        // The highest layer below the feet.
        let height = self.player.walker.voxel().y - 1;
        let shape = &mut self.options.shape;
        ui.horizontal_wrapped(|ui| {
            for &operation in ShapeOperation::VARIANTS {
                ui.selectable_value(&mut shape.operation, operation, operation.name());
            }
        });
        faint(ui, &buttons(shape.operation));
        ui.horizontal(|ui| {
            for &form in BrushShape::VARIANTS {
                ui.selectable_value(&mut shape.form, form, BrushForm::from(form).name());
            }
        });
        egui::Grid::new("shape").num_columns(2).spacing([8.0, 3.0]).show(ui, |ui| {
            faint(ui, "Radius");
            number(ui, &mut shape.radius, RADIUS.0..=RADIUS.1);
            ui.end_row();
            let force = shape.force_mut();
            for (name, value, range) in [
                ("Strength", &mut force.strength, SHAPE_STRENGTH),
                ("Falloff", &mut force.falloff, FALLOFF),
            ] {
                faint(ui, name);
                ui.add(DragValue::new(value).range(range.0..=range.1).suffix("%").speed(0.5));
                ui.end_row();
            }
        });
        if shape.operation.has_plane() {
            plane(ui, shape, height);
        }
        ui.checkbox(&mut shape.locks_plane, "Stay on the plane of the start");
        ui.checkbox(&mut shape.ignores_liquids, "Keep liquids");
        faint(ui, "Ctrl+wheel: radius · with Shift: strength\nwith Alt: falloff");
    }
}

/// The plane that the ground is levelled to. A height that is typed starts with `height`.
fn plane(ui: &mut Ui, shape: &mut ShapeOptions, height: i32) {
    ui.horizontal(|ui| {
        let mut is_typed = shape.height.is_some();
        if ui.checkbox(&mut is_typed, "At height").changed() {
            shape.height = is_typed.then_some(height);
        }
        if let Some(height) = &mut shape.height {
            number(ui, height, -MAX_HEIGHT..=MAX_HEIGHT);
        }
    });
    if shape.operation == ShapeOperation::Flatten {
        let is_free = shape.height.is_none();
        ui.add_enabled(is_free, egui::Checkbox::new(&mut shape.is_tilted, "Tilted as the ground"));
    }
}

/// Effects of the buttons.
fn buttons(operation: ShapeOperation) -> String {
    let [right, left] = [false, true].map(|takes| operation.verb(takes));
    if operation == ShapeOperation::Slope {
        "Drag from one end to the other".to_owned()
    } else if operation.has_opposite() {
        format!("Right: {right} · Left: {left}")
    } else {
        format!("Hold a button: {right}")
    }
}
