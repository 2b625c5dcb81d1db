//! Step-by-step execution of a map's rules.

use super::active_chunks::{ActiveChunks, ChunkSource, kinds_of};
use super::block_set::{BlockSet, Changed, blocks_in};
use super::columns::{Climate, Columns};
use super::kinds::RuleKindSet;
use super::open_columns::OpenColumns;
use super::patch::{PhasePatch, RuleCount};
use super::phase::Draws;
use super::rule_set::RuleSet;
use super::weather::{self, WeatherPlaces};
use crate::runs::moore;
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos};
use crate::world::{Chunk, World};
use glam::IVec3;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Hour of the day before one is set.
const NOON: f32 = 12.0;
/// Minimum number of chunks for which several threads are faster than one.
const SHARED_WORK: usize = 8;

/// The rules of a map, with the set of blocks in which they may act.
///
/// A step reads and changes a copy of the active chunks, so it can run in parallel with the game.
/// [`Rules::take_changes`] returns the changed chunks, and the caller puts them into its world
/// before the next edit. Results depend only on the world, the number of the step, the seed, the
/// hour and the climate.
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
    /// Blocks in which rules acted while a neighbour of their chunk was not loaded. They wake when
    /// a neighbour is loaded.
    stalled: FxHashMap<ChunkPos, BlockSet>,
    reports: Reports,
}

/// Edits and loaded chunks reported since the last step.
#[derive(Default)]
struct Reports {
    /// Boxes that were edited.
    edited: Vec<Box3>,
    /// Blocks with edited voxels.
    woken: Vec<(ChunkPos, BlockSet)>,
    /// Blocks to wake without their neighbours.
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

/// Statistics of one step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StepCounts {
    /// Effects of each rule, sorted by its number.
    pub rules: Vec<RuleCount>,
    /// Chunks that were evaluated in any phase.
    pub chunks: u64,
    /// Voxels that were evaluated, over all phases.
    pub voxels: u64,
    /// Changed blocks of 256 voxels, over all phases.
    pub changed_blocks: u64,
}

/// Number and size of runs of voxels with equal Moore neighbourhoods.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FusedRuns {
    /// Number of runs.
    pub runs: u64,
    /// Number of voxels in the runs.
    pub voxels: u64,
}

impl Rules {
    /// Creates the rules of a map. `step` is the number of the next step. All blocks sleep until
    /// they are woken.
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

    /// Restarts the rules with the same loaded chunks. Drops changes that were not taken, and puts
    /// all blocks to sleep: the caller must wake blocks in which rules should continue.
    #[must_use]
    pub fn restarted(self) -> Rules {
        // Reports of loaded chunks are kept, because the weather depends on them.
        let reports = Reports { loaded: self.reports.loaded, ..Reports::default() };
        let new = Rules::new(self.rules, self.seed, self.step);
        Rules { columns: self.columns, hour: self.hour, open: self.open, reports, ..new }
    }

    /// Sets the chunks in which rules may act; `None` for all. Other chunks count as not loaded.
    /// The caller reports chunks that open later with [`Rules::loaded`].
    pub fn set_open(&mut self, open: Option<Arc<OpenColumns>>) {
        self.open = open;
    }

    /// Sets the hour of the day, from 0 to 24. Initially it is noon.
    pub fn set_hour(&mut self, hour: f32) {
        self.hour = hour;
    }

    /// Sets the climate of the map. Initially it has none, and rules that depend on temperature do
    /// not act.
    pub fn set_climate(&mut self, climate: Option<Climate>) {
        self.columns.set_climate(climate);
    }

    /// Number of the next step. A map stores it, because chance depends on it.
    #[must_use]
    pub fn next_step(&self) -> u64 {
        self.step
    }

    /// Reports a loaded chunk. Wakes no block in it, so that loading a map changes nothing. Rules
    /// that had stopped at its border continue.
    pub fn loaded(&mut self, pos: ChunkPos) {
        self.reports.loaded.push(pos);
    }

