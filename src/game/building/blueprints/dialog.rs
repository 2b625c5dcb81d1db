//! The library of blueprints, from the pause menu or with `Ctrl+B`: loads a file into the
//! clipboard, and saves the clipboard as a file. Files dropped on the window while playing are
//! added and loaded.

use crate::game::building::blueprints::library::{self, BlueprintFile};
use crate::game::building::blueprints::load::{LoadError, LoadedBlueprint, load};
use crate::game::building::blueprints::picture;
use crate::game::building::builder::clipboard::BuilderClipboard;
use crate::game::building::builder::tools::paste::PasteTool;
use crate::game::pictures::sketches::Sketches;
use crate::game::state::builder_mode::{BuilderMode, Tool};
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::keys::{KeyAction, KeyInput, KeyboardLayout};
use crate::game::state::notices::Notices;
use crate::game::state::screens::Menu;
use crate::game::state::session::OpenMap;
use crate::game::state::settings::Settings;
use crate::game::ui_kit::icons::BlockIcons;
use crate::game::ui_kit::job::Job;
use crate::game::ui_kit::{text, theme, thumbnail};
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{self, Align, Label, Layout, RichText, Ui, vec2};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stonerun_engine::edit::clipboard::Clipboard;
use stonerun_engine::metrics::thousands;
use stonerun_engine::save::{BLUEPRINT_EXTENSION, BlueprintError, catalogue};
use stonerun_engine::voxel::MaterialTable;
use stonerun_exchange::Progress;

/// Size of a picture, in points.
const PICTURE: egui::Vec2 = vec2(112.0, 63.0);

/// State of the dialog between frames, and its jobs.
#[derive(Resource, Default)]
pub struct BlueprintsDialog {
    files: Vec<BlueprintFile>,
    /// Error of listing the folder, or of saving the last file.
    problem: Option<String>,
    /// Name under which the clipboard will be saved.
    name: String,
    /// The file to delete once the player confirms.
    deleting: Option<PathBuf>,
    sketches: Sketches,
    loading: Option<(PathBuf, Job<Result<LoadedBlueprint, LoadError>>)>,
    saving: Option<(PathBuf, Job<Result<u64, BlueprintError>>)>,
    /// True if the dialog was opened in play, not from the pause menu.
    from_play: bool,
}

/// Request of a button of the dialog.
enum BlueprintAction {
    Load(PathBuf),
    AskToDelete(Option<PathBuf>),
    Delete(PathBuf),
    Save,
    Close,
}

impl BlueprintsDialog {
    /// The menu to return to when the dialog closes.
    #[must_use]
    pub fn behind(&self) -> Menu {
        if self.from_play { Menu::None } else { Menu::Pause }
    }

    /// Lists the folder again.
    fn list(&mut self) {
        let folder = library::folder();
        match library::list(&folder) {
            Ok(files) => self.files = files,
            Err(error) => self.problem = Some(format!("{}: {error}", folder.display())),
        }
    }

    /// Loads a file into the clipboard, in the background.
    pub fn load(&mut self, path: PathBuf, materials: &Arc<MaterialTable>, notices: &mut Notices) {
        self.begin_loading(path, materials, notices, |file| Ok(file.to_owned()));
    }

    /// Adds a file to the library, and loads it, in the background.
    pub fn add(&mut self, file: &Path, materials: &Arc<MaterialTable>, notices: &mut Notices) {
        self.begin_loading(file.to_owned(), materials, notices, |file| {
            library::add(&library::folder(), file)
        });
    }

    /// Loads the file that `find` returns.
    fn begin_loading(
        &mut self,
        path: PathBuf,
        materials: &Arc<MaterialTable>,
        notices: &mut Notices,
        find: fn(&Path) -> io::Result<PathBuf>,
    ) {
        if self.loading.is_some() {
            return notices.info("Another blueprint is being loaded");
        }
        self.sketches.stop();
        let file = path.clone();
        let materials = Arc::clone(materials);
        let work = move |progress: &mut Progress| match find(&file) {
            Ok(found) => load(&found, &materials, progress),
            Err(source) => Err(LoadError::Add { path: file, source }),
        };
        match Job::begin(work) {
            Ok(job) => self.loading = Some((path, job)),
            Err(error) => notices.warn(error.to_string()),
        }
    }

