//! Rules, compiled for the materials of a map.

use super::block_set::Span;
use super::chance::Chance;
use super::change::{Change, Condition, Neighbours, Product};
use super::error::{MOST_RULES, RuleError, RuleProblem};
use super::kinds::{Distinctions, KindSet, Kinds, MaterialSet, Motion};
use super::liquid::{Axis, Flow};
use super::phase::{Action, Phase, Schedule, Sight};
use super::powder::Sinking;
use super::rule_file::{self, ChanceText, ConditionText, NeighboursText, RuleText, StatesText};
use super::signal::{Part, Signal};
use super::support::Support;
use crate::voxel::{MaterialId, MaterialTable, Matter, Voxel};
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The rules of a map, ready to be applied.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// Names of the rules, in the order of the text.
    names: Vec<String>,
    pub(super) kinds: Kinds,
    /// The phases, in the order in which they take place.
    pub(super) phases: Vec<Phase>,
}

impl RuleSet {
    /// The game's own rules, `assets/rules.ron`, for the materials of a map.
    ///
    /// # Errors
    /// The map lacks one of the materials.
    pub fn builtin(materials: &MaterialTable) -> Result<RuleSet, RuleError> {
        RuleSet::parse(include_str!("../../assets/rules.ron"), "assets/rules.ron", materials)
    }

    /// Reads rules from RON text: `[Powder(materials: ["sand"]), ...]`. `file` is named in errors.
    ///
    /// # Errors
    /// The first defect, with its line and what was expected.
    pub fn parse(text: &str, file: &str, materials: &MaterialTable) -> Result<RuleSet, RuleError> {
        let rules = rule_file::parse(text, file)?;
        let mut compiler = Compiler { text, file, materials, sets: Vec::new(), products: Vec::new() };
        compiler.compile(&rules)
    }

    /// Names of the rules, in the order of the text.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

/// Reads one text.
struct Compiler<'a> {
    text: &'a str,
    file: &'a str,
    materials: &'a MaterialTable,
    /// All sets of materials, in the order in which the rules name them.
    sets: Vec<MaterialSet>,
    /// What rules put into the world.
    products: Vec<MaterialId>,
}

/// The compiled kinds; hands out the sets in the order in which they were collected.
struct CompiledSets<'a> {
    kinds: &'a Kinds,
    sets: std::vec::IntoIter<KindSet>,
}

