//! A corner of a face that was moved.

use glam::{Vec2, Vec3};

/// A corner of a face that a [`CornerRule`](super::CornerRule) moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MovedCorner {
    /// Position in the voxel, 0 to 1; the empty upper part of a leaning torch's side lies above it.
    pub position: Vec3,
    /// Texture coordinates from the upper left, 0 to 1.
    pub uv: Vec2,
}
