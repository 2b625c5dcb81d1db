//! The title screen: the game's name on the left, the maps on the right, a flight over the newest
//! map in the background.

use crate::game::building::export::dialog::{ExportDecision, ExportDialog};
use crate::game::pictures::sketches::Sketches;
use crate::game::screens::title::backups::{Backups, BackupsDecision};
use crate::game::screens::title::import::{Import, ImportDecision};
use crate::game::screens::title::list_place::ListPlace;
use crate::game::screens::title::map_card::{CardAction, CardStyle, Renaming};
use crate::game::screens::title::new_map::{NewMap, NewMapDecision};
use crate::game::screens::title::{logo, map_card, new_map};
use crate::game::state::format::counted;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::notices::Notices;
use crate::game::state::requests::Request;
use crate::game::state::screens::Menu;
use crate::game::state::settings::Settings;
use crate::game::ui_kit::icons::BlockIcons;
use crate::game::ui_kit::{theme, thumbnail};
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{self, Align, LayerId, Layout, Rect, RichText, Ui, UiBuilder, pos2, vec2};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use stonerun_engine::save::backup::{self, BackupFile};
use stonerun_engine::save::catalogue::{self, MapEntry};
use stonerun_exchange::ExportSource;

/// State of the title screen.
#[derive(Resource, Default)]
pub struct Title {
    folder: PathBuf,
    why: &'static str,
    maps: Vec<MapEntry>,
    /// Pictures of the maps as egui textures; `None` where one cannot be read.
    pictures: HashMap<PathBuf, Option<egui::TextureHandle>>,
    /// Computed pictures of maps and backups without one.
    sketches: Sketches,
    /// Backups by map, for maps that have any.
    backups: HashMap<PathBuf, Vec<BackupFile>>,
    dialog: TitleDialog,
    place: ListPlace,
}

/// The open dialog.
#[derive(Default)]
enum TitleDialog {
    #[default]
    Closed,
    /// New map.
    NewMap(NewMap),
    /// Renaming a map.
    Renaming(Renaming),
    /// Import.
    Importing(Import),
    /// Export of a map.
    Exporting(ExportDialog),
    /// Backups of a map.
    Backups(Backups),
    /// Confirmation before a map is deleted.
    Deleting(Deleting),
}

/// The files that a confirmed deletion removes.
struct Deleting {
    map: PathBuf,
    /// True if only backups are left: the map's own file is missing.
    gone: bool,
    question: String,
}

/// Reads the maps folder. The list keeps its scroll position.
pub fn reload_maps(mut title: ResMut<Title>, mut notices: ResMut<Notices>) {
    title.reload(&mut notices);
    title.place.restore();
}

/// Stops work that only the title screen needs.
pub fn leave(mut title: ResMut<Title>) {
    title.sketches.stop();
}

