//! The places of a map, from the pause menu: travel to a place, name the present place, rename and
//! delete places.

use crate::game::state::compass;
use crate::game::state::format;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::player::Player;
use crate::game::state::screens::Menu;
use crate::game::state::session::{OpenMap, SaveQueue};
use crate::game::state::travel::Travel;
use crate::game::ui_kit::theme;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{self, Frame, Label, Layout, Margin, Response, RichText, Ui, vec2};
use glam::{DVec2, DVec3};
use stonerun_engine::save::places::START;
use stonerun_engine::save::{NamedPlace, PlaceError, Places};

/// Minimum width of a name next to its buttons. With less, the buttons are below it.
const MIN_NAME_WIDTH: f32 = 180.0;
/// Width of the buttons of a place.
const BUTTONS: f32 = 220.0;
/// Width of a single button.
const BUTTON: f32 = 56.0;
/// Distance up to which the player counts as being at a place, in voxels.
const HERE: f64 = 2.0;

/// State of the dialog between frames.
#[derive(Resource, Default)]
pub struct PlacesDialog {
    /// Name for the present place.
    name: String,
    /// True until the field for the name has the focus.
    fresh: bool,
    /// Index of the place that is being renamed or deleted.
    open: Option<(usize, OpenRow)>,
}

/// A place that shows more than its name and buttons.
enum OpenRow {
    /// The new name as typed, and true until its field has the focus.
    Rename(String, bool),
    /// The player is asked whether to delete the place.
    Delete,
}

/// Request of a button of the dialog.
enum PlaceAction {
    /// Travels to a place; `None` is the spawn point.
    Go(Option<usize>),
    /// Adds the present place under the typed name.
    Remember,
    /// Opens a row to rename or delete a place; `None` closes it.
    Open(Option<(usize, OpenRow)>),
    /// Gives a place a new name.
    Rename(usize, String),
    /// Deletes a place.
    Delete(usize),
}

/// Resets the dialog when it opens.
pub fn begin(menu: Res<Menu>, mut dialog: ResMut<PlacesDialog>) {
    if *menu == Menu::Places {
        *dialog = PlacesDialog { fresh: true, ..PlacesDialog::default() };
    }
}

/// Draws the dialog and handles its buttons.
pub fn show(
    mut contexts: EguiContexts,
    mut map: ResMut<OpenMap>,
    mut saves: ResMut<SaveQueue>,
    player: Res<Player>,
    mut menu: ResMut<Menu>,
    mut dialog: ResMut<PlacesDialog>,
    mut travels: MessageWriter<Travel>,
    mut timings: ResMut<FrameTimings>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    timings.time(FrameStage::Interface, || {
        let from = player.body().position;
        let can_save = map.read_only.is_none();
        let button = theme::button_height(ctx) + 6.0;
        let foot = if can_save { 2.0 * button + 18.0 } else { button };
        let PlacesDialog { name, fresh, open } = &mut *dialog;
        let present = present_place(&player, name);
        let problem = map.places.clone().add(present.clone()).err();
        let (action, back) = theme::dialog(
            ctx,
            "Places",
            theme::DialogSize { width: 600.0, foot_height: foot },
            |ui| list(ui, &map, from, open),
            |ui, action| {
                let remember =
                    if can_save { remember_row(ui, name, fresh, problem.as_ref()) } else { None };
                let back = theme::buttons(ui, |ui| theme::button(ui, "Back", 110.0).clicked());
                (action.or(remember), back)
            },
        );
        let mut change = |edit: &dyn Fn(&mut Places) -> Result<(), PlaceError>| {
            // A refused name needs no report here: the reason is shown next to its field.
            if edit(&mut map.places).is_ok() {
                saves.set_places(map.places.clone());
            }
        };
        match action {
            Some(PlaceAction::Go(index)) => {
                let spawn = Travel { position: DVec3::from_array(map.header.spawn), look: None };
                let place = index.and_then(|index| map.places.iter().nth(index));
                travels.write(place.map_or(spawn, travel_to));
                *menu = Menu::None;
            }
            Some(PlaceAction::Remember) => {
                change(&|places| places.add(present.clone()));
                *dialog = PlacesDialog { fresh: true, ..PlacesDialog::default() };
            }
            Some(PlaceAction::Open(row)) => dialog.open = row,
            Some(PlaceAction::Rename(index, name)) => {
                change(&|places| places.rename(index, &name));
                dialog.open = None;
            }
            Some(PlaceAction::Delete(index)) => {
                change(&|places| {
                    places.remove(index);
                    Ok(())
                });
                dialog.open = None;
            }
            None => {}
        }
        if back {
            *menu = Menu::Pause;
        }
    });
}

