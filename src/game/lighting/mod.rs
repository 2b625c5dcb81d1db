//! Light: computed from snapshots of the chunks, at once after an edit and else in the background.
//!
//! A task owns the light map while it runs: it takes in a few changed chunks, lights until nothing
//! changes any more, and returns the light of every chunk that is new or has changed. Edits are lit
//! in the frame in which they are made, unless a task is running. Meshing waits for the light of a
//! chunk and its neighbours.

mod light_work;

pub use light_work::LightWork;

use crate::game::common::chunk_messages::{ChunkEdited, ChunkLit, ChunkLoaded, ChunkUnloaded};
use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::session::{Edits, WorkCounters};
use crate::light::{Channel, ChunkLight, DifferentSides, LightLevels, LightMap, LightTraits};
use crate::mesh::TextureStrip;
use crate::metrics::VoxelTask;
use crate::terrain::TerrainKind;
use crate::voxel::{ChunkPos, MOORE_LEN, MaterialTable, linear_index, local, neighbour_offset};
use crate::world::{Chunk, World};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// Most chunks that a task takes in: an edit must not wait long for a running task.
const TAKEN_IN: usize = 48;
/// Most edited chunks that are lit in the frame of the edit.
const EDITED_AT_ONCE: usize = 32;
/// Time after which the rest of an edit is lit in the background.
const EDIT_TIME: Duration = Duration::from_millis(2);
/// Chunks that are lit between two checks of the clock.
const EDIT_BATCH: usize = 16;

/// Light of a chunk and its 26 neighbours.
pub type LightNeighbourhood = [ChunkLight; MOORE_LEN];

/// A chunk with new light, and where it differs.
type NewLight = (ChunkPos, ChunkLight, DifferentSides);

/// What a task returns.
struct LitChunks {
    map: Box<LightMap>,
    lights: Vec<NewLight>,
    work: LightWork,
}

/// The light of the loaded chunks.
#[derive(Resource)]
pub struct ChunkLights {
    lights: FxHashMap<ChunkPos, ChunkLight>,
    /// Heap bytes and runs of the light.
    size: LightSize,
    /// Chunks that were loaded or unloaded.
    changed: VecDeque<ChunkPos>,
    is_changed: FxHashSet<ChunkPos>,
    /// Chunks that were edited.
    edited: FxHashSet<ChunkPos>,
    /// `None` while a task has it.
    map: Option<Box<LightMap>>,
    sender: mpsc::Sender<LitChunks>,
    receiver: Mutex<mpsc::Receiver<LitChunks>>,
    /// What the materials of the map do to light.
    pub traits: Arc<LightTraits>,
    /// True if `map` still has earlier traits.
    traits_are_new: bool,
    /// What lighting has done since the map was opened.
    pub work: LightWork,
}

/// Size of the light of chunks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LightSize {
    /// Number of chunks.
    pub chunks: u64,
    /// Their runs of light.
    pub runs: u64,
    /// Their bytes: in the table of chunks, and on the heap.
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
        *self = LightSize { chunks: self.chunks + chunks, runs: self.runs + runs, bytes: self.bytes + bytes };
    }

    fn subtract(&mut self, light: &ChunkLight) {
        let LightSize { chunks, runs, bytes } = LightSize::new(light);
        *self = LightSize { chunks: self.chunks - chunks, runs: self.runs - runs, bytes: self.bytes - bytes };
    }
}

impl ChunkLights {
    /// No light yet, for a map with these materials.
    #[must_use]
    pub fn new(materials: &MaterialTable, terrain: TerrainKind) -> ChunkLights {
        let traits = traits(materials);
        let (sender, receiver) = mpsc::channel();
        ChunkLights {
            lights: FxHashMap::default(),
            size: LightSize::default(),
            changed: VecDeque::new(),
            is_changed: FxHashSet::default(),
            edited: FxHashSet::default(),
            map: Some(Box::new(LightMap::new(traits.clone(), terrain.lowest_sky_chunk()))),
            sender,
            receiver: Mutex::new(receiver),
            traits: Arc::new(traits),
            traits_are_new: false,
            work: LightWork::default(),
        }
    }

