//! Limits of `.vox` files that are imported; exports warn when they exceed them.

/// Maximum number of voxels placed by all instances together; a small file can place its models
/// often.
pub(super) const MAX_VOXELS: u64 = 1 << 28;
/// Largest side of a scene, in voxels.
pub(super) const MAX_SIDE: i64 = 1 << 20;
/// Maximum number of instances of models.
pub(super) const MAX_INSTANCES: usize = 1 << 16;
