//! Creatures of unknown kinds, which are kept for programs that know them.

use super::error::MAX_KINDS;
use super::motion::Motion;

/// Maximum number of unknown kinds: all kinds, known ones included, are numbered by a byte.
const MAX_UNKNOWN_KINDS: usize = u8::MAX as usize - MAX_KINDS;

/// Creatures of kinds that the program does not know.
#[derive(Default)]
pub(super) struct UnknownCreatures {
    /// Names of the creatures' kinds.
    pub names: Vec<String>,
    /// The creatures, by number. Their kinds are indices into the names.
    pub(crate) motions: Vec<Motion>,
}

impl UnknownCreatures {
    /// Index of a name, which is added if it is new; `None` if there are too many names.
    pub fn kind(&mut self, name: &str) -> Option<u8> {
        let known = self.names.iter().position(|other| other == name);
        let kind = known.unwrap_or(self.names.len());
        if kind == MAX_UNKNOWN_KINDS {
            return None;
        }
        if known.is_none() {
            self.names.push(name.to_owned());
        }
        Some(kind as u8)
    }
}