    /// Follows a material table that has grown. Chunks that are edited from here on may hold the new
    /// materials.
    pub fn set_materials(&mut self, materials: &MaterialTable) {
        self.traits = Arc::new(traits(materials));
        self.traits_are_new = true;
    }

    /// Hands new traits to the map of light, unless a task has it.
    fn renew_traits(&mut self) {
        if let Some(map) = self.map.as_mut().filter(|_| self.traits_are_new) {
            map.set_traits((*self.traits).clone());
            self.traits_are_new = false;
        }
    }

    /// Number of chunks whose light has to be computed.
    #[must_use]
    pub fn waiting(&self) -> usize {
        let unsettled = self.map.as_ref().is_none_or(|map| !map.is_settled());
        self.changed.len() + self.edited.len() + usize::from(unsettled)
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
        let mut lights = (0..MOORE_LEN).filter_map(|i| self.lights.get(&pos.offset(neighbour_offset(i))));
        lights.any(|light| light.has(Channel::Sun))
    }

    /// The light of a chunk and its neighbours, if all of it is known.
    #[must_use]
    pub fn neighbourhood(&self, pos: ChunkPos) -> Option<LightNeighbourhood> {
        let all: Option<Vec<ChunkLight>> =
            (0..MOORE_LEN).map(|i| self.lights.get(&pos.offset(neighbour_offset(i))).cloned()).collect();
        all?.try_into().ok()
    }

    /// Notes a chunk that was loaded or unloaded.
    fn note(&mut self, pos: ChunkPos) {
        if self.is_changed.insert(pos) {
            self.changed.push_back(pos);
        }
    }

    fn remove(&mut self, pos: ChunkPos) {
        if let Some(light) = self.lights.remove(&pos) {
            self.size.subtract(&light);
        }
    }

    /// Keeps new light. Returns messages about what has changed.
    fn keep(&mut self, lights: Vec<NewLight>, world: &World, at_once: bool) -> Vec<ChunkLit> {
        let mut changed = Vec::with_capacity(lights.len());
        for (pos, light, sides) in lights {
            // Otherwise the chunk was unloaded meanwhile.
            if !world.is_loaded(pos) {
                continue;
            }
            self.size.add(&light);
            let before = self.lights.insert(pos, light);
            before.iter().for_each(|before| self.size.subtract(before));
            let (is_first, sides) = (before.is_none(), if before.is_some() { sides } else { DifferentSides::ALL });
            changed.push(ChunkLit { pos, sides, is_first, at_once });
        }
        changed
    }

    /// Takes in the results of the last task.
    fn take_in(&mut self, world: &World) -> Vec<ChunkLit> {
        let Some(lit) = self.receiver.lock().ok().and_then(|receiver| receiver.try_recv().ok()) else {
            return Vec::new();
        };
        self.map = Some(lit.map);
        self.work.add(&lit.work);
        self.keep(lit.lights, world, false)
    }

