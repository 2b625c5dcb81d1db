//! The settings menu, over the title screen or the paused game. Changes take effect at once, and
//! are stored when the menu is left.

use crate::game::drawing::chunk_drawing::{ChunkScene, DrawCounters};
use crate::game::screens::hud::crosshair_mark;
use crate::game::state::format;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::keys::KeyAction;
use crate::game::state::notices::Notices;
use crate::game::state::screens::{Menu, Screen};
use crate::game::state::session::Edits;
use crate::game::state::settings::Settings;
use crate::game::state::settings::crosshair_style::CrosshairStyle;
use crate::game::state::settings::flying_speed::FlyingSpeed;
use crate::game::state::settings::rules_speed::RulesSpeed;
use crate::game::state::settings::sun_shadows::SunShadows;
use crate::game::ui_kit::scale::SCALES;
use crate::game::ui_kit::slider::{Spacing, slider};
use crate::game::ui_kit::theme;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{self, RichText, Sense, Stroke, StrokeKind, Ui, vec2};
use stonerun_engine::voxel::CHUNK_SIDE;

/// Width of the picture of a crosshair.
const CROSSHAIR: f32 = 24.0;

/// Draws the settings.
pub fn show(
    mut contexts: EguiContexts,
    screen: Res<State<Screen>>,
    mut menu: ResMut<Menu>,
    mut settings: ResMut<Settings>,
    mut timings: ResMut<FrameTimings>,
    scene: Res<ChunkScene>,
    adapter: Res<RenderAdapterInfo>,
    edits: Option<Res<Edits>>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let in_force = InForce {
        interface_scale: ctx.zoom_factor(),
        chunk_memory: (DrawCounters::get(&scene.counters.budget_bytes) >> 20) as u32,
        sun_shadows: settings.sun_shadows.on(adapter.device_type),
        dropped: edits.map_or(0, |edits| {
            edits.history().dropped_by_total_limit(settings.undo_total_bytes()).steps
        }),
    };
    timings.time(FrameStage::Interface, || {
        let mut now = settings.clone();
        let done = theme::dialog(
            ctx,
            "Settings",
            theme::DialogSize { width: 520.0, foot_height: theme::button_height(ctx) },
            |ui| rows(ui, &mut now, in_force),
            |ui, ()| {
                theme::buttons(ui, |ui| {
                    let done = theme::primary(ui, "Done", 110.0).clicked();
                    if theme::button(ui, "Defaults", 110.0).clicked() {
                        return (done, true);
                    }
                    (done, false)
                })
            },
        );
        if done.1 {
            now = Settings {
                window_size: now.window_size,
                keyboard: now.keyboard,
                ..Settings::default()
            };
        }
        // Only a real change triggers Bevy's change detection.
        settings.set_if_neq(now);
        if done.0 {
            *menu = if *screen.get() == Screen::Playing { Menu::Pause } else { Menu::None };
        }
    });
}

/// Values in force for settings that are set to *automatic*.
#[derive(Clone, Copy)]
struct InForce {
    /// Size of the interface, as a factor.
    interface_scale: f32,
    /// Chunk memory, in mebibytes.
    chunk_memory: u32,
    sun_shadows: SunShadows,
    /// Number of undo steps that the chosen limit of the history in the map will drop when play
    /// continues.
    dropped: usize,
}

fn rows(ui: &mut Ui, settings: &mut Settings, in_force: InForce) {
    // Sliders take the width that names and values leave, but at least the width of the crosshairs.
    ui.spacing_mut().slider_width = (ui.available_width() - 260.0).max(4.0 * CROSSHAIR + 12.0);
    let narrow = ui.available_width() < 400.0;
    let gap = if narrow { [8.0, 6.0] } else { [12.0, 8.0] };
    egui::Grid::new("settings").num_columns(3).spacing(gap).show(ui, |ui| {
        picture(ui, settings, narrow, in_force);
        interface(ui, settings, in_force);
        controls(ui, settings, in_force);
    });
}