impl Compiler<'_> {
    fn error(&self, name: &str, occurrence: usize, problem: RuleProblem) -> RuleError {
        RuleError { file: self.file.to_owned(), line: rule_file::line_of(self.text, name, occurrence), problem }
    }

    fn material(&self, name: &str) -> Result<MaterialId, RuleError> {
        let unknown = || self.error(name, 0, RuleProblem::UnknownMaterial(name.to_owned()));
        self.materials.find(name).ok_or_else(unknown)
    }

    /// Adds a set of materials.
    fn add_set(&mut self, names: &[String]) -> Result<(), RuleError> {
        let mut set = MaterialSet::default();
        for name in names {
            match name.as_str() {
                "#gas" => set.matters.push(Matter::Gas),
                "#liquid" => set.matters.push(Matter::Liquid),
                "#plant" => set.matters.push(Matter::Plant),
                "#solid" => set.matters.push(Matter::Solid),
                name => set.materials.push(self.material(name)?),
            }
        }
        self.sets.push(set);
        Ok(())
    }

    fn compile(&mut self, rules: &[RuleText]) -> Result<RuleSet, RuleError> {
        if rules.len() > MOST_RULES {
            let problem = RuleProblem::TooManyRules(rules.len());
            return Err(RuleError { file: self.file.to_owned(), line: 1, problem });
        }
        let motions = self.motions(rules)?;
        for rule in rules {
            self.collect(rule)?;
        }
        let from =
            Distinctions { materials: self.materials, motions: &motions, products: &self.products, sets: &self.sets };
        let Ok((kinds, sets)) = Kinds::new(&from) else {
            return Err(RuleError { file: self.file.to_owned(), line: 1, problem: RuleProblem::TooManyKinds });
        };
        let mut sets = CompiledSets { kinds: &kinds, sets: sets.into_iter() };
        let mut changes: BTreeMap<u32, Vec<Change>> = BTreeMap::new();
        let (mut supports, mut signals) = (Vec::new(), Vec::new());
        let (mut powders, mut liquids) = (Vec::new(), Vec::new());
        for (number, rule) in rules.iter().enumerate() {
            match rule {
                RuleText::Powder { every, slides, .. } => {
                    powders.extend(sets.powder(number, every.0, *slides));
                }
                RuleText::Liquid { material, least_depth, every, .. } => {
                    let material = self.material(material)?;
                    liquids.extend(sets.liquid(number, material, least_depth.0, every.0));
                }
                RuleText::Change { when, chance, every, becomes, .. } => {
                    let change = sets.change(number, when, chance_of(*chance), self.material(becomes)?);
                    changes.entry(every.0).or_default().push(change);
                }
                RuleText::Signal { off, step, reach, every, .. } => {
                    let levels = [off.0, step.0, reach.0];
                    signals.push(sets.signal(number, &parts(rule), levels, every.0));
                }
                RuleText::Support { within, chance, every, becomes, .. } => {
                    let becomes = self.material(becomes)?;
                    let chance = chance_of(*chance);
                    supports.push(sets.support(number, within.0 as i32, chance, every.0, becomes));
                }
            }
        }
        let changes = changes.into_iter().map(|(every, changes)| {
            let union = |set: fn(&Change) -> KindSet| changes.iter().map(set).fold(KindSet::default(), KindSet::union);
            Phase {
                schedule: schedule(every, 1, 0),
                affects: union(|change| change.kinds),
                brings: union(|change| change.becomes.kind),
                sight: sky_sight(&changes),
                action: Action::Change(changes),
            }
        });
        let phases = changes.chain(supports).chain(signals).chain(powders).chain(liquids).collect();
        Ok(RuleSet { names: rules.iter().map(name_of).collect(), kinds, phases })
    }

    /// How the materials move that rules move.
    fn motions(&self, rules: &[RuleText]) -> Result<FxHashMap<MaterialId, Motion>, RuleError> {
        let mut motions = FxHashMap::default();
        for rule in rules {
            let (names, motion) = match rule {
                RuleText::Powder { materials, .. } => (&materials.0[..], Motion::Powder),
                RuleText::Liquid { material, .. } => (std::slice::from_ref(material), Motion::Liquid),
                RuleText::Change { .. } | RuleText::Support { .. } | RuleText::Signal { .. } => continue,
            };
            for name in names {
                let id = self.material(name)?;
                if id == Voxel::AIR.material() {
                    return Err(self.error(name, 0, RuleProblem::MovesAir));
                }
                if motions.insert(id, motion).is_some() {
                    return Err(self.error(name, 1, RuleProblem::MovedTwice(name.clone())));
                }
            }
        }
        Ok(motions)
    }

    /// Collects the sets and products of a rule.
    fn collect(&mut self, rule: &RuleText) -> Result<(), RuleError> {
        let name = name_of(rule);
        match rule {
            RuleText::Powder { materials, .. } => self.add_set(&materials.0),
            RuleText::Liquid { material, .. } => self.add_set(std::slice::from_ref(material)),
            RuleText::Change { of, when, becomes, .. } => {
                self.add_set(&of.0)?;
                for condition in when {
                    let range = match condition {
                        ConditionText::Above(set)
                        | ConditionText::NotAbove(set)
                        | ConditionText::Below(set)
                        | ConditionText::NotBelow(set)
                        | ConditionText::ClearAbove { of: set, .. } => {
                            self.add_set(&set.0)?;
                            continue;
                        }
                        ConditionText::Near { of, at_least, at_most, .. } => {
                            self.add_set(&of.0)?;
                            (at_least.0, at_most.0)
                        }
                        ConditionText::Amount { at_least, at_most } => (at_least.0, at_most.0),
                    };
                    if range.0 > range.1 {
                        return Err(self.error(&name, 0, RuleProblem::EmptyRange(name.clone())));
                    }
                }
                let product = self.material(becomes)?;
                self.products.push(product);
                Ok(())
            }
            RuleText::Signal { wire, off, step, reach, .. } => {
                if off.0 + step.0 * reach.0 > 256 {
                    return Err(self.error(&name, 0, RuleProblem::TooMuchWire(name.clone())));
                }
                // Every part is a kind of its own.
                for part in std::iter::once(wire).chain(parts(rule).into_iter().map(|(name, _)| name)) {
                    let material = self.material(part)?;
                    self.products.push(material);
                    self.add_set(std::slice::from_ref(part))?;
                }
                Ok(())
            }
            RuleText::Support { of, by, becomes, .. } => {
                self.add_set(&of.0)?;
                self.add_set(&by.0)?;
                let product = self.material(becomes)?;
                self.products.push(product);
                Ok(())
            }
        }
    }
}

