//! The thread on which creatures live. It owns them and the chunks that they know.

use super::command::CreatureCommand;
use crate::game::platform::task_pools;
use glam::{DVec3, IVec3};
use rustc_hash::FxHashMap;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use stonerun_engine::creatures::nav::{Navigation, PathCounts, ReachCounts};
use stonerun_engine::creatures::{
    Brightness, CreatureKinds, CreaturePath, CreaturePose, CreatureRecordError, CreatureView,
    Creatures, TickCounts,
};
use stonerun_engine::light::{Channel, ChunkLight, LightLevels};
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable, linear_index, local};
use stonerun_engine::world::{Chunk, World};

/// Number of ticks between two encodings of all creatures for the map.
const ENCODE_EVERY: u64 = 40;

/// Changes of the chunks that creatures know.
#[derive(Default)]
pub struct ChunkNews {
    /// Chunks that are newly known, or were edited.
    pub changed: Vec<(ChunkPos, Chunk)>,
    /// Chunks of `changed` that are newly known.
    pub new: Vec<ChunkPos>,
    /// Chunks that are no longer known.
    pub removed: Vec<ChunkPos>,
    /// New light.
    pub lights: Vec<(ChunkPos, ChunkLight)>,
    /// Boxes of edited voxels.
    pub edited: Vec<Box3>,
}

/// Input of the thread for some ticks.
pub struct TickInput {
    /// Changes of the known chunks.
    pub news: ChunkNews,
    /// Light of the open sky, 0 to 15.
    pub daylight: u8,
    /// Minutes since midnight.
    pub minutes: u32,
    /// Voxel of the player's feet.
    pub player: IVec3,
    /// The material table, if it has changed since the last input.
    pub materials: Option<Arc<MaterialTable>>,
    /// Commands of the builder.
    pub commands: Vec<CreatureCommand>,
    /// Place from which the overlay *reach* shows reachable places; `None` while it is not shown.
    pub reach_from: Option<IVec3>,
    /// True while the overlay *paths* is shown.
    pub shows_ways: bool,
    /// True to encode all creatures for the map.
    pub encodes: bool,
    /// Number of ticks to carry out; 0 to carry out only the commands.
    pub ticks: u32,
}

/// A creature that is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LivePose {
    /// Pose at the tick.
    pub pose: CreaturePose,
    /// Pose shortly before the next tick.
    pub next: CreaturePose,
    /// Light at the position of the creature.
    pub light: LightLevels,
}

/// Places that the overlay *reach* shows as reachable.
#[derive(Clone, Default)]
pub struct ReachShown {
    /// Place from which the others can be reached.
    pub from: IVec3,
    /// Rows of places, as [`Navigation::reachable_rows`] gives them.
    pub rows: Vec<(IVec3, u32)>,
    /// Revision of navigation for which the places were found.
    pub revision: u64,
}

/// Record of all creatures, encoded for the map.
pub struct EncodedCreatures {
    /// The record of the map.
    pub bytes: Vec<u8>,
    /// True if a builder has changed the creatures since the last encoding.
    pub is_edit: bool,
}

/// Result of some ticks.
pub struct TickResult {
    /// The creatures near the player.
    pub poses: Vec<LivePose>,
    /// Answers to commands.
    pub answers: Vec<String>,
    /// Counts of the last tick.
    pub counts: TickCounts,
    /// Number of creatures of each kind, by the number of the kind.
    pub by_kind: Vec<u32>,
    /// Number of creatures that sleep.
    pub asleep: u32,
    /// Counts of path searches so far.
    pub path_counts: PathCounts,
    /// Size of the reach sets.
    pub reach_counts: ReachCounts,
    /// Number of ticks.
    pub ticks: u32,
    /// Time of updating navigation, then mean time of a tick.
    pub took: [Duration; 2],
    /// Record of all creatures. Made after edits by a builder, on request, and every
    /// [`ENCODE_EVERY`] ticks.
    pub encoded: Option<EncodedCreatures>,
    /// Paths for the overlay *paths*, while it is shown.
    pub ways: Vec<CreaturePath>,
    /// Places for the overlay *reach*, if they have changed.
    pub reach: Option<ReachShown>,
}

