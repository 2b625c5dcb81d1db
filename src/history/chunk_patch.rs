//! A box of one chunk before and after an edit, both packed.
//!
//! As in the Roblox text, a box of voxels uses the encoding of the map file, which is fast and
//! small. That encoding holds whole chunks, so the voxels of the box are listed in a chunk's linear
//! order, followed by air.
//!
//! ```text
//! position  the chunk's x, y, z, i32 each (all numbers little-endian)
//! box       lowest voxel within the chunk, u8 each, and one past the highest, u8 each
//! lengths   of `before` and `after`, u32 each
//! before    byte-RLE
//! after     byte-RLE
//! ```

use super::{Direction, StepError};
use crate::codec::byte_rle::{self, ByteRleError};
use crate::runs::RunBuilder;
use crate::voxel::{Box3, CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, Voxel};
use crate::world::{Chunk, row_ranges};
use glam::IVec3;

/// The change of an edit within one chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChunkPatch<'a> {
    pos: ChunkPos,
    /// Lowest voxel of the box within the chunk.
    min: IVec3,
    /// One past the highest voxel of the box within the chunk.
    max: IVec3,
    before: &'a [u8],
    after: &'a [u8],
}

/// Bytes in front of `before`.
pub(super) const HEADER_BYTES: usize = 3 * 4 + 3 + 3 + 2 * 4;

fn covers_chunk(min: IVec3, max: IVec3) -> bool {
    (min, max) == (IVec3::ZERO, IVec3::splat(CHUNK_SIDE))
}

/// Encodes the voxels `min..max` of a chunk.
fn pack(chunk: &Chunk, min: IVec3, max: IVec3) -> Vec<u8> {
    if covers_chunk(min, max) {
        return byte_rle::encode(chunk);
    }
    let mut runs = RunBuilder::new();
    row_ranges(min, max).for_each(|range| chunk.runs_in(range).for_each(|run| runs.push(run.len, run.voxel)));
    runs.push((CHUNK_VOLUME - runs.position()) as u32, Voxel::AIR);
    byte_rle::encode(&runs.finish())
}

/// Appends the patch for the part of `area` in the chunk at `pos`. Appends nothing if no voxel
/// differs.
pub(super) fn write(out: &mut Vec<u8>, pos: ChunkPos, area: Box3, before: &Chunk, after: &Chunk) {
    let part = area.intersection(pos.bounds());
    if part.is_empty() {
        return;
    }
    let (min, max) = (part.min - pos.origin(), part.max - pos.origin());
    let (before, after) = (pack(before, min, max), pack(after, min, max));
    // Runs are canonical, so equal content has equal bytes.
    if before == after {
        return;
    }
    out.extend(pos.as_ivec3().to_array().into_iter().flat_map(i32::to_le_bytes));
    out.extend(min.to_array().into_iter().chain(max.to_array()).map(|c| c as u8));
    out.extend([&before, &after].into_iter().flat_map(|side| (side.len() as u32).to_le_bytes()));
    out.extend(before);
    out.extend(after);
}

impl<'a> ChunkPatch<'a> {
    /// Splits the patch at byte `at` off `bytes`. Returns it and the offset of the next one. The
    /// packed voxels are not checked.
    ///
    /// # Errors
    /// The patch is truncated, or its position or box is invalid.
    pub(super) fn read(bytes: &'a [u8], at: usize) -> Result<(ChunkPatch<'a>, usize), StepError> {
        let truncated = StepError::Truncated { at };
        let rest = bytes.get(at..).unwrap_or_default();
        let (header, rest) = rest.split_first_chunk::<HEADER_BYTES>().ok_or_else(|| truncated.clone())?;
        let word = |i: usize| i32::from_le_bytes([header[i], header[i + 1], header[i + 2], header[i + 3]]);
        let corner = |i: usize| IVec3::new(header[i].into(), header[i + 1].into(), header[i + 2].into());
        let pos = ChunkPos::new(word(0), word(4), word(8));
        let (min, max) = (corner(12), corner(15));
        if !(pos.in_world() && min.cmplt(max).all() && max.max_element() <= CHUNK_SIDE) {
            return Err(StepError::InvalidBox { at });
        }
        let split = |i: usize, bytes: &'a [u8]| {
            bytes.split_at_checked(word(i) as u32 as usize).ok_or_else(|| truncated.clone())
        };
        let (before, rest) = split(18, rest)?;
        let (after, rest) = split(22, rest)?;
        Ok((ChunkPatch { pos, min, max, before, after }, bytes.len() - rest.len()))
    }

    /// Checks that the patch can be applied in both directions.
    ///
    /// # Errors
    /// The packed voxels are malformed, or name a material beyond a table of `material_count`.
    pub(super) fn check(&self, material_count: usize) -> Result<(), ByteRleError> {
        [self.before, self.after].into_iter().try_for_each(|side| byte_rle::decode(side, material_count).map(drop))
    }

    /// Position of the chunk.
    #[must_use]
    pub fn pos(&self) -> ChunkPos {
        self.pos
    }

    /// The box, in voxels of the world.
    #[must_use]
    pub fn area(&self) -> Box3 {
        Box3 { min: self.pos.origin() + self.min, max: self.pos.origin() + self.max }
    }

    /// `chunk` with the box as it was before (undo) or after (redo) the edit.
    ///
    /// # Errors
    /// The packed voxels are malformed. An [`EditStep`](super::EditStep) holds only checked
    /// patches.
    pub fn apply_to(&self, chunk: &Chunk, direction: Direction) -> Result<Chunk, ByteRleError> {
        let bytes = match direction {
            Direction::Undo => self.before,
            Direction::Redo => self.after,
        };
        let packed = byte_rle::decode(bytes, Voxel::MAX_MATERIALS)?;
        if covers_chunk(self.min, self.max) {
            return Ok(packed);
        }
        let mut at = 0;
        let runs = row_ranges(self.min, self.max).flat_map(|range| {
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
