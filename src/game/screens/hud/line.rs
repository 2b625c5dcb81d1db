//! The line of the HUD: the player's position and direction, and the block under the crosshair.

use crate::game::state::compass;
use crate::game::state::player::Player;
use crate::game::ui_kit::theme;
use bevy_egui::egui::text::{LayoutJob, TextFormat, TextWrapping};
use bevy_egui::egui::{Color32, FontId, Painter, Rect, vec2};
use stonerun_engine::save::TimeOfDay;
use stonerun_engine::voxel::MaterialTable;

/// State of the map that the line shows.
#[derive(Clone, Copy, Debug)]
pub struct HudMap<'a> {
    /// The map's materials.
    pub materials: &'a MaterialTable,
    /// True if the map is read-only.
    pub read_only: bool,
    /// Time of day.
    pub time: TimeOfDay,
    /// True while the day stands still.
    pub day_stopped: bool,
}

/// Text of the line: "12, 64, -5 · north-east · 14:05 · granite (13, 62, -6)". The position is the
/// voxel of the feet, and the last part is the block that the hands reach. While the day is
/// stopped, the time is "14:05, stopped". "read-only" comes first in a read-only map, then "drone"
/// and its view.
#[must_use]
pub fn words(player: &Player, map: &HudMap) -> String {
    let at = player.walker.voxel();
    let mut mark = if map.read_only { "read-only · " } else { "" }.to_owned();
    if let Some(drone) = player.drone {
        let is_flat = drone.orthographic_height.is_some();
        mark += match (drone.side, is_flat) {
            (Some(side), _) => format!("drone, {side} · "),
            (None, true) => "drone, orthographic · ".to_owned(),
            (None, false) => "drone · ".to_owned(),
        }
        .as_str();
    }
    let stopped = if map.day_stopped { ", stopped" } else { "" };
    let direction = compass::direction(player.yaw);
    let mut line =
        format!("{mark}{}, {}, {} · {direction} · {}{stopped}", at.x, at.y, at.z, map.time);
    if let Some(hit) = player.target
        && let Some(material) = map.materials.get(hit.voxel.material())
    {
        let at = hit.voxel_pos;
        let name = material.kind().replace('_', " ");
        line += &format!(" · {name} ({}, {}, {})", at.x, at.y, at.z);
    }
    line
}

/// Draws the line at the left of `area`, on a dark ground. Cuts text that does not fit.
pub fn paint(painter: &Painter, area: Rect, words: &str) {
    const PADDING: f32 = 9.0;
    let format = TextFormat {
        font_id: FontId::proportional(theme::SMALL),
        color: theme::TEXT,
        ..TextFormat::default()
    };
    let wrap = TextWrapping::truncate_at_width(area.width() - 2.0 * PADDING);
    let job = LayoutJob { wrap, ..LayoutJob::single_section(words.to_owned(), format) };
    let galley = painter.layout_job(job);
    let ground =
        Rect::from_min_size(area.min, vec2(galley.size().x + 2.0 * PADDING, area.height()));
    painter.rect_filled(ground, theme::ROUND, Color32::from_black_alpha(165));
    painter.galley(
        ground.left_center() + vec2(PADDING, -galley.size().y / 2.0),
        galley,
        theme::TEXT,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::state::player::DroneView;
    use glam::{DVec3, IVec3};
    use stonerun_engine::body::walking::Walker;
    use stonerun_engine::voxel::{Face, Voxel};
    use stonerun_engine::world::RayHit;

    #[test]
    fn line_names_position_direction_time_and_block() {
        let materials = MaterialTable::builtin();
        let walker = Walker::at(DVec3::new(12.9, 64.0, -4.1));
        let mut player = Player { walker, yaw: -std::f32::consts::FRAC_PI_4, ..Player::default() };
        let map = HudMap {
            materials: &materials,
            read_only: false,
            time: TimeOfDay::from_minutes(845),
            day_stopped: false,
        };
        assert_eq!(words(&player, &map), "12, 64, -5 · north-east · 14:05");
        let block = Voxel::full(materials.find("mossy_cobblestone").unwrap());
        player.target = Some(RayHit {
            voxel_pos: IVec3::new(13, 62, -6),
            voxel: block,
            face: Some(Face::Up),
            distance: 2.0,
            ground_normal: None,
        });
        assert_eq!(
            words(&player, &HudMap { read_only: true, day_stopped: true, ..map }),
            "read-only · 12, 64, -5 · north-east · 14:05, stopped · mossy cobblestone (13, 62, -6)"
        );
        player.target = None;
        let view = DroneView { focus: DVec3::ZERO, orthographic_height: None, side: None };
        player.drone = Some(view);
        assert_eq!(words(&player, &map), "drone · 12, 64, -5 · north-east · 14:05");
        player.drone =
            Some(DroneView { orthographic_height: Some(9.0), side: Some("top"), ..view });
        assert!(words(&player, &map).starts_with("drone, top · 12"));
    }
}
