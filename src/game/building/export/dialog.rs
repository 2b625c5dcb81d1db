//! The export dialog: a map, or the selected box of it, into another program's file; then progress.
//!
//! The title screen exports a map's file, the pause menu the open map with its unsaved chunks.

use crate::game::state::format;
use crate::game::state::notices::Notices;
use crate::game::state::settings::Settings;
use crate::game::ui_kit::file_chooser::{self, Choice};
use crate::game::ui_kit::job::Job;
use crate::game::ui_kit::{text, theme};
use bevy::prelude::ResMut;
use bevy_egui::egui::{self, RichText, Ui};
use egui_file_dialog::FileDialog;
use std::path::{Path, PathBuf};
use stonerun_engine::voxel::Box3;
use stonerun_exchange::export::{self, ExportError, ExportFormat, Exported};
use stonerun_exchange::{ExportMapError, ExportSource, export_map};

/// State of the dialog.
pub struct ExportDialog {
    /// Name of the map.
    name: String,
    source: ExportSource,
    /// The box that the player has selected.
    marked: Option<Box3>,
    /// True to export only the selected box.
    only_box: bool,
    /// The chosen format.
    format: ExportFormat,
    target: PathBuf,
    /// A file next to the target that an export would replace.
    conflict: Option<PathBuf>,
    /// Reason why the last export failed.
    error: Option<String>,
    /// False in the first frame, so that the key or click that opened the dialog does not confirm
    /// it.
    shown: bool,
    choosing: Option<Box<FileDialog>>,
    running: Option<Job<Result<Exported, ExportMapError>>>,
}

/// Outcome of a frame of the dialog.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportDecision {
    /// The dialog is still open.
    None,
    /// Cancelled, or the export is finished.
    Close,
}

impl ExportDialog {
    /// A dialog for the map `name`, of which the player may have selected a box. `format` is the
    /// extension of the format that was used last; the first format is chosen if it is unknown.
    #[must_use]
    pub fn new(
        name: String,
        source: ExportSource,
        marked: Option<Box3>,
        format: &str,
    ) -> ExportDialog {
        let formats = export::formats();
        let format =
            formats.iter().find(|known| known.extension == format).copied().unwrap_or(formats[0]);
        let target =
            free_target(&file_chooser::home().unwrap_or_default(), &name, format.extension);
        let only_box = marked.is_some();
        ExportDialog {
            name,
            source,
            marked,
            only_box,
            format,
            target,
            conflict: None,
            error: None,
            shown: false,
            choosing: None,
            running: None,
        }
    }

    /// Notes the chosen format in the settings.
    pub fn remember_format(&self, settings: &mut ResMut<Settings>) {
        // Only a real change triggers Bevy's change detection.
        if settings.export_format != self.format.extension {
            settings.export_format = self.format.extension.to_owned();
        }
    }

    /// True while an export runs.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Draws the form, or the progress of the export.
    pub fn show(&mut self, ctx: &egui::Context, notices: &mut Notices) -> ExportDecision {
        if self.running.is_some() {
            return self.show_progress(ctx, notices);
        }
        if let Some(dialog) = &mut self.choosing {
            match file_chooser::show(ctx, dialog) {
                Choice::Open => return ExportDecision::None,
                Choice::Cancelled => {}
                Choice::Chosen(target) => self.choose(target),
            }
            self.choosing = None;
            return ExportDecision::None;
        }
        self.show_form(ctx)
    }

    /// Takes the target that the player chose. Its extension selects the format; after an unknown
    /// extension, the current format's is appended.
    fn choose(&mut self, target: PathBuf) {
        self.target = match ExportFormat::for_path(&target) {
            Some(format) => {
                self.format = *format;
                target
            }
            None => {
                let mut name = target.into_os_string();
                name.push(format!(".{}", self.format.extension));
                name.into()
            }
        };
        self.conflict = None;
        self.error = None;
    }

