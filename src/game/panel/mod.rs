//! The panel on F3: live figures of the world and of the frame.
//!
//! It shows what the engine counts, and computes nothing of its own: the page *World* reads `world::stats`, the page
//! *Storage* [`crate::metrics::storage`], the page *Frame* [`Stages`].
//!
//! - `world`, `storage`, `work`, `visibility`, `save`, `frame`: the pages. `bars`, `plots`, `sheet`, `format`: what they are drawn with.
//! - `figures`: one column of figures; `history`: the last minute of it; `measured`: bytes in each format of the storage
//!   table, the map file's too.

pub mod figures;
pub mod filed;
pub mod format;
pub mod history;
pub mod measured;
pub mod rates;

mod bars;
mod frame;
mod plots;
mod save;
mod sheet;
mod storage;
mod visibility;
mod work;
mod world;

use crate::game::crosshair::{self, Crosshair};
use crate::game::culling::Culling;
use crate::game::culling::figures::Counted;
use crate::game::flow::{Menu, Notices, Screen};
use crate::game::meshing::{ChunkPart, Meshes};
use crate::game::player::Player;
use crate::game::session::Session;
use crate::game::stages::{Stage, Stages};
use crate::game::streaming::Stream;
use crate::game::ui::hotbar;
use bevy::ecs::entity::Entities;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::egui::{self, Align2, CornerRadius, Id, Margin, Order, Rect, Stroke, Ui, vec2};
use bevy_egui::{EguiContexts, EguiPrimaryContextPass};
use figures::Figures;
use history::History;
use measured::Measured;
use rates::Rates;

/// A page of the panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Page {
    /// What the world costs.
    #[default]
    World,
    /// What it costs in each format of the storage table.
    Storage,
    /// What each task does with voxels.
    Work,
    /// What is seen, and drawn.
    Visibility,
    /// What the map's file holds.
    Save,
    /// Where the time goes.
    Frame,
}

impl Page {
    /// All, in the order F3 shows them.
    pub const ALL: [Page; 6] = [Page::World, Page::Storage, Page::Work, Page::Visibility, Page::Save, Page::Frame];

    /// Its name on the tab.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Page::World => "World",
            Page::Storage => "Storage",
            Page::Work => "Work",
            Page::Visibility => "Visibility",
            Page::Save => "Save",
            Page::Frame => "Frame",
        }
    }

    /// The page of this name, in small or capital letters.
    ///
    /// # Errors
    /// There is none: one line that names those there are.
    pub fn from_name(name: &str) -> Result<Page, String> {
        let found = Page::ALL.into_iter().find(|p| p.name().eq_ignore_ascii_case(name));
        let names = Page::ALL.map(|p| p.name().to_lowercase());
        found.ok_or_else(|| format!("no page {name:?} in the panel; there are: {}", names.join(", ")))
    }
}

/// Whether the panel is open, and at which page.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Panel {
    /// True while it is shown.
    pub open: bool,
    /// The page shown when it is.
    pub page: Page,
}

impl Panel {
    /// How much of the screen it takes at the right, in points.
    #[must_use]
    pub fn taken(self, screen: Rect) -> f32 {
        if self.open { width(screen) + MARGIN } else { 0.0 }
    }

    /// True while a page is shown that needs [`Measured`].
    #[must_use]
    pub fn measures(self) -> bool {
        self.open && matches!(self.page, Page::World | Page::Storage)
    }

    /// The next state: closed, each page, closed.
    fn turn(&mut self) {
        let at = Page::ALL.iter().position(|p| *p == self.page).filter(|_| self.open);
        let next = at.map_or(0, |i| i + 1);
        self.open = next < Page::ALL.len();
        self.page = Page::ALL[next % Page::ALL.len()];
    }
}

/// Adds the panel.
pub struct PanelPlugin;

