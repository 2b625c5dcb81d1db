//! The import dialog: source, name of the map, options; then progress.

use crate::game::screens::title::new_map::{self, NameError};
use crate::game::state::format::counted;
use crate::game::state::notices::Notices;
use crate::game::ui_kit::file_chooser::{self, Choice};
use crate::game::ui_kit::job::Job;
use crate::game::ui_kit::{text, theme};
use bevy_egui::egui::{self, RichText, Ui};
use egui_file_dialog::{FileDialog, Filter};
use std::path::{Path, PathBuf};
use stonerun_engine::save::catalogue::{self, MapEntry};
use stonerun_exchange::heightmap::{self, HeightmapOptions, MetresPerBlockError};
use stonerun_exchange::{
    Dimension, ImportError, ImportFormat, ImportOptions, ImportToMapError, ImportedMap,
    SourceContent,
};

/// State of the dialog.
#[derive(Default)]
pub struct Import {
    source: Option<PathBuf>,
    name: String,
    /// Metres of height per block, as typed.
    metres: String,
    /// Dimensions of the source, if it is the folder of a Minecraft world.
    dimensions: Vec<Dimension>,
    /// Index of the chosen dimension.
    dimension: usize,
    /// Reason why the last import failed.
    error: Option<String>,
    /// True until the name field was shown and has taken the keyboard focus.
    fresh: bool,
    choosing: Option<Box<FileDialog>>,
    running: Option<RunningImport>,
}

struct RunningImport {
    map: PathBuf,
    job: Job<Result<ImportedMap, ImportToMapError>>,
}

/// An import as the form describes it.
struct ImportOrder {
    source: PathBuf,
    /// The new map's file.
    map: PathBuf,
    options: ImportOptions,
}

/// Reason why the form is invalid.
#[derive(thiserror::Error, Debug)]
enum FormProblem {
    #[error("no file or folder is chosen")]
    NoSource,
    #[error("this format cannot be imported")]
    UnknownFormat,
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(transparent)]
    Metres(#[from] MetresPerBlockError),
}

/// Outcome of a frame of the dialog.
pub enum ImportDecision {
    /// The dialog is still open.
    None,
    /// Cancelled.
    Cancel,
    /// The map was created.
    Open(PathBuf),
}

impl Import {
    /// True while an import runs.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// True while the file dialog is open.
    #[must_use]
    pub fn is_choosing(&self) -> bool {
        self.choosing.is_some()
    }

    /// Sets the source, and proposes its name for the map.
    pub fn take(&mut self, source: PathBuf, maps: &[MapEntry]) {
        let stem = if source.is_dir() { source.file_name() } else { source.file_stem() };
        let stem = stem.unwrap_or_default().to_string_lossy();
        self.name = text::free_name_like(
            &catalogue::name_from(&stem),
            maps.iter().map(|m| m.name.as_str()),
        );
        self.dimensions =
            if source.is_dir() { stonerun_exchange::dimensions_in(&source) } else { vec![] };
        // Dimension 0 is the overworld, if there is one.
        self.dimension = 0;
        self.source = Some(source);
        self.fresh = true;
        self.error = None;
        self.choosing = None;
    }

    /// Draws the form, or the progress of the import.
    pub fn show(
        &mut self,
        ctx: &egui::Context,
        folder: &Path,
        maps: &[MapEntry],
        notices: &mut Notices,
    ) -> ImportDecision {
        if self.running.is_some() {
            return self.show_progress(ctx, notices);
        }
        if let Some(dialog) = &mut self.choosing {
            match file_chooser::show(ctx, dialog) {
                Choice::Open => {}
                Choice::Cancelled => self.choosing = None,
                Choice::Chosen(source) => self.take(source, maps),
            }
            return ImportDecision::None;
        }
        self.show_form(ctx, folder, maps)
    }

    fn show_form(
        &mut self,
        ctx: &egui::Context,
        folder: &Path,
        maps: &[MapEntry],
    ) -> ImportDecision {
        let order = self.order(folder, maps);
        // While no source is chosen, the form is incomplete rather than wrong.
        let problem = self.error.clone().or_else(|| {
            order.as_ref().err().map(ToString::to_string).filter(|_| self.source.is_some())
        });
        // The key or click that opened the form must not confirm it.
        let first = self.fresh;
        let body = |ui: &mut Ui| {
            let choose = self.fields(ui);
            if let Some(problem) = problem {
                ui.add(egui::Label::new(RichText::new(problem).color(theme::PROBLEM)).wrap());
            }
            choose
        };
        let foot_height = theme::button_height(ctx);
        let (choose, import, cancel) = theme::dialog(
            ctx,
            "Import",
            theme::DialogSize { width: 560.0, foot_height },
            body,
            |ui, choose| {
                theme::buttons(ui, |ui| {
                    let import = ui
                        .add_enabled_ui(order.is_ok(), |ui| {
                            theme::primary(ui, "Import", 120.0).clicked()
                        })
                        .inner;
                    (choose, import, theme::button(ui, "Cancel", 100.0).clicked())
                })
            },
        );
        if let Some(what) = choose {
            self.choosing = Some(Box::new(file_dialog(ctx, what, self.source.as_deref())));
            return ImportDecision::None;
        }
        let (enter, escape) =
            ctx.input(|i| (i.key_pressed(egui::Key::Enter), i.key_pressed(egui::Key::Escape)));
        match order {
            _ if cancel || escape => return ImportDecision::Cancel,
            Ok(order) if import || (enter && !first) => self.begin(order),
            _ => {}
        }
        ImportDecision::None
    }

