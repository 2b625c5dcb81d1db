//! Light: computed from snapshots of the chunks, in the frame of an edit and otherwise in the
//! background.
//!
//! A background task owns the light map while it runs. It takes changed chunks from a queue, lights
//! until nothing changes any more, and sends the light of every chunk that is new or has changed.
//! It repeats this until the queue is empty. While more chunks are expected, it lights only as many
//! chunks as it has taken. Edits are lit in the frame in which they are made, unless a task is
//! running. Loaded chunks wait for neighbours that are about to be loaded, so that most chunks are
//! lit once. Meshing waits for the light of a chunk and its neighbours.
//!
//! - `deferred_chunks`: loaded chunks that wait for neighbours. `light_queue`: the queue and its
//!   task. `lit_chunks`: the results of the task. `light_work`: counts and times.

mod deferred_chunks;
mod light_queue;
mod light_work;
mod lit_chunks;

pub use light_work::LightWork;

use crate::game::map::streaming::ChunkStream;
use crate::game::state::frame::chunk_messages::{
    ChunkEdited, ChunkLit, ChunkLoaded, ChunkUnloaded,
};
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::notices::Notices;
use crate::game::state::session::{Edits, WorkCounters};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use deferred_chunks::DeferredChunks;
use light_queue::{ChangedChunk, LightQueue};
use lit_chunks::{LightFailure, LitChunks, NewLight, new_lights};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};
use stonerun_engine::light::{
    Channel, ChunkLight, DifferentSides, LightLevels, LightMap, LightTraits,
};
use stonerun_engine::mesh::TextureStrip;
use stonerun_engine::metrics::VoxelTask;
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::{
    ChunkPos, MOORE_LEN, MaterialTable, linear_index, local, neighbour_offset,
};
use stonerun_engine::world::World;

/// Maximum number of edited chunks that are lit in the frame of the edit.
const MAX_EDITED_AT_ONCE: usize = 32;
/// Time after which the chunks of an edit that are left are lit in the background.
const EDIT_TIME: Duration = Duration::from_millis(2);
/// Number of chunks that are lit between two checks of the clock.
const EDIT_BATCH: usize = 16;

/// Time after the last load of a chunk for which more loads are expected: a few frames.
const EXPECTED_WITHIN: Duration = Duration::from_millis(50);

/// Light of a chunk and its 26 neighbours.
pub type LightNeighbourhood = [ChunkLight; MOORE_LEN];

/// The light of the loaded chunks.
#[derive(Resource)]
pub struct ChunkLights {
    lights: FxHashMap<ChunkPos, ChunkLight>,
    /// Heap bytes and runs of the light.
    size: LightSize,
    /// Number of lit chunks in the Moore neighbourhood of each chunk, itself included.
    lit_around: FxHashMap<ChunkPos, u8>,
    /// Loaded chunks that wait for their neighbours.
    deferred: DeferredChunks,
    /// Chunks for the background task.
    queue: Arc<LightQueue>,
    /// Time at which a chunk was last loaded.
    last_loaded: Option<Instant>,
    /// True until the light of the last edit has settled. Meanwhile, chunks that must be lit again
    /// do not wait for chunks that are loading.
    edit_is_unsettled: bool,
    /// Chunks that were edited and not passed to the light map or the queue yet.
    edited: FxHashSet<ChunkPos>,
    /// The light map; `None` while a task has it.
    map: Option<Box<LightMap>>,
    sender: mpsc::Sender<LitChunks>,
    receiver: Mutex<mpsc::Receiver<LitChunks>>,
    /// Effects of the map's materials on light.
    pub traits: Arc<LightTraits>,
    /// True if the light map does not have the present `traits` yet.
    traits_are_new: bool,
    /// Height (y) of the lowest chunks that see the sky.
    lowest_sky: i32,
    /// Chunks whose lighting has panicked. They are dark until they change.
    failed: FxHashSet<ChunkPos>,
    /// True once lighting has panicked while no chunk was being passed to the light map.
    has_failed_to_spread: bool,
    /// Reasons why chunks could not be lit, one line each, until they are reported.
    problems: Vec<String>,
    /// Counts and times of lighting since the map was opened.
    pub work: LightWork,
}

/// Size of the light of chunks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LightSize {
    /// Number of chunks.
    pub chunks: u64,
    /// Number of runs of light of the chunks.
    pub runs: u64,
    /// Bytes of the light in the table of chunks and on the heap.
    pub bytes: u64,
}

impl LightSize {
    /// Size of the light of one chunk.
    #[must_use]
    pub fn new(light: &ChunkLight) -> LightSize {
        let bytes = size_of::<(ChunkPos, ChunkLight)>() + light.heap_bytes();
        LightSize { chunks: 1, runs: light.run_count() as u64, bytes: bytes as u64 }
    }

