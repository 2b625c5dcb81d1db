//! The outline of smooth ground and of shapes under the crosshair: bars along their edges.

use super::outline_boxes::push_box;
use bevy::asset::RenderAssetUsages;
use bevy::mesh::PrimitiveTopology;
use bevy::prelude::*;
use stonerun_engine::voxel::{PartFace, ShapeEdge, shape_edges};

/// Distance of the middle of the bars from the surface, in voxels: they are seen on it, and do not
/// float.
const LIFT: f32 = 0.012;

/// A bar along an edge of the surface.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bar {
    from: Vec3,
    to: Vec3,
    /// Direction out of the ground or the shape.
    up: Vec3,
}

/// The edges of a shape's faces.
pub(super) fn edges_of_shape(faces: &[PartFace]) -> Vec<Bar> {
    let corner = |end: [u8; 3]| Vec3::from(end.map(f32::from)) / 16.0;
    let bar = |edge: ShapeEdge| {
        let [from, to] = edge.ends.map(corner);
        Bar { from, to, up: IVec3::from(edge.out).as_vec3().normalize_or(Vec3::Y) }
    };
    shape_edges(faces).into_iter().map(bar).collect()
}

/// The edges of polygons, each once.
pub(super) fn edges(polygons: &[Vec<Vec3>]) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Vec::new();
    for polygon in polygons {
        let up = normal(polygon);
        let next = polygon.iter().skip(1).chain(polygon.first());
        for (&from, &to) in polygon.iter().zip(next) {
            // The polygon on the other side of an edge passes it the other way around.
            match bars.iter_mut().find(|bar| bar.from == to && bar.to == from) {
                Some(bar) => bar.up = (bar.up + up).normalize_or(up),
                None if from != to => bars.push(Bar { from, to, up }),
                None => {}
            }
        }
    }
    bars
}

/// Unit normal of a polygon that may be bent, by the areas of its projections; up if it has none.
fn normal(polygon: &[Vec3]) -> Vec3 {
    let next = polygon.iter().skip(1).chain(polygon.first());
    polygon.iter().zip(next).map(|(from, to)| from.cross(*to)).sum::<Vec3>().normalize_or(Vec3::Y)
}

/// A mesh of bars. `looks` are half the thickness and the colour of each layer of bars; later ones
/// are drawn over earlier ones.
pub(super) fn mesh(bars: &[Bar], looks: &[(f32, [f32; 4])]) -> Mesh {
    let mut positions = Vec::new();
    let mut normals = Vec::new();
    let mut colours = Vec::new();
    for &(half, colour) in looks {
        for bar in bars {
            push_bar(bar, half, &mut positions, &mut normals);
        }
        colours.resize(positions.len(), colour);
    }
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colours)
}

/// Adds the twelve triangles of a bar.
fn push_bar(bar: &Bar, half: f32, positions: &mut Vec<[f32; 3]>, normals: &mut Vec<[f32; 3]>) {
    let along = (bar.to - bar.from).normalize();
    let across = along.cross(bar.up).normalize_or(along.any_orthonormal_vector());
    let turn = Mat3::from_cols(along, across.cross(along), across);
    let length = bar.from.distance(bar.to);
    let first = positions.len();
    let low = [-half, LIFT - half, -half];
    push_box(low, [length + half, LIFT + half, half], positions, normals);
    for (position, normal) in positions[first..].iter_mut().zip(&mut normals[first..]) {
        *position = (bar.from + turn * Vec3::from_array(*position)).to_array();
        *normal = (turn * Vec3::from_array(*normal)).to_array();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(corners: [[f32; 3]; 4]) -> Vec<Vec3> {
        corners.map(Vec3::from_array).to_vec()
    }

    /// A square facing up, and one below its edge at x = 1 that faces east.
    fn ledge() -> [Vec<Vec3>; 2] {
        [
            square([[0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.0]]),
            square([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
        ]
    }

    #[test]
    fn common_edge_of_two_polygons_has_one_bar_between_their_normals() {
        let bars = edges(&ledge());
        assert_eq!(bars.len(), 7);
        let common = bars.iter().find(|bar| {
            bar.from.x == 1.0 && bar.to.x == 1.0 && bar.from.y == 1.0 && bar.to.y == 1.0
        });
        let up = common.expect("the common edge").up;
        assert!(up.distance(Vec3::new(1.0, 1.0, 0.0).normalize()) < 1e-6, "{up}");
    }

    #[test]
    fn bars_lie_along_the_edges_just_outside_of_the_ground() {
        let half = 0.01;
        let polygons = &ledge()[..1];
        let mesh = mesh(&edges(polygons), &[(half, [1.0; 4])]);
        let Some(bevy::mesh::VertexAttributeValues::Float32x3(positions)) =
            mesh.attribute(Mesh::ATTRIBUTE_POSITION)
        else {
            panic!("positions are three numbers")
        };
        assert_eq!(positions.len(), 4 * 36);
        for at in positions {
            let is_at_side = |at: f32| at.abs() < 2.0 * half || (at - 1.0).abs() < 2.0 * half;
            assert!(is_at_side(at[0]) || is_at_side(at[2]), "{at:?}");
            assert!((at[1] - 1.0 - LIFT).abs() < half + 1e-5, "{at:?}");
        }
        for triangle in positions.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| Vec3::from_array(triangle[corner]));
            // Seen from outside of its bar, whose middle is at one of four places.
            let middle = (a + b + c) / 3.0;
            let outwards = (b - a).cross(c - a).normalize();
            let middles = [[0.5, 0.0], [0.5, 1.0], [0.0, 0.5], [1.0, 0.5]]
                .map(|[x, z]| Vec3::new(x, 1.0 + LIFT, z));
            assert!(middles.iter().any(|of| (middle - of).dot(outwards) > 0.0), "{triangle:?}");
        }
    }
}
