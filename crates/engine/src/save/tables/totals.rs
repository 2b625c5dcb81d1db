//! Sums over the chunks of a map.

use crate::save::format::ChunkCodec;
use serde::Serialize;

/// Sums over the chunks of one codec.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct CodecTotals {
    /// Number of chunks.
    pub chunks: u64,
    /// Length in bytes as byte-RLE.
    pub rle_bytes: u64,
    /// Length in bytes as stored, without frames.
    pub data_bytes: u64,
}

/// Sums over a map's chunks, and the size of its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Number of chunks, bad ones included.
    pub chunks: u64,
    /// Length in bytes as byte-RLE.
    pub rle_bytes: u64,
    /// Length in bytes as stored, without frames.
    pub data_bytes: u64,
    /// The same sums by codec, in the order of [`ChunkCodec::ALL`](crate::save::ChunkCodec::ALL),
    /// without chunks whose codec is unknown because their records are bad.
    pub codecs: [CodecTotals; ChunkCodec::ALL.len()],
    /// Length in bytes as stored, with each record's frame of 32 bytes.
    pub stored_bytes: u64,
    /// Size in bytes of the file, with its write-ahead log while the map is open.
    pub file_bytes: u64,
    /// Number of chunks with bad records.
    pub bad: u64,
}
