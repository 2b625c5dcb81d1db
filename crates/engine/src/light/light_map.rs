//! Light of the loaded chunks.

use super::batch::{Batch, BatchChunk, BatchSide};
use super::border::{LightChange, NeighbourChunk};
use super::edit::{EditWindow, EditedLight, WindowChunk, edited_voxels, window_groups};
use super::{ChunkLight, DifferentSides, LightCounts, LightLevels, LightTraits};
use crate::runs::RunTree;
use crate::voxel::{ChunkPos, Face, linear_index, local};
use glam::IVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// Maximum number of chunks that are lit together. Each takes at least 16 KiB per channel and 4 KiB
/// for matter.
const MAX_BATCH: usize = 512;

/// Size of the batch above which the buffers are freed once nothing is left to light.
const MAX_IDLE_BATCH: usize = 32;

/// A chunk with its light.
struct LitChunk {
    chunk: RunTree,
    light: ChunkLight,
    /// True until the chunk is lit for the first time.
    is_new: bool,
}

/// The light of the loaded chunks.
///
/// Equal to a breadth-first search through all loaded chunks, in whatever order they arrive and
/// change: a chunk is lit only from its voxels and from the borders of its neighbours. Light that
/// has lost its source loses a level with each step, so it vanishes.
///
/// Chunks that are not loaded give no light, except at and above a given height, where they are
/// open sky and sunlit.
pub struct LightMap {
    traits: LightTraits,
    /// Lowest y of chunks that are open sky if they are not loaded.
    sky: i32,
    chunks: FxHashMap<ChunkPos, LitChunk>,
    /// Chunks to light in order, and outdated entries that are not in `queued`.
    queue: VecDeque<ChunkPos>,
    /// Chunks to light. All are loaded.
    queued: FxHashSet<ChunkPos>,
    engine: Batch,
    /// Relights around edits. `None` before the first one.
    window: Option<Box<EditWindow>>,
    /// Chunks whose light has changed around edits since changes were last returned.
    edited: FxHashMap<ChunkPos, DifferentSides>,
    counts: LightCounts,
}

impl LightMap {
    /// Creates a light map without chunks. Chunks at a y of at least `sky` are sunlit while they
    /// are not loaded.
    #[must_use]
    pub fn new(traits: LightTraits, sky: i32) -> LightMap {
        LightMap {
            traits,
            sky,
            chunks: FxHashMap::default(),
            queue: VecDeque::new(),
            queued: FxHashSet::default(),
            engine: Batch::default(),
            window: None,
            edited: FxHashMap::default(),
            counts: LightCounts::default(),
        }
    }

    /// Replaces the traits. Voxels that are lit already keep their light, so their materials must
    /// have the same traits as before.
    pub fn set_traits(&mut self, traits: LightTraits) {
        self.traits = traits;
    }

    /// Adds a chunk, or replaces it by its edited version, which is then lit before all others. The
    /// light around a few edited voxels is updated at once if everything else is settled.
    pub fn insert(&mut self, pos: ChunkPos, chunk: RunTree) {
        match self.chunks.entry(pos) {
            Entry::Occupied(mut known) => {
                let before = std::mem::replace(&mut known.get_mut().chunk, chunk.clone());
                if self.queued.is_empty() && self.edit(pos, before, &chunk) {
                    return;
                }
                self.queued.insert(pos);
                self.queue.push_front(pos);
            }
            Entry::Vacant(place) => {
                place.insert(LitChunk {
                    chunk,
                    light: ChunkLight::uniform(LightLevels::DARK),
                    is_new: true,
                });
                // The chunk may replace sky, so the light below it may change. For its other
                // neighbours it was dark, and stays dark until it is lit.
                if pos.y >= self.sky {
                    self.enqueue(pos.offset(Face::Down.normal()));
                }
                self.enqueue(pos);
            }
        }
    }

    /// Updates the light around edited voxels at once. `before` and `after` are the versions of the
    /// chunk. False if too many voxels are edited, or if their light may change too far away.
    fn edit(&mut self, pos: ChunkPos, before: RunTree, after: &RunTree) -> bool {
        let Some(edited) = edited_voxels(&before, after, &self.traits) else { return false };
        let mut groups = window_groups(&edited).into_iter().peekable();
        let mut chunk = before;
        while let Some(group) = groups.next() {
            if groups.peek().is_some() {
                // Applies the edits of this group only, because the window does not cover the
                // others.
                for &index in &group {
                    chunk.set(index, after.get(index));
                }
            } else {
                chunk = after.clone();
            }
            if let Some(known) = self.chunks.get_mut(&pos) {
                known.chunk = chunk.clone();
            }
            let known = |pos: ChunkPos| match self.chunks.get(&pos) {
                Some(known) => WindowChunk::Loaded(&known.chunk, &known.light),
                None if pos.y >= self.sky => WindowChunk::Sky,
                None => WindowChunk::Unknown,
            };
            let lights =
                self.window.get_or_insert_default().relight(pos, &group, &self.traits, known);
            let Some((lights, counts)) = lights else {
                if let Some(known) = self.chunks.get_mut(&pos) {
                    known.chunk = after.clone();
                }
                return false;
            };
            self.counts.merge(counts);
            for EditedLight { pos, light, sides } in lights {
                if let Some(known) = self.chunks.get_mut(&pos) {
                    known.light = light;
                    self.edited.entry(pos).or_default().merge(sides);
                }
            }
        }
        true
    }

