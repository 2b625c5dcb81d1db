//! The dialog that chooses a file, drawn over another dialog.

use bevy_egui::egui;
use egui_file_dialog::{DialogState, FileDialog, FileDialogLabels};
use std::path::{Path, PathBuf};

/// State of the chooser after a frame.
pub enum Choice {
    /// The chooser is still open.
    Open,
    /// The player closed the chooser without a choice.
    Cancelled,
    /// The player has chosen this file or folder.
    Chosen(PathBuf),
}

/// A chooser that starts in `folder`, or in the home folder.
#[must_use]
pub fn new(ctx: &egui::Context, title: &str, folder: Option<&Path>) -> FileDialog {
    let screen = ctx.viewport_rect().size();
    let size = screen - egui::vec2(80.0, 80.0);
    let dialog = FileDialog::new()
        .title(title)
        // egui remembers a window's size by its id. With the screen's size in the id, the chooser
        // gets a new size when the screen changes.
        .id(egui::Id::new(("choose", screen.x as i32, screen.y as i32)))
        .show_new_folder_button(false)
        .resizable(false)
        .movable(false)
        .anchor(egui::Align2::CENTER_CENTER, egui::Vec2::ZERO)
        .max_size(size)
        .labels(FileDialogLabels {
            selected_directory: "Selected folder:".to_owned(),
            ..FileDialogLabels::default()
        })
        .default_size(size.min(egui::vec2(900.0, 560.0)));
    match folder.map(Path::to_owned).or_else(home) {
        Some(folder) => dialog.initial_directory(folder),
        None => dialog,
    }
}

/// The user's home folder.
#[must_use]
pub fn home() -> Option<PathBuf> {
    directories::UserDirs::new().map(|dirs| dirs.home_dir().to_owned())
}

/// Draws the chooser.
pub fn show(ctx: &egui::Context, dialog: &mut FileDialog) -> Choice {
    // Without a modal layer, keys would reach the buttons behind the dialog.
    let layer = egui::LayerId::new(egui::Order::Middle, dialog.get_window_id());
    ctx.memory_mut(|memory| memory.set_modal_layer(layer));
    dialog.update(ctx);
    match dialog.take_picked() {
        Some(path) => Choice::Chosen(path),
        None if *dialog.state() != DialogState::Open => Choice::Cancelled,
        None => Choice::Open,
    }
}
