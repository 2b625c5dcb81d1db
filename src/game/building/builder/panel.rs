//! The panel of the builder mode: tools, their options, patterns and masks, symmetry.

use crate::game::building::builder::brush_shape::{BrushForm, MAX_RADIUS};
use crate::game::building::builder::clipboard::BuilderClipboard;
use crate::game::building::builder::fill::{FillJob, FillOperation, Ground};
use crate::game::building::builder::handles::with_size;
use crate::game::building::builder::line_path::LineOptions;
use crate::game::building::builder::materials::FieldContext;
use crate::game::building::builder::options::{BuilderOptions, STRENGTH};
use crate::game::building::builder::palette::Palette;
use crate::game::building::builder::panel_fields::{faint, number, three};
use crate::game::building::builder::presets::{MAX_NAME_CHARS, Presets};
use crate::game::building::builder::roof::RoofForm;
use crate::game::building::builder::roof_parts::RoofStairs;
use crate::game::building::builder::ruler::Ruler;
use crate::game::building::builder::selection::SelectedBox;
use crate::game::building::builder::symmetry::MAX_FOLDS;
use crate::game::building::builder::tools::paste::{ClipboardPicture, PasteTool};
use crate::game::building::builder::tools::shift::MoveTool;
use crate::game::editing::edit_jobs::{EditJobs, EditPreview};
use crate::game::state::builder_mode::{BuilderMode, Tool};
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::keys::{KeyAction, KeyInput};
use crate::game::state::notices::Notices;
use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap};
use crate::game::state::settings::Settings;
use crate::game::ui_kit::icons::BlockIcons;
use crate::game::ui_kit::layout::Areas;
use crate::game::ui_kit::theme;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::scroll_area::ScrollSource;
use bevy_egui::egui::{self, DragValue, Id, Margin, RichText, ScrollArea, Ui};
use stonerun_engine::edit::console::{SeedUser, Seeds, check_ground, shallow_ground_note};
use stonerun_engine::edit::shaping::ShapingMaterials;
use stonerun_engine::metrics::counted;
use strum::VariantArray;

/// The operations on the selection, with the actions of their keys.
pub const OPERATIONS: [(FillOperation, &str, Option<KeyAction>); 10] = [
    (FillOperation::Set, "Fill", Some(KeyAction::Fill)),
    (FillOperation::Replace, "Replace", Some(KeyAction::Replace)),
    (FillOperation::Walls, "Walls", Some(KeyAction::Walls)),
    (FillOperation::Faces, "Faces", Some(KeyAction::Faces)),
    (FillOperation::Hollow, "Hollow", Some(KeyAction::Hollow)),
    (FillOperation::Roof(RoofForm::Gable), "Roof", Some(KeyAction::Roof)),
    (FillOperation::Clear, "Clear", Some(KeyAction::Clear)),
    (FillOperation::Overlay, "Overlay", None),
    (FillOperation::Naturalize, "Naturalize", None),
    (FillOperation::Smooth, "Smooth", None),
];

/// The parts of the game that the panel shows and changes.
#[derive(bevy::ecs::system::SystemParam)]
pub struct PanelInput<'w> {
    pub(super) icons: BlockIcons<'w>,
    pub(super) map: Res<'w, OpenMap>,
    edits: Res<'w, Edits>,
    pub(super) player: Res<'w, Player>,
    mode: ResMut<'w, BuilderMode>,
    pub(super) options: ResMut<'w, BuilderOptions>,
    pub(super) selection: SelectedBox<'w>,
    pub(super) preview: ResMut<'w, EditPreview>,
    notices: ResMut<'w, Notices>,
    palette: ResMut<'w, Palette>,
    presets: ResMut<'w, Presets>,
    pub(super) move_tool: ResMut<'w, MoveTool>,
    pub(super) paste_tool: ResMut<'w, PasteTool>,
    pub(super) clipboard: Res<'w, BuilderClipboard>,
    pub(super) clipboard_picture: ResMut<'w, ClipboardPicture>,
    pub(super) jobs: ResMut<'w, EditJobs>,
    ruler: Res<'w, Ruler>,
    settings: Res<'w, Settings>,
}

