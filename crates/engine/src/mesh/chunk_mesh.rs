//! The mesh of a chunk.

use super::dark_bricks::DarkBricks;
use super::face_materials::DrawPass;
use super::quad::PackedQuad;
use super::shaded_quad::ShadedQuad;

/// The quads of one chunk, in drawing order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChunkMesh {
    /// Opaque quads, which hide everything behind them.
    pub opaque: Vec<PackedQuad>,
    /// Cut-out quads, drawn with an alpha test and without culling: leaves, glass, plants.
    pub cutout: Vec<PackedQuad>,
    /// Translucent quads, blended with the picture behind them: water, ice.
    pub translucent: Vec<PackedQuad>,
    /// Voxels that darken corners; empty without shaded quads and without smooth ground.
    pub dark: DarkBricks,
    /// Number of runs of the chunk.
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
        self.lists().map(<[PackedQuad]>::len).iter().sum()
    }

    /// Bytes of quads and dark bricks on the GPU.
    #[must_use]
    pub fn gpu_bytes(&self) -> usize {
        self.quad_count() * PackedQuad::BYTES + size_of_val(self.dark.words())
    }

    /// The lists in drawing order: opaque, cut-out, translucent.
    #[must_use]
    pub fn lists(&self) -> [&[PackedQuad]; 3] {
        [&self.opaque, &self.cutout, &self.translucent]
    }

    /// The quads of a list of this mesh, split so that the shade of each part is given by its
    /// corners.
    #[must_use]
    pub fn split_by_shade(&self, list: &[PackedQuad]) -> Vec<ShadedQuad> {
        let mut quads = Vec::with_capacity(list.len());
        for quad in list {
            ShadedQuad::split(quad.unpack(), &self.dark, |part| quads.push(part));
        }
        quads
    }

    pub(super) fn list(&mut self, pass: DrawPass) -> &mut Vec<PackedQuad> {
        match pass {
            DrawPass::Opaque => &mut self.opaque,
            DrawPass::CutOut => &mut self.cutout,
            DrawPass::Translucent => &mut self.translucent,
        }
    }
}
