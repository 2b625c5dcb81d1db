//! What a map keeps of its rules.

use serde::{Deserialize, Serialize};

/// Longest text of a map's own rules, in bytes.
pub const MAX_RULES_BYTES: usize = 60_000;

/// A map's own rules, and how far its rules have come.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SavedRules {
    /// Number of the next step: what happens by chance depends on it.
    pub next_step: u64,
    /// The map's own rules, as text; empty if it has none.
    pub text: String,
}
