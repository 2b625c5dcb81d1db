//! The part of the surface around one crossed edge: a polygon between the four cells at the edge.
//!
//! Positions are whole 256ths of a voxel from the centre of the voxel at 0, 0, 0 of the caller's
//! own coordinates, which should count from a voxel nearby.

use super::cell::{ContourCell, crossing};
use super::rules::ContourRules;
use super::sheets::ContourSheets;
use super::voxel::ContourVoxel;
use crate::voxel::MaterialId;
use glam::IVec3;

/// One of the four cells around an edge.
#[derive(Clone, Copy, Debug)]
pub struct EdgeCell {
    /// The edge's lower voxel minus the cell's lowest voxel.
    pub below: [i32; 3],
    /// Number of the edge in the cell.
    pub edge: u8,
    /// Faces between this cell and the next one around the edge: of this cell, and of the next.
    pub faces: [u8; 2],
}

/// Cells around an edge along x, y and z, counterclockwise as seen from its upper end.
pub const EDGE_CELLS: [[EdgeCell; 4]; 3] = {
    const fn cell(below: [i32; 3], edge: u8, faces: [u8; 2]) -> EdgeCell {
        EdgeCell { below, edge, faces }
    }
    [
        [
            cell([0, 1, 1], 3, [3, 2]),
            cell([0, 0, 1], 2, [5, 4]),
            cell([0, 0, 0], 0, [2, 3]),
            cell([0, 1, 0], 1, [4, 5]),
        ],
        [
            cell([1, 0, 1], 7, [5, 4]),
            cell([1, 0, 0], 5, [1, 0]),
            cell([0, 0, 0], 4, [4, 5]),
            cell([0, 0, 1], 6, [0, 1]),
        ],
        [
            cell([1, 1, 0], 11, [1, 0]),
            cell([0, 1, 0], 10, [3, 2]),
            cell([0, 0, 0], 8, [0, 1]),
            cell([1, 0, 0], 9, [2, 3]),
        ],
    ]
};

/// A vertex on a face that one sheet crosses in two lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FacePoint {
    /// Position: the middle of one of the two lines.
    pub at: IVec3,
    /// Material of the ground next to it.
    pub material: MaterialId,
}

impl FacePoint {
    /// The vertex on the face between cell `number` around an edge and the next one, where the
    /// sheet of the edge crosses the face. `low` is the edge's lower voxel.
    #[must_use]
    pub fn new(
        low: IVec3,
        axis: usize,
        number: usize,
        voxel: &impl Fn(IVec3) -> ContourVoxel,
    ) -> FacePoint {
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
        let matter = if voxel(low).is_inside() { low } else { low + unit(axis) };
        let other_low = if step < 0 { matter - unit(across) } else { matter };
        let point = |low: IVec3, axis: usize| {
            let [from, to] = [low, low + unit(axis)].map(voxel);
            low * 256 + unit(axis) * i32::from(crossing(from, to))
        };
        // Two edges begin or end at `matter` on this face, and both give this vertex, so the
        // material must not depend on which of them is `axis`. `matter` may be a cube with a thin
        // layer next to it.
        let other_end = |low: IVec3, axis| if low == matter { low + unit(axis) } else { low };
        let mut ends = [(axis, other_end(low, axis)), (across, other_end(other_low, across))];
        ends.sort_unstable_by_key(|(axis, _)| *axis);
        let voxels = [matter, ends[0].1, ends[1].1].map(voxel);
        let ground = voxels.into_iter().find(|voxel| voxel.is_ground());
        // A shift, because a division would round towards 0.
        let at = (point(low, axis) + point(other_low, across)) >> 1;
        FacePoint { at, material: ground.unwrap_or_default().material() }
    }
}

/// The corners of a polygon, in a circle.
#[derive(Clone, Copy, Debug)]
pub struct Corners<T> {
    list: [T; 8],
    count: usize,
}

impl<T: Copy> Corners<T> {
    /// The corners of a polygon with vertices on faces, from the vertices of the four cells and
    /// the vertex on each face between a cell and the next one. Its triangles are a fan from the
    /// first corner.
    ///
    /// That corner lies on a face, so that no diagonal joins the cells on both sides of it.
    #[must_use]
    pub fn fan(cells: [T; 4], faces: [Option<T>; 4], is_reversed: bool) -> Corners<T> {
        let mut list = [cells[0]; 8];
        let mut on_face = [false; 8];
        let mut count = 0;
        for (cell, face) in cells.into_iter().zip(faces) {
            list[count] = cell;
            count += 1;
            if let Some(face) = face {
                list[count] = face;
                on_face[count] = true;
                count += 1;
            }
        }
        if is_reversed {
            list[..count].reverse();
            on_face[..count].reverse();
        }
        let first = on_face.iter().position(|&on_face| on_face).unwrap_or(0);
        list[..count].rotate_left(first);
        Corners { list, count }
    }