impl Title {
    /// Title of the open dialog, if any.
    #[must_use]
    pub fn open_dialog(&self) -> Option<&'static str> {
        match &self.dialog {
            TitleDialog::Closed | TitleDialog::Renaming(_) => None,
            TitleDialog::NewMap(_) => Some("New map"),
            TitleDialog::Importing(import) if import.is_running() => Some("Importing"),
            TitleDialog::Importing(import) if import.is_choosing() => Some("Choose a file"),
            TitleDialog::Importing(_) => Some("Import"),
            TitleDialog::Exporting(export) if export.is_running() => Some("Exporting"),
            TitleDialog::Exporting(_) => Some("Export"),
            TitleDialog::Backups(_) => Some("Backups"),
            TitleDialog::Deleting(..) => Some("Delete map"),
        }
    }

    /// The map that was saved last, unless its list entry reports a problem.
    #[must_use]
    pub fn newest_map(&self) -> Option<&MapEntry> {
        self.maps.first().filter(|map| map.problem.is_none())
    }

    /// True while a dialog is open that moves, deletes or replaces map files.
    #[must_use]
    pub fn changes_files(&self) -> bool {
        matches!(
            self.dialog,
            TitleDialog::Renaming(_) | TitleDialog::Backups(_) | TitleDialog::Deleting(_)
        )
    }

    /// Opens the import dialog for this file or folder.
    pub fn import(&mut self, source: PathBuf) {
        let mut import = Import::default();
        import.take(source, &self.maps);
        self.dialog = TitleDialog::Importing(import);
    }

    /// True while a job of an open dialog runs.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        match &self.dialog {
            TitleDialog::Importing(import) => import.is_running(),
            TitleDialog::Exporting(export) => export.is_running(),
            TitleDialog::Backups(list) => list.is_busy(),
            _ => false,
        }
    }

    fn reload(&mut self, notices: &mut Notices) {
        self.sketches.stop();
        (self.folder, self.why) = catalogue::maps_folder();
        self.dialog = TitleDialog::Closed;
        self.pictures.clear();
        self.maps = catalogue::list(&self.folder).unwrap_or_else(|error| {
            notices.warn(error.to_string());
            Vec::new()
        });
        self.backups.clear();
        for map in &self.maps {
            match backup::list(&map.path) {
                Ok(copies) if copies.is_empty() => {}
                Ok(copies) => _ = self.backups.insert(map.path.clone(), copies),
                Err(error) => notices.warn(error.to_string()),
            }
        }
    }

    /// Validates the typed name and shows the reason under the field; true if it is valid.
    fn check_name(&mut self) -> bool {
        let TitleDialog::Renaming(renaming) = &mut self.dialog else { return false };
        let others: Vec<MapEntry> =
            self.maps.iter().filter(|m| m.path != renaming.path).cloned().collect();
        let same = renaming.path.file_stem().is_some_and(|stem| stem == renaming.name.trim());
        let target = new_map::target(&self.folder, &renaming.name, &others);
        renaming.error = target.err().filter(|_| !same).map(|error| error.to_string());
        renaming.error.is_none()
    }

    fn take_name(&mut self, notices: &mut Notices) {
        let free = self.check_name();
        let TitleDialog::Renaming(renaming) = &mut self.dialog else { return };
        if free {
            match catalogue::rename(&renaming.path, renaming.name.trim()) {
                Ok(_) => return self.reload(notices),
                Err(error) => renaming.error = Some(error.to_string()),
            }
        }
        // The field takes the focus again, so that the player can correct the name.
        renaming.fresh = true;
    }

    fn delete(&mut self, map: &Path, gone: bool, notices: &mut Notices) {
        let deleted = if gone { catalogue::delete_backups(map) } else { catalogue::delete(map) };
        if let Err(error) = deleted {
            notices.warn(error.to_string());
        }
        self.reload(notices);
    }
}

/// Draws the title screen and handles its buttons.
pub fn show(
    mut contexts: EguiContexts,
    icons: BlockIcons,
    mut title: ResMut<Title>,
    mut menu: ResMut<Menu>,
    mut settings: ResMut<Settings>,
    mut notices: ResMut<Notices>,
    mut requests: MessageWriter<Request>,
    mut timings: ResMut<FrameTimings>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    timings.time(FrameStage::Interface, || {
        let title = &mut *title;
        let screen = ctx.viewport_rect();
        let small = theme::is_small(ctx);
        let margin = if small { 18.0 } else { 48.0 };
        // On very wide screens, the two halves stay close to the middle.
        let width = (screen.width() - 2.0 * margin).clamp(0.0, 1240.0);
        let all =
            Rect::from_center_size(screen.center(), vec2(width, screen.height() - 2.0 * margin));
        let left_width = (all.width() * 0.36).min(420.0);
        let gap = if small { 18.0 } else { 44.0 };
        let foot = all.bottom() - 18.0;
        let left = Rect::from_min_max(all.min, pos2(all.left() + left_width, foot));
        let right =
            Rect::from_min_max(pos2(left.right() + gap, all.top()), pos2(all.right(), foot - 14.0));
        let builder = UiBuilder::new().layer_id(LayerId::background()).max_rect(screen);
        let mut root = Ui::new(ctx.clone(), "title".into(), builder);
        // A shade from the left keeps name and buttons readable on any sky.
        let shade = Rect::from_min_max(screen.min, pos2(right.left() + 100.0, screen.bottom()));
        let colours = [egui::Color32::from_black_alpha(150), egui::Color32::TRANSPARENT];
        root.painter().add(egui::Shape::gradient_rect(
            shade,
            egui::Direction::LeftToRight,
            colours,
        ));

        menu_column(&mut root, &icons, left, title, &mut menu, &mut requests);
        map_list(
            &mut root,
            &icons,
            right,
            title,
            &settings.export_format,
            &mut notices,
            &mut requests,
        );
        let place =
            format!("Maps are kept in the folder {} ({})", title.folder.display(), title.why);
        let at = Rect::from_min_max(pos2(all.left(), foot), all.max);
        root.scope_builder(UiBuilder::new().max_rect(at), |ui| {
            theme::on_sky(ui, &place, theme::SMALL);
        });
        if *menu == Menu::None {
            dialogs(ctx, &icons, title, &mut settings, &mut notices, &mut requests);
        }
    });
}