    fn add(&mut self, light: &ChunkLight) {
        let LightSize { chunks, runs, bytes } = LightSize::new(light);
        *self = LightSize {
            chunks: self.chunks + chunks,
            runs: self.runs + runs,
            bytes: self.bytes + bytes,
        };
    }

    fn subtract(&mut self, light: &ChunkLight) {
        let LightSize { chunks, runs, bytes } = LightSize::new(light);
        *self = LightSize {
            chunks: self.chunks - chunks,
            runs: self.runs - runs,
            bytes: self.bytes - bytes,
        };
    }
}

impl ChunkLights {
    /// Light of a map with these materials, before any chunk is lit.
    #[must_use]
    pub fn new(materials: &MaterialTable, terrain: TerrainKind) -> ChunkLights {
        let traits = traits(materials);
        let lowest_sky = terrain.lowest_sky_chunk();
        let (sender, receiver) = mpsc::channel();
        ChunkLights {
            lights: FxHashMap::default(),
            size: LightSize::default(),
            lit_around: FxHashMap::default(),
            deferred: DeferredChunks::default(),
            queue: Arc::default(),
            last_loaded: None,
            edit_is_unsettled: false,
            edited: FxHashSet::default(),
            map: Some(Box::new(LightMap::new(traits.clone(), lowest_sky))),
            sender,
            receiver: Mutex::new(receiver),
            traits: Arc::new(traits),
            traits_are_new: false,
            lowest_sky,
            failed: FxHashSet::default(),
            has_failed_to_spread: false,
            problems: Vec::new(),
            work: LightWork::default(),
        }
    }

    /// Replaces the light traits after the material table has grown. Chunks that are edited later
    /// may hold the new materials.
    pub fn set_materials(&mut self, materials: &MaterialTable) {
        self.traits = Arc::new(traits(materials));
        self.traits_are_new = true;
    }

    /// Passes new traits to the light map, unless a task has it.
    fn renew_traits(&mut self) {
        if let Some(map) = self.map.as_mut().filter(|_| self.traits_are_new) {
            map.set_traits((*self.traits).clone());
            self.traits_are_new = false;
        }
    }

    /// Number of chunks whose light is not computed yet, plus 1 while the light map is unsettled.
    #[must_use]
    pub fn waiting(&self) -> usize {
        let unsettled = self.map.as_ref().is_none_or(|map| !map.is_settled());
        self.deferred.len() + self.queue.len() + self.edited.len() + usize::from(unsettled)
    }

    /// Number of loaded chunks that wait for neighbours before they are lit.
    #[must_use]
    pub fn deferred(&self) -> usize {
        self.deferred.len()
    }

    /// Size of all light.
    #[must_use]
    pub fn size(&self) -> LightSize {
        self.size
    }

    /// True if the light of a chunk is known.
    #[must_use]
    pub fn is_lit(&self, pos: ChunkPos) -> bool {
        self.lights.contains_key(&pos)
    }

    /// True if the light of a chunk and its 26 neighbours is known.
    #[must_use]
    pub fn is_lit_around(&self, pos: ChunkPos) -> bool {
        self.lit_around.get(&pos).is_some_and(|&lit| usize::from(lit) == MOORE_LEN)
    }

    /// The light of a chunk, if it is known.
    #[must_use]
    pub fn chunk(&self, pos: ChunkPos) -> Option<&ChunkLight> {
        self.lights.get(&pos)
    }

    /// The levels of a voxel, if they are known.
    #[must_use]
    pub fn at(&self, voxel: IVec3) -> Option<LightLevels> {
        Some(self.chunk(ChunkPos::containing(voxel))?.get(linear_index(local(voxel))))
    }

    /// True if the sun shines somewhere in a chunk or in its neighbours.
    #[must_use]
    pub fn has_sun_near(&self, pos: ChunkPos) -> bool {
        let mut lights =
            (0..MOORE_LEN).filter_map(|i| self.lights.get(&pos.offset(neighbour_offset(i))));
        lights.any(|light| light.has(Channel::Sun))
    }

    /// The light of a chunk and its neighbours, if all of it is known.
    #[must_use]
    pub fn neighbourhood(&self, pos: ChunkPos) -> Option<LightNeighbourhood> {
        let all: Option<Vec<ChunkLight>> = (0..MOORE_LEN)
            .map(|i| self.lights.get(&pos.offset(neighbour_offset(i))).cloned())
            .collect();
        all?.try_into().ok()
    }

    /// Forgets the light of a chunk that was unloaded. The chunk may be loaded again already; then
    /// it is not queued as missing.
    fn note_unloaded(&mut self, pos: ChunkPos, world: &World) {
        self.remove(pos);
        self.failed.remove(&pos);
        self.deferred.remove(pos);
        if !world.is_loaded(pos) {
            self.queue.push(pos, ChangedChunk { chunk: None, is_unlit: true }, false);
        }
    }

