//! The rules of a map at work: steps, and what they change.

use super::active_chunks::{ActiveChunks, Source, kinds_of};
use super::block_set::{BlockSet, Changed, blocks_in};
use super::columns::{Climate, Columns};
use super::kinds::KindSet;
use super::open_columns::OpenColumns;
use super::patch::{Patch, RuleCount};
use super::phase::Draws;
use super::rule_set::RuleSet;
use super::weather;
use crate::runs::moore;
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos};
use crate::world::{Chunk, World};
use glam::IVec3;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Hour of the day before one is set.
const NOON: f32 = 12.0;
/// Fewest chunks that are worth several threads.
const SHARED_WORK: usize = 8;

/// The rules of a map, with the set of blocks in which they may act.
///
/// A step reads and changes a copy of the active chunks; [`Rules::take_changes`] returns them as
/// chunks that share their runs, and the caller puts them into its world before the next edit.
/// Results depend on the world, the number of the step, the seed, the hour and the climate alone.
pub struct Rules {
    rules: RuleSet,
    seed: u64,
    step: u64,
    chunks: ActiveChunks,
    /// The columns of loaded chunks, for the weather.
    pub(super) columns: Columns,
    /// Hour of the day, 0 to 24.
    hour: f32,
    /// The chunks in which rules may act; `None` for all.
    open: Option<Arc<OpenColumns>>,
    /// Blocks on which rules have acted next to chunks that are not loaded.
    stalled: FxHashMap<ChunkPos, BlockSet>,
    reports: Reports,
}

/// Reports since the last step.
#[derive(Default)]
struct Reports {
    /// Boxes that were edited.
    edited: Vec<Box3>,
    /// Blocks with edited voxels.
    woken: Vec<(ChunkPos, BlockSet)>,
    /// Blocks that wake, without those around them.
    resumed: Vec<(ChunkPos, BlockSet)>,
    /// Chunks that were loaded or opened.
    loaded: Vec<ChunkPos>,
}

impl Reports {
    /// True if anything but loaded chunks was reported.
    fn have_edits(&self) -> bool {
        !(self.edited.is_empty() && self.woken.is_empty() && self.resumed.is_empty())
    }
}

/// What one step has done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StepCounts {
    /// What each rule has done, by number.
    pub rules: Vec<RuleCount>,
    /// Chunks that were evaluated in any phase.
    pub chunks: u64,
    /// Voxels that were evaluated, over all phases.
    pub voxels: u64,
    /// Changed blocks of 256 voxels, over all phases.
    pub changed_blocks: u64,
}

/// Runs of voxels with equal Moore neighbourhoods.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FusedRuns {
    /// Number of runs.
    pub runs: u64,
    /// Voxels in them.
    pub voxels: u64,
}

impl Rules {
    /// Rules at step `step` of a map with this seed. Nothing is active before something is woken.
    #[must_use]
    pub fn new(rules: RuleSet, seed: u64, step: u64) -> Rules {
        Rules {
            rules,
            seed,
            step,
            chunks: ActiveChunks::default(),
            columns: Columns::default(),
            hour: NOON,
            open: None,
            stalled: FxHashMap::default(),
            reports: Reports::default(),
        }
    }

    /// The same rules of the same loaded chunks, without changes that were not taken and with
    /// nothing active.
    #[must_use]
    pub fn restarted(self) -> Rules {
        // Reports of loaded chunks count for the weather. The caller reports again what is awake.
        let reports = Reports { loaded: self.reports.loaded, ..Reports::default() };
        let new = Rules::new(self.rules, self.seed, self.step);
        Rules { columns: self.columns, hour: self.hour, open: self.open, reports, ..new }
    }

    /// Sets the chunks in which rules may act; `None` for all. Others count as not loaded. Chunks
    /// that open later are to be reported as [`Rules::loaded`].
    pub fn set_open(&mut self, open: Option<Arc<OpenColumns>>) {
        self.open = open;
    }

    /// Sets the hour of the day, from 0 to 24. It is noon at first.
    pub fn set_hour(&mut self, hour: f32) {
        self.hour = hour;
    }

    /// Sets the climate of the map. At first there is none: no temperature is then right for a
    /// rule.
    pub fn set_climate(&mut self, climate: Option<Climate>) {
        self.columns.set_climate(climate);
    }

    /// The rules.
    #[must_use]
    pub fn rule_set(&self) -> &RuleSet {
        &self.rules
    }

    /// Number of the next step. A map stores it, to continue with the same chance.
    #[must_use]
    pub fn next_step(&self) -> u64 {
        self.step
    }