impl Plugin for PanelPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Panel>()
            .init_resource::<History>()
            .init_resource::<Measured>()
            .init_resource::<Rates>()
            .init_resource::<filed::Counting>()
            .add_systems(
                Update,
                (
                    turn.run_if(in_state(Screen::Playing)),
                    filed::count.run_if(resource_exists::<Session>),
                    (start_over, measured::measure.run_if(|panel: Res<Panel>| panel.measures()), sample)
                        .chain()
                        .after(crosshair::look)
                        .run_if(resource_exists::<Session>.and_then(resource_exists::<Meshes>)),
                ),
            )
            .add_systems(EguiPrimaryContextPass, show.run_if(in_state(Screen::Playing)));
    }
}

fn turn(keys: Res<ButtonInput<KeyCode>>, mut panel: ResMut<Panel>) {
    if keys.just_pressed(KeyCode::F3) {
        panel.turn();
    }
}

/// Forgets the map that was open before.
fn start_over(
    session: Res<Session>,
    mut history: ResMut<History>,
    mut rates: ResMut<Rates>,
    mut measured: ResMut<Measured>,
) {
    if session.is_added() {
        *history = History::default();
        *rates = Rates::default();
        *measured = Measured::default();
    }
}

fn sample(
    time: Res<Time<Real>>,
    session: Res<Session>,
    meshes: Res<Meshes>,
    measured: Res<Measured>,
    panel: Res<Panel>,
    mut history: ResMut<History>,
    mut rates: ResMut<Rates>,
) {
    rates.sample(time.elapsed_secs_f64(), &session.work);
    if history.due(time.delta_secs()) {
        history.sample(&Figures::of_world(&session, &meshes, &measured), panel.measures());
    }
}

/// All that the pages read.
#[derive(SystemParam)]
struct Sources<'w, 's> {
    session: Option<Res<'w, Session>>,
    stream: Option<Res<'w, Stream>>,
    meshes: Option<Res<'w, Meshes>>,
    player: Res<'w, Player>,
    history: Res<'w, History>,
    measured: Res<'w, Measured>,
    rates: Res<'w, Rates>,
    crosshair: Res<'w, Crosshair>,
    counted: Res<'w, Counted>,
    filed: Res<'w, filed::Counting>,
    entities: &'w Entities,
    parts: Query<'w, 's, &'static ViewVisibility, With<ChunkPart>>,
}

impl Sources<'_, '_> {
    fn world(&self) -> Option<world::World<'_>> {
        let (session, meshes) = (self.session.as_deref()?, self.meshes.as_deref()?);
        Some(world::World {
            world: Figures::of_world(session, meshes, &self.measured),
            crosshair: *self.crosshair,
            chunk: Figures::of_chunk(session, meshes, &self.measured, self.crosshair.chunk),
            history: &self.history,
            last_save: session.last_save,
            save_failed: session.save_failed.is_some(),
        })
    }

    fn storage(&self) -> Option<storage::Storage> {
        Some(storage::Storage {
            world: self.measured.sum(),
            loaded: self.session.as_deref()?.stats.chunks,
            crosshair: *self.crosshair,
            chunk: self.measured.of_chunk(self.crosshair.chunk),
        })
    }

    fn work(&self) -> Option<work::Shown<'_>> {
        Some(work::Shown { work: self.session.as_deref()?.work, rates: &self.rates })
    }

    fn frame(&self, stages: &Stages) -> Option<frame::Frame> {
        let (session, meshes) = (self.session.as_deref()?, self.meshes.as_deref()?);
        let waiting = self.stream.as_deref()?.waiting;
        Some(frame::Frame {
            to_load: (waiting != usize::MAX).then_some(waiting as u64),
            to_mesh: meshes.waiting() as u64,
            saving: !session.saving.is_empty(),
            entities: u64::from(self.entities.count_spawned()),
            meshes: (self.parts.iter().filter(|v| v.get()).count() as u64, self.parts.iter().len() as u64),
            quads: meshes.quads as u64,
            whereabouts: frame::whereabouts(&self.player, &session.materials),
            ..frame::Frame::times(stages)
        })
    }
}

/// Distance of the panel from the window's edges, in points.
const MARGIN: f32 = 8.0;

