//! Defects of single records: of a chunk, a material, the header, a baked set.

use super::frame::FrameError;
use crate::codec::byte_rle::ByteRleError;
use crate::codec::packed::PackedError;
use crate::codec::predicted::PredictedError;
use crate::visibility::bake::BakedSetsError;

/// Defect of a record. Callers add its place.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum RecordError {
    /// The frame is damaged, or frames another record.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// SQLite could not read the record.
    #[error("{0}")]
    Sqlite(String),
    /// The index of chunks names a row that is missing.
    #[error("row is missing")]
    MissingRow,
    /// The record's column holds a number or a text.
    #[error("column holds no bytes")]
    NotBytes,
    /// The row's coordinates are no chunk position.
    #[error("row has no valid position")]
    BadPosition,
    /// The number of an undo step or a named region is 0, negative or too high.
    #[error("row has no valid number")]
    BadNumber,
    /// A chunk beyond the world's limit.
    #[error("position lies outside the world")]
    OutsideWorld,
    /// The record is older than the index says.
    #[error("record is of save {found}, not {expected}")]
    OldRevision {
        /// Save that wrote the record.
        found: u32,
        /// Save that the index names.
        expected: u32,
    },
    /// A version of the content that this program does not know.
    #[error("unknown version {0}")]
    Version(u8),
    /// A codec that this program does not know.
    #[error("unknown codec {0}")]
    Codec(u8),
    /// Uncompressed content whose two lengths differ.
    #[error("stored and plain lengths differ")]
    LengthsDiffer,
    /// The plain length exceeds what a record of its kind can have.
    #[error("plain length of {0} bytes is impossible")]
    PlainLength(usize),
    /// LZ4 refused the data.
    #[error("LZ4: {0}")]
    Lz4(String),
    /// LZ4 gave another number of bytes than the frame says.
    #[error("LZ4 gives {found} bytes instead of {expected}")]
    Lz4Length {
        /// Bytes that LZ4 gave.
        found: usize,
        /// Bytes that the frame says.
        expected: usize,
    },
    /// Bad byte-RLE.
    #[error("byte-RLE: {0}")]
    Rle(#[from] ByteRleError),
    /// Bad predicted runs.
    #[error("predicted runs: {0}")]
    Predicted(#[from] PredictedError),
    /// Bad packed voxels.
    #[error("packed voxels: {0}")]
    Packed(#[from] PackedError),
    /// bincode refused the content, or the value to write.
    #[error("content: {0}")]
    Bincode(String),
    /// Bytes follow the content.
    #[error("{0} bytes follow the content")]
    Trailing(usize),
    /// The content ends before it is complete.
    #[error("content is cut short")]
    Truncated,
    /// A name that is empty, too long, or not in one line.
    #[error("content has no valid name")]
    Name,
    /// A value that exceeds the limit of its kind of record.
    #[error("content of {len} bytes exceeds the limit of {limit}")]
    TooLarge {
        /// Bytes of the content.
        len: usize,
        /// Limit of the kind of record, in bytes.
        limit: usize,
    },
    /// Bad visible sets.
    #[error("visible sets: {0}")]
    BakedSets(#[from] BakedSetsError),
    /// A baked record whose view distance differs from its row.
    #[error("baked for view {record}, but its row says otherwise")]
    ViewMismatch {
        /// View distance in the record.
        record: i32,
    },
    /// Baked visibility of a chunk that the map does not have.
    #[error("map has no such chunk")]
    NoSuchChunk,
}
