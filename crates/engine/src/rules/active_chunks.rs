//! The chunks that rules work on or read, linked with their neighbours.

use super::active_chunk::{ActiveChunk, KindAmount};
use super::block_set::{BlockSet, Changed};
use super::kinds::{RuleKindSet, RuleKinds};
use super::open_columns::OpenColumns;
use super::patch::PhasePatch;
use super::phase::Phase;
use super::planes::kinds_in;
use crate::voxel::{
    ChunkPos, MOORE_CENTRE, MOORE_LEN, chunk_coord, linear_index, local, neighbour_offset,
};
use crate::world::{Chunk, World};
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Number of steps for which an idle chunk keeps its planes, so that work that resumes within this
/// time does not read them again.
const KEPT_STEPS: u64 = 32;

/// Active chunks by number. Chunks with pending blocks are listed, and their loaded neighbours are
/// active too.
#[derive(Default)]
pub(super) struct ActiveChunks {
    /// Chunks by number. Removed chunks leave gaps, which `free` lists.
    chunks: Vec<ActiveChunk>,
    /// Numbers of the gaps.
    free: Vec<u32>,
    numbers: FxHashMap<ChunkPos, u32>,
    /// Numbers of the chunks with pending blocks.
    listed: Vec<u32>,
}

/// The world and the rules from which active chunks are made.
#[derive(Clone, Copy)]
pub(super) struct ChunkSource<'a> {
    /// The loaded chunks.
    pub world: &'a World,
    /// The chunks in which rules may act; `None` for all.
    pub open: Option<&'a OpenColumns>,
    /// The kinds of the rules.
    pub kinds: &'a RuleKinds,
    /// Phases of the rules.
    pub phases: &'a [Phase],
    /// Kinds before and after the changes that wake blocks, one set for each rule.
    pub(crate) causes: &'a [RuleKindSet],
    /// Number of the current step.
    pub step: u64,
}

impl<'a> ChunkSource<'a> {
    /// The chunk at `pos`; `None` if it is not loaded, or closed to rules.
    pub fn chunk(self, pos: ChunkPos) -> Option<&'a Chunk> {
        self.world.chunk(pos).filter(|_| self.open.is_none_or(|open| open.is_open(pos)))
    }
}

impl ActiveChunks {
    /// All chunks by number. Gaps hold removed chunks, to which nothing refers.
    pub fn all(&self) -> &[ActiveChunk] {
        &self.chunks
    }

    /// Numbers of the chunks with pending blocks.
    pub fn listed(&self) -> &[u32] {
        &self.listed
    }

    /// The chunk with this number.
    pub fn get_mut(&mut self, number: u32) -> &mut ActiveChunk {
        &mut self.chunks[number as usize]
    }