/// Settings of the look of the world.
fn picture(ui: &mut Ui, settings: &mut Settings, narrow: bool, in_force: InForce) {
    let view = settings.view_distance;
    let metres = format!("{} m", view * CHUNK_SIDE);
    let distance = if narrow { metres } else { format!("{view} chunks, {metres}") };
    row(ui, "View distance", &distance, |ui| {
        slider(ui, &mut settings.view_distance, 3..=24, Spacing::Steps(1.0));
    });
    row(ui, "Field of view", &format!("{:.0}°", settings.field_of_view), |ui| {
        slider(ui, &mut settings.field_of_view, 50.0..=110.0, Spacing::Steps(1.0));
    });
    row(ui, "Brightness", &percent(settings.brightness), |ui| {
        slider(ui, &mut settings.brightness, 0.5..=2.0, Spacing::Steps(0.05));
    });
    let memory =
        if settings.mesh_memory == 0 { in_force.chunk_memory } else { settings.mesh_memory };
    row(ui, "Chunk memory", &format!("{memory} MiB"), |ui| {
        ui.horizontal(|ui| {
            // A slider moved for the first time starts at the automatic value.
            let mut chosen = memory.clamp(32, 4096);
            let mut is_automatic = settings.mesh_memory == 0;
            ui.checkbox(&mut is_automatic, "automatic");
            // The slider is drawn even while it has no effect, so that the dialog keeps its width.
            ui.add_enabled_ui(!is_automatic, |ui| {
                slider(ui, &mut chosen, 32..=4096, Spacing::Steps(32.0))
            });
            settings.mesh_memory = if is_automatic { 0 } else { chosen };
        });
    });
    row(ui, "Sun shadows", in_force.sun_shadows.name(), |ui| {
        ui.horizontal(|ui| {
            for &reach in SunShadows::ALL {
                ui.selectable_value(&mut settings.sun_shadows, reach, reach.name());
            }
        });
    });
    row(ui, "Day length", &day_words(settings), |ui| {
        ui.horizontal(|ui| {
            ui.checkbox(&mut settings.day_stopped, "stopped");
            ui.add_enabled_ui(!settings.day_stopped, |ui| {
                slider(ui, &mut settings.day_length, 5..=120, Spacing::Logarithmic(1.0));
            });
        });
    });
    row(ui, "Sand, water, growth", settings.rules.name(), |ui| {
        ui.horizontal(|ui| {
            for &speed in RulesSpeed::ALL {
                ui.selectable_value(&mut settings.rules, speed, speed.name());
            }
        });
    });
    row(ui, "Creatures", if settings.creatures { "alive" } else { "none" }, |ui| {
        ui.checkbox(&mut settings.creatures, "");
    });
    row(ui, "Full screen", &settings.keyboard.label(KeyAction::FullScreen), |ui| {
        ui.checkbox(&mut settings.full_screen, "");
    });
    let vsync = if settings.vsync { "as the screen" } else { "no limit" };
    row(ui, "Vertical sync", vsync, |ui| {
        ui.checkbox(&mut settings.vsync, "");
    });
}

/// Settings of the interface over the world.
fn interface(ui: &mut Ui, settings: &mut Settings, in_force: InForce) {
    let is_automatic = settings.interface_scale == 0.0;
    let scale = if is_automatic { in_force.interface_scale } else { settings.interface_scale };
    row(ui, "Interface size", &percent(scale), |ui| {
        ui.horizontal(|ui| {
            let mut automatic = is_automatic;
            if ui.checkbox(&mut automatic, "automatic").changed() {
                settings.interface_scale = if automatic { 0.0 } else { scale };
            }
            // The first step away from *automatic* starts at the size in force.
            let mut chosen = scale;
            if scale_steps(ui, &mut chosen) {
                settings.interface_scale = chosen;
            }
        });
    });
    row(ui, "Crosshair", settings.crosshair.name(), |ui| {
        ui.horizontal(|ui| crosshairs(ui, &mut settings.crosshair));
    });
    let line = if settings.position_line { "shown" } else { "hidden" };
    row(ui, "Position line", line, |ui| {
        ui.checkbox(&mut settings.position_line, "");
    });
}

/// Settings of moving, and of the undo history.
fn controls(ui: &mut Ui, settings: &mut Settings, in_force: InForce) {
    row(ui, "Mouse sensitivity", &format!("{:.2}", settings.mouse_sensitivity), |ui| {
        slider(ui, &mut settings.mouse_sensitivity, 0.1..=5.0, Spacing::Logarithmic(0.05));
    });
    row(
        ui,
        "Invert mouse",
        if settings.invert_mouse { "up looks down" } else { "up looks up" },
        |ui| {
            ui.checkbox(&mut settings.invert_mouse, "");
        },
    );
    row(
        ui,
        "Flying speed",
        &format!("{:.1} m/s", settings.flying_speed.metres_per_second()),
        |ui| {
            let range = FlyingSpeed::SLOWEST..=FlyingSpeed::FASTEST;
            slider(ui, &mut settings.flying_speed.0, range, Spacing::Steps(1.0));
        },
    );
    row(ui, "Undo memory", &format!("{} MiB", settings.undo_memory), |ui| {
        slider(ui, &mut settings.undo_memory, 1..=1024, Spacing::Logarithmic(1.0));
    });
    let total = match in_force.dropped {
        0 => format!("{} MiB", settings.undo_total),
        steps => {
            format!("{} MiB, drops {}", settings.undo_total, format::counted(steps as u64, "step"))
        }
    };
    row(ui, "Undo in the map", &total, |ui| {
        slider(ui, &mut settings.undo_total, 16..=65_536, Spacing::Logarithmic(1.0));
    });
}

/// Draws a setting: its name, its control, and its value in words.
fn row(ui: &mut Ui, name: &str, value: &str, control: impl FnOnce(&mut Ui)) {
    ui.label(name);
    control(ui);
    ui.label(RichText::new(value).color(theme::ACCENT));
    ui.end_row();
}

