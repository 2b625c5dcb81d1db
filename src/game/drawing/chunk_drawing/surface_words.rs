//! The surface of a chunk in the words that the shader reads.

use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::surface::SurfaceMesh;
use stonerun_engine::voxel::{Face, MaterialId, SurfaceRule};

/// Bit of the header word that gives the place of the vertices: the numbers in quads have a word
/// each.
pub const WIDE_QUADS: u32 = 1 << 31;

/// Lowest bit of the rule's number in a vertex.
const RULE_SHIFT: u32 = 29;

/// Number of a rule in a vertex, for the overlay *surface*.
fn rule_number(rule: SurfaceRule) -> u32 {
    match rule {
        SurfaceRule::Cube => 0,
        SurfaceRule::Smooth => 1,
        SurfaceRule::Facet => 2,
        SurfaceRule::Rough(_) => 3,
        SurfaceRule::Terrace(_) => 4,
    }
}

/// Quads and vertices of a surface.
///
/// A vertex has three words: the first two of a
/// [`PackedSurfaceVertex`](stonerun_engine::surface::PackedSurfaceVertex), with the number of its
/// material's rule in bits 29 to 31 of the first; then the face materials of its material: the top
/// in the lower half, the sides and the bottom in the upper one. Sides use the texture of the
/// bottom, because grass does not hang over ground that is steep.
///
/// A quad has the numbers of its four vertices, 16 bits each. In meshes of more than 65,536
/// vertices they have a word each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SurfaceWords {
    /// Words of the vertices.
    pub vertices: Vec<u32>,
    /// Words of the quads.
    pub quads: Vec<u32>,
    /// Number of quads.
    pub count: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// True if the numbers in quads have a word each.
    pub is_wide: bool,
}

impl SurfaceWords {
    /// The words of a surface.
    #[must_use]
    pub fn new(surface: &SurfaceMesh, materials: &FaceMaterials) -> SurfaceWords {
        let mut vertices = Vec::with_capacity(3 * surface.vertices.len());
        for vertex in &surface.vertices {
            let [first, second, material] = vertex.0;
            let material = material as MaterialId;
            let rule = rule_number(materials.contour().rule(material));
            let [top, bottom] = [Face::Up, Face::Down].map(|face| materials.face(material, face));
            let look = u32::from(top) | u32::from(bottom) << 16;
            vertices.extend([first | rule << RULE_SHIFT, second, look]);
        }
        let is_wide = surface.vertices.len() > 1 << 16;
        let quads = if is_wide {
            surface.quads.as_flattened().to_vec()
        } else {
            surface.quads.iter().flat_map(|[a, b, c, d]| [a | b << 16, c | d << 16]).collect()
        };
        SurfaceWords {
            vertices,
            quads,
            count: surface.quads.len(),
            triangles: surface.triangle_count(),
            is_wide,
        }
    }

    /// Number of vertices.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.vertices.len() / 3
    }

    /// Bytes on the GPU.
    #[must_use]
    pub fn gpu_bytes(&self) -> usize {
        size_of_val(self.vertices.as_slice()) + size_of_val(self.quads.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::surface::PackedSurfaceVertex;
    use stonerun_engine::voxel::MaterialTable;

    fn table() -> MaterialTable {
        let mut table = MaterialTable::builtin();
        table.set_surface(table.find("grass").unwrap(), SurfaceRule::Rough(3)).unwrap();
        table
    }

    fn words(vertices: u32, quad: [u32; 4]) -> SurfaceWords {
        let table = table();
        let grass = u32::from(table.find("grass").unwrap());
        let surface = SurfaceMesh {
            vertices: (0..vertices).map(|i| PackedSurfaceVertex([i, !i, grass])).collect(),
            quads: vec![quad],
            ..SurfaceMesh::default()
        };
        SurfaceWords::new(&surface, &FaceMaterials::new(&table))
    }

    #[test]
    fn vertices_name_the_textures_of_top_and_bottom() {
        let materials = FaceMaterials::new(&table());
        let words = words(2, [0, 1, 1, 1]);
        assert_eq!(words.vertices[..2], [3 << 29, u32::MAX]);
        assert_eq!(words.vertex_count(), 2);
        let [top, bottom] = [words.vertices[2] & 0xFFFF, words.vertices[2] >> 16];
        let texture = |number: u32| materials.list()[number as usize].texture.as_str();
        assert_eq!([texture(top), texture(bottom)], ["grass_top", "dirt"]);
        assert_eq!(words.gpu_bytes(), 2 * 12 + 8);
    }

    #[test]
    fn numbers_of_many_vertices_have_a_word_each() {
        let few = words(65_536, [0, 9, 65_535, 7]);
        assert_eq!((few.quads, few.is_wide), (vec![9 << 16, 7 << 16 | 65_535], false));
        let many = words(65_537, [0, 9, 65_536, 7]);
        assert_eq!((many.quads, many.is_wide), (vec![0, 9, 65_536, 7], true));
    }
}