fn show(
    mut contexts: EguiContexts,
    mut panel: ResMut<Panel>,
    menu: Res<Menu>,
    sources: Sources,
    mut culling: ResMut<Culling>,
    mut notices: ResMut<Notices>,
    mut stages: ResMut<Stages>,
) -> Result {
    if !panel.open {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?.clone();
    // Read before the interface's own time is taken.
    let frame = (panel.page == Page::Frame).then(|| sources.frame(&stages)).flatten();
    // While one plays the pointer is hidden, but moves all the same: it must press nothing.
    let usable = *menu != Menu::None;
    let chosen = stages.time(Stage::Interface, || {
        shell(&ctx, panel.page, usable, |ui| match panel.page {
            Page::World => sources.world().iter().for_each(|shown| world::page(ui, shown)),
            Page::Storage => sources.storage().iter().for_each(|shown| storage::page(ui, shown)),
            Page::Work => sources.work().iter().for_each(|shown| work::page(ui, shown)),
            Page::Visibility => {
                let chosen = visibility::page(ui, &culling, &sources.counted);
                if let Some(Err(refused)) = chosen.map(|mode| culling.choose(mode)) {
                    notices.info(refused);
                }
            }
            Page::Save => {
                let session = sources.session.as_deref();
                session.iter().for_each(|session| save::page(ui, session, sources.filed.last.as_ref()));
            }
            Page::Frame => frame.iter().for_each(|shown| frame::page(ui, shown)),
        })
    });
    panel.set_if_neq(Panel { open: true, page: chosen });
    Ok(())
}

/// Width of the panel, in points.
fn width(screen: Rect) -> f32 {
    (screen.width() * 0.34).clamp(268.0, 330.0)
}

/// The panel around a page: its ground, its tabs. Returns the page that is chosen.
fn shell(ctx: &egui::Context, page: Page, usable: bool, content: impl FnOnce(&mut Ui)) -> Page {
    let window = ctx.viewport_rect();
    let width = width(window);
    let tab_size = if width < 310.0 { 9.5 } else { 11.5 };
    let mut chosen = page;
    let area =
        egui::Area::new(Id::new("panel")).order(Order::Middle).movable(false).fade_in(false).interactable(usable);
    area.anchor(Align2::RIGHT_TOP, vec2(-MARGIN, MARGIN)).show(ctx, |ui| {
        let ground = egui::Frame::new()
            .fill(sheet::GROUND)
            .stroke(Stroke::new(1.0, sheet::RULE))
            .corner_radius(CornerRadius::same(5))
            .inner_margin(Margin::symmetric(10, 6));
        ground.show(ui, |ui| {
            ui.set_width(width - 22.0);
            ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
            ui.horizontal(|ui| {
                for each in Page::ALL {
                    if sheet::tab(ui, each.name(), each == page, tab_size).clicked() {
                        chosen = each;
                    }
                }
            });
            ui.add_space(2.0);
            let taken = Panel { open: true, page }.taken(window);
            let bar = hotbar::place(window, taken);
            let bottom = if bar.right() > window.right() - taken { bar.top() } else { window.bottom() };
            let room = bottom - 2.0 * MARGIN - 44.0;
            // Both: an area offers no more height than it had the last time.
            let scroll = egui::ScrollArea::vertical().max_height(room).min_scrolled_height(room);
            let scroll = if usable { scroll } else { scroll.scroll_source(egui::scroll_area::ScrollSource::NONE) };
            scroll.auto_shrink([false, true]).show(ui, content);
        });
    });
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f3_turns_the_pages_and_closes() {
        let mut panel = Panel::default();
        let mut seen = Vec::new();
        for _ in 0..8 {
            panel.turn();
            seen.push(panel.open.then_some(panel.page));
        }
        let [world, storage, work, visibility, save, frame] = Page::ALL.map(Some);
        assert_eq!(seen, [world, storage, work, visibility, save, frame, None, world]);
    }

    #[test]
    fn pages_have_names() {
        for page in Page::ALL {
            assert_eq!(Page::from_name(&page.name().to_lowercase()), Ok(page));
        }
        let error = Page::from_name("wrold").expect_err("unknown");
        assert!(error.contains("wrold") && error.contains("world, storage, work, visibility, save, frame"), "{error}");
    }
}