    /// Lights edited chunks for a short time, unless a task is running.
    fn light_edits(&mut self, world: &World) -> Vec<ChunkLit> {
        if self.edited.is_empty() {
            return Vec::new();
        }
        if self.edited.len() > EDITED_AT_ONCE {
            // In front of chunks that were loaded.
            for pos in self.edited.drain().filter(|pos| self.is_changed.insert(*pos)) {
                self.changed.push_front(pos);
            }
            return Vec::new();
        }
        let Some(mut map) = self.map.take() else { return Vec::new() };
        let start = Instant::now();
        for pos in self.edited.drain() {
            match world.chunk(pos) {
                Some(chunk) if start.elapsed() < EDIT_TIME && self.lights.contains_key(&pos) => {
                    map.insert(pos, chunk.clone());
                }
                Some(_) if self.is_changed.insert(pos) => self.changed.push_front(pos),
                _ => {}
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
        let lights = new_lights(&map, changed);
        self.work.add_edit(start.elapsed(), map.take_counts());
        self.map = Some(map);
        self.keep(lights, world, true)
    }

    /// Starts a task for changed chunks, unless one is running or there is nothing to do.
    fn start_task(&mut self, world: &World) {
        if self.changed.is_empty() && self.map.as_ref().is_none_or(|map| map.is_settled()) {
            return;
        }
        let Some(mut map) = self.map.take() else { return };
        let count = self.changed.len().min(TAKEN_IN);
        let taken: Vec<(ChunkPos, Option<Chunk>)> =
            self.changed.drain(..count).map(|pos| (pos, world.chunk(pos).cloned())).collect();
        for (pos, _) in &taken {
            self.is_changed.remove(pos);
        }
        // The map may still hold chunks that were unloaded and loaded again.
        let unlit: Vec<ChunkPos> = taken.iter().map(|(pos, _)| *pos).filter(|pos| !self.is_lit(*pos)).collect();
        let sender = self.sender.clone();
        AsyncComputeTaskPool::get()
            .spawn(async move {
                let start = Instant::now();
                unlit.into_iter().for_each(|pos| map.remove(pos));
                for (pos, chunk) in taken {
                    match chunk {
                        Some(chunk) => map.insert(pos, chunk),
                        None => map.remove(pos),
                    }
                }
                let changed = map.settle_some(usize::MAX);
                let lights = new_lights(&map, changed);
                let work = LightWork::from_task(start.elapsed(), map.take_counts());
                // Fails only if the map was closed meanwhile; then the light is not wanted.
                let _ = sender.send(LitChunks { map, lights, work });
            })
            .detach();
    }
}

/// What materials do to light. Glowing blocks shine in the colour of the vivid parts of their texture.
fn traits(materials: &MaterialTable) -> LightTraits {
    let textures = TextureStrip::embedded().ok();
    let hue = |material: &_| textures.as_ref().map_or([255; 3], |textures| textures.glow_of(material));
    LightTraits::with_hues(materials, hue)
}

/// The light of changed chunks.
fn new_lights(map: &LightMap, changed: impl IntoIterator<Item = (ChunkPos, DifferentSides)>) -> Vec<NewLight> {
    changed.into_iter().filter_map(|(pos, sides)| Some((pos, map.chunk(pos)?.clone(), sides))).collect()
}

/// Messages about chunks that light reads.
#[derive(SystemParam)]
pub struct LightMessages<'w, 's> {
    loaded: MessageReader<'w, 's, ChunkLoaded>,
    unloaded: MessageReader<'w, 's, ChunkUnloaded>,
    edited: MessageReader<'w, 's, ChunkEdited>,
}

/// Takes in computed light, lights edited chunks, and has the light of others computed.
pub fn light(
    edits: Res<Edits>,
    mut messages: LightMessages,
    mut lights: ResMut<ChunkLights>,
    mut lit: MessageWriter<ChunkLit>,
    mut work: ResMut<WorkCounters>,
    mut timings: ResMut<FrameTimings>,
) {
    let (lights, world) = (&mut *lights, edits.world());
    let before = lights.work.ops;
    timings.time(FrameStage::Light, || {
        for message in messages.unloaded.read() {
            lights.remove(message.pos);
            lights.note(message.pos);
        }
        messages.loaded.read().for_each(|message| lights.note(message.pos));
        lights.edited.extend(messages.edited.read().map(|message| message.pos));
        lit.write_batch(lights.take_in(world));
        lights.renew_traits();
        lit.write_batch(lights.light_edits(world));
        lights.start_task(world);
    });
    work.add(VoxelTask::Lighting, lights.work.ops - before);
}

#[cfg(test)]
mod tests;
