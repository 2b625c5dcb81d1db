//! The voxels of a chunk and two around it on each side, as the contour sees them.
//!
//! Two, because a vertex's normal takes the surfaces of all cells next to its own.

use crate::contour::{ContourCell, ContourMaterials, ContourVoxel};
use crate::runs::RunTree;
use crate::runs::bit_rows::{SIDE, boxed};
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{
    CHUNK_SIDE, CHUNK_VOLUME, linear_index, linear_offset, neighbour_index, neighbour_offsets,
};
use glam::IVec3;
use std::ops::Range;

/// Voxels around the chunk on each side.
pub(super) const MARGIN: usize = 2;
/// Voxels along a side of the field.
pub(super) const WIDTH: usize = CHUNK_SIDE as usize + 2 * MARGIN;
/// Rows along x of the field.
pub(super) const ROWS: usize = WIDTH * WIDTH;

/// The field. Positions count from its lowest voxel, two below the chunk's; index `x + WIDTH * (z +
/// WIDTH * y)`, rows `z + WIDTH * y`.
pub(super) struct Field {
    /// The voxels.
    values: Box<[ContourVoxel; ROWS * WIDTH]>,
    /// Bit x of each row: the voxel is matter.
    pub inside: Box<[u64; ROWS]>,
    /// Bit x of each row: the voxel is ground.
    pub ground: Box<[u64; ROWS]>,
    /// Values of a chunk's palette.
    palette: Vec<ContourVoxel>,
}

impl Default for Field {
    fn default() -> Field {
        Field {
            values: boxed(ContourVoxel::EMPTY),
            inside: boxed(0),
            ground: boxed(0),
            palette: Vec::new(),
        }
    }
}

impl Field {
    /// Reads the field of the middle chunk. Returns false, and reads nothing, if no chunk has
    /// ground.
    pub fn read(
        &mut self,
        chunks: &ChunkNeighbourhoodRef<'_>,
        materials: &ContourMaterials,
    ) -> bool {
        let has_ground = |tree: &RunTree| tree.values().any(|voxel| materials.is_ground(voxel));
        if !chunks.chunks.iter().flatten().any(|tree| has_ground(tree)) {
            return false;
        }
        self.inside.fill(0);
        self.ground.fill(0);
        // The middle first: its rows are written beyond their ends.
        let others = neighbour_offsets().filter(|offset| *offset != IVec3::ZERO);
        for offset in [IVec3::ZERO].into_iter().chain(others) {
            match chunks.chunks[neighbour_index(offset)] {
                Some(tree) => self.read_part(tree, materials, FieldPart::new(offset)),
                None => self.fill_part(FieldPart::new(offset), ContourVoxel::EMPTY),
            }
        }
        true
    }

    /// The voxel with this index.
    #[inline(always)]
    pub fn value(&self, index: usize) -> ContourVoxel {
        self.values[index]
    }

    /// The cell whose lowest voxel is at `at`.
    #[inline(always)]
    pub fn cell(&self, at: IVec3) -> ContourCell {
        const OFFSETS: [usize; 8] =
            [0, 1, ROWS, ROWS + 1, WIDTH, WIDTH + 1, ROWS + WIDTH, ROWS + WIDTH + 1];
        let row = (at.z + WIDTH as i32 * at.y) as usize;
        let index = row * WIDTH + at.x as usize;
        let mask = |rows: &[u64; ROWS]| {
            let pair = |row: usize| (rows[row] >> at.x) as u8 & 3;
            pair(row) | pair(row + WIDTH) << 2 | pair(row + 1) << 4 | pair(row + WIDTH + 1) << 6
        };
        let corners = OFFSETS.map(|offset| self.values[index + offset]);
        ContourCell::with_masks(corners, mask(&self.inside), mask(&self.ground))
    }

    fn read_part(&mut self, tree: &RunTree, materials: &ContourMaterials, part: FieldPart) {
        self.palette.clear();
        self.palette.extend(tree.values().map(|voxel| materials.voxel(voxel)));
        if let [value] = self.palette[..] {
            self.fill_part(part, value);
            return;
        }
        let palette = std::mem::take(&mut self.palette);
        let FieldPart { from, to, .. } = part;
        if part.is_middle() {
            tree.for_each_coded(0..CHUNK_VOLUME, |start, end, code| {
                self.write_middle_run(start, end, palette[code]);
            });
        } else if from.x == 0 && to.x == CHUNK_SIDE {
            // Rows of a part that is whole along z follow each other without a gap.
            let layers = if to.z - from.z == CHUNK_SIDE { to.y - from.y } else { 1 };
            for y in (from.y..to.y).step_by(layers as usize) {
                let start = linear_index(IVec3::new(0, y, from.z));
                let rows = (layers - 1) * CHUNK_SIDE + to.z - from.z;
                let range = start..start + (rows * CHUNK_SIDE) as usize;
                tree.for_each_coded(range, |start, end, code| {
                    self.write_run(part, start, end, palette[code]);
                });
            }
        } else if to.z - from.z == CHUNK_SIDE {
            let start = linear_index(IVec3::new(0, from.y, 0));
            let end = start + ((to.y - from.y) * CHUNK_SIDE * CHUNK_SIDE) as usize;
            tree.for_each_coded(start..end, |start, end, code| {
                self.write_columns(part, start..end, palette[code]);
            });
        } else {
            for y in from.y..to.y {
                for z in from.z..to.z {
                    let start = linear_index(IVec3::new(from.x, y, z));
                    let range = start..start + (to.x - from.x) as usize;
                    tree.for_each_coded(range, |start, end, code| {
                        self.write_run(part, start, end, palette[code]);
                    });
                }
            }
        }
        self.palette = palette;
    }

