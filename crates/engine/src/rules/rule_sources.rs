//! Rule sets from texts: the game's own, and a map's.

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

    /// The rules of a game and, after them, a map's own; the built-in rules if the game has no
    /// others. A rule of the map takes the place of the game's rule with the same name;
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

    /// Reads rules from one text alone, not the game's. `file` is named in errors.
    ///
    /// # Errors
    /// The first defect, with its line and what was expected.
    pub fn parse(text: &str, file: &str, materials: &MaterialTable) -> Result<RuleSet, RuleError> {
        Compiler::new(&[RuleSource { file, text }], materials).compile()
    }
}
