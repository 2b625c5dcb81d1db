//! Masks of shapes, whose voxels are computed per chunk: a large shape takes no memory.

use crate::edit::ChunkBits;
use crate::edit::region::{Shape, shape_bits};
use crate::voxel::ChunkPos;
use std::sync::Arc;

/// A shape whose voxels a mask accepts. Cloning shares it, and clones are equal.
#[derive(Clone)]
pub struct ShapeMask(Arc<dyn Shape + Send>);

impl ShapeMask {
    /// The mask of a shape.
    #[must_use]
    pub fn new(shape: Box<dyn Shape + Send>) -> ShapeMask {
        ShapeMask(Arc::from(shape))
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> &dyn Shape {
        &*self.0
    }

    /// The voxels of a chunk.
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
