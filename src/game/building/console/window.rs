//! Draws the console: answers, completions, the line, and its usage or error.

use super::completion::{self, Completion};
use super::entry;
use super::line_edit::{self, LineKeys};
use super::state::{ConsoleLine, GameConsole, QueuedLine};
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::screens::Menu;
use crate::game::state::session::OpenMap;
use crate::game::state::settings::Settings;
use crate::game::ui_kit::layout::Areas;
use crate::game::ui_kit::theme;
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{
    self, Align, Align2, Color32, FontId, Id, Layout, Rect, RichText, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, pos2, vec2,
};
use stonerun_engine::edit::console::CommandError;
use stonerun_engine::voxel::MaterialTable;

/// Text of a new line.
const START: &str = "/";
/// Height of the line, in points.
const LINE: f32 = 34.0;
/// Height of the hint, in points.
const HINT: f32 = 22.0;
/// Height of a completion, in points.
const ROW: f32 = 20.0;
/// Width of the box *Preview* after the line, in points.
const BOX: f32 = 104.0;

/// Begins a new line when the console opens, or shows the line that failed.
pub(super) fn begin(menu: Res<Menu>, mut console: ResMut<GameConsole>, mut last: Local<Menu>) {
    let before = std::mem::replace(&mut *last, *menu);
    // Setting the same menu again keeps the line that is being typed.
    if *menu == Menu::Console && before != Menu::Console {
        console.line = console.refused.take().unwrap_or_else(|| START.to_owned());
        console.fresh = true;
        console.chosen = 0;
        console.entered.reset();
    }
}

/// Draws the console and takes its input.
pub(super) fn show(
    mut contexts: EguiContexts,
    areas: Res<Areas>,
    map: Res<OpenMap>,
    mut console: ResMut<GameConsole>,
    mut menu: ResMut<Menu>,
    mut settings: ResMut<Settings>,
    mut timings: ResMut<FrameTimings>,
) {
    let (Some(area), Ok(ctx)) = (areas.console, contexts.ctx_mut()) else { return };
    timings.time(FrameStage::Interface, || {
        // Takes the keys before the text field handles this frame's input. The completions belong
        // to the line before that input; the next frame completes the changed line.
        let keys = line_edit::take_keys(ctx);
        let completions = completion::complete(&console.line, &map.materials);
        let mut to_end = std::mem::take(&mut console.fresh);
        to_end |= complete_or_step(&mut console, keys, &completions);
        // The keys may have changed the line.
        let completions =
            if to_end { completion::complete(&console.line, &map.materials) } else { completions };
        console.chosen = console.chosen.min(completions.len().saturating_sub(1));
        let mut wants_preview = settings.console_preview;
        let place = egui::Area::new(Id::new("console")).fixed_pos(area.min).constrain(false);
        let clicked = place.show(ctx, |ui| {
            ui.set_min_size(area.size());
            draw(ui, area, &mut console, &completions, &map.materials, &mut wants_preview, to_end)
        });
        if settings.console_preview != wants_preview {
            settings.console_preview = wants_preview;
        }
        if let Some(number) = clicked.inner {
            console.line.clone_from(&completions[number].line);
            console.fresh = true;
        }
        if keys.enter {
            // A refused line stays open: a change of the menu would begin a new one.
            if enter(&mut console, &map.materials, wants_preview) {
                *menu = Menu::None;
            }
        }
    });
}

/// Completes the line with Tab; chooses a completion or goes through earlier lines with the arrows.
/// Returns true if the line has changed.
fn complete_or_step(console: &mut GameConsole, keys: LineKeys, completions: &[Completion]) -> bool {
    if (keys.tab || keys.back_tab) && !completions.is_empty() {
        console.line.clone_from(&completions[console.chosen.min(completions.len() - 1)].line);
        console.chosen = 0;
        return true;
    }
    // The arrows choose among completions once something was typed, otherwise among earlier lines.
    let is_choosing =
        !completions.is_empty() && console.line != START && !console.entered.is_back();
    if is_choosing && (keys.up || keys.down) {
        let step = usize::from(keys.down) + (completions.len() - 1) * usize::from(keys.up);
        console.chosen = (console.chosen + step) % completions.len();
        return false;
    }
    if keys.up || keys.down {
        let line = console.line.clone();
        if let Some(line) = console.entered.step(&line, keys.up) {
            console.line = line;
            return true;
        }
    }
    false
}

