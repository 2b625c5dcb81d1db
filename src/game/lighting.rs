//! Light: computed in the background from snapshots of the chunks.
//!
//! One task at a time owns the light map: it takes in a few changed chunks, lights until nothing
//! changes any more, and returns the light of every chunk that is new or has changed. Meshing waits
//! for the light of a chunk and its neighbours.

use crate::game::common::chunk_messages::{ChunkEdited, ChunkLit, ChunkLoaded, ChunkUnloaded};
use crate::game::session::Edits;
use crate::light::{ChunkLight, LightMap, LightTraits};
use crate::mesh::TextureStrip;
use crate::terrain::TerrainKind;
use crate::voxel::{ChunkPos, MOORE_LEN, MaterialTable, neighbour_offset};
use crate::world::{Chunk, World};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, mpsc};

/// Most chunks that a task takes in: an edit must not wait long for a running task.
const TAKEN_IN: usize = 48;

/// Light of a chunk and its 26 neighbours.
pub type LightNeighbourhood = [ChunkLight; MOORE_LEN];

/// What a task returns.
struct LitChunks {
    map: Box<LightMap>,
    lights: Vec<(ChunkPos, ChunkLight)>,
}

/// The light of the loaded chunks.
#[derive(Resource)]
pub struct ChunkLights {
    lights: FxHashMap<ChunkPos, ChunkLight>,
    /// Chunks that were loaded, edited or unloaded, edited ones first.
    changed: VecDeque<ChunkPos>,
    is_changed: FxHashSet<ChunkPos>,
    /// `None` while a task has it.
    map: Option<Box<LightMap>>,
    sender: mpsc::Sender<LitChunks>,
    receiver: Mutex<mpsc::Receiver<LitChunks>>,
    /// What the materials of the map do to light.
    pub traits: Arc<LightTraits>,
}

impl ChunkLights {
    /// No light yet, for a map with these materials.
    #[must_use]
    pub fn new(materials: &MaterialTable, terrain: TerrainKind) -> ChunkLights {
        // Glowing blocks shine in the colour of their texture.
        let textures = TextureStrip::embedded().ok();
        let hue = |material: &_| textures.as_ref().map_or([255; 3], |textures| textures.colour_of(material));
        let traits = LightTraits::with_hues(materials, hue);
        // Caverns have no sky. Elsewhere what is not loaded yet counts as sky, but not deep down,
        // where the sun would flood the caves at the edge of the loaded chunks.
        let sky = if terrain == TerrainKind::Caverns { i32::MAX } else { 0 };
        let (sender, receiver) = mpsc::channel();
        ChunkLights {
            lights: FxHashMap::default(),
            changed: VecDeque::new(),
            is_changed: FxHashSet::default(),
            map: Some(Box::new(LightMap::new(traits.clone(), sky))),
            sender,
            receiver: Mutex::new(receiver),
            traits: Arc::new(traits),
        }
    }

    /// Number of chunks whose light has to be computed.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.changed.len() + usize::from(self.map.is_none())
    }

    /// True if the light of a chunk is known.
    #[must_use]
    pub fn is_lit(&self, pos: ChunkPos) -> bool {
        self.lights.contains_key(&pos)
    }

    /// The light of a chunk and its neighbours, if all of it is known.
    #[must_use]
    pub fn neighbourhood(&self, pos: ChunkPos) -> Option<LightNeighbourhood> {
        let all: Option<Vec<ChunkLight>> =
            (0..MOORE_LEN).map(|i| self.lights.get(&pos.offset(neighbour_offset(i))).cloned()).collect();
        all?.try_into().ok()
    }

    /// Notes a chunk that was loaded, edited or unloaded.
    fn note(&mut self, pos: ChunkPos, is_edit: bool) {
        if self.is_changed.insert(pos) {
            if is_edit { self.changed.push_front(pos) } else { self.changed.push_back(pos) }
        }
    }

    /// Takes in the results of the last task. Returns the chunks with other light.
    fn take_in(&mut self, world: &World) -> Vec<ChunkPos> {
        let Some(lit) = self.receiver.lock().ok().and_then(|receiver| receiver.try_recv().ok()) else {
            return Vec::new();
        };
        self.map = Some(lit.map);
        let mut changed = Vec::new();
        for (pos, light) in lit.lights {
            // Otherwise the chunk was unloaded meanwhile.
            if world.is_loaded(pos) && self.lights.get(&pos) != Some(&light) {
                self.lights.insert(pos, light);
                changed.push(pos);
            }
        }
        changed
    }

    /// Starts a task for changed chunks, unless one is running.
    fn start_task(&mut self, world: &World) {
        if self.changed.is_empty() {
            return;
        }
        let Some(mut map) = self.map.take() else { return };
        let count = self.changed.len().min(TAKEN_IN);
        let taken: Vec<(ChunkPos, Option<Chunk>)> =
            self.changed.drain(..count).map(|pos| (pos, world.chunk(pos).cloned())).collect();
        for (pos, _) in &taken {
            self.is_changed.remove(pos);
        }
        let sender = self.sender.clone();
        AsyncComputeTaskPool::get()
            .spawn(async move {
                let mut lit: FxHashSet<ChunkPos> = FxHashSet::default();
                for (pos, chunk) in taken {
                    match chunk {
                        Some(chunk) => {
                            map.insert(pos, chunk);
                            lit.insert(pos);
                        }
                        None => map.remove(pos),
                    }
                }
                lit.extend(map.settle_some(usize::MAX).into_iter().map(|(pos, _)| pos));
                let lights = lit.into_iter().filter_map(|pos| Some((pos, map.chunk(pos)?.clone()))).collect();
                // Fails only if the map was closed meanwhile; then the light is not wanted.
                let _ = sender.send(LitChunks { map, lights });
            })
            .detach();
    }
}

/// Messages about chunks that light reads.
#[derive(SystemParam)]
pub struct LightMessages<'w, 's> {
    loaded: MessageReader<'w, 's, ChunkLoaded>,
    unloaded: MessageReader<'w, 's, ChunkUnloaded>,
    edited: MessageReader<'w, 's, ChunkEdited>,
}

/// Takes in computed light, and has the light of changed chunks computed.
pub fn light(
    edits: Res<Edits>,
    mut messages: LightMessages,
    mut lights: ResMut<ChunkLights>,
    mut lit: MessageWriter<ChunkLit>,
) {
    let lights = &mut *lights;
    for message in messages.unloaded.read() {
        lights.lights.remove(&message.pos);
        lights.note(message.pos, false);
    }
    messages.loaded.read().for_each(|message| lights.note(message.pos, false));
    messages.edited.read().for_each(|message| lights.note(message.pos, true));
    lit.write_batch(lights.take_in(edits.world()).into_iter().map(|pos| ChunkLit { pos }));
    lights.start_task(edits.world());
}