    /// The chunks in use.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut ActiveChunk> {
        let numbers = &self.numbers;
        self.chunks.iter_mut().enumerate().filter_map(|(number, chunk)| {
            (numbers.get(&chunk.pos) == Some(&(number as u32))).then_some(chunk)
        })
    }

    /// The kinds in the chunk at `pos`, and possibly a few that it no longer holds; `None` if it is
    /// not loaded.
    pub fn kinds(&self, pos: ChunkPos, source: ChunkSource<'_>) -> Option<RuleKindSet> {
        match self.numbers.get(&pos) {
            Some(&number) => Some(self.chunks[number as usize].kinds),
            None => kinds_of(pos, source),
        }
    }

    /// The voxel at `at`; `None` if it is not loaded.
    pub fn voxel(&self, at: IVec3, source: ChunkSource<'_>) -> Option<KindAmount> {
        let pos = ChunkPos::new(chunk_coord(at.x), chunk_coord(at.y), chunk_coord(at.z));
        let index = linear_index(local(at));
        let chunk = self.numbers.get(&pos).map(|&number| &self.chunks[number as usize]);
        match chunk.filter(|chunk| chunk.changed != 0) {
            Some(chunk) => Some(chunk.changed_voxel(index, source.kinds)),
            None => {
                let voxel = source.chunk(pos)?.get(index);
                let amount = if voxel.is_air() { 0 } else { u32::from(voxel.occupancy()) + 1 };
                let is_wet = voxel.is_wet();
                Some(KindAmount { kind: source.kinds.set_of(voxel), amount, is_wet })
            }
        }
    }

    /// Number of the chunk at `pos`, which becomes active if necessary; `None` if it is not loaded.
    pub fn number(&mut self, pos: ChunkPos, source: ChunkSource<'_>) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&pos) {
            return Some(number);
        }
        let tree = source.chunk(pos)?.clone();
        let mut chunk = ActiveChunk::new(pos, tree, source.kinds, source.phases.len());
        chunk.last_active = source.step;
        // The cast is exact: memory holds fewer than 2^32 chunks.
        let number = self.free.pop().unwrap_or(self.chunks.len() as u32);
        for index in 0..MOORE_LEN {
            let next = if index == MOORE_CENTRE {
                Some(number)
            } else {
                self.link(pos, index, Some(number))
            };
            chunk.around[index] = next;
        }
        match self.chunks.get_mut(number as usize) {
            Some(free) => *free = chunk,
            None => self.chunks.push(chunk),
        }
        self.numbers.insert(pos, number);
        Some(number)
    }

    /// Sets the link from the neighbour at `index` to the chunk at `pos`. Returns the neighbour's
    /// number; `None` if it is not active.
    fn link(&mut self, pos: ChunkPos, index: usize, number: Option<u32>) -> Option<u32> {
        let next = self.numbers.get(&pos.offset(neighbour_offset(index))).copied()?;
        self.chunks[next as usize].around[MOORE_LEN - 1 - index] = number;
        Some(next)
    }

    /// Marks blocks of a chunk as pending in some phases. Lists the chunk and activates its loaded
    /// neighbours.
    fn wake(
        &mut self,
        number: u32,
        blocks: BlockSet,
        phases: Range<usize>,
        source: ChunkSource<'_>,
    ) {
        let chunk = &mut self.chunks[number as usize];
        for pending in &mut chunk.pending[phases] {
            *pending |= blocks;
        }
        if chunk.is_listed {
            return;
        }
        chunk.is_listed = true;
        chunk.last_active = source.step;
        let pos = chunk.pos;
        self.listed.push(number);
        for next in pos.moore_neighbourhood() {
            self.number(next, source);
        }
    }

    /// Wakes every block of the chunk and its neighbours that has a changed voxel in the Moore
    /// neighbourhood of one of its voxels. Blocks further away wake for phases with sight. Does
    /// nothing if the chunk is not loaded.
    pub(crate) fn wake_around(
        &mut self,
        pos: ChunkPos,
        changed: &Changed,
        source: ChunkSource<'_>,
    ) {
        let Some(number) = self.number(pos, source) else { return };
        let all = 0..source.phases.len();
        self.wake(number, changed.woken(IVec3::ZERO), all.clone(), source);
        // All loaded neighbours of a listed chunk are linked.
        for index in (0..MOORE_LEN).filter(|&index| index != MOORE_CENTRE) {
            let blocks = changed.woken(neighbour_offset(index));
            if let Some(next) = self.chunks[number as usize].around[index].filter(|_| blocks != 0) {
                self.wake(next, blocks, all.clone(), source);
            }
        }
        self.wake_sighted(number, changed.blocks, source);
    }

    /// Wakes the blocks from which phases with sight see changed blocks of a chunk.
    fn wake_sighted(&mut self, number: u32, changed: BlockSet, source: ChunkSource<'_>) {
        let sights = source
            .phases
            .iter()
            .enumerate()
            .filter_map(|(n, phase)| Some((n, phase.sight.as_ref()?)));
        for (phase, sight) in sights.filter(|(_, sight)| sight.notices(source.causes)) {
            for index in 0..MOORE_LEN {
                let Some(next) = self.chunks[number as usize].around[index] else { continue };
                let blocks = sight.span.woken(changed, neighbour_offset(index));
                if blocks != 0 && self.chunks[next as usize].kinds.meets(sight.affects) {
                    self.wake(next, blocks, phase..phase + 1, source);
                }
            }
        }
    }

    /// Wakes blocks of a chunk for all phases, but not their neighbours. Does nothing if the chunk
    /// is not loaded.
    pub fn resume(&mut self, pos: ChunkPos, blocks: BlockSet, source: ChunkSource<'_>) {
        if let Some(number) = self.number(pos, source) {
            self.wake(number, blocks, 0..source.phases.len(), source);
        }
    }

    /// Takes the worked blocks of all listed chunks. Adds them to `stalled` if a neighbour of their
    /// chunk is not loaded.
    pub(crate) fn take_stalled(&mut self, stalled: &mut FxHashMap<ChunkPos, BlockSet>) {
        for &number in &self.listed {
            let chunk = &mut self.chunks[number as usize];
            let worked = std::mem::take(&mut chunk.worked);
            if worked != 0 && chunk.around.contains(&None) {
                *stalled.entry(chunk.pos).or_default() |= worked;
            }
        }
    }

    /// Activates a loaded chunk if it has active neighbours, and links it with them.
    pub(crate) fn link_loaded(&mut self, pos: ChunkPos, source: ChunkSource<'_>) {
        if pos.moore_neighbourhood().any(|next| self.numbers.contains_key(&next)) {
            self.number(pos, source);
        }
    }

    /// Applies the changes of a phase to a chunk.
    pub fn apply(&mut self, number: u32, patch: &PhasePatch, source: ChunkSource<'_>) {
        let chunk = &mut self.chunks[number as usize];
        for (block, planes) in patch.blocks() {
            chunk.set_block(block, planes, source.kinds);
        }
        chunk.changed |= patch.changed.blocks;
    }

    /// Compares all active chunks with the world. Drops unloaded chunks, and wakes edited blocks.
    pub(crate) fn synchronise(&mut self, source: ChunkSource<'_>) {
        let mut edited = Vec::new();
        for number in 0..self.chunks.len() as u32 {
            let chunk = &self.chunks[number as usize];
            let pos = chunk.pos;
            if self.numbers.get(&pos) != Some(&number) {
                continue;
            }
            match source.chunk(pos) {
                None => self.remove(number),
                Some(tree) if tree.shares_runs(&chunk.tree) => {}
                Some(tree) => edited.push((number, tree.clone())),
            }
        }
        for (number, tree) in edited {
            self.replace(number, tree, source);
        }
    }

    /// Replaces an edited chunk and wakes the blocks that differ.
    fn replace(&mut self, number: u32, tree: Chunk, source: ChunkSource<'_>) {
        let chunk = &mut self.chunks[number as usize];
        // Changes that have not reached the world are dropped, so all blocks may differ.
        let blocks =
            if chunk.changed == 0 { chunk.tree.changed_blocks(&tree) } else { BlockSet::MAX };
        chunk.replace(tree, source.kinds);
        let pos = chunk.pos;
        self.wake_around(pos, &Changed::whole(blocks), source);
    }

    fn remove(&mut self, number: u32) {
        let pos = self.chunks[number as usize].pos;
        self.numbers.remove(&pos);
        for index in (0..MOORE_LEN).filter(|&index| index != MOORE_CENTRE) {
            self.link(pos, index, None);
        }
        self.listed.retain(|&listed| listed != number);
        self.chunks[number as usize].release();
        self.free.push(number);
    }

    /// Removes chunks without pending blocks from the list. Drops chunks that were neither listed
    /// nor next to a listed one for [`KEPT_STEPS`] steps.
    pub fn settle(&mut self, step: u64) {
        let chunks = &mut self.chunks;
        self.listed.retain(|&number| {
            let chunk = &mut chunks[number as usize];
            chunk.is_listed = chunk.is_pending();
            chunk.is_listed
        });
        for &number in &self.listed {
            for next in chunks[number as usize].around.into_iter().flatten() {
                chunks[next as usize].last_active = step;
            }
        }
        let is_stale = |number: &u32| {
            let chunk = &self.chunks[*number as usize];
            chunk.changed == 0 && chunk.last_active + KEPT_STEPS < step
        };
        let mut stale: Vec<u32> = self.numbers.values().copied().filter(is_stale).collect();
        // Sorted, so that the order in which numbers are reused does not depend on the hash map.
        stale.sort_unstable();
        for number in stale {
            self.remove(number);
        }
    }
}

/// The kinds of a chunk; `None` if it is not loaded.
pub(super) fn kinds_of(pos: ChunkPos, source: ChunkSource<'_>) -> Option<RuleKindSet> {
    Some(kinds_in(source.chunk(pos)?, source.kinds))
}
