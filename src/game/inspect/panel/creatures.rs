//! The page *Creatures*: creatures around the player, and their cost.

use crate::game::inspect::panel::sources::{PageContext, Sources};
use crate::game::inspect::panel::typography::{self, BRIGHT, FAINT};
use crate::game::life::creatures::CreatureLife;
use crate::game::state::format;
use bevy_egui::egui::Ui;
use std::time::Duration;

/// Data of the page.
pub struct CreaturesPage<'a> {
    /// The creatures of the open map.
    pub life: &'a CreatureLife,
    /// False if the player has switched creatures off.
    pub is_on: bool,
}

impl<'a> CreaturesPage<'a> {
    /// The data now; `None` while no map is open.
    fn new(sources: &'a Sources) -> Option<CreaturesPage<'a>> {
        Some(CreaturesPage { life: sources.life.as_deref()?, is_on: sources.settings.creatures })
    }
}

/// Shows the page while a map is open.
pub(super) fn page(ui: &mut Ui, context: &mut PageContext) {
    if let Some(data) = CreaturesPage::new(context.sources) {
        draw(ui, &data);
    }
}

fn draw(ui: &mut Ui, shown: &CreaturesPage<'_>) {
    let life = shown.life;
    let figures = &shown.life.figures;
    let state = if life.has_failed() {
        "failed"
    } else if shown.is_on {
        "20 ticks per second"
    } else {
        "off"
    };
    typography::head(ui, "Creatures by kind", state);
    for (number, kind) in life.kinds().iter().enumerate() {
        let count = figures.by_kind.get(number).copied().unwrap_or(0);
        let colour = if count > 0 { BRIGHT } else { FAINT };
        typography::single(ui, &kind.name.replace('_', " "), format::count(count.into()), colour);
    }
    let all: u64 = figures.by_kind.iter().map(|count| u64::from(*count)).sum();
    typography::single(ui, "All", format::count(all), BRIGHT);
    typography::single(ui, "  Asleep", format::count(figures.asleep.into()), BRIGHT);
    typography::single(
        ui,
        "  Near enough to be drawn",
        format::count(figures.drawn as u64),
        BRIGHT,
    );
    typography::head(ui, "Last tick", "");
    typography::single(ui, "Moved", format::count(figures.last.moved as u64), BRIGHT);
    typography::single(ui, "Thought", format::count(figures.last.thought as u64), BRIGHT);
    let [navigation, tick] = figures.took;
    typography::single(ui, "Time, on a thread", milliseconds(tick), BRIGHT);
    let each = tick.as_secs_f64() * 1e6 / all.max(1) as f64;
    typography::single(ui, "  For each creature", format!("{each:.2} us"), BRIGHT);
    typography::head(ui, "Where bodies can go", "");
    typography::single(ui, "Known chunks", format::count(figures.known_chunks as u64), BRIGHT);
    typography::single(
        ui,
        "Ledges and water volumes",
        format::count(figures.reach.nodes as u64),
        BRIGHT,
    );
    typography::single(
        ui,
        "Areas, each reachable within itself",
        format::count(figures.reach.areas as u64),
        BRIGHT,
    );
    let bits = (figures.reach.rows * figures.reach.columns) as u64;
    typography::single(ui, "Bits that say what falls lead to", format::count(bits), BRIGHT);
    typography::single(
        ui,
        "Asked whether it can be reached",
        format::count(figures.ways.reach_queries),
        BRIGHT,
    );
    typography::single(ui, "Paths found", format::count(figures.ways.paths), BRIGHT);
    typography::single(ui, "Time to derive changes", milliseconds(navigation), BRIGHT);
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}