/// Draws the panel.
pub fn show(
    mut contexts: EguiContexts,
    areas: Res<Areas>,
    mut input: PanelInput,
    mut timings: ResMut<FrameTimings>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let Some(area) = areas.tools else { return };
    timings.time(FrameStage::Interface, || {
        let frame = theme::panel(ctx).inner_margin(Margin::same(8));
        let window = egui::Area::new(Id::new("builder"))
            .fixed_pos(area.min)
            .interactable(input.mode.pointer_is_free);
        window.show(ctx, |ui| {
            frame.show(ui, |ui| {
                let edges = frame.total_margin().sum();
                ui.set_width(area.width() - edges.x);
                // Without this, the panel would keep the height of the previous frame.
                ui.set_max_height(area.height() - edges.y);
                ui.spacing_mut().item_spacing = egui::vec2(6.0, 4.0);
                ui.spacing_mut().button_padding = egui::vec2(6.0, 2.0);
                ui.spacing_mut().interact_size.y = 20.0;
                let scroll = ScrollArea::vertical()
                    .max_height(area.height() - edges.y)
                    .auto_shrink([false, true]);
                // The hidden pointer may be over the panel while the wheel belongs to the game.
                let scroll = if input.mode.pointer_is_free {
                    scroll
                } else {
                    scroll.scroll_source(ScrollSource::NONE)
                };
                scroll.show(ui, |ui| input.show(ui));
            });
        });
    });
}

