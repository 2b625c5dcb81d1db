//! A chunk that rules change or read.

use super::amounts::DEFICIT_BITS;
use super::block_set::BlockSet;
use super::kinds::{RuleKindSet, RuleKinds};
use super::planes::{Planes, kinds_in};
use super::rows::Rows;
use super::summary::Summary;
use crate::voxel::{ChunkPos, MOORE_LEN, Voxel};
use crate::world::Chunk;
use std::sync::OnceLock;

/// Kind and amount of a voxel.
#[derive(Clone, Copy)]
pub(super) struct KindAmount {
    pub kind: RuleKindSet,
    /// Amount of matter, in 256ths of a voxel; 0 for air.
    pub amount: u32,
    /// True if water stands in what the voxel leaves free.
    pub is_wet: bool,
}

/// A chunk and its planes. The planes are read on first use, because most neighbours of active
/// chunks are never read.
pub(super) struct ActiveChunk {
    /// Position of the chunk.
    pub pos: ChunkPos,
    /// The chunk as runs, without the changes that `changed` lists.
    pub tree: Chunk,
    planes: OnceLock<Planes>,
    /// The kinds in the chunk, and possibly a few that it no longer holds.
    pub kinds: RuleKindSet,
    /// Blocks with changes that are not in `tree` yet.
    pub changed: BlockSet,
    /// Blocks where each phase may change a voxel.
    pub pending: Vec<BlockSet>,
    /// Blocks in which a phase has acted in this step.
    pub worked: BlockSet,
    /// Numbers of the chunks in the Moore neighbourhood; `None` for chunks that are not loaded.
    pub around: [Option<u32>; MOORE_LEN],
    /// True while the chunk is in the list of chunks with pending blocks.
    pub is_listed: bool,
    /// Last step in which the chunk was in the list of chunks with pending blocks.
    pub(crate) last_active: u64,
}

impl ActiveChunk {
    /// Creates a chunk in which nothing is pending.
    pub fn new(pos: ChunkPos, tree: Chunk, kinds: &RuleKinds, phases: usize) -> ActiveChunk {
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

    /// The planes of the chunk's voxels.
    #[inline(always)]
    pub fn planes(&self, kinds: &RuleKinds) -> &Planes {
        self.planes.get_or_init(|| Planes::read(&self.tree, kinds))
    }

    /// Kinds of matter in each block; [`Summary::UNKNOWN`] before the planes are read.
    pub fn summary(&self) -> &Summary {
        self.planes.get().map_or(&Summary::UNKNOWN, Planes::summary)
    }

    /// A voxel by its index in the chunk. Read from the planes, which include changes that `tree`
    /// still lacks.
    pub(crate) fn changed_voxel(&self, index: usize, kinds: &RuleKinds) -> KindAmount {
        let planes = self.planes(kinds).block(index / 256);
        let row = index / 32 % 8;
        let x = index % 32;
        let bits = planes
            .iter()
            .enumerate()
            .fold(0, |all, (bit, rows)| all | (rows.0[row] >> x & 1) << bit);
        let code = (bits & ((1 << kinds.planes()) - 1)) as u8;
        let deficit = bits >> kinds.planes() & 0xFF;
        let amount = if code == kinds.air_code() { 0 } else { 256 - deficit };
        let is_wet = bits >> (kinds.planes() + DEFICIT_BITS) != 0;
        KindAmount { kind: kinds.set_of_code(code), amount, is_wet }
    }

    /// Replaces the planes of a block.
    pub(crate) fn set_block(&mut self, number: usize, block: &[Rows], kinds: &RuleKinds) {
        self.planes(kinds);
        if let Some(planes) = self.planes.get_mut() {
            planes.set_block(number, block);
        }
    }

    /// Replaces the chunk by an edited version. Drops changes not yet written to `tree`.
    pub fn replace(&mut self, tree: Chunk, kinds: &RuleKinds) {
        self.kinds = kinds_in(&tree, kinds);
        self.tree = tree;
        self.planes = OnceLock::new();
        self.changed = 0;
    }

    /// Writes all changes to `tree`. Returns false if no voxel has changed.
    pub(crate) fn write_changes(&mut self, kinds: &RuleKinds) -> bool {
        let changed = std::mem::take(&mut self.changed);
        if changed == 0 {
            return false;
        }
        let Some(tree) = self.planes(kinds).to_tree(&self.tree, changed, kinds) else {
            return false;
        };
        self.tree = tree;
        true
    }

    /// Frees the memory of a chunk that is no longer used.
    pub fn release(&mut self) {
        self.tree = Chunk::uniform(Voxel::AIR);
        self.planes = OnceLock::new();
        self.changed = 0;
        self.pending = Vec::new();
        self.worked = 0;
        self.is_listed = false;
    }

    /// True if a phase may change a voxel of the chunk.
    pub fn is_pending(&self) -> bool {
        self.pending.iter().any(|&blocks| blocks != 0)
    }
}
