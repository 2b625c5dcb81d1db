//! Errors of palettes and of single blocks.

use crate::minecraft::array_bytes::ArrayError;
use crate::minecraft::block_error::BlockError;

/// Maximum number of palette entries of a schematic.
pub(super) const MAX_PALETTE_LEN: usize = 1 << 20;

/// Reason why a block cannot be converted to a voxel.
#[derive(thiserror::Error, Debug)]
pub(super) enum BlockDataError {
    #[error("it has the index {index}, but the palette has {palette} entries")]
    IndexBeyondPalette { index: usize, palette: usize },
    #[error("it has the index {0}, which is neither in the palette nor -1")]
    NegativeIndex(i64),
    #[error("it has the index {0}, which is not in the palette")]
    NotInPalette(u32),
    #[error("it has the material {0}, which is not in the list of materials")]
    NoMaterial(u32),
    #[error(transparent)]
    Array(#[from] ArrayError),
    #[error(transparent)]
    Block(#[from] BlockError),
}

/// Reason why a palette is refused.
#[derive(thiserror::Error, Debug)]
pub(super) enum SchematicPaletteError {
    #[error("the palette index {0} is not between 0 and {max}", max = MAX_PALETTE_LEN - 1)]
    Index(i64),
    #[error("the palettes have more than {MAX_PALETTE_LEN} entries")]
    TooLong,
    #[error("a palette entry has no Name")]
    NoName,
}
