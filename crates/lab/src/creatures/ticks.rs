//! Time of ticks with many creatures.

use super::input::{CreatureInput, any};
use crate::input::Random;
use glam::IVec3;
use serde::Serialize;
use std::time::Instant;
use stonerun_engine::creatures::nav::NavClass;
use stonerun_engine::creatures::{Brightness, CreatureKinds, CreatureView, Creatures, KindError};

/// Time per creature and tick in Vintage Story, in microseconds.
pub const VINTAGE_STORY_US: f64 = 91.0;
/// Number of ticks before the clock starts, so that creatures have reached different states.
const WARM_UP: u32 = 100;
/// Number of measured ticks: ten seconds.
const TICKS: u32 = 200;

/// Measurement of ticks. Field names appear in the JSON output.
#[derive(Clone, PartialEq, Serialize, Debug, Default)]
pub struct TickMeasurement {
    /// Number of creatures.
    pub creatures: usize,
    /// Mean time per tick on one thread, in milliseconds.
    pub tick_ms: f64,
    /// Time of the longest tick, in milliseconds.
    pub tick_ms_max: f64,
    /// Mean time per creature and tick, in microseconds.
    pub us: f64,
    /// Time per creature and tick in Vintage Story ([`VINTAGE_STORY_US`]) divided by the engine's.
    pub ratio: f64,
    /// Mean share of the creatures that move in a tick.
    pub moving: f64,
    /// Mean share of the creatures that think in a tick.
    pub thinking: f64,
    /// True if a second run gives the same positions.
    pub equal: bool,
}

/// Measures ticks of `count` creatures of all kinds, placed where each kind can live, while a
/// player walks among them. Day and night pass.
///
/// # Errors
/// The map lacks a material of the game's kinds.
pub fn measure_ticks(input: &CreatureInput, count: usize) -> Result<TickMeasurement, KindError> {
    let nav = input.navigation();
    let places = input.places(&nav);
    let kinds = CreatureKinds::builtin(&input.materials)?;
    let by_class =
        |class| places.iter().copied().filter(|&at| nav.class(at) == class).collect::<Vec<IVec3>>();
    let land = by_class(NavClass::Open);
    let water = by_class(NavClass::Water);
    let light = |at: IVec3| Brightness { sun: if at.y < -8 { 0 } else { 15 }, lamps: 0 };
    let run = || {
        let mut creatures = Creatures::new(kinds.clone(), 4);
        let mut random = Random::new(14);
        let fish = kinds.find("fish");
        while creatures.len() < count && !land.is_empty() {
            // Predators are rare.
            let kind = [0, 0, 0, 0, 2, 2, 3, 3, 4, 4, 5, 1][(random.draw() % 12) as usize];
            let home = if Some(kind) == fish && !water.is_empty() { &water } else { &land };
            creatures.place(kind.min(kinds.list().len() - 1), any(&mut random, home));
        }
        let mut row = TickMeasurement { creatures: creatures.len(), ..TickMeasurement::default() };
        for tick in 0..WARM_UP + TICKS {
            let minutes = tick * 1440 / (WARM_UP + TICKS);
            let view = CreatureView {
                nav: &nav,
                world: &input.world,
                light: &light,
                daylight: if (330..1170).contains(&minutes) { 15 } else { 3 },
                minutes,
                player: land.get(tick as usize * 5 % land.len().max(1)).copied(),
            };
            let start = Instant::now();
            let counts = creatures.tick(&view);
            let ms = start.elapsed().as_secs_f64() * 1e3;
            if tick >= WARM_UP {
                let share =
                    |part: usize| part as f64 / creatures.len().max(1) as f64 / f64::from(TICKS);
                row.tick_ms += ms / f64::from(TICKS);
                row.tick_ms_max = row.tick_ms_max.max(ms);
                row.moving += share(counts.moved);
                row.thinking += share(counts.thought);
            }
        }
        (row, creatures.encode())
    };
    let ((mut row, first), (_, second)) = (run(), run());
    row.us = row.tick_ms * 1e3 / row.creatures.max(1) as f64;
    row.ratio = VINTAGE_STORY_US / row.us;
    row.equal = first == second;
    Ok(row)
}
