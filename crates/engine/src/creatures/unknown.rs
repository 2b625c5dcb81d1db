//! Creatures that are kept for programs that know their kinds.

use super::error::MOST_KINDS;
use super::motion::Motion;

/// Most names of unknown kinds: the number of all kinds, known ones included, fits into a byte.
const MOST_UNKNOWN_KINDS: usize = u8::MAX as usize - MOST_KINDS;

/// Creatures of kinds that the program does not know.
#[derive(Default)]
pub(super) struct UnknownCreatures {
    /// Names of their kinds.
    pub names: Vec<String>,
    /// The creatures, by number. Their kinds are indices into the names.
    pub motions: Vec<Motion>,
}

impl UnknownCreatures {
    /// Index of a name, which is added; `None` if there are too many.
    pub fn kind(&mut self, name: &str) -> Option<u8> {
        let known = self.names.iter().position(|other| other == name);
        let kind = known.unwrap_or(self.names.len());
        if kind == MOST_UNKNOWN_KINDS {
            return None;
        }
        if known.is_none() {
            self.names.push(name.to_owned());
        }
        Some(kind as u8)
    }
}
