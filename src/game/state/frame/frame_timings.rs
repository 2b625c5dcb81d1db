//! Times of the stages of a frame, for the panel's page *Frame*.

use bevy::prelude::*;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use strum::{IntoStaticStr, VariantArray};

/// A part of a frame that is timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum FrameStage {
    /// Adding loaded chunks and requesting more.
    Stream,
    /// Light of edited chunks, and applying light computed in the background.
    Light,
    /// Meshes of edited chunks, and handing meshes made in the background to the renderer.
    Mesh,
    /// Sweeps of the player's cell, and showing and hiding chunks.
    Visibility,
    /// Committing finished edits, and starting the next ones.
    Edits,
    /// Applying changes by rules, and starting steps.
    Rules,
    /// Starting ticks of the creatures, and applying their results.
    Creatures,
    /// Moving the player and finding the voxel under the crosshair.
    Player,
    /// Panel, menus, hot bar.
    Interface,
    /// Starting saves and reporting finished ones.
    Save,
}

impl FrameStage {
    /// All stages, in the order the panel lists them.
    pub const ALL: &'static [FrameStage] = FrameStage::VARIANTS;

    /// Name in the panel.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Number of frames whose times are kept.
pub const KEPT_FRAMES: usize = 600;
/// Time after which the stages of a short frame start no work that can wait: half of the 16 ms of a
/// frame at 60 frames a second.
const FULL_FRAME: Duration = Duration::from_millis(8);
/// The same limit for long frames, as a share of the last frame's length. Two tenths of it are the
/// budgets of loading and meshing.
const FULL_FRAME_SHARE: f64 = 0.3;
/// Maximum frame length from which budgets are computed. Without it, budgets would be huge after
/// the computer was suspended.
const MAX_COUNTED_FRAME: Duration = Duration::from_secs(1);

/// Times of the last frames.
#[derive(Resource, Default)]
pub struct FrameTimings {
    /// Time of each stage in the current frame.
    current: [Duration; FrameStage::ALL.len()],
    /// Milliseconds of each stage in the last frame.
    pub latest_ms: [f64; FrameStage::ALL.len()],
    /// Milliseconds of each stage, smoothed over about a second.
    pub smooth_ms: [f64; FrameStage::ALL.len()],
    /// Milliseconds of the last [`KEPT_FRAMES`] frames, the newest last.
    pub frames_ms: VecDeque<f64>,
}

impl FrameTimings {
    /// Runs `work` and adds its time to `stage`.
    pub fn time<T>(&mut self, stage: FrameStage, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add(stage, start.elapsed());
        result
    }

    /// Adds time to `stage`.
    pub fn add(&mut self, stage: FrameStage, time: Duration) {
        self.current[stage as usize] += time;
    }

    /// Time that the stages may still take in this frame. When it is zero, work that can wait is
    /// left to a later frame.
    #[must_use]
    pub fn left(&self) -> Duration {
        self.budget(FULL_FRAME, FULL_FRAME_SHARE).saturating_sub(self.current.iter().sum())
    }

    /// Length of the last frame, at most a second; zero before the first.
    #[must_use]
    pub fn last_frame(&self) -> Duration {
        let ms = self.frames_ms.back().copied().unwrap_or(0.0);
        Duration::from_secs_f64((ms / 1000.0).max(0.0)).min(MAX_COUNTED_FRAME)
    }

    /// Time that a stage may spend in this frame: a `share` (0 to 1) of the last frame's length,
    /// but at least `least`. With a fixed budget, slow frames would get less work done per second.
    #[must_use]
    pub fn budget(&self, least: Duration, share: f64) -> Duration {
        least.max(self.last_frame().mul_f64(share))
    }

    /// The frame time below which `fraction` (0 to 1) of the kept frames are, in milliseconds; 0
    /// without frames.
    #[must_use]
    pub fn percentile_ms(&self, fraction: f64) -> f64 {
        let mut sorted: Vec<f64> = self.frames_ms.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let index = ((sorted.len() as f64 * fraction) as usize).min(sorted.len().saturating_sub(1));
        sorted.get(index).copied().unwrap_or(0.0)
    }
}

/// Records a frame's times.
pub fn end_frame(mut timings: ResMut<FrameTimings>, time: Res<Time<Real>>) {
    for i in 0..FrameStage::ALL.len() {
        let ms = timings.current[i].as_secs_f64() * 1000.0;
        timings.latest_ms[i] = ms;
        timings.smooth_ms[i] += (ms - timings.smooth_ms[i]) * 0.05;
        timings.current[i] = Duration::ZERO;
    }
    let frame = time.delta().as_secs_f64() * 1000.0;
    timings.frames_ms.push_back(frame);
    if timings.frames_ms.len() > KEPT_FRAMES {
        timings.frames_ms.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentile_is_the_time_most_frames_stay_below() {
        let timings = FrameTimings {
            frames_ms: (1..=100).map(f64::from).collect(),
            ..FrameTimings::default()
        };
        assert_eq!(timings.percentile_ms(0.5), 51.0);
        assert_eq!(timings.percentile_ms(0.99), 100.0);
        assert_eq!(FrameTimings::default().percentile_ms(0.5), 0.0);
    }
    #[test]
    fn budget_follows_the_length_of_the_last_frame() {
        let after = |ms: &[f64]| {
            let timings =
                FrameTimings { frames_ms: ms.iter().copied().collect(), ..FrameTimings::default() };
            timings.budget(Duration::from_millis(2), 0.1)
        };
        let budgets =
            [after(&[]), after(&[500.0, 16.0]), after(&[16.0, 500.0]), after(&[90_000.0])];
        assert_eq!(budgets, [2, 2, 50, 100].map(Duration::from_millis));
    }
}
