//! The head of the panel, above every page: position, frame rate, and the block under the
//! crosshair.

use crate::game::inspect::panel::typography::{self, AMBER, BLUE, BRIGHT, FAINT};
use crate::game::state::format;
use crate::game::state::frame::frame_timings::FrameTimings;
use crate::game::state::player::Player;
use crate::game::ui_kit::text;
use bevy_egui::egui::Ui;
use glam::{DVec3, IVec3};
use stonerun_engine::voxel::MaterialTable;

/// Data of the head.
pub struct PanelHead {
    /// Position of the player, or of the free camera.
    pub position: DVec3,
    /// Frames per second; NaN before the first frame.
    pub frames_per_second: f64,
    /// Milliseconds of the newest frame; NaN before the first frame.
    pub newest_ms: f64,
    /// The block in reach under the crosshair: name and position.
    pub block: Option<(String, IVec3)>,
}

impl PanelHead {
    /// The head for `player`.
    #[must_use]
    pub fn new(player: &Player, materials: &MaterialTable, timings: &FrameTimings) -> PanelHead {
        let block = player.target.map(|hit| {
            let material = materials.get(hit.voxel.material());
            (material.map_or_else(|| "?".to_owned(), text::block_name), hit.voxel_pos)
        });
        PanelHead {
            position: player.walker.position,
            frames_per_second: per_second(timings.frames_ms.iter().rev()),
            newest_ms: timings.frames_ms.back().copied().unwrap_or(f64::NAN),
            block,
        }
    }
}

/// Frames per second over the last half second, or over the last frame if it was longer.
/// `newest_first` are frame times in milliseconds.
pub fn per_second<'a>(newest_first: impl Iterator<Item = &'a f64>) -> f64 {
    let mut taken = 0;
    let mut sum = 0.0;
    for ms in newest_first {
        taken += 1;
        sum += ms;
        if sum >= 500.0 {
            break;
        }
    }
    if sum > 0.0 { f64::from(taken) * 1000.0 / sum } else { f64::NAN }
}

/// Draws the head.
pub fn show(ui: &mut Ui, head: &PanelHead) {
    let p = head.position;
    typography::single(ui, "Position", format!("{:.2} {:.2} {:.2}", p.x, p.y, p.z), BRIGHT);
    let rate = if head.frames_per_second.is_finite() {
        format!(
            "{} fps, {}",
            format::decimal(head.frames_per_second),
            format::millis(head.newest_ms)
        )
    } else {
        format::NONE.to_owned()
    };
    typography::single(ui, "Frame rate", rate, BLUE);
    match &head.block {
        Some((name, at)) => {
            typography::single(ui, "Block", format!("{name} at {} {} {}", at.x, at.y, at.z), AMBER)
        }
        None => typography::single(ui, "Block", "None in reach", FAINT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_rate_covers_half_a_second() {
        let rate = |frames: Vec<f64>| per_second(frames.iter().rev());
        assert!(rate(Vec::new()).is_nan());
        assert_eq!(rate(vec![20.0; 100]), 50.0);
        // Frames from before the last half second do not count.
        assert_eq!(rate([vec![500.0; 9], vec![10.0; 60]].concat()), 100.0);
        assert_eq!(rate(vec![2000.0]), 0.5);
    }

    #[test]
    fn block_under_the_crosshair_is_named_with_its_position() {
        let materials = MaterialTable::builtin();
        let head = |player: &Player| PanelHead::new(player, &materials, &FrameTimings::default());
        let mut player = Player::default();
        assert!(head(&player).block.is_none());
        let voxel =
            stonerun_engine::voxel::Voxel::full(materials.find("oak_log").expect("oak log"));
        let hit = stonerun_engine::world::RayHit {
            voxel_pos: IVec3::new(1, -2, 3),
            voxel,
            face: None,
            distance: 2.0,
            ground_normal: None,
        };
        player.target = Some(hit);
        assert_eq!(head(&player).block, Some(("Oak log".to_owned(), IVec3::new(1, -2, 3))));
    }
}
