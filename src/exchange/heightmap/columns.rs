//! 32 x 32 columns of ground to chunks, straight as runs.

use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_SIDE, Voxel};
use crate::world::Chunk;

/// One column: rock from the bottom, soil upon it, water over it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TerrainColumn {
    /// Height of the lowest voxel over the ground.
    pub top: i32,
    /// Voxels of soil: the uppermost is `surface`, the others are `under`.
    pub soil: i32,
    pub surface: Voxel,
    pub under: Voxel,
}

/// What all columns have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundProfile {
    pub rock: Voxel,
    pub water: Voxel,
    /// The uppermost voxel of water.
    pub surface: Voxel,
    /// Height of the lowest voxel of rock.
    pub bottom: i32,
    /// Height of the lowest voxel over the sea; at most `bottom` where there is none.
    pub sea: i32,
}

impl GroundProfile {
    /// Height of the lowest voxel that is air, over a column.
    pub(super) fn ceiling(&self, column: &TerrainColumn) -> i32 {
        column.top.max(self.sea)
    }

    fn voxel(&self, column: &TerrainColumn, y: i32) -> Voxel {
        if y < self.bottom || y >= self.ceiling(column) {
            Voxel::AIR
        } else if y >= column.top {
            if y == self.sea - 1 { self.surface } else { self.water }
        } else if y == column.top - 1 && column.soil > 0 {
            column.surface
        } else if y >= column.top - column.soil {
            column.under
        } else {
            self.rock
        }
    }

    /// The chunk from height `low` up of these columns, x fastest, then z; none is outside the land.
    pub(super) fn chunk(&self, columns: &[Option<TerrainColumn>; 32 * 32], low: i32) -> Chunk {
        // Up to where each column is rock, and from where on it is air; row by row, as columns are.
        let heights = |of: &dyn Fn(&TerrainColumn) -> i32| -> [[i32; 32]; 32] {
            std::array::from_fn(|z| std::array::from_fn(|x| columns[z * 32 + x].as_ref().map_or(self.bottom, of)))
        };
        let (rock, air) = (heights(&|column| column.top - column.soil), heights(&|column| self.ceiling(column)));
        let mut runs = RunBuilder::new();
        for y in low..low + CHUNK_SIDE {
            for z in 0..32 {
                if y < self.bottom {
                    runs.push(32, Voxel::AIR);
                    continue;
                }
                // Noise changes from rock to air and back all along a row: bits are quicker than a question to each column.
                let (is_rock, is_air) = (!reached(y, &rock[z]), reached(y, &air[z]));
                let mut x = 0;
                while x < 32 {
                    let (len, voxel) = match ((is_rock >> x).trailing_ones(), (is_air >> x).trailing_ones()) {
                        (0, 0) => (1, columns[z * 32 + x].as_ref().map_or(Voxel::AIR, |column| self.voxel(column, y))),
                        (0, len) => (len, Voxel::AIR),
                        (len, _) => (len, self.rock),
                    };
                    runs.push(len, voxel);
                    x += len as usize;
                }
            }
        }
        runs.finish()
    }
}

/// Which of these heights are at most `y`: a bit each, the first one lowest.
fn reached(y: i32, heights: &[i32; 32]) -> u32 {
    heights.iter().enumerate().fold(0, |bits, (i, &height)| bits | u32::from(height <= y) << i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::linear_offset;

    #[test]
    fn every_voxel_is_what_its_column_says() {
        let voxel = Voxel::full;
        let ground =
            GroundProfile { rock: voxel(1), water: voxel(2), surface: Voxel::new(2, 223), bottom: -40, sea: 0 };
        let columns = std::array::from_fn(|i| {
            let (x, z) = (i as i32 % 32, i as i32 / 32);
            // Rows that are rock all along, rows under water, and a corner that is not land.
            let top = [-35, 70, -3, 5][z as usize / 8] + x * z % 7;
            (x + z < 50).then_some(TerrainColumn { top, soil: x % 4, surface: voxel(3), under: voxel(4) })
        });
        for low in [-64, -32, 0, 32, 64, 96] {
            let chunk = ground.chunk(&columns, low);
            chunk.check().unwrap();
            for index in 0..32768 {
                let at = linear_offset(index);
                let y = low + at.y;
                let expected = match columns[(at.x + at.z * 32) as usize] {
                    Some(_) if y < -40 => Voxel::AIR,
                    Some(TerrainColumn { top, soil, .. }) if y < top => match top - 1 - y {
                        0 if soil > 0 => voxel(3),
                        deep if deep < soil => voxel(4),
                        _ => voxel(1),
                    },
                    Some(_) if y < -1 => voxel(2),
                    Some(_) if y == -1 => Voxel::new(2, 223),
                    _ => Voxel::AIR,
                };
                assert_eq!(chunk.get(index), expected, "{at} from {low}");
            }
        }
    }
}
