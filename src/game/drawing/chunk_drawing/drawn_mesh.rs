//! A mesh prepared for drawing.

use super::translucent_order::TranslucentQuads;
use glam::Vec3;
use stonerun_engine::mesh::ChunkMesh;

/// A mesh with its translucent quads split and in order. Splitting can take as long as meshing, so
/// it runs in the background with it.
pub struct DrawnMesh {
    /// The mesh.
    pub mesh: ChunkMesh,
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
        DrawnMesh { mesh, translucent }
    }

    /// Number of quads with translucent ones split.
    #[must_use]
    pub fn drawn_quads(&self) -> usize {
        self.mesh.opaque.len() + self.mesh.cutout.len() + self.translucent.len()
    }
}
