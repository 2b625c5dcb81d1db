//! The surface of a chunk.

use super::cells::{Cells, Point};
use super::quads::Quads;
use super::vertex::{PackedSurfaceVertex, SurfaceVertex};
use crate::contour::ContourMaterials;
use crate::voxel::SurfaceRule;

/// The smooth ground of a chunk as triangles.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SurfaceMesh {
    /// The vertices.
    pub vertices: Vec<PackedSurfaceVertex>,
    /// Vertices of each quad, counterclockwise as seen from outside; two triangles, 0 1 2 and
    /// 0 2 3. A lone triangle repeats its last vertex.
    pub quads: Vec<[u32; 4]>,
    /// Cells that the surface crosses, those around the chunk included.
    pub cells: u32,
    /// Number of triangles that merging saved.
    pub merged: u32,
}

impl SurfaceMesh {
    pub(super) fn new(
        cells: &Cells,
        quads: &Quads,
        materials: &ContourMaterials,
        numbers: &mut Vec<u32>,
    ) -> SurfaceMesh {
        numbers.clear();
        let mut vertices = Vec::with_capacity(cells.points.len());
        for point in &cells.points {
            numbers.push(vertices.len() as u32);
            if point.is_used {
                let is_flat = materials.rule(point.material) == SurfaceRule::Facet;
                let Point { at, normal, material, .. } = *point;
                let vertex = SurfaceVertex { at, normal: normal.as_vec3(), material, is_flat };
                vertices.push(vertex.pack());
            }
        }
        let mut list = Vec::with_capacity(quads.list.len());
        for quad in &quads.list {
            list.push(quad.map(|corner| numbers[corner as usize]));
        }
        SurfaceMesh { vertices, quads: list, cells: cells.crossed, merged: 0 }
    }

    /// Number of triangles.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        let lone = self.quads.iter().filter(|quad| quad[2] == quad[3]).count();
        2 * self.quads.len() - lone
    }
}
