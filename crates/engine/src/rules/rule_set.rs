//! The rules of a map, compiled for its materials.

use super::kinds::Kinds;
use super::phase::Phase;
use super::weather::Weather;

/// A text of rules.
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
    /// Names of the rules, in the order in which they count.
    pub(super) names: Vec<String>,
    pub(super) kinds: Kinds,
    /// The phases, in the order in which they take place.
    pub(super) phases: Vec<Phase>,
    /// Rules of the weather.
    pub(super) weather: Vec<Weather>,
}

impl RuleSet {
    /// Names of the rules, in the order in which they count.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }
}
