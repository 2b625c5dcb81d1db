//! The display while playing: crosshair, position, hot bar, chunks still to load, keys.
//!
//! The display is only painted. Nothing in it can be clicked or focused, so egui takes no input
//! from the game.

use crate::game::map::streaming::ChunkStream;
use crate::game::screens::hud::key_card::KeyCard;
use crate::game::screens::hud::line::HudMap;
use crate::game::screens::hud::{crosshair_mark, key_card, line as hud_line};
use crate::game::state::day;
use crate::game::state::format;
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::player::Player;
use crate::game::state::screens::Menu;
use crate::game::state::session::OpenMap;
use crate::game::state::settings::Settings;
use crate::game::state::travel::Travel;
use crate::game::ui_kit::icons::BlockIcons;
use crate::game::ui_kit::layout::Areas;
use crate::game::ui_kit::{slots, text, theme};
use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::egui::{Color32, FontId, Id, LayerId, Order, Painter, Pos2, Rect, vec2};
use std::time::Instant;
use stonerun_engine::voxel::MaterialId;

/// Seconds for which the name of a newly chosen block is shown.
const NAME: f32 = 2.0;
/// Minimum number of missing chunks at which progress is shown: with fewer, only the edge of the
/// view is loading.
const MIN_SHOWN_MISSING: usize = 64;

/// State of the HUD between frames.
#[derive(Resource, Default)]
pub struct Hud {
    /// Slot and block in hand; `None` before the first frame.
    hand: Option<(usize, MaterialId)>,
    /// Time of the last change of `hand`.
    changed: Option<Instant>,
    /// True once the first chunks are loaded.
    arrived: bool,
}

/// Resets the HUD for another map.
pub fn begin(mut hud: ResMut<Hud>) {
    *hud = Hud::default();
}

/// Draws the HUD.
pub fn show(
    mut contexts: EguiContexts,
    icons: BlockIcons,
    player: Res<Player>,
    map: Res<OpenMap>,
    stream: Option<Res<ChunkStream>>,
    menu: Res<Menu>,
    areas: Res<Areas>,
    keys: Res<KeyCard>,
    settings: Res<Settings>,
    mut travels: MessageReader<Travel>,
    mut hud: ResMut<Hud>,
    mut timings: ResMut<FrameTimings>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    timings.time(FrameStage::Interface, || {
        let painter = ctx.layer_painter(LayerId::new(Order::Background, Id::new("hud")));
        let screen = ctx.viewport_rect();
        let waiting = stream.map_or(0, |s| s.waiting);
        // The chunks of another place must be loaded after a travel.
        hud.arrived =
            (hud.arrived && travels.read().next().is_none()) || waiting < MIN_SHOWN_MISSING;
        if !menu.covers_world() {
            crosshair_mark::paint(&painter, screen.center(), settings.crosshair);
        }
        if let Some(line) = areas.status.filter(|_| settings.position_line) {
            let map = HudMap {
                materials: &map.materials,
                read_only: map.read_only.is_some(),
                time: day::time_of_day(&map),
                day_stopped: settings.day_stopped,
            };
            hud_line::paint(&painter, line, &hud_line::words(&player, &map));
        }
        if let Some(bar) = areas.bar {
            slots::paint(&painter, &icons, bar, &player, &map.materials);
        }
        if let Some(pill) = areas.pill.filter(|_| hud.arrived) {
            name_in_hand(&painter, pill.center(), &player, &map, &mut hud);
        }
        if let Some(area) = areas.pill.filter(|_| !hud.arrived) {
            let words = match waiting {
                usize::MAX => "Loading…".to_owned(),
                n => format!("Loading {} chunks…", format::count(n as u64)),
            };
            pill(&painter, area.center(), &words, theme::TEXT, 1.0);
        }
        if let Some(area) = areas.keys {
            key_card::paint(&painter, area, &keys, settings.keyboard);
        }
    });
}

/// Draws the name of the block in hand, shortly after it was chosen.
fn name_in_hand(painter: &Painter, at: Pos2, player: &Player, map: &OpenMap, hud: &mut Hud) {
    let now = (player.selected, player.in_hand());
    // The first frame in a map is no change of the block in hand.
    if hud.hand.replace(now).is_some_and(|before| before != now) {
        hud.changed = Some(Instant::now());
    }
    let Some(changed) = hud.changed else { return };
    let strength = ((NAME - changed.elapsed().as_secs_f32()) / 0.4).clamp(0.0, 1.0);
    if strength > 0.0
        && now.1 != 0
        && let Some(material) = map.materials.get(now.1)
    {
        pill(painter, at, &text::block_name(material), theme::TEXT, strength);
    }
}

/// Draws a line of text on a dark rounded background.
fn pill(painter: &Painter, centre: Pos2, words: &str, colour: Color32, strength: f32) {
    let mut painter = painter.clone();
    painter.multiply_opacity(strength);
    let galley =
        painter.layout_no_wrap(words.to_owned(), FontId::proportional(theme::BODY), colour);
    let rect = Rect::from_center_size(centre, galley.size() + vec2(24.0, 8.0));
    painter.rect_filled(rect, rect.height() / 2.0, Color32::from_black_alpha(180));
    painter.galley(rect.center() - galley.size() / 2.0, galley, colour);
}
