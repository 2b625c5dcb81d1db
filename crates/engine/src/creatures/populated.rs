//! Which chunks have been populated: a bit per chunk, in blocks of 8^3 chunks.

use crate::voxel::ChunkPos;
use glam::IVec3;
use std::collections::BTreeMap;

/// Chunks along a side of a block.
const SIDE: i32 = 8;
/// Most blocks, so that the record of the creatures stays short enough for a map.
pub(super) const MOST_BLOCKS: usize = 150_000;
/// Words of a block.
pub(super) const WORDS: usize = 8;

/// A set of chunks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Populated(pub BTreeMap<[i32; 3], [u64; WORDS]>);

/// Block, word and bit of a chunk.
fn split(pos: ChunkPos) -> ([i32; 3], usize, u64) {
    let at = pos.as_ivec3();
    let block = at.div_euclid(IVec3::splat(SIDE));
    let inside = at - block * SIDE;
    (block.to_array(), inside.y as usize, 1 << (inside.x + SIDE * inside.z))
}

impl Populated {
    pub fn contains(&self, pos: ChunkPos) -> bool {
        let (block, word, bit) = split(pos);
        self.0.get(&block).is_some_and(|words| words[word] & bit != 0)
    }

    /// Adds a chunk. False if it was in the set, or would be in one block more than
    /// [`MOST_BLOCKS`].
    pub fn insert(&mut self, pos: ChunkPos) -> bool {
        let (block, word, bit) = split(pos);
        if self.0.len() >= MOST_BLOCKS && !self.0.contains_key(&block) {
            return false;
        }
        let words = self.0.entry(block).or_default();
        let is_new = words[word] & bit == 0;
        words[word] |= bit;
        is_new
    }
}
