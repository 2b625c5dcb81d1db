//! Keys of the forms of models.

use crate::voxel::shape::turn::Turn;

/// Model, turn and parts, by which forms differ.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct FormKey {
    /// Number of the model in the list.
    pub model: u8,
    pub turn: Turn,
    pub parts: FormParts,
}

/// The parts of a form that have a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum FormParts {
    /// A bit for each named part, in the order of the list.
    Stated(u16),
    /// Those of the sides that join to something.
    Joined,
}
