//! The rules of a map, compiled for its materials.

use super::compiler::Compiler;
use super::error::RuleError;
use super::kinds::Kinds;
use super::phase::Phase;
use super::weather::Weather;
use crate::voxel::MaterialTable;

/// The game's own rules.
const BUILTIN: RuleSource<'static> =
    RuleSource { file: "assets/rules.ron", text: include_str!("../../assets/rules.ron") };

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
    /// The game's own rules, `assets/rules.ron`, for the materials of a map.
    ///
    /// # Errors
    /// The map lacks one of the materials.
    pub fn builtin(materials: &MaterialTable) -> Result<RuleSet, RuleError> {
        Compiler::new(&[BUILTIN], materials).compile()
    }

    /// The rules of a game with those of a map; the built-in ones if the game has no others. A rule of
    /// the map replaces the one of the game with the same name, at its place in the order;
    /// `Remove("name")` takes rules away; others are added.
    ///
    /// # Errors
    /// The first defect of either text, with its file, its line and what was expected.
    pub fn combined(
        game: Option<RuleSource<'_>>,
        own: Option<RuleSource<'_>>,
        materials: &MaterialTable,
    ) -> Result<RuleSet, RuleError> {
        let sources: Vec<RuleSource<'_>> = [game.unwrap_or(BUILTIN)].into_iter().chain(own).collect();
        Compiler::new(&sources, materials).compile()
    }

    /// Reads rules from one text, without those of the game. `file` is named in errors.
    ///
    /// # Errors
    /// The first defect, with its line and what was expected.
    pub fn parse(text: &str, file: &str, materials: &MaterialTable) -> Result<RuleSet, RuleError> {
        Compiler::new(&[RuleSource { file, text }], materials).compile()
    }

    /// Names of the rules, in the order in which they count.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }
}
