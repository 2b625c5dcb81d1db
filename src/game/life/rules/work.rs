//! The rules of the open map, idle or running steps on another thread.

use crate::game::editing::edit_jobs::edit_pool;
use crate::game::platform::task_pools;
use bevy::platform::cell::SyncCell;
use bevy::prelude::Resource;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::{Duration, Instant};
use stonerun_engine::edit::AwakeBlocks;
use stonerun_engine::history::ChunkChange;
use stonerun_engine::rules::{
    BlockSet, Climate, FusedRuns, OpenColumns, RuleSet, Rules, StepCounts,
};
use stonerun_engine::voxel::{Box3, ChunkPos};
use stonerun_engine::world::World;

/// The rules of the open map.
#[derive(Resource)]
pub struct WorldRules {
    state: State,
    /// Chunks that were loaded while a step ran.
    loaded: Vec<ChunkPos>,
    /// State of the world in the snapshot that the last steps read.
    snapshot: SnapshotId,
    /// True if the rules must restart with all awake blocks, because the last steps were discarded
    /// or the rules were replaced.
    is_outdated: bool,
    /// Names of the rules, by number.
    pub names: Vec<String>,
    /// Figures for the panel.
    pub figures: RuleFigures,
}

/// State of the rules.
enum State {
    /// The rules are at rest: no step runs.
    Idle(Box<Rules>),
    /// Steps run on a thread, which holds the rules.
    Working(SyncCell<Receiver<FinishedSteps>>),
    /// The thread has panicked or never started: rules stay off until the map is opened again.
    Failed,
}

/// Finished steps, and the rules that ran them.
struct FinishedSteps {
    rules: Box<Rules>,
    result: RulesResult,
}

/// State of the world in a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SnapshotId {
    /// Revision of the loaded chunks.
    pub revision: u64,
    /// Number of undos and redos so far.
    pub applied_count: u64,
}

/// A snapshot of the world that steps read.
pub struct WorldSnapshot {
    /// The loaded chunks.
    pub world: World,
    /// State of the world that the snapshot shows.
    pub id: SnapshotId,
}

/// Error: the thread of the rules has panicked or could not be started.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("a rule of the world has failed; rules are off until the map is opened again")]
pub struct RulesFailed;

/// Result of some steps.
#[derive(Default)]
pub struct RulesResult {
    /// Revision of the snapshot.
    pub revision: u64,
    /// The changed chunks.
    pub changes: Vec<ChunkChange>,
    /// Fused runs in the active blocks, summed over the steps; `None` if they were not counted.
    pub fused: Option<FusedRuns>,
    /// Counts of each step.
    pub counts: Vec<StepCounts>,
    /// Blocks of voxels that are active after the steps.
    pub active: Vec<Box3>,
    /// Awake blocks after the steps; `None` if the steps were discarded.
    pub awake: Option<Vec<(ChunkPos, BlockSet)>>,
    /// Time that the steps took on their thread.
    pub took: Duration,
}

/// Figures of the rules, for the panel.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RuleFigures {
    /// Steps since the map was opened.
    pub steps: u64,
    /// Counts of the last step.
    pub last: StepCounts,
    /// Voxels that each rule has changed since the map was opened, by number.
    pub totals: Vec<u64>,
    /// Chunks that the last steps have changed.
    pub changed_chunks: usize,
    /// Chunks in which rules may act in the next step.
    pub active_chunks: usize,
    /// Fused runs in the blocks in which rules acted; `None` if they were not counted.
    pub fused: Option<FusedRuns>,
    /// Blocks in which rules may act in the next step.
    pub active: Vec<Box3>,
    /// Time of the last steps on their thread.
    pub took: Duration,
    /// Time of applying the changes of the last steps to the world, in the frame.
    pub applied_in: Duration,
}

