//! A part of a chunk as it was before an edit and as it was after, both packed.
//!
//! As in the Roblox text, a box of voxels is packed with the encoding that files use, which is quick and small. Here it is that
//! of whole chunks: the voxels of the box stand in a chunk's linear order one after the other, and air behind them.
//!
//! ```text
//! place     the chunk's x, y, z, i32 each (all numbers little-endian)
//! box       lowest voxel within the chunk, u8 each, and one past the highest, u8 each
//! lengths   of the two that follow, u32 each
//! before    byte-RLE
//! after     byte-RLE
//! ```

use crate::codec::byte_rle::{self, RleError};
use crate::runs::RunBuilder;
use crate::voxel::{Box3, CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, Voxel};
use crate::world::{Chunk, row_ranges};
use glam::IVec3;

/// Which of the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// As it was before the edit.
    Before,
    /// As it was after it.
    After,
}

/// What an edit did within one chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patch<'a> {
    pos: ChunkPos,
    /// The lowest voxel of the box, and one past the highest, within the chunk.
    lo: IVec3,
    hi: IVec3,
    before: &'a [u8],
    after: &'a [u8],
}

/// Bytes before those of the voxels.
const HEAD: usize = 3 * 4 + 3 + 3 + 2 * 4;

fn is_whole(lo: IVec3, hi: IVec3) -> bool {
    (lo, hi) == (IVec3::ZERO, IVec3::splat(CHUNK_SIDE))
}

/// Bytes of the voxels `lo..hi` of a chunk.
fn pack(chunk: &Chunk, lo: IVec3, hi: IVec3) -> Vec<u8> {
    if is_whole(lo, hi) {
        return byte_rle::encode(chunk);
    }
    let mut runs = RunBuilder::new();
    row_ranges(lo, hi).for_each(|range| chunk.runs_in(range).for_each(|run| runs.push(run.len, run.voxel)));
    runs.push((CHUNK_VOLUME - runs.position()) as u32, Voxel::AIR);
    byte_rle::encode(&runs.finish())
}

/// Appends what became of the voxels of `area` in the chunk at `pos`, which was `before` and is `after`; nothing if nothing did.
pub(super) fn write(out: &mut Vec<u8>, pos: ChunkPos, area: Box3, before: &Chunk, after: &Chunk) {
    let part = area.intersection(pos.bounds());
    if part.is_empty() {
        return;
    }
    let (lo, hi) = (part.min - pos.origin(), part.max - pos.origin());
    let (before, after) = (pack(before, lo, hi), pack(after, lo, hi));
    // Equal content has equal runs, and these have equal bytes.
    if before == after {
        return;
    }
    out.extend(pos.as_ivec3().to_array().into_iter().flat_map(i32::to_le_bytes));
    out.extend(lo.to_array().into_iter().chain(hi.to_array()).map(|c| c as u8));
    out.extend([&before, &after].into_iter().flat_map(|side| (side.len() as u32).to_le_bytes()));
    out.extend(before);
    out.extend(after);
}

impl<'a> Patch<'a> {
    /// The patch that `bytes` begin with, and the rest.
    ///
    /// # Errors
    /// It is cut off, or its box cannot be. What it does is not looked at.
    pub(super) fn read(bytes: &'a [u8]) -> Result<(Patch<'a>, &'a [u8]), &'static str> {
        let (head, rest) = bytes.split_first_chunk::<HEAD>().ok_or("it is cut off")?;
        let word = |at: usize| i32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let three = |at: usize| IVec3::new(i32::from(head[at]), i32::from(head[at + 1]), i32::from(head[at + 2]));
        let pos = ChunkPos::new(word(0), word(4), word(8));
        let (lo, hi) = (three(12), three(15));
        if !(pos.in_world() && lo.cmplt(hi).all() && hi.max_element() <= CHUNK_SIDE) {
            return Err("a box cannot be");
        }
        let side = |at: usize, bytes: &'a [u8]| bytes.split_at_checked(word(at) as u32 as usize).ok_or("it is cut off");
        let (before, rest) = side(18, rest)?;
        let (after, rest) = side(22, rest)?;
        Ok((Patch { pos, lo, hi, before, after }, rest))
    }

    /// Makes sure that it can be applied in both directions.
    ///
    /// # Errors
    /// The bytes of a side are wrong, or name a material that is not in a table of so many.
    pub(super) fn check(&self, materials: usize) -> Result<(), RleError> {
        [self.before, self.after].into_iter().try_for_each(|side| byte_rle::decode(side, materials).map(drop))
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

    /// `chunk` with the box as it was on one side of the edit.
    ///
    /// # Errors
    /// The bytes are wrong, which those of this program are not.
    pub fn applied(&self, chunk: &Chunk, side: Side) -> Result<Chunk, RleError> {
        let bytes = if side == Side::Before { self.before } else { self.after };
        let packed = byte_rle::decode(bytes, Voxel::MAX_MATERIALS)?;
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
