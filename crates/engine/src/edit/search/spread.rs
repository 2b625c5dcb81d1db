//! Directions in which a flood spreads.

use crate::voxel::Face;

/// The faces across which a flood spreads from a voxel to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spread {
    /// Spread across the four upright faces.
    pub sideways: bool,
    /// Spread upwards.
    pub up: bool,
    /// Spread downwards.
    pub down: bool,
}

impl Spread {
    /// Spread across all six faces.
    pub const ALL: Spread = Spread { sideways: true, up: true, down: true };
    /// Spread sideways and down, like water.
    pub(crate) const FALLING: Spread = Spread { sideways: true, up: false, down: true };
    /// Spread straight down.
    pub const DOWN: Spread = Spread { sideways: false, up: false, down: true };
    /// Within a layer.
    pub const FLAT: Spread = Spread { sideways: true, up: false, down: false };

    /// True if the flood crosses this face of a voxel.
    pub(super) fn crosses(self, face: Face) -> bool {
        match face {
            Face::Up => self.up,
            Face::Down => self.down,
            _ => self.sideways,
        }
    }
}
