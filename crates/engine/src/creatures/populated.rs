//! The set of populated chunks, one bit per chunk, in blocks of 8^3 chunks.

use crate::voxel::ChunkPos;
use glam::IVec3;
use std::collections::BTreeMap;

/// Chunks along a side of a block.
const SIDE: i32 = 8;
/// Maximum number of blocks, so that the record of the creatures fits in a map.
pub(super) const MAX_BLOCKS: usize = 150_000;
/// Words per block.
pub(super) const WORDS: usize = 8;

/// A set of chunks: bits by block position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Populated(pub BTreeMap<[i32; 3], [u64; WORDS]>);

/// The bit of a chunk.
struct ChunkBit {
    block: [i32; 3],
    /// Index of the word in the block: the chunk's y in the block.
    word: usize,
    mask: u64,
}

impl ChunkBit {
    fn new(pos: ChunkPos) -> ChunkBit {
        let at = pos.as_ivec3();
        let block = at.div_euclid(IVec3::splat(SIDE));
        let inside = at - block * SIDE;
        ChunkBit {
            block: block.to_array(),
            word: inside.y as usize,
            mask: 1 << (inside.x + SIDE * inside.z),
        }
    }
}

impl Populated {
    pub fn contains(&self, pos: ChunkPos) -> bool {
        let bit = ChunkBit::new(pos);
        self.0.get(&bit.block).is_some_and(|words| words[bit.word] & bit.mask != 0)
    }

    /// Adds a chunk. False if the set already contains it, or if it would need a block beyond
    /// [`MAX_BLOCKS`].
    pub fn insert(&mut self, pos: ChunkPos) -> bool {
        let bit = ChunkBit::new(pos);
        if self.0.len() >= MAX_BLOCKS && !self.0.contains_key(&bit.block) {
            return false;
        }
        let words = self.0.entry(bit.block).or_default();
        let is_new = words[bit.word] & bit.mask == 0;
        words[bit.word] |= bit.mask;
        is_new
    }
}
