//! The settings menu, over the title screen or the paused game. Changes act at once and are stored
//! on leaving.

use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::common::notices::Notices;
use crate::game::common::screens::{Menu, Screen};
use crate::game::common::settings::Settings;
use crate::game::ui::theme;
use crate::voxel::CHUNK_SIDE;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{self, RichText, Slider};

/// Draws the settings.
pub fn show(
    mut contexts: EguiContexts,
    screen: Res<State<Screen>>,
    mut menu: ResMut<Menu>,
    mut settings: ResMut<Settings>,
    mut timings: ResMut<FrameTimings>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    timings.time(FrameStage::Interface, || {
        let mut now = settings.clone();
        let done = theme::dialog(
            ctx,
            "Settings",
            (480.0, theme::button_height(ctx)),
            |ui| rows(ui, &mut now),
            |ui, ()| {
                theme::buttons(ui, |ui| {
                    let done = theme::primary(ui, "Done", 110.0).clicked();
                    if theme::button(ui, "Defaults", 110.0).clicked() {
                        return (done, true);
                    }
                    (done, false)
                })
            },
        );
        if done.1 {
            now = Settings::default();
        }
        // Only a real change triggers Bevy's change detection.
        settings.set_if_neq(now);
        if done.0 {
            *menu = if *screen.get() == Screen::Playing { Menu::Pause } else { Menu::None };
        }
    });
}

fn rows(ui: &mut egui::Ui, settings: &mut Settings) {
    let wide = ui.available_width() > 380.0;
    ui.spacing_mut().slider_width = if wide { ui.available_width() - 250.0 } else { 120.0 };
    egui::Grid::new("settings").num_columns(3).spacing([16.0, 12.0]).show(ui, |ui| {
        ui.label("View distance");
        ui.add(Slider::new(&mut settings.view_distance, 3..=24).show_value(false));
        value(ui, format!("{} chunks, {} m", settings.view_distance, settings.view_distance * CHUNK_SIDE));
        ui.end_row();

        ui.label("Field of view");
        ui.add(Slider::new(&mut settings.field_of_view, 50.0..=110.0).step_by(1.0).show_value(false));
        value(ui, format!("{:.0}°", settings.field_of_view));
        ui.end_row();

        ui.label("Mouse sensitivity");
        let slider = Slider::new(&mut settings.mouse_sensitivity, 0.1..=5.0).logarithmic(true).step_by(0.05);
        ui.add(slider.show_value(false));
        value(ui, format!("{:.2}", settings.mouse_sensitivity));
        ui.end_row();

        ui.label("Invert mouse");
        ui.checkbox(&mut settings.invert_mouse, "");
        value(ui, if settings.invert_mouse { "up looks down" } else { "up looks up" }.to_owned());
        ui.end_row();

        ui.label("Undo memory");
        ui.add(Slider::new(&mut settings.undo_memory, 1..=1024).logarithmic(true).show_value(false));
        value(ui, format!("{} MiB", settings.undo_memory));
        ui.end_row();
    });
}

fn value(ui: &mut egui::Ui, text: String) {
    ui.label(RichText::new(text).color(theme::ACCENT));
}

/// Stores the settings when the menu is left, in any way, including the end of the program.
pub fn store_when_left(
    menu: Res<Menu>,
    mut exits: MessageReader<AppExit>,
    settings: Res<Settings>,
    mut notices: ResMut<Notices>,
    mut before: Local<Option<Settings>>,
) {
    if *menu == Menu::Settings && exits.read().next().is_none() {
        before.get_or_insert_with(|| settings.clone());
    } else if let Some(before) = before.take()
        && before != *settings
        && let Err(error) = settings.store()
    {
        notices.warn(format!("the settings cannot be stored: {error}"));
    }
}