fn menu_column(
    root: &mut Ui,
    icons: &BlockIcons,
    rect: Rect,
    title: &mut Title,
    menu: &mut Menu,
    requests: &mut MessageWriter<Request>,
) {
    let small = theme::is_small(root.ctx());
    let logo_at = rect.min + vec2(0.0, if small { 4.0 } else { rect.height() * 0.06 });
    logo::paint(root.painter(), icons, logo_at, rect.width());
    let below = logo_at.y + logo::height(rect.width()) + 8.0;
    let column = Rect::from_min_max(pos2(rect.left(), below), rect.max);
    root.scope_builder(UiBuilder::new().max_rect(column), |ui| {
        let size = if small { theme::SMALL } else { theme::LARGE };
        theme::on_sky(ui, "a world that is runs all the way down", size);
        ui.add_space(if small { 14.0 } else { 44.0 });
        ui.spacing_mut().item_spacing.y = if small { 6.0 } else { 10.0 };
        let width = rect.width().min(260.0);
        if theme::primary(ui, "New map", width).clicked() {
            title.dialog = TitleDialog::NewMap(NewMap::new(&title.maps));
        }
        if theme::button(ui, "Import", width).clicked() {
            title.dialog = TitleDialog::Importing(Import::default());
        }
        if theme::button(ui, "Settings", width).clicked() {
            *menu = Menu::Settings;
        }
        if theme::button(ui, "Quit", width).clicked() {
            requests.write(Request::Quit);
        }
    });
}

fn map_list(
    root: &mut Ui,
    icons: &BlockIcons,
    rect: Rect,
    title: &mut Title,
    export_format: &str,
    notices: &mut Notices,
    requests: &mut MessageWriter<Request>,
) {
    let frame = theme::panel(root.ctx());
    let inside = rect - frame.total_margin();
    root.painter().add(frame.paint(inside));
    let mut action = None;
    // A click that closes a card's menu must not open the map below.
    let menu_open = egui::Popup::is_any_open(root.ctx());
    root.scope_builder(UiBuilder::new().max_rect(inside), |ui| {
        ui.horizontal(|ui| {
            theme::heading(ui, "Maps");
            let count = title.maps.len();
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.label(RichText::new(count.to_string()).color(theme::FAINT));
            });
        });
        if title.maps.is_empty() {
            ui.add_space(12.0);
            ui.label(
                RichText::new("There are no maps yet. Create one with \"New map\".")
                    .color(theme::FAINT),
            );
        }
        let place = &mut title.place;
        place.show(ui, |ui, place| {
            ui.spacing_mut().item_spacing.y = 8.0;
            for (i, map) in title.maps.iter().enumerate() {
                let picture = title.pictures.entry(map.path.clone()).or_insert_with(|| {
                    let png = map.picture.as_deref();
                    png.and_then(|png| thumbnail::load(ui.ctx(), png))
                });
                let picture = match picture {
                    Some(picture) => Some(picture.clone()),
                    None if map.problem.is_none() => {
                        title.sketches.picture(ui.ctx(), &map.path, map.version())
                    }
                    None => None,
                };
                let renaming = match &mut title.dialog {
                    TitleDialog::Renaming(renaming) if renaming.path == map.path => Some(renaming),
                    _ => None,
                };
                let backups = title.backups.contains_key(&map.path);
                let style = CardStyle {
                    backups,
                    clickable: !menu_open,
                    chosen: place.is_chosen(&map.path),
                };
                let top = ui.cursor().top();
                let asked = map_card::show(ui, icons, map, picture.as_ref(), renaming, style);
                place.note(ui, &map.path, top);
                action = action.take().or(asked.map(|asked| (i, asked)));
            }
        });
    });
    let Some((i, action)) = action else { return };
    // A running sketch may keep the map's file open, which the action may rename or delete.
    title.sketches.stop();
    let map = &title.maps[i];
    title.place.choose(&map.path);
    match action {
        CardAction::Open => {
            requests.write(Request::Open(map.path.clone()));
        }
        CardAction::Rename => {
            let path = map.path.clone();
            let name = map.name.clone();
            title.dialog = TitleDialog::Renaming(Renaming { path, name, error: None, fresh: true });
        }
        CardAction::CheckName => _ = title.check_name(),
        CardAction::TakeName => title.take_name(notices),
        CardAction::KeepName => title.dialog = TitleDialog::Closed,
        CardAction::Backups => {
            let copies = title.backups.get(&map.path).cloned().unwrap_or_default();
            title.dialog = TitleDialog::Backups(Backups::new(map, copies));
        }
        CardAction::Export => {
            let source = ExportSource::File(map.path.clone());
            title.dialog = TitleDialog::Exporting(ExportDialog::new(
                map.name.clone(),
                source,
                None,
                export_format,
            ));
        }
        CardAction::Delete => {
            let name = &map.name;
            let backups = title.backups.get(&map.path).map_or(0, |copies| copies.len() as u64);
            let backups = counted(backups, "backup");
            let what = if map.gone {
                format!("the {backups} of \"{name}\"")
            } else if title.backups.contains_key(&map.path) {
                format!("\"{name}\" and its {backups}")
            } else {
                format!("\"{name}\"")
            };
            let question = format!("Delete {what}? This cannot be undone.");
            title.dialog =
                TitleDialog::Deleting(Deleting { map: map.path.clone(), gone: map.gone, question });
        }
    }
}

