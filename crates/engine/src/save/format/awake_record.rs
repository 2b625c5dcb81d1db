//! The record of awake blocks, in which rules may act.
//!
//! ```text
//! for each chunk, in ascending order of positions:
//!  bytes  content
//!      12 position: x, y, z, i32 LE
//!      16 blocks that edits have changed and rules have not seen, bit n for block n, u128 LE
//!      16 blocks in which rules may act, likewise
//!       8 number of the undo step that they follow from, 0 without one, u64 LE
//! ```
//!
//! A block is eight rows along x: block n is at y = n / 4 and z from 8 (n mod 4) of its chunk.

use super::frame::{self, FramedRecord, RecordKind};
use super::record_error::RecordError;
use crate::voxel::ChunkPos;

/// Version of the content.
const VERSION: u8 = 1;
/// Number of bytes per chunk.
const CHUNK_BYTES: usize = 52;

/// Awake blocks of a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AwakeChunk {
    /// Position of the chunk.
    pub pos: ChunkPos,
    /// Blocks that edits have changed and rules have not seen.
    pub edited: u128,
    /// Blocks in which rules may act.
    pub pending: u128,
    /// Number of the undo step from which the awake blocks follow; 0 without one.
    pub step: u64,
}

/// Awake blocks of a map. All other blocks are asleep until a voxel in them or next to them
/// changes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SavedAwake {
    /// The chunks, sorted by position.
    pub chunks: Vec<AwakeChunk>,
}

/// Encodes the record. It has room for 1.29 million chunks, five times the largest edit. Chunks
/// beyond that number are left out and fall asleep, which loses no voxel.
pub(in crate::save) fn write(awake: &SavedAwake, revision: u32) -> Vec<u8> {
    let max_chunks = RecordKind::Awake.max_data() / CHUNK_BYTES;
    let mut data = Vec::with_capacity(awake.chunks.len().min(max_chunks) * CHUNK_BYTES);
    for AwakeChunk { pos, edited, pending, step } in awake.chunks.iter().take(max_chunks) {
        for part in [pos.x, pos.y, pos.z] {
            data.extend(part.to_le_bytes());
        }
        data.extend(edited.to_le_bytes());
        data.extend(pending.to_le_bytes());
        data.extend(step.to_le_bytes());
    }
    frame::seal(RecordKind::Awake, VERSION, revision, ChunkPos::default(), data.len(), &data)
}

/// Decodes a record.
pub(in crate::save) fn read(record: &FramedRecord<'_>) -> Result<SavedAwake, RecordError> {
    if record.frame.codec != VERSION {
        return Err(RecordError::Version(record.frame.codec));
    }
    let (chunks, rest) = record.data.as_chunks::<CHUNK_BYTES>();
    if !rest.is_empty() {
        return Err(RecordError::Trailing(rest.len()));
    }
    Ok(SavedAwake { chunks: chunks.iter().map(read_chunk).collect() })
}

fn read_chunk(bytes: &[u8; CHUNK_BYTES]) -> AwakeChunk {
    let coordinate = |at: usize| i32::from_le_bytes(array(bytes, at));
    AwakeChunk {
        pos: ChunkPos::new(coordinate(0), coordinate(4), coordinate(8)),
        edited: u128::from_le_bytes(array(bytes, 12)),
        pending: u128::from_le_bytes(array(bytes, 28)),
        step: u64::from_le_bytes(array(bytes, 44)),
    }
}

fn array<const N: usize>(bytes: &[u8; CHUNK_BYTES], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[at + i])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn awake() -> SavedAwake {
        let chunk = |x: i32, step| AwakeChunk {
            pos: ChunkPos::new(x, -7, i32::MAX),
            edited: 1 << 127 | 5,
            pending: u128::MAX - 1,
            step,
        };
        SavedAwake { chunks: vec![chunk(-3, 0), chunk(9, u64::MAX)] }
    }

    #[test]
    fn record_round_trips_and_bad_ones_are_refused() {
        for awake in [awake(), SavedAwake::default()] {
            let bytes = write(&awake, 4);
            assert_eq!(read(&frame::parse(&bytes).unwrap()), Ok(awake));
        }
        let sealed = |version, len: usize| {
            let data = vec![1; len];
            frame::seal(RecordKind::Awake, version, 1, ChunkPos::default(), len, &data)
        };
        let read = |bytes: &[u8]| read(&frame::parse(bytes).unwrap());
        assert_eq!(read(&sealed(2, CHUNK_BYTES)), Err(RecordError::Version(2)));
        assert_eq!(read(&sealed(1, CHUNK_BYTES + 3)), Err(RecordError::Trailing(3)));
    }

    #[test]
    fn chunks_beyond_the_limit_are_left_out() {
        let max_chunks = RecordKind::Awake.max_data() / CHUNK_BYTES;
        let many = SavedAwake { chunks: vec![awake().chunks[0]; max_chunks + 9] };
        let bytes = write(&many, 1);
        assert_eq!(read(&frame::parse(&bytes).unwrap()).unwrap().chunks.len(), max_chunks);
    }
}
