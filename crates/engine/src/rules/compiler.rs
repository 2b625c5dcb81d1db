//! Compiler of rules from one or several texts, checked against the materials of a map.

use super::chance::Chance;
use super::change::ChangeRule;
use super::compiled_sets::{CompiledSets, schedule, sky_sight};
use super::error::{MAX_RULES, MAX_TEXT_BYTES, RuleError, RuleProblem};
use super::kinds::{Distinctions, MaterialSet, Motion, RuleKindSet, RuleKinds};
use super::phase::{Action, Phase};
use super::rule_file::{self, ChanceText, ConditionText, EffectText, RuleText, StatesText};
use super::rule_set::{RuleSet, RuleSource};
use super::signal::Part;
use super::weather::Weather;
use crate::ron_text::{self, RonString, TextPlace};
use crate::voxel::{MaterialId, MaterialTable, Matter, Voxel};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Place of a rule in the texts.
#[derive(Clone, Copy, Default)]
struct RulePlace {
    /// Number of the text.
    source: usize,
    /// Number of the rule in its text.
    item: usize,
}

/// Compiles texts to a rule set.
pub(super) struct Compiler<'a> {
    sources: &'a [RuleSource<'a>],
    /// The rule being read, for errors.
    at: RulePlace,
    materials: &'a MaterialTable,
    /// All sets of materials, in the order in which the rules name them.
    sets: Vec<MaterialSet>,
    /// Materials that rules put into the world.
    products: Vec<MaterialId>,
    /// Wires, whose amounts signals change.
    wires: Vec<MaterialId>,
}

impl<'a> Compiler<'a> {
    /// Creates a compiler of texts. There must be at least one.
    pub fn new(sources: &'a [RuleSource<'a>], materials: &'a MaterialTable) -> Compiler<'a> {
        Compiler {
            sources,
            at: RulePlace::default(),
            materials,
            sets: Vec::new(),
            products: Vec::new(),
            wires: Vec::new(),
        }
    }

