//! Second stage of the compiler: makes phases from rule texts and from the kinds that they
//! distinguish.

use super::block_set::Span;
use super::chance::Chance;
use super::change::{ChangeRule, Condition, CountedNeighbours};
use super::kinds::{RuleKindSet, RuleKinds};
use super::liquid::{Axis, Flow};
use super::phase::{Action, Phase, Schedule, Sight};
use super::powder::Sinking;
use super::product::{Product, WaterOfProduct};
use super::rule_file::{ConditionText, EffectText, NeighboursText};
use super::signal::{self, Part, Signal};
use super::support::Support;
use super::weather::{Effect, Weather};
use crate::voxel::{MaterialId, Voxel};
use glam::IVec3;

/// The compiled kinds, and an iterator over the sets in the order in which they were collected.
pub(super) struct CompiledSets<'a> {
    pub kinds: &'a RuleKinds,
    pub sets: std::vec::IntoIter<RuleKindSet>,
}

pub(super) fn schedule(every: u32, turns: u64, turn: u64) -> Schedule {
    Schedule { every: every.into(), turns, turn }
}

/// Upward sight of changes with a `ClearAbove` condition; `None` if no change has one.
pub(super) fn sky_sight(changes: &[ChangeRule]) -> Option<Sight> {
    let mut sight = Sight {
        span: Span { down: 0, up: 0, sideways: false },
        classes: Vec::new(),
        affects: RuleKindSet::default(),
    };
    for change in changes {
        for condition in &change.conditions {
            if let Condition::Clear { kinds, height, .. } = condition {
                sight.span.up = sight.span.up.max(*height);
                sight.classes.push(*kinds);
                sight.affects = sight.affects.union(change.kinds);
            }
        }
    }
    (sight.span.up > 0).then_some(sight)
}

