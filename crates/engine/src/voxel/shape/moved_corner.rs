//! Moved corners of faces.

use glam::{Vec2, Vec3};

/// A corner of a face that a [`CornerRule`](super::CornerRule) moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MovedCorner {
    /// Position relative to the voxel, 0 to 1. y exceeds 1 in the transparent upper part of the
    /// sides of a leaning torch.
    pub position: Vec3,
    /// Texture coordinates from the upper left, 0 to 1.
    pub uv: Vec2,
}
