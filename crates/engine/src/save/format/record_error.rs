//! Errors of single records.

use super::frame::FrameError;
use crate::codec::byte_rle::ByteRleError;
use crate::codec::packed::PackedError;
use crate::codec::predicted::PredictedError;
use crate::visibility::bake::BakedSetsError;
use crate::voxel::MaterialId;

/// Error of a record. Callers add the record's place.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum RecordError {
    /// The frame is bad, or belongs to another record.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// SQLite could not read the record.
    #[error("{0}")]
    Sqlite(String),
    /// The index of chunks names a row that is missing.
    #[error("row is missing")]
    MissingRow,
    /// The column of the record holds a number or a text instead of bytes.
    #[error("column holds no bytes")]
    NotBytes,
    /// The row's coordinates are not a chunk position.
    #[error("row has no valid position")]
    BadPosition,
    /// The number of an undo step or a named region is 0, negative or too high.
    #[error("row has no valid number")]
    BadNumber,
    /// The chunk is outside the world.
    #[error("position lies outside the world")]
    OutsideWorld,
    /// The record is older than the index says.
    #[error("record is of save {found}, not {expected}")]
    OldRevision {
        /// Revision in the record.
        found: u32,
        /// Revision in the index.
        expected: u32,
    },
    /// The version of the content is unknown to this program.
    #[error("unknown version {0}")]
    Version(u8),
    /// The codec is unknown to this program.
    #[error("unknown codec {0}")]
    Codec(u8),
    /// The plain length of uncompressed content differs from its data length.
    #[error("stored and plain lengths differ")]
    LengthsDiffer,
    /// The plain length exceeds the maximum of this kind of record.
    #[error("plain length of {0} bytes is impossible")]
    PlainLength(usize),
    /// LZ4 could not decompress the data.
    #[error("LZ4: {0}")]
    Lz4(String),
    /// LZ4 returned another number of bytes than the frame says.
    #[error("LZ4 gives {found} bytes instead of {expected}")]
    Lz4Length {
        /// Number of bytes that LZ4 returned.
        found: usize,
        /// Number of bytes that the frame says.
        expected: usize,
    },
    /// Malformed byte-RLE.
    #[error("byte-RLE: {0}")]
    Rle(#[from] ByteRleError),
    /// Malformed predicted runs.
    #[error("predicted runs: {0}")]
    Predicted(#[from] PredictedError),
    /// Malformed packed voxels.
    #[error("packed voxels: {0}")]
    Packed(#[from] PackedError),
    /// Liquid stands in a material that is itself a gas or a liquid.
    #[error("material {0} is a gas or a liquid but holds liquid")]
    WetFluid(MaterialId),
    /// bincode could not decode the content, or encode the value.
    #[error("content: {0}")]
    Bincode(String),
    /// The style of the ground is unknown to this program.
    #[error("unknown ground \"{0}\"")]
    Ground(String),
    /// Bytes follow the content.
    #[error("{0} bytes follow the content")]
    Trailing(usize),
    /// The content ends before it is complete.
    #[error("content is cut short")]
    Truncated,
    /// The name is empty, too long, or not on one line.
    #[error("content has no valid name")]
    Name,
    /// The surface of an undo step is unknown, or its parameter is out of range.
    #[error("content has no valid surface")]
    Surface,
    /// An undo step changes the surface of a material that the map lacks, or that cannot have such
    /// a surface.
    #[error("changes the surface of material {0}, which is missing or no solid block")]
    SurfaceOf(MaterialId),
    /// The content exceeds the limit of its kind of record.
    #[error("content of {len} bytes exceeds the limit of {limit}")]
    TooLarge {
        /// Length of the content in bytes.
        len: usize,
        /// Limit of the kind of record, in bytes.
        limit: usize,
    },
    /// Malformed visible sets.
    #[error("visible sets: {0}")]
    BakedSets(#[from] BakedSetsError),
    /// The view distance of a baked record differs from the view distance in its row.
    #[error("baked for view {record}, but its row says otherwise")]
    ViewMismatch {
        /// View distance in the record.
        record: i32,
    },
    /// The map has no chunk for the baked visibility.
    #[error("map has no such chunk")]
    NoSuchChunk,
}
