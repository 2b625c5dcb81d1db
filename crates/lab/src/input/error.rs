//! Errors of inputs.

use stonerun_engine::save::{Damage, SaveError};
use stonerun_engine::voxel::CHUNK_VOLUME;
use stonerun_exchange::ImportError;

/// The reason why an input cannot be measured. The text is one line that names the input.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The map cannot be read.
    #[error(transparent)]
    Map(#[from] SaveError),
    /// The map is damaged, so its figures would describe only a part of it.
    #[error("{0}")]
    DamagedMap(Box<Damage>),
    /// A part of the importable file is damaged, so its figures would describe only the rest.
    #[error("{warning}; files with damaged parts are not measured")]
    DamagedSource {
        /// The importer's warning, which names the file and the place.
        warning: String,
    },
    /// The world has more different voxels than a [`VoxelId`](super::VoxelId) can number.
    #[error("{name}: more than {CHUNK_VOLUME} different voxels")]
    TooManyVoxels {
        /// Name of the input.
        name: String,
    },
    /// The world holds only air.
    #[error("{name}: contains only air")]
    OnlyAir {
        /// Name of the input.
        name: String,
    },
    /// The world has no voxel in which a viewer could be.
    #[error("{name}: there is no {place} to look from")]
    NoViewpoint {
        /// Name of the input.
        name: String,
        /// The kind of voxel that was searched for a viewer.
        place: &'static str,
    },
}