impl WorldRules {
    /// State of `rules` in a map with this seed, at step `step`.
    #[must_use]
    pub fn new(rules: RuleSet, seed: u64, step: u64) -> WorldRules {
        WorldRules {
            names: rules.names().to_vec(),
            state: State::Idle(Box::new(Rules::new(rules, seed, step))),
            loaded: Vec::new(),
            snapshot: SnapshotId::default(),
            is_outdated: false,
            figures: RuleFigures::default(),
        }
    }

    /// Replaces the rules, and marks them for [`WorldRules::restart`], which wakes the awake blocks
    /// for the new rules. Does nothing while steps run.
    pub fn replace(&mut self, rules: RuleSet, seed: u64, loaded: impl Iterator<Item = ChunkPos>) {
        let Some(step) = self.next_step() else { return };
        let is_same = self.names == rules.names();
        self.names = rules.names().to_vec();
        let mut rules = Rules::new(rules, seed, step);
        for pos in loaded {
            rules.loaded(pos);
        }
        self.state = State::Idle(Box::new(rules));
        self.is_outdated = true;
        if !is_same {
            self.figures.totals = vec![0; self.names.len()];
        }
        self.figures.last = StepCounts::default();
    }

    /// Sets the climate of the map. Does nothing while steps run.
    pub fn set_climate(&mut self, climate: Option<Climate>) {
        if let State::Idle(rules) = &mut self.state {
            rules.set_climate(climate);
        }
    }

    /// Sets the hour of the day, 0 to 24. Does nothing while steps run.
    pub fn set_hour(&mut self, hour: f32) {
        if let State::Idle(rules) = &mut self.state {
            rules.set_hour(hour);
        }
    }

    /// Reports a chunk that was loaded.
    pub fn loaded(&mut self, pos: ChunkPos) {
        match &mut self.state {
            State::Idle(rules) => rules.loaded(pos),
            _ => self.loaded.push(pos),
        }
    }

    /// Wakes blocks that edits have changed, and blocks of newly loaded chunks that were awake when
    /// they were saved. Does nothing while steps run.
    pub fn wake(&mut self, woken: impl IntoIterator<Item = (ChunkPos, AwakeBlocks)>) {
        let State::Idle(rules) = &mut self.state else { return };
        for (pos, AwakeBlocks { edited, pending }) in woken {
            if edited != 0 {
                rules.wake_blocks(pos, edited);
            }
            if pending != 0 {
                rules.resume(pos, pending);
            }
        }
    }

    /// Restarts with all awake blocks of the map, if an edit was undone or redone since the last
    /// snapshot, the last steps were discarded, or the rules were replaced. Returns true if it did.
    /// Does nothing while steps run.
    pub fn restart(
        &mut self,
        applied_count: u64,
        awake: impl FnOnce() -> Vec<(ChunkPos, AwakeBlocks)>,
    ) -> bool {
        if !self.is_idle() || !self.is_outdated && self.snapshot.applied_count == applied_count {
            return false;
        }
        if let State::Idle(rules) = std::mem::replace(&mut self.state, State::Failed) {
            self.state = State::Idle(Box::new(rules.restarted()));
        }
        self.is_outdated = false;
        self.snapshot.applied_count = applied_count;
        self.wake(awake());
        true
    }

    /// Sets the chunks in which rules may act, and reports the newly `opened` ones as loaded. Does
    /// nothing while steps run.
    pub fn set_open(
        &mut self,
        open: Option<&Arc<OpenColumns>>,
        opened: impl IntoIterator<Item = ChunkPos>,
    ) {
        if let State::Idle(rules) = &mut self.state {
            rules.set_open(open.cloned());
            for pos in opened {
                rules.loaded(pos);
            }
        }
    }

    /// Number of the next step; `None` while steps run.
    #[must_use]
    pub fn next_step(&self) -> Option<u64> {
        match &self.state {
            State::Idle(rules) => Some(rules.next_step()),
            _ => None,
        }
    }