/// The ends of the channels to the thread.
pub struct CreatureThread {
    /// Sends the input of ticks. The thread ends when this is dropped.
    pub sender: Sender<TickInput>,
    /// Receives one result per input.
    pub receiver: Receiver<TickResult>,
}

/// State of the thread: the creatures and the chunks that they know.
struct Life {
    creatures: Creatures,
    materials: Arc<MaterialTable>,
    nav: Navigation,
    /// Chunks that the creatures know.
    world: World,
    lights: FxHashMap<ChunkPos, ChunkLight>,
    /// Start, and revision of navigation, of the places last sent for the overlay *reach*.
    reach: Option<(IVec3, u64)>,
    ticks: u64,
}

/// Distance from the player up to which creatures are drawn, in voxels.
pub const DRAWN_WITHIN: f64 = 96.0;

/// Maximum number of drawn creatures. The nearest ones are chosen.
const MAX_DRAWN: usize = 500;
/// Distance from the player up to which paths are shown, in voxels.
const WAYS_WITHIN: i32 = 64;

/// Starts the thread.
///
/// # Errors
/// The operating system cannot start a thread.
pub fn start(creatures: Creatures, materials: Arc<MaterialTable>) -> io::Result<CreatureThread> {
    let (sender, input) = channel::<TickInput>();
    let (output, receiver) = channel();
    task_pools::spawn_background("creatures", move || {
        let nav = Navigation::new(&materials);
        let mut life = Life {
            creatures,
            materials,
            nav,
            world: World::new(),
            lights: FxHashMap::default(),
            reach: None,
            ticks: 0,
        };
        for input in input {
            // Fails only if the map was closed meanwhile.
            if output.send(life.tick(input)).is_err() {
                return;
            }
        }
    })?;
    Ok(CreatureThread { sender, receiver })
}

impl Life {
    /// Applies changes of the known chunks.
    fn take_news(&mut self, news: ChunkNews) {
        for pos in news.removed {
            self.nav.chunk_removed(pos);
            self.world.remove(pos);
            self.lights.remove(&pos);
        }
        for (pos, chunk) in news.changed {
            self.nav.chunk_changed(pos, &chunk);
            self.world.insert(pos, chunk);
        }
        self.lights.extend(news.lights);
        self.nav.update();
        for pos in news.new {
            self.creatures.chunk_loaded(pos);
        }
        for area in news.edited {
            self.creatures.wake(area);
        }
    }

    /// Finds places again after the surfaces of materials have changed.
    fn set_materials(&mut self, materials: Arc<MaterialTable>) {
        self.nav.set_materials(&materials);
        for (pos, chunk) in self.world.chunks() {
            self.nav.chunk_changed(pos, chunk);
        }
        self.materials = materials;
    }

