//! Corners of faces, as files hold them.

use glam::{Vec2, Vec3};

/// A corner of a face as written to a file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Corner {
    /// Position relative to the origin, in metres.
    pub(super) position: Vec3,
    /// Unit vector pointing out of the surface.
    pub(super) normal: Vec3,
    /// Texture coordinates from the upper left, 1 per voxel. The texture repeats outside 0 to 1.
    pub(super) uv: Vec2,
    /// Ambient occlusion, 0 (darkest) to 3 (none).
    pub(super) ao: u8,
}

/// Texture coordinates from the position in the chunk, as in the game's shader (`face_uv` in
/// `chunk.wgsl`).
pub(super) fn uv(face: u8, corner: u8, p: Vec3) -> Vec2 {
    match face {
        0 => Vec2::new(-p.z, -p.y),
        1 => Vec2::new(p.z, -p.y),
        2 | 3 => Vec2::new(p.x, p.z),
        4 => Vec2::new(p.x, -p.y),
        5 => Vec2::new(-p.x, -p.y),
        // Inset from the edge, so that the bottom row of texels does not wrap around to the top.
        _ => Vec2::new(f32::from(corner & 1), 0.98 - 0.96 * f32::from(corner >> 1)),
    }
}
