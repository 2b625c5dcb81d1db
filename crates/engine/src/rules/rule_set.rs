//! The rules of a map, compiled for its materials.

use super::kinds::RuleKinds;
use super::phase::Phase;
use super::weather::Weather;

/// A text of rules with its origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleSource<'a> {
    /// Name of the file, for errors.
    pub file: &'a str,
    /// The rules in RON: `[Powder(materials: ["sand"]), ...]`.
    pub text: &'a str,
}

/// The rules of a map, ready to be applied.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// Names of the rules, in order of precedence.
    pub(super) names: Vec<String>,
    pub(super) kinds: RuleKinds,
    /// The phases, in the order in which they take place.
    pub(super) phases: Vec<Phase>,
    /// Rules of the weather.
    pub(super) weather: Vec<Weather>,
}

impl RuleSet {
    /// Names of the rules, in order of precedence.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }
}
