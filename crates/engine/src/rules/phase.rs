//! Phases, the parts of a step. Each reads the state before it and writes the state after it.
//!
//! A phase either changes each voxel according to the voxels around it, or exchanges matter in
//! pairs of voxels. The pairs of a phase are disjoint (a Margolus partition), so matter is
//! conserved.

use super::active_chunk::ActiveChunk;
use super::block_set::{BlockSet, Span, blocks};
use super::chance;
use super::change::{self, ChangeRule};
use super::kinds::{RuleKindSet, RuleKinds};
use super::liquid::{Axis, Flow};
use super::patch::PhasePatch;
use super::powder::Sinking;
use super::signal::Signal;
use super::support::Support;
use super::view::{PlaneView, kinds_around};

/// The steps in which a phase is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    /// Number of steps per round. The rule acts once in each round.
    pub every: u64,
    /// Number of phases that take turns, one per round.
    pub turns: u64,
    /// Turn of the phase.
    pub turn: u64,
}

impl Schedule {
    /// True if the phase is part of a step.
    pub fn is_due(self, step: u64) -> bool {
        step.is_multiple_of(self.every) && step / self.every % self.turns == self.turn
    }
}

/// Effect of a phase on voxels.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Voxels change according to the voxels around them.
    Change(Vec<ChangeRule>),
    /// Voxels without a hold change.
    Support(Support),
    /// Signals pass along wires.
    Signal(Signal),
    /// Powder sinks.
    Sink(Sinking),
    /// A liquid falls. The number is the parity of y of the upper voxels.
    Fall(Flow, i32),
    /// A liquid spreads. The number is the parity of the first voxels along the axis.
    Spread(Flow, Axis, i32),
}

/// A part of a step.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    /// Steps in which the phase acts.
    pub schedule: Schedule,
    /// Effect of the phase on the voxels.
    pub action: Action,
    /// Kinds that the phase moves or changes.
    pub affects: RuleKindSet,
    /// Kinds that the phase may bring into a chunk.
    pub brings: RuleKindSet,
    /// Sight beyond the Moore neighbourhood of a voxel; `None` if the phase sees no further.
    pub sight: Option<Sight>,
}

/// Sight of a phase beyond the Moore neighbourhood of a voxel.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    /// Distance that the phase sees.
    pub span: Span,
    /// Sets of kinds that the phase tells apart: only a change into or out of one of them matters.
    pub classes: Vec<RuleKindSet>,
    /// Kinds that the phase affects: chunks without them are not woken.
    pub affects: RuleKindSet,
}

/// Seed and step, from which chance is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    /// Seed of the world's rules.
    pub seed: u64,
    /// Number of the step.
    pub step: u64,
}

impl Sight {
    /// True if any of the changes matters to the phase. `causes` are the kinds before and after
    /// each change.
    pub fn notices(&self, causes: &[RuleKindSet]) -> bool {
        let crosses = |cause: &RuleKindSet| {
            self.classes.iter().any(|class| class.meets(*cause) && !class.holds(*cause))
        };
        causes.iter().any(crosses)
    }
}

impl Phase {
    /// False if the phase cannot change a voxel of a chunk that holds `kinds` and has `around` in
    /// its Moore neighbourhood.
    fn may_act(&self, kinds: RuleKindSet, around: RuleKindSet) -> bool {
        match &self.action {
            Action::Change(changes) => changes.iter().any(|change| change.may_act(kinds, around)),
            Action::Support(_) | Action::Signal(_) => self.affects.meets(kinds),
            _ => self.affects.meets(around),
        }
    }

    /// Computes the changes of the phase in some blocks of a chunk.
    pub(crate) fn evaluate(
        &self,
        chunks: &[ActiveChunk],
        chunk: &ActiveChunk,
        kinds: &RuleKinds,
        set: BlockSet,
        draws: Draws,
    ) -> PhasePatch {
        let mut patch = PhasePatch::new(kinds.planes());
        if !matches!(self.action, Action::Change(_)) {
            patch.causes.push(self.affects.union(self.brings));
        }
        let around = kinds_around(chunks, chunk);
        if !self.may_act(chunk.kinds, around) {
            return patch;
        }
        let view = PlaneView::new(chunks, chunk, kinds);
        let draws = |rule: usize| chance::draws(draws.seed, draws.step, rule);
        let mut set = set;
        let mut active = Vec::new();
        match &self.action {
            Action::Change(changes) => {
                active.extend(changes.iter().filter(|change| change.may_act(chunk.kinds, around)));
                set &= active.iter().fold(0, |all, change| all | change.candidates(&view));
            }
            Action::Support(support) => {
                support.apply(&view, set, draws(support.rule), &mut patch);
                return patch;
            }
            Action::Signal(signal) => {
                signal.apply(&view, set, &mut patch);
                return patch;
            }
            Action::Sink(sinking) => {
                sinking.exchange(&view, set & sinking.candidates(&view), &mut patch);
                return patch;
            }
            Action::Fall(flow, parity) => set &= flow.falling(&view, *parity),
            Action::Spread(flow, axis, parity) => {
                let [spreading, near_solids] = flow.spreading(&view, *axis);
                for block in blocks(set & spreading & !near_solids) {
                    flow.spread::<false>(&view, block, *axis, *parity, &mut patch);
                }
                for block in blocks(set & near_solids) {
                    flow.spread::<true>(&view, block, *axis, *parity, &mut patch);
                }
                return patch;
            }
        }
        for block in blocks(set) {
            match &self.action {
                Action::Change(_) => change::apply(&active, &view, block, draws, &mut patch),
                Action::Fall(flow, parity) => flow.fall(&view, block, *parity, &mut patch),
                Action::Support(_) | Action::Signal(_) | Action::Sink(_) | Action::Spread(..) => {}
            }
        }
        patch
    }
}
