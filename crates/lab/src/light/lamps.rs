//! Single lamps: the time from placing or removing a lamp until the light is up to date again.

use super::flat_region::FlatRegion;
use super::starlight_edit::EditQueues;
use super::{LampHue, LightInput, RIVALS, colour, is_equal};
use crate::input::Lcg;
use glam::IVec3;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::time::{Duration, Instant};
use stonerun_engine::light::{Channel, LightMap, LightTraits};
use stonerun_engine::runs::RunTree;
use stonerun_engine::voxel::{CHUNK_SIDE, ChunkPos, Voxel, linear_index, local, local_coord};

/// Number of lamps per row.
const LAMPS: usize = 48;
/// Number of random positions that are tried per lamp.
const CANDIDATES: usize = 64;

/// Row of the table of lamps. Field names appear in the JSON output.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct LampMeasurement {
    /// Name of the input.
    pub input: String,
    /// Position of the lamps: "anywhere" on the ground, or near a "corner" of chunks.
    pub place: String,
    /// Name of the scheme and of the channels.
    pub scheme: String,
    /// Mean time until the light is up to date after a lamp was placed, in microseconds.
    pub us_placed: f64,
    /// The same time for the slowest lamp.
    pub us_placed_max: f64,
    /// Mean time until the light is up to date after a lamp was removed, in microseconds.
    pub us_removed: f64,
    /// The same time for the slowest lamp.
    pub us_removed_max: f64,
    /// True if every voxel has the light that is computed from scratch, with all lamps and without
    /// them.
    pub equal: bool,
}

/// Places lamps one after another and removes them again, `rounds` times, in one thread. Returns no
/// rows if the input has no lamp to place, or no ground to place it on.
pub fn measure_lamps(
    input: &LightInput,
    rounds: usize,
    progress: &mut dyn FnMut(f32),
) -> Vec<LampMeasurement> {
    let cases = [
        ("", LampHue::Red, &Channel::ALL[..2]),
        (", three colours", LampHue::Mixed, &Channel::ALL[..]),
    ];
    let mut rows = Vec::new();
    if input.positions().is_empty() {
        return rows;
    }
    for (number, (suffix, hue, channels)) in cases.into_iter().enumerate() {
        let traits = input.traits(hue);
        let Some(mut lab) = LampLab::new(input, &traits, channels) else { return Vec::new() };
        for (half, place) in ["anywhere", "corner"].into_iter().enumerate() {
            let lamps = lab.places(place == "corner");
            if lamps.is_empty() {
                return Vec::new();
            }
            for row in lab.measure(&lamps, rounds) {
                let input = input.name.clone();
                let place = place.to_owned();
                rows.push(LampMeasurement { input, place, scheme: row.scheme + suffix, ..row });
            }
            progress((2 * number + half + 1) as f32 / (2 * cases.len()) as f32);
        }
    }
    rows
}

/// Times of each lamp, placed and removed, over all rounds.
type Times = Vec<[Vec<Duration>; 2]>;

/// A lit world in the forms of both schemes.
struct LampLab<'a> {
    input: &'a LightInput,
    traits: &'a LightTraits,
    channels: &'a [Channel],
    region: FlatRegion,
    /// Light levels of the rival, one array per channel.
    arrays: Vec<Vec<u8>>,
    queues: EditQueues,
    map: LightMap,
    chunks: FxHashMap<ChunkPos, RunTree>,
    lamp: Voxel,
}