    /// Reports a loaded chunk. Nothing in it wakes: it stays as it is, until something around it
    /// changes. What had to stop at its border goes on.
    pub fn loaded(&mut self, pos: ChunkPos) {
        self.reports.loaded.push(pos);
    }

    /// Reports that voxels of `area` have been edited: rules act on them and on the voxels around
    /// them. Chunks on which rules are at work notice edits without this.
    pub fn wake(&mut self, area: Box3) {
        self.reports.edited.push(area);
    }

    /// Reports a loaded chunk, and wakes all of it.
    pub fn wake_chunk(&mut self, pos: ChunkPos) {
        self.loaded(pos);
        self.wake(pos.bounds());
    }

    /// Wakes blocks of a chunk, without those around them: what [`Rules::awake_blocks`] has
    /// returned for it.
    pub fn resume(&mut self, pos: ChunkPos, blocks: BlockSet) {
        self.reports.resumed.push((pos, blocks));
    }

    /// Wakes blocks of a chunk in which voxels were edited, and those around them.
    pub fn wake_blocks(&mut self, pos: ChunkPos, blocks: BlockSet) {
        self.reports.woken.push((pos, blocks));
    }

    /// The blocks that are awake, by chunk: those in which rules may act in the next step, and
    /// those that wait until a chunk next to them is loaded.
    #[must_use]
    pub fn awake_blocks(&self) -> Vec<(ChunkPos, BlockSet)> {
        let mut awake = self.stalled.clone();
        for &number in self.chunks.listed() {
            let chunk = &self.chunks.all()[number as usize];
            *awake.entry(chunk.pos).or_default() |= chunk.pending.iter().fold(0, |all, blocks| all | blocks);
        }
        awake.into_iter().filter(|&(_, blocks)| blocks != 0).collect()
    }

    /// True if no rule can change anything before the next edit, or before another hour.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        self.is_quiet() && self.reports.loaded.is_empty()
    }

    /// True if nothing but chunks that were loaded can make rules act: they are not looked at yet.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.chunks.listed().is_empty() && !self.reports.have_edits() && !self.has_weather()
    }

    /// True if the weather may change something at this hour.
    fn has_weather(&self) -> bool {
        let due = self.rules.weather.iter().filter(|weather| weather.is_due(self.hour));
        due.into_iter().any(|weather| self.columns.iter().any(|(_, column)| weather.may_act(column)))
    }

    /// Number of chunks in which rules may act in the next step.
    #[must_use]
    pub fn active_chunks(&self) -> usize {
        self.chunks.listed().len()
    }

    /// The active blocks of 256 voxels, eight rows of 32 each, sorted by chunk: boxes in the world.
    #[must_use]
    pub fn active_blocks(&self) -> Vec<Box3> {
        let mut boxes = Vec::new();
        let mut chunks: Vec<_> =
            self.chunks.listed().iter().map(|&number| &self.chunks.all()[number as usize]).collect();
        chunks.sort_unstable_by_key(|chunk| chunk.pos);
        for chunk in chunks {
            let pending = chunk.pending.iter().fold(0, |all, blocks| all | blocks);
            for block in super::block_set::blocks(pending) {
                let min = chunk.pos.origin() + IVec3::new(0, block as i32 / 4, block as i32 % 4 * 8);
                boxes.push(Box3 { min, max: min + IVec3::new(CHUNK_SIDE, 1, 8) });
            }
        }
        boxes
    }

    /// Counts the runs of equal Moore neighbourhoods in the active blocks: what a step computes
    /// together. Walks them, so it costs about as much as a step.
    #[must_use]
    pub fn count_fused_runs(&self, world: &World) -> FusedRuns {
        let mut sum = FusedRuns::default();
        for area in self.active_blocks() {
            moore::walk(world, area, |_| sum.runs += 1);
            sum.voxels += area.volume();
        }
        sum
    }

    /// Carries out one step on the loaded chunks. Runs on the threads of the caller's pool.
    ///
    /// Chunks that differ from the result of the last step count as edited: see
    /// [`Rules::take_changes`]. Changes of chunks that are no longer loaded are dropped: take them
    /// before a chunk is unloaded.
    pub fn step(&mut self, world: &World) -> StepCounts {
        let mut counts = StepCounts::default();
        let RuleSet { kinds, phases, weather, .. } = &self.rules;
        let open = self.open.as_deref();
        let source = Source { world, open, kinds, phases, causes: &[KindSet::ALL], step: self.step };
        self.chunks.synchronise(source);
        let reports = std::mem::take(&mut self.reports);
        let columns = (!weather.is_empty()).then_some(&mut self.columns);
        wake_reported(reports, &mut self.chunks, &mut self.stalled, columns, source);
        counts.chunks = self.chunks.listed().len() as u64;
        let draws = Draws { seed: self.seed, step: self.step };
        for (number, phase) in phases.iter().enumerate().filter(|(_, phase)| phase.schedule.is_due(self.step)) {
            let mut work = Vec::new();
            for &listed in self.chunks.listed() {
                work.push((listed, self.chunks.all()[listed as usize].pending[number]));
            }
            work.retain(|&(_, blocks)| blocks != 0);
            for &(listed, blocks) in &work {
                let chunk = self.chunks.get_mut(listed);
                chunk.pending[number] = 0;
                chunk.worked |= blocks;
                counts.voxels += u64::from(blocks.count_ones()) * 256;
            }
            let all = self.chunks.all();
            let evaluate = |&(chunk, blocks): &(u32, u128)| {
                (chunk, phase.evaluate(all, &all[chunk as usize], kinds, blocks, draws))
            };
            let patches: Vec<(u32, Patch)> = if work.len() < SHARED_WORK {
                work.iter().map(evaluate).collect()
            } else {
                work.par_iter().map(evaluate).collect()
            };
            for (chunk, patch) in &patches {
                self.chunks.apply(*chunk, patch, source);
                let chunk = self.chunks.get_mut(*chunk);
                chunk.pending[number] |= patch.waiting;
                if patch.changed.blocks != 0 {
                    chunk.kinds = chunk.kinds.union(phase.brings);
                    let pos = chunk.pos;
                    if !weather.is_empty() {
                        self.columns.add(pos, chunk.kinds);
                    }
                    let source = Source { causes: &patch.causes, ..source };
                    self.chunks.wake_around(pos, &patch.changed, source);
                }
                counts.add(patch);
            }
        }
        let places = (&mut self.columns, &mut self.chunks);
        weather::step(weather, self.hour, draws, places, source, |count| counts.add_rule(count));
        counts.rules.sort_unstable_by_key(|count| count.rule);
        self.chunks.take_stalled(&mut self.stalled);
        self.step += 1;
        self.chunks.settle(self.step);
        counts
    }

    /// The chunks that have changed since the last call, sorted by position. The caller puts them
    /// into the world before it changes any of them: a chunk of the world that is neither the one
    /// before nor the one returned here counts as edited, and its version wins.
    pub fn take_changes(&mut self) -> Vec<(ChunkPos, Chunk)> {
        let kinds = &self.rules.kinds;
        let mut changed: Vec<_> = self.chunks.iter_mut().filter(|chunk| chunk.changed != 0).collect();
        let write = |chunk: &mut &mut super::active_chunk::ActiveChunk| {
            chunk.write_changes(kinds).then(|| (chunk.pos, chunk.tree.clone()))
        };
        let mut chunks: Vec<(ChunkPos, Chunk)> = changed.par_iter_mut().filter_map(write).collect();
        chunks.sort_unstable_by_key(|&(pos, _)| pos);
        chunks
    }
}

