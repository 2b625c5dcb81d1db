//! Errors of block names and block materials.

use stonerun_engine::voxel::MaterialError;

/// Longest block name that is read, in bytes. A map stores each name.
pub(crate) const MAX_NAME_BYTES: usize = 256;

/// Reason why a block cannot be converted to a voxel.
#[derive(thiserror::Error, Debug)]
pub(crate) enum BlockError {
    /// The name is empty or too long.
    #[error("a block's name is {0} bytes long; 1 to {MAX_NAME_BYTES} are read")]
    NameLength(usize),
    /// The text is not `name[key=value,...]`. Holds its printable beginning.
    #[error("a block state is \"{0}\", not name[key=value,key=value]")]
    Syntax(String),
    /// The material table refuses the block's material.
    #[error(transparent)]
    Material(#[from] MaterialError),
}