    /// Saves the clipboard under the name that was typed, in the background.
    fn save(&mut self, clipboard: Clipboard, materials: Arc<MaterialTable>) {
        let folder = library::folder();
        let path = folder.join(format!("{}.{BLUEPRINT_EXTENSION}", self.name.trim()));
        let target = path.clone();
        let work = move |_: &mut Progress| {
            // If this fails, saving reports the reason.
            let _ = std::fs::create_dir_all(&folder);
            clipboard.to_blueprint(&materials).save(&target, false)
        };
        match Job::begin(work) {
            Ok(job) => self.saving = Some((path, job)),
            Err(error) => self.problem = Some(error.to_string()),
        }
    }
}

/// Lists the folder when the dialog opens.
pub fn begin(menu: Res<Menu>, mut dialog: ResMut<BlueprintsDialog>) {
    if *menu == Menu::Blueprints {
        dialog.problem = None;
        dialog.deleting = None;
        dialog.list();
    } else {
        dialog.from_play = false;
    }
}

/// Drops the state of the closed map.
pub fn forget(mut dialog: ResMut<BlueprintsDialog>) {
    *dialog = BlueprintsDialog::default();
}

/// Handles the results of jobs that loaded or saved a file.
pub fn take_in(
    mut dialog: ResMut<BlueprintsDialog>,
    map: Res<OpenMap>,
    clipboard: Res<BuilderClipboard>,
    mut mode: ResMut<BuilderMode>,
    mut paste: ResMut<PasteTool>,
    mut menu: ResMut<Menu>,
    mut notices: ResMut<Notices>,
) {
    let dialog = dialog.bypass_change_detection();
    if let Some(result) = dialog.loading.as_mut().and_then(|(_, job)| job.poll())
        && let Some((path, _)) = dialog.loading.take()
    {
        match result {
            Ok(Ok(loaded)) => {
                notices.warn_all(&loaded.warnings);
                // The map may have got other materials while the file was read.
                let copied = match map.growing.adopted(&loaded.clipboard, &loaded.materials) {
                    Ok(copied) => copied,
                    Err(error) => return notices.warn(format!("{}: {error}", path.display())),
                };
                let size = copied.size();
                let voxels = thousands(copied.volume());
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                notices.info(format!(
                    "{name}: {} x {} x {}, {voxels} voxels; click to paste it",
                    size.x, size.y, size.z
                ));
                clipboard.set(Some(copied));
                mode.is_on = true;
                mode.tool = Tool::Paste;
                // A fixed place would be where an earlier copy was to be pasted.
                paste.fixed = None;
                // Other dialogs, such as the question before a large edit, stay open.
                if matches!(*menu, Menu::Blueprints | Menu::Pause) {
                    *menu = Menu::None;
                }
            }
            Ok(Err(error)) => notices.warn(format!("Not loaded: {error}")),
            Err(error) => notices.warn(format!("{}: {error}", path.display())),
        }
    }
    if let Some(result) = dialog.saving.as_mut().and_then(|(_, job)| job.poll())
        && let Some((path, _)) = dialog.saving.take()
    {
        dialog.problem = match result {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(error) => Some(format!("{}: {error}", path.display())),
        };
        if dialog.problem.is_none() {
            dialog.name.clear();
        }
        dialog.list();
    }
}

/// Opens the dialog by its key.
pub fn open(keys: Res<KeyInput>, mut menu: ResMut<Menu>, mut dialog: ResMut<BlueprintsDialog>) {
    if keys.just_pressed(KeyAction::Blueprints) {
        dialog.from_play = *menu == Menu::None;
        *menu = Menu::Blueprints;
    }
}