    /// Carries out commands and ticks. Returns the result for the game.
    fn tick(&mut self, input: TickInput) -> TickResult {
        let start = Instant::now();
        let TickInput { news, commands, materials, .. } = input;
        if let Some(materials) = materials {
            self.set_materials(materials);
        }
        self.take_news(news);
        let navigated = start.elapsed();
        let is_edit = commands.iter().any(CreatureCommand::is_edit);
        let answers = commands
            .iter()
            .filter_map(|command| command.carry_out(&mut self.creatures, &self.nav))
            .collect();
        let lights = &self.lights;
        let light = |at: IVec3| brightness(levels(lights, at));
        let view = CreatureView {
            nav: &self.nav,
            world: &self.world,
            light: &light,
            daylight: input.daylight,
            minutes: input.minutes,
            player: Some(input.player),
        };
        let mut counts = TickCounts::default();
        let before = self.ticks;
        for _ in 0..input.ticks {
            counts = self.creatures.tick(&view);
            self.ticks += 1;
        }
        let took = [navigated, (start.elapsed() - navigated) / input.ticks.max(1)];
        let is_due = input.encodes || self.ticks / ENCODE_EVERY != before / ENCODE_EVERY;
        let encoded = (is_edit || is_due)
            .then(|| EncodedCreatures { bytes: self.creatures.encode(), is_edit });
        let mut by_kind = vec![0; self.creatures.kinds().list().len()];
        let mut asleep = 0;
        let middle = input.player.as_dvec3();
        let mut poses = Vec::new();
        for (pose, next) in self.creatures.poses(0.0).zip(self.creatures.poses(1.0)) {
            by_kind[usize::from(pose.kind)] += 1;
            asleep += u32::from(pose.is_asleep);
            if pose.position.distance_squared(middle) < DRAWN_WITHIN * DRAWN_WITHIN {
                let light =
                    levels(&self.lights, (pose.position + DVec3::Y * 0.5).floor().as_ivec3());
                poses.push(LivePose { pose, next, light });
            }
        }
        let reach = self.reach(input.reach_from);
        let near = self.creatures.paths(&self.nav, input.player, WAYS_WITHIN);
        let ways = if input.shows_ways { near.collect() } else { Vec::new() };
        let reach_counts = self.nav.reach_counts();
        poses.sort_by(|a, b| {
            let [a, b] = [a, b].map(|live| live.pose.position.distance_squared(middle));
            a.total_cmp(&b)
        });
        poses.truncate(MAX_DRAWN);
        for LivePose { pose, next, .. } in &mut poses {
            *pose = pose.on_ground(&self.world, &*self.materials);
            *next = next.on_ground(&self.world, &*self.materials);
        }
        let ticks = input.ticks;
        let path_counts = self.creatures.path_counts();
        TickResult {
            path_counts,
            ticks,
            poses,
            answers,
            counts,
            by_kind,
            asleep,
            reach_counts,
            took,
            encoded,
            ways,
            reach,
        }
    }

    /// The places that can be reached from `from`; `None` if neither `from` nor navigation has
    /// changed since the last call.
    fn reach(&mut self, from: Option<IVec3>) -> Option<ReachShown> {
        let wanted = from.map(|from| (from, self.nav.revision()));
        if std::mem::replace(&mut self.reach, wanted) == wanted {
            return None;
        }
        let (from, revision) = wanted?;
        Some(ReachShown { from, rows: self.nav.reachable_rows(from).collect(), revision })
    }
}

/// The light of a voxel. Full sunlight if the light of its chunk is not known.
fn levels(lights: &FxHashMap<ChunkPos, ChunkLight>, at: IVec3) -> LightLevels {
    let light = lights.get(&ChunkPos::containing(at));
    light.map_or(LightLevels::SUNLIT, |light| light.get(linear_index(local(at))))
}

fn brightness(levels: LightLevels) -> Brightness {
    let lamps = [Channel::Red, Channel::Green, Channel::Blue].map(|channel| levels.get(channel));
    Brightness { sun: levels.get(Channel::Sun), lamps: lamps.into_iter().max().unwrap_or(0) }
}

/// Decodes the creatures of a map's record. Without a record, there are no creatures. If the record
/// has a defect, returns no creatures and the defect; the map must then keep the record.
pub fn creatures(
    record: Option<&[u8]>,
    kinds: CreatureKinds,
    seed: u64,
) -> (Creatures, Option<CreatureRecordError>) {
    match record.map(|bytes| Creatures::decode(bytes, kinds.clone(), seed)) {
        None => (Creatures::new(kinds, seed), None),
        Some(Ok(creatures)) => (creatures, None),
        Some(Err(error)) => (Creatures::new(kinds, seed), Some(error)),
    }
}