impl CompiledSets<'_> {
    fn next(&mut self) -> RuleKindSet {
        self.sets.next().expect("sets are taken in the order in which they were collected")
    }

    pub fn powder(&mut self, rule: usize, every: u32, slides: bool) -> Vec<Phase> {
        let set = self.next();
        let brings = set.union(self.kinds.fluids()).union(self.kinds.water());
        let phase = |along: IVec3, parity: i32, turns: u64, turn: u64| Phase {
            schedule: schedule(every, turns, turn),
            action: Action::Sink(Sinking { rule, powder: self.kinds.test(set), parity, along }),
            affects: set,
            brings,
            sight: None,
        };
        let mut phases = vec![phase(IVec3::NEG_Y, 0, 1, 0), phase(IVec3::NEG_Y, 1, 1, 0)];
        let sides = [IVec3::X, IVec3::NEG_Z, IVec3::NEG_X, IVec3::Z];
        for (side, turn) in sides.into_iter().zip(0..).filter(|_| slides) {
            let down = side + IVec3::NEG_Y;
            phases.extend([0, 1].map(|parity| phase(down, parity, 4, turn)));
        }
        phases
    }

    pub fn liquid(
        &mut self,
        rule: usize,
        material: MaterialId,
        least_depth: u32,
        every: u32,
    ) -> Vec<Phase> {
        let set = self.next();
        let [code, air] = [Voxel::full(material), Voxel::AIR].map(|voxel| self.kinds.code(voxel));
        let is_water = set == self.kinds.water();
        let solids = is_water.then(|| self.kinds.test(self.kinds.taking_water()));
        let flow = Flow { rule, liquid: self.kinds.test(set), code, air, least_depth, solids };
        let brings = set.union(self.kinds.set_of(Voxel::AIR));
        let phase = |turns: u64, turn: u64, action: Action| Phase {
            schedule: schedule(every, turns, turn),
            action,
            affects: set,
            brings,
            sight: None,
        };
        let mut phases: Vec<Phase> =
            [0, 1].map(|parity| phase(1, 0, Action::Fall(flow.clone(), parity))).into();
        for (axis, turn) in [Axis::X, Axis::Z].into_iter().zip(0..) {
            phases.extend(
                [0, 1].map(|parity| phase(2, turn, Action::Spread(flow.clone(), axis, parity))),
            );
        }
        phases
    }

    pub fn change(
        &mut self,
        rule: usize,
        when: &[ConditionText],
        chance: Option<Chance>,
        product: MaterialId,
    ) -> ChangeRule {
        let kinds = self.next();
        let conditions = when.iter().map(|condition| self.condition(condition)).collect();
        ChangeRule {
            rule,
            of: self.kinds.test(kinds),
            kinds,
            conditions,
            chance,
            becomes: self.product(product),
        }
    }

    fn product(&self, material: MaterialId) -> Product {
        let voxel = Voxel::full(material);
        let kind = self.kinds.set_of(voxel);
        let known = self.kinds.water();
        let water = if known != RuleKindSet::default() && (voxel.is_air() || kind == known) {
            WaterOfProduct::Remains { code: self.kinds.code_of(known), kind: known }
        } else if self.kinds.taking_water().holds(kind) {
            WaterOfProduct::Stays
        } else {
            WaterOfProduct::Forbids
        };
        Product { code: self.kinds.code(voxel), is_air: voxel.is_air(), kind, water }
    }

    pub fn signal(
        &mut self,
        rule: usize,
        parts: &[(&String, Part)],
        [off, step, reach]: [u32; 3],
        every: u32,
    ) -> Phase {
        let wire = self.next();
        let states: Vec<(RuleKindSet, Part)> =
            parts.iter().map(|&(_, part)| (self.next(), part)).collect();
        let code = |set: RuleKindSet| self.kinds.code_of(set);
        let mut parts = vec![Part::Nothing; 1 << self.kinds.planes()];
        parts[usize::from(code(wire))] = Part::Wire;
        let mut affects = wire;
        let mut tall = RuleKindSet::default();
        for (number, &(set, part)) in states.iter().enumerate() {
            // States come in pairs, off before on.
            let other = code(states[number ^ 1].0);
            let part = match part {
                Part::Inverter { is_on, .. } => Part::Inverter { is_on, other },
                Part::Switch { is_on, is_tall, .. } => Part::Switch { is_on, other, is_tall },
                part => part,
            };
            if !matches!(part, Part::Source(_)) {
                affects = affects.union(set);
            }
            if matches!(part, Part::Switch { is_tall: true, .. }) {
                tall = tall.union(set);
            }
            parts[usize::from(code(set))] = part;
        }
        let changing = self.kinds.test(affects);
        // A half is also switched by the neighbours of its other half, two voxels away: a change
        // between any kinds of parts there matters.
        let classes = std::iter::once(wire).chain(states.iter().map(|&(set, _)| set)).collect();
        Phase {
            schedule: schedule(every, 1, 0),
            affects,
            brings: affects,
            sight: (tall != RuleKindSet::default()).then_some(Sight {
                span: signal::TALL_SPAN,
                classes,
                affects: tall,
            }),
            action: Action::Signal(Signal { rule, changing, parts, off, step, reach }),
        }
    }

    /// A rule of the weather without its conditions. `product` is the material that it brings.
    pub(crate) fn weather(
        &mut self,
        rule: usize,
        effect: &EffectText,
        every: u32,
        product: MaterialId,
    ) -> Weather {
        let of = self.next();
        let except = self.next();
        let of = RuleKindSet(of.0 & !except.0);
        let product = self.product(product);
        let (of, effect) = match effect {
            EffectText::Becomes(_) => (of, Effect::Becomes(product)),
            EffectText::Lays { amount, most, .. } => {
                (of, Effect::Lays { product, amount: amount.0, most: most.0 })
            }
            EffectText::Takes(amount) => (self.kinds.single(of), Effect::Takes(amount.0)),
        };
        Weather {
            rule,
            of,
            hours: None,
            temperatures: None,
            heights: i32::MIN..=i32::MAX,
            every: every.into(),
            effect,
        }
    }

    pub fn support(
        &mut self,
        rule: usize,
        within: i32,
        chance: Option<Chance>,
        every: u32,
        product: MaterialId,
    ) -> Phase {
        let of = self.next();
        // A voxel that needs a hold cannot be a hold.
        let by = RuleKindSet(self.next().0 & !of.0);
        let becomes = self.product(product);
        let span = Span { down: within, up: within, sideways: true };
        Phase {
            schedule: schedule(every, 1, 0),
            affects: of,
            brings: becomes.brings(),
            sight: Some(Sight { span, classes: vec![of, by], affects: of }),
            action: Action::Support(Support {
                rule,
                of: self.kinds.test(of),
                by: self.kinds.test(by),
                within,
                chance,
                becomes,
            }),
        }
    }

    /// The condition that the voxel `dy` above is, or is not, of a kind in the next set.
    fn vertical(&mut self, dy: i32, is_wanted: bool) -> Condition {
        let set = self.next();
        let set = if is_wanted { set } else { RuleKindSet(!set.0) };
        Condition::Vertical { dy, is: self.kinds.test(set), kinds: set }
    }

    fn condition(&mut self, text: &ConditionText) -> Condition {
        match text {
            ConditionText::Above(_) => self.vertical(1, true),
            ConditionText::NotAbove(_) => self.vertical(1, false),
            ConditionText::Below(_) => self.vertical(-1, true),
            ConditionText::NotBelow(_) => self.vertical(-1, false),
            ConditionText::ClearAbove { height, .. } => {
                let kinds = self.next();
                Condition::Clear { is: self.kinds.test(kinds), kinds, height: height.0 as i32 }
            }
            ConditionText::Near { among, at_least, at_most, .. } => {
                let kinds = self.next();
                let among = match among {
                    NeighboursText::Faces => CountedNeighbours::Faces,
                    NeighboursText::Sides => CountedNeighbours::Sides,
                    NeighboursText::All => CountedNeighbours::All,
                };
                Condition::Count {
                    among,
                    of: self.kinds.test(kinds),
                    kinds,
                    number: at_least.0..=at_most.0,
                }
            }
            ConditionText::Amount { at_least, at_most } => {
                Condition::Amount(at_least.0..=at_most.0)
            }
        }
    }
}