/// Draws the dialog and handles its buttons.
pub fn show(
    mut contexts: EguiContexts,
    icons: BlockIcons,
    map: Res<OpenMap>,
    clipboard: Res<BuilderClipboard>,
    mut dialog: ResMut<BlueprintsDialog>,
    mut menu: ResMut<Menu>,
    mut notices: ResMut<Notices>,
    settings: Res<Settings>,
    mut timings: ResMut<FrameTimings>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    timings.time(FrameStage::Interface, || {
        let (copied, revision) = clipboard.get();
        let materials = &map.materials;
        let BlueprintsDialog { files, problem, name, deleting, sketches, loading, saving, .. } =
            &mut *dialog;
        let copy = copied.as_ref().map(|copied| {
            let clipboard = copied.clone();
            let table = Arc::clone(materials);
            let picture = sketches.computed(ctx, (PathBuf::new(), revision), || {
                move |progress: &mut Progress| picture(&clipboard, &table, progress)
            });
            (copied.size(), picture)
        });
        let can_load = map.read_only.is_none() && loading.is_none();
        let files = &*files;
        let is_saving = saving.is_some();
        let foot = 2.0 * (theme::button_height(ctx) + 6.0) + 24.0;
        let mut pictures = |file: &BlueprintFile| {
            loading.is_none().then(|| file_picture(ctx, sketches, file, materials)).flatten()
        };
        let action = theme::dialog(
            ctx,
            "Blueprints",
            theme::DialogSize { width: 620.0, foot_height: foot },
            |ui| {
                if let Some(problem) = problem {
                    ui.label(RichText::new(&*problem).color(theme::PROBLEM));
                }
                list(ui, &icons, files, deleting.as_deref(), can_load, &mut pictures)
            },
            |ui, action| {
                let saved = save_row(ui, &icons, copy, name, files, is_saving, settings.keyboard);
                let close = theme::buttons(ui, |ui| theme::button(ui, "Back", 110.0).clicked());
                action.or(saved).or(close.then_some(BlueprintAction::Close))
            },
        );
        match action {
            Some(BlueprintAction::Load(path)) => dialog.load(path, materials, &mut notices),
            Some(BlueprintAction::AskToDelete(path)) => dialog.deleting = path,
            Some(BlueprintAction::Delete(path)) => {
                dialog.deleting = None;
                dialog.problem = std::fs::remove_file(&path)
                    .err()
                    .map(|error| format!("{}: {error}", path.display()));
                dialog.list();
            }
            Some(BlueprintAction::Save) => {
                if let Some(copied) = copied {
                    dialog.save(copied, Arc::clone(materials));
                }
            }
            Some(BlueprintAction::Close) => *menu = dialog.behind(),
            None => {}
        }
    });
}

