//! The quads around the edges that the surface crosses.

use super::cells::{Cells, Point, index_of};
use super::field::{Field, MARGIN, ROWS, WIDTH};
use crate::bits::set_bits;
use crate::contour::crossing;
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

/// Cells around an edge along x, y and z, counterclockwise as seen from its upper end.
const AROUND: [[EdgeCell; 4]; 3] = {
    const X: usize = 1;
    const Y: usize = ROWS;
    const Z: usize = WIDTH;
    const fn around(below: usize, edge: u8, faces: [u8; 2]) -> EdgeCell {
        EdgeCell { below, edge, faces }
    }
    [
        [
            around(Y + Z, 3, [3, 2]),
            around(Z, 2, [5, 4]),
            around(0, 0, [2, 3]),
            around(Y, 1, [4, 5]),
        ],
        [
            around(Z + X, 7, [5, 4]),
            around(X, 5, [1, 0]),
            around(0, 4, [4, 5]),
            around(Z, 6, [0, 1]),
        ],
        [
            around(X + Y, 11, [1, 0]),
            around(Y, 10, [3, 2]),
            around(0, 8, [0, 1]),
            around(X, 9, [2, 3]),
        ],
    ]
};

/// The quads of a chunk.
#[derive(Default)]
pub(super) struct Quads {
    /// Vertices of each quad, in a circle that is counterclockwise as seen from outside. Triangles
    /// repeat the last one. The diagonal is between the first and the third.
    pub list: Vec<[u32; 4]>,
    /// Vertices on faces, by position.
    on_faces: FxHashMap<IVec3, u32>,
    /// Corners of the polygon that is being built.
    corners: Vec<u32>,
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
        self.corners.clear();
        for (number, corner) in corners.into_iter().enumerate() {
            self.corners.push(corner);
            if doubled[number] {
                let vertex = self.face_vertex(field, cells, axis, at, number);
                self.corners.push(vertex);
            }
        }
        if is_reversed {
            self.corners.reverse();
        }
        // From a vertex on a face, so that no diagonal joins the cells on both sides of it.
        let first = self.corners.iter().position(|&corner| !corners.contains(&corner));
        self.corners.rotate_left(first.unwrap_or(0));
        let corners = std::mem::take(&mut self.corners);
        for pair in corners[1..].windows(2) {
            let triangle = [corners[0], pair[0], pair[1], pair[1]];
            let _ = add_quad(&mut cells.points, triangle, is_owned);
            if is_owned {
                self.list.push(triangle);
            }
        }
        self.corners = corners;
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
        // Axes in the order in which the cells turn around the edge.
        let [first, second] = [(axis + 1) % 3, (axis + 2) % 3];
        // The cells lie on one side of the edge along the axis that is in the face.
        let (across, step) = match number {
            0 => (second, -1),
            1 => (first, 1),
            2 => (second, 1),
            _ => (first, -1),
        };
        let unit = |axis: usize| IVec3::AXES[axis];
        let is_lower = field.value(index_of(at)).is_inside();
        let matter = if is_lower { at } else { at + unit(axis) };
        let other_low = if step < 0 { matter - unit(across) } else { matter };
        let point = |low: IVec3, axis: usize| {
            let [from, to] = [low, low + unit(axis)].map(|at| field.value(index_of(at)));
            low * 256 + unit(axis) * i32::from(crossing(from, to))
        };
        let middle = (point(at, axis) + point(other_low, across)) / 2 - IVec3::splat(256);
        // Two edges begin or end at `matter` on this face, and both give this vertex, so the
        // material must not depend on which of them is `axis`. `matter` may be a cube with a thin layer next to it.
        let other_end = |low: IVec3, axis| if low == matter { low + unit(axis) } else { low };
        let mut ends = [(axis, other_end(at, axis)), (across, other_end(other_low, across))];
        ends.sort_unstable_by_key(|(axis, _)| *axis);
        let voxels = [matter, ends[0].1, ends[1].1].map(|at| field.value(index_of(at)));
        let ground = voxels.into_iter().find(|voxel| voxel.is_ground());
        let points = &mut cells.points;
        *self.on_faces.entry(middle).or_insert_with(|| {
            points.push(Point::new(middle, ground.unwrap_or_default().material()));
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

/// The corners of a quad so that it is split along the shorter diagonal.
#[inline]
fn with_shorter_diagonal(corners: [u32; 4], diagonals: [IVec3; 2]) -> [u32; 4] {
    let [first, second] = diagonals.map(IVec3::length_squared);
    let start = usize::from(first > second);
    [0, 1, 2, 3].map(|corner| corners[(start + corner) & 3])
}