    fn show_form(&mut self, ctx: &egui::Context) -> ExportDecision {
        let conflict =
            if self.target.exists() { Some(&self.target) } else { self.conflict.as_ref() };
        let conflict =
            conflict.map(|file| file.file_name().unwrap_or_default().display().to_string());
        let replaces = conflict.is_some();
        let mut choose = false;
        let body = |ui: &mut Ui| {
            choose = self.fields(ui);
            if let Some(name) = &conflict {
                ui.label(
                    RichText::new(format!("{name} exists and will be replaced."))
                        .color(theme::ACCENT),
                );
            }
            if let Some(error) = &self.error {
                ui.add(egui::Label::new(RichText::new(error).color(theme::PROBLEM)).wrap());
            }
        };
        let foot = |ui: &mut Ui, ()| {
            theme::buttons(ui, |ui| {
                let export = theme::primary(ui, if replaces { "Replace" } else { "Export" }, 120.0)
                    .clicked();
                (export, theme::button(ui, "Cancel", 100.0).clicked())
            })
        };
        let (export, cancel) = theme::dialog(
            ctx,
            "Export",
            theme::DialogSize { width: 560.0, foot_height: theme::button_height(ctx) },
            body,
            foot,
        );
        let first = !std::mem::replace(&mut self.shown, true);
        let (enter, escape) =
            ctx.input(|i| (i.key_pressed(egui::Key::Enter), i.key_pressed(egui::Key::Escape)));
        if choose {
            self.choosing = Some(Box::new(target_chooser(ctx, &self.target, self.format)));
        } else if (cancel || escape) && !first {
            return ExportDecision::Close;
        } else if export || (enter && !first && !replaces) {
            self.begin(replaces);
        }
        ExportDecision::None
    }

    /// Draws the fields; true if the player wants to choose another target.
    fn fields(&mut self, ui: &mut Ui) -> bool {
        let label = |ui: &mut Ui, text: &str| ui.label(RichText::new(text).color(theme::FAINT));
        ui.add(egui::Label::new(RichText::new(&self.name).size(theme::LARGE)).truncate());
        match self.marked {
            Some(marked) => {
                ui.horizontal_wrapped(|ui| {
                    ui.radio_value(&mut self.only_box, false, "Whole map");
                    ui.radio_value(
                        &mut self.only_box,
                        true,
                        format!("Box {}", text::box_size(marked)),
                    );
                });
            }
            None => {
                label(
                    ui,
                    "The whole map. To export a part of it, select a box while playing: B, then two clicks.",
                );
            }
        }
        ui.add_space(4.0);
        label(ui, "Format");
        ui.horizontal_wrapped(|ui| {
            for &format in export::formats() {
                let name = format!("{} (.{})", format.name, format.extension);
                if ui.radio_value(&mut self.format, format, name).changed() {
                    let folder = self.target.parent().unwrap_or(Path::new("")).to_owned();
                    let stem =
                        self.target.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    self.target = free_target(&folder, &stem, format.extension);
                    self.conflict = None;
                    self.error = None;
                }
            }
        });
        ui.add_space(4.0);
        label(ui, "To");
        ui.horizontal(|ui| {
            let choose = ui.button("File...").clicked();
            ui.add(egui::Label::new(self.target.display().to_string()).truncate());
            choose
        })
        .inner
    }