/// Draws the files, each with picture, figures and buttons.
fn list(
    ui: &mut Ui,
    icons: &BlockIcons,
    files: &[BlueprintFile],
    deleting: Option<&Path>,
    can_load: bool,
    pictures: &mut dyn FnMut(&BlueprintFile) -> Option<egui::TextureHandle>,
) -> Option<BlueprintAction> {
    if files.is_empty() {
        let folder = library::folder();
        let text = format!(
            "No files in {}. Drop a .schem, .litematic or .vox file on the window, or save what you have copied.",
            folder.display()
        );
        ui.label(RichText::new(text).color(theme::FAINT));
    }
    let mut action = None;
    for file in files {
        // One picture is computed at a time, and only for files in view.
        let (rect, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), PICTURE.y), egui::Sense::hover());
        if !ui.is_rect_visible(rect) {
            continue;
        }
        let known = pictures(file);
        ui.scope_builder(egui::UiBuilder::new().max_rect(rect), |ui| {
            ui.horizontal(|ui| {
                thumbnail::show(ui, icons, known.as_ref(), PICTURE);
                ui.vertical(|ui| {
                    ui.set_width((ui.available_width() - 150.0).max(40.0));
                    ui.add(Label::new(RichText::new(&file.name).size(theme::LARGE)).truncate());
                    let facts = format!(
                        ".{} · {} · {}",
                        file.extension,
                        text::size(file.bytes),
                        text::moment(file.changed_unix)
                    );
                    ui.add(Label::new(RichText::new(facts).small().color(theme::FAINT)).truncate());
                });
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let asked = deleting == Some(file.path.as_path());
                    let buttons = if asked { ["Cancel", "Delete it"] } else { ["Delete", "Load"] };
                    for name in buttons {
                        let enabled = asked || name == "Delete" || can_load;
                        if ui.add_enabled(enabled, egui::Button::new(name)).clicked() {
                            action = Some(match name {
                                "Load" => BlueprintAction::Load(file.path.clone()),
                                "Delete it" => BlueprintAction::Delete(file.path.clone()),
                                "Delete" => BlueprintAction::AskToDelete(Some(file.path.clone())),
                                _ => BlueprintAction::AskToDelete(None),
                            });
                        }
                    }
                });
            });
        });
    }
    action
}

/// The picture of a file.
fn file_picture(
    ctx: &egui::Context,
    sketches: &mut Sketches,
    file: &BlueprintFile,
    materials: &Arc<MaterialTable>,
) -> Option<egui::TextureHandle> {
    let path = file.path.clone();
    let materials = Arc::clone(materials);
    sketches.computed(ctx, (file.path.clone(), file.version), || {
        move |progress: &mut Progress| {
            let loaded = load(&path, &materials, progress).ok()?;
            picture(&loaded.clipboard, &loaded.materials, progress)
        }
    })
}

/// Draws the row that saves the clipboard, with its size and picture.
fn save_row(
    ui: &mut Ui,
    icons: &BlockIcons,
    copy: Option<(IVec3, Option<egui::TextureHandle>)>,
    name: &mut String,
    files: &[BlueprintFile],
    is_saving: bool,
    keyboard: KeyboardLayout,
) -> Option<BlueprintAction> {
    let height = theme::button_height(ui.ctx());
    let Some((size, picture)) = copy else {
        let [build, copy] =
            [KeyAction::BuilderMode, KeyAction::Copy].map(|action| keyboard.label(action));
        let text = format!(
            "Select a box in the builder mode ({build}) and copy it with {copy} to save it here."
        );
        ui.label(RichText::new(text).color(theme::FAINT));
        return None;
    };
    let problem = name_problem(name, files);
    let mut save = false;
    ui.horizontal(|ui| {
        thumbnail::show(ui, icons, picture.as_ref(), vec2(height * 16.0 / 9.0, height));
        ui.label(format!("{} x {} x {}", size.x, size.y, size.z));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let enabled = problem.is_none() && !is_saving;
            let clicked =
                ui.add_enabled_ui(enabled, |ui| theme::primary(ui, "Save", 90.0).clicked()).inner;
            let field = theme::name_field(ui, name, "Name of the copied blocks", false);
            save = clicked || (enabled && field.is_entered);
        });
    });
    let shown = problem.filter(|_| !name.is_empty()).unwrap_or_else(|| " ".to_owned());
    ui.label(RichText::new(shown).small().color(theme::PROBLEM));
    save.then_some(BlueprintAction::Save)
}

/// Reason why a blueprint cannot have this name; `None` if it can.
fn name_problem(name: &str, files: &[BlueprintFile]) -> Option<String> {
    let name = name.trim();
    if let Err(error) = catalogue::valid_name(name) {
        return Some(error.to_string());
    }
    let is_taken =
        |file: &BlueprintFile| file.extension == BLUEPRINT_EXTENSION && file.name == name;
    files.iter().any(is_taken).then(|| "there is a blueprint of this name".to_owned())
}
