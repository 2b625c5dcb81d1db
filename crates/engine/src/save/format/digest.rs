//! The digest: the number of records of a map and a sum over its chunks, written by each save.
//!
//! The digest detects missing rows. SQLite cannot: a table without some of its rows is a valid
//! table. But their count and sum no longer match.

use crate::random::mix;
use crate::voxel::ChunkPos;

/// Number of records of a map, and the sum over its chunks, as of a save.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(in crate::save) struct Digest {
    /// Version of the layout, equal to SQLite's `user_version`.
    pub schema: u32,
    /// Number of chunks in the map.
    pub chunks: u64,
    /// Sum, modulo 2^64, of [`chunk_hash`] over all chunks.
    pub sum: u64,
    /// Number of materials in the map's table, with air.
    pub materials: u32,
}

/// Hashes a chunk for the digest's sum: FNV-1a, 64 bits, of its x, y, z and revision, four
/// little-endian bytes each, then the finalizer of splitmix64.
///
/// FNV alone is too weak: it ends in multiplications, so the hashes of neighbouring revisions
/// differ by small multiples of one number, and the differences of two outdated chunks could cancel
/// out in the sum.
pub(in crate::save) fn chunk_hash(pos: ChunkPos, revision: u32) -> u64 {
    let hash = [pos.x as u32, pos.y as u32, pos.z as u32, revision]
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    mix(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunk_hash_is_fixed_and_revision_steps_never_cancel() {
        // A value that other implementations can check against.
        assert_eq!(chunk_hash(ChunkPos::default(), 0), 0x6875_2350_ae1d_483f);
        // The sum changes if of any two chunks one is a save older and the other a save newer.
        let step = |x, r| {
            chunk_hash(ChunkPos::new(x, 0, 0), r)
                .wrapping_sub(chunk_hash(ChunkPos::new(x, 0, 0), r + 1))
        };
        let mut steps: Vec<u64> = (0..100).flat_map(|x| (0..10).map(move |r| step(x, r))).collect();
        steps.extend(steps.clone().iter().map(|s| s.wrapping_neg()));
        steps.sort_unstable();
        assert!(steps.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