    /// Queues a snapshot of a chunk.
    fn enqueue(&mut self, pos: ChunkPos, world: &World, front: bool) {
        let changed =
            ChangedChunk { chunk: world.chunk(pos).cloned(), is_unlit: !self.is_lit(pos) };
        self.queue.push(pos, changed, front);
    }

    /// Queues the loaded chunks that no longer wait for a neighbour.
    fn enqueue_ready(&mut self, world: &World, stream: Option<&ChunkStream>) {
        for pos in self.deferred.take_ready(stream) {
            self.enqueue(pos, world, false);
        }
    }

    fn remove(&mut self, pos: ChunkPos) {
        let Some(light) = self.lights.remove(&pos) else { return };
        self.size.subtract(&light);
        for near in pos.moore_neighbourhood() {
            if let Entry::Occupied(mut lit) = self.lit_around.entry(near) {
                *lit.get_mut() -= 1;
                if *lit.get() == 0 {
                    lit.remove();
                }
            }
        }
    }

    /// Stores new light. Returns messages about the chunks whose light has changed.
    fn keep(&mut self, lights: Vec<NewLight>, world: &World, at_once: bool) -> Vec<ChunkLit> {
        let mut changed = Vec::with_capacity(lights.len());
        for (pos, light, sides) in lights {
            // A chunk that was unloaded meanwhile needs no light.
            if !world.is_loaded(pos) {
                continue;
            }
            self.size.add(&light);
            let before = self.lights.insert(pos, light);
            if let Some(before) = &before {
                self.size.subtract(before);
            }
            let is_first = before.is_none();
            if is_first {
                self.work.first += 1;
                for near in pos.moore_neighbourhood() {
                    *self.lit_around.entry(near).or_default() += 1;
                }
            }
            let sides = if is_first { DifferentSides::ALL } else { sides };
            changed.push(ChunkLit { pos, sides, is_first, at_once });
        }
        changed
    }

    /// Applies the results of the task.
    fn apply_results(&mut self, world: &World) -> Vec<ChunkLit> {
        let mut changed = Vec::new();
        while let Some(lit) =
            self.receiver.lock().ok().and_then(|receiver| receiver.try_recv().ok())
        {
            if let Some(failure) = lit.failure {
                changed.extend(self.recover(failure, world));
                continue;
            }
            if lit.map.is_some() {
                self.map = lit.map;
            }
            self.work.add(&lit.work);
            changed.extend(self.keep(lit.lights, world, false));
        }
        changed
    }

    /// Starts with a new light map after lighting has panicked. All chunks are lit again, one by
    /// one, except a chunk that was alone in the task: it stays dark. If spreading light fails a
    /// second time, all chunks keep their light. Each failure thus leaves less to do, so recovery
    /// ends.
    fn recover(
        &mut self,
        LightFailure { chunks, reason }: LightFailure,
        world: &World,
    ) -> Vec<ChunkLit> {
        self.map = Some(Box::new(LightMap::new((*self.traits).clone(), self.lowest_sky)));
        self.traits_are_new = false;
        self.queue.be_cautious();
        let mut dark = Vec::new();
        match chunks[..] {
            [] if std::mem::replace(&mut self.has_failed_to_spread, true) => {
                // Since the first failure, chunks are lit one by one, so no smaller batch is left
                // to try.
                self.problems.push(format!("light cannot be spread: {reason}"));
                return Vec::new();
            }
            [pos] => {
                self.problems.push(format!(
                    "chunk {pos} cannot be lit: {reason}; it stays dark until it changes"
                ));
                self.failed.insert(pos);
                dark.push((pos, ChunkLight::uniform(LightLevels::DARK), DifferentSides::ALL));
            }
            _ => {}
        }
        let loaded = world.chunks().map(|(pos, _)| pos);
        let again: Vec<ChunkPos> = loaded
            .filter(|pos| !self.failed.contains(pos) && !self.deferred.contains(*pos))
            .collect();
        for pos in again {
            self.enqueue(pos, world, false);
        }
        self.keep(dark, world, false)
    }

