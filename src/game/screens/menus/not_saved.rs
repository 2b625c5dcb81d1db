//! The dialog shown when a map cannot be saved. It keeps players from losing work silently, and
//! from being unable to leave a map whose disk is gone.

use crate::game::state::requests::{BlockedExit, Request};
use crate::game::state::screens::Menu;
use crate::game::ui_kit::theme;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::Ui;

/// Draws the dialog and handles its buttons.
pub fn show(
    mut contexts: EguiContexts,
    stuck: Res<BlockedExit>,
    mut menu: ResMut<Menu>,
    mut requests: MessageWriter<Request>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let body = |ui: &mut Ui| {
        ui.label(&stuck.error);
        ui.label("Your changes are still in memory. They are lost if you leave without saving.");
    };
    let foot = 3.0 * (theme::button_height(ctx) + 6.0);
    theme::dialog(
        ctx,
        "The map could not be saved",
        theme::DialogSize { width: 420.0, foot_height: foot },
        body,
        |ui, ()| {
            let width = ui.available_width();
            if theme::primary(ui, "Try again", width).clicked() {
                requests.write(if stuck.quit { Request::Quit } else { Request::Leave });
            }
            if theme::button(ui, "Stay in the map", width).clicked() {
                *menu = Menu::None;
            }
            if theme::button(ui, "Leave without saving", width).clicked() {
                requests.write(Request::Abandon { quit: stuck.quit });
            }
        },
    );
}