/// The place where the player's body is.
fn present_place(player: &Player, name: &str) -> NamedPlace {
    let [yaw, pitch] = player.body_look();
    NamedPlace { name: name.to_owned(), position: player.body().position.to_array(), yaw, pitch }
}

fn travel_to(place: &NamedPlace) -> Travel {
    Travel { position: DVec3::from_array(place.position), look: Some([place.yaw, place.pitch]) }
}

/// Draws all places, the spawn point first. A read-only map offers only travel.
fn list(
    ui: &mut Ui,
    map: &OpenMap,
    from: DVec3,
    open: &mut Option<(usize, OpenRow)>,
) -> Option<PlaceAction> {
    let mut action = card(ui, START, &whereabouts(from, map.header.spawn), BUTTON, |ui| {
        go(ui).clicked().then_some(PlaceAction::Go(None))
    });
    let can_save = map.read_only.is_none();
    for (index, place) in map.places.iter().enumerate() {
        let at = whereabouts(from, place.position);
        let row = open.as_mut().filter(|(opened, _)| *opened == index).map(|(_, row)| row);
        let chosen = match row {
            Some(OpenRow::Rename(name, fresh)) => rename_card(ui, &map.places, index, name, fresh),
            Some(OpenRow::Delete) => {
                card(ui, &format!("Delete {}?", place.name), &at, BUTTONS, |ui| {
                    answers(ui, RichText::new("Delete").color(theme::PROBLEM), true, || {
                        PlaceAction::Delete(index)
                    })
                })
            }
            None if can_save => {
                card(ui, &place.name, &at, BUTTONS, |ui| place_buttons(ui, index, &place.name))
            }
            None => card(ui, &place.name, &at, BUTTON, |ui| {
                go(ui).clicked().then_some(PlaceAction::Go(Some(index)))
            }),
        };
        action = action.or(chosen);
    }
    if map.places.is_empty() && can_save {
        ui.label(
            RichText::new("Name the place where you are, and you can come back to it.")
                .color(theme::FAINT),
        );
    }
    action
}

/// Draws the frame of a place: name, whereabouts, and buttons of a `width`.
fn card<T>(
    ui: &mut Ui,
    name: &str,
    at: &str,
    width: f32,
    buttons: impl FnOnce(&mut Ui) -> Option<T>,
) -> Option<T> {
    raised(ui, |ui| {
        let words = |ui: &mut Ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.add(Label::new(RichText::new(name).size(theme::LARGE)).truncate());
            ui.add(Label::new(RichText::new(at).small().color(theme::FAINT)).truncate());
        };
        if ui.available_width() < MIN_NAME_WIDTH + width {
            words(ui);
            return ui.horizontal(buttons).inner;
        }
        ui.horizontal_top(|ui| {
            let room = vec2(ui.available_width() - width, 0.0);
            let words =
                ui.allocate_ui_with_layout(room, Layout::top_down(egui::Align::Min), |ui| {
                    ui.set_width(room.x);
                    words(ui);
                });
            let rest = vec2(ui.available_width(), words.response.rect.height());
            ui.allocate_ui_with_layout(rest, Layout::right_to_left(egui::Align::Center), buttons)
                .inner
        })
        .inner
    })
}

fn raised<T>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> T) -> T {
    let frame = Frame::new()
        .fill(theme::RAISED)
        .corner_radius(theme::ROUND)
        .inner_margin(Margin::symmetric(10, 6));
    let inner = |ui: &mut Ui| {
        ui.set_width(ui.available_width());
        add(ui)
    };
    frame.show(ui, inner).inner
}

fn go(ui: &mut Ui) -> Response {
    ui.button(RichText::new("Go").color(theme::ACCENT))
}

fn place_buttons(ui: &mut Ui, index: usize, name: &str) -> Option<PlaceAction> {
    let rename = || PlaceAction::Open(Some((index, OpenRow::Rename(name.to_owned(), true))));
    let delete = || PlaceAction::Open(Some((index, OpenRow::Delete)));
    let mut action = None;
    let mut buttons: [(RichText, &dyn Fn() -> PlaceAction); 3] = [
        (RichText::new("Go").color(theme::ACCENT), &|| PlaceAction::Go(Some(index))),
        (RichText::new("Rename"), &rename),
        (RichText::new("Delete"), &delete),
    ];
    if ui.layout().prefer_right_to_left() {
        buttons.reverse();
    }
    for (text, chosen) in buttons {
        if ui.button(text).clicked() {
            action = Some(chosen());
        }
    }
    action
}

