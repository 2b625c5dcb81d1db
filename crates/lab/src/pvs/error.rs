//! Errors of the inputs of the visibility table.

use super::baked_map::MAX_CELLS;
use super::{MAX_FILE_BYTES, MalformedFile};
use crate::input::InputError;
use std::path::PathBuf;
use stonerun_engine::save::{SaveError, io_reason};
use stonerun_engine::voxel::ChunkPos;

/// The reason why a file has no matrix to measure. The text is one line that names the file.
#[derive(Debug, thiserror::Error)]
pub enum PvsError {
    /// The map cannot be read, or is damaged.
    #[error(transparent)]
    Map(#[from] InputError),
    /// The extension belongs to no known format.
    #[error(
        "{}: unknown format; supported: baked maps, .pvs and .bsp (Quake, Half-Life, Quake III)",
        file.display()
    )]
    UnknownFormat {
        /// The file.
        file: PathBuf,
    },
    /// The file cannot be read.
    #[error("{}: {}", file.display(), io_reason(source))]
    Read {
        /// The file.
        file: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The file exceeds the limit of `MAX_FILE_BYTES`.
    #[error("{}: {bytes} bytes exceed the limit of {MAX_FILE_BYTES}", file.display())]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// Size of the file in bytes.
        bytes: u64,
    },
    /// The content is malformed.
    #[error("{}: {source}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Place and reason.
        source: MalformedFile,
    },
    /// No chunk of the map is baked.
    #[error("{}: the map is not baked; run `stonerun bake {}` first", file.display(), file.display())]
    NotBaked {
        /// The map.
        file: PathBuf,
    },
    /// Some chunks of the map are not baked.
    #[error(
        "{}: {baked} of {chunks} chunks are baked; `stonerun bake --view {view}` bakes the others",
        file.display()
    )]
    PartlyBaked {
        /// The map.
        file: PathBuf,
        /// Number of chunks of the map.
        chunks: u64,
        /// Number of baked chunks.
        baked: u64,
        /// View distance of the baked chunks, in chunks.
        view: i32,
    },
    /// Chunks of the map are baked for different view distances.
    #[error("{}: chunks are baked for views {} and {}; `stonerun bake` makes them equal", file.display(), views[0], views[1])]
    MixedViews {
        /// The map.
        file: PathBuf,
        /// Two of the view distances, in chunks.
        views: [i32; 2],
    },
    /// One chunk of the map is not baked.
    #[error("{}: chunk {pos} is not baked; `stonerun bake` bakes it", file.display())]
    ChunkNotBaked {
        /// The map.
        file: PathBuf,
        /// The chunk.
        pos: ChunkPos,
    },
    /// The matrix would exceed `MAX_FILE_BYTES`.
    #[error("{}: {cells} cells exceed the limit of {MAX_CELLS}", file.display())]
    TooManyCells {
        /// The map.
        file: PathBuf,
        /// Number of cells of the matrix.
        cells: usize,
    },
}

impl From<SaveError> for PvsError {
    fn from(error: SaveError) -> PvsError {
        PvsError::Map(error.into())
    }
}
