//! Rule sets from texts: the game's rules and a map's own.

use super::compiler::Compiler;
use super::error::RuleError;
use super::rule_set::{RuleSet, RuleSource};
use crate::voxel::MaterialTable;

/// The game's own rules.
const BUILTIN: RuleSource<'static> =
    RuleSource { file: "assets/rules.ron", text: include_str!("../../../../assets/rules.ron") };

impl RuleSet {
    /// The game's own rules, `assets/rules.ron`, for the materials of a map.
    ///
    /// # Errors
    /// The map lacks one of the materials.
    pub fn builtin(materials: &MaterialTable) -> Result<RuleSet, RuleError> {
        Compiler::new(&[BUILTIN], materials).compile()
    }

    /// Compiles the rules of the game (by default the built-in ones) and the map's own.
    ///
    /// A rule of the map replaces the rule of the game with the same name, `Remove("name")` removes
    /// rules, and other rules are added at the end.
    ///
    /// # Errors
    /// The first defect of either text, with its file, its line and what was expected.
    pub fn combined(
        game: Option<RuleSource<'_>>,
        own: Option<RuleSource<'_>>,
        materials: &MaterialTable,
    ) -> Result<RuleSet, RuleError> {
        let sources: Vec<RuleSource<'_>> =
            [game.unwrap_or(BUILTIN)].into_iter().chain(own).collect();
        Compiler::new(&sources, materials).compile()
    }

    /// Compiles the rules of one text, without the game's rules. `file` is named in errors.
    ///
    /// # Errors
    /// The first defect, with its line and what was expected.
    pub fn parse(text: &str, file: &str, materials: &MaterialTable) -> Result<RuleSet, RuleError> {
        Compiler::new(&[RuleSource { file, text }], materials).compile()
    }
}
