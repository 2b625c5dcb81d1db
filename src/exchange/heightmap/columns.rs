//! 32 x 32 columns of ground to chunks, straight as runs.

use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_SIDE, Voxel};
use crate::world::Chunk;

/// One column: rock from the bottom, soil upon it, water over it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Column {
    /// Height of the lowest voxel over the ground.
    pub top: i32,
    /// Voxels of soil: the uppermost is `surface`, the others are `under`.
    pub soil: i32,
    pub surface: Voxel,
    pub under: Voxel,
}

/// What all columns have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub rock: Voxel,
    pub water: Voxel,
    /// The uppermost voxel of water.
    pub surface: Voxel,
    /// Height of the lowest voxel of rock.
    pub bottom: i32,
    /// Height of the lowest voxel over the sea; at most `bottom` where there is none.
    pub sea: i32,
}

impl Ground {
    /// Height of the lowest voxel that is air, over a column.
    pub(super) fn ceiling(&self, column: &Column) -> i32 {
        column.top.max(self.sea)
    }

    fn voxel(&self, column: &Column, y: i32) -> Voxel {
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
    pub(super) fn chunk(&self, columns: &[Option<Column>; 32 * 32], low: i32) -> Chunk {
        let rock = |column: &Column| column.top - column.soil;
        // For each row of columns, the heights between which it is rock all along, and from which on it is air.
        let rows = std::array::from_fn::<_, 32, _>(|z| {
            let row = &columns[z * 32..z * 32 + 32];
            let rock = row.iter().map(|column| column.as_ref().map_or(self.bottom, rock)).min();
            let air = row.iter().flatten().map(|column| self.ceiling(column)).max();
            (rock.unwrap_or(self.bottom), air.unwrap_or(self.bottom))
        });
        let mut runs = RunBuilder::new();
        for y in low..low + CHUNK_SIDE {
            for (z, &(rock, air)) in rows.iter().enumerate() {
                if y < self.bottom || y >= air {
                    runs.push(32, Voxel::AIR);
                } else if y < rock {
                    runs.push(32, self.rock);
                } else {
                    for column in &columns[z * 32..z * 32 + 32] {
                        runs.push(1, column.as_ref().map_or(Voxel::AIR, |column| self.voxel(column, y)));
                    }
                }
            }
        }
        runs.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::linear_offset;

    #[test]
    fn every_voxel_is_what_its_column_says() {
        let voxel = Voxel::full;
        let ground = Ground { rock: voxel(1), water: voxel(2), surface: Voxel::new(2, 223), bottom: -40, sea: 0 };
        let columns = std::array::from_fn(|i| {
            let (x, z) = (i as i32 % 32, i as i32 / 32);
            // Rows that are rock all along, rows under water, and a corner that is not land.
            let top = [-35, 70, -3, 5][z as usize / 8] + x * z % 7;
            (x + z < 50).then_some(Column { top, soil: x % 4, surface: voxel(3), under: voxel(4) })
        });
        for low in [-64, -32, 0, 32, 64, 96] {
            let chunk = ground.chunk(&columns, low);
            chunk.check().unwrap();
            for index in 0..32768 {
                let at = linear_offset(index);
                let y = low + at.y;
                let expected = match columns[(at.x + at.z * 32) as usize] {
                    Some(_) if y < -40 => Voxel::AIR,
                    Some(Column { top, soil, .. }) if y < top => match top - 1 - y {
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