/// Names of the states of what wires connect, off and on in turn, with what each is. Codes of other
/// states are set later. Empty for rules other than signals.
fn parts<'a>(rule: &'a RuleText) -> Vec<(&'a String, Part)> {
    let RuleText::Signal { sources, inverters, switches, .. } = rule else { return Vec::new() };
    let mut parts = Vec::new();
    let mut add = |list: &'a [StatesText], part: fn(bool) -> Part| {
        for (off, on) in list {
            parts.extend([(off, part(false)), (on, part(true))]);
        }
    };
    add(sources, Part::Source);
    add(inverters, |is_on| Part::Inverter { is_on, other: 0 });
    add(switches, |is_on| Part::Switch { is_on, other: 0 });
    parts
}

/// The chance of a rule; `None` if it always acts.
fn chance_of(text: ChanceText) -> Option<Chance> {
    (text.0 < text.1).then(|| Chance::new(text.0, text.1))
}

/// How far changes see above; `None` if no further than to the next voxel.
fn sky_sight(changes: &[Change]) -> Option<Sight> {
    let height = |condition: &Condition| match condition {
        Condition::Clear { height, .. } => Some(*height),
        _ => None,
    };
    let high = changes.iter().filter_map(|change| Some((change, change.conditions.iter().filter_map(height).max()?)));
    high.fold(None, |sight: Option<Sight>, (change, height)| {
        let up = sight.map_or(0, |sight| sight.span.up).max(height);
        let affects = sight.map_or(KindSet::default(), |sight| sight.affects).union(change.kinds);
        Some(Sight { span: Span { down: 0, up, sideways: false }, of: KindSet::ALL, affects })
    })
}

/// Name of a rule: the one given, or its materials.
fn name_of(rule: &RuleText) -> String {
    match rule {
        RuleText::Powder { name, materials, .. } if name.is_empty() => materials.0.join(", "),
        RuleText::Liquid { name, material, .. } if name.is_empty() => material.clone(),
        RuleText::Powder { name, .. }
        | RuleText::Liquid { name, .. }
        | RuleText::Change { name, .. }
        | RuleText::Support { name, .. }
        | RuleText::Signal { name, .. } => name.clone(),
    }
}

fn schedule(every: u32, turns: u64, turn: u64) -> Schedule {
    Schedule { every: every.into(), turns, turn }
}