    /// Removes a chunk, and the light that came from it.
    pub fn remove(&mut self, pos: ChunkPos) {
        if self.chunks.remove(&pos).is_some() {
            self.queued.remove(&pos);
            self.enqueue_neighbours(pos);
        }
    }

    /// Number of chunks that are left to light.
    #[must_use]
    pub fn left(&self) -> usize {
        self.queued.len()
    }

    /// True if nothing is left to light.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.queued.is_empty()
    }

    /// Lights chunks until nothing changes. Returns the number of chunks lit, repetitions included.
    pub fn settle(&mut self) -> usize {
        let mut lit = 0;
        self.edited.clear();
        while !self.is_settled() {
            lit += self.light_batch(MAX_BATCH, None);
        }
        lit
    }

    /// Lights up to `max_chunks` of the chunks that are left, at least one.
    ///
    /// Returns each chunk whose light has changed, also by edits, with the sides at which it may
    /// have changed, in no particular order. A chunk that is lit for the first time has changed at
    /// all sides.
    pub fn settle_some(&mut self, max_chunks: usize) -> Vec<(ChunkPos, DifferentSides)> {
        let mut left = max_chunks.max(1);
        let mut changed = std::mem::take(&mut self.edited);
        while left > 0 && !self.is_settled() {
            left = left.saturating_sub(self.light_batch(left.min(MAX_BATCH), Some(&mut changed)));
        }
        changed.into_iter().collect()
    }

    /// Returns the counts of chunks and runs read since the last call.
    pub fn take_counts(&mut self) -> LightCounts {
        std::mem::take(&mut self.counts)
    }

    /// Lights up to `max_chunks` chunks together, and adds the chunks whose light changes to
    /// `changed`. Returns the number of chunks lit.
    fn light_batch(
        &mut self,
        max_chunks: usize,
        mut changed: Option<&mut FxHashMap<ChunkPos, DifferentSides>>,
    ) -> usize {
        let batch = self.take_batch(max_chunks);
        let numbers: FxHashMap<ChunkPos, usize> = batch.iter().copied().zip(0..).collect();
        let side = |pos: ChunkPos, face: Face| {
            let next = pos.offset(face.normal());
            match (numbers.get(&next), self.chunks.get(&next)) {
                (Some(&number), _) => BatchSide::Inside(number),
                (None, Some(lit)) => BatchSide::Outside(&lit.light),
                (None, None) if face == Face::Up && next.y >= self.sky => BatchSide::Sky,
                (None, None) => BatchSide::Unknown,
            }
        };
        let chunk = |&pos: &ChunkPos| {
            let known = self.chunks.get(&pos)?;
            Some(BatchChunk { chunk: &known.chunk, sides: Face::ALL.map(|face| side(pos, face)) })
        };
        let chunks: Vec<BatchChunk<'_>> = batch.iter().filter_map(chunk).collect();
        let lights = self.engine.light(&chunks, &self.traits);
        for chunk in &chunks {
            self.counts.add(chunk.chunk);
        }
        let mut touched = Vec::new();
        for ((&pos, light), BatchChunk { sides, .. }) in batch.iter().zip(&lights).zip(&chunks) {
            let Some(LitChunk { light: before, is_new, .. }) = self.chunks.get(&pos) else {
                continue;
            };
            let has_outside = sides.iter().any(|side| matches!(side, BatchSide::Outside(_)));
            let is_compared = has_outside || changed.is_some() && !is_new;
            let different = if is_compared { light.differences(before) } else { None };
            if let Some(changed) = &mut changed
                && let Some(different) = if *is_new { Some(DifferentSides::ALL) } else { different }
            {
                changed.entry(pos).or_default().merge(different);
            }
            let Some(different) = different else { continue };
            let change = LightChange { before, after: light };
            for (face, side) in Face::ALL.into_iter().zip(sides) {
                let next = pos.offset(face.normal());
                if different.contains(face)
                    && matches!(side, BatchSide::Outside(_))
                    && let Some(LitChunk { chunk, light, .. }) = self.chunks.get(&next)
                    && change.alters(face, &NeighbourChunk { chunk, light }, &self.traits)
                {
                    touched.push(next);
                }
            }
        }
        drop(chunks);
        for (pos, light) in batch.iter().zip(lights) {
            if let Some(lit) = self.chunks.get_mut(pos) {
                lit.light = light;
                lit.is_new = false;
            }
        }
        for pos in touched {
            self.enqueue(pos);
        }
        if batch.len() > MAX_IDLE_BATCH && self.is_settled() {
            self.engine = Batch::default();
        }
        batch.len()
    }

    /// Takes up to `max_chunks` chunks from the queue, and sorts them by descending y. Connected
    /// chunks are taken together, because light crosses borders inside a batch without relighting.
    fn take_batch(&mut self, max_chunks: usize) -> Vec<ChunkPos> {
        let mut batch: Vec<ChunkPos> = Vec::new();
        let mut seen = 0;
        while batch.len() < max_chunks {
            if let Some(pos) = batch.get(seen).copied() {
                seen += 1;
                for face in Face::ALL {
                    let next = pos.offset(face.normal());
                    if batch.len() < max_chunks && self.queued.remove(&next) {
                        batch.push(next);
                    }
                }
            } else {
                let Some(first) = self.queue.pop_front() else { break };
                if self.queued.remove(&first) {
                    batch.push(first);
                }
            }
        }
        batch.sort_unstable_by_key(|pos| (-pos.y, pos.z, pos.x));
        batch
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
        for face in Face::ALL {
            self.enqueue(pos.offset(face.normal()));
        }
    }
}
