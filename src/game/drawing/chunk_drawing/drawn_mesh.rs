//! A mesh prepared for drawing.

use super::surface_words::SurfaceWords;
use super::translucent_order::TranslucentQuads;
use glam::Vec3;
use stonerun_engine::mesh::ChunkMesh;

/// A mesh with its translucent quads split and in order. Splitting can take as long as meshing, so
/// it runs in the background with it.
pub struct DrawnMesh {
    /// The mesh of all but ground.
    pub mesh: ChunkMesh,
    /// The surface of ground.
    pub surface: SurfaceWords,
    /// Translucent quads of the mesh, split and in order.
    pub(super) translucent: TranslucentQuads,
}

impl DrawnMesh {
    /// Prepares a mesh for an eye, given in voxels from the chunk's lowest corner. For other eyes
    /// the quads are put in order when they are drawn.
    #[must_use]
    pub fn new(mesh: ChunkMesh, eye: Vec3) -> DrawnMesh {
        let mut translucent = TranslucentQuads::new(&mesh.translucent);
        translucent.sort(translucent.zone(eye));
        DrawnMesh { mesh, surface: SurfaceWords::default(), translucent }
    }

    /// Adds the surface of ground.
    #[must_use]
    pub fn with_surface(self, surface: SurfaceWords) -> DrawnMesh {
        DrawnMesh { surface, ..self }
    }

    /// True if there is nothing to draw.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mesh.is_empty() && self.surface.count == 0
    }

    /// Number of quads, ground included, as the mesher made them.
    #[must_use]
    pub fn quad_count(&self) -> usize {
        self.mesh.quad_count() + self.surface.count
    }

    /// Number of quads with translucent ones split, by list.
    #[must_use]
    pub(super) fn list_counts(&self) -> [usize; 4] {
        let DrawnMesh { mesh, surface, translucent } = self;
        [mesh.opaque.len(), mesh.cutout.len(), translucent.len(), surface.count]
    }

    /// Number of quads with translucent ones split.
    #[must_use]
    pub fn drawn_quads(&self) -> usize {
        self.list_counts().iter().sum()
    }

    /// Bytes of quads, vertices and dark bricks on the GPU: 0 if there is nothing to draw.
    #[must_use]
    pub fn gpu_bytes(&self) -> usize {
        if self.is_empty() { 0 } else { self.mesh.gpu_bytes() + self.surface.gpu_bytes() }
    }
}
