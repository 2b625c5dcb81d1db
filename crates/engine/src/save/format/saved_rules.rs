//! A map's own rules in the form in which the map stores them.

use serde::{Deserialize, Serialize};

/// Maximum length of the text of a map's own rules, in bytes.
pub const MAX_RULES_BYTES: usize = 60_000;

/// A map's own rules, and the number of the next rule step.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SavedRules {
    /// Number of the next rule step, the seed of its random choices.
    pub next_step: u64,
    /// The map's own rules as text; empty if it has none.
    pub text: String,
}
