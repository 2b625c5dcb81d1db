//! The origin that everything drawn is relative to.

use bevy::prelude::*;

/// The origin of rendered positions, in voxels. It stays near the player, so that positions are
/// exact at any distance from the world's own origin.
#[derive(Resource, Default, Clone, Copy, PartialEq, Debug)]
pub struct RenderOrigin(pub IVec3);

impl RenderOrigin {
    /// A world position, relative to the origin.
    #[must_use]
    pub fn relative(self, world: glam::DVec3) -> Vec3 {
        (world - self.0.as_dvec3()).as_vec3()
    }
}
