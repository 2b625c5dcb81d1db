//! A step as bytes: blocks of patches, each compressed as a whole with LZ4.
//!
//! ```text
//! block     until the bytes end, each:
//!           plain length   u32 (all numbers little-endian), at most 1 MiB
//!           data length    u32; equal to the plain length if the data are not packed
//!           data           one LZ4 block, or plain:
//! plain     count          LEB128: number of patches, at least 1
//!           positions      for each: x, y, z as differences from the patch before it in the block
//!                          (the first from 0), zigzag LEB128
//!           kinds          for each: u8, the forms of its parts
//!           lengths        for each: the lengths of its parts that the kind leaves open, LEB128
//!           masks          of all patches, one after the other
//!           before         likewise
//!           after          likewise
//! ```
//!
//! The chunks of a step ascend by x, then y, then z. Equal parts of neighbouring chunks follow each
//! other, so LZ4 shrinks uniform chunks to almost nothing. `history/patch_codec.rs` describes the
//! parts.

use super::old_patches::OldPatches;
use super::patch_codec::{self, EncodedPatch};
use super::{ChunkChange, StepError};
use crate::codec::varint;
use crate::save::StepBody;
use crate::voxel::ChunkPos;

/// Version of the format that [`pack`] writes.
const VERSION: u8 = 2;
/// Number of plain bytes from which on a block ends.
const BLOCK_BYTES: usize = 256 << 10;
/// Maximum number of plain bytes in a block.
const MAX_BLOCK_BYTES: usize = 1 << 20;
/// Number of bytes before the data of a block.
const HEADER_BYTES: usize = 8;

/// Packs changed chunks, which must ascend by position.
pub(super) fn pack(changes: &[ChunkChange]) -> StepBody {
    let mut bytes = Vec::new();
    let mut block = BlockWriter::default();
    for change in changes {
        block.add(change.pos, patch_codec::encode(change));
        if block.plain_bytes >= BLOCK_BYTES {
            std::mem::take(&mut block).append_to(&mut bytes);
        }
    }
    if block.count > 0 {
        block.append_to(&mut bytes);
    }
    StepBody { version: VERSION, bytes: bytes.into() }
}

/// Upper bound of the bytes of packed changes, estimated from their numbers of runs.
pub(super) fn estimated_bytes(changes: &[ChunkChange]) -> u64 {
    changes.iter().map(patch_codec::estimated_bytes).sum::<u64>() + 64
}

/// A block while it is written.
#[derive(Default)]
struct BlockWriter {
    count: u32,
    last: [i32; 3],
    positions: Vec<u8>,
    kinds: Vec<u8>,
    lengths: Vec<u8>,
    /// Columns of the masks, values before and values after.
    parts: [Vec<u8>; 3],
    plain_bytes: usize,
}

impl BlockWriter {
    fn add(&mut self, pos: ChunkPos, patch: EncodedPatch) {
        self.count += 1;
        let pos = pos.as_ivec3().to_array();
        for (now, last) in pos.into_iter().zip(self.last) {
            let offset = now.wrapping_sub(last);
            varint::push(&mut self.positions, ((offset << 1) ^ (offset >> 31)) as u32);
        }
        self.last = pos;
        self.kinds.push(patch.kind);
        for ((part, column), fixed) in
            patch.parts.iter().zip(&mut self.parts).zip(patch_codec::fixed_lengths(patch.kind))
        {
            if fixed.is_none() {
                varint::push(&mut self.lengths, part.len() as u32);
            }
            column.extend_from_slice(part);
        }
        self.plain_bytes = self.positions.len()
            + self.kinds.len()
            + self.lengths.len()
            + self.parts.iter().map(Vec::len).sum::<usize>();
    }

    fn append_to(self, out: &mut Vec<u8>) {
        let mut plain = Vec::with_capacity(self.plain_bytes + 5);
        varint::push(&mut plain, self.count);
        [&self.positions, &self.kinds, &self.lengths].into_iter().chain(&self.parts).for_each(
            |column| {
                plain.extend_from_slice(column);
            },
        );
        let packed = lz4_flex::block::compress(&plain);
        let data = if packed.len() < plain.len() { &packed } else { &plain };
        out.extend(
            [plain.len(), data.len()].into_iter().flat_map(|length| (length as u32).to_le_bytes()),
        );
        out.extend_from_slice(data);
    }
}

/// Iterator over the changes of a packed step. Ends after an error.
pub struct StepChanges<'a>(Format<'a>);

enum Format<'a> {
    Old(OldPatches<'a>),
    Blocks(Blocks<'a>),
    Unknown(u8),
    Ended,
}

impl<'a> StepChanges<'a> {
    /// Creates an iterator over the changes of a step of a map with `material_count` materials.
    /// Voxels that do not change are equal in `before` and `after`.
    #[must_use]
    pub fn new(body: &'a StepBody, material_count: usize) -> StepChanges<'a> {
        StepChanges(match body.version {
            1 => Format::Old(OldPatches::new(&body.bytes, material_count)),
            VERSION => Format::Blocks(Blocks {
                bytes: &body.bytes,
                at: 0,
                material_count,
                last: None,
                block: BlockReader::default(),
            }),
            other => Format::Unknown(other),
        })
    }
}

impl Iterator for StepChanges<'_> {
    type Item = Result<ChunkChange, StepError>;

    fn next(&mut self) -> Option<Result<ChunkChange, StepError>> {
        let change = match &mut self.0 {
            Format::Old(patches) => patches.next()?,
            Format::Blocks(blocks) => blocks.next().transpose()?,
            Format::Unknown(version) => Err(StepError::Version(*version)),
            Format::Ended => return None,
        };
        if change.is_err() {
            self.0 = Format::Ended;
        }
        Some(change)
    }
}

/// Reader of blocks.
struct Blocks<'a> {
    bytes: &'a [u8],
    /// Offset of the next block.
    at: usize,
    material_count: usize,
    /// Position of the last patch, to check that positions ascend.
    last: Option<ChunkPos>,
    block: BlockReader,
}

