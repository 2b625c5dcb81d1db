//! Phases: the parts of a step. Each reads the state before it and writes the state after it.
//!
//! A phase either changes each voxel by the voxels around it, or exchanges matter in pairs of voxels.
//! The pairs of a phase are disjoint (a Margolus partition), so matter is conserved.

use super::active_chunk::ActiveChunk;
use super::block_set::{BlockSet, Span, blocks};
use super::chance;
use super::change::{self, Change};
use super::kinds::{KindSet, Kinds};
use super::liquid::{Axis, Flow};
use super::patch::Patch;
use super::powder::Sinking;
use super::signal::Signal;
use super::support::Support;
use super::view::{PlaneView, kinds_around};

/// When a phase is due.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    /// The rule acts in one of this many steps: a round.
    pub every: u64,
    /// The phase takes its turn among this many.
    pub turns: u64,
    /// Its turn.
    pub turn: u64,
}

impl Schedule {
    /// True if the phase is part of a step.
    pub fn is_due(self, step: u64) -> bool {
        step.is_multiple_of(self.every) && step / self.every % self.turns == self.turn
    }
}

/// What a phase does.
#[derive(Clone, Debug)]
pub(super) enum Action {
    /// Voxels change because of those around them.
    Change(Vec<Change>),
    /// Voxels without a hold change.
    Support(Support),
    /// Signals pass along wires.
    Signal(Signal),
    /// Powder sinks.
    Sink(Sinking),
    /// A liquid falls. With the parity of y of the upper voxels.
    Fall(Flow, i32),
    /// A liquid spreads. With the parity of the first voxels along the axis.
    Spread(Flow, Axis, i32),
}

/// A part of a step.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    /// When it is due.
    pub schedule: Schedule,
    /// What it does.
    pub action: Action,
    /// Kinds that it moves or changes.
    pub affects: KindSet,
    /// Kinds that it may bring into a chunk.
    pub brings: KindSet,
    /// What it sees beyond the Moore neighbourhood of a voxel; `None` if that is all.
    pub sight: Option<Sight>,
}

/// What a phase sees beyond the Moore neighbourhood of a voxel.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    /// How far.
    pub span: Span,
    /// Only changes matter that move a voxel into one of these sets or out of it.
    pub classes: Vec<KindSet>,
    /// Only chunks with these kinds are affected.
    pub affects: KindSet,
}

/// The hash that chance draws from: seed and number of the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    /// Seed of the world's rules.
    pub seed: u64,
    /// Number of the step.
    pub step: u64,
}

impl Sight {
    /// True if changes matter, given the kinds from and to which each leads.
    pub fn notices(&self, causes: &[KindSet]) -> bool {
        let crosses = |cause: &KindSet| self.classes.iter().any(|class| class.meets(*cause) && !class.holds(*cause));
        causes.iter().any(crosses)
    }
}

impl Phase {
    /// False if the phase cannot change a voxel of a chunk with these kinds, and these in its Moore
    /// neighbourhood.
    fn may_act(&self, kinds: KindSet, around: KindSet) -> bool {
        match &self.action {
            Action::Change(changes) => changes.iter().any(|change| change.may_act(kinds, around)),
            Action::Support(_) | Action::Signal(_) => self.affects.meets(kinds),
            _ => self.affects.meets(around),
        }
    }

    /// What the phase changes in some blocks of a chunk.
    pub fn evaluate(
        &self,
        chunks: &[ActiveChunk],
        chunk: &ActiveChunk,
        kinds: &Kinds,
        set: BlockSet,
        draws: Draws,
    ) -> Patch {
        let mut patch = Patch::new(kinds.planes());
        if !matches!(self.action, Action::Change(_)) {
            patch.causes.push(self.affects.union(self.brings));
        }
        let around = kinds_around(chunks, chunk);
        if !self.may_act(chunk.kinds, around) {
            return patch;
        }
        let view = PlaneView::new(chunks, chunk, kinds);
        let draws = |rule: usize| chance::draws(draws.seed, draws.step, rule);
        let (mut set, mut active) = (set, Vec::new());
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
            Action::Spread(flow, axis, _) => set &= flow.spreading(&view, *axis),
        }
        for block in blocks(set) {
            match &self.action {
                Action::Change(_) => change::apply(&active, &view, block, draws, &mut patch),
                Action::Support(_) | Action::Signal(_) | Action::Sink(_) => {}
                Action::Fall(flow, parity) => flow.fall(&view, block, *parity, &mut patch),
                Action::Spread(flow, axis, parity) => flow.spread(&view, block, *axis, *parity, &mut patch),
            }
        }
        patch
    }
}
