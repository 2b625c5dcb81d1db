//! The dialog that lists a map's backups and restores one.

use crate::game::pictures::sketches::Sketches;
use crate::game::ui_kit::icons::BlockIcons;
use crate::game::ui_kit::job::Job;
use crate::game::ui_kit::{text, theme, thumbnail};
use bevy_egui::egui::{self, Align, Layout, RichText, Ui, vec2};
use std::path::PathBuf;
use stonerun_engine::save::SaveError;
use stonerun_engine::save::backup::{self, BackupFile};
use stonerun_engine::save::catalogue::{self, MapEntry};

/// State of the dialog: the list, and the restore in progress.
pub struct Backups {
    map: PathBuf,
    name: String,
    copies: Vec<BackupFile>,
    /// Pictures of the backups; empty before the first frame.
    pictures: Vec<Option<egui::TextureHandle>>,
    /// True if the map's own file is missing.
    gone: bool,
    restoring: Option<(u64, Job<Result<(), SaveError>>)>,
}

/// Outcome of a frame of the dialog.
pub enum BackupsDecision {
    /// The dialog is still open.
    None,
    /// Closed without a change.
    Close,
    /// A backup was restored; a line to report it.
    Restored(String),
    /// The restore failed; a line to report it.
    Failed(String),
}

impl Backups {
    /// A dialog for `map` with the backups `copies`.
    #[must_use]
    pub fn new(map: &MapEntry, copies: Vec<BackupFile>) -> Backups {
        Backups {
            map: map.path.clone(),
            name: map.name.clone(),
            copies,
            pictures: Vec::new(),
            gone: map.gone,
            restoring: None,
        }
    }

    /// True while a restore runs.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.restoring.is_some()
    }

    /// Draws the dialog.
    pub fn show(
        &mut self,
        ctx: &egui::Context,
        icons: &BlockIcons,
        sketches: &mut Sketches,
    ) -> BackupsDecision {
        if self.pictures.is_empty() {
            let picture =
                |copy: &BackupFile| thumbnail::load(ctx, &catalogue::picture(&copy.path)?);
            self.pictures = self.copies.iter().map(picture).collect();
        }
        if self.restoring.is_none() {
            for (copy, picture) in
                self.copies.iter().zip(&mut self.pictures).filter(|(_, picture)| picture.is_none())
            {
                *picture = sketches.picture(ctx, &copy.path, copy.saved_unix);
            }
        }
        let copies = &self.copies;
        let pictures = &self.pictures;
        let gone = self.gone;
        let busy = self.is_busy();
        let title = format!("Backups of {}", self.name);
        let body = |ui: &mut Ui| {
            let about = "Made before a session first changes what the file holds, and every ten minutes; the last three are kept.";
            ui.label(RichText::new(about).color(theme::FAINT));
            ui.add_space(4.0);
            ui.add_enabled_ui(!busy, |ui| rows(ui, icons, copies, pictures)).inner
        };
        let (chosen, close) = theme::dialog(
            ctx,
            &title,
            theme::DialogSize { width: 480.0, foot_height: theme::button_height(ctx) },
            body,
            |ui, chosen| {
                let close = theme::buttons(ui, |ui| {
                    let close = ui
                        .add_enabled_ui(!busy, |ui| theme::button(ui, "Close", 100.0).clicked())
                        .inner;
                    let about = if busy {
                        "Restoring..."
                    } else if gone {
                        "The map's own file is missing."
                    } else {
                        "Restoring makes a backup of the present state too."
                    };
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        ui.label(RichText::new(about).color(theme::FAINT));
                    });
                    close
                });
                (chosen, close)
            },
        );
        if let Some((saved_unix, job)) = &mut self.restoring {
            let saved = text::moment(*saved_unix);
            return match job.poll() {
                None => BackupsDecision::None,
                Some(Ok(Ok(()))) => BackupsDecision::Restored(format!(
                    "{} is as it was saved on {saved}",
                    self.name
                )),
                Some(Ok(Err(error))) => BackupsDecision::Failed(error.to_string()),
                Some(Err(error)) => BackupsDecision::Failed(error.to_string()),
            };
        }
        if let Some(copy) = chosen {
            sketches.stop();
            let map = self.map.clone();
            let path = copy.path.clone();
            let saved_unix = copy.saved_unix;
            // A partial restore is useless, so it cannot be cancelled.
            match Job::begin(move |_| backup::restore(&map, &path)) {
                Ok(job) => self.restoring = Some((saved_unix, job)),
                Err(error) => return BackupsDecision::Failed(error.to_string()),
            }
        }
        let leave = close || ctx.input(|i| i.key_pressed(egui::Key::Escape));
        if leave && self.restoring.is_none() {
            BackupsDecision::Close
        } else {
            BackupsDecision::None
        }
    }
}

/// Draws a row per backup. Returns the backup whose button was clicked.
fn rows<'a>(
    ui: &mut Ui,
    icons: &BlockIcons,
    copies: &'a [BackupFile],
    pictures: &[Option<egui::TextureHandle>],
) -> Option<&'a BackupFile> {
    let size = if theme::is_small(ui.ctx()) { vec2(64.0, 36.0) } else { vec2(128.0, 72.0) };
    let mut chosen = None;
    for (copy, picture) in copies.iter().zip(pictures) {
        ui.horizontal(|ui| {
            thumbnail::show(ui, icons, picture.as_ref(), size);
            ui.vertical(|ui| {
                ui.add_space(((size.y - 40.0) / 2.0).max(0.0));
                ui.label(text::moment(copy.saved_unix));
                ui.label(RichText::new(text::size(copy.bytes)).color(theme::FAINT));
            });
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.button("Restore").clicked() {
                    chosen = Some(copy);
                }
            });
        });
    }
    chosen
}
