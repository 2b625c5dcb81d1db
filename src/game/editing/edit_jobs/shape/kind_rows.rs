//! The differing voxels of a chunk, or the cells of a coarser lattice, as rows of bits.

use std::ops::Range;
use stonerun_engine::variants;
use stonerun_engine::voxel::{CHUNK_SIDE, Voxel};
use strum::VariantArray;

/// Voxels along one side of a chunk.
pub(super) const SIDE: usize = CHUNK_SIDE as usize;
/// Rows of a chunk.
pub(super) const ROWS: usize = SIDE * SIDE;

/// Effect of an edit on a voxel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, VariantArray)]
pub enum VoxelFate {
    /// Air becomes matter.
    Added = 0,
    /// Matter becomes air.
    Removed = 1,
    /// Matter becomes another material, or gets another occupancy.
    Changed = 2,
}

impl VoxelFate {
    /// All fates, by number.
    pub const ALL: [VoxelFate; 3] = variants::all();

    /// The fate of a voxel; `None` if it stays as it is.
    #[must_use]
    pub fn new(before: Voxel, after: Voxel) -> Option<VoxelFate> {
        match (before.is_air(), after.is_air()) {
            _ if before == after => None,
            (true, _) => Some(VoxelFate::Added),
            (_, true) => Some(VoxelFate::Removed),
            _ => Some(VoxelFate::Changed),
        }
    }
}

/// One bit per voxel and fate: bit x of row z + 32 y.
pub(super) struct KindRows(pub(super) Box<[[u32; ROWS]; 3]>);

impl KindRows {
    /// Rows without differing voxels.
    pub(super) fn new() -> KindRows {
        KindRows(vec![[0; ROWS]; 3].try_into().unwrap_or_else(|_| unreachable!("three elements")))
    }

    /// Adds the voxels of a range in linear order.
    pub(super) fn add(&mut self, range: Range<usize>, fate: VoxelFate) {
        let rows = &mut self.0[fate as usize];
        let mut start = range.start;
        while start < range.end {
            let row = start / SIDE;
            let end = range.end.min((row + 1) * SIDE);
            let len = (end - start) as u32;
            rows[row] |= (u32::MAX >> (SIDE as u32 - len)) << (start % SIDE);
            start = end;
        }
    }

    /// Bits of all differing voxels, of any fate.
    pub(super) fn any(&self) -> [u32; ROWS] {
        let [added, removed, changed] = &*self.0;
        std::array::from_fn(|row| added[row] | removed[row] | changed[row])
    }
}

/// The differing voxels at the six sides of a chunk, one bit each, indexed by
/// [`Face`](stonerun_engine::voxel::Face). East and west: bit z of word y; up and down: bit x of
/// word z; south and north: bit x of word y.
pub(super) type SideBits = [[u32; SIDE]; 6];

/// The voxels at `x` in layer `y`, as bits by z.
fn column(any: &[u32; ROWS], x: u32, y: usize) -> u32 {
    let mut bits = 0;
    for (z, row) in any[y * SIDE..][..SIDE].iter().enumerate() {
        bits |= (row >> x & 1) << z;
    }
    bits
}

/// Bits at the six sides of a chunk whose differing voxels are `any`.
pub(super) fn sides(any: &[u32; ROWS]) -> SideBits {
    let last = SIDE - 1;
    [
        std::array::from_fn(|y| column(any, last as u32, y)),
        std::array::from_fn(|y| column(any, 0, y)),
        std::array::from_fn(|z| any[z + SIDE * last]),
        std::array::from_fn(|z| any[z]),
        std::array::from_fn(|y| any[last + SIDE * y]),
        std::array::from_fn(|y| any[SIDE * y]),
    ]
}
