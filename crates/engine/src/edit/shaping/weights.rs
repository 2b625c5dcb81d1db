//! Weights of the voxels in a chunk and one voxel around it, row by row.

use super::area::PreparedArea;
use super::fill_window::{Row, STRIDE, index_of};
use crate::edit::region::Region;
use crate::voxel::{CHUNK_SIDE, ChunkPos};
use glam::IVec3;

/// Rows along y and z: a chunk and one voxel around it.
const ROWS: i32 = CHUNK_SIDE + 2;

/// Weights of a chunk.
pub(super) enum ChunkWeights<'a> {
    /// One weight everywhere.
    Same(i16),
    /// A weight where the bit of a voxel is set: bit `x + 1` of row `z + 1 + 34 (y + 1)`.
    Bits { rows: Vec<u64>, weight: i16 },
    /// Found for each voxel.
    ByVoxel { area: &'a PreparedArea, origin: IVec3 },
}

impl<'a> ChunkWeights<'a> {
    /// Weights of an area in the chunk at `pos`.
    pub fn new(area: &'a PreparedArea, pos: ChunkPos) -> ChunkWeights<'a> {
        match area {
            PreparedArea::Region { region, weight } => {
                ChunkWeights::from_region(region, *weight, pos)
            }
            PreparedArea::Swept { .. } => ChunkWeights::ByVoxel { area, origin: pos.origin() },
        }
    }

    /// Weights of a region, which has one weight.
    fn from_region(region: &Region, weight: i16, pos: ChunkPos) -> ChunkWeights<'a> {
        if pos.moore_neighbourhood().all(|pos| region.holds_chunk(pos)) {
            return ChunkWeights::Same(weight);
        }
        let mut rows = vec![0u64; (ROWS * ROWS) as usize];
        for pos_around in pos.moore_neighbourhood() {
            if !region.has_chunk(pos_around) {
                continue;
            }
            let bits = region.bits(pos_around);
            let from = pos_around.origin() - pos.origin();
            for y in (-1).max(from.y)..(CHUNK_SIDE + 1).min(from.y + CHUNK_SIDE) {
                for z in (-1).max(from.z)..(CHUNK_SIDE + 1).min(from.z + CHUNK_SIDE) {
                    let row = u64::from(bits.row((y - from.y) as usize, (z - from.z) as usize));
                    // Bit x + 1; bits of neighbours beyond one voxel are shifted out.
                    let row = match from.x {
                        0 => row << 1,
                        x if x < 0 => row >> (CHUNK_SIDE - 1),
                        _ => (row & 1) << (CHUNK_SIDE + 1),
                    };
                    rows[((y + 1) * ROWS + z + 1) as usize] |= row;
                }
            }
        }
        ChunkWeights::Bits { rows, weight }
    }

    /// Weights of the row at `y` and `z`, each -1 to 32, for x from -1 to 32; `None` if all are 0.
    pub fn row(&self, y: i32, z: i32) -> Option<Row> {
        let row = match self {
            ChunkWeights::Same(weight) => [*weight; STRIDE],
            ChunkWeights::Bits { rows, weight } => {
                let bits = rows[((y + 1) * ROWS + z + 1) as usize];
                if bits == 0 {
                    return None;
                }
                std::array::from_fn(|i| {
                    let bit = i as i32 - index_of(-1) as i32;
                    if (0..ROWS).contains(&bit) { (bits >> bit & 1) as i16 * weight } else { 0 }
                })
            }
            ChunkWeights::ByVoxel { area, origin } => {
                let mut row = [0; STRIDE];
                let covered = &mut row[index_of(-1)..=index_of(CHUNK_SIDE)];
                area.weigh_row(origin + IVec3::new(-1, y, z), covered);
                row
            }
        };
        (row != [0; STRIDE]).then_some(row)
    }
}