    /// The corners.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.list[..self.count]
    }

    /// The triangles of the fan.
    pub fn triangles(&self) -> impl Iterator<Item = [T; 3]> + '_ {
        let list = self.as_slice();
        list[1..].windows(2).map(|pair| [list[0], pair[0], pair[1]])
    }
}

/// The corners of a quad so that it is split along the shorter one of its diagonals, from its
/// first and from its second corner. The split is between the first and the third corner.
#[inline]
#[must_use]
pub fn with_shorter_diagonal<T: Copy>(corners: [T; 4], diagonals: [IVec3; 2]) -> [T; 4] {
    let [first, second] = diagonals.map(IVec3::length_squared);
    let start = usize::from(first > second);
    [0, 1, 2, 3].map(|corner| corners[(start + corner) & 3])
}

/// The vertices of a cell.
#[derive(Clone, Copy, Debug)]
pub struct CellVertices {
    sheets: &'static ContourSheets,
    /// Vertex of each drawn sheet.
    at: [IVec3; 4],
}

impl CellVertices {
    /// The vertices of the cell with these voxels, by corner. `at` is the position of its lowest
    /// voxel in the caller's coordinates, `in_world` that in the world, which rough surfaces
    /// depend on.
    #[must_use]
    pub fn new(
        corners: [ContourVoxel; 8],
        rules: &impl ContourRules,
        at: IVec3,
        in_world: IVec3,
    ) -> CellVertices {
        let cell = ContourCell::new(corners);
        let sheets = cell.sheets();
        let mut vertices = [IVec3::ZERO; 4];
        for sheet in 0..sheets.count {
            let Some(mut vertex) = cell.vertex(sheet) else { continue };
            // Two sheets of a cell could touch if they were moved.
            if sheets.count == 1 {
                vertex = vertex.shaped(rules.surface_rule(vertex.material), in_world);
            }
            vertices[usize::from(sheet)] = at * 256 + IVec3::from(vertex.at.map(i32::from));
        }
        CellVertices { sheets, at: vertices }
    }
}

/// The surface around one crossed edge, as the mesher draws it.
#[derive(Clone, Copy, Debug)]
pub struct EdgePolygon {
    /// The edge's voxel of matter.
    pub inner: IVec3,
    /// The edge's other voxel.
    pub outer: IVec3,
    corners: Corners<IVec3>,
}

impl EdgePolygon {
    /// The surface around the edge from the voxel `low` to the next one along an axis; `None` if
    /// no surface is drawn there. `voxel` reads the voxels next to the edge and around it, and
    /// `cell` returns the vertices of a cell by its lowest voxel.
    #[must_use]
    pub fn new(
        low: IVec3,
        axis: usize,
        voxel: &impl Fn(IVec3) -> ContourVoxel,
        mut cell: impl FnMut(IVec3) -> CellVertices,
    ) -> Option<EdgePolygon> {
        let high = low + IVec3::AXES[axis];
        let [from, to] = [low, high].map(voxel);
        let is_crossed = from.is_inside() != to.is_inside();
        if !is_crossed || !(from.is_ground() || to.is_ground()) {
            return None;
        }
        let around = &EDGE_CELLS[axis];
        let cells = [0, 1, 2, 3].map(|number: usize| cell(low - IVec3::from(around[number].below)));
        let vertex = |number: usize| {
            let CellVertices { sheets, at } = cells[number];
            at[usize::from(sheets.of_edge[usize::from(around[number].edge)])]
        };
        let mut vertices = [0, 1, 2, 3].map(vertex);
        let is_doubled = |number: usize| {
            let [face, opposite] = around[number].faces;
            let next = (number + 1) % 4;
            cells[number].sheets.doubled >> face & cells[next].sheets.doubled >> opposite & 1 == 1
        };
        let doubled = [0, 1, 2, 3].map(is_doubled);
        let is_reversed = to.is_inside();
        let corners = if doubled == [false; 4] {
            if is_reversed {
                vertices.swap(1, 3);
            }
            let [a, b, c, d] = vertices;
            let quad = with_shorter_diagonal(vertices, [c - a, d - b]);
            Corners::fan(quad, [None; 4], false)
        } else {
            let on_face = |number: usize| {
                doubled[number].then(|| FacePoint::new(low, axis, number, voxel).at)
            };
            Corners::fan(vertices, [0, 1, 2, 3].map(on_face), is_reversed)
        };
        let [inner, outer] = if is_reversed { [high, low] } else { [low, high] };
        Some(EdgePolygon { inner, outer, corners })
    }

    /// The corners in a circle, counterclockwise as seen from outside.
    #[must_use]
    pub fn corners(&self) -> &[IVec3] {
        self.corners.as_slice()
    }

    /// The triangles, counterclockwise as seen from outside.
    pub fn triangles(&self) -> impl Iterator<Item = [IVec3; 3]> + '_ {
        self.corners.triangles()
    }
}
