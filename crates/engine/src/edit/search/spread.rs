//! Directions of a flood.

use crate::voxel::Face;

/// Faces across which a flood spreads from voxel to voxel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spread {
    /// True if the flood crosses the four upright faces.
    pub sideways: bool,
    /// True if the flood crosses upper faces.
    pub up: bool,
    /// True if the flood crosses lower faces.
    pub down: bool,
}

impl Spread {
    /// All six directions.
    pub const ALL: Spread = Spread { sideways: true, up: true, down: true };
    /// Sideways and down, like water.
    pub(crate) const FALLING: Spread = Spread { sideways: true, up: false, down: true };
    /// Straight down.
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
