//! A count and the total that it is part of.

use crate::game::state::format;

/// Number of things with a property, and number of all things.
#[derive(Clone, Copy, Default)]
pub struct PartOfAll {
    /// Number with the property.
    pub part: u64,
    /// Number of all.
    pub all: u64,
}

impl PartOfAll {
    /// Both counts as text: `1,204 of 8,192`.
    #[must_use]
    pub fn words(self) -> String {
        format!("{} of {}", format::count(self.part), format::count(self.all))
    }
}
