//! Creatures of unknown kinds, which are kept for versions that know them.

use super::error::MAX_KINDS;
use super::motion::Motion;

/// Maximum number of unknown kinds, because a byte numbers known and unknown kinds together.
pub(super) const MAX_UNKNOWN_KINDS: usize = u8::MAX as usize - MAX_KINDS;

/// Creatures of kinds that this program does not know.
#[derive(Default)]
pub(super) struct UnknownCreatures {
    /// Names of the unknown kinds.
    pub names: Vec<String>,
    /// The creatures, sorted by number. Their kinds are indices into `names`.
    pub(crate) motions: Vec<Motion>,
}

impl UnknownCreatures {
    /// Index of the kind with this name, which is added if it is new; `None` if there are too many
    /// kinds.
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
