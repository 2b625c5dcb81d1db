//! Edges of shapes that are made of boxes and sheets.

use super::part_face::{PartFace, axis_numbers};
use glam::IVec3;
use std::collections::BTreeMap;

/// An edge of a shape. Lengths are in sixteenths from the voxel's lowest corner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ShapeEdge {
    /// The two ends.
    pub ends: [[u8; 3]; 2],
    /// Sum of the normals of the faces at the edge: away from the shape. Zero for edges of sheets.
    pub out: [i32; 3],
}

/// The edges between the faces of a shape: where faces of different directions meet, and around
/// sheets. Faces in one plane have none between them.
#[must_use]
pub fn shape_edges(faces: &[PartFace]) -> Vec<ShapeEdge> {
    // The faces at each sixteenth of an edge, by the axis of the edge and its lower end.
    let mut found: BTreeMap<(usize, [u8; 3]), Vec<PartFace>> = BTreeMap::new();
    for face in faces {
        for (axis, low) in sides(*face) {
            let at_edge = found.entry((axis, low)).or_default();
            // Two faces in one plane continue each other.
            match at_edge.iter().position(|other| other.face == face.face) {
                Some(other) => drop(at_edge.swap_remove(other)),
                None => at_edge.push(*face),
            }
        }
    }
    let mut edges: Vec<ShapeEdge> = Vec::new();
    // Sorted so that the parts of an edge follow each other.
    let mut parts: Vec<_> = found.into_iter().filter(|(_, faces)| !faces.is_empty()).collect();
    parts.sort_by_key(|((axis, low), _)| {
        let mut across = *low;
        across[*axis] = 0;
        (*axis, across, low[*axis])
    });
    for ((axis, low), faces) in parts {
        let out = faces.iter().map(|face| face.face.normal()).sum::<IVec3>().to_array();
        let mut high = low;
        high[axis] += 1;
        match edges.last_mut() {
            Some(last) if last.ends[1] == low && last.out == out && is_along(last, axis) => {
                last.ends[1] = high;
            }
            _ => edges.push(ShapeEdge { ends: [low, high], out }),
        }
    }
    edges
}

/// True if an edge runs along an axis.
fn is_along(edge: &ShapeEdge, axis: usize) -> bool {
    edge.ends[0][axis] != edge.ends[1][axis]
}

/// The four sides of a face, sixteenth by sixteenth: the axis and the lower end of each part.
fn sides(face: PartFace) -> impl Iterator<Item = (usize, [u8; 3])> {
    let [u, v] = axis_numbers(face.face);
    let of_axis = move |axis: usize, across: usize, length: u8, width: u8| {
        (0..length).flat_map(move |along| {
            [0, width].map(|by| {
                let mut low = face.low;
                low[axis] += along;
                low[across] += by;
                (axis, low)
            })
        })
    };
    let [width, height] = face.size;
    of_axis(u, v, width, height).chain(of_axis(v, u, height, width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Face, HewnEighths, Shape, ShapeFaces};

    fn edges_of(bits: u8) -> Vec<ShapeEdge> {
        let ShapeFaces::Parts(faces) = Shape::Hewn(HewnEighths::new(bits).unwrap()).row().faces
        else {
            panic!()
        };
        shape_edges(faces)
    }

    #[test]
    fn boxes_have_twelve_edges() {
        for bits in [0b0011_0011, 0b1010_1010, 0b0000_0001] {
            assert_eq!(edges_of(bits).len(), 12, "{bits:08b}");
        }
        let edge = ShapeEdge { ends: [[0, 8, 0], [16, 8, 0]], out: [0, 1, -1] };
        assert!(edges_of(0b0011_0011).contains(&edge));
    }

    #[test]
    fn stairs_have_the_edges_of_their_step() {
        let stairs = edges_of(0b0011_1111);
        // Six along the step, and six at each of both sides.
        assert_eq!(stairs.len(), 6 + 2 * 6);
        // The edge in the corner of the step points up and south, out of it.
        assert!(stairs.contains(&ShapeEdge { ends: [[0, 8, 8], [16, 8, 8]], out: [0, 1, 1] }));
    }

    #[test]
    fn sheets_have_four_edges() {
        let face = |face| PartFace { face, low: [0, 1, 0], size: [16, 16], is_sheet: true };
        let edges = shape_edges(&[face(Face::Up), face(Face::Down)]);
        assert_eq!(edges.len(), 4);
        assert!(edges.iter().all(|edge| edge.out == [0; 3]));
    }
}