    fn begin(&mut self, force: bool) {
        self.error = None;
        let source = self.source.clone();
        let target = self.target.clone();
        let area = self.marked.filter(|_| self.only_box);
        match Job::begin(move |progress| export_map(source, area, &target, force, progress)) {
            Ok(job) => self.running = Some(job),
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    fn show_progress(&mut self, ctx: &egui::Context, notices: &mut Notices) -> ExportDecision {
        let Some(job) = &mut self.running else { return ExportDecision::None };
        let done = job.done();
        let ending = job.is_cancelled();
        let body = |ui: &mut Ui| {
            ui.add(egui::Label::new(self.target.display().to_string()).truncate());
            ui.add(egui::ProgressBar::new(done).show_percentage());
        };
        let cancel = theme::dialog(
            ctx,
            "Exporting",
            theme::DialogSize { width: 460.0, foot_height: theme::button_height(ctx) },
            body,
            |ui, ()| {
                theme::buttons(ui, |ui| {
                    ui.add_enabled_ui(!ending, |ui| theme::button(ui, "Cancel", 100.0).clicked())
                        .inner
                })
            },
        );
        if cancel || ctx.input(|i| i.key_pressed(egui::Key::Escape)) {
            job.cancel();
        }
        let Some(result) = job.poll() else { return ExportDecision::None };
        self.running = None;
        match result {
            Ok(Ok(exported)) => {
                report(&exported, &self.target, notices);
                return ExportDecision::Close;
            }
            Ok(Err(ExportMapError::Export(ExportError::Cancelled { .. }))) => {}
            // The player is asked before the file is replaced.
            Ok(Err(ExportMapError::Export(ExportError::Exists { file }))) => {
                self.conflict = Some(file)
            }
            Ok(Err(error)) => self.error = Some(error.to_string()),
            Err(error) => self.error = Some(error.to_string()),
        }
        ExportDecision::None
    }
}

/// Reports the written file, and the data that the format cannot hold.
fn report(exported: &Exported, target: &Path, notices: &mut Notices) {
    let figures =
        exported.figures.iter().filter(|figure| figure.is_shown()).map(ToString::to_string);
    let parts: Vec<_> = figures.chain([format::bytes(exported.bytes)]).collect();
    notices.info(format!("Exported {}: {}", target.display(), parts.join(", ")));
    if !exported.losses.is_empty() {
        notices.warn(format!("Not exported: {}", exported.losses));
    }
    notices.warn_all(&exported.warnings);
}

/// A file in `folder` that does not exist yet: `NAME.ext`, or `NAME 2.ext`...
fn free_target(folder: &Path, name: &str, extension: &str) -> PathBuf {
    let numbered = (2..1000).map(|n| format!("{name} {n}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let path = |name: String| folder.join(format!("{name}.{extension}"));
    names.by_ref().map(path).find(|path| !path.exists()).unwrap_or_else(|| path(name.to_owned()))
}

/// A dialog that chooses the target.
fn target_chooser(ctx: &egui::Context, target: &Path, format: ExportFormat) -> FileDialog {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let folder = target.parent().filter(|folder| folder.is_dir());
    let mut dialog = file_chooser::new(ctx, "Export to", folder).default_file_name(&name);
    dialog = dialog
        .add_file_filter_extensions(format.name, vec![format.extension])
        .default_file_filter(format.name);
    dialog.save_file();
    dialog
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(folder: &Path) -> ExportDialog {
        let source = ExportSource::File(folder.join("home.stonerun"));
        let mut form = ExportDialog::new("home".into(), source, None, "");
        form.target = free_target(folder, "home", form.format.extension);
        form
    }

    #[test]
    fn extension_of_the_target_chooses_the_format() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut form = form(folder.path());
        assert_eq!(
            (form.format.extension, form.target.clone()),
            ("vox", folder.path().join("home.vox"))
        );
        form.choose(folder.path().join("a.GLB"));
        assert_eq!(
            (form.format.extension, form.target.clone()),
            ("glb", folder.path().join("a.GLB"))
        );
        form.choose(folder.path().join("my.house"));
        assert_eq!(
            (form.format.extension, form.target.clone()),
            ("glb", folder.path().join("my.house.glb"))
        );
    }

    #[test]
    fn form_opens_with_the_format_of_the_last_export() {
        let opened = |format| {
            let source = ExportSource::File("home.stonerun".into());
            let form = ExportDialog::new("home".into(), source, None, format);
            (
                form.format.extension,
                form.target.extension().map(|extension| extension.display().to_string()),
            )
        };
        assert_eq!(opened("glb"), ("glb", Some("glb".to_owned())));
        assert_eq!(opened("gone"), ("vox", Some("vox".to_owned())));
    }

    #[test]
    fn proposed_target_is_free() {
        let folder = tempfile::tempdir().expect("a folder");
        for expected in ["home.vox", "home 2.vox", "home 3.vox"] {
            let target = free_target(folder.path(), "home", "vox");
            assert_eq!(target, folder.path().join(expected));
            std::fs::write(target, "").expect("a file");
        }
    }
}