    /// True if no step runs.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        matches!(self.state, State::Idle(_))
    }

    /// True if nothing can change by itself, and no step runs.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        matches!(&self.state, State::Idle(rules) if rules.is_at_rest())
    }

    /// True if only newly loaded chunks can make rules act, and no step runs.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        matches!(&self.state, State::Idle(rules) if rules.is_quiet())
    }

    /// Begins steps on a snapshot of the world, on another thread, and counts fused runs if
    /// `counts_fused` is set. Does nothing while steps run.
    pub fn begin(&mut self, steps: u32, snapshot: WorldSnapshot, counts_fused: bool) {
        if !self.is_idle() {
            return;
        }
        let State::Idle(mut rules) = std::mem::replace(&mut self.state, State::Failed) else {
            return;
        };
        let WorldSnapshot { world, id } = snapshot;
        self.snapshot = id;
        let (sender, receiver) = mpsc::sync_channel(1);
        let work = move || {
            let Ok(pool) = edit_pool() else { return };
            let mut result = pool.install(|| run(&mut rules, steps, &world, counts_fused));
            result.revision = id.revision;
            // Fails only if the map was closed meanwhile.
            let _ = sender.send(FinishedSteps { rules, result });
        };
        // Without a thread, the sender is dropped, and `finish` reports the failure.
        let _ = task_pools::spawn_background("rules", work);
        self.state = State::Working(SyncCell::new(receiver));
    }

    /// Returns the changes of finished steps, once. If an edit was undone or redone meanwhile, or
    /// if `is_outdated` returns true, the changes are discarded and the rules must restart.
    ///
    /// # Errors
    /// The thread of the steps has failed.
    pub fn finish(
        &mut self,
        applied_count: u64,
        is_outdated: impl FnOnce(&RulesResult) -> bool,
    ) -> Option<Result<RulesResult, RulesFailed>> {
        let State::Working(receiver) = &mut self.state else { return None };
        match receiver.get().try_recv() {
            Ok(FinishedSteps { mut rules, mut result }) => {
                if applied_count != self.snapshot.applied_count || is_outdated(&result) {
                    result.changes.clear();
                    result.awake = None;
                    self.is_outdated = true;
                }
                for pos in self.loaded.drain(..) {
                    rules.loaded(pos);
                }
                self.note(&mut result, rules.active_chunks());
                self.state = State::Idle(rules);
                Some(Ok(result))
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.state = State::Failed;
                Some(Err(RulesFailed))
            }
        }
    }

    /// True if the rules have failed. They then stay off until the map is opened again.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        matches!(self.state, State::Failed)
    }

    fn note(&mut self, result: &mut RulesResult, active_chunks: usize) {
        let figures = &mut self.figures;
        figures.steps += result.counts.len() as u64;
        figures.totals.resize(self.names.len(), 0);
        for count in result.counts.iter().flat_map(|step| &step.rules) {
            figures.totals[count.rule] += count.voxels;
        }
        figures.last = result.counts.pop().unwrap_or_default();
        figures.changed_chunks = result.changes.len();
        figures.active_chunks = active_chunks;
        figures.active = std::mem::take(&mut result.active);
        figures.took = result.took;
        figures.fused = result.fused;
    }
}

/// Carries out steps on a snapshot.
fn run(rules: &mut Rules, steps: u32, world: &World, counts_fused: bool) -> RulesResult {
    let mut fused = counts_fused.then(FusedRuns::default);
    let mut counts = Vec::new();
    let mut counting = Duration::ZERO;
    let start = Instant::now();
    for _ in 0..steps {
        if let Some(fused) = &mut fused {
            let start = Instant::now();
            let found = rules.count_fused_runs(world);
            fused.runs += found.runs;
            fused.voxels += found.voxels;
            counting += start.elapsed();
        }
        counts.push(rules.step(world));
    }
    let changed = rules.take_changes().into_par_iter();
    let change = |(pos, after)| ChunkChange::new(pos, world.chunk(pos)?.clone(), after);
    let changes = changed.filter_map(change).collect();
    let took = start.elapsed() - counting;
    let awake = Some(rules.awake_blocks());
    RulesResult { revision: 0, changes, fused, counts, active: rules.active_blocks(), awake, took }
}
