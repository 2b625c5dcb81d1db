//! Random chunks for the tests of the codecs.

use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_VOLUME, Voxel};
use crate::world::Chunk;
use proptest::prelude::*;

/// Strategy for runs of all lengths. A third of the materials are air, a third are below
/// `materials`, and the rest are arbitrary. Up to a quarter of the voxels are wet.
pub(super) fn any_runs(materials: u16) -> impl Strategy<Value = Vec<(u32, Voxel)>> {
    let material = prop_oneof![Just(0u16), 0..materials, 0..65535u16];
    let liquid = prop_oneof![Just(0u8), any::<u8>()];
    let voxel = (material, prop_oneof![Just(255u8), any::<u8>()], liquid)
        .prop_map(|(m, o, l)| Voxel::new(m, o).with_liquid(l));
    let len = prop_oneof![Just(1u32), 1..20u32, Just(32u32), 250..260u32, 1..9000u32];
    proptest::collection::vec((len, voxel), 0..600)
}

/// Builds a chunk of runs, cut off or padded with air to its volume.
pub(super) fn chunk_from(runs: &[(u32, Voxel)]) -> Chunk {
    let mut builder = RunBuilder::new();
    for &(len, voxel) in runs {
        builder.push(len.min((CHUNK_VOLUME - builder.position()) as u32), voxel);
    }
    builder.push((CHUNK_VOLUME - builder.position()) as u32, Voxel::AIR);
    builder.finish()
}
