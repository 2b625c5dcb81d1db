//! The mesher: from the voxels of one chunk, among its neighbours, to the quads the graphics card draws.
//!
//! It starts from the Moore walk, as the 0fps text asks: which faces a voxel shows, how they are shaded and
//! what they look like follows from its 27 neighbours, so it is found once per run of equal neighbourhoods
//! and not once per voxel. But quads are not those runs: broken wherever anything near changes, they would
//! be two and a half times as many as needed. So equal faces are merged again, in both directions of their
//! plane, as they come.
//!
//! - [`Looks`]: how each material is drawn.
//! - `surface`: the rules; which faces, how high, how dark.
//! - `merge`: strips to rectangles.
//! - [`Tiles`]: the textures.
//! - [`vertex`]: the quad and the vertex format.

mod looks;
mod merge;
mod surface;
mod tiles;
pub mod vertex;

pub use looks::{Look, LookId, Looks};
pub use tiles::{Tiles, encoded, linear};
pub use vertex::Quad;

use crate::runs::moore::{ChunkNeighbourhoodRef, Neighbourhood, walk};
use crate::voxel::{Face, MOORE_CENTRE, Voxel, linear_offset};
use looks::{Form, Layer};
use merge::Merger;
use surface::{Around, UNSHADED, height};

/// The quads of one chunk, in the order the three lists are to be drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChunkMesh {
    /// What hides things.
    pub opaque: Vec<Quad>,
    /// Drawn with an alpha test and without culling: leaves, glass, plants.
    pub cutout: Vec<Quad>,
    /// Mixed with what is behind: water, ice.
    pub translucent: Vec<Quad>,
    /// Fused runs that were gone through to find them.
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

    /// Bytes of vertices and indices on the graphics card.
    #[must_use]
    pub fn gpu_bytes(&self) -> usize {
        self.quad_count() * Quad::GPU_BYTES
    }

    /// The packed vertices of these quads, four a quad, by corner number.
    #[must_use]
    pub fn vertices(quads: &[Quad]) -> Vec<[u32; 2]> {
        quads.iter().flat_map(|quad| quad.vertices()).map(vertex::Vertex::pack).collect()
    }

    /// The indices of their triangles into [`ChunkMesh::vertices`], six a quad.
    #[must_use]
    pub fn indices(quads: &[Quad]) -> Vec<u32> {
        let corners = |(i, quad): (usize, &Quad)| quad.triangles().map(|corner| 4 * i as u32 + u32::from(corner));
        quads.iter().enumerate().flat_map(corners).collect()
    }

    fn list(&mut self, layer: Layer) -> &mut Vec<Quad> {
        match layer {
            Layer::Opaque => &mut self.opaque,
            Layer::CutOut => &mut self.cutout,
            Layer::Translucent => &mut self.translucent,
        }
    }
}

/// The mesh of the window's middle chunk; empty if that is not loaded.
///
/// Towards chunks that are not loaded faces are made (they hide nothing), and shade is taken from all around,
/// so a chunk is best meshed once its 26 neighbours are there, and again when one of them changes at the
/// common border.
#[must_use]
pub fn build(window: &ChunkNeighbourhoodRef<'_>, looks: &Looks) -> ChunkMesh {
    let mut mesh = ChunkMesh::default();
    let Some(middle) = window.chunks[MOORE_CENTRE] else { return mesh };
    if middle.as_uniform() == Some(Voxel::AIR) {
        mesh.runs = 1;
        return mesh;
    }
    let mut mergers = Face::ALL.map(Merger::new);
    walk(window, ChunkNeighbourhoodRef::BOUNDS, |run| {
        mesh.runs += 1;
        let voxel = run.neighbourhood[MOORE_CENTRE];
        let kind = looks.kind(voxel.material());
        let rows = rows(run.start as usize, run.len as usize);
        match kind.form {
            Form::Nothing => {}
            Form::Cross => {
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
                            liquid: kind.liquid,
                            look: kind.faces[Face::East as usize],
                        }));
                    }
                }
            }
            Form::Cube => {
                let around = Around { looks, voxels: &run.neighbourhood };
                for (face, merger) in Face::ALL.into_iter().zip(&mut mergers) {
                    if let Some(surface) = around.surface(kind, face) {
                        rows.clone().for_each(|(at, len)| merger.add(at, len, surface));
                    }
                }
            }
        }
    });
    for merger in mergers {
        merger.finish(|surface, quad| mesh.list(surface.layer).push(quad));
    }
    mesh
}

/// True if voxels with this neighbourhood show anything: [`build`] looks at all runs, and makes quads of these.
#[must_use]
pub fn has_face(looks: &Looks, around: &Neighbourhood) -> bool {
    let kind = looks.kind(around[MOORE_CENTRE].material());
    match kind.form {
        Form::Nothing => false,
        Form::Cross => true,
        Form::Cube => {
            let around = Around { looks, voxels: around };
            Face::ALL.into_iter().any(|face| around.surface(kind, face).is_some())
        }
    }
}

/// The parts of a stretch of linear order that lie in one row each: x, y, z of the first voxel, and voxels.
fn rows(start: usize, len: usize) -> impl Iterator<Item = ([u8; 3], u8)> + Clone {
    let end = start + len;
    std::iter::successors(Some(start), |at| Some((at | 31) + 1)).take_while(move |&at| at < end).map(move |at| {
        let stop = end.min((at | 31) + 1);
        (linear_offset(at).to_array().map(|part| part as u8), (stop - at) as u8)
    })
}
