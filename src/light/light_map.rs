//! The light of many chunks.

use super::{ChunkLight, LightLevels, LightSurroundings, LightTraits, light_chunk};
use crate::runs::RunTree;
use crate::voxel::{ChunkPos, Face, linear_index, local};
use glam::IVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// A chunk with its light.
struct LitChunk {
    chunk: RunTree,
    light: ChunkLight,
}

/// The light of the loaded chunks. Equal to a breadth-first search through all of them, in whatever
/// order they arrive and change: a chunk is lit from nothing but its voxels and its neighbours'
/// borders, and light that has lost its source loses a level with each step, so none can remain.
///
/// Chunks that are not loaded give no light, except that the open sky begins at a height that is
/// given: what is not loaded there is sunlit.
pub struct LightMap {
    traits: LightTraits,
    /// Lowest y of chunks that are open sky if they are not loaded.
    sky: i32,
    chunks: FxHashMap<ChunkPos, LitChunk>,
    /// Chunks to light, in order.
    queue: VecDeque<ChunkPos>,
    queued: FxHashSet<ChunkPos>,
}

impl LightMap {
    /// Light of no chunks. Chunks at a y of at least `sky` are sunlit while they are not loaded.
    #[must_use]
    pub fn new(traits: LightTraits, sky: i32) -> LightMap {
        let (chunks, queue, queued) = (FxHashMap::default(), VecDeque::new(), FxHashSet::default());
        LightMap { traits, sky, chunks, queue, queued }
    }

    /// Adds a chunk, or replaces it by its edited version.
    pub fn insert(&mut self, pos: ChunkPos, chunk: RunTree) {
        match self.chunks.entry(pos) {
            Entry::Occupied(mut known) => known.get_mut().chunk = chunk,
            Entry::Vacant(place) => {
                place.insert(LitChunk { chunk, light: ChunkLight::uniform(LightLevels::DARK) });
                // It may take the place of the sky.
                self.enqueue_neighbours(pos);
            }
        }
        self.enqueue(pos);
    }

    /// Removes a chunk, and the light that came from it.
    pub fn remove(&mut self, pos: ChunkPos) {
        if self.chunks.remove(&pos).is_some() {
            self.enqueue_neighbours(pos);
        }
    }

    /// Lights chunks until nothing changes. Returns how often a chunk was lit.
    pub fn settle(&mut self) -> usize {
        let mut lit = 0;
        while let Some(pos) = self.queue.pop_front() {
            lit += 1;
            self.light(pos);
        }
        lit
    }

    /// Lights at least `most` times a chunk, or until nothing changes. Returns the chunks whose
    /// light has changed.
    pub fn settle_some(&mut self, most: usize) -> Vec<ChunkPos> {
        let mut changed = FxHashSet::default();
        for _ in 0..most {
            let Some(pos) = self.queue.pop_front() else { break };
            if self.light(pos) {
                changed.insert(pos);
            }
        }
        changed.into_iter().collect()
    }

    /// True if nothing is left to light.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.queue.is_empty()
    }

    /// Lights a chunk. Returns whether its light has changed.
    fn light(&mut self, pos: ChunkPos) -> bool {
        self.queued.remove(&pos);
        let Some(LitChunk { chunk, light: before }) = self.chunks.get(&pos) else { return false };
        let side = |face: Face| self.chunks.get(&pos.offset(face.normal())).map(|lit| &lit.light);
        let sides = Face::ALL.map(side);
        let is_under_sky = sides[Face::Up as usize].is_none() && pos.y + 1 >= self.sky;
        let light = light_chunk(chunk, &LightSurroundings { sides, is_under_sky }, &self.traits);
        if light == *before {
            return false;
        }
        let changed = Face::ALL.map(|face| !light.is_equal_at(before, face));
        if let Some(chunk) = self.chunks.get_mut(&pos) {
            chunk.light = light;
        }
        for (face, _) in Face::ALL.into_iter().zip(changed).filter(|(_, changed)| *changed) {
            self.enqueue(pos.offset(face.normal()));
        }
        true
    }

    /// The light of a chunk; `None` if it is not loaded.
    #[must_use]
    pub fn chunk(&self, pos: ChunkPos) -> Option<&ChunkLight> {
        self.chunks.get(&pos).map(|lit| &lit.light)
    }

    /// The light of a voxel; `None` if its chunk is not loaded.
    #[must_use]
    pub fn get(&self, at: IVec3) -> Option<LightLevels> {
        Some(self.chunk(ChunkPos::containing(at))?.get(linear_index(local(at))))
    }

    fn enqueue(&mut self, pos: ChunkPos) {
        if self.chunks.contains_key(&pos) && self.queued.insert(pos) {
            self.queue.push_back(pos);
        }
    }

    fn enqueue_neighbours(&mut self, pos: ChunkPos) {
        Face::ALL.into_iter().for_each(|face| self.enqueue(pos.offset(face.normal())));
    }
}
