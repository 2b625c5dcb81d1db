//! Where the time of a frame goes: the panel's page *Frame* shows what is measured here.

use bevy::prelude::*;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Parts of a frame that are timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Taking in chunks and asking for more.
    Stream,
    /// Meshes of edited chunks, and taking in meshes made in the background.
    Mesh,
    /// What the player's cell sees: sweeps, and showing and hiding chunks.
    Visibility,
    /// Moving the player and looking for what is under the crosshair.
    Player,
    /// Panel, menus, hot bar.
    Interface,
    /// Handing over and finishing saves.
    Save,
}

impl Stage {
    /// All, in the order the panel lists them.
    pub const ALL: [Stage; 6] =
        [Stage::Stream, Stage::Mesh, Stage::Visibility, Stage::Player, Stage::Interface, Stage::Save];

    /// Its name in the panel.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Stream => "stream",
            Stage::Mesh => "mesh",
            Stage::Visibility => "visibility",
            Stage::Player => "player",
            Stage::Interface => "interface",
            Stage::Save => "save",
        }
    }
}

/// Frames that are kept.
pub const KEPT: usize = 600;

/// Times of the last frames.
#[derive(Resource, Default)]
pub struct Stages {
    now: [Duration; Stage::ALL.len()],
    /// Milliseconds of each stage, smoothed over about a second.
    pub smooth: [f64; Stage::ALL.len()],
    /// Milliseconds of whole frames, the newest last.
    pub frames: VecDeque<f64>,
}

impl Stages {
    /// Runs `work` and counts its time to `stage`.
    pub fn time<T>(&mut self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.now[stage as usize] += start.elapsed();
        result
    }

    /// The frame time that `part` (0 to 1) of the kept frames stay below, in milliseconds.
    #[must_use]
    pub fn percentile(&self, part: f64) -> f64 {
        let mut sorted: Vec<f64> = self.frames.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let at = ((sorted.len() as f64 * part) as usize).min(sorted.len().saturating_sub(1));
        sorted.get(at).copied().unwrap_or(0.0)
    }
}

/// Ends a frame's account.
pub fn end_frame(mut stages: ResMut<Stages>, time: Res<Time<Real>>) {
    for i in 0..Stage::ALL.len() {
        let ms = stages.now[i].as_secs_f64() * 1000.0;
        stages.smooth[i] += (ms - stages.smooth[i]) * 0.05;
        stages.now[i] = Duration::ZERO;
    }
    let frame = time.delta().as_secs_f64() * 1000.0;
    stages.frames.push_back(frame);
    if stages.frames.len() > KEPT {
        stages.frames.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles() {
        let stages = Stages { frames: (1..=100).map(f64::from).collect(), ..Stages::default() };
        assert_eq!(stages.percentile(0.5), 51.0);
        assert_eq!(stages.percentile(0.99), 100.0);
        assert_eq!(Stages::default().percentile(0.5), 0.0);
    }
}
