//! A part of a chunk as it was before an edit and as it was after, both packed.
//!
//! As in the Roblox text, a box of voxels is packed with the encoding that files use, which is quick and small. Here it is that
//! of whole chunks: the voxels of the box stand in a chunk's linear order one after the other, and air behind them.

use crate::runs::RunBuilder;
use crate::save::rle::{self, RleError};
use crate::voxel::{Box3, CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, Voxel};
use crate::world::{Chunk, row_ranges};
use glam::IVec3;

/// What an allocation takes beside its content, about.
pub(super) const ALLOCATION: usize = 16;

/// Which of the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// As it was before the edit.
    Before,
    /// As it was after it.
    After,
}

/// What an edit did within one chunk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Patch {
    pos: ChunkPos,
    /// The lowest voxel of the box, and one past the highest, within the chunk.
    lo: IVec3,
    hi: IVec3,
    before: Box<[u8]>,
    after: Box<[u8]>,
}

fn is_whole(lo: IVec3, hi: IVec3) -> bool {
    (lo, hi) == (IVec3::ZERO, IVec3::splat(CHUNK_SIDE))
}

/// Bytes of the voxels `lo..hi` of a chunk.
fn pack(chunk: &Chunk, lo: IVec3, hi: IVec3) -> Box<[u8]> {
    if is_whole(lo, hi) {
        return rle::encode(chunk).into();
    }
    let mut runs = RunBuilder::new();
    row_ranges(lo, hi).for_each(|range| chunk.runs_in(range).for_each(|run| runs.push(run.len, run.voxel)));
    runs.push((CHUNK_VOLUME - runs.position()) as u32, Voxel::AIR);
    rle::encode(&runs.finish()).into()
}

impl Patch {
    /// What became of the voxels of `area` in the chunk at `pos`, which was `before` and is `after`; none if nothing did.
    #[must_use]
    pub fn of(pos: ChunkPos, area: Box3, before: &Chunk, after: &Chunk) -> Option<Patch> {
        let part = area.intersection(pos.bounds());
        if part.is_empty() {
            return None;
        }
        let (lo, hi) = (part.min - pos.origin(), part.max - pos.origin());
        let (before, after) = (pack(before, lo, hi), pack(after, lo, hi));
        // Equal content has equal runs, and these have equal bytes.
        (before != after).then_some(Patch { pos, lo, hi, before, after })
    }

    /// The chunk.
    #[must_use]
    pub fn pos(&self) -> ChunkPos {
        self.pos
    }

    /// The box, in voxels of the world.
    #[must_use]
    pub fn area(&self) -> Box3 {
        Box3 { min: self.pos.origin() + self.lo, max: self.pos.origin() + self.hi }
    }

    /// Bytes of memory, with what the allocator takes for itself, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Patch>() + self.before.len() + self.after.len() + 2 * ALLOCATION
    }

    /// `chunk` with the box as it was on one side of the edit.
    ///
    /// # Errors
    /// The bytes are wrong, which those of this program are not.
    pub fn applied(&self, chunk: &Chunk, side: Side) -> Result<Chunk, RleError> {
        let bytes = if side == Side::Before { &self.before } else { &self.after };
        let packed = rle::decode(bytes, Voxel::MAX_MATERIALS)?;
        if is_whole(self.lo, self.hi) {
            return Ok(packed);
        }
        let mut at = 0;
        let runs = row_ranges(self.lo, self.hi).flat_map(|range| {
            let from = at;
            at += range.len();
            packed.runs_in(from..at).map(move |run| {
                let start = range.start + run.start as usize - from;
                (start..start + run.len as usize, run.voxel)
            })
        });
        let mut chunk = chunk.clone();
        chunk.set_ranges(runs);
        Ok(chunk)
    }
}
