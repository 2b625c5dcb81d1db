//! The projection of the camera: a perspective, or parallel rays.

use bevy::camera::{OrthographicProjection, PerspectiveProjection, Projection, ScalingMode};
use bevy::prelude::*;

/// Minimum distance at which anything is drawn, in voxels.
const NEAR: f32 = 0.05;
/// Maximum distance at which Bevy draws meshes, in voxels. Chunks have no limit.
const FAR: f32 = 2000.0;
/// Depth of an orthographic view, in voxels: more than the extent of all loaded chunks.
const DEPTH: f32 = 8192.0;

/// A perspective with this vertical field of view, in radians.
#[must_use]
pub fn perspective(field_of_view: f32) -> Projection {
    Projection::Perspective(PerspectiveProjection {
        fov: field_of_view,
        near: NEAR,
        far: FAR,
        ..default()
    })
}

/// A view of parallel rays that shows `height` voxels.
fn orthographic(height: f32) -> Projection {
    let scaling_mode = ScalingMode::FixedVertical { viewport_height: height };
    Projection::Orthographic(OrthographicProjection {
        scaling_mode,
        near: 0.0,
        far: DEPTH,
        ..OrthographicProjection::default_3d()
    })
}

/// Sets the projection if it differs: orthographic with a height in voxels or, without a height, a
/// perspective with a vertical field of view in radians.
pub fn set(projection: &mut Mut<Projection>, field_of_view: f32, height: Option<f32>) {
    let is_current = match (projection.as_ref(), height) {
        (Projection::Perspective(now), None) => now.fov == field_of_view,
        (Projection::Orthographic(now), Some(height)) => {
            matches!(now.scaling_mode, ScalingMode::FixedVertical { viewport_height } if viewport_height == height)
        }
        _ => false,
    };
    if is_current {
        return;
    }
    let aspect_ratio = match projection.as_ref() {
        Projection::Perspective(now) => Some(now.aspect_ratio),
        _ => None,
    };
    **projection = height.map_or_else(|| perspective(field_of_view), orthographic);
    // Keeps the aspect ratio: Bevy recomputes it from the window only later in this frame, after a
    // change of the window or the projection.
    if let (Projection::Perspective(now), Some(ratio)) = (&mut **projection, aspect_ratio) {
        now.aspect_ratio = ratio;
    }
}