/// Draws the frame of a place that is being renamed.
fn rename_card(
    ui: &mut Ui,
    places: &Places,
    index: usize,
    name: &mut String,
    fresh: &mut bool,
) -> Option<PlaceAction> {
    let problem = places.clone().rename(index, name).err();
    raised(ui, |ui| {
        let field = theme::name_field(ui, name, "", std::mem::take(fresh));
        let entered = field.is_entered && problem.is_none();
        if let Some(problem) = &problem {
            ui.label(RichText::new(problem.to_string()).small().color(theme::PROBLEM));
        }
        let rename = || PlaceAction::Rename(index, name.clone());
        let answer = ui
            .horizontal(|ui| answers(ui, RichText::new("Rename"), problem.is_none(), rename))
            .inner;
        if entered { Some(rename()) } else { answer }
    })
}

/// Draws a button that confirms, and *Cancel*.
fn answers(
    ui: &mut Ui,
    yes: RichText,
    enabled: bool,
    action: impl Fn() -> PlaceAction,
) -> Option<PlaceAction> {
    let chosen =
        |ui: &mut Ui| ui.add_enabled(enabled, egui::Button::new(yes)).clicked().then(action);
    let kept = |ui: &mut Ui| ui.button("Cancel").clicked().then_some(PlaceAction::Open(None));
    if ui.layout().prefer_right_to_left() {
        let kept = kept(ui);
        chosen(ui).or(kept)
    } else {
        let chosen = chosen(ui);
        kept(ui).or(chosen)
    }
}

/// Draws the field and the button that name the present place.
fn remember_row(
    ui: &mut Ui,
    name: &mut String,
    fresh: &mut bool,
    problem: Option<&PlaceError>,
) -> Option<PlaceAction> {
    let mut remember = false;
    let height = theme::button_height(ui.ctx());
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), height),
        Layout::right_to_left(egui::Align::Center),
        |ui| {
            let width = if theme::is_small(ui.ctx()) { 150.0 } else { 190.0 };
            let clicked = ui
                .add_enabled_ui(problem.is_none(), |ui| {
                    theme::primary(ui, "Remember this place", width).clicked()
                })
                .inner;
            let field = theme::name_field(ui, name, "Name of this place", std::mem::take(fresh));
            let entered = field.is_entered && problem.is_none();
            remember = clicked || entered;
        },
    );
    let shown = problem.filter(|problem| **problem != PlaceError::Empty);
    // The line is drawn without a problem, too, so that the dialog keeps its height.
    let text = shown.map_or_else(|| " ".to_owned(), ToString::to_string);
    ui.label(RichText::new(text).small().color(theme::PROBLEM));
    remember.then_some(PlaceAction::Remember)
}

/// Coordinates, distance and direction of a place: "12, 64, -5 · 340 m north-east".
fn whereabouts(from: DVec3, to: [f64; 3]) -> String {
    let to = DVec3::from_array(to);
    let at = to.floor().as_ivec3();
    let away = to - from;
    let distance = away.length();
    let away_text = if distance <= HERE {
        "here".to_owned()
    } else {
        let metres = format::count(distance.round() as u64);
        let flat = DVec2::new(away.x, away.z);
        if flat.length() > HERE {
            format!("{metres} m {}", compass::towards(flat))
        } else if away.y > 0.0 {
            format!("{metres} m above")
        } else {
            format!("{metres} m below")
        }
    };
    format!("{}, {}, {} · {away_text}", at.x, at.y, at.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whereabouts_name_distance_and_direction() {
        let from = DVec3::new(10.0, 64.0, 10.0);
        assert_eq!(whereabouts(from, [10.5, 64.0, 10.5]), "10, 64, 10 · here");
        assert_eq!(
            whereabouts(from, [1510.0, 64.0, -1490.0]),
            "1510, 64, -1490 · 2,121 m north-east"
        );
        assert_eq!(whereabouts(from, [-0.5, 64.0, 10.0]), "-1, 64, 10 · 11 m west");
        assert_eq!(whereabouts(from, [10.0, 164.0, 11.0]), "10, 164, 11 · 100 m above");
        assert_eq!(whereabouts(from, [10.0, -6.0, 10.0]), "10, -6, 10 · 70 m below");
    }

    #[test]
    fn place_remembers_the_body_and_its_view() {
        let mut player = Player { yaw: 1.5, pitch: -0.25, ..Player::default() };
        player.walker.position = DVec3::new(3.0, 4.0, 5.0);
        player.set_free(true);
        player.walker.position = DVec3::ZERO;
        player.yaw = 0.0;
        let place = present_place(&player, "Mill");
        let there = Travel { position: DVec3::new(3.0, 4.0, 5.0), look: Some([1.5, -0.25]) };
        assert_eq!((place.name.as_str(), travel_to(&place)), ("Mill", there));
    }
}
