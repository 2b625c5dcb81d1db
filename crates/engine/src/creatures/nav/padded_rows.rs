//! Voxels of a chunk and its margin as bit rows, from which places and moves are derived.

use super::MAX_FALL;
use super::class::NavClass;
use super::class_rows::{ClassRow, ClassRows};
use crate::runs::bit_rows::{SIDE, boxed};
use crate::voxel::{Box3, CHUNK_SIDE, MOORE_LEN, local_coord, neighbour_index};
use glam::IVec3;

/// Width of the margin along x and z: a jump covers two voxels.
pub(super) const MARGIN: i32 = 2;
/// Layers below the chunk, down to the ground under the deepest fall.
pub(super) const BELOW: i32 = MAX_FALL + 1;
/// Layers above the chunk, for the head room of upward steps and jumps.
pub(super) const ABOVE: i32 = 2;
/// Rows of a layer, with the margins.
const ROWS: usize = SIDE + 2 * MARGIN as usize;
/// Layers of the chunk, with those below and above it.
const LAYERS: usize = SIDE + (BELOW + ABOVE) as usize;

/// One word per row; bit `x + MARGIN` is the voxel at x.
type Plane = [u64; LAYERS * ROWS];

/// Bit rows of a chunk and a margin of voxels around it, one bit per voxel for each property. With
/// the margin, deriving moves needs no lookups in neighbouring chunks.
pub(super) struct PaddedRows {
    open: Box<Plane>,
    water: Box<Plane>,
    ground: Box<Plane>,
    place: Box<Plane>,
    starts: Box<Plane>,
}

/// Bits of the chunk's own voxels, x from 0 to 31.
pub(super) const INSIDE: u64 = 0xFFFF_FFFF << MARGIN;

#[inline(always)]
fn number(y: i32, z: i32) -> usize {
    ((y + BELOW) * ROWS as i32 + z + MARGIN) as usize
}

/// True if `area`, in chunk coordinates, contains voxels of row z + 32 y.
#[inline(always)]
pub(super) fn has_row(area: Box3, number: usize) -> bool {
    let y = (number / SIDE) as i32;
    let z = (number % SIDE) as i32;
    (area.min.y..area.max.y).contains(&y) && (area.min.z..area.max.z).contains(&z)
}

/// Numbers of the rows of `area`, in chunk coordinates.
pub(super) fn rows_of(area: Box3) -> impl Iterator<Item = usize> {
    (area.min.y..area.max.y)
        .flat_map(move |y| (area.min.z..area.max.z).map(move |z| (z + CHUNK_SIDE * y) as usize))
}

/// Elements of a list sorted by row whose rows belong to `area`.
pub(super) fn within<T>(
    sorted: &[T],
    area: Box3,
    row: impl Fn(&T) -> usize,
) -> impl Iterator<Item = &T> {
    (area.min.y..area.max.y).flat_map(move |y| {
        let [start, end] = [area.min.z, area.max.z].map(|z| {
            let first = (z + CHUNK_SIDE * y) as usize;
            sorted.partition_point(|element| row(element) < first)
        });
        &sorted[start..end]
    })
}

impl PaddedRows {
    /// Allocates zeroed rows.
    pub fn new() -> PaddedRows {
        PaddedRows {
            open: boxed(0),
            water: boxed(0),
            ground: boxed(0),
            place: boxed(0),
            starts: boxed(0),
        }
    }

    /// Reads the rows of a chunk and its neighbours that rows of `area` depend on. In `chunks`,
    /// `None` is a chunk that is not loaded.
    pub fn read(&mut self, chunks: &[Option<&ClassRows>; MOORE_LEN], area: Box3) {
        let missing = ClassRows::Uniform(NavClass::Hazard);
        let low = area.min.y - BELOW;
        let high = area.max.y + ABOVE;
        let first = area.min.z - MARGIN;
        let last = area.max.z + MARGIN;
        for (dy, ys) in [(-1, -BELOW..0), (0, 0..CHUNK_SIDE), (1, CHUNK_SIDE..CHUNK_SIDE + ABOVE)] {
            for (dz, zs) in
                [(-1, -MARGIN..0), (0, 0..CHUNK_SIDE), (1, CHUNK_SIDE..CHUNK_SIDE + MARGIN)]
            {
                let [west, middle, east] = [-1, 0, 1]
                    .map(|dx| chunks[neighbour_index(IVec3::new(dx, dy, dz))].unwrap_or(&missing));
                for y in ys.start.max(low)..ys.end.min(high) {
                    for z in zs.start.max(first)..zs.end.min(last) {
                        let row = (local_coord(z) + CHUNK_SIDE * local_coord(y)) as usize;
                        self.read_row(
                            number(y, z),
                            [west.row(row), middle.row(row), east.row(row)],
                        );
                    }
                }
            }
        }
        for y in low + 1..high - 1 {
            for z in first..last {
                let at = number(y, z);
                let room = self.open[at] & self.open[at + ROWS];
                let water = self.water[at];
                let place = room & (water | self.ground[at - ROWS]);
                self.place[at] = place;
                self.starts[at] = place & !(place << 1 & !(water ^ water << 1));
            }
        }
    }

    /// Sets a row from the class rows of the western, middle and eastern chunks.
    #[inline(always)]
    fn read_row(&mut self, at: usize, [west, middle, east]: [ClassRow; 3]) {
        let [low, high] = [0, 1].map(|bit| {
            u64::from(west[bit] >> (CHUNK_SIDE - MARGIN))
                | u64::from(middle[bit]) << MARGIN
                | (u64::from(east[bit]) & 0b11) << (MARGIN + CHUNK_SIDE)
        });
        self.open[at] = low ^ high;
        self.water[at] = high & !low;
        self.ground[at] = !low & !high;
    }

    /// Passable voxels of a row.
    #[inline(always)]
    pub fn open(&self, y: i32, z: i32) -> u64 {
        self.open[number(y, z)]
    }

    /// Water in a row.
    #[inline(always)]
    pub fn water(&self, y: i32, z: i32) -> u64 {
        self.water[number(y, z)]
    }

    /// Places of a row. `y` must be from 1 - [`BELOW`] to 32 + [`ABOVE`] - 2.
    #[inline(always)]
    pub fn place(&self, y: i32, z: i32) -> u64 {
        self.place[number(y, z)]
    }

    /// First voxels of the segments of a row. A segment is a maximal stretch of places that are all
    /// standing or all swimming.
    #[inline(always)]
    pub fn starts(&self, y: i32, z: i32) -> u64 {
        self.starts[number(y, z)]
    }

    /// Standing places of a row.
    #[inline(always)]
    pub fn stand(&self, y: i32, z: i32) -> u64 {
        self.place(y, z) & !self.water(y, z)
    }

    /// Swimming places of a row.
    #[inline(always)]
    pub fn swim(&self, y: i32, z: i32) -> u64 {
        self.place(y, z) & self.water(y, z)
    }
}
