//! Boxes that the bars of outlines are made of.

/// Adds the twelve triangles of a box, seen from outside.
pub(super) fn push_box(
    lo: [f32; 3],
    hi: [f32; 3],
    positions: &mut Vec<[f32; 3]>,
    normals: &mut Vec<[f32; 3]>,
) {
    for axis in 0..3 {
        for far in [false, true] {
            let mut normal = [0.0; 3];
            normal[axis] = if far { 1.0 } else { -1.0 };
            let corners = if far { [0, 1, 2, 0, 2, 3] } else { [0, 2, 1, 0, 3, 2] };
            for corner in corners {
                let (u, v) = [(false, false), (true, false), (true, true), (false, true)][corner];
                let mut at = if far { hi } else { lo };
                at[(axis + 1) % 3] = if u { hi } else { lo }[(axis + 1) % 3];
                at[(axis + 2) % 3] = if v { hi } else { lo }[(axis + 2) % 3];
                positions.push(at);
                normals.push(normal);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::prelude::Vec3;

    #[test]
    fn box_triangles_face_outwards() {
        let mut positions = Vec::new();
        let mut normals = Vec::new();
        push_box([0.0; 3], [1.0, 2.0, 3.0], &mut positions, &mut normals);
        for (triangle, normal) in positions.chunks(3).zip(normals.chunks(3)) {
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::from_array(triangle[i]));
            assert!((b - a).cross(c - a).dot(Vec3::from_array(normal[0])) > 0.0);
        }
    }
}
