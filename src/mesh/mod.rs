//! The mesher: turns the voxels of one chunk and its neighbours into quads.
//!
//! It reads the runs of the chunk and of its neighbours' borders into rows of one byte per voxel.
//! Each row becomes one word per class bit, and a few word operations find the faces of 32 voxels.
//! Single voxels are read only at visible faces. Equal faces are merged in both directions of their
//! plane.
//!
//! The 0fps text finds faces per run of equal Moore neighbourhoods. `docs/measurements.md` compares
//! the two.
//!
//! - [`FaceMaterials`]: how the faces of each material are drawn.
//! - `voxel_class`, `voxel_rows`, `bit_rows`: from runs to rows of bits.
//! - `face_surface`: the rules: which faces are visible, how high, how dark.
//! - `face_finder`, `shade`: the faces of a chunk, and how dark their corners are.
//! - `merge`: merges faces into strips and strips into rectangles.
//! - [`TextureStrip`]: the textures.
//! - [`vertex`]: the quad and the vertex format.

mod bit_rows;
mod face_finder;
mod face_materials;
mod face_surface;
mod lanes;
mod merge;
mod shade;
mod texture_strip;
pub mod vertex;
mod voxel_class;
mod voxel_rows;

pub use face_materials::{FaceMaterial, FaceMaterialId, FaceMaterials};
pub use texture_strip::{TextureStrip, TextureStripError, linear_to_srgb, srgb_to_linear};
pub use vertex::Quad;

use crate::runs::moore::{ChunkNeighbourhoodRef, Neighbourhood};
use crate::voxel::{Face, MOORE_CENTRE, Voxel, neighbour_index};
use face_finder::FaceFinder;
use face_materials::{DrawPass, VoxelGeometry};
use face_surface::{Stacked, surface};
use glam::IVec3;
use merge::FaceMerger;
use std::cell::RefCell;

/// The quads of one chunk, in drawing order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChunkMesh {
    /// Hides everything behind it.
    pub opaque: Vec<Quad>,
    /// Drawn with an alpha test and without culling: leaves, glass, plants.
    pub cutout: Vec<Quad>,
    /// Blended with what is behind: water, ice.
    pub translucent: Vec<Quad>,
    /// Runs of the chunk.
    pub runs: u64,
}

impl ChunkMesh {
    /// True if there is nothing to draw.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.quad_count() == 0
    }

    /// Quads in all three lists.
    #[must_use]
    pub fn quad_count(&self) -> usize {
        self.opaque.len() + self.cutout.len() + self.translucent.len()
    }

    /// Bytes of vertices and indices on the GPU.
    #[must_use]
    pub fn gpu_bytes(&self) -> usize {
        self.quad_count() * Quad::GPU_BYTES
    }

    /// The packed vertices, four per quad, by corner number.
    #[must_use]
    pub fn vertices(quads: &[Quad]) -> Vec<[u32; 2]> {
        quads.iter().flat_map(|quad| quad.vertices()).map(vertex::Vertex::pack).collect()
    }

    /// Triangle indices into [`ChunkMesh::vertices`], six per quad.
    #[must_use]
    pub fn indices(quads: &[Quad]) -> Vec<u32> {
        let corners = |(i, quad): (usize, &Quad)| quad.triangles().map(|corner| 4 * i as u32 + u32::from(corner));
        quads.iter().enumerate().flat_map(corners).collect()
    }

    fn list(&mut self, pass: DrawPass) -> &mut Vec<Quad> {
        match pass {
            DrawPass::Opaque => &mut self.opaque,
            DrawPass::CutOut => &mut self.cutout,
            DrawPass::Translucent => &mut self.translucent,
        }
    }
}

/// Builds the mesh of the middle chunk of `neighbourhood`; empty if that chunk is not loaded.
///
/// Chunks that are not loaded hide nothing, so faces towards them are visible. Shade depends on all
/// 26 neighbours. Mesh a chunk once its neighbours are loaded, and again when one of them changes
/// at the common border.
#[must_use]
pub fn build(neighbourhood: &ChunkNeighbourhoodRef<'_>, materials: &FaceMaterials) -> ChunkMesh {
    thread_local! {
        static FINDER: RefCell<FaceFinder> = RefCell::default();
    }
    let mut mesh = ChunkMesh::default();
    let Some(middle) = neighbourhood.chunks[MOORE_CENTRE] else { return mesh };
    if middle.as_uniform() == Some(Voxel::AIR) {
        mesh.runs = 1;
        return mesh;
    }
    let mut mergers = Face::ALL.map(FaceMerger::new);
    mesh.runs = FINDER.with_borrow_mut(|finder| finder.find(neighbourhood, materials, &mut mergers, &mut mesh.cutout));
    for merger in mergers {
        merger.finish(|surface, quad| mesh.list(surface.pass()).push(quad));
    }
    mesh
}

/// True if a voxel with this neighbourhood has a visible face.
#[must_use]
pub fn has_face(materials: &FaceMaterials, around: &Neighbourhood) -> bool {
    let stacked = |offset: IVec3| Stacked {
        voxel: around[neighbour_index(offset)],
        // Up faces do not depend on the voxel two above.
        above: if offset == IVec3::Y { Voxel::AIR } else { around[neighbour_index(offset + IVec3::Y)] },
    };
    match materials.traits(around[MOORE_CENTRE].material()).geometry {
        VoxelGeometry::Nothing => false,
        VoxelGeometry::Cross => true,
        VoxelGeometry::Cube => Face::ALL
            .into_iter()
            .any(|face| surface(materials, face, stacked(IVec3::ZERO), stacked(face.normal())).is_some()),
    }
}
