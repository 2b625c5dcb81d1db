//! The figures of the previewed edit, and the running jobs.
//!
//! While playing, the pointer is hidden, so keys answer. With a visible pointer, buttons answer,
//! too.

use crate::game::editing::edit_jobs::{EditJobs, EditPreview, JobId, JobState, PreviewState};
use crate::game::state::format;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::ui_kit::layout::Areas;
use crate::game::ui_kit::theme;
use bevy::prelude::*;
use bevy::window::{CursorOptions, PrimaryWindow};
use bevy_egui::EguiContexts;
use bevy_egui::egui::{
    self, Align, Align2, Color32, CornerRadius, Frame, Id, Layout, Margin, RichText, Stroke, Ui,
    vec2,
};

/// Seconds after which a running job is shown. Shorter jobs would only flicker.
const SHOWN_AFTER: f32 = 0.3;
/// Maximum number of jobs that are listed.
const MAX_JOBS: usize = 3;
/// Height of the figures of a preview.
const STRIP: f32 = 74.0;
/// Height of a line of the list.
const LINE: f32 = 22.0;

// Colours of the voxels that a preview adds, removes and changes, as the preview is drawn.
const ADDED: Color32 = Color32::from_rgb(112, 214, 116);
const REMOVED: Color32 = Color32::from_rgb(242, 104, 92);
const CHANGED: Color32 = Color32::from_rgb(240, 200, 84);

/// True if there is something to show.
#[must_use]
pub fn is_shown(jobs: &EditJobs, preview: &EditPreview) -> bool {
    match preview.state() {
        PreviewState::Nothing => jobs.jobs().any(|job| is_listed(&job)),
        PreviewState::Computing { seconds, .. } => seconds > SHOWN_AFTER,
        _ => true,
    }
}

fn is_listed(job: &JobState) -> bool {
    job.seconds > SHOWN_AFTER
}

/// Button that the player has clicked.
enum EditsClick {
    Apply,
    Discard,
    Cancel(JobId),
}

/// Draws the preview's figures and the jobs.
pub fn show(
    mut contexts: EguiContexts,
    areas: Res<Areas>,
    cursor: Option<Single<&CursorOptions, With<PrimaryWindow>>>,
    mut jobs: ResMut<EditJobs>,
    mut preview: ResMut<EditPreview>,
    mut timings: ResMut<FrameTimings>,
) {
    let Some(area) = areas.edits else { return };
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let has_pointer = cursor.is_some_and(|cursor| cursor.visible);
    let click = timings.time(FrameStage::Interface, || {
        let place = egui::Area::new(Id::new("edits"))
            .pivot(Align2::LEFT_BOTTOM)
            .fixed_pos(area.left_bottom());
        let parts = |ui: &mut Ui| {
            ui.set_width(area.width());
            ui.spacing_mut().item_spacing.y = 4.0;
            // A preview that is being computed has a progress bar of its own.
            let computed = match preview.state() {
                PreviewState::Computing { .. } => preview.name(),
                _ => None,
            };
            let listed =
                jobs.jobs().filter(|job| is_listed(job) && computed != Some(job.name.as_str()));
            let room = ((area.height() - if preview.is_active() { STRIP } else { 0.0 })
                / (LINE + 10.0)) as usize;
            let cancelled =
                job_list(ui, listed.take(MAX_JOBS.min(room)), area.width(), has_pointer);
            preview_strip(ui, &preview, area.width(), has_pointer).or(cancelled)
        };
        place.constrain(false).interactable(has_pointer).show(ctx, parts).inner
    });
    match click {
        Some(EditsClick::Apply) => preview.apply(),
        Some(EditsClick::Discard) => preview.discard(),
        Some(EditsClick::Cancel(id)) => jobs.cancel(id),
        None => {}
    }
}

/// The frame of the parts.
fn frame() -> Frame {
    let edge = Stroke::new(1.0, theme::EDGE);
    let margin = Margin::symmetric(10, 5);
    Frame::new()
        .fill(theme::PANEL)
        .stroke(edge)
        .corner_radius(CornerRadius::same(theme::ROUND))
        .inner_margin(margin)
}

/// Draws the figures of the preview.
fn preview_strip(
    ui: &mut Ui,
    preview: &EditPreview,
    width: f32,
    has_pointer: bool,
) -> Option<EditsClick> {
    let state = preview.state();
    if state == PreviewState::Nothing {
        return None;
    }
    let name = preview.name().unwrap_or_default().to_owned();
    frame()
        .show(ui, |ui| {
            ui.set_width(width - 22.0);
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 3.0;
                match &state {
                    PreviewState::Computing { done, total, .. } => {
                        progress_line(ui, &name, *done, *total)
                    }
                    PreviewState::Failed(reason) => {
                        ui.horizontal(|ui| {
                            title(ui, &name, width * 0.3);
                            let reason = RichText::new(reason).small().color(theme::PROBLEM);
                            ui.add(egui::Label::new(reason).truncate());
                        });
                    }
                    _ => {
                        ui.horizontal(|ui| {
                            title(ui, &name, width * 0.34);
                            for (sign, voxels, colour) in voxel_figures(&state) {
                                ui.label(
                                    RichText::new(format!("{sign}{}", format::count(voxels)))
                                        .color(colour),
                                );
                            }
                        });
                        let cell = preview.drawn().map_or(1, |(_, cell)| cell);
                        let line =
                            RichText::new(figures_line(&state, cell)).small().color(theme::FAINT);
                        ui.add(egui::Label::new(line).truncate());
                    }
                }
                answers(ui, preview, &state, has_pointer)
            })
            .inner
        })
        .inner
}

