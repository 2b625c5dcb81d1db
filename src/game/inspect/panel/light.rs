//! The page *Light*: bytes of light, times of lighting, and one chunk in other stores.

use crate::game::drawing::lighting::{LightSize, LightWork};
use crate::game::inspect::panel::bars::{self, BarLength};
use crate::game::inspect::panel::light_stores::{DENSE_BYTES, LightStores};
use crate::game::inspect::panel::sources::{PageContext, Sources};
use crate::game::inspect::panel::typography;
use crate::game::inspect::panel::typography::{AMBER, BLUE, BRIGHT, DIM, TEAL};
use crate::game::player::crosshair::Crosshair;
use crate::game::state::format;
use bevy_egui::egui::{Color32, Ui};
use stonerun_engine::light::{Channel, LightLevels};

/// Data of the page.
pub struct LightPage {
    /// Size of all light.
    pub size: LightSize,
    /// Counts and times of lighting since the map was opened.
    pub work: LightWork,
    /// Chunks whose light has to be computed.
    pub waiting: u64,
    /// Light at the player's eyes.
    pub at_eyes: Option<LightLevels>,
    /// The crosshair's chunk.
    pub crosshair: Crosshair,
    /// Bytes of the light of the crosshair's chunk in different stores; `None` if it is not lit.
    pub chunk: Option<LightStores>,
}

impl LightPage {
    /// The data now; `None` while no map is open.
    fn new(sources: &Sources) -> Option<LightPage> {
        let lights = sources.lights.as_deref()?;
        Some(LightPage {
            size: lights.size(),
            work: lights.work,
            waiting: lights.waiting() as u64,
            at_eyes: lights.at(sources.player.walker.eyes().floor().as_ivec3()),
            crosshair: *sources.crosshair,
            chunk: sources.measured_light.stores,
        })
    }
}

/// Shows the page while a map is open.
pub(super) fn page(ui: &mut Ui, context: &mut PageContext) {
    if let Some(data) = LightPage::new(context.sources) {
        draw(ui, &data);
    }
}

fn draw(ui: &mut Ui, shown: &LightPage) {
    let LightPage { size, work, .. } = shown;
    typography::head(ui, "Light of the loaded world", "");
    typography::single(ui, "Chunks", format::count(size.chunks), BRIGHT);
    typography::single(ui, "Runs of light", format::count(size.runs), TEAL);
    typography::single(ui, "Bytes", format::bytes(size.bytes), BRIGHT);
    let share = size.bytes as f64 / (size.chunks * DENSE_BYTES).max(1) as f64;
    typography::single(ui, "Of 16 bits per voxel", format!("{:.1}%", share * 100.0), BRIGHT);
    typography::head(ui, "Lighting", "Since the map was opened");
    typography::single(ui, "Chunks lit", format::count(work.chunks), BRIGHT);
    typography::single(ui, "Time per chunk", micros(work.time_per_chunk().as_secs_f64()), BLUE);
    typography::single(ui, "Waiting", format::count(shown.waiting), BRIGHT);
    typography::single(ui, "Frames with edits", format::count(work.edits), BRIGHT);
    typography::single(ui, "Latest edit", format::millis(work.last_edit.as_secs_f64() * 1e3), BLUE);
    typography::single(
        ui,
        "Longest edit",
        format::millis(work.longest_edit.as_secs_f64() * 1e3),
        BLUE,
    );
    typography::head(ui, "Levels at your eyes", "0 to 15");
    for (channel, name, colour) in [
        (Channel::Sun, "Sun", AMBER),
        (Channel::Red, "Red", Color32::from_rgb(226, 98, 88)),
        (Channel::Green, "Green", Color32::from_rgb(104, 196, 96)),
        (Channel::Blue, "Blue", BLUE),
    ] {
        let level = shown.at_eyes.map(|levels| levels.get(channel));
        let figure = level.map_or_else(|| format::NONE.into(), |level| level.to_string());
        let length = BarLength { value: level.unwrap_or(0).into(), full: 15 };
        bars::labelled(ui, name, length, figure, colour);
    }
    chunk(ui, shown);
}

/// Draws the bytes of the chunk's light in different stores.
fn chunk(ui: &mut Ui, shown: &LightPage) {
    let place = if shown.crosshair.met { "Chunk at the crosshair" } else { "Chunk underfoot" };
    let runs =
        shown.chunk.map_or_else(String::new, |stores| format::counted(stores.size.runs, "run"));
    typography::head(ui, place, &runs);
    let Some(stores) = shown.chunk else { return };
    for (label, bytes, colour) in [
        ("16-bit array", DENSE_BYTES, DIM),
        ("Mixed sections", stores.section_bytes, DIM),
        ("Runs", stores.size.bytes, TEAL),
    ] {
        let length = BarLength { value: bytes, full: DENSE_BYTES };
        bars::labelled(ui, label, length, format::bytes(bytes), colour);
    }
}

fn micros(seconds: f64) -> String {
    format!("{:.0} us", seconds * 1e6)
}