impl<'a> LampLab<'a> {
    /// Returns `None` if none of the materials emits light.
    fn new(
        input: &'a LightInput,
        traits: &'a LightTraits,
        channels: &'a [Channel],
    ) -> Option<LampLab<'a>> {
        let brightest = input.materials().iter().filter(|(_, material)| material.light > 0);
        let by_name = input.materials().find("lamp");
        let lamp = by_name
            .or_else(|| brightest.max_by_key(|(_, material)| material.light).map(|(id, _)| id))?;
        let region = FlatRegion::new(input.min, input.max, traits, |pos| input.chunk(pos));
        let mut map = LightMap::new(traits.clone(), input.max.y);
        let known = |pos| Some((pos, input.chunk(pos)?.clone()));
        let chunks: FxHashMap<ChunkPos, RunTree> =
            input.positions().into_iter().filter_map(known).collect();
        for (&pos, chunk) in &chunks {
            map.insert(pos, chunk.clone());
        }
        map.settle();
        let arrays = RIVALS[1].1(&region, channels);
        let queues = EditQueues::default();
        Some(LampLab {
            input,
            traits,
            channels,
            region,
            arrays,
            queues,
            map,
            chunks,
            lamp: Voxel::full(lamp),
        })
    }

    /// True if a position is air in a loaded chunk.
    fn is_air(&self, at: IVec3) -> bool {
        let chunk = self.chunks.get(&ChunkPos::containing(at));
        chunk.is_some_and(|chunk| chunk.get(linear_index(local(at))) == Voxel::AIR)
    }

    /// Positions of air above ground: random positions, or the nearest to corners of chunks.
    fn places(&self, at_corners: bool) -> Vec<IVec3> {
        let min = self.input.min * CHUNK_SIDE;
        let size = (self.input.max - self.input.min) * CHUNK_SIDE;
        let mut random = Lcg(7);
        let mut below = |n: i32| (random.draw() >> 33) as i32 % n;
        let mut found: Vec<IVec3> = Vec::new();
        for _ in 0..CANDIDATES * LAMPS {
            let start = min + IVec3::new(below(size.x), below(size.y), below(size.z));
            // Goes down to the ground, which is the surface or the floor of a cave.
            let is_ground = |at: &IVec3| self.is_air(*at) && !self.is_air(*at - IVec3::Y);
            let ground =
                (min.y..=start.y).rev().map(|y| IVec3::new(start.x, y, start.z)).find(is_ground);
            found.extend(
                ground.filter(|at| self.is_air(start) && at.y > min.y && !found.contains(at)),
            );
        }
        if at_corners {
            let from_border =
                |voxel: i32| local_coord(voxel).min(CHUNK_SIDE - 1 - local_coord(voxel));
            found.sort_by_key(|at| at.to_array().map(from_border).into_iter().max());
        }
        found.truncate(LAMPS);
        found
    }

    fn measure(&mut self, lamps: &[IVec3], rounds: usize) -> Vec<LampMeasurement> {
        let empty = || -> Times { vec![Default::default(); lamps.len()] };
        let mut rival = empty();
        let mut ours = empty();
        let [mut rival_is_equal, mut is_equal] = [true; 2];
        for round in 0..rounds {
            for (step, voxel) in [self.lamp, Voxel::AIR].into_iter().enumerate() {
                for (number, &at) in lamps.iter().enumerate() {
                    rival[number][step].push(self.set_in_region(at, voxel));
                }
                for (number, &at) in lamps.iter().enumerate() {
                    ours[number][step].push(self.set_in_map(at, voxel));
                }
                if round + 1 == rounds {
                    let [rival, ours] = self.compare();
                    (rival_is_equal, is_equal) = (rival_is_equal && rival, is_equal && ours);
                }
            }
        }
        vec![row("starlight", &mut rival, rival_is_equal), row("stonerun", &mut ours, is_equal)]
    }

    /// Changes a voxel of the flat region, and updates the rival's arrays.
    fn set_in_region(&mut self, at: IVec3, voxel: Voxel) -> Duration {
        let start = Instant::now();
        let at = self.region.index_of(at);
        let before = self.region.open_from[self.region.column(at).1];
        self.region.set(at, voxel, self.traits);
        for (&channel, levels) in self.channels.iter().zip(&mut self.arrays) {
            match colour(channel) {
                None => self.queues.edit_sun(&self.region, levels, at, before),
                Some(colour) => self.queues.edit_lamps(&self.region, levels, at, colour),
            }
        }
        start.elapsed()
    }

    /// Changes a voxel of a chunk, and updates the light map until nothing is left to do.
    fn set_in_map(&mut self, at: IVec3, voxel: Voxel) -> Duration {
        let pos = ChunkPos::containing(at);
        let Some(chunk) = self.chunks.get_mut(&pos) else { return Duration::ZERO };
        chunk.set(linear_index(local(at)), voxel);
        let edited = chunk.clone();
        let start = Instant::now();
        self.map.insert(pos, edited);
        self.map.settle();
        start.elapsed()
    }

    /// Compares the rival's arrays and the light map, in this order, with light that is computed
    /// from scratch. True if they are equal.
    fn compare(&self) -> [bool; 2] {
        let region = FlatRegion::new(self.input.min, self.input.max, self.traits, |pos| {
            self.chunks.get(&pos)
        });
        let scratch = RIVALS[0].1(&region, self.channels);
        let is_lit = |&pos: &ChunkPos| {
            self.map
                .chunk(pos)
                .is_some_and(|light| is_equal(light, pos, &region, &scratch, self.channels))
        };
        [self.arrays == scratch, self.chunks.keys().all(is_lit)]
    }
}

/// The row of a scheme. Sorts `times`.
fn row(scheme: &str, times: &mut Times, equal: bool) -> LampMeasurement {
    let [placed, removed] = [0, 1].map(|step| {
        let mut medians = Vec::new();
        for times in times.iter_mut() {
            times[step].sort_unstable();
            let median = times[step].get(times[step].len() / 2).copied().unwrap_or_default();
            medians.push(median.as_secs_f64() * 1e6);
        }
        let most = medians.iter().copied().fold(0.0, f64::max);
        (medians.iter().sum::<f64>() / medians.len().max(1) as f64, most)
    });
    LampMeasurement {
        input: String::new(),
        place: String::new(),
        scheme: scheme.to_owned(),
        us_placed: placed.0,
        us_placed_max: placed.1,
        us_removed: removed.0,
        us_removed_max: removed.1,
        equal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::generated_world;
    use stonerun_engine::terrain::TerrainKind;
    use stonerun_engine::voxel::MaterialTable;
    use stonerun_engine::world::{Chunk, World};

    #[test]
    fn input_without_ground_has_no_rows() {
        let mut air = World::new();
        air.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        for world in [World::new(), air] {
            let input = LightInput::from_world("".to_owned(), world, MaterialTable::builtin());
            assert_eq!(measure_lamps(&input, 1, &mut |_| ()), []);
        }
    }

    #[test]
    fn lamps_of_both_schemes_equal_light_from_scratch() {
        for (kind, height) in [(TerrainKind::Islands, 2), (TerrainKind::Caverns, 1)] {
            let input = LightInput::from_world(
                "".to_owned(),
                generated_world(5, kind, 2, height),
                MaterialTable::builtin(),
            );
            let rows = measure_lamps(&input, 1, &mut |_| ());
            assert_eq!(rows.len(), 8, "{kind:?}");
            for row in rows {
                assert!(
                    row.equal && row.us_placed > 0.0 && row.us_removed > 0.0,
                    "{kind:?}: {row:?}"
                );
            }
        }
    }
}