fn title(ui: &mut Ui, name: &str, max_width: f32) {
    ui.scope(|ui| {
        ui.set_max_width(max_width);
        ui.add(egui::Label::new(RichText::new(name).color(theme::ACCENT)).truncate());
    });
}

/// The counts of voxels that are not 0; the first count if all are 0.
fn voxel_figures(state: &PreviewState) -> Vec<(&'static str, u64, Color32)> {
    let PreviewState::Ready { voxels_added, voxels_removed, voxels_changed, .. } = *state else {
        return Vec::new();
    };
    let all = [
        ("+", voxels_added, ADDED),
        ("−", voxels_removed, REMOVED),
        ("~", voxels_changed, CHANGED),
    ];
    let some: Vec<_> = all.into_iter().filter(|(_, voxels, _)| *voxels > 0).collect();
    if some.is_empty() { vec![("±", 0, theme::FAINT)] } else { some }
}

/// Runs, bytes and time: `runs 1,204 to 986 · undo 5.2 KiB · 3.1 ms`.
fn figures_line(state: &PreviewState, cell: i32) -> String {
    let PreviewState::Ready { runs: [before, after], undo_bytes, ms, .. } = *state else {
        return String::new();
    };
    let cells =
        if cell > 1 { format!(" · drawn as cells of {cell} voxels") } else { String::new() };
    let before = format::count(before);
    let after = format::count(after);
    format!(
        "runs {before} to {after} · undo {} · {}{cells}",
        format::bytes(undo_bytes),
        format::millis(ms)
    )
}

/// Draws the buttons that apply and discard the preview, or the names of their keys.
fn answers(
    ui: &mut Ui,
    preview: &EditPreview,
    state: &PreviewState,
    has_pointer: bool,
) -> Option<EditsClick> {
    let is_failed = matches!(state, PreviewState::Failed(_));
    if !has_pointer {
        let words = match state {
            _ if is_failed => "Escape closes",
            PreviewState::Computing { .. } if preview.is_accepted() => {
                "Applied when it is ready · Escape cancels"
            }
            PreviewState::Computing { .. } => "Enter applies it when it is ready · Escape cancels",
            _ => "Enter applies · Escape discards",
        };
        ui.label(RichText::new(words).small());
        return None;
    }
    ui.horizontal(|ui| {
        let apply =
            !is_failed && ui.small_button(RichText::new("Apply").color(theme::ACCENT)).clicked();
        let discard = ui.small_button(if is_failed { "Close" } else { "Discard" }).clicked();
        if apply { Some(EditsClick::Apply) } else { discard.then_some(EditsClick::Discard) }
    })
    .inner
}

fn progress_line(ui: &mut Ui, name: &str, done: usize, total: usize) {
    ui.horizontal(|ui| {
        title(ui, name, ui.available_width() * 0.45);
        let part = if total > 0 { done as f32 / total as f32 } else { 0.0 };
        let words = match total {
            0 => "starting".to_owned(),
            _ => format!(
                "{} of {}",
                format::count(done as u64),
                format::counted(total as u64, "chunk")
            ),
        };
        let bar = egui::ProgressBar::new(part)
            .text(RichText::new(words).small())
            .fill(theme::RAISED_HOVER);
        ui.add(bar.desired_width(ui.available_width()).desired_height(16.0));
    });
}

/// Draws the jobs. Returns the job to cancel.
fn job_list(
    ui: &mut Ui,
    jobs: impl Iterator<Item = JobState>,
    width: f32,
    has_pointer: bool,
) -> Option<EditsClick> {
    let jobs: Vec<JobState> = jobs.collect();
    if jobs.is_empty() {
        return None;
    }
    let list = |ui: &mut Ui| {
        ui.set_width(width - 22.0);
        list_jobs(ui, &jobs, has_pointer)
    };
    frame().show(ui, list).inner.map(EditsClick::Cancel)
}

/// Draws a line for each job. Returns the job to cancel.
pub fn list_jobs(ui: &mut Ui, jobs: &[JobState], has_pointer: bool) -> Option<JobId> {
    let mut cancelled = None;
    for job in jobs {
        let size = vec2(ui.available_width(), LINE);
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            if has_pointer
                && ui.add_enabled(!job.is_cancelled, egui::Button::new("Cancel").small()).clicked()
            {
                cancelled = Some(job.id);
            } else if !has_pointer && job.is_running {
                ui.label(RichText::new("hold Backspace to cancel").small().color(theme::FAINT));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                if job.is_cancelled {
                    ui.label(
                        RichText::new(format!("{}: cancelling", job.name)).color(theme::FAINT),
                    );
                } else if job.is_running {
                    progress_line(ui, &job.name, job.done, job.total);
                } else {
                    ui.label(RichText::new(format!("{}: waits", job.name)).color(theme::FAINT));
                }
            });
        });
    }
    cancelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_name_what_changes() {
        let state = |added, removed, changed| PreviewState::Ready {
            voxels_added: added,
            voxels_removed: removed,
            voxels_changed: changed,
            runs: [1204, 986],
            undo_bytes: 5000,
            ms: 3.12,
        };
        let signs = |state: &PreviewState| {
            voxel_figures(state).into_iter().map(|(sign, ..)| sign).collect::<String>()
        };
        assert_eq!(
            (signs(&state(3, 0, 5)), signs(&state(0, 1, 0))),
            ("+~".to_owned(), "−".to_owned())
        );
        assert_eq!(
            (signs(&state(0, 0, 0)), signs(&PreviewState::Nothing)),
            ("±".to_owned(), String::new())
        );
        let line = figures_line(&state(1, 1, 1), 8);
        assert!(
            line.starts_with("runs 1,204 to 986 · undo ") && line.ends_with("cells of 8 voxels"),
            "{line}"
        );
    }
}
