//! Merging of level parts of a surface.
//!
//! Quads look like one if their vertices lie in the middle of their cells, in one plane, and are
//! shaded as that plane. A rectangle of such quads becomes a fan around one of its inner vertices.
//! All vertices on its border stay, so it has no T-junctions with what is around it, and each edge
//! still belongs to two triangles.

use super::cells::Point;
use crate::voxel::MaterialId;
use glam::IVec3;

/// Cells along a side of a chunk's quads: from one before the chunk to its last.
const CELLS: usize = 33;
/// Position of a vertex in the middle of its cell, in 256ths of a voxel.
const MIDDLE: i32 = 128;

/// A plane with level quads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Plane {
    /// Number of the axis of its normal.
    axis: usize,
    /// Position along the axis, in 256ths of a voxel.
    at: i32,
    is_reversed: bool,
    material: MaterialId,
}

/// A level quad.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LevelQuad {
    plane: Plane,
    /// Row and column of its lowest cell in the plane.
    row: u8,
    column: u8,
    /// Number in the list.
    number: u32,
}

/// The quads of one plane.
struct Grid {
    /// Bit x of each row: there is a quad.
    quads: [u64; CELLS],
    /// Number of the quad at each place.
    numbers: [[u32; CELLS]; CELLS],
    /// Vertex of each cell.
    vertices: [[u32; CELLS + 1]; CELLS + 1],
}

/// A rectangle of quads.
struct Rectangle {
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
}

/// Merges level quads of a chunk's list. Returns the number of triangles that are saved.
pub(super) fn merge(points: &[Point], list: &mut Vec<[u32; 4]>) -> u32 {
    let mut level: Vec<LevelQuad> = Vec::new();
    for (number, quad) in list.iter().enumerate() {
        level.extend(level_quad(points, quad, number as u32));
    }
    if level.is_empty() {
        return 0;
    }
    level.sort_unstable();
    let before = list.len();
    let mut dropped = Vec::new();
    let mut grid = Grid::new();
    for quads in level.chunk_by(|a, b| a.plane == b.plane) {
        grid.fill(points, list, quads);
        while let Some(rectangle) = grid.take() {
            let Rectangle { rows, columns } = &rectangle;
            if rows.len() * columns.len() <= rows.len() + columns.len() {
                continue;
            }
            for row in rows.clone() {
                dropped.extend_from_slice(&grid.numbers[row][columns.clone()]);
            }
            grid.add_fan(&rectangle, quads[0].plane.is_reversed, list);
        }
    }
    let added = list.len() - before;
    let saved = dropped.len() - added;
    remove(list, dropped);
    2 * saved as u32
}

/// The quad's place, if it is level.
#[inline]
fn level_quad(points: &[Point], quad: &[u32; 4], number: u32) -> Option<LevelQuad> {
    let first = &points[quad[0] as usize];
    let axis = straight_axis(first.normal)?;
    let corners = quad.map(|corner| &points[corner as usize]);
    let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    let at = first.at[axis];
    let is_reversed = first.normal[axis] < 0;
    let is_level = corners.iter().all(|point| {
        point.at[axis] == at
            && point.at[u] & 255 == MIDDLE
            && point.at[v] & 255 == MIDDLE
            && point.material == first.material
            && straight_axis(point.normal) == Some(axis)
            && (point.normal[axis] < 0) == is_reversed
    });
    let lowest: IVec3 = corners.iter().fold(first.at, |lowest, point| lowest.min(point.at)) >> 8;
    (is_level && quad[2] != quad[3]).then(|| LevelQuad {
        plane: Plane { axis, at, is_reversed, material: first.material },
        row: lowest[v] as u8,
        column: lowest[u] as u8,
        number,
    })
}

/// The axis along which a normal lies, if it lies along one.
#[inline]
fn straight_axis(normal: IVec3) -> Option<usize> {
    match normal.to_array() {
        [_, 0, 0] => Some(0),
        [0, _, 0] => Some(1),
        [0, 0, _] => Some(2),
        _ => None,
    }
}

impl Grid {
    fn new() -> Grid {
        Grid {
            quads: [0; CELLS],
            numbers: [[0; CELLS]; CELLS],
            vertices: [[0; CELLS + 1]; CELLS + 1],
        }
    }

    /// Replaces the content by quads of one plane. All quads of the last one have been taken.
    fn fill(&mut self, points: &[Point], list: &[[u32; 4]], quads: &[LevelQuad]) {
        for LevelQuad { plane, row, column, number } in quads {
            let [u, v] = [(plane.axis + 1) % 3, (plane.axis + 2) % 3];
            let [row, column] = [usize::from(*row), usize::from(*column)];
            self.quads[row] |= 1 << column;
            self.numbers[row][column] = *number;
            for vertex in list[*number as usize] {
                let at = points[vertex as usize].at;
                self.vertices[(at[v] >> 8) as usize][(at[u] >> 8) as usize] = vertex;
            }
        }
    }

    /// Takes the first quad with all that make a rectangle with it: as many columns as its row has,
    /// and as many rows as have them all.
    fn take(&mut self) -> Option<Rectangle> {
        let first = self.quads.iter().position(|row| *row != 0)?;
        let column = self.quads[first].trailing_zeros();
        let width = (self.quads[first] >> column).trailing_ones();
        let mask = ((1u64 << width) - 1) << column;
        let rows = self.quads[first..].iter().take_while(|row| **row & mask == mask).count();
        for row in &mut self.quads[first..first + rows] {
            *row &= !mask;
        }
        Some(Rectangle {
            rows: first..first + rows,
            columns: column as usize..(column + width) as usize,
        })
    }

    /// Adds the quads of a fan around an inner vertex.
    fn add_fan(&self, rectangle: &Rectangle, is_reversed: bool, list: &mut Vec<[u32; 4]>) {
        let Rectangle { rows, columns } = rectangle;
        let [top, bottom, left, right] = [rows.start, rows.end, columns.start, columns.end];
        let middle = self.vertices[top + rows.len() / 2][left + columns.len() / 2];
        let border = (left..right)
            .map(|column| self.vertices[top][column])
            .chain((top..bottom).map(|row| self.vertices[row][right]))
            .chain((left + 1..=right).rev().map(|column| self.vertices[bottom][column]))
            .chain((top + 1..=bottom).rev().map(|row| self.vertices[row][left]));
        let mut border: Vec<u32> = border.collect();
        border.push(border[0]);
        // An even number of sides, two for each quad of the fan.
        for corner in (0..border.len() - 1).step_by(2) {
            let [a, b, c] = [border[corner], border[corner + 1], border[corner + 2]];
            list.push(if is_reversed { [middle, c, b, a] } else { [middle, a, b, c] });
        }
    }
}

/// Removes the quads with these numbers, and keeps the order of the others.
fn remove(list: &mut Vec<[u32; 4]>, mut numbers: Vec<u32>) {
    numbers.sort_unstable();
    let mut next = numbers.into_iter().peekable();
    let mut number = 0;
    list.retain(|_| {
        let is_dropped = next.next_if_eq(&number).is_some();
        number += 1;
        !is_dropped
    });
}