    /// The import from the form, or the reason why the form is invalid.
    fn order(&self, folder: &Path, maps: &[MapEntry]) -> Result<ImportOrder, FormProblem> {
        let source = self.source.clone().ok_or(FormProblem::NoSource)?;
        if !is_importable(&source) {
            return Err(FormProblem::UnknownFormat);
        }
        let map = new_map::target(folder, &self.name, maps)?;
        let metres_per_block = match self.metres.trim() {
            metres if metres.is_empty() || !is_heightmap(&source) => None,
            metres => Some(heightmap::parse_metres_per_block(metres)?),
        };
        let heightmap = HeightmapOptions { metres_per_block };
        // In a folder without known dimensions, the importer looks for regions in the folder
        // itself.
        let dimension = self.dimensions.get(self.dimension).cloned();
        Ok(ImportOrder { source, map, options: ImportOptions { heightmap, dimension } })
    }

    fn begin(&mut self, order: ImportOrder) {
        let ImportOrder { source, map, options } = order;
        self.error = None;
        let target = map.clone();
        match Job::begin(move |progress| {
            stonerun_exchange::import_to_map(&source, &target, options, progress)
        }) {
            Ok(job) => self.running = Some(RunningImport { map, job }),
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    fn fields(&mut self, ui: &mut Ui) -> Option<SourceChoice> {
        let label = |ui: &mut Ui, text: &str| ui.label(RichText::new(text).color(theme::FAINT));
        label(ui, "From");
        let mut choose = None;
        ui.horizontal(|ui| {
            for (text, what) in
                [("File...", SourceChoice::File), ("Folder...", SourceChoice::Folder)]
            {
                if ui.button(text).clicked() {
                    choose = Some(what);
                }
            }
            let hint = "a file, or the folder of a Minecraft world; or drop it on this window";
            match &self.source {
                Some(source) => ui.add(egui::Label::new(source.display().to_string()).truncate()),
                None => ui.add(egui::Label::new(RichText::new(hint).color(theme::FAINT)).wrap()),
            }
        });
        ui.add_space(4.0);
        if let Some(source) = self.source.as_deref().filter(|source| is_importable(source)) {
            label(ui, "Name of the map");
            let name = theme::name_field(ui, &mut self.name, "", std::mem::take(&mut self.fresh));
            let mut changed = name.is_changed;
            if is_heightmap(source) {
                ui.add_space(4.0);
                label(ui, "Metres of height per block");
                let hint = "empty: as few whole metres as keep the terrain within 384 blocks";
                changed |= theme::name_field(ui, &mut self.metres, hint, false).is_changed;
            }
            if self.dimensions.len() > 1 {
                ui.add_space(4.0);
                label(ui, "Dimension");
                ui.horizontal_wrapped(|ui| {
                    for (i, dimension) in self.dimensions.iter().enumerate() {
                        let name = text::title_case(&dimension.to_string());
                        changed |= ui.radio_value(&mut self.dimension, i, name).changed();
                    }
                });
            } else if let [only] = &self.dimensions[..]
                && *only != Dimension::default()
            {
                ui.add_space(4.0);
                ui.label(
                    RichText::new(format!("The world has only this dimension: {only}"))
                        .color(theme::FAINT),
                );
            }
            if changed {
                self.error = None;
            }
        } else {
            let formats: Vec<_> =
                stonerun_exchange::formats().iter().filter_map(file_format_text).collect();
            ui.label(RichText::new(formats.join("  ·  ")).small().color(theme::FAINT));
        }
        choose
    }

    fn show_progress(&mut self, ctx: &egui::Context, notices: &mut Notices) -> ImportDecision {
        let Some(running) = &mut self.running else { return ImportDecision::None };
        let done = running.job.done();
        let ending = running.job.is_cancelled();
        let body = |ui: &mut Ui| {
            ui.label(RichText::new(
                self.source.as_deref().unwrap_or(Path::new("")).display().to_string(),
            ));
            ui.add(egui::ProgressBar::new(done).show_percentage());
        };
        let cancel = theme::dialog(
            ctx,
            "Importing",
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
            running.job.cancel();
        }
        let Some(result) = running.job.poll() else { return ImportDecision::None };
        let map = std::mem::take(&mut running.map);
        let cancelled = running.job.is_cancelled();
        self.running = None;
        match result {
            // The import had finished before it was cancelled, so the new map is deleted.
            Ok(Ok(_)) if cancelled => {
                if let Err(error) = catalogue::delete_new(&map) {
                    notices.warn(error.to_string());
                }
            }
            Ok(Ok(made)) => {
                report(&made, &map, notices);
                return ImportDecision::Open(map);
            }
            Ok(Err(ImportToMapError::Import(ImportError::Cancelled { .. }))) => {}
            Ok(Err(error)) => self.error = Some(error.to_string()),
            Err(error) => self.error = Some(error.to_string()),
        }
        ImportDecision::None
    }
}

/// True if the path has a known extension or is a folder, which may be a world.
fn is_importable(source: &Path) -> bool {
    ImportFormat::for_path(source).is_some()
}

fn is_heightmap(source: &Path) -> bool {
    ImportFormat::for_path(source).is_some_and(|format| format.content == SourceContent::Heightmap)
}

/// Name and extensions of a format of files; `None` for folders, which have a button of their own.
fn file_format_text(format: &ImportFormat) -> Option<String> {
    let extensions: Vec<_> =
        format.extensions.iter().map(|extension| format!(".{extension}")).collect();
    (!format.is_folder()).then(|| format!("{} {}", format.name, extensions.join(" ")))
}

fn report(made: &ImportedMap, map: &Path, notices: &mut Notices) {
    let name = map.file_stem().unwrap_or_default().to_string_lossy();
    notices.info(format!(
        "Imported {name}: {}, {}",
        counted(made.voxels, "voxel"),
        text::box_size(made.bounds)
    ));
    if made.unfinished > 0 {
        let chunks = counted(made.unfinished, "chunk");
        notices.info(format!("{chunks} skipped: not fully generated"));
    }
    if !made.losses.is_empty() {
        notices.warn(format!("Not imported: {}", made.losses));
    }
    notices.warn_all(&made.warnings);
}

/// Kind of source to choose.
#[derive(Clone, Copy)]
enum SourceChoice {
    File,
    Folder,
}

/// A dialog that chooses a file or a folder, starting in the last folder.
fn file_dialog(ctx: &egui::Context, what: SourceChoice, last: Option<&Path>) -> FileDialog {
    const KNOWN: &str = "What can be imported";
    let title = match what {
        SourceChoice::File => "Choose a file",
        SourceChoice::Folder => "Choose the folder of a Minecraft world",
    };
    let mut dialog = file_chooser::new(ctx, title, last.and_then(Path::parent))
        .add_file_filter(
            KNOWN,
            Filter::new(|file: &Path| ImportFormat::for_extension(file).is_some()),
        )
        .default_file_filter(KNOWN);
    match what {
        SourceChoice::File => dialog.pick_file(),
        SourceChoice::Folder => dialog.pick_directory(),
    }
    dialog
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;
    use stonerun_engine::voxel::Box3;
    use stonerun_exchange::ImportLosses;

    #[test]
    fn world_folder_offers_its_dimensions() {
        let folder = tempfile::tempdir().expect("a folder");
        let world = folder.path().join("old world");
        for regions in ["DIM1/region", "DIM-1/region", "region"] {
            std::fs::create_dir_all(world.join(regions)).expect("a folder");
            std::fs::write(world.join(regions).join("r.0.0.mca"), [0; 8192]).expect("a region");
        }
        let mut form = Import::default();
        form.take(world.clone(), &[]);
        let names: Vec<_> = form.dimensions.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["overworld", "Nether", "End"]);
        let chosen =
            |form: &Import| form.order(folder.path(), &[]).expect("a valid form").options.dimension;
        assert_eq!(chosen(&form), Some(Dimension::default()));
        form.dimension = 1;
        assert_eq!(chosen(&form), "nether".parse().ok());
        // A folder of regions alone has no dimensions to choose from.
        form.take(world.join("region"), &[]);
        assert_eq!((form.name.as_str(), chosen(&form)), ("region", None));
        // A file that is chosen after a folder has no dimensions.
        form.take(folder.path().join("a.vox"), &[]);
        assert_eq!((form.dimensions.len(), chosen(&form)), (0, None));
    }

    #[test]
    fn losses_are_reported_in_one_line() {
        let mut made = ImportedMap {
            bounds: Box3 { min: IVec3::ZERO, max: IVec3::new(2, 3, 4) },
            voxels: 1,
            unfinished: 0,
            warnings: vec![],
            losses: ImportLosses::default(),
        };
        let lines = |made: &ImportedMap| {
            let mut notices = Notices::default();
            report(made, Path::new("maps/home.stonerun"), &mut notices);
            notices.list.into_iter().map(|notice| notice.text).collect::<Vec<_>>()
        };
        assert_eq!(lines(&made), ["Imported home: 1 voxel, 2 x 3 x 4"]);
        made.losses = ImportLosses { shapes: 4102, entities: 12, ..ImportLosses::default() };
        let expected = "Not imported: 4,102 plants under water; 12 entities";
        assert_eq!(lines(&made)[1], expected);
    }
}