/// Enters the line, unless it is malformed. Returns true if the console closes.
fn enter(console: &mut GameConsole, materials: &MaterialTable, preview: bool) -> bool {
    let queued = entry::queued_line(&console.line, preview);
    if entry::read(&queued, materials).is_err() {
        return false;
    }
    let line = console.line.trim().to_owned();
    if line.len() > START.len() {
        console.entered.add(&line);
    }
    console.queue.push_back(QueuedLine { typed: Some(line), ..queued });
    true
}

/// Text under the line.
enum Hint {
    /// Usage of the command, or a key.
    Help(String),
    /// Error of the line.
    Problem(String),
}

/// The hint of a line while it is typed.
fn hint(line: &str, materials: &MaterialTable, has_completions: bool) -> Hint {
    let usage = completion::usage(line).map(str::to_owned);
    match entry::read(&entry::queued_line(line, false), materials) {
        Ok(_) => Hint::Help(usage.unwrap_or_else(|| "Tab completes · Escape closes".to_owned())),
        Err(CommandError::Usage(usage)) => Hint::Help(usage),
        Err(CommandError::Unknown { .. }) if has_completions => {
            Hint::Help("Tab completes".to_owned())
        }
        Err(CommandError::Unknown { name, .. }) => {
            Hint::Problem(format!("there is no command {name:?}"))
        }
        Err(error) => Hint::Problem(error.to_string()),
    }
}

/// Draws everything from the bottom up. Returns the index of the clicked completion.
fn draw(
    ui: &mut Ui,
    area: Rect,
    console: &mut GameConsole,
    completions: &[Completion],
    materials: &MaterialTable,
    wants_preview: &mut bool,
    to_end: bool,
) -> Option<usize> {
    let part = |bottom: f32, height: f32| {
        Rect::from_min_max(
            pos2(area.left(), (bottom - height).max(area.top())),
            pos2(area.right(), bottom),
        )
    };
    let foot = part(area.bottom(), LINE + HINT + 12.0);
    ui.painter().rect(
        foot,
        theme::ROUND,
        theme::PANEL,
        Stroke::new(1.0, theme::EDGE),
        StrokeKind::Inside,
    );
    let inner = foot.shrink(6.0);
    let line = inner.with_max_y(inner.top() + LINE);
    let field = line.with_max_x(line.right() - BOX);
    child(ui, field, |ui| {
        let before = console.line.clone();
        line_edit::show(ui, &mut console.line, to_end);
        if console.line != before {
            console.chosen = 0;
            console.entered.reset();
        }
    });
    child(ui, line.with_min_x(field.right() + 8.0), |ui| {
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.checkbox(wants_preview, "Preview")
                .on_hover_text("Shows what a command would do before it does it");
        });
    });
    let (words, colour) = match hint(&console.line, materials, !completions.is_empty()) {
        Hint::Help(words) => (words, theme::FAINT),
        Hint::Problem(words) => (words, theme::PROBLEM),
    };
    child(ui, inner.with_min_y(line.bottom() + 2.0).shrink2(vec2(8.0, 0.0)), |ui| {
        ui.add(egui::Label::new(RichText::new(words).small().color(colour)).truncate());
    });
    let room = ((foot.top() - 6.0 - area.top()) / ROW) as usize;
    let offered = &completions[..completions.len().min(room)];
    let mut top = foot.top() - 6.0;
    let mut clicked = None;
    if !offered.is_empty() {
        let list = part(top, ROW * offered.len() as f32 + 8.0);
        clicked = completion_list(ui, list, offered, console.chosen);
        top = list.top() - 6.0;
    }
    let log = area.with_max_y(top);
    if log.height() > 2.0 * ROW && console.log().next().is_some() {
        draw_log(ui, log, console);
    }
    clicked
}

fn child<R>(ui: &mut Ui, area: Rect, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.scope_builder(UiBuilder::new().max_rect(area), add).inner
}

