//! The quads around the edges that the surface crosses.

use super::cells::{Cells, Point, index_of};
use super::field::{Field, MARGIN, ROWS, WIDTH};
use crate::bits::set_bits;
use crate::contour::{Corners, EDGE_CELLS, FacePoint, with_shorter_diagonal};
use crate::voxel::CHUNK_SIDE;
use glam::IVec3;
use rustc_hash::FxHashMap;

/// One of the four cells around an edge.
#[derive(Clone, Copy)]
struct EdgeCell {
    /// Index of the edge's lower voxel minus the index of the cell's lowest voxel.
    below: usize,
    /// Number of the edge in the cell.
    edge: u8,
    /// Faces between this cell and the next one around the edge: of this cell, and of the next.
    faces: [u8; 2],
}

/// Cells around an edge along x, y and z, as in [`EDGE_CELLS`].
const AROUND: [[EdgeCell; 4]; 3] = {
    let mut around = [[EdgeCell { below: 0, edge: 0, faces: [0; 2] }; 4]; 3];
    let mut number = 0;
    while number < 12 {
        let cell = EDGE_CELLS[number / 4][number % 4];
        let [x, y, z] = cell.below;
        let below = x as usize + ROWS * y as usize + WIDTH * z as usize;
        around[number / 4][number % 4] = EdgeCell { below, edge: cell.edge, faces: cell.faces };
        number += 1;
    }
    around
};

/// The quads of a chunk.
#[derive(Default)]
pub(super) struct Quads {
    /// Vertices of each quad, in a circle that is counterclockwise as seen from outside. Triangles
    /// repeat the last one. The diagonal is between the first and the third.
    pub list: Vec<[u32; 4]>,
    /// Vertices on faces, by position.
    on_faces: FxHashMap<IVec3, u32>,
}

impl Quads {
    /// Forgets all quads.
    pub fn begin(&mut self) {
        self.list.clear();
        self.on_faces.clear();
    }

    /// Makes the quads of the edges that begin in a layer and belong to the chunk, and adds the
    /// normals of all edges that begin there. The cells of this layer and of the one below must be
    /// known.
    pub fn find_in_layer(&mut self, y: i32, field: &Field, cells: &mut Cells) {
        for axis in 0..3 {
            // Edges with all four cells in the field.
            let mut first = IVec3::ONE;
            first[axis] = 0;
            if y < first.y {
                continue;
            }
            let bits = ((1u64 << (WIDTH - 1)) - 1) & !0 << first.x;
            for z in first.z..WIDTH as i32 - 1 {
                let row = (z + WIDTH as i32 * y) as usize;
                for x in set_bits(cells.edges[axis][row] & bits) {
                    self.add(field, cells, axis, IVec3::new(x as i32, y, z));
                }
            }
        }
    }

    fn add(&mut self, field: &Field, cells: &mut Cells, axis: usize, at: IVec3) {
        let index = index_of(at);
        let around = &AROUND[axis];
        let is_reversed = !field.value(index).is_inside();
        let owned = MARGIN as i32..MARGIN as i32 + CHUNK_SIDE;
        let is_owned = at.to_array().iter().all(|coordinate| owned.contains(coordinate));
        let plain = cells.plain_vertices(around.map(|cell| index - cell.below));
        let is_doubled = |number: usize| {
            let EdgeCell { below, faces: [face, opposite], .. } = around[number];
            let next = around[(number + 1) % 4].below;
            cells.is_doubled(index - below, face) && cells.is_doubled(index - next, opposite)
        };
        let doubled = if plain.is_some() { [false; 4] } else { [0, 1, 2, 3].map(is_doubled) };
        let mut corners =
            plain.unwrap_or_else(|| around.map(|cell| cells.vertex(index - cell.below, cell.edge)));
        if doubled == [false; 4] {
            // Selected without a branch, because none could be predicted.
            let turned = [corners[1], corners[3]];
            corners[1] = turned[usize::from(is_reversed)];
            corners[3] = turned[usize::from(!is_reversed)];
            let diagonals = add_quad(&mut cells.points, corners, is_owned);
            if is_owned {
                self.list.push(with_shorter_diagonal(corners, diagonals));
            }
            return;
        }
        let on_face = |number: usize| {
            doubled[number].then(|| self.face_vertex(field, cells, axis, at, number))
        };
        let fan = Corners::fan(corners, [0, 1, 2, 3].map(on_face), is_reversed);
        for [a, b, c] in fan.triangles() {
            let triangle = [a, b, c, c];
            let _ = add_quad(&mut cells.points, triangle, is_owned);
            if is_owned {
                self.list.push(triangle);
            }
        }
    }

    /// The vertex on the face between cell `number` around an edge and the next one: in the middle
    /// of the line on which the sheet of the edge crosses the face.
    fn face_vertex(
        &mut self,
        field: &Field,
        cells: &mut Cells,
        axis: usize,
        at: IVec3,
        number: usize,
    ) -> u32 {
        let FacePoint { at, material } =
            FacePoint::new(at, axis, number, &|at| field.value(index_of(at)));
        // The field begins two voxels below the chunk, positions one.
        let middle = at - IVec3::splat(256);
        let points = &mut cells.points;
        *self.on_faces.entry(middle).or_insert_with(|| {
            points.push(Point::new(middle, material));
            points.len() as u32 - 1
        })
    }
}

/// Adds the normal of a quad or triangle to its vertices, and marks them as used if it belongs to
/// the chunk. Returns the diagonals, from the first and from the second corner.
#[inline]
fn add_quad(points: &mut [Point], corners: [u32; 4], is_owned: bool) -> [IVec3; 2] {
    let [a, b, c, d] = corners.map(|corner| points[corner as usize].at);
    let diagonals = [c - a, d - b];
    let normal = diagonals[0].cross(diagonals[1]);
    // A triangle repeats its last corner.
    let count = if corners[2] == corners[3] { 3 } else { 4 };
    for &corner in &corners[..count] {
        let point = &mut points[corner as usize];
        point.normal += normal;
        point.is_used |= is_owned;
    }
    diagonals
}
