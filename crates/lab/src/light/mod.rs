//! Light of whole regions: time per chunk and size, compared with two schemes on flat arrays.
//!
//! The rivals get the matter of the region as an array that is ready before the clock starts, so
//! they neither read stored chunks nor look up neighbours. The engine reads stored chunks and ends
//! with runs.
//!
//! A second table measures the time until the light is up to date after a single lamp is placed or
//! removed, compared with Starlight's scheme for edits.

mod flat_region;
mod inputs;
mod lamps;
mod queue;
mod starlight;
mod starlight_edit;

pub use inputs::{LampHue, LightInput};
pub use lamps::{LampMeasurement, measure_lamps};

use flat_region::FlatRegion;
use serde::Serialize;
use std::time::{Duration, Instant};
use stonerun_engine::light::{Channel, ChunkLight, LightMap, LightTraits};
use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos};

/// Row of the table of light. Field names appear in the JSON output.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct LightMeasurement {
    /// Name of the input.
    pub input: String,
    /// Name of the scheme and of the channels.
    pub scheme: String,
    /// Mean time per chunk in microseconds, the median of the rounds.
    pub us_per_chunk: f64,
    /// Size of the light of all chunks, in bytes.
    pub bytes: u64,
    /// True if every voxel has the same levels as with the plain queue.
    pub equal: bool,
}

/// Function of a rival that computes the light of a region, one array per channel.
type Scheme = fn(&FlatRegion, &[Channel]) -> Vec<Vec<u8>>;

/// Name and scheme of each rival. The first is the reference.
const RIVALS: [(&str, Scheme); 2] = [
    ("queue", |region, channels| {
        channels
            .iter()
            .map(|&c| colour(c).map_or_else(|| queue::sun(region), |c| queue::lamps(region, c)))
            .collect()
    }),
    ("starlight", |region, channels| {
        let lit =
            |c| colour(c).map_or_else(|| starlight::sun(region), |c| starlight::lamps(region, c));
        channels.iter().map(|&c| lit(c)).collect()
    }),
];

/// Index of a colour; `None` for the sun.
fn colour(channel: Channel) -> Option<usize> {
    (channel as usize).checked_sub(1)
}

/// Lights the input with all schemes in turn, `rounds` times, in one thread: with the sun and one
/// colour, and with the sun and three colours. `progress` receives the completed share, from 0 to
/// 1.
pub fn measure(
    input: &LightInput,
    rounds: usize,
    progress: &mut dyn FnMut(f32),
) -> Vec<LightMeasurement> {
    let cases = [
        ("", LampHue::Red, &Channel::ALL[..2]),
        (", three colours", LampHue::Mixed, &Channel::ALL[..]),
    ];
    let mut rows = Vec::new();
    for (number, (suffix, hue, channels)) in cases.into_iter().enumerate() {
        let mut share = |done: f32| progress((number as f32 + done) / cases.len() as f32);
        let traits = input.traits(hue);
        rows.extend(
            measure_channels(input, &traits, channels, rounds, &mut share)
                .into_iter()
                .map(|row| LightMeasurement { scheme: row.scheme + suffix, ..row }),
        );
    }
    rows
}

fn measure_channels(
    input: &LightInput,
    traits: &LightTraits,
    channels: &[Channel],
    rounds: usize,
    progress: &mut dyn FnMut(f32),
) -> Vec<LightMeasurement> {
    let positions = input.positions();
    let region = FlatRegion::new(input.min, input.max, traits, |pos| input.chunk(pos));
    let mut times: [Vec<Duration>; RIVALS.len() + 1] = Default::default();
    let mut arrays = vec![Vec::new(); RIVALS.len()];
    let mut map = None;
    for round in 0..rounds {
        for (i, (_, scheme)) in RIVALS.iter().enumerate() {
            let start = Instant::now();
            arrays[i] = scheme(&region, channels);
            times[i].push(start.elapsed());
        }
        let start = Instant::now();
        let mut lit = LightMap::new(traits.clone(), input.max.y);
        for &pos in &positions {
            if let Some(chunk) = input.chunk(pos) {
                lit.insert(pos, chunk.clone());
            }
        }
        lit.settle();
        times[RIVALS.len()].push(start.elapsed());
        map = Some(lit);
        progress((round + 1) as f32 / rounds as f32);
    }
    let us_per_chunk = times.map(|mut times| {
        times.sort_unstable();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        median.as_secs_f64() * 1e6 / positions.len().max(1) as f64
    });
    let light = |pos: ChunkPos| map.as_ref().and_then(|map| map.chunk(pos));
    let bytes = |light: &ChunkLight| (size_of::<ChunkLight>() + light.heap_bytes()) as u64;
    let dense = (positions.len() * CHUNK_VOLUME * channels.len()) as u64;
    let ours = LightMeasurement {
        input: input.name.clone(),
        scheme: "stonerun".to_owned(),
        us_per_chunk: us_per_chunk[RIVALS.len()],
        bytes: positions.iter().filter_map(|&pos| light(pos)).map(bytes).sum(),
        equal: positions.iter().all(|&pos| {
            light(pos).is_some_and(|light| is_equal(light, pos, &region, &arrays[0], channels))
        }),
    };
    let rivals = RIVALS.iter().enumerate().map(|(i, (name, _))| LightMeasurement {
        input: input.name.clone(),
        scheme: (*name).to_owned(),
        us_per_chunk: us_per_chunk[i],
        bytes: dense,
        equal: arrays[i] == arrays[0],
    });
    rivals.chain([ours]).collect()
}

/// True if the light of a chunk equals the levels in the arrays of these channels.
fn is_equal(
    light: &ChunkLight,
    pos: ChunkPos,
    region: &FlatRegion,
    arrays: &[Vec<u8>],
    channels: &[Channel],
) -> bool {
    channels.iter().zip(arrays).all(|(&channel, array)| {
        region
            .levels_of(array, pos)
            .into_iter()
            .enumerate()
            .all(|(index, level)| light.get(index).get(channel) == level)
    })
}
