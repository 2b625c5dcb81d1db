//! Steps of version 1, which maps up to format 4 hold: patches with the voxels of a box before and
//! after an edit.
//!
//! A box is encoded as a whole chunk: its voxels in a chunk's linear order, then air.
//!
//! ```text
//! position  the chunk's x, y, z, i32 each (all numbers little-endian)
//! box       lowest voxel within the chunk, u8 each, and one past the highest, u8 each
//! lengths   of `before` and `after`, u32 each
//! before    byte-RLE
//! after     byte-RLE
//! ```

use super::{ChunkChange, PatchError, StepError};
use crate::codec::byte_rle;
use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, Voxel};
use crate::world::{Chunk, row_ranges};
use glam::IVec3;
use rustc_hash::FxHashSet;

/// Number of bytes before the data of `before`.
const HEADER_BYTES: usize = 3 * 4 + 3 + 3 + 2 * 4;

/// Iterator over the changes of a step of version 1.
pub(super) struct OldPatches<'a> {
    bytes: &'a [u8],
    at: usize,
    material_count: usize,
    seen: FxHashSet<ChunkPos>,
}

impl<'a> OldPatches<'a> {
    /// Creates an iterator over the patches of a step, for a map of `material_count` materials.
    pub fn new(bytes: &'a [u8], material_count: usize) -> OldPatches<'a> {
        OldPatches { bytes, at: 0, material_count, seen: FxHashSet::default() }
    }

    /// Reads the next patch; `None` at the end. Boxes may contain voxels that do not change, but a
    /// patch without any change is an error.
    pub fn next(&mut self) -> Option<Result<ChunkChange, StepError>> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let change = self.read();
        if change.is_err() {
            self.at = self.bytes.len();
        }
        Some(change)
    }

    fn read(&mut self) -> Result<ChunkChange, StepError> {
        let at = self.at;
        let truncated = StepError::Truncated { at };
        let rest = &self.bytes[at..];
        let (header, rest) =
            rest.split_first_chunk::<HEADER_BYTES>().ok_or_else(|| truncated.clone())?;
        let word =
            |i: usize| i32::from_le_bytes([header[i], header[i + 1], header[i + 2], header[i + 3]]);
        let corner =
            |i: usize| IVec3::new(header[i].into(), header[i + 1].into(), header[i + 2].into());
        let pos = ChunkPos::new(word(0), word(4), word(8));
        let min = corner(12);
        let max = corner(15);
        if !(pos.in_world() && min.cmplt(max).all() && max.max_element() <= CHUNK_SIDE) {
            return Err(StepError::InvalidBox { at });
        }
        let split = |i: usize, bytes: &'a [u8]| {
            bytes.split_at_checked(word(i) as u32 as usize).ok_or_else(|| truncated.clone())
        };
        let (before, rest) = split(18, rest)?;
        let (after, rest) = split(22, rest)?;
        self.at = self.bytes.len() - rest.len();
        // Each patch allocates a chunk. Without this check a few bytes could demand very many
        // copies of one chunk.
        if !self.seen.insert(pos) {
            return Err(StepError::DuplicateChunk { pos });
        }
        let side = |bytes| {
            byte_rle::decode(bytes, self.material_count).map(|packed| in_place(&packed, min, max))
        };
        let changed =
            side(before).and_then(|before| Ok((before, side(after)?))).map_err(PatchError::from);
        changed
            .and_then(|(before, after)| {
                ChunkChange::new(pos, before, after).ok_or(PatchError::Unchanged)
            })
            .map_err(|source| StepError::Patch { pos, source })
    }
}

/// Returns a chunk with the voxels of a box in their places, and air elsewhere.
fn in_place(packed: &Chunk, min: IVec3, max: IVec3) -> Chunk {
    if (min, max) == (IVec3::ZERO, IVec3::splat(CHUNK_SIDE)) {
        return packed.clone();
    }
    let mut runs = RunBuilder::new();
    let mut taken = 0;
    for range in row_ranges(min, max) {
        runs.push((range.start - runs.position()) as u32, Voxel::AIR);
        packed.runs_in(taken..taken + range.len()).for_each(|run| runs.push(run.len, run.voxel));
        taken += range.len();
    }
    runs.push((CHUNK_VOLUME - runs.position()) as u32, Voxel::AIR);
    runs.finish()
}
