//! The cells that the surface crosses, and their vertices.

use super::field::{Field, ROWS, WIDTH};
use crate::bits::set_bits;
use crate::contour::{ContourMaterials, ContourSheets, ContourVertex, crossing};
use crate::runs::bit_rows::boxed;
use crate::voxel::{ChunkPos, MaterialId};
use glam::IVec3;

/// Layers of cells of a field.
pub(super) const LAYERS: i32 = WIDTH as i32 - 1;

/// Bit of [`Cells::first`] for cells with several sheets or a doubled face.
const SPECIAL: u32 = 1 << 31;
/// Cells before the first one of a field that an edge in it touches.
const OUTSIDE: usize = ROWS + WIDTH + 1;
/// Lower voxels of edges along x, and of cells, in a row.
const LOWER: u64 = (1 << (WIDTH - 1)) - 1;

/// A vertex while the mesh is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// Position in 256ths of a voxel, as in [`SurfaceVertex`](super::SurfaceVertex).
    pub at: IVec3,
    /// Sum of the normals of the quads and triangles at the vertex, each as long as twice its area.
    pub normal: IVec3,
    pub material: MaterialId,
    /// True if a quad of the chunk has the vertex.
    pub is_used: bool,
}

impl Point {
    /// A vertex of no quad yet.
    #[inline]
    pub fn new(at: IVec3, material: MaterialId) -> Point {
        Point { at, normal: IVec3::ZERO, material, is_used: false }
    }
}

/// The crossed cells of a field, by the index of their lowest voxel.
pub(super) struct Cells {
    /// First vertex of each crossed cell, with the bit [`SPECIAL`]; undefined for other cells.
    first: Box<[u32; ROWS * WIDTH]>,
    /// Crossings of the edges of each cell: their number in bits 48 to 63, and the sums of their
    /// coordinates in the cell in 16 bits each, x lowest. Between two chunks 0 for all cells that
    /// are read: `add` takes each sum. Begins with room for cells before the field, which edges at
    /// its border touch; those and the last cells of each row collect sums that nothing reads.
    sums: Box<[u64; OUTSIDE + ROWS * WIDTH]>,
    /// Corners of each crossed cell that are matter.
    inside: Box<[u8; ROWS * WIDTH]>,
    /// Bit x of each row: the surface crosses the edge from the voxel to the next one along x, y
    /// and z.
    pub edges: [Box<[u64; ROWS]>; 3],
    /// The vertices.
    pub points: Vec<Point>,
    /// Number of crossed cells.
    pub crossed: u32,
}

impl Default for Cells {
    fn default() -> Cells {
        Cells {
            first: boxed(0),
            sums: boxed(0),
            inside: boxed(0),
            edges: [boxed(0), boxed(0), boxed(0)],
            points: Vec::new(),
            crossed: 0,
        }
    }
}

impl Cells {
    /// Finds the edges of a field that the surface crosses, and forgets all cells.
    pub fn begin(&mut self, field: &Field) {
        self.points.clear();
        self.crossed = 0;
        self.find_edges(field);
    }

    /// Marks the vertices of these quads as used, and no others.
    pub fn use_only(&mut self, quads: &[[u32; 4]]) {
        for point in &mut self.points {
            point.is_used = false;
        }
        for corner in quads.as_flattened() {
            self.points[*corner as usize].is_used = true;
        }
    }

    /// Adds the crossings of the edges that begin in a layer to the cells around them.
    pub fn add_crossings(&mut self, y: i32, field: &Field) {
        const STRIDES: [usize; 3] = [1, ROWS, WIDTH];
        for (axis, stride) in STRIDES.into_iter().enumerate() {
            let [first, second] = [(axis + 1) % 3, (axis + 2) % 3];
            for z in 0..WIDTH as i32 {
                let row = (z + WIDTH as i32 * y) as usize;
                for x in set_bits(self.edges[axis][row]) {
                    let index = row * WIDTH + x as usize;
                    let [low, high] = [index, index + stride].map(|at| field.value(at));
                    let point = 1 << 48 | u64::from(crossing(low, high)) << (16 * axis);
                    for cell in 0..4 {
                        let [one, other] = [cell & 1, cell >> 1];
                        let below = one * STRIDES[first] + other * STRIDES[second];
                        let corner =
                            (one as u64) << (16 * first + 8) | (other as u64) << (16 * second + 8);
                        let sum = &mut self.sums[OUTSIDE + index - below];
                        *sum = sum.wrapping_add(point + corner);
                    }
                }
            }
        }
    }

    /// Finds the crossed cells of a layer of a field, which belongs to the chunk at `pos`. The
    /// crossings of this layer and of the next one must have been added.
    pub fn find_in_layer(
        &mut self,
        y: i32,
        field: &Field,
        materials: &ContourMaterials,
        pos: ChunkPos,
    ) {
        for z in 0..WIDTH as i32 - 1 {
            let cells = self.crossed_cells((z + WIDTH as i32 * y) as usize);
            for x in set_bits(cells) {
                self.add(field, materials, pos, IVec3::new(x as i32, y, z));
            }
        }
    }

