//! Limits of `.vox` files that are imported; exports warn when they exceed them.

/// Largest file, in bytes. The largest model (256^3, every voxel set) takes 64 MiB.
pub(super) const MAX_BYTES: u64 = 512 << 20;
/// Most voxels placed by all instances together; a small file can place its models often.
pub(super) const MAX_VOXELS: u64 = 1 << 28;
/// Largest side of a scene, in voxels.
pub(super) const MAX_SIDE: i64 = 1 << 20;
/// Most instances of models.
pub(super) const MAX_INSTANCES: usize = 1 << 16;
