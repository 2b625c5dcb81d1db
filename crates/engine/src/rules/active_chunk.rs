//! A chunk while rules work on it or read it.

use super::block_set::BlockSet;
use super::kinds::{KindSet, Kinds};
use super::planes::{Planes, kinds_in};
use super::rows::Rows;
use super::summary::Summary;
use crate::voxel::{ChunkPos, MOORE_LEN, Voxel};
use crate::world::Chunk;
use std::sync::OnceLock;

/// A chunk with its planes, read when they are needed first.
pub(super) struct ActiveChunk {
    /// Position of the chunk.
    pub pos: ChunkPos,
    /// The chunk as runs, without the changes since.
    pub tree: Chunk,
    planes: OnceLock<Planes>,
    /// The kinds in the chunk, and possibly a few that it no longer holds.
    pub kinds: KindSet,
    /// Blocks with changes that are not in `tree` yet.
    pub changed: BlockSet,
    /// For each phase the blocks where it may change a voxel.
    pub pending: Vec<BlockSet>,
    /// Blocks in which a phase has acted in this step.
    pub worked: BlockSet,
    /// Numbers of the chunks of its Moore neighbourhood.
    pub around: [Option<u32>; MOORE_LEN],
    /// True while the chunk is in the list of chunks with pending blocks.
    pub is_listed: bool,
    /// Last step in which it was in that list.
    pub last_active: u64,
}

impl ActiveChunk {
    /// A chunk in which nothing is pending.
    pub fn new(pos: ChunkPos, tree: Chunk, kinds: &Kinds, phases: usize) -> ActiveChunk {
        ActiveChunk {
            pos,
            kinds: kinds_in(&tree, kinds),
            tree,
            planes: OnceLock::new(),
            changed: 0,
            pending: vec![0; phases],
            worked: 0,
            around: [None; MOORE_LEN],
            is_listed: false,
            last_active: 0,
        }
    }

    /// The planes of its voxels.
    #[inline(always)]
    pub fn planes(&self, kinds: &Kinds) -> &Planes {
        self.planes.get_or_init(|| Planes::read(&self.tree, kinds))
    }

    /// Which of its blocks hold what; everything may be everywhere while the planes are not read.
    pub fn summary(&self) -> &Summary {
        self.planes.get().map_or(&Summary::UNKNOWN, Planes::summary)
    }

    /// Kind and amount of a voxel by its index in the chunk, read from the planes.
    pub fn changed_voxel(&self, index: usize, kinds: &Kinds) -> (KindSet, u32) {
        let planes = self.planes(kinds).block(index / 256);
        let (row, x) = (index / 32 % 8, index % 32);
        let bits = planes.iter().enumerate().fold(0, |all, (bit, rows)| all | (rows.0[row] >> x & 1) << bit);
        let code = (bits & ((1 << kinds.planes()) - 1)) as u8;
        let amount = if code == kinds.air_code() { 0 } else { 256 - (bits >> kinds.planes()) };
        (kinds.set_of_code(code), amount)
    }

    /// Replaces a block.
    pub fn set_block(&mut self, number: usize, block: &[Rows], kinds: &Kinds) {
        self.planes(kinds);
        if let Some(planes) = self.planes.get_mut() {
            planes.set_block(number, block);
        }
    }

    /// Takes over the voxels of an edited chunk. Changes not yet written to `tree` are dropped.
    pub fn replace(&mut self, tree: Chunk, kinds: &Kinds) {
        self.kinds = kinds_in(&tree, kinds);
        (self.tree, self.planes, self.changed) = (tree, OnceLock::new(), 0);
    }

    /// Writes all changes to the runs; false if there are none.
    pub fn write_changes(&mut self, kinds: &Kinds) -> bool {
        let changed = std::mem::take(&mut self.changed);
        if changed == 0 {
            return false;
        }
        let Some(tree) = self.planes(kinds).to_tree(&self.tree, changed, kinds) else { return false };
        self.tree = tree;
        true
    }

    /// Frees the memory of a chunk that is no longer used.
    pub fn release(&mut self) {
        (self.tree, self.planes) = (Chunk::uniform(Voxel::AIR), OnceLock::new());
        (self.changed, self.pending, self.worked, self.is_listed) = (0, Vec::new(), 0, false);
    }

    /// True if a phase may change one of its voxels.
    pub fn is_pending(&self) -> bool {
        self.pending.iter().any(|&blocks| blocks != 0)
    }
}