    /// Error in the rule being read, at a string of the rule for which `is_wrong` returns true;
    /// `occurrence` counts these strings from 0.
    fn error_at(
        &self,
        is_wrong: impl Fn(&RonString<'_>) -> bool,
        occurrence: usize,
        problem: RuleProblem,
    ) -> RuleError {
        let RuleSource { file, text } = self.sources[self.at.source];
        let mut found = ron_text::strings(text)
            .filter(|string| string.item == self.at.item && is_wrong(string));
        let place = found.nth(occurrence).map_or(TextPlace::START, |string| string.place);
        RuleError { file: file.to_owned(), place, problem }
    }

    /// Error at a name in the rule being read that is not the rule's own.
    fn error(&self, name: &str, occurrence: usize, problem: RuleProblem) -> RuleError {
        let is_wrong = |string: &RonString<'_>| string.field != "name" && string.content == name;
        self.error_at(is_wrong, occurrence, problem)
    }

    /// Error at the name of the rule being read.
    fn error_of_rule(&self, problem: RuleProblem) -> RuleError {
        self.error_at(|string| string.field == "name", 0, problem)
    }

    fn material(&self, name: &str) -> Result<MaterialId, RuleError> {
        self.find(name, RuleProblem::UnknownMaterial)
    }

    /// Finds a material by its name. `problem` makes the error for an unknown name.
    fn find(
        &self,
        name: &str,
        problem: fn(String) -> RuleProblem,
    ) -> Result<MaterialId, RuleError> {
        self.materials.find(name).ok_or_else(|| self.error(name, 0, problem(name.to_owned())))
    }

    /// Adds the set of the materials that a list names.
    fn add_set(&mut self, names: &[String]) -> Result<(), RuleError> {
        let mut set = MaterialSet::default();
        for name in names {
            match name.as_str() {
                "#gas" => set.matters.push(Matter::Gas),
                "#liquid" => set.matters.push(Matter::Liquid),
                "#plant" => set.matters.push(Matter::Plant),
                "#solid" => set.matters.push(Matter::Solid),
                "#thin" => {
                    let thin = self.materials.iter().filter(|(_, material)| material.is_thin());
                    set.materials.extend(thin.map(|(id, _)| id));
                }
                name => {
                    let found = self.find(name, RuleProblem::UnknownInList)?;
                    set.materials.extend(self.materials.with_states(found));
                }
            }
        }
        self.sets.push(set);
        Ok(())
    }

    /// Error that concerns all texts together, located in the last one.
    fn error_of_all(&self, problem: RuleProblem) -> RuleError {
        let file = self.sources.last().map_or("", |source| source.file);
        RuleError { file: file.to_owned(), place: TextPlace::START, problem }
    }

    /// The rules of all texts, each with its place. A rule replaces the rules of the same name in
    /// earlier texts, and takes the position of the first of them.
    fn merged(&mut self) -> Result<Vec<(RulePlace, RuleText)>, RuleError> {
        let mut rules: Vec<(RulePlace, RuleText)> = Vec::new();
        for (source, RuleSource { file, text }) in self.sources.iter().enumerate() {
            if text.len() > MAX_TEXT_BYTES {
                let problem = RuleProblem::TooLong(text.len());
                return Err(RuleError {
                    file: (*file).to_owned(),
                    place: TextPlace::START,
                    problem,
                });
            }
            for (item, rule) in rule_file::parse(text, file)?.into_iter().enumerate() {
                self.at = RulePlace { source, item };
                let name = name_of(&rule);
                if let RuleText::Remove(_) = rule {
                    let before = rules.len();
                    rules.retain(|(_, other)| name_of(other) != name);
                    if rules.len() == before {
                        return Err(self.error(&name, 0, RuleProblem::UnknownRule(name.clone())));
                    }
                    continue;
                }
                let is_earlier = |(place, other): &(RulePlace, RuleText)| {
                    place.source < source && name_of(other) == name
                };
                match rules.iter().position(is_earlier) {
                    Some(first) => {
                        rules[first] = (self.at, rule);
                        rules.retain(|other| !is_earlier(other));
                    }
                    None => rules.push((self.at, rule)),
                }
            }
        }
        Ok(rules)
    }

    /// Compiles all texts.
    ///
    /// # Errors
    /// The first defect.
    pub(crate) fn compile(mut self) -> Result<RuleSet, RuleError> {
        let rules = self.merged()?;
        if rules.len() > MAX_RULES {
            return Err(self.error_of_all(RuleProblem::TooManyRules(rules.len())));
        }
        let motions = self.motions(&rules)?;
        for (place, rule) in &rules {
            self.at = *place;
            self.collect(rule)?;
        }
        let from = Distinctions {
            materials: self.materials,
            motions: &motions,
            products: &self.products,
            dry: &self.wires,
            sets: &self.sets,
        };
        let Ok((kinds, sets)) = RuleKinds::new(&from) else {
            return Err(self.error_of_all(RuleProblem::TooManyKinds));
        };
        let mut sets = CompiledSets { kinds: &kinds, sets: sets.into_iter() };
        let mut changes: BTreeMap<u32, Vec<ChangeRule>> = BTreeMap::new();
        let mut supports = Vec::new();
        let mut signals = Vec::new();
        let mut powders = Vec::new();
        let mut liquids = Vec::new();
        let mut weather = Vec::new();
        for (number, (place, rule)) in rules.iter().enumerate() {
            self.at = *place;
            match rule {
                RuleText::Remove(_) => {}
                RuleText::Weather { hours, temperature, height, every, effect, .. } => {
                    let product = match effect {
                        EffectText::Becomes(name) | EffectText::Lays { material: name, .. } => {
                            self.material(name)?
                        }
                        EffectText::Takes(_) => Voxel::AIR.material(),
                    };
                    weather.push(Weather {
                        hours: hours.map(|hours| [hours.0, hours.1]),
                        temperatures: temperature.map(|range| range.0..=range.1),
                        heights: height.map_or(i32::MIN..=i32::MAX, |(low, high)| low..=high),
                        ..sets.weather(number, effect, every.0, product)
                    });
                }
                RuleText::Powder { every, slides, .. } => {
                    powders.extend(sets.powder(number, every.0, *slides));
                }
                RuleText::Liquid { material, least_depth, every, .. } => {
                    let material = self.material(material)?;
                    liquids.extend(sets.liquid(number, material, least_depth.0, every.0));
                }
                RuleText::Change { when, chance, every, becomes, .. } => {
                    let change =
                        sets.change(number, when, chance_of(*chance), self.material(becomes)?);
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
            let union = |set: fn(&ChangeRule) -> RuleKindSet| {
                changes.iter().map(set).fold(RuleKindSet::default(), RuleKindSet::union)
            };
            Phase {
                schedule: schedule(every, 1, 0),
                affects: union(|change| change.kinds),
                brings: union(|change| change.becomes.brings()),
                sight: sky_sight(&changes),
                action: Action::Change(changes),
            }
        });
        let phases = changes.chain(supports).chain(signals).chain(powders).chain(liquids).collect();
        Ok(RuleSet {
            names: rules.iter().map(|(_, rule)| name_of(rule)).collect(),
            kinds,
            phases,
            weather,
        })
    }

    /// Motions of the materials that rules move.
    fn motions(
        &mut self,
        rules: &[(RulePlace, RuleText)],
    ) -> Result<FxHashMap<MaterialId, Motion>, RuleError> {
        let mut motions = FxHashMap::default();
        for (place, rule) in rules {
            self.at = *place;
            let (names, motion) = match rule {
                RuleText::Powder { materials, .. } => (&materials.0[..], Motion::Powder),
                RuleText::Liquid { material, .. } => {
                    (std::slice::from_ref(material), Motion::Liquid)
                }
                _ => continue,
            };
            for (number, name) in names.iter().enumerate() {
                let id = self.material(name)?;
                if id == Voxel::AIR.material() {
                    return Err(self.error(name, 0, RuleProblem::MovesAir));
                }
                if motions.insert(id, motion).is_some() {
                    let earlier = names[..number].iter().filter(|other| *other == name).count();
                    let problem = RuleProblem::MovedTwice(name.clone());
                    return Err(self.error(name, earlier, problem));
                }
            }
        }
        Ok(motions)
    }

    /// Collects the sets and products of a rule.
    fn collect(&mut self, rule: &RuleText) -> Result<(), RuleError> {
        let name = name_of(rule);
        match rule {
            RuleText::Remove(_) => Ok(()),
            RuleText::Weather { of, except, effect, height, .. } => {
                if height.is_some_and(|(low, high)| low > high) {
                    return Err(self.error_of_rule(RuleProblem::EmptyRange(name)));
                }
                self.add_set(&of.0)?;
                self.add_set(except)?;
                match effect {
                    EffectText::Becomes(name) | EffectText::Lays { material: name, .. } => {
                        let product = self.material(name)?;
                        if product == Voxel::AIR.material()
                            && matches!(effect, EffectText::Lays { .. })
                        {
                            return Err(self.error(name, 0, RuleProblem::LaysAir));
                        }
                        self.products.push(product);
                    }
                    // A material that loses some of its amount is a kind of its own, because planes
                    // are written back only for kinds of one material.
                    EffectText::Takes(_) => {
                        for name in of.0.iter().filter(|name| !name.starts_with('#')) {
                            let material = self.material(name)?;
                            self.products.push(material);
                        }
                    }
                }
                Ok(())
            }
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
                        return Err(self.error_of_rule(RuleProblem::EmptyRange(name)));
                    }
                }
                let product = self.material(becomes)?;
                self.products.push(product);
                Ok(())
            }
            RuleText::Signal { wire, off, step, reach, .. } => {
                if off.0 + step.0 * reach.0 > 256 {
                    return Err(self.error_of_rule(RuleProblem::TooMuchWire(name)));
                }
                let wire_material = self.material(wire)?;
                self.wires.push(wire_material);
                // Every part is a kind of its own.
                let mut known: Vec<MaterialId> = Vec::new();
                for part in
                    std::iter::once(wire).chain(parts(rule).into_iter().map(|(name, _)| name))
                {
                    let material = self.material(part)?;
                    if material == Voxel::AIR.material() {
                        return Err(self.error(part, 0, RuleProblem::MovesAir));
                    }
                    if known.contains(&material) {
                        let problem = RuleProblem::ListedTwice(name, part.clone());
                        return Err(self.error_of_rule(problem));
                    }
                    known.push(material);
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

/// Pairs of states in the text of a rule, and a function that returns the part for off or on.
type PartList<'a> = (&'a [StatesText], fn(bool) -> Part);

/// Names of the states of a circuit's parts with their roles, each off state before its on state.
/// The codes of the opposite states are set later. Empty for rules other than signals.
fn parts<'a>(rule: &'a RuleText) -> Vec<(&'a String, Part)> {
    let RuleText::Signal { sources, inverters, switches, tall_switches, .. } = rule else {
        return Vec::new();
    };
    let lists: [PartList<'a>; 4] = [
        (sources, Part::Source),
        (inverters, |is_on| Part::Inverter { is_on, other: 0 }),
        (switches, |is_on| Part::Switch { is_on, other: 0, is_tall: false }),
        (tall_switches, |is_on| Part::Switch { is_on, other: 0, is_tall: true }),
    ];
    let states =
        lists.into_iter().flat_map(|(list, part)| list.iter().map(move |states| (states, part)));
    states.flat_map(|((off, on), part)| [(off, part(false)), (on, part(true))]).collect()
}

/// The chance of a rule; `None` if it always acts.
fn chance_of(text: ChanceText) -> Option<Chance> {
    (text.0 < text.1).then(|| Chance::new(text.0, text.1))
}

/// Name of a rule. Powders and liquids without a name are named after their materials.
fn name_of(rule: &RuleText) -> String {
    match rule {
        RuleText::Powder { name, materials, .. } if name.is_empty() => materials.0.join(", "),
        RuleText::Liquid { name, material, .. } if name.is_empty() => material.clone(),
        RuleText::Powder { name, .. }
        | RuleText::Liquid { name, .. }
        | RuleText::Change { name, .. }
        | RuleText::Support { name, .. }
        | RuleText::Signal { name, .. }
        | RuleText::Weather { name, .. }
        | RuleText::Remove(name) => name.clone(),
    }
}