    /// Reports that voxels of `area` have been edited: rules act on them and on the voxels around
    /// them. Edits of active chunks are noticed without a report.
    pub fn wake(&mut self, area: Box3) {
        self.reports.edited.push(area);
    }

    /// Reports a loaded chunk and wakes all its blocks.
    pub fn wake_chunk(&mut self, pos: ChunkPos) {
        self.loaded(pos);
        self.wake(pos.bounds());
    }

    /// Wakes blocks of a chunk, but not their neighbours. Meant for the blocks that
    /// [`Rules::awake_blocks`] returned when the map was saved.
    pub fn resume(&mut self, pos: ChunkPos, blocks: BlockSet) {
        self.reports.resumed.push((pos, blocks));
    }

    /// Wakes blocks of a chunk in which voxels were edited, and the blocks around them.
    pub fn wake_blocks(&mut self, pos: ChunkPos, blocks: BlockSet) {
        self.reports.woken.push((pos, blocks));
    }

    /// The awake blocks by chunk: blocks in which rules may act in the next step, and blocks that
    /// wait until a chunk next to theirs is loaded.
    #[must_use]
    pub fn awake_blocks(&self) -> Vec<(ChunkPos, BlockSet)> {
        let mut awake = self.stalled.clone();
        for &number in self.chunks.listed() {
            let chunk = &self.chunks.all()[number as usize];
            *awake.entry(chunk.pos).or_default() |=
                chunk.pending.iter().fold(0, |all, blocks| all | blocks);
        }
        awake.into_iter().filter(|&(_, blocks)| blocks != 0).collect()
    }

    /// True if no rule can change anything until the next edit or another hour.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        self.is_quiet() && self.reports.loaded.is_empty()
    }

    /// True if the next step changes nothing, apart from the effects of newly loaded chunks, which
    /// [`Rules::is_at_rest`] counts, too.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.chunks.listed().is_empty() && !self.reports.have_edits() && !self.has_weather()
    }

    /// True if the weather may change something at this hour.
    fn has_weather(&self) -> bool {
        let due = self.rules.weather.iter().filter(|weather| weather.is_due(self.hour));
        due.into_iter()
            .any(|weather| self.columns.iter().any(|(_, column)| weather.may_act(column)))
    }

    /// Number of chunks with blocks in which rules may act in the next step.
    #[must_use]
    pub fn active_chunks(&self) -> usize {
        self.chunks.listed().len()
    }

    /// The boxes of the active blocks (256 voxels, eight rows of 32 each) in the world, sorted by
    /// chunk.
    #[must_use]
    pub fn active_blocks(&self) -> Vec<Box3> {
        let mut boxes = Vec::new();
        let mut chunks: Vec<_> = self
            .chunks
            .listed()
            .iter()
            .map(|&number| &self.chunks.all()[number as usize])
            .collect();
        chunks.sort_unstable_by_key(|chunk| chunk.pos);
        for chunk in chunks {
            let pending = chunk.pending.iter().fold(0, |all, blocks| all | blocks);
            for block in super::block_set::blocks(pending) {
                let min =
                    chunk.pos.origin() + IVec3::new(0, block as i32 / 4, block as i32 % 4 * 8);
                boxes.push(Box3 { min, max: min + IVec3::new(CHUNK_SIDE, 1, 8) });
            }
        }
        boxes
    }

    /// Counts the runs of equal Moore neighbourhoods in the active blocks. Walks every active
    /// block, so it costs about as much as a step.
    #[must_use]
    pub fn count_fused_runs(&self, world: &World) -> FusedRuns {
        let mut sum = FusedRuns::default();
        for area in self.active_blocks() {
            moore::walk(world, area, |_| sum.runs += 1);
            sum.voxels += area.volume();
        }
        sum
    }

    /// Computes one step on the loaded chunks, on the threads of the caller's pool.
    ///
    /// Active chunks that differ in `world` from the result of the last step count as edited: see
    /// [`Rules::take_changes`]. Changes in chunks that are no longer loaded are dropped, so the
    /// caller takes them before it unloads a chunk.
    pub fn step(&mut self, world: &World) -> StepCounts {
        let mut counts = StepCounts::default();
        let RuleSet { kinds, phases, weather, .. } = &self.rules;
        let open = self.open.as_deref();
        let source = ChunkSource {
            world,
            open,
            kinds,
            phases,
            causes: &[RuleKindSet::ALL],
            step: self.step,
        };
        self.chunks.synchronise(source);
        let reports = std::mem::take(&mut self.reports);
        let columns = (!weather.is_empty()).then_some(&mut self.columns);
        wake_reported(reports, &mut self.chunks, &mut self.stalled, columns, source);
        counts.chunks = self.chunks.listed().len() as u64;
        let draws = Draws { seed: self.seed, step: self.step };
        for (number, phase) in
            phases.iter().enumerate().filter(|(_, phase)| phase.schedule.is_due(self.step))
        {
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
            let patches: Vec<(u32, PhasePatch)> = if work.len() < SHARED_WORK {
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
                    let source = ChunkSource { causes: &patch.causes, ..source };
                    self.chunks.wake_around(pos, &patch.changed, source);
                }
                counts.add(patch);
            }
        }
        let places = WeatherPlaces { columns: &mut self.columns, chunks: &mut self.chunks, source };
        weather::step(weather, self.hour, draws, places, |count| counts.add_rule(count));
        counts.rules.sort_unstable_by_key(|count| count.rule);
        self.chunks.take_stalled(&mut self.stalled);
        self.step += 1;
        self.chunks.settle(self.step);
        counts
    }

    /// Returns the chunks that have changed since the last call, sorted by position.
    ///
    /// The caller puts them into the world before it edits any of them. Otherwise the next step
    /// finds a different version in the world, treats it as an edit and drops the changes.
    pub fn take_changes(&mut self) -> Vec<(ChunkPos, Chunk)> {
        let kinds = &self.rules.kinds;
        let mut changed: Vec<_> =
            self.chunks.iter_mut().filter(|chunk| chunk.changed != 0).collect();
        let write = |chunk: &mut &mut super::active_chunk::ActiveChunk| {
            chunk.write_changes(kinds).then(|| (chunk.pos, chunk.tree.clone()))
        };
        let mut chunks: Vec<(ChunkPos, Chunk)> = changed.par_iter_mut().filter_map(write).collect();
        chunks.sort_unstable_by_key(|&(pos, _)| pos);
        chunks
    }
}

