//! Limits of `.vox` files that are imported. Exports warn if they exceed one.

/// Maximum number of voxels that all instances place together. A small file can place its models
/// many times.
pub(super) const MAX_VOXELS: u64 = 1 << 28;
/// Largest side of a scene, in voxels.
pub(super) const MAX_SIDE: i64 = 1 << 20;
/// Maximum number of instances of models.
pub(super) const MAX_INSTANCES: usize = 1 << 16;
