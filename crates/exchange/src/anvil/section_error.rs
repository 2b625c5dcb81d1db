//! Reasons why a section cannot be converted to voxels.

use crate::minecraft::block_error::BlockError;

/// Reason why a section cannot be converted to voxels.
#[derive(thiserror::Error, Debug)]
pub(super) enum SectionError {
    #[error("sections are read from {} to {}", .0.start, .0.end - 1)]
    Height(std::ops::Range<i64>),
    #[error("{name} has {length} bytes, not {expected}")]
    ArrayLength { name: &'static str, length: usize, expected: usize },
    #[error("it has both block numbers and a palette")]
    IdsAndPalette,
    #[error("it has indices but no palette")]
    IndicesWithoutPalette,
    #[error("its blocks are in entries of unknown meaning: {0}")]
    UnknownLayout(String),
    #[error("it has data but no Blocks")]
    NoBlocks,
    #[error("its block_states have no palette")]
    NoPalette,
    #[error("its palette is empty")]
    EmptyPalette,
    #[error("its palette has {0} entries for 4096 blocks")]
    PaletteLength(usize),
    #[error("its palette has {0} entries, but there are no indices")]
    NoIndices(usize),
    #[error(
        "a palette of {palette} entries needs {padded} or {across} longs of indices, not {longs}"
    )]
    IndexLength { palette: usize, padded: usize, across: usize, longs: usize },
    #[error("block {block} has the index {index}, but the palette has {palette} entries")]
    IndexBeyondPalette { block: usize, index: u16, palette: usize },
    #[error(transparent)]
    Block(#[from] BlockError),
}
