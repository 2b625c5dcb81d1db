//! Masks of shapes. Their voxels are computed chunk by chunk, so that a large shape takes no
//! memory.

use crate::edit::ChunkBits;
use crate::edit::region::{Shape, shape_bits};
use crate::voxel::ChunkPos;
use std::sync::Arc;

/// Shape whose voxels a mask accepts. Clones share the shape, and only clones are equal.
#[derive(Clone)]
pub struct ShapeMask(Arc<dyn Shape + Send>);

impl ShapeMask {
    /// Mask of a shape.
    #[must_use]
    pub fn new(shape: Box<dyn Shape + Send>) -> ShapeMask {
        ShapeMask(Arc::from(shape))
    }

    /// The shape whose voxels the mask accepts.
    #[must_use]
    pub fn shape(&self) -> &dyn Shape {
        &*self.0
    }

    /// Voxels of the shape in the chunk at `pos`.
    pub(super) fn bits(&self, pos: ChunkPos) -> ChunkBits {
        shape_bits(&*self.0, pos)
    }
}

impl PartialEq for ShapeMask {
    fn eq(&self, other: &ShapeMask) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::fmt::Debug for ShapeMask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ShapeMask").field(&self.0.bounds()).finish()
    }
}
