//! The mesher: turns the voxels of one chunk and its neighbours into quads.
//!
//! It starts from the Moore walk, as the 0fps text asks. The visible faces of a voxel, their shade
//! and their material follow from its Moore neighbourhood, so they are computed once per fused run
//! instead of once per voxel. Fused runs break wherever anything nearby changes and would give 2.5
//! times as many quads as needed, so equal faces are merged in both directions of their plane.
//!
//! - [`FaceMaterials`]: how the faces of each material are drawn.
//! - `face_surface`: the rules: which faces are visible, how high, how dark.
//! - `merge`: merges faces into strips and strips into rectangles.
//! - [`TextureStrip`]: the textures.
//! - [`vertex`]: the quad and the vertex format.

mod face_materials;
mod face_surface;
mod merge;
mod texture_strip;
pub mod vertex;

pub use face_materials::{FaceMaterial, FaceMaterialId, FaceMaterials};
pub use texture_strip::{TextureStrip, TextureStripError, linear_to_srgb, srgb_to_linear};
pub use vertex::Quad;

use crate::runs::moore::{ChunkNeighbourhoodRef, Neighbourhood, walk};
use crate::voxel::{Face, MOORE_CENTRE, Voxel, linear_offset};
use face_materials::{DrawPass, VoxelGeometry};
use face_surface::{FaceContext, UNSHADED, height};
use merge::FaceMerger;

/// The quads of one chunk, in drawing order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChunkMesh {
    /// Hides everything behind it.
    pub opaque: Vec<Quad>,
    /// Drawn with an alpha test and without culling: leaves, glass, plants.
    pub cutout: Vec<Quad>,
    /// Blended with what is behind: water, ice.
    pub translucent: Vec<Quad>,
    /// Fused runs visited.
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
    let mut mesh = ChunkMesh::default();
    let Some(middle) = neighbourhood.chunks[MOORE_CENTRE] else { return mesh };
    if middle.as_uniform() == Some(Voxel::AIR) {
        mesh.runs = 1;
        return mesh;
    }
    let mut mergers = Face::ALL.map(FaceMerger::new);
    walk(neighbourhood, ChunkNeighbourhoodRef::BOUNDS, |run| {
        mesh.runs += 1;
        let voxel = run.neighbourhood[MOORE_CENTRE];
        let traits = materials.traits(voxel.material());
        let rows = rows(run.start as usize, run.len as usize);
        match traits.geometry {
            VoxelGeometry::Nothing => {}
            VoxelGeometry::Cross => {
                for ([x, y, z], len) in rows {
                    for x in x..x + len {
                        mesh.cutout.extend([0, 1].map(|sheet| Quad {
                            x,
                            z,
                            y: u16::from(y) * u16::from(vertex::STEPS),
                            width: 1,
                            face: vertex::SHEET + sheet,
                            height: u16::from(height(voxel)),
                            ao: UNSHADED,
                            liquid: traits.liquid,
                            material: traits.faces[Face::East as usize],
                        }));
                    }
                }
            }
            VoxelGeometry::Cube => {
                let context = FaceContext { materials, voxels: &run.neighbourhood };
                for (face, merger) in Face::ALL.into_iter().zip(&mut mergers) {
                    if let Some(surface) = context.surface(traits, face) {
                        rows.clone().for_each(|(at, len)| merger.add(at, len, surface));
                    }
                }
            }
        }
    });
    for merger in mergers {
        merger.finish(|surface, quad| mesh.list(surface.pass).push(quad));
    }
    mesh
}

/// True if a voxel with this neighbourhood has a visible face. [`build`] visits all runs, and makes
/// quads of these.
#[must_use]
pub fn has_face(materials: &FaceMaterials, around: &Neighbourhood) -> bool {
    let traits = materials.traits(around[MOORE_CENTRE].material());
    match traits.geometry {
        VoxelGeometry::Nothing => false,
        VoxelGeometry::Cross => true,
        VoxelGeometry::Cube => {
            let context = FaceContext { materials, voxels: around };
            Face::ALL.into_iter().any(|face| context.surface(traits, face).is_some())
        }
    }
}

/// Splits a range of linear order into rows: x, y, z of the first voxel, and the number of voxels.
fn rows(start: usize, len: usize) -> impl Iterator<Item = ([u8; 3], u8)> + Clone {
    let end = start + len;
    std::iter::successors(Some(start), |at| Some((at | 31) + 1)).take_while(move |&at| at < end).map(move |at| {
        let stop = end.min((at | 31) + 1);
        (linear_offset(at).to_array().map(|part| part as u8), (stop - at) as u8)
    })
}
