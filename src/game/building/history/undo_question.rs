//! The dialog before an edit that the undo history has no room for.

use crate::game::editing::edit_jobs::UndoQuestion;
use crate::game::state::format;
use crate::game::state::screens::Menu;
use crate::game::ui_kit::theme;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::Ui;
use stonerun_engine::history::UndoCost;

/// Draws the dialog.
pub fn show(
    mut contexts: EguiContexts,
    mut question: ResMut<UndoQuestion>,
    mut menu: ResMut<Menu>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let Some(asked) = question.asked() else {
        *menu = Menu::None;
        return;
    };
    let lines = words(asked.name(), asked.cost, asked.limit);
    let body = |ui: &mut Ui| {
        for line in &lines {
            ui.label(line);
        }
    };
    let foot = 2.0 * (theme::button_height(ctx) + 6.0);
    let apply = if asked.cost.exceeds_limit {
        "Apply without undo"
    } else {
        "Apply, and forget these steps"
    };
    let accepted = theme::dialog(
        ctx,
        "This edit is large",
        theme::DialogSize { width: 440.0, foot_height: foot },
        body,
        |ui, ()| {
            let width = ui.available_width();
            let cancelled = theme::primary(ui, "Cancel", width).clicked();
            let accepted = theme::button(ui, apply, width).clicked();
            (accepted || cancelled).then_some(accepted)
        },
    );
    match accepted {
        Some(true) => {
            question.accept();
            *menu = Menu::None;
        }
        Some(false) => *menu = Menu::None,
        None => {}
    }
}

/// Text of the question: the bytes that the edit needs, and the steps that it costs.
fn words(name: &str, cost: UndoCost, limit: u64) -> [String; 2] {
    let bytes = format::bytes(cost.bytes);
    let limit = format::bytes(limit);
    let needs = format!(
        "\"{name}\" needs up to {bytes} to be undone. The history of this map holds at most {limit}."
    );
    let loses = if cost.exceeds_limit {
        "It can be applied, but not undone, and all earlier steps are forgotten.".to_owned()
    } else {
        format!(
            "The oldest {} would be forgotten.",
            format::counted(cost.steps_dropped as u64, "step")
        )
    };
    [needs, loses]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_names_bytes_limit_and_loss() {
        let cost = UndoCost { bytes: 5 << 20, exceeds_limit: false, steps_dropped: 1 };
        let [needs, loses] = words("set", cost, 4 << 20);
        assert_eq!(
            needs,
            "\"set\" needs up to 5.0 MiB to be undone. The history of this map holds at most 4.0 MiB."
        );
        assert_eq!(loses, "The oldest 1 step would be forgotten.");
        let [_, loses] = words("set", UndoCost { exceeds_limit: true, ..cost }, 4 << 20);
        assert!(loses.contains("not undone"));
    }
}