impl StepCounts {
    fn add(&mut self, patch: &PhasePatch) {
        self.changed_blocks += patch.blocks().len() as u64;
        for &count in &patch.counts {
            self.add_rule(count);
        }
    }

    fn add_rule(&mut self, count: RuleCount) {
        match self.rules.iter_mut().find(|sum| sum.rule == count.rule) {
            Some(sum) => {
                sum.voxels += count.voxels;
                sum.amount += count.amount;
            }
            None => self.rules.push(count),
        }
    }
}

/// Wakes the blocks reported since the last step. `columns` is `None` without rules of the weather.
fn wake_reported(
    reports: Reports,
    chunks: &mut ActiveChunks,
    stalled: &mut FxHashMap<ChunkPos, BlockSet>,
    mut columns: Option<&mut Columns>,
    source: ChunkSource<'_>,
) {
    for pos in reports.loaded {
        add_to_column(&mut columns, pos, source);
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
        add_to_column(&mut columns, pos, source);
        chunks.wake_around(pos, &Changed::whole(blocks), source);
    }
    for area in reports.edited {
        for pos in source.world.positions_in(area) {
            add_to_column(&mut columns, pos, source);
            chunks.wake_around(pos, &Changed::whole(blocks_in(area, pos)), source);
        }
    }
}

/// Adds a loaded chunk with its kinds to the columns of the weather, if there are any.
fn add_to_column(columns: &mut Option<&mut Columns>, pos: ChunkPos, source: ChunkSource<'_>) {
    if let (Some(columns), Some(kinds)) = (columns, kinds_of(pos, source)) {
        columns.add(pos, kinds);
    }
}