    /// Lights edited chunks for at most [`EDIT_TIME`], unless a task is running.
    fn light_edits(&mut self, world: &World) -> Vec<ChunkLit> {
        if self.edited.is_empty() {
            return Vec::new();
        }
        if self.edited.len() > MAX_EDITED_AT_ONCE {
            for pos in std::mem::take(&mut self.edited) {
                self.enqueue_edited(pos, world);
            }
            return Vec::new();
        }
        let Some(mut map) = self.map.take() else { return Vec::new() };
        let start = Instant::now();
        for pos in std::mem::take(&mut self.edited) {
            let is_here = self.lights.contains_key(&pos) && !self.failed.contains(&pos);
            match world.chunk(pos) {
                Some(chunk) if start.elapsed() < EDIT_TIME && is_here => {
                    // A queued earlier snapshot must not replace this one.
                    self.queue.remove(pos);
                    map.insert(pos, chunk.clone());
                }
                Some(_) => self.enqueue_edited(pos, world),
                None => {}
            }
        }
        let mut changed: FxHashMap<ChunkPos, DifferentSides> = FxHashMap::default();
        loop {
            for (pos, sides) in map.settle_some(EDIT_BATCH) {
                changed.entry(pos).or_default().merge(sides);
            }
            if map.is_settled() || start.elapsed() >= EDIT_TIME {
                break;
            }
        }
        self.edit_is_unsettled |= !map.is_settled();
        let lights = new_lights(&map, changed);
        self.work.add_edit(start.elapsed(), map.take_counts());
        self.map = Some(map);
        self.keep(lights, world, true)
    }

    /// Queues an edited chunk in front of loaded ones. Does nothing for a chunk that waits for its
    /// neighbours: it is queued later, with its content of that time.
    fn enqueue_edited(&mut self, pos: ChunkPos, world: &World) {
        if !self.deferred.contains(pos) {
            self.failed.remove(&pos);
            self.edit_is_unsettled = true;
            self.enqueue(pos, world, true);
        }
    }

    /// Starts a task for queued chunks, unless one is running or nothing is queued. Asks a task
    /// that keeps an edit waiting to return the map.
    fn start_task(&mut self, expects_more: bool) {
        self.queue.set_map_wanted(!self.edited.is_empty());
        if self.queue.len() == 0 && self.map.as_ref().is_some_and(|map| map.is_settled()) {
            self.edit_is_unsettled = false;
        }
        let expects_more = expects_more && !self.edit_is_unsettled;
        self.queue.set_expects_more(expects_more);
        let is_settled = |map: &LightMap| map.is_settled() || expects_more;
        if self.queue.len() == 0 && self.map.as_deref().is_none_or(is_settled) {
            return;
        }
        if let Some(map) = self.map.take() {
            light_queue::start(map, Arc::clone(&self.queue), self.sender.clone());
        }
    }
}

/// Effects of materials on light. Glowing blocks shine in the colour of the vivid parts of their
/// texture.
fn traits(materials: &MaterialTable) -> LightTraits {
    let textures = TextureStrip::embedded().ok();
    let hue =
        |material: &_| textures.as_ref().map_or([255; 3], |textures| textures.glow_of(material));
    LightTraits::with_hues(materials, hue)
}

/// Messages about chunks that lighting reads.
#[derive(SystemParam)]
pub struct LightMessages<'w, 's> {
    loaded: MessageReader<'w, 's, ChunkLoaded>,
    unloaded: MessageReader<'w, 's, ChunkUnloaded>,
    edited: MessageReader<'w, 's, ChunkEdited>,
}

/// Applies computed light, lights edited chunks, and starts the background task for the others.
pub fn light(
    edits: Res<Edits>,
    mut messages: LightMessages,
    mut lights: ResMut<ChunkLights>,
    mut lit: MessageWriter<ChunkLit>,
    mut work: ResMut<WorkCounters>,
    mut notices: ResMut<Notices>,
    mut timings: ResMut<FrameTimings>,
    stream: Option<Res<ChunkStream>>,
) {
    let lights = &mut *lights;
    let world = edits.world();
    let before = lights.work.ops;
    timings.time(FrameStage::Light, || {
        for message in messages.unloaded.read() {
            lights.note_unloaded(message.pos, world);
        }
        for message in messages.loaded.read().filter(|message| world.is_loaded(message.pos)) {
            lights.deferred.insert(message.pos);
            lights.last_loaded = Some(Instant::now());
        }
        let is_loading =
            stream.as_deref().is_some_and(|stream| stream.waiting > 0) || lights.deferred() > 0;
        let expects_more =
            is_loading && lights.last_loaded.is_some_and(|last| last.elapsed() < EXPECTED_WITHIN);
        lights.edited.extend(messages.edited.read().map(|message| message.pos));
        lit.write_batch(lights.apply_results(world));
        lights.renew_traits();
        lit.write_batch(lights.light_edits(world));
        lights.enqueue_ready(world, stream.as_deref());
        lights.start_task(expects_more);
    });
    for problem in lights.problems.drain(..) {
        notices.warn(problem);
    }
    work.add(VoxelTask::Lighting, lights.work.ops - before);
}

#[cfg(test)]
mod streamed_tests;
#[cfg(test)]
mod tests;