/// The length of a day as text. For a stopped day, names the key that resumes it.
fn day_words(settings: &Settings) -> String {
    if settings.day_stopped {
        format!("stopped ({})", settings.keyboard.label(KeyAction::Day))
    } else {
        format!("{} min", settings.day_length)
    }
}

fn percent(factor: f32) -> String {
    format!("{:.0}%", factor * 100.0)
}

/// Buttons for a smaller and a larger interface; true if one was clicked. A slider would move away
/// from under the pointer while it changes the size.
fn scale_steps(ui: &mut Ui, scale: &mut f32) -> bool {
    let mut is_changed = false;
    for (sign, larger) in [("−", false), ("+", true)] {
        let next = next_scale(*scale, larger);
        let button = egui::Button::new(sign).min_size(vec2(36.0, 0.0));
        if ui.add_enabled(next.is_some(), button).clicked() {
            *scale = next.unwrap_or(*scale);
            is_changed = true;
        }
    }
    is_changed
}

/// The next size of the interface; `None` beyond the last.
fn next_scale(scale: f32, larger: bool) -> Option<f32> {
    if larger {
        SCALES.into_iter().find(|&next| next > scale + 0.01)
    } else {
        SCALES.into_iter().rev().find(|&next| next < scale - 0.01)
    }
}

/// Pictures of all crosshairs; a click chooses one.
fn crosshairs(ui: &mut Ui, chosen: &mut CrosshairStyle) {
    ui.spacing_mut().item_spacing.x = 4.0;
    for &style in CrosshairStyle::ALL {
        let (rect, response) = ui.allocate_exact_size(vec2(CROSSHAIR, 26.0), Sense::click());
        let edge = if *chosen == style {
            theme::ACCENT
        } else if response.hovered() {
            theme::TEXT
        } else {
            theme::EDGE
        };
        ui.painter().rect(
            rect,
            theme::ROUND,
            theme::SUNK,
            Stroke::new(1.0, edge),
            StrokeKind::Inside,
        );
        crosshair_mark::paint(ui.painter(), rect.center(), style);
        if response.clicked() {
            *chosen = style;
        }
    }
}

/// Stores changed settings when the menu is left, when a key or a dialog changes one, when the
/// label of a key was learned, and when the program ends. Changes by the mouse wheel and by
/// resizing the window come in rapid succession, so they wait for one of these. A file that could
/// not be read is replaced only once the player changes a setting in the menu.
pub fn store(
    menu: Res<Menu>,
    mut exits: MessageReader<AppExit>,
    settings: Res<Settings>,
    mut notices: ResMut<Notices>,
    mut before: Local<Option<(Settings, Menu)>>,
) {
    let (stored, last_menu) = before.get_or_insert_with(|| (settings.clone(), *menu));
    let leaves_menu =
        std::mem::replace(last_menu, *menu) == Menu::Settings && *menu != Menu::Settings;
    let ends = exits.read().next().is_some();
    let switches =
        *menu != Menu::Settings && settings.is_changed() && is_switched(&settings, stored);
    if *settings == *stored || !(leaves_menu || ends || switches) {
        return;
    }
    if !leaves_menu && *menu != Menu::Settings && Settings::load().1.is_some() {
        // Accepts the change as stored, so that this is not tried again in every frame.
        *stored = without_sizes(&settings, stored);
        return;
    }
    *stored = settings.clone();
    if let Err(error) = settings.store() {
        notices.warn(format!("the settings cannot be stored: {error}"));
    }
}

/// True if any setting differs, apart from those that the mouse wheel or resizing the window
/// changes.
fn is_switched(settings: &Settings, stored: &Settings) -> bool {
    without_sizes(settings, stored) != *stored
}

/// The settings, but with the values of `stored` for those that the mouse wheel or resizing the
/// window changes.
fn without_sizes(settings: &Settings, stored: &Settings) -> Settings {
    Settings {
        window_size: stored.window_size,
        flying_speed: stored.flying_speed,
        ..settings.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::state::settings::WindowSize;

    #[test]
    fn keys_and_dialogs_are_stored_at_once_and_the_wheel_later() {
        let stored = Settings::default();
        let size = Some(WindowSize { width: 900, height: 640 });
        let often = Settings { window_size: size, flying_speed: FlyingSpeed(2), ..stored.clone() };
        assert!(!is_switched(&often, &stored));
        for now in [
            Settings { export_format: "glb".to_owned(), ..often.clone() },
            Settings { day_stopped: true, ..often.clone() },
            Settings { keyboard: "ZQSD".to_owned().into(), ..often.clone() },
            Settings { full_screen: true, ..often },
        ] {
            assert!(is_switched(&now, &stored), "{now:?}");
        }
    }

    #[test]
    fn interface_sizes_go_up_and_down_to_the_ends() {
        assert_eq!((next_scale(1.0, true), next_scale(1.0, false)), (Some(1.25), Some(0.9)));
        assert_eq!((next_scale(3.0, true), next_scale(0.75, false)), (None, None));
        // A size that was edited by hand in the settings file.
        assert_eq!((next_scale(1.1, true), next_scale(1.1, false)), (Some(1.25), Some(1.0)));
    }
}
