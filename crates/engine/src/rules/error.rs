//! Why rules cannot be read.

use crate::ron_text::TextPlace;

/// Most rules of a set.
pub(super) const MOST_RULES: usize = 256;
/// Longest text of rules, in bytes.
pub(super) const MOST_BYTES: usize = 256 * 1024;

/// A defect in a file of rules.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{file}:{place}: {problem}")]
pub struct RuleError {
    /// Name of the file.
    pub file: String,
    /// Position in the file.
    pub place: TextPlace,
    /// What is wrong, and what was expected.
    pub problem: RuleProblem,
}

/// What is wrong in a file of rules.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum RuleProblem {
    /// The text is not a list of rules in RON.
    #[error("{0}")]
    Syntax(String),
    /// A material that the map does not have.
    #[error("unknown material \"{0}\"; expected a material of the map")]
    UnknownMaterial(String),
    /// A list of materials has an entry that the map does not have and that names no group.
    #[error("unknown material \"{0}\"; expected a material of the map, #gas, #liquid, #plant or #solid")]
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
    /// A range of numbers is empty.
    #[error("the rule \"{0}\" has an empty range; expected the first number to be no more than the second")]
    EmptyRange(String),
    /// The full level of a wire does not fit into a voxel.
    #[error("the rule \"{0}\" has wires of more than 256; expected off + step * reach to be at most 256")]
    TooMuchWire(String),
    /// Rules distinguish too many materials.
    #[error("the rules distinguish too many materials; expected at most 63 of one motion and 127 in all")]
    TooManyKinds,
    /// A rule that is taken away does not exist.
    #[error("there is no rule \"{0}\" to remove; expected the name of a rule of the game")]
    UnknownRule(String),
    /// The text is too long.
    #[error("{0} bytes of rules; expected at most {most}", most = MOST_BYTES)]
    TooLong(usize),
    /// There are too many rules.
    #[error("{0} rules; expected at most {most}", most = MOST_RULES)]
    TooManyRules(usize),
}