impl PanelInput<'_> {
    /// Name of an action's key.
    pub(super) fn key(&self, action: KeyAction) -> String {
        self.settings.keyboard.label(action)
    }

    fn show(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            for &tool in Tool::ALL {
                let text = format!("{} {}", tool.name(), self.key(tool.action()));
                if ui.selectable_label(self.mode.tool == tool, text).clicked() {
                    self.mode.tool = tool;
                }
            }
        });
        let does = if self.mode.pointer_is_free {
            "back to the view"
        } else {
            "free pointer, to click here"
        };
        faint(ui, &format!("{}: {does}", self.key(KeyAction::Pointer)));
        ui.separator();
        match self.mode.tool {
            Tool::Select => self.select(ui),
            Tool::Brush => self.brush(ui),
            Tool::Shape => self.shape(ui),
            Tool::Line => self.line(ui),
            Tool::Move => self.shift(ui),
            Tool::Paste => self.paste(ui),
        }
        ui.separator();
        self.materials(ui);
        ui.separator();
        self.symmetry(ui);
        ui.separator();
        egui::CollapsingHeader::new(RichText::new("Presets").small())
            .id_salt("presets")
            .show(ui, |ui| self.presets(ui));
    }

    fn select(&mut self, ui: &mut Ui) {
        if let Some((size, distance)) = self.ruler.measured() {
            let text = format!("Ruler: {} x {} x {} · {distance:.1}", size.x, size.y, size.z);
            ui.label(RichText::new(text).color(theme::ACCENT));
        }
        let Some(area) = self.selection.area() else {
            let ruler = self.key(KeyAction::Ruler);
            faint(
                ui,
                &format!("Left: a corner, then the opposite one\nRight: extend · {ruler}: ruler"),
            );
            ui.checkbox(&mut self.options.selects_in_front, "In front of the block");
            return;
        };
        let mut min = area.min;
        let mut size = area.size();
        three(ui, "At", &mut min, "");
        three(ui, "Size", &mut size, "");
        size = size.max(IVec3::ONE);
        if (min, size) != (area.min, area.size()) {
            self.selection.set(with_size(min, size));
        }
        let voxels = counted(area.volume(), "voxel");
        let ruler = self.key(KeyAction::Ruler);
        faint(ui, &format!("{voxels} · Ctrl+wheel: move a face\n{ruler}: ruler"));
        self.snap(ui);
        ui.horizontal(|ui| {
            if ui.button("Deselect").clicked() {
                self.selection.clear();
            }
        });
        ui.checkbox(&mut self.options.selects_in_front, "In front of the block");
        ui.separator();
        ui.horizontal_wrapped(|ui| {
            for (operation, name, action) in OPERATIONS {
                let key = action.map_or_else(String::new, |action| self.key(action));
                if ui.button(format!("{name} {key}").trim_end()).clicked() {
                    self.start(operation);
                }
            }
        });
        ui.horizontal(|ui| {
            faint(ui, "Roof");
            ui.selectable_value(&mut self.options.roof, RoofForm::Gable, "Gable");
            ui.selectable_value(&mut self.options.roof, RoofForm::Hip, "Hip");
        });
    }

    fn brush(&mut self, ui: &mut Ui) {
        let brush = &mut self.options.brush;
        ui.horizontal_wrapped(|ui| {
            for &form in BrushForm::VARIANTS {
                ui.selectable_value(&mut brush.form, form, form.name());
            }
        });
        egui::Grid::new("brush").num_columns(2).spacing([8.0, 3.0]).show(ui, |ui| {
            faint(ui, "Radius");
            number(ui, &mut brush.radius, 0..=MAX_RADIUS);
            ui.end_row();
            faint(ui, "Spacing");
            number(ui, &mut brush.spacing, 0.1..=4.0);
            ui.end_row();
            faint(ui, "Strength");
            ui.add(
                DragValue::new(&mut brush.strength)
                    .range(STRENGTH.0..=STRENGTH.1)
                    .suffix("%")
                    .speed(0.5),
            );
            ui.end_row();
        });
        ui.checkbox(&mut brush.smooths, "Smooth the surface");
        ui.add_enabled_ui(!brush.smooths, |ui| {
            ui.checkbox(&mut brush.paints_surface, "Only in place of matter")
        });
        faint(
            ui,
            "Right: put or smooth · Left: take away\nCtrl+wheel: radius · with Shift: strength\nwith Alt: spacing",
        );
    }

    fn line(&mut self, ui: &mut Ui) {
        let line = &mut self.options.line;
        ui.horizontal(|ui| {
            ui.selectable_value(&mut line.is_curve, false, "Straight");
            ui.selectable_value(&mut line.is_curve, true, "Curve");
            ui.checkbox(&mut line.is_closed, "Closed");
        });
        egui::Grid::new("line").num_columns(2).spacing([8.0, 3.0]).show(ui, |ui| {
            for (name, value) in [("Thickness", &mut line.thickness), ("Height", &mut line.height)]
            {
                faint(ui, name);
                number(ui, value, 1..=LineOptions::MAX_SIZE);
                ui.end_row();
            }
        });
        let build = self.key(KeyAction::Apply);
        faint(
            ui,
            &format!(
                "Left: a point · Right: remove the last one\nCtrl+wheel: height · {build}: build"
            ),
        );
    }

    fn materials(&mut self, ui: &mut Ui) {
        let in_hand = self
            .map
            .materials
            .get(self.player.in_hand())
            .map_or("air", |material| material.name.as_str());
        let hint = if self.player.in_hand() == 0 {
            "air (empty hand)".to_owned()
        } else {
            format!("in hand: {in_hand}")
        };
        let fields = &mut self.options.fields;
        egui::Grid::new("materials").num_columns(2).spacing([8.0, 3.0]).show(ui, |ui| {
            faint(ui, "Pattern");
            ui.add(
                egui::TextEdit::singleline(&mut fields.pattern)
                    .hint_text(hint)
                    .desired_width(f32::INFINITY),
            );
            ui.end_row();
            faint(ui, "Mask");
            ui.add(
                egui::TextEdit::singleline(&mut fields.mask)
                    .hint_text("everything")
                    .desired_width(f32::INFINITY),
            );
            ui.end_row();
        });
        egui::CollapsingHeader::new(RichText::new("Blocks").small()).id_salt("blocks").show(
            ui,
            |ui| {
                self.palette.show(
                    ui,
                    &self.icons,
                    &self.map.materials,
                    &mut self.options.fields.pattern,
                );
            },
        );
        let fields = &self.options.fields;
        let materials = &self.map.materials;
        let seeds = Seeds::new(0);
        // Without a console the fields are only checked: a selection or clipboard may be large.
        let context = FieldContext { materials, growing: None, console: None, seeds: &seeds };
        let pattern = fields.pattern(0, &context);
        let mut problems = [pattern.as_ref().err().cloned(), fields.mask(&context).err()];
        if let Ok(pattern) = &pattern {
            let typed = fields.pattern.trim();
            let is_copy = |typed: &str| typed.starts_with("#clip") || typed.starts_with("#copy");
            let shape = self.options.shape.operation;
            match self.mode.tool {
                // A copy is checked when a stroke begins.
                Tool::Shape if !typed.is_empty() && !is_copy(typed) => {
                    let ground = ShapingMaterials::from_materials(materials);
                    let checked = check_ground(typed, pattern, &ground);
                    problems[0] = checked.err().filter(|_| shape.puts_pattern(false));
                }
                Tool::Select | Tool::Brush | Tool::Line => {
                    if let Some(note) = shallow_ground_note(pattern, materials) {
                        faint(ui, note);
                    }
                }
                _ => {}
            }
        }
        for problem in problems.into_iter().flatten() {
            ui.add(
                egui::Label::new(RichText::new(problem.to_string()).small().color(theme::PROBLEM))
                    .wrap(),
            );
        }
    }

    fn symmetry(&mut self, ui: &mut Ui) {
        let selected = self.selection.area();
        let before = self.options.symmetry;
        let mut symmetry = before;
        ui.horizontal(|ui| {
            faint(ui, "Mirror");
            for (axis, name) in ["X", "Y", "Z"].into_iter().enumerate() {
                ui.checkbox(&mut symmetry.mirrors[axis], name);
            }
        });
        ui.horizontal(|ui| {
            faint(ui, "Around an axis");
            number(ui, &mut symmetry.folds, 1..=MAX_FOLDS);
            faint(ui, "times");
        });
        if symmetry.is_active() {
            let here =
                ui.add_enabled(selected.is_some(), egui::Button::new("Centre on the selection"));
            if let Some(area) = selected.filter(|_| here.clicked() || !before.is_active()) {
                symmetry = symmetry.around(area);
            } else if !before.is_active() {
                symmetry.doubled_centre = self.player.walker.voxel() * 2;
            }
        }
        self.options.symmetry = symmetry;
    }

    /// Requests the preview of an operation on the selection.
    fn start(&mut self, operation: FillOperation) {
        let Some(area) = self.selection.area() else {
            return self.notices.replace_info("Builder", "select a box first");
        };
        let operation = match operation {
            FillOperation::Roof(_) => FillOperation::Roof(self.options.roof),
            other => other,
        };
        let materials = &self.map.materials;
        let fields = &self.options.fields;
        let seeds =
            Seeds::from_step(SeedUser::Panel, self.edits.history().number_of_next_edit(), 0);
        let context = FieldContext {
            materials,
            growing: Some(&self.map.growing),
            console: Some(self.selection.console()),
            seeds: &seeds,
        };
        let areas = self.options.symmetry.boxes(area);
        let pattern = fields.pattern(self.player.in_hand(), &context);
        let filled = pattern.and_then(|pattern| Ok((pattern, fields.mask(&context)?)));
        let work = match filled {
            Ok((pattern, mask)) => {
                let is_roof = matches!(operation, FillOperation::Roof(_));
                let stairs = is_roof.then(|| RoofStairs::new(&pattern, &self.map.growing));
                match stairs.transpose().map(Option::flatten) {
                    Ok(stairs) => {
                        let ground = Ground::new(materials);
                        let job = FillJob { operation, areas, pattern, mask, ground, stairs };
                        job.work().map_err(|error| error.to_string())
                    }
                    Err(error) => Err(error.to_string()),
                }
            }
            Err(error) => Err(error.to_string()),
        };
        match work {
            Ok(work) => {
                if fields.pattern.trim().is_empty() && self.player.in_hand() != 0 {
                    self.palette.note(self.player.in_hand());
                }
                self.preview.request(operation.name(), work);
            }
            Err(reason) => self.notices.replace_info("Builder", reason),
        }
    }

    fn presets(&mut self, ui: &mut Ui) {
        let presets = &mut *self.presets;
        let mut result = Ok(());
        let mut removed = None;
        for preset in presets.list() {
            ui.horizontal(|ui| {
                if ui.button("×").on_hover_text("Delete").clicked() {
                    removed = Some(preset.name.clone());
                }
                if ui.selectable_label(false, &preset.name).clicked() {
                    preset.apply(&mut self.options);
                }
            });
        }
        if let Some(name) = removed {
            result = presets.remove(&name);
        }
        ui.horizontal(|ui| {
            let field = egui::TextEdit::singleline(&mut presets.name)
                .hint_text("Name")
                .char_limit(MAX_NAME_CHARS);
            ui.add(field.desired_width(120.0));
            let name = presets.name.trim().to_owned();
            if ui.add_enabled(!name.is_empty(), egui::Button::new("Save")).clicked() {
                result = presets.save(&name, &self.options);
                presets.name.clear();
            }
        });
        if let Err(error) = result {
            self.notices.warn(error.to_string());
        }
    }
}

/// Starts the operations on the selection by their keys.
pub fn use_keys(keys: Res<KeyInput>, mut input: PanelInput) {
    for (operation, _, action) in OPERATIONS {
        if action.is_some_and(|action| keys.just_pressed(action)) {
            input.start(operation);
        }
    }
}
