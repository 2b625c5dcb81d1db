//! Errors in texts of rules.

use crate::ron_text::TextPlace;

/// Maximum number of rules in a set.
pub(super) const MAX_RULES: usize = 256;
/// Maximum length of a text of rules, in bytes.
pub(super) const MAX_TEXT_BYTES: usize = 256 * 1024;

/// A defect in a file of rules.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{file}:{place}: {problem}")]
pub struct RuleError {
    /// Name of the file.
    pub file: String,
    /// Position in the file.
    pub place: TextPlace,
    /// The defect and what was expected.
    pub problem: RuleProblem,
}

/// A kind of defect in a file of rules.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum RuleProblem {
    /// Text that is not a list of rules in RON.
    #[error("{0}")]
    Syntax(String),
    /// A material that the map does not have.
    #[error("unknown material \"{0}\"; expected a material of the map")]
    UnknownMaterial(String),
    /// An entry of a list of materials that is neither a material of the map nor a group.
    #[error(
        "unknown material \"{0}\"; expected a material of the map, #gas, #liquid, #plant, #solid or #thin"
    )]
    UnknownInList(String),
    /// Two rules move one material.
    #[error("\"{0}\" is moved by another rule; expected one Powder or Liquid rule per material")]
    MovedTwice(String),
    /// A rule moves air, or makes it part of a circuit.
    #[error("air cannot be moved or wired; expected another material")]
    MovesAir,
    /// Weather lays air.
    #[error("air cannot be laid; expected another material, or Takes")]
    LaysAir,
    /// A rule lists a material twice: rule, material.
    #[error("the rule \"{0}\" lists \"{1}\" twice; expected each material once")]
    ListedTwice(String, String),
    /// An empty range of numbers.
    #[error(
        "the rule \"{0}\" has an empty range; expected the first number to be no more than the second"
    )]
    EmptyRange(String),
    /// A wire whose full level does not fit into a voxel.
    #[error(
        "the rule \"{0}\" has wires of more than 256; expected off + step * reach to be at most 256"
    )]
    TooMuchWire(String),
    /// The materials to distinguish outnumber the codes.
    #[error(
        "the rules distinguish too many materials; expected at most 63 of one motion and 127 in all"
    )]
    TooManyKinds,
    /// A rule to remove that does not exist.
    #[error("there is no rule \"{0}\" to remove; expected the name of a rule of the game")]
    UnknownRule(String),
    /// A text that is too long.
    #[error("{0} bytes of rules; expected at most {most}", most = MAX_TEXT_BYTES)]
    TooLong(usize),
    /// The number of rules exceeds what a set may have.
    #[error("{0} rules; expected at most {most}", most = MAX_RULES)]
    TooManyRules(usize),
}
