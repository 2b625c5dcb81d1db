//! The three representations of a chunk.

use crate::voxel::Voxel;
use std::sync::Arc;

/// Representation of a chunk's runs.
#[derive(Clone)]
pub(super) enum Repr {
    /// One value everywhere.
    Uniform(Voxel),
    /// An editable table (`table/`): two runs or more, up to 256 different voxels.
    Table(Arc<[u16]>),
    /// A compact, read-only form (`packed/`) for very many runs or very many different voxels.
    Packed(Arc<[u8]>),
}
