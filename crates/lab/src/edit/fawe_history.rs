//! The size of an edit in FastAsyncWorldEdit's history format (`FaweStreamChangeSet`, with its
//! default settings: redo kept, compression level 3, buffers of 531,441 bytes).
//!
//! A changed block is stored as its distance from the previous block along x, z and y, two bytes
//! each (low byte first), then the numbers of the old and the new block as varints. Blocks follow
//! each other section by section of 16^3, in columns of 16 x 16: x fastest, then z, then y. LZ4
//! compresses the stream, and its output twice more, in blocks of the buffer's size, each with a
//! header of 21 bytes.
//!
//! Here a block's number takes one byte, because the table has only a few different voxels. In
//! Minecraft, with thousands of block states, most numbers take two.
//!
//! Source: github.com/IntellectualSites/FastAsyncWorldEdit, `FaweStreamChangeSet`, `MainUtil`.

use crate::input::VoxelId;
use glam::IVec3;
use stonerun_engine::codec::varint;

/// Number of bytes that LZ4 compresses at a time.
const BUFFER: usize = 531_441;
/// Size of the header of an LZ4 block, in bytes: magic, token, two lengths, checksum.
const BLOCK_HEADER: usize = 21;
/// Size of the file's header, in bytes: compression, mode, version, origin.
const FILE_HEADER: usize = 11;
/// Number of nested LZ4 streams.
const STAGES: usize = 3;
/// Side of a section, in voxels.
pub(super) const SECTION: i32 = 16;

/// A history to which changed blocks are added one after another.
pub(super) struct FaweHistory {
    last: IVec3,
    buffers: [Vec<u8>; STAGES],
    /// Size of the finished blocks of the last stage, in bytes.
    bytes: usize,
}

impl FaweHistory {
    /// An empty history. Positions are relative to `origin`.
    pub fn new(origin: IVec3) -> FaweHistory {
        FaweHistory { last: origin, buffers: Default::default(), bytes: FILE_HEADER }
    }

    /// Adds a changed block.
    pub fn add(&mut self, at: IVec3, before: VoxelId, after: VoxelId) {
        let delta = at - self.last;
        self.last = at;
        let buffer = &mut self.buffers[0];
        for axis in [delta.x, delta.z, delta.y] {
            buffer.extend((axis as i16).to_le_bytes());
        }
        varint::push(buffer, before.into());
        varint::push(buffer, after.into());
        if self.buffers[0].len() >= BUFFER {
            self.flush(0, false);
        }
    }

    /// Compresses the full blocks of a stage's buffer into the next stage, and the rest if `all` is
    /// set.
    fn flush(&mut self, stage: usize, all: bool) {
        let input = std::mem::take(&mut self.buffers[stage]);
        let (blocks, rest) = input.as_chunks::<BUFFER>();
        let rest = if all {
            rest
        } else {
            self.buffers[stage].extend_from_slice(rest);
            &[]
        };
        for block in blocks
            .iter()
            .map(|block| &block[..])
            .chain([rest].into_iter().filter(|rest| !rest.is_empty()))
        {
            let packed = lz4_flex::block::compress(block);
            // Blocks that compression does not shrink are stored uncompressed.
            let packed = if packed.len() < block.len() { &packed[..] } else { block };
            self.emit(stage, packed, block);
        }
        if all {
            self.emit(stage, &[], &[]);
        }
    }

    /// Writes one compressed block of a stage to the next stage.
    fn emit(&mut self, stage: usize, packed: &[u8], block: &[u8]) {
        let Some(next) = self.buffers.get_mut(stage + 1) else {
            self.bytes += BLOCK_HEADER + packed.len();
            return;
        };
        next.extend(b"LZ4Block");
        next.push(if packed.len() < block.len() { 0x2A } else { 0x1A });
        for word in [packed.len() as u32, block.len() as u32, crc32fast::hash(block)] {
            next.extend(word.to_le_bytes());
        }
        next.extend(packed);
        if next.len() >= BUFFER {
            self.flush(stage + 1, false);
        }
    }

    /// Size of the finished history, in bytes.
    pub fn finish(mut self) -> u64 {
        for stage in 0..STAGES {
            self.flush(stage, true);
        }
        self.bytes as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Random;

    #[test]
    fn equal_blocks_in_rows_take_few_bytes_and_scattered_ones_many() {
        let mut row = FaweHistory::new(IVec3::ZERO);
        for i in 0..1_000_000 {
            row.add(IVec3::new(i % 16, i / 256, i / 16 % 16), 1, 2);
        }
        let mut scattered = FaweHistory::new(IVec3::ZERO);
        let mut random = Random::new(7);
        let mut place = || (random.draw() & 0xFFF) as i32;
        for _ in 0..100_000 {
            scattered.add(IVec3::new(place(), place(), place()), 1, 2);
        }
        let row = row.finish();
        let scattered = scattered.finish();
        assert!((200..6000).contains(&row), "{row}");
        assert!((300_000..900_000).contains(&scattered), "{scattered}");
    }

    #[test]
    fn empty_history_is_its_headers() {
        let bytes = FaweHistory::new(IVec3::ZERO).finish();
        assert!((FILE_HEADER as u64 + 21..100).contains(&bytes), "{bytes}");
    }
}