impl CompiledSets<'_> {
    fn next(&mut self) -> KindSet {
        self.sets.next().expect("sets are taken in the order in which they were collected")
    }

    fn powder(&mut self, rule: usize, every: u32, slides: bool) -> Vec<Phase> {
        let set = self.next();
        let brings = set.union(self.kinds.fluids());
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

    fn liquid(&mut self, rule: usize, material: MaterialId, least_depth: u32, every: u32) -> Vec<Phase> {
        let set = self.next();
        let [code, air] = [Voxel::full(material), Voxel::AIR].map(|voxel| self.kinds.code(voxel));
        let flow = Flow { rule, liquid: self.kinds.test(set), code, air, least_depth };
        let brings = set.union(self.kinds.set_of(Voxel::AIR));
        let phase = |turns: u64, turn: u64, action: Action| Phase {
            schedule: schedule(every, turns, turn),
            action,
            affects: set,
            brings,
            sight: None,
        };
        let mut phases: Vec<Phase> = [0, 1].map(|parity| phase(1, 0, Action::Fall(flow.clone(), parity))).into();
        for (axis, turn) in [Axis::X, Axis::Z].into_iter().zip(0..) {
            phases.extend([0, 1].map(|parity| phase(2, turn, Action::Spread(flow.clone(), axis, parity))));
        }
        phases
    }

    fn change(&mut self, rule: usize, when: &[ConditionText], chance: Option<Chance>, product: MaterialId) -> Change {
        let kinds = self.next();
        let conditions = when.iter().map(|condition| self.condition(condition)).collect();
        Change { rule, of: self.kinds.test(kinds), kinds, conditions, chance, becomes: self.product(product) }
    }

    fn product(&self, material: MaterialId) -> Product {
        let voxel = Voxel::full(material);
        Product { code: self.kinds.code(voxel), is_air: voxel.is_air(), kind: self.kinds.set_of(voxel) }
    }

    fn signal(&mut self, rule: usize, parts: &[(&String, Part)], [off, step, reach]: [u32; 3], every: u32) -> Phase {
        let wire = self.next();
        let states: Vec<(KindSet, Part)> = parts.iter().map(|&(_, part)| (self.next(), part)).collect();
        let code = |set: KindSet| self.kinds.code_of(set);
        let mut parts = vec![Part::Nothing; 1 << self.kinds.planes()];
        parts[usize::from(code(wire))] = Part::Wire;
        let mut affects = wire;
        for (number, &(set, part)) in states.iter().enumerate() {
            // Off and on follow each other.
            let other = code(states[number ^ 1].0);
            let part = match part {
                Part::Inverter { is_on, .. } => Part::Inverter { is_on, other },
                Part::Switch { is_on, .. } => Part::Switch { is_on, other },
                part => part,
            };
            if !matches!(part, Part::Source(_)) {
                affects = affects.union(set);
            }
            parts[usize::from(code(set))] = part;
        }
        let changing = self.kinds.test(affects);
        Phase {
            schedule: schedule(every, 1, 0),
            affects,
            brings: affects,
            sight: None,
            action: Action::Signal(Signal { rule, changing, parts, off, step, reach }),
        }
    }

    fn support(&mut self, rule: usize, within: i32, chance: Option<Chance>, every: u32, product: MaterialId) -> Phase {
        let of = self.next();
        // What needs a hold holds nothing.
        let by = KindSet(self.next().0 & !of.0);
        let becomes = self.product(product);
        let span = Span { down: within, up: within, sideways: true };
        Phase {
            schedule: schedule(every, 1, 0),
            affects: of,
            brings: becomes.kind,
            sight: Some(Sight { span, of: of.union(by), affects: of }),
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

    fn condition(&mut self, text: &ConditionText) -> Condition {
        let mut vertical = |dy: i32, is_wanted: bool| {
            let set = self.next();
            let set = if is_wanted { set } else { KindSet(!set.0) };
            Condition::Vertical { dy, is: self.kinds.test(set), kinds: set }
        };
        match text {
            ConditionText::Above(_) => vertical(1, true),
            ConditionText::NotAbove(_) => vertical(1, false),
            ConditionText::Below(_) => vertical(-1, true),
            ConditionText::NotBelow(_) => vertical(-1, false),
            ConditionText::ClearAbove { height, .. } => {
                let kinds = self.next();
                Condition::Clear { is: self.kinds.test(kinds), height: height.0 as i32 }
            }
            ConditionText::Near { among, at_least, at_most, .. } => {
                let kinds = self.next();
                let among = match among {
                    NeighboursText::Faces => Neighbours::Faces,
                    NeighboursText::Sides => Neighbours::Sides,
                    NeighboursText::All => Neighbours::All,
                };
                Condition::Count { among, of: self.kinds.test(kinds), kinds, number: at_least.0..=at_most.0 }
            }
            ConditionText::Amount { at_least, at_most } => Condition::Amount(at_least.0..=at_most.0),
        }
    }
}