fn dialogs(
    ctx: &egui::Context,
    icons: &BlockIcons,
    title: &mut Title,
    settings: &mut ResMut<Settings>,
    notices: &mut Notices,
    requests: &mut MessageWriter<Request>,
) {
    match &mut title.dialog {
        TitleDialog::NewMap(form) => match form.show(ctx, &title.folder, &title.maps) {
            NewMapDecision::None => {}
            NewMapDecision::Cancel => title.dialog = TitleDialog::Closed,
            NewMapDecision::Create(request) => {
                requests.write(request);
            }
        },
        TitleDialog::Importing(import) => {
            match import.show(ctx, &title.folder, &title.maps, notices) {
                ImportDecision::None => {}
                ImportDecision::Cancel => title.dialog = TitleDialog::Closed,
                ImportDecision::Open(map) => {
                    title.dialog = TitleDialog::Closed;
                    requests.write(Request::Open(map));
                }
            }
        }
        TitleDialog::Exporting(export) => {
            let decision = export.show(ctx, notices);
            export.remember_format(settings);
            if decision == ExportDecision::Close {
                title.dialog = TitleDialog::Closed;
            }
        }
        TitleDialog::Backups(list) => match list.show(ctx, icons, &mut title.sketches) {
            BackupsDecision::None => {}
            BackupsDecision::Close => title.dialog = TitleDialog::Closed,
            BackupsDecision::Restored(line) => {
                notices.info(line);
                title.reload(notices);
            }
            BackupsDecision::Failed(line) => {
                notices.warn(line);
                title.reload(notices);
            }
        },
        TitleDialog::Deleting(Deleting { map, gone, question }) => {
            let map = map.clone();
            let gone = *gone;
            let question = question.clone();
            let body = |ui: &mut Ui| {
                ui.label(question);
            };
            let (delete, keep) = theme::dialog(
                ctx,
                "Delete map",
                theme::DialogSize { width: 380.0, foot_height: theme::button_height(ctx) },
                body,
                |ui, ()| {
                    theme::buttons(ui, |ui| {
                        let keep = theme::primary(ui, "Cancel", 100.0).clicked();
                        (theme::button(ui, "Delete", 100.0).clicked(), keep)
                    })
                },
            );
            if delete {
                title.delete(&map, gone, notices);
            } else if keep || ctx.input(|i| i.key_pressed(egui::Key::Escape)) {
                title.dialog = TitleDialog::Closed;
            }
        }
        TitleDialog::Closed | TitleDialog::Renaming(_) => {}
    }
}