impl StepCounts {
    fn add(&mut self, patch: &Patch) {
        self.changed_blocks += patch.blocks().len() as u64;
        patch.counts.iter().for_each(|&count| self.add_rule(count));
    }

    fn add_rule(&mut self, count: RuleCount) {
        match self.rules.iter_mut().find(|sum| sum.rule == count.rule) {
            Some(sum) => (sum.voxels, sum.amount) = (sum.voxels + count.voxels, sum.amount + count.amount),
            None => self.rules.push(count),
        }
    }
}

/// Wakes what was reported since the last step. `columns`: the columns of the weather, if there is
/// one.
fn wake_reported(
    reports: Reports,
    chunks: &mut ActiveChunks,
    stalled: &mut FxHashMap<ChunkPos, BlockSet>,
    mut columns: Option<&mut Columns>,
    source: Source<'_>,
) {
    let mut note = |pos: ChunkPos| {
        if let (Some(columns), Some(kinds)) = (&mut columns, kinds_of(pos, source)) {
            columns.add(pos, kinds);
        }
    };
    for pos in reports.loaded {
        note(pos);
        chunks.link_loaded(pos, source);
        for next in pos.moore_neighbourhood() {
            if let Some(blocks) = stalled.remove(&next) {
                chunks.resume(next, blocks, source);
            }
        }
    }
    for (pos, blocks) in reports.resumed {
        chunks.resume(pos, blocks, source);
    }
    for (pos, blocks) in reports.woken {
        note(pos);
        chunks.wake_around(pos, &Changed::whole(blocks), source);
    }
    for area in reports.edited {
        for pos in source.world.positions_in(area) {
            note(pos);
            chunks.wake_around(pos, &Changed::whole(blocks_in(area, pos)), source);
        }
    }
}