    fn find_edges(&mut self, field: &Field) {
        let [along_x, along_y, along_z] = &mut self.edges;
        let Field { inside, ground, .. } = field;
        for row in 0..ROWS {
            let [matter, soil] = [inside[row], ground[row]];
            along_x[row] = (matter ^ matter >> 1) & (soil | soil >> 1) & LOWER;
            // The last row of each layer has no next one along z, the last layer none along y. The
            // rows that follow there are other ones: their crossings go to cells that nothing
            // reads.
            let crossed = |next: usize| (matter ^ inside[next]) & (soil | ground[next]);
            along_y[row] = if row + WIDTH < ROWS { crossed(row + WIDTH) } else { 0 };
            along_z[row] = if row + 1 < ROWS { crossed(row + 1) } else { 0 };
        }
    }

    /// Bit x: the surface crosses the cell whose lowest voxel is at x in this row.
    #[inline]
    fn crossed_cells(&self, row: usize) -> u64 {
        let [along_x, along_y, along_z] = &self.edges;
        let ends =
            along_x[row] | along_x[row + 1] | along_x[row + WIDTH] | along_x[row + WIDTH + 1];
        let sides = along_y[row] | along_y[row + 1] | along_z[row] | along_z[row + WIDTH];
        (ends | sides | sides >> 1) & LOWER
    }

    #[inline]
    fn add(&mut self, field: &Field, materials: &ContourMaterials, pos: ChunkPos, at: IVec3) {
        let index = index_of(at);
        let cell = field.cell(at);
        self.first[index] = self.points.len() as u32;
        self.inside[index] = cell.inside();
        self.crossed += 1;
        // The field begins two voxels below the chunk, positions one.
        let corner = at - IVec3::ONE;
        let sheets = cell.sheets();
        let count = sheets.count;
        if count > 1 || sheets.doubled != 0 {
            self.first[index] |= SPECIAL;
        }
        let sum = std::mem::take(&mut self.sums[OUTSIDE + index]);
        if cell.is_plain() {
            let parts = [0, 16, 32].map(|shift| (sum >> shift & 0xFFFF) as u32);
            let vertex = cell.plain_vertex(parts, (sum >> 48) as u32);
            self.push(vertex, materials, pos, corner);
            return;
        }
        for sheet in 0..count {
            match cell.vertex(sheet) {
                Some(vertex) if count == 1 => self.push(vertex, materials, pos, corner),
                // Two sheets of a cell could touch if they were moved.
                Some(vertex) => self.points.push(point(&vertex, corner)),
                // No quad has a vertex here.
                None => self.points.push(Point::new(IVec3::ZERO, 0)),
            }
        }
    }

    /// Adds the vertex of a cell with one sheet.
    #[inline]
    fn push(
        &mut self,
        vertex: ContourVertex,
        materials: &ContourMaterials,
        pos: ChunkPos,
        corner: IVec3,
    ) {
        let rule = materials.rule(vertex.material);
        let vertex = vertex.shaped(rule, pos.origin() + corner - IVec3::ONE);
        self.points.push(point(&vertex, corner));
    }

    /// The vertices of four crossed cells; `None` if one of them has several sheets or a doubled
    /// face.
    #[inline]
    pub fn plain_vertices(&self, cells: [usize; 4]) -> Option<[u32; 4]> {
        let vertices = cells.map(|cell| self.first[cell]);
        let [a, b, c, d] = vertices;
        ((a | b | c | d) & SPECIAL == 0).then_some(vertices)
    }

    /// The vertex of the sheet that crosses an edge of a crossed cell.
    #[inline]
    pub fn vertex(&self, cell: usize, edge: u8) -> u32 {
        let sheets = ContourSheets::with_corners(self.inside[cell]);
        (self.first[cell] & !SPECIAL) + u32::from(sheets.of_edge[usize::from(edge)])
    }

    /// True if all edges of a face of a crossed cell are crossed, by one sheet.
    #[inline]
    pub fn is_doubled(&self, cell: usize, face: u8) -> bool {
        ContourSheets::with_corners(self.inside[cell]).doubled >> face & 1 == 1
    }
}

/// A vertex of the cell at `corner`, in voxels from the one before the chunk.
#[inline]
fn point(vertex: &ContourVertex, corner: IVec3) -> Point {
    Point::new(corner * 256 + IVec3::from(vertex.at.map(i32::from)), vertex.material)
}

/// Index of a voxel of the field, or of the cell whose lowest voxel it is.
#[inline(always)]
pub(super) fn index_of(at: IVec3) -> usize {
    at.x as usize + WIDTH * (at.z as usize + WIDTH * at.y as usize)
}