    /// Writes one value to a whole part.
    fn fill_part(&mut self, part: FieldPart, value: ContourVoxel) {
        let FieldPart { from, to, .. } = part;
        for y in from.y..to.y {
            for z in from.z..to.z {
                self.write_row(
                    part.place(IVec3::new(from.x, y, z)),
                    (to.x - from.x) as usize,
                    value,
                );
            }
        }
    }

    /// Writes a run, which may span rows of a part that is whole along x.
    #[inline(always)]
    fn write_run(&mut self, part: FieldPart, start: usize, end: usize, value: ContourVoxel) {
        let mut start = start;
        while start < end {
            let row_end = (start / SIDE + 1) * SIDE;
            let stop = end.min(row_end);
            self.write_row(part.place(linear_offset(start)), stop - start, value);
            start = stop;
        }
    }

    /// Writes a run of the middle chunk.
    #[inline(always)]
    fn write_middle_run(&mut self, start: usize, end: usize, value: ContourVoxel) {
        let mut start = start;
        while start < end {
            let row_end = (start / SIDE + 1) * SIDE;
            let stop = end.min(row_end);
            let row = MARGIN + start / SIDE % SIDE + WIDTH * (MARGIN + start / (SIDE * SIDE));
            let x = MARGIN + start % SIDE;
            // Always 32 voxels, so that the fill needs no loop. Later runs and the neighbours'
            // parts overwrite the excess; the bits are exact.
            self.values[row * WIDTH + x..][..SIDE].fill(value);
            self.mark(row, x, stop - start, value);
            start = stop;
        }
    }

    /// Writes the voxels of a run that lie in a part of a few columns.
    #[inline(always)]
    fn write_columns(&mut self, part: FieldPart, run: Range<usize>, value: ContourVoxel) {
        for x in part.from.x..part.to.x {
            // The rows whose voxel at x lies in the run.
            let first = (run.start + SIDE - 1 - x as usize) / SIDE;
            let last = (run.end + SIDE - 1 - x as usize) / SIDE;
            for row in first..last {
                self.write_row(part.place(linear_offset(row * SIDE + x as usize)), 1, value);
            }
        }
    }

    #[inline(always)]
    fn write_row(&mut self, place: FieldPlace, len: usize, value: ContourVoxel) {
        self.values[place.row * WIDTH + place.x..][..len].fill(value);
        self.mark(place.row, place.x, len, value);
    }

    /// Sets the bits of `len` voxels from x on.
    #[inline(always)]
    fn mark(&mut self, row: usize, x: usize, len: usize, value: ContourVoxel) {
        let bits = ((1 << len) - 1) << x;
        self.inside[row] |= bits & mask(value.is_inside());
        self.ground[row] |= bits & mask(value.is_ground());
    }
}

/// All bits or none.
#[inline(always)]
fn mask(set: bool) -> u64 {
    0u64.wrapping_sub(u64::from(set))
}

/// A voxel of the field.
struct FieldPlace {
    row: usize,
    x: usize,
}

/// The voxels of one of 27 chunks that belong to the field, in coordinates of that chunk.
#[derive(Clone, Copy)]
struct FieldPart {
    from: IVec3,
    to: IVec3,
    /// Position in the field of that chunk's lowest voxel.
    origin: IVec3,
}

impl FieldPart {
    fn new(offset: IVec3) -> FieldPart {
        let margin = MARGIN as i32;
        let from = offset.map(|step| if step < 0 { CHUNK_SIDE - margin } else { 0 });
        let to = offset.map(|step| if step > 0 { margin } else { CHUNK_SIDE });
        FieldPart { from, to, origin: offset * CHUNK_SIDE + IVec3::splat(margin) }
    }

    /// True for the part of the middle chunk.
    fn is_middle(self) -> bool {
        self.to - self.from == IVec3::splat(CHUNK_SIDE)
    }

    #[inline(always)]
    fn place(self, local: IVec3) -> FieldPlace {
        let at = local + self.origin;
        FieldPlace { row: (at.z + at.y * WIDTH as i32) as usize, x: at.x as usize }
    }
}
