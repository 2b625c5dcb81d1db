//! The backups of a map, to go back to one.

use crate::game::ui::job::Job;
use crate::game::ui::{text, theme};
use crate::save::SaveError;
use crate::save::backup::{self, BackupFile};
use crate::save::catalogue::MapEntry;
use bevy_egui::egui::{self, Align, Layout, RichText, Ui};
use std::path::PathBuf;

/// The list, and the backup that is being put in the map's place.
pub struct Backups {
    map: PathBuf,
    name: String,
    copies: Vec<BackupFile>,
    /// The map's own file is not there.
    gone: bool,
    restoring: Option<(u64, Job<Result<(), SaveError>>)>,
}

/// What became of the list.
pub enum Decision {
    /// Not yet anything.
    None,
    /// All is as it was.
    Close,
    /// The map is as it was then; one line about it.
    Restored(String),
    /// It could not be done; one line.
    Failed(String),
}

impl Backups {
    /// The backups `copies` of `map`.
    #[must_use]
    pub fn new(map: &MapEntry, copies: Vec<BackupFile>) -> Backups {
        Backups { map: map.path.clone(), name: map.name.clone(), copies, gone: map.gone, restoring: None }
    }

    /// True while a backup is being put in the map's place.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.restoring.is_some()
    }

    /// Draws the list.
    pub fn show(&mut self, ctx: &egui::Context) -> Decision {
        let (copies, gone, busy) = (&self.copies, self.gone, self.is_busy());
        let title = format!("Backups of {}", self.name);
        let body = |ui: &mut Ui| {
            let about =
                "A backup is made before a session saves, and every ten minutes after; the last three are kept.";
            ui.label(RichText::new(about).color(theme::FAINT));
            ui.add_space(4.0);
            ui.add_enabled_ui(!busy, |ui| rows(ui, copies)).inner
        };
        let (chosen, close) = theme::dialog(ctx, &title, (480.0, theme::button_height(ctx)), body, |ui, chosen| {
            let close = theme::buttons(ui, |ui| {
                let close = ui.add_enabled_ui(!busy, |ui| theme::button(ui, "Close", 100.0).clicked()).inner;
                let about = match (busy, gone) {
                    (true, _) => "Restoring...",
                    (false, true) => "The map's own file is gone.",
                    (false, false) => "The map as it is now becomes a backup, too.",
                };
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.label(RichText::new(about).color(theme::FAINT));
                });
                close
            });
            (chosen, close)
        });
        if let Some((saved_unix, job)) = &mut self.restoring {
            let saved = text::moment(*saved_unix);
            return match job.poll() {
                None => Decision::None,
                Some(Ok(Ok(()))) => Decision::Restored(format!("{} is as it was saved on {saved} UTC", self.name)),
                Some(Ok(Err(error))) => Decision::Failed(error.to_string()),
                Some(Err(error)) => Decision::Failed(error),
            };
        }
        if let Some(copy) = chosen {
            let (map, path, saved_unix) = (self.map.clone(), copy.path.clone(), copy.saved_unix);
            // Half of it would be nothing: it does not ask whether to go on.
            match Job::begin(move |_| backup::restore(&map, &path)) {
                Ok(job) => self.restoring = Some((saved_unix, job)),
                Err(error) => return Decision::Failed(error),
            }
        }
        let leave = close || ctx.input(|i| i.key_pressed(egui::Key::Escape));
        if leave && self.restoring.is_none() { Decision::Close } else { Decision::None }
    }
}

/// A row for each backup; the one whose button was clicked.
fn rows<'a>(ui: &mut Ui, copies: &'a [BackupFile]) -> Option<&'a BackupFile> {
    let mut chosen = None;
    for copy in copies {
        ui.horizontal(|ui| {
            ui.label(format!("{} UTC", text::moment(copy.saved_unix)));
            ui.label(RichText::new(text::size(copy.bytes)).color(theme::FAINT));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.button("Restore").clicked() {
                    chosen = Some(copy);
                }
            });
        });
    }
    chosen
}
