//! The page *Rules*: the steps of the rules, and their cost.

use crate::game::inspect::panel::sources::{PageContext, Sources};
use crate::game::inspect::panel::typography::{self, BRIGHT, FAINT, TEAL};
use crate::game::life::rules::{RuleFigures, RulesClock, WorldRules};
use crate::game::state::format;
use crate::game::state::settings::rules_speed::RulesSpeed;
use bevy_egui::egui::Ui;
use std::time::Duration;
use stonerun_engine::voxel::CHUNK_VOLUME;

/// Data of the page.
pub struct RulesPage<'a> {
    /// The rules of the open map.
    pub rules: &'a WorldRules,
    /// Clock of the steps.
    pub clock: RulesClock,
    /// The speed that the player has chosen.
    pub speed: RulesSpeed,
    /// Loaded chunks.
    pub loaded: u64,
}

impl<'a> RulesPage<'a> {
    /// The data now; `None` while no map is open.
    fn new(sources: &'a Sources) -> Option<RulesPage<'a>> {
        Some(RulesPage {
            rules: sources.rules.as_deref()?,
            clock: *sources.clock.as_deref()?,
            speed: sources.settings.rules,
            loaded: sources.edits.as_deref()?.totals().chunks,
        })
    }
}

/// Shows the page while a map is open.
pub(super) fn page(ui: &mut Ui, context: &mut PageContext) {
    if let Some(data) = RulesPage::new(context.sources) {
        draw(ui, &data);
    }
}

fn draw(ui: &mut Ui, shown: &RulesPage<'_>) {
    let figures = &shown.rules.figures;
    let state = if shown.rules.has_failed() { "failed" } else { shown.speed.name() };
    typography::head(ui, "Steps", state);
    typography::single(ui, "Since the map was opened", format::count(figures.steps), BRIGHT);
    typography::single(ui, "Late", format::count(u64::from(shown.clock.late())), BRIGHT);
    typography::single(
        ui,
        "Lost by the clock",
        format!("{:.1} s", shown.clock.lost_seconds()),
        BRIGHT,
    );
    if shown.rules.is_at_rest() {
        typography::single(ui, "The world is at rest", "0 voxels, 0 ms", TEAL);
    }
    last_steps(ui, figures, shown.loaded);
    typography::head(ui, "Voxels by rule", "last step, all steps");
    for (number, name) in shown.rules.names.iter().enumerate() {
        let last = figures
            .last
            .rules
            .iter()
            .find(|count| count.rule == number)
            .map_or(0, |count| count.voxels);
        let total = figures.totals.get(number).copied().unwrap_or(0);
        let colour = if last > 0 { BRIGHT } else { FAINT };
        typography::single(
            ui,
            name,
            format!("{}   {}", format::count(last), format::count(total)),
            colour,
        );
    }
}

fn last_steps(ui: &mut Ui, figures: &RuleFigures, loaded: u64) {
    typography::head(ui, "Last steps", "");
    let of_loaded =
        format!("{} of {}", format::count(figures.active_chunks as u64), format::count(loaded));
    typography::single(ui, "Active chunks", of_loaded, BRIGHT);
    let blocks = figures.active.len() as u64;
    typography::single(ui, "  Active blocks of 256 voxels", format::count(blocks), BRIGHT);
    let share = blocks as f64 * 256.0 / (loaded.max(1) as f64 * CHUNK_VOLUME as f64) * 100.0;
    typography::single(ui, "  Share of the loaded voxels", format!("{share:.3}%"), BRIGHT);
    typography::single(ui, "Voxels evaluated", format::count(figures.last.voxels), BRIGHT);
    if let Some(fused) = figures.fused {
        let each = fused.voxels as f64 / fused.runs.max(1) as f64;
        typography::single(
            ui,
            "Fused runs in the active blocks",
            format::count(fused.runs),
            BRIGHT,
        );
        typography::single(ui, "  Voxels per fused run", format!("{each:.1}"), BRIGHT);
    }
    typography::single(ui, "Blocks changed", format::count(figures.last.changed_blocks), BRIGHT);
    typography::single(ui, "Chunks changed", format::count(figures.changed_chunks as u64), BRIGHT);
    typography::single(ui, "Time, on a thread", milliseconds(figures.took), BRIGHT);
    typography::single(
        ui,
        "Put into the world, in a frame",
        milliseconds(figures.applied_in),
        BRIGHT,
    );
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}
