//! A map's own rules as it stores them.

use serde::{Deserialize, Serialize};

/// Maximum length of the text of a map's own rules, in bytes.
pub const MAX_RULES_BYTES: usize = 60_000;

/// A map's own rules, and the number of their next step.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SavedRules {
    /// Number of the next step, the seed of what happens by chance in it.
    pub next_step: u64,
    /// The map's own rules as text; empty without any.
    pub text: String,
}
