//! Reasons why a save refuses its changes.

use crate::save::format::record_error::RecordError;

/// Reason why changes cannot be written into a map.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The material table does not start with the map's own, or is too long.
    #[error("the material table does not extend the map's own")]
    MaterialTable,
    /// The revision number is at its maximum.
    #[error("the map has been saved too often")]
    TooManySaves,
    /// A material does not fit into a record.
    #[error("material {name:?}: {reason}")]
    Material {
        /// Name of the material.
        name: String,
        /// Limit that is exceeded.
        reason: RecordError,
    },
    /// The header does not fit into a record.
    #[error("header: {0}")]
    Header(RecordError),
    /// The digest does not fit into a record.
    #[error("digest: {0}")]
    Digest(RecordError),
    /// The named places do not fit into a record.
    #[error("places: {0}")]
    Places(RecordError),
    /// The map's own rules do not fit into a record.
    #[error("rules: {0}")]
    Rules(RecordError),
    /// The creatures do not fit into a record.
    #[error("creatures: {0}")]
    Creatures(RecordError),
    /// A named region does not fit into a record.
    #[error("region {name:?}: {reason}")]
    Region {
        /// Name of the region.
        name: String,
        /// Limit that is exceeded.
        reason: RecordError,
    },
    /// The picture does not fit into a record.
    #[error("a picture of {0} bytes is too large")]
    PictureTooLarge(usize),
}
