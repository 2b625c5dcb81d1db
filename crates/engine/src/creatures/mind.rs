//! What a creature wants.

use crate::creatures::nav::{FlowField, MoveCode};
use glam::IVec3;

/// What a creature does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Mood {
    /// Nothing.
    #[default]
    Rest,
    /// On the way to a place.
    Wander,
    /// Away from something.
    Flee,
    /// After another creature.
    Hunt,
    /// To where its kind was called.
    Gather,
    /// To where it is darker.
    Hide,
    /// Down to the ground, to rest or sleep there.
    Land,
}

/// Moves that a hunter plans ahead.
pub(super) const ROUTE: usize = 8;

/// What a creature wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Mind {
    pub mood: Mood,
    /// Where it goes, or what it flees from.
    pub goal: IVec3,
    /// Flees until this tick.
    pub scared_until: u64,
    /// Does not hunt until this tick.
    pub sated_until: u64,
    /// The next moves of a hunter.
    pub route: [Option<MoveCode>; ROUTE],
}

impl Mind {
    /// Takes the next move of the route.
    pub fn next_move(&mut self) -> Option<MoveCode> {
        let next = self.route[0].take();
        self.route.rotate_left(1);
        next
    }
}

/// A call that a kind follows.
pub(super) struct Call {
    /// Number of the kind.
    pub kind: u8,
    /// Ways to the place.
    pub field: FlowField,
    /// Tick at which these ways were found.
    pub made_at: u64,
    /// Tick at which it is over.
    pub until: u64,
}

impl Call {
    /// True if a kind follows it.
    pub fn is_followed_by(&self, kind: u8) -> bool {
        self.kind == kind
    }
}
