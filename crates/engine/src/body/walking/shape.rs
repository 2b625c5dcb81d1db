//! The shape of the body.

use crate::world::Aabb;
use glam::DVec3;

/// Width of the body in voxels (metres).
pub const WIDTH: f64 = 0.6;
/// Height of the body in voxels.
pub const HEIGHT: f64 = 1.8;
/// Maximum height of a ledge that the body climbs without a jump.
pub(super) const STEP_UP: f64 = 0.6;

/// The bounding box of a body with its feet at `feet`.
pub(super) fn body_box(feet: DVec3) -> Aabb {
    let half = DVec3::new(WIDTH / 2.0, 0.0, WIDTH / 2.0);
    Aabb { min: feet - half, max: feet + half + DVec3::Y * HEIGHT }
}
