//! Chunks of 32 x 32 terrain columns, built directly as runs.

use stonerun_engine::runs::RunBuilder;
use stonerun_engine::voxel::{CHUNK_SIDE, Voxel};
use stonerun_engine::world::Chunk;

/// One column: rock from the bottom, then soil, then water.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct HeightmapColumn {
    /// Height of the lowest voxel above the ground.
    pub top: i32,
    /// Voxels of soil: the topmost is `surface`, the others are `subsoil`.
    pub soil: i32,
    /// Topmost voxel of soil.
    pub surface: Voxel,
    /// Voxel of the soil below `surface`.
    pub subsoil: Voxel,
}

/// Properties shared by all columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundProfile {
    /// Voxel of rock.
    pub rock: Voxel,
    /// Voxel of water below the surface.
    pub water: Voxel,
    /// Topmost voxel of water.
    pub water_surface: Voxel,
    /// Height of the lowest voxel of rock.
    pub bottom: i32,
    /// Height of the lowest voxel above the sea. Without a sea it is at most `bottom`.
    pub sea_level: i32,
}

impl GroundProfile {
    /// Height of the lowest voxel of air above a column.
    pub(super) fn ceiling(&self, column: &HeightmapColumn) -> i32 {
        column.top.max(self.sea_level)
    }

    /// The voxel of a column at height `y`.
    fn voxel(&self, column: &HeightmapColumn, y: i32) -> Voxel {
        if y < self.bottom || y >= self.ceiling(column) {
            Voxel::AIR
        } else if y >= column.top {
            if y == self.sea_level - 1 { self.water_surface } else { self.water }
        } else if y == column.top - 1 && column.soil > 0 {
            column.surface
        } else if y >= column.top - column.soil {
            column.subsoil
        } else {
            self.rock
        }
    }

    /// The chunk of these columns, x fastest, then z, from height `low` up; `None` is a column
    /// outside the terrain.
    pub(super) fn chunk(&self, columns: &[Option<HeightmapColumn>; 32 * 32], low: i32) -> Chunk {
        // For each column, the height where rock ends and the height where air starts.
        let heights = |of: &dyn Fn(&HeightmapColumn) -> i32| -> [[i32; 32]; 32] {
            std::array::from_fn(|z| {
                std::array::from_fn(|x| columns[z * 32 + x].as_ref().map_or(self.bottom, of))
            })
        };
        let rock = heights(&|column| column.top - column.soil);
        let air = heights(&|column| self.ceiling(column));
        let mut runs = RunBuilder::new();
        for y in low..low + CHUNK_SIDE {
            for z in 0..32 {
                if y < self.bottom {
                    runs.push(32, Voxel::AIR);
                    continue;
                }
                // Rough terrain alternates between rock and air along a row; bit masks are faster
                // than a test per column.
                let is_rock = !heights_at_most(y, &rock[z]);
                let is_air = heights_at_most(y, &air[z]);
                let mut x = 0;
                while x < 32 {
                    let (len, voxel) =
                        match ((is_rock >> x).trailing_ones(), (is_air >> x).trailing_ones()) {
                            (0, 0) => (
                                1,
                                columns[z * 32 + x]
                                    .as_ref()
                                    .map_or(Voxel::AIR, |column| self.voxel(column, y)),
                            ),
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

/// Bit mask that marks the heights that are at most `y`. Bit 0 is the first height.
fn heights_at_most(y: i32, heights: &[i32; 32]) -> u32 {
    heights.iter().enumerate().fold(0, |bits, (i, &height)| bits | u32::from(height <= y) << i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::linear_offset;

    #[test]
    fn chunk_voxels_match_their_columns() {
        let voxel = Voxel::full;
        let profile = GroundProfile {
            rock: voxel(1),
            water: voxel(2),
            water_surface: Voxel::new(2, 223),
            bottom: -40,
            sea_level: 0,
        };
        let columns = std::array::from_fn(|i| {
            let x = i as i32 % 32;
            let z = i as i32 / 32;
            // Columns of rock only, columns under water, and a corner outside the terrain.
            let top = [-35, 70, -3, 5][z as usize / 8] + x * z % 7;
            (x + z < 50).then_some(HeightmapColumn {
                top,
                soil: x % 4,
                surface: voxel(3),
                subsoil: voxel(4),
            })
        });
        for low in [-64, -32, 0, 32, 64, 96] {
            let chunk = profile.chunk(&columns, low);
            chunk.check().unwrap();
            for index in 0..32768 {
                let at = linear_offset(index);
                let y = low + at.y;
                let expected = match columns[(at.x + at.z * 32) as usize] {
                    Some(_) if y < -40 => Voxel::AIR,
                    Some(HeightmapColumn { top, soil, .. }) if y < top => match top - 1 - y {
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
