//! Joints: the kinds of shapes to which fences, walls and panes join.

use serde::{Deserialize, Serialize};

/// Kind of a shape that joins to its neighbours. It joins to shapes of its own kind, and to
/// solid blocks that fill the side between the two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Joint {
    /// Fences.
    Fence,
    /// Walls of stone.
    Wall,
    /// Panes of glass, and bars. They join to walls, too.
    Pane,
}

impl Joint {
    /// True if shapes of the two kinds join.
    #[must_use]
    pub const fn joins(self, other: Joint) -> bool {
        matches!(
            (self, other),
            (Joint::Fence, Joint::Fence) | (Joint::Wall | Joint::Pane, Joint::Wall | Joint::Pane)
        )
    }
}
