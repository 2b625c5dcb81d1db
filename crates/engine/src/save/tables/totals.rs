//! Sums over the chunks of a map.

use crate::save::format::ChunkCodec;
use serde::Serialize;

/// Sums over the chunks of one codec.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct CodecTotals {
    /// Number of chunks.
    pub chunks: u64,
    /// Bytes as byte-RLE.
    pub rle_bytes: u64,
    /// Bytes as stored.
    pub data_bytes: u64,
}

/// Sums over a map's chunks, and the size of its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Chunks, bad ones included.
    pub chunks: u64,
    /// Bytes as byte-RLE.
    pub rle_bytes: u64,
    /// Bytes as stored.
    pub data_bytes: u64,
    /// The same sums by codec, in the order of [`ChunkCodec::ALL`](crate::save::ChunkCodec::ALL).
    pub codecs: [CodecTotals; ChunkCodec::ALL.len()],
    /// Bytes as stored, with the 32 bytes of each record's frame.
    pub stored_bytes: u64,
    /// Bytes of the file, and of the write-ahead log while the map is open.
    pub file_bytes: u64,
    /// Chunks with bad records.
    pub bad: u64,
}
