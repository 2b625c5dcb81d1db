//! Moods, goals and calls of creatures.

use crate::creatures::nav::{FlowField, MoveCode};
use glam::IVec3;

/// Current activity of a creature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Mood {
    /// Rests or sleeps.
    #[default]
    Rest,
    /// Goes to a random voxel.
    Wander,
    /// Flees from [`Mind::goal`].
    Flee,
    /// Follows [`Mind::route`] to another creature.
    Hunt,
    /// Follows the flow field of a call.
    Gather,
    /// Looks for a darker voxel, because its own is too bright.
    Hide,
    /// Descends to the ground, to rest or sleep there.
    Land,
}

/// Number of moves that a hunter plans ahead. Short, because the prey moves and the hunter plans
/// again every few ticks.
pub(super) const ROUTE: usize = 8;

/// Mood and goal of a creature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Mind {
    pub(crate) mood: Mood,
    /// Voxel that the creature goes to or flees from.
    pub(crate) goal: IVec3,
    /// Tick until which the creature flees.
    pub(crate) scared_until: u64,
    /// Tick until which the creature does not hunt.
    pub(crate) sated_until: u64,
    /// Next moves of a hunter, filled from the front.
    pub(crate) route: [Option<MoveCode>; ROUTE],
}

impl Mind {
    /// Removes and returns the next move of the route.
    pub(crate) fn next_move(&mut self) -> Option<MoveCode> {
        let next = self.route[0].take();
        self.route.rotate_left(1);
        next
    }
}

/// A call of a kind to a place.
pub(super) struct Call {
    /// Number of the kind that is called.
    pub kind: u8,
    /// First moves of the paths to the place.
    pub field: FlowField,
    /// Tick at which the field was made.
    pub(crate) made_at: u64,
    /// Tick at which the call ends.
    pub until: u64,
}

impl Call {
    /// True if creatures of this kind follow the call.
    pub(crate) fn is_followed_by(&self, kind: u8) -> bool {
        self.kind == kind
    }
}
