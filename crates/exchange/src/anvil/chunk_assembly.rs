//! Assembly of chunks (32^3) from columns of sections (16^3).
//!
//! Minecraft and Stonerun both order voxels x fastest, then z, then y, so a row of a chunk is a row
//! of two sections. One pass over the rows of 2 x 2 x 2 sections makes the runs of a chunk.

use super::sections::{LAYER_BLOCKS, SectionColumn, SectionVoxels};
use std::collections::BTreeSet;
use stonerun_engine::runs::RunBuilder;
use stonerun_engine::voxel::Voxel;
use stonerun_engine::world::Chunk;

/// Content of a missing section.
const AIR: &SectionVoxels = &SectionVoxels::Uniform(Voxel::AIR);

/// The chunks of 2 x 2 columns (x fastest, then z), each with its height in chunks. Chunks of air
/// are left out.
pub(super) fn chunks(columns: &[SectionColumn; 4]) -> Vec<(i32, Chunk)> {
    let heights: BTreeSet<i32> =
        columns.iter().flat_map(|column| column.keys().map(|y| y.div_euclid(2))).collect();
    heights.into_iter().filter_map(|y| Some((y, chunk(columns, y)?))).collect()
}

/// The chunk at height `y`; `None` if it is air.
fn chunk(columns: &[SectionColumn; 4], y: i32) -> Option<Chunk> {
    let mut runs = RunBuilder::new();
    for half in 0..2 {
        let sections = [0, 1, 2, 3].map(|i: usize| columns[i].get(&(2 * y + half)).unwrap_or(AIR));
        for layer in 0..16 {
            for row in 0..64 {
                // Two section rows of 16 make one chunk row.
                let z = row / 2;
                let east = row % 2;
                match sections[z / 16 * 2 + east] {
                    SectionVoxels::Uniform(voxel) => runs.push(16, *voxel),
                    SectionVoxels::Each(voxels) => {
                        let start = layer * LAYER_BLOCKS + z % 16 * 16;
                        for same in voxels[start..start + 16].chunk_by(|a, b| a == b) {
                            runs.push(same.len() as u32, same[0]);
                        }
                    }
                }
            }
        }
    }
    let chunk = runs.finish();
    (chunk.as_uniform() != Some(Voxel::AIR)).then_some(chunk)
}

#[cfg(test)]
mod tests {
    use super::super::packed_indices::SECTION_BLOCKS;
    use super::*;
    use glam::IVec3;
    use stonerun_engine::voxel::{linear_index, linear_offset};

    #[test]
    fn chunks_place_every_voxel() {
        // Material and occupancy of each voxel encode its column, section and index.
        let section = |column: u16, y: i32| {
            let voxel = |i: usize| {
                Voxel::new(1 + column * 1000 + (y + 5) as u16 * 100 + i as u16 / 256, i as u8)
            };
            SectionVoxels::Each((0..SECTION_BLOCKS).map(voxel).collect())
        };
        let mut columns =
            [0, 1, 2, 3].map(|i| (-3..4).map(|y| (y, section(i, y))).collect::<SectionColumn>());
        columns[2].remove(&1);
        columns[3].insert(-2, SectionVoxels::Uniform(Voxel::full(7)));
        let made = chunks(&columns);
        assert_eq!(made.iter().map(|(y, _)| *y).collect::<Vec<_>>(), [-2, -1, 0, 1]);
        for (chunk_y, chunk) in &made {
            chunk.check().unwrap();
            for index in 0..32768 {
                let at = linear_offset(index);
                let column = (at.x / 16 + at.z / 16 * 2) as usize;
                let in_section = at & 15;
                let place = in_section.x | in_section.z << 4 | in_section.y << 8;
                let expected = match columns[column].get(&(chunk_y * 2 + at.y / 16)) {
                    None => Voxel::AIR,
                    Some(SectionVoxels::Uniform(voxel)) => *voxel,
                    Some(SectionVoxels::Each(voxels)) => voxels[place as usize],
                };
                assert_eq!(chunk.get(index), expected, "{at} of chunk {chunk_y}");
            }
        }
        assert_eq!(
            made[0].1.get(linear_index(IVec3::new(3, 15, 3))),
            Voxel::AIR,
            "section -4 is missing"
        );
    }

    #[test]
    fn chunks_leaves_out_air() {
        let air: SectionColumn = [
            (0, SectionVoxels::Each(vec![Voxel::AIR; SECTION_BLOCKS])),
            (4, SectionVoxels::Uniform(Voxel::AIR)),
        ]
        .into();
        let stone: SectionColumn =
            (6..8).map(|y| (y, SectionVoxels::Uniform(Voxel::full(1)))).collect();
        assert!(chunks(&[air.clone(), air.clone(), air.clone(), air.clone()]).is_empty());
        let made = chunks(&[stone.clone(), stone.clone(), stone.clone(), stone.clone()]);
        assert_eq!(made.len(), 1);
        assert_eq!((made[0].0, made[0].1.as_uniform()), (3, Some(Voxel::full(1))));
        assert_eq!(chunks(&[air.clone(), air.clone(), stone, air]).len(), 1);
    }
}
