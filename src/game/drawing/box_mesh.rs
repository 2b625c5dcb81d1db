//! Builds a mesh of coloured rectangles: sides of boxes, and bars along their edges.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::{Mesh, Vec3};
use stonerun_engine::voxel::Face;

/// Linear red, green, blue, and opacity.
pub type Colour = [f32; 4];

/// The rectangles, each visible from outside only.
#[derive(Default)]
pub struct BoxMesh {
    positions: Vec<[f32; 3]>,
    colours: Vec<Colour>,
}

impl BoxMesh {
    /// Adds one side of the box from `min` to `max`.
    pub fn side(&mut self, min: Vec3, max: Vec3, face: Face, colour: Colour) {
        let normal = face.normal();
        let axis = normal.abs().to_array().iter().position(|part| *part != 0).unwrap_or(0);
        let edge = |axis: usize| Vec3::AXES[axis % 3] * (max - min);
        let mut corner = min;
        let mut u = edge(axis + 1);
        let mut v = edge(axis + 2);
        if normal.max_element() > 0 {
            corner += edge(axis);
        } else {
            // Without the swap, the rectangle would face inwards.
            std::mem::swap(&mut u, &mut v);
        }
        self.positions
            .extend([corner, corner + u, corner + u + v, corner + v].map(|at| at.to_array()));
        self.colours.extend([colour; 4]);
    }

    /// Adds bars along the twelve edges of the box from `min` to `max`, extending `half` on both
    /// sides of each edge.
    pub fn edges(&mut self, min: Vec3, max: Vec3, half: f32, colour: Colour) {
        for axis in 0..3 {
            let along = Vec3::AXES[axis] * (max - min);
            let [u, v] = [axis + 1, axis + 2].map(|axis| Vec3::AXES[axis % 3] * (max - min));
            for from in [min, min + u, min + v, min + u + v] {
                let lo = from - half;
                let hi = from + along + half;
                for face in Face::ALL {
                    self.side(lo, hi, face, colour);
                }
            }
        }
    }

    /// The mesh; `None` if nothing was added, because the renderer rejects a mesh without vertices.
    #[must_use]
    pub fn mesh(self) -> Option<Mesh> {
        let quads = self.positions.len() as u32 / 4;
        let indices = (0..quads)
            .flat_map(|quad| [0, 1, 2, 0, 2, 3].map(|corner| quad * 4 + corner))
            .collect();
        (quads > 0).then(|| {
            Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
                .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
                .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colours)
                .with_inserted_indices(Indices::U32(indices))
        })
    }

    /// The four corners of each rectangle, in winding order.
    #[cfg(test)]
    pub fn corners(&self) -> impl Iterator<Item = [Vec3; 4]> {
        self.positions.chunks_exact(4).map(|c| [0, 1, 2, 3].map(|i| Vec3::from_array(c[i])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_lie_on_the_box_and_face_outwards() {
        let min = Vec3::new(-1.0, 2.0, 3.0);
        let max = Vec3::new(4.0, 6.0, 5.0);
        for face in Face::ALL {
            let mut box_mesh = BoxMesh::default();
            box_mesh.side(min, max, face, [1.0; 4]);
            let [a, b, c, d] = box_mesh.corners().next().expect("one");
            let normal = face.normal().as_vec3();
            assert!(
                (b - a).cross(c - a).dot(normal) > 0.0 && (c - a).cross(d - a).dot(normal) > 0.0,
                "{face:?}"
            );
            let plane = if normal.max_element() > 0.0 { max } else { min };
            for corner in [a, b, c, d] {
                assert_eq!(
                    (corner * normal).element_sum(),
                    (plane * normal).element_sum(),
                    "{face:?}"
                );
                assert!(corner.cmpge(min).all() && corner.cmple(max).all(), "{face:?}");
            }
            // The diagonal spans the whole side.
            assert_eq!((c - a).abs() + normal.abs() * (max - min), max - min, "{face:?}");
        }
    }

    #[test]
    fn edges_are_surrounded_by_bars() {
        let mut box_mesh = BoxMesh::default();
        box_mesh.edges(Vec3::ZERO, Vec3::splat(8.0), 0.25, [1.0; 4]);
        assert_eq!(box_mesh.corners().count(), 12 * 6);
        for corner in box_mesh.corners().flatten() {
            // On each axis at an end of the box, within half the thickness.
            assert!(
                corner.to_array().iter().all(|c| (c.abs() == 0.25) || ((c - 8.0).abs() == 0.25)),
                "{corner}"
            );
        }
        assert!(BoxMesh::default().mesh().is_none() && box_mesh.mesh().is_some());
    }
}