/// A block while it is read.
#[derive(Default)]
struct BlockReader {
    plain: Vec<u8>,
    positions: Vec<ChunkPos>,
    kinds: Vec<u8>,
    /// Lengths of the parts of each patch.
    lengths: Vec<[usize; 3]>,
    /// Offsets of the next mask, values before and values after.
    parts: [usize; 3],
    /// Index of the next patch in the block.
    next: usize,
}

impl Blocks<'_> {
    fn next(&mut self) -> Result<Option<ChunkChange>, StepError> {
        if self.block.next == self.block.kinds.len() {
            if self.at >= self.bytes.len() {
                return Ok(None);
            }
            let at = self.at;
            self.block = self.read_block()?.ok_or(StepError::Block { at })?;
        }
        let block = &mut self.block;
        let index = block.next;
        let pos = block.positions[index];
        if self.last.is_some_and(|last| last >= pos) {
            return Err(StepError::DuplicateChunk { pos });
        }
        self.last = Some(pos);
        let mut parts = [&[][..]; 3];
        for ((part, at), length) in parts.iter_mut().zip(&mut block.parts).zip(block.lengths[index])
        {
            // `BlockReader::parse` has checked that all parts lie in the block.
            *part = &block.plain[*at..*at + length];
            *at += length;
        }
        block.next += 1;
        let change = patch_codec::decode(pos, block.kinds[index], parts, self.material_count);
        change.map(Some).map_err(|source| StepError::Patch { pos, source })
    }

    /// Reads the next block; `None` if its content is malformed.
    fn read_block(&mut self) -> Result<Option<BlockReader>, StepError> {
        let at = self.at;
        let truncated = || StepError::Truncated { at };
        let (header, rest) =
            self.bytes[at..].split_first_chunk::<HEADER_BYTES>().ok_or_else(truncated)?;
        let word = |i: usize| {
            u32::from_le_bytes([header[i], header[i + 1], header[i + 2], header[i + 3]]) as usize
        };
        let plain_len = word(0);
        let data_len = word(4);
        let data = rest.get(..data_len).ok_or_else(truncated)?;
        self.at = at + HEADER_BYTES + data_len;
        if plain_len > MAX_BLOCK_BYTES || data_len > plain_len {
            return Ok(None);
        }
        let plain = if data_len == plain_len {
            data.to_vec()
        } else {
            match lz4_flex::block::decompress(data, plain_len) {
                Ok(plain) if plain.len() == plain_len => plain,
                _ => return Ok(None),
            }
        };
        Ok(BlockReader::parse(plain))
    }
}

impl BlockReader {
    fn parse(plain: Vec<u8>) -> Option<BlockReader> {
        let mut at = 0;
        let count = number(&plain, &mut at)? as usize;
        // Each patch takes at least three bytes of position and one of its kind.
        if count == 0 || count > plain.len() / 4 {
            return None;
        }
        let mut positions = Vec::with_capacity(count);
        let mut last = [0i32; 3];
        for _ in 0..count {
            for coordinate in &mut last {
                let zigzag = number(&plain, &mut at)?;
                *coordinate =
                    coordinate.wrapping_add((zigzag >> 1) as i32 ^ -((zigzag & 1) as i32));
            }
            let pos = ChunkPos::new(last[0], last[1], last[2]);
            positions.push(pos);
            if !pos.in_world() {
                return None;
            }
        }
        let kinds_at = at;
        let kinds = plain.get(kinds_at..kinds_at + count)?.to_vec();
        at += count;
        let mut lengths = Vec::with_capacity(count);
        let mut totals = [0usize; 3];
        for &kind in &kinds {
            if !patch_codec::is_kind(kind) {
                return None;
            }
            let mut three = [0; 3];
            for ((length, fixed), total) in
                three.iter_mut().zip(patch_codec::fixed_lengths(kind)).zip(&mut totals)
            {
                *length = match fixed {
                    Some(length) => length,
                    None => number(&plain, &mut at)? as usize,
                };
                *total = total.checked_add(*length)?;
            }
            lengths.push(three);
        }
        let parts =
            [at, at.checked_add(totals[0])?, at.checked_add(totals[0])?.checked_add(totals[1])?];
        let is_complete = parts[2].checked_add(totals[2])? == plain.len();
        is_complete.then_some(BlockReader { plain, positions, kinds, lengths, parts, next: 0 })
    }
}

/// Reads the LEB128 number at `at` and moves `at` behind it; `None` if it is malformed.
fn number(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let next = || {
        let byte = bytes.get(*at).copied().ok_or(());
        *at += 1;
        byte
    };
    varint::read::<5, _>(next).ok()
}