/// Draws the completions. Returns the index of the clicked one.
fn completion_list(
    ui: &mut Ui,
    area: Rect,
    offered: &[Completion],
    chosen: usize,
) -> Option<usize> {
    let widest = area.with_max_x(area.left() + area.width().min(420.0));
    ui.painter().rect(
        widest,
        theme::ROUND,
        theme::PANEL,
        Stroke::new(1.0, theme::EDGE),
        StrokeKind::Inside,
    );
    let mut clicked = None;
    for (number, completion) in offered.iter().enumerate() {
        let top = widest.top() + 4.0 + ROW * number as f32;
        let row = Rect::from_min_max(
            pos2(widest.left() + 4.0, top),
            pos2(widest.right() - 4.0, top + ROW),
        );
        let response = ui.interact(row, Id::new(("completion", number)), Sense::click());
        let is_chosen = number == chosen;
        if is_chosen || response.hovered() {
            ui.painter().rect_filled(
                row,
                3.0,
                if is_chosen { theme::RAISED_HOVER } else { theme::RAISED },
            );
        }
        let colour = if is_chosen { theme::ACCENT } else { theme::TEXT };
        let painter = ui.painter().with_clip_rect(row);
        let at = row.left_center() + vec2(10.0, 0.0);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            &completion.shown,
            FontId::proportional(theme::BODY),
            colour,
        );
        if response.clicked() {
            clicked = Some(number);
        }
    }
    clicked
}

/// Draws the log with the newest lines in view; it can be scrolled.
fn draw_log(ui: &mut Ui, area: Rect, console: &GameConsole) {
    let lines: Vec<&ConsoleLine> = console.log().collect();
    let height = (lines.len() as f32 * (ROW - 2.0) + 12.0).min(area.height());
    let area = area.with_min_y(area.bottom() - height);
    ui.painter().rect_filled(area, theme::ROUND, Color32::from_black_alpha(170));
    child(ui, area.shrink(6.0), |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ScrollArea::vertical()
            .stick_to_bottom(true)
            .min_scrolled_height(0.0)
            .auto_shrink([false, false])
            .show(ui, |ui| {
                for line in lines {
                    let (words, colour) = match line {
                        ConsoleLine::Command(words) => (words, theme::ACCENT),
                        ConsoleLine::Answer(words) => (words, theme::TEXT),
                        ConsoleLine::Problem(words) => (words, theme::PROBLEM),
                    };
                    ui.add(egui::Label::new(RichText::new(words).small().color(colour)).wrap());
                }
            });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_that_fails_at_once_is_shown_again() {
        let mut app = App::new();
        app.insert_resource(Menu::None)
            .insert_resource(GameConsole::load())
            .add_systems(Update, begin);
        let open = |app: &mut App| {
            app.update();
            let console = app.world().resource::<GameConsole>();
            (*app.world().resource::<Menu>(), console.line.clone())
        };
        let typed = "//creatures place dear".to_owned();
        app.world_mut().resource_scope(|world, mut console: Mut<GameConsole>| {
            let mut menu = world.resource_mut::<Menu>();
            console.refuse(None, &mut menu);
            assert_eq!(*menu, Menu::None, "nothing was typed");
            console.refuse(Some(typed.clone()), &mut menu);
        });
        assert_eq!(open(&mut app), (Menu::Console, typed.clone()));
        // Opening the open console again keeps the line that is being typed. After closing, it
        // opens with a new line. A refused line does not replace another menu.
        app.world_mut().insert_resource(Menu::Console);
        assert_eq!(open(&mut app).1, typed);
        app.world_mut().insert_resource(Menu::None);
        app.update();
        app.world_mut().insert_resource(Menu::Console);
        assert_eq!(open(&mut app).1, START);
        app.world_mut().resource_scope(|world, mut console: Mut<GameConsole>| {
            let mut menu = world.resource_mut::<Menu>();
            *menu = Menu::Pause;
            console.refuse(Some("/x".to_owned()), &mut menu);
            assert_eq!((*menu, console.refused.take()), (Menu::Pause, None));
        });
    }

    #[test]
    fn hint_is_usage_of_incomplete_line_and_error_of_wrong_line() {
        let materials = MaterialTable::builtin();
        let said = |line: &str| {
            let has_completions = !completion::complete(line, &materials).is_empty();
            match hint(line, &materials, has_completions) {
                Hint::Help(words) => format!("help: {words}"),
                Hint::Problem(words) => words,
            }
        };
        assert!(said("/").starts_with("help: Tab") && said("//wal").starts_with("help: Tab"));
        assert_eq!(said("//set"), "help: //set [-m MASK] PATTERN");
        assert_eq!(said("//set stone"), "help: //set [-m MASK] PATTERN");
        assert_eq!(said("//noth"), "there is no command \"//noth\"");
        assert!(
            said("//set stoone").starts_with("there is no material"),
            "{}",
            said("//set stoone")
        );
    }
}
