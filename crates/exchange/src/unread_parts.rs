//! Parts of a file that an importer does not know or cannot use: tags, states, numbers, voxels.
//!
//! An importer that skips such a part notes it here. The sum is a loss of the import
//! ([`ImportLosses::unread`]), and one warning names the parts.

use super::losses::ImportLosses;
use std::collections::BTreeMap;
use stonerun_engine::metrics::thousands;

/// Maximum number of names that are stored. Parts with further names are only counted.
const MAX_NAMES: usize = 256;
/// Maximum number of names in a warning.
const MAX_LISTED: usize = 6;
/// Longest name that is stored, in characters.
const MAX_NAME_CHARS: usize = 60;

/// Counts of parts that are not read, by name.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct UnreadParts {
    counts: BTreeMap<String, u64>,
    total: u64,
}

impl UnreadParts {
    /// Counts `count` parts named `name`, a text that may come from the file.
    pub(super) fn note(&mut self, name: &str, count: u64) {
        if count == 0 {
            return;
        }
        self.total += count;
        let printable = |c: char| if c.is_control() { '?' } else { c };
        let name: String = name.chars().take(MAX_NAME_CHARS).map(printable).collect();
        if self.counts.len() < MAX_NAMES || self.counts.contains_key(&name) {
            *self.counts.entry(name).or_default() += count;
        }
    }

    /// Adds the counts of another part of the same import.
    pub(super) fn merge(&mut self, other: &UnreadParts) {
        let named: u64 = other.counts.values().sum();
        for (name, count) in &other.counts {
            self.note(name, *count);
        }
        self.total += other.total - named;
    }

    /// The loss of the import.
    pub(super) fn losses(&self) -> ImportLosses {
        ImportLosses { unread: self.total, ..ImportLosses::default() }
    }

    /// The warning that names the most frequent parts; `None` if every part was read.
    pub(super) fn warning(&self) -> Option<String> {
        let mut parts: Vec<(&String, &u64)> = self.counts.iter().collect();
        parts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let one = |(name, count): &(&String, &u64)| match count {
            1 => (*name).clone(),
            _ => format!("{name} ({})", thousands(**count)),
        };
        let listed: Vec<String> = parts.iter().take(MAX_LISTED).map(one).collect();
        let more = parts.len().saturating_sub(MAX_LISTED);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        (self.total > 0).then(|| format!("not read: {}{more}", listed.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_and_the_most_frequent_named() {
        let mut parts = UnreadParts::default();
        assert_eq!((parts.warning(), parts.losses().is_empty()), (None, true));
        parts.note("tag A\n", 1);
        parts.note("nothing", 0);
        let mut others = UnreadParts::default();
        for i in 0..300 {
            others.note(&format!("state {i}"), 2);
        }
        parts.merge(&others);
        parts.note("tag B", 1200);
        assert_eq!(parts.losses().unread, 1801);
        let warning = parts.warning().unwrap();
        let start = "not read: state 0 (2), state 1 (2), ";
        assert!(warning.starts_with(start) && warning.ends_with(", and 250 more"), "{warning}");
        let mut few = UnreadParts::default();
        few.note("tag A\n", 1);
        few.note("tag B", 1200);
        assert_eq!(few.warning().unwrap(), "not read: tag B (1,200), tag A?");
    }
}
